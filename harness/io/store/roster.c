/*
 * roster.c - an ordered set of names in a sealed file.
 */
#include "harness/io/store/roster.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/date.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/io/file.h"
#include "harness/io/sealed.h"
#include "harness/io/store/script_file.h"

struct il_roster {
    char path[IL_SCRIPT_FILE_PATH];
    json_t *root;  /* all that the file says */
    json_t *cases; /* an object in it, by names */
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

/* When a process began, in ticks since the start of the machine, which tells it from later ones of
 * its number; NONE where there is none, UNKNOWN where it is hidden from us. */
enum { UNKNOWN = -1, NONE = 0 };
static long long born_of(pid_t pid) {
    enum { NAME_FIELD = 2, BORN_FIELD = 22 };
    char path[64];
    char line[1024];
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *in = fopen(path, "re");
    const char *at = in != NULL && fgets(line, sizeof line, in) != NULL ? line : NULL;
    if (in != NULL) {
        (void)fclose(in);
    }
    if (at == NULL) {
        return kill(pid, 0) != 0 && errno == ESRCH ? NONE : UNKNOWN;
    }
    at = strrchr(line, ')'); /* the name may hold blanks and brackets */
    if (at != NULL && (strncmp(at, ") Z", 3) == 0 || strncmp(at, ") X", 3) == 0)) {
        return NONE;
    }
    for (int field = NAME_FIELD; at != NULL && field < BORN_FIELD; field++) {
        at = strchr(at + 1, ' ');
    }
    return at != NULL ? strtoll(at, NULL, 10) : UNKNOWN;
}

static json_t *root_new(const il_roster_head *head, const char *path) {
    json_t *shard =
        head->shards > 0 ? json_sprintf("%zu/%zu", head->shard, head->shards) : json_null();
    return json_pack("{s:s, s:o, s:o, s:s?, s:o, s:o, s:s, s:o, s:i, s:I, s:I, s:o, s:s, s:o, "
                     "s:{}}",
                     "kind", "roster", "script", il_json_text_new(head->script), "path",
                     il_json_text_new(path), "script_sha256", head->sum, "arguments",
                     il_script_file_words(head->args, head->nargs), "shard", shard, "build",
                     head->build, "host", host_name(), "pid", (int)getpid(), "born",
                     (json_int_t)born_of(getpid()), "workers",
                     (json_int_t)(head->workers > 0 ? head->workers : 1), "began", date_now(),
                     "state", "at work", "saved", date_now(), "cases");
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Store the script's text, once, under its checksum. */
static il_status keep_text(const char *results, const il_roster_head *head, il_error *err) {
    char path[IL_SCRIPT_FILE_PATH];
    il_file file = {0};
    if (head->text == NULL || head->sum == NULL) {
        return IL_OK;
    }
    (void)snprintf(path, sizeof path, "%.4500s/scripts/%s.lua", results, head->sum);
    il_status status = il_folder_make_inside(results, "scripts", err);
    if (status != IL_OK || access(path, F_OK) == 0) {
        return status;
    }
    status = il_file_open(&file, path, err);
    if (status == IL_OK) {
        (void)fputs(head->text, file.stream); /* whether that went well the commit tells */
        status = il_file_commit(&file, err);
    }
    return status;
}

static il_status write_file(il_roster *r, il_error *err) {
    il_json_set(r->root, "saved", date_now());
    il_status status = il_sealed_write(r->path, r->root, JSON_COMPACT, false, err);
    r->changed = r->changed && status != IL_OK;
    return status;
}

static void destroy(il_roster *r) {
    json_decref(r->root);
    free(r);
}

il_status il_roster_open(il_roster **out, const char *results, const il_roster_head *head,
                         il_error *err) {
    char whole[PATH_MAX];
    char call[PATH_MAX + 64];
    const char *script = realpath(head->script, whole) != NULL ? whole : head->script;
    il_roster *r = il_alloc_zero(1, sizeof *r);
    *out = NULL;
    (void)snprintf(call, sizeof call, "%s\n%zu/%zu", script, head->shard, head->shards);
    il_script_file_path(r->path, results, FOLDER, head->script, call, head->args, head->nargs);
    r->root = root_new(head, script);
    r->cases = json_object_get(r->root, "cases");
    il_status status = keep_text(results, head, err);
    status = status == IL_OK ? il_folder_make_inside(results, FOLDER, err) : status;
    status = status == IL_OK ? write_file(r, err) : status;
    if (status != IL_OK) {
        destroy(r);
        return status;
    }
    *out = r;
    return IL_OK;
}

void il_roster_note(il_roster *r, const char *name, double cost) {
    if (r != NULL && (cost > 0.0 || json_object_get(r->cases, name) == NULL)) {
        il_json_set(r->cases, name, il_json_number(cost));
        r->changed = true;
    }
}

il_status il_roster_save(il_roster *r, il_error *err) {
    return r != NULL && r->changed ? write_file(r, err) : IL_OK;
}

il_status il_roster_close(il_roster *r, bool whole, il_error *err) {
    if (r == NULL) {
        return IL_OK;
    }
    il_json_put_text(r->root, "state", whole ? "ended" : "stopped");
    il_status status = write_file(r, err);
    destroy(r);
    return status;
}

const json_t *il_roster_cases(const il_roster *r) {
    return r != NULL ? r->cases : NULL;
}

/* ---- reading -------------------------------------------------------------------------------- */

json_t *il_roster_all(const char *results, json_t *troubles) {
    static const il_script_files rosters = {
        FOLDER, "roster", {"script", "path", "state", "cases"}, NULL};
    return il_script_files_all(&rosters, results, troubles);
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
    pid_t pid = (pid_t)json_integer_value(json_object_get(roster, "pid"));
    long long born = same ? born_of(pid) : UNKNOWN;
    *known = born != UNKNOWN;
    return born > 0 && born == json_integer_value(json_object_get(roster, "born"));
}
