/*
 * fuzz_stored.c - bytes in the place of a file that was stored: a case, a journal, the manifest of
 * a figure or a table, a table's cells. Whatever they are, what reads them ends and says what it
 * could not use; cells come back as they were written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/io/sealed.h"
#include "harness/io/store/journal.h"
#include "harness/io/store/store.h"
#include "harness/report/report.h"
#include "tests/fuzz/folder.h"
#include "tests/fuzz/fuzz.h"

/* Bytes as the file folder/name. An object of JSON is sealed, as one who knows how would write it;
 * what is none stays as it is, and so do cells. */
static void put_sealed(const char *folder, const char *name, const uint8_t *data, size_t n) {
    il_bytes bytes = {data, n};
    char *text = il_bytes_text(&bytes);
    json_t *object = NULL;
    (void)il_json_parse(text, &object, NULL);
    char *sealed = json_object_size(object) > 0 ? il_sealed_text(object, 0) : NULL;
    il_fuzz_folder_put(folder, name, sealed != NULL ? sealed : (const char *)data,
                       sealed != NULL ? strlen(sealed) : n);
    free(sealed);
    json_decref(object);
    free(text);
}

/* What is found is a record of that key, or there is a note that says why not. */
static il_status try_case(const char *folder, const uint8_t *data, size_t n, il_error *err) {
    static const char key[] = "a key";
    il_store *store = NULL;
    json_t *record = NULL;
    il_error note = {IL_OK, ""};
    il_status status = il_store_open(&store, folder, err);
    char *path = status == IL_OK ? il_store_path(store, key) : NULL;
    if (path != NULL) {
        put_sealed(folder, path + strlen(folder) + 1, data, n);
        status = il_store_find(store, key, NULL, &record, &note);
        if (status == IL_EUNSUPPORTED && note.message[0] != '\0') {
            status = IL_OK; /* of a newer format, and says so */
        } else if (status == IL_OK && (record == NULL) == (note.message[0] == '\0')) {
            status = il_fail(err, IL_EINTERNAL, "a stored file %s",
                             record == NULL ? "vanishes" : "is believed and complained of");
        }
    }
    json_decref(record);
    free(path);
    il_store_close(store);
    return status;
}

/* The report is written whatever the file is, and names the file on its page or among its failures
 * if it does not show it. */
static il_status try_report(const char *folder, const char *name, const uint8_t *data, size_t n,
                            il_error *err) {
    static const char cells[] = "a,b\n1,2\n";
    static const char manifest[] = "{\"kind\": \"table\", \"name\": \"t\", \"caption\": \"c\", "
                                   "\"files\": [\"t.csv\"], \"order\": 0}\n";
    char out[2 * IL_FOLDER_ROOM];
    il_report_summary summary = {.figures = 0};
    (void)snprintf(out, sizeof out, "%s/page", folder);
    il_fuzz_folder_put(folder, "tables/t.csv", cells, sizeof cells - 1);
    put_sealed(folder, "tables/t.table.json", (const uint8_t *)manifest, sizeof manifest - 1);
    put_sealed(folder, name, data, n);
    il_error said = {IL_OK, ""};
    il_status status = il_report_write(folder, out, NULL, 0, &summary, NULL, NULL, &said);
    if (status != IL_OK && said.message[0] == '\0') {
        return il_fail(err, IL_EINTERNAL, "%s without a word", il_status_name(status));
    }
    (void)snprintf(out, sizeof out, "%s/page/index.html", folder);
    return (status == IL_OK) == (access(out, F_OK) == 0)
               ? IL_OK
               : il_fail(err, IL_EINTERNAL, "%s, and %s", said.message, "the page says otherwise");
}

static il_status one(const uint8_t *data, size_t n, il_error *err) {
    static const char *const places[] = {"outcomes/a.json", "figures/f.figure.json",
                                         "tables/t.table.json", "tables/t.csv"};
    if (n == 0) {
        return IL_OK;
    }
    uint8_t kind = data[0] % 5;
    char folder[IL_FOLDER_ROOM];
    il_fuzz_folder_open(folder);
    il_status status = kind == 4 ? try_case(folder, data + 1, n - 1, err)
                                 : try_report(folder, places[kind], data + 1, n - 1, err);
    il_fuzz_folder_empty(folder);
    return status;
}

const il_fuzz il_fuzz_stored = {
    .name = "stored",
    .text = "case files, journals, manifests and cells in a results folder",
    .one = one,
};
