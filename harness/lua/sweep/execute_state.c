/*
 * execute_state.c - RESULTS/checkpoints/NAME, the state of a long case of a sweep, with NAME that
 * of its stored file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/lua/sweep/execute.h"

static char *path_of(const il_execution *e, const char *key) {
    char name[IL_STORE_NAME];
    char *path = NULL;
    il_store_key_name(key, name);
    int n = asprintf(&path, "%s/checkpoints/%s", e->context->options->results, name);
    return n < 0 ? NULL : path;
}

/* In a worker: functions of the script that did what their key does not say make a run that cannot
 * be gone on with. */
static bool holds(void *self) {
    const il_execution_state *s = self;
    const il_callbacks *callbacks = s->c->problem->callbacks;
    if (s->e->scripted) {
        il_lua_identify_case(s->e->context->L, s->c);
    }
    return il_case_unnamed(s->c) == NULL &&
           (callbacks == NULL || callbacks->failure(callbacks->self) == NULL);
}

static void went(void *self, size_t step) {
    const il_execution_state *s = self;
    il_lua_tell(s->e->context, "sweep %s: %s goes on after step %zu", s->e->title, s->what, step);
}

void il_execution_remember(const il_execution *e, il_case *c, const char *what,
                           il_execution_state *s) {
    const il_lua_options *options = e->context->options;
    *s = (il_execution_state){.e = e, .c = c, .what = what};
    if (e->context->store == NULL || options->checkpoint_every <= 0.0 ||
        il_case_key(c, &s->key, NULL) != IL_OK || s->key == NULL) {
        return;
    }
    s->path = path_of(e, s->key);
    if (s->path == NULL) {
        return;
    }
    s->checkpoint = (il_checkpoint){.path = s->path,
                                    .results = options->results,
                                    .key = s->key,
                                    .every = options->checkpoint_every,
                                    .holds = holds,
                                    .went = went,
                                    .self = s};
    c->checkpoint = &s->checkpoint;
}

void il_execution_forget(il_execution_state *s) {
    free(s->path);
    free(s->key);
    s->path = s->key = NULL;
}

void il_execution_finish(const il_execution *e, const char *key) {
    char *path = e->context->store != NULL ? path_of(e, key) : NULL;
    if (path != NULL) {
        (void)unlink(path);
    }
    free(path);
}
