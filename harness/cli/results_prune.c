/*
 * results_prune.c - `impactlab results prune`: reports what can be deleted, and deletes it with
 * --yes.
 */
#include <stdio.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/cli/results.h"
#include "harness/results/results.h"

/* "2 files, 13 kB: WHAT". */
static void print_group(const json_t *group, const char *what) {
    long long files = json_integer_value(json_object_get(group, "files"));
    double bytes = json_number_value(json_object_get(group, "bytes"));
    static const char *const units[] = {"bytes", "kB", "MB", "GB"};
    size_t k = 0;
    for (; bytes >= 1000.0 && k < 3; k++) {
        bytes /= 1000.0;
    }
    (void)printf("%6lld file%s %8.3g %-5s  %s\n", files, files == 1 ? " " : "s", bytes, units[k],
                 what);
}

static const char *words_for(const char *reason) {
    static const char *const words[][2] = {
        {"another build", "of another build, which this program does not find"},
        {"no script", "that no script that is here asks for"},
        {"damaged", "damaged, or set aside as damaged"},
        {"roster", "rosters of other builds, and of scripts that are gone"},
        {"reference", "references that no script that is here asks for"},
        {"checkpoint", "states of runs that have ended, or that no script that is here asks for"},
        {"text of a script", "texts of scripts that nothing that stays names"}};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        if (strcmp(words[k][0], reason) == 0) {
            return words[k][1];
        }
    }
    return reason;
}

static void print_words(const json_t *report) {
    size_t k = 0;
    const json_t *one = NULL;
    bool deleted = json_is_true(json_object_get(report, "deleted"));
    bool any = json_integer_value(json_object_get(report, "files")) > 0;
    print_group(json_object_get(report, "kept"), "kept");
    print_group(json_object_get(report, "beside"),
                "kept beside them: references, states of runs, texts of scripts");
    json_array_foreach(json_object_get(report, "drop"), k, one) {
        if (json_integer_value(json_object_get(one, "files")) > 0) {
            print_group(one, words_for(json_string_value(json_object_get(one, "reason"))));
        }
    }
    print_group(report, deleted ? "deleted"
                        : any   ? "can go; nothing was deleted, --yes does so"
                                : "can go");
}

il_status il_cli_results_prune(const il_cli_results *q, il_index *index, il_error *err) {
    json_t *report = NULL;
    il_status status = il_results_prune(index, q->yes, &report, err);
    if (status == IL_OK && q->json) {
        status = il_json_print(report, 0, stdout, err);
    } else if (status == IL_OK) {
        print_words(report);
    }
    json_decref(report);
    return status;
}
