/*
 * roster.c - an ordered set of names in a sealed file.
 */
#include "harness/io/store/roster.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/date.h"
#include "harness/base/json.h"
#include "harness/io/file.h"
#include "harness/io/process.h"
#include "harness/io/sealed.h"
#include "harness/io/store/script_file.h"

struct il_roster {
    char *path;
    json_t *root;       /* all but the lists */
    json_t *cases;      /* name: cost */
    json_t *references; /* name: true */
    json_t *before;     /* name: true, of the last time and not yet asked for now */
    il_json made;       /* of what was put into these */
    bool changed;
};

#define FOLDER "rosters"

/* ---- what stands in it ---------------------------------------------------------------------- */

static json_t *date_now(void) {
    char text[IL_DATE];
    il_date_utc(il_date_now(), text);
    return json_string(text);
}

static json_t *host_name(void) {
    char name[128] = "";
    (void)gethostname(name, sizeof name - 1);
    return il_json_text_new(name);
}

static json_t *root_new(il_json *w, const il_roster_head *head, const char *path) {
    json_t *root = json_object();
    long long born = -1;
    (void)il_process_born(getpid(), &born);
    il_json_put_text(w, root, "kind", "roster");
    il_json_set(w, root, "script", il_json_text_new(head->script));
    il_json_set(w, root, "path", il_json_text_new(path));
    il_json_put_text(w, root, "script_sha256", head->sum);
    il_json_set(w, root, "arguments", il_script_file_words(head->args, head->nargs));
    il_json_set(w, root, "shard",
                head->shards > 0 ? json_sprintf("%zu/%zu", head->shard, head->shards)
                                 : json_null());
    il_json_put_text(w, root, "build", head->build);
    il_json_set(w, root, "host", host_name());
    il_json_set(w, root, "pid", json_integer(getpid()));
    il_json_set(w, root, "born", json_integer(born));
    il_json_put_count(w, root, "workers", head->workers > 0 ? head->workers : 1);
    il_json_set(w, root, "began", date_now());
    il_json_put_text(w, root, "state", "at work");
    return root;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Store the script's text, once, under its checksum. */
static il_status keep_text(const char *results, const il_roster_head *head, il_error *err) {
    char *path = NULL;
    il_file file = {0};
    if (head->text == NULL || head->sum == NULL) {
        return IL_OK;
    }
    il_status status = il_folder_make_inside(results, "scripts", err);
    if (status == IL_OK && asprintf(&path, "%s/scripts/%s.lua", results, head->sum) < 0) {
        return il_fail(err, IL_ENOMEM, "no memory to keep the script");
    }
    if (status != IL_OK) {
        return status;
    }
    if (access(path, F_OK) != 0) {
        status = il_file_open(&file, path, err);
        if (status == IL_OK) {
            (void)fputs(head->text, file.stream);
            status = il_file_commit(&file, err);
        }
        il_file_abandon(&file);
    }
    free(path);
    return status;
}

/* The names of an object, or its values. */
static json_t *list_of(il_json *w, const json_t *object, bool names) {
    json_t *list = json_array();
    const char *name = NULL;
    json_t *cost = NULL;
    json_object_foreach((json_t *)(uintptr_t)object, name, cost) {
        il_json_append(w, list, names ? json_string(name) : json_incref(cost));
    }
    return list;
}

static il_status write_file(il_roster *r, il_error *err) {
    il_json_set(&r->made, r->root, "references", list_of(&r->made, r->references, true));
    il_json_set(&r->made, r->root, "saved", date_now());
    il_json_set(&r->made, r->root, "cases", list_of(&r->made, r->cases, true));
    il_json_set(&r->made, r->root, "costs", list_of(&r->made, r->cases, false));
    il_json_set(&r->made, r->root, "before", list_of(&r->made, r->before, true));
    il_status status = r->made.failed
                           ? il_fail(err, IL_ENOMEM, "no memory for the roster '%s'", r->path)
                           : il_script_file_write(r->path, r->root, JSON_COMPACT, false, err);
    r->changed = r->changed && status != IL_OK;
    return status;
}

static void destroy(il_roster *r) {
    if (r != NULL) {
        json_decref(r->root);
        json_decref(r->cases);
        json_decref(r->before);
        json_decref(r->references);
        free(r->path);
        free(r);
    }
}

/* The names of the previous run; a damaged file counts as empty and is replaced. */
static il_status read_last(il_roster *r, il_error *err) {
    static const char *const lists[] = {"cases", "before", "references"};
    il_error why = {IL_OK, ""};
    json_t *last = NULL;
    il_status status = il_sealed_load(r->path, &last, &why);
    for (size_t k = 0; k < 3; k++) {
        size_t i = 0;
        const json_t *name = NULL;
        json_array_foreach(json_object_get(last, lists[k]), i, name) {
            if (json_is_string(name)) {
                il_json_set(&r->made, r->before, json_string_value(name), json_true());
            }
        }
    }
    json_decref(last);
    if (status == IL_ENOMEM || status == IL_EUNSUPPORTED) {
        return il_fail(err, status, "the roster '%s' cannot be used: %.300s", r->path, why.message);
    }
    return IL_OK;
}

/* All but what the last time left, in memory; NULL without it. */
static il_roster *create(const char *results, const il_roster_head *head) {
    char *whole = realpath(head->script, NULL);
    const char *script = whole != NULL ? whole : head->script;
    char *call = NULL;
    il_roster *r = whole != NULL || errno != ENOMEM ? calloc(1, sizeof *r) : NULL;
    if (r != NULL && asprintf(&call, "%s\n%zu/%zu", script, head->shard, head->shards) >= 0) {
        r->path = il_script_file_path(results, FOLDER, head->script, call, head->args, head->nargs);
        r->root = root_new(&r->made, head, script);
        r->cases = json_object();
        r->before = json_object();
        r->references = json_object();
        free(call);
    }
    free(whole);
    if (r != NULL && r->path != NULL && r->root != NULL && r->cases != NULL && r->before != NULL &&
        r->references != NULL && !r->made.failed) {
        return r;
    }
    destroy(r);
    return NULL;
}

il_status il_roster_open(il_roster **out, const char *results, const il_roster_head *head,
                         il_error *err) {
    *out = NULL;
    il_roster *r = create(results, head);
    if (r == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for the roster of '%s'", head->script);
    }
    il_status status = keep_text(results, head, err);
    if (status == IL_OK) {
        status = il_folder_make_inside(results, FOLDER, err);
    }
    if (status == IL_OK) {
        status = read_last(r, err);
    }
    if (status == IL_OK) {
        status = write_file(r, err);
    }
    if (status != IL_OK) {
        destroy(r);
        return status;
    }
    *out = r;
    return IL_OK;
}

/* The name is asked for. */
static il_status note(il_roster *r, json_t *names, const char *name, json_t *value, il_error *err) {
    il_json_set(&r->made, names, name, value);
    (void)json_object_del(r->before, name); /* where it is one */
    r->changed = true;
    return r->made.failed ? il_fail(err, IL_ENOMEM, "no memory for a roster") : IL_OK;
}

il_status il_roster_note(il_roster *r, const char *name, double cost, il_error *err) {
    bool known = r == NULL || (cost <= 0.0 && json_object_get(r->cases, name) != NULL);
    return known ? IL_OK : note(r, r->cases, name, il_json_number(cost), err);
}

il_status il_roster_note_reference(il_roster *r, const char *name, il_error *err) {
    bool known = r == NULL || json_object_get(r->references, name) != NULL;
    return known ? IL_OK : note(r, r->references, name, json_true(), err);
}

il_status il_roster_save(il_roster *r, il_error *err) {
    return r != NULL && r->changed ? write_file(r, err) : IL_OK;
}

il_status il_roster_close(il_roster *r, bool whole, il_error *err) {
    if (r == NULL) {
        return IL_OK;
    }
    il_json_put_text(&r->made, r->root, "state", whole ? "ended" : "stopped");
    if (whole) {
        (void)json_object_clear(r->before);
    }
    il_status status = write_file(r, err);
    destroy(r);
    return status;
}

const json_t *il_roster_cases(const il_roster *r) {
    return r != NULL ? r->cases : NULL;
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool is_roster(const json_t *root) {
    return json_is_string(json_object_get(root, "path")) &&
           json_is_string(json_object_get(root, "state")) &&
           json_is_array(json_object_get(root, "cases")) &&
           json_is_array(json_object_get(root, "before"));
}

json_t *il_roster_all(const char *results, json_t *troubles, il_error *err) {
    static const il_script_files rosters = {FOLDER, "roster", is_roster, true};
    return il_script_files_all(&rosters, results, troubles, err);
}

bool il_roster_at_work(const json_t *roster, bool *known) {
    const char *state = json_string_value(json_object_get(roster, "state"));
    json_t *here = host_name();
    *known = true;
    bool same = json_equal(here, json_object_get(roster, "host"));
    json_decref(here);
    if (state == NULL || strcmp(state, "at work") != 0) {
        return false;
    }
    long long born = -1;
    long pid = (long)json_integer_value(json_object_get(roster, "pid"));
    *known = same && il_process_born(pid, &born);
    return *known && born >= 0 && born == json_integer_value(json_object_get(roster, "born"));
}
