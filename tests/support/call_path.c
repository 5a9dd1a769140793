/*
 * call_path.c - by the unwinder: Debian's libraries keep no frame pointers, but tables for it.
 */
#include "tests/support/call_path.h"

#include <dlfcn.h>
#include <stddef.h>
#include <unwind.h>

enum { DEPTH = 128 };

typedef struct {
    uintptr_t met[DEPTH]; /* the innermost first */
    size_t n;
} walk;

/* A place that was met before closes a loop, which is erased. */
static _Unwind_Reason_Code meet(struct _Unwind_Context *context, void *argument) {
    walk *w = argument;
    uintptr_t at = _Unwind_GetIP(context);
    for (size_t k = 0; k < w->n; k++) {
        if (w->met[k] == at) {
            w->n = k + 1;
            return _URC_NO_REASON;
        }
    }
    w->met[w->n++] = at;
    return w->n < DEPTH ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* Where at stands in its module, which may be loaded anywhere. */
static uintptr_t relative(uintptr_t at) {
    struct dl_find_object module;
    void *place = (void *)at; /* NOLINT(performance-no-int-to-ptr) */
    return _dl_find_object(place, &module) == 0 ? at - (uintptr_t)module.dlfo_map_start : at;
}

uint64_t il_call_path(void) {
    walk w = {.n = 0};
    uint64_t hash = 0xcbf29ce484222325u;
    (void)_Unwind_Backtrace(meet, &w);
    for (size_t k = 0; k < w.n; k++) {
        hash = (hash ^ relative(w.met[k])) * 0x100000001b3u; /* FNV-1a, by words */
        hash ^= hash >> 29;
    }
    return hash;
}
