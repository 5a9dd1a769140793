/*
 * call_path.c - by the unwinder: Debian's libraries keep no frame pointers, but tables for it.
 */
#include "tests/support/call_path.h"

#include <dlfcn.h>
#include <stddef.h>
#include <unwind.h>

enum { DEPTH = 96 };

typedef struct {
    uintptr_t met[DEPTH];
    size_t n;
    uint64_t hash;
} walk;

static _Unwind_Reason_Code meet(struct _Unwind_Context *context, void *argument) {
    walk *w = argument;
    uintptr_t at = _Unwind_GetIP(context);
    struct dl_find_object module;
    for (size_t k = 0; k < w->n; k++) {
        if (w->met[k] == at) {
            return _URC_NO_REASON;
        }
    }
    w->met[w->n++] = at;
    if (_dl_find_object((void *)at, &module) == 0) { /* NOLINT(performance-no-int-to-ptr) */
        at -= (uintptr_t)module.dlfo_map_start;
    }
    w->hash = (w->hash ^ at) * 0x100000001b3u; /* FNV-1a, by words */
    w->hash ^= w->hash >> 29;
    return w->n < DEPTH ? _URC_NO_REASON : _URC_END_OF_STACK;
}

uint64_t il_call_path(void) {
    walk w = {.hash = 0xcbf29ce484222325u};
    (void)_Unwind_Backtrace(meet, &w);
    return w.hash;
}
