/*
 * execute_store.c - records of cases into the store: of those that went well by the workers that
 * ran them, so that the parent of many workers only learns of it; of all others by the parent.
 */
#include "harness/lua/sweep/execute.h"

bool il_execution_store(const il_execution *e, size_t k, const char *text) {
    const char *key = e->scripted ? NULL : e->keys[k];
    bool stored = key != NULL && il_store_write(e->context->store, key, text, NULL) == IL_OK;
    if (stored) {
        il_execution_finish(e, key);
    }
    return stored;
}

il_status il_execution_keep(const il_execution *e, const char *key, const il_execution_come *r,
                            il_error *err) {
    il_store *to = e->context->store;
    if (key == NULL || !r->kept) {
        return IL_OK;
    }
    if (r->stored) {
        return il_store_wrote(to, key, err);
    }
    il_status status = r->text != NULL ? il_store_put_text(to, key, r->text, err)
                                       : il_store_put(to, key, r->record, err);
    if (status == IL_OK && json_object_get(r->record, "lost") == NULL) {
        il_execution_finish(e, key);
    }
    return status;
}
