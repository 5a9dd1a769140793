/*
 * journal.h - how a script ended, in a file that exists from the script's beginning on.
 *
 * RESULTS/outcomes/NAME-HASH.json belongs to a script NAME.lua; the hash is of its path and
 * arguments. It is written as "unfinished" when the script begins, again at every failure, and
 * completed at the end: so a script that was killed is known as such, with what it had found until
 * then. Nothing in it depends on the machine, the date or the time taken:
 *
 *     {"format": 1, "sha256": SUM, "kind": "outcome", "script": PATH,
 *      "arguments": [TEXT, ...], "build": HASH,
 *      "ending": "ok" | "failed" | "error" | "interrupted" | "missing" | "unfinished",
 *      "reason": TEXT, "traceback": TEXT, "counts": {"checks": [failed, all], ...},
 *      "failures": [{"kind": "check" | ..., "place": "FILE:LINE", "text": TEXT}, ...],
 *      "judged": [{"kind": "order" | "limits" | "finding", "verdict": "PASS" | ...,
 *                  "text": TEXT, of an order: "sweep", "problem", "scheme", "norm", "order"}, ...]}
 */
#ifndef IL_JOURNAL_H
#define IL_JOURNAL_H

#include <jansson.h>
#include <stddef.h>

#include "harness/base/status.h"

typedef struct il_journal il_journal;

/* Begin the journal of script (its path), called with args[nargs], of the program `build` in the
 * folder results, which exists, and write it as unfinished. IL_EIO. The creator closes. */
il_status il_journal_open(il_journal **out, const char *results, const char *script,
                          const char *const *args, size_t nargs, const char *build, il_error *err);

/* Record a failure of a kind ("check", "case", "run", "order", "error") at place ("FILE:LINE"; NULL
 * or "" where there is none). Errors are reported by il_journal_close. NULL is a journal that keeps
 * nothing. */
void il_journal_note(il_journal *journal, const char *kind, const char *place, const char *text);

/* Record a verdict on a kind of thing ("order", "limits", ...), with a sentence; repeated ones are
 * recorded once. NULL as above. */
void il_journal_judge(il_journal *journal, const char *kind, const char *verdict, const char *text);

/* The same of an order of convergence, with what it is of: the sweep's name, problem, scheme, norm;
 * order is NaN where there is none. */
typedef struct {
    const char *sweep, *problem, *scheme, *norm;
    double order;
} il_journal_order;

void il_journal_judge_order(il_journal *journal, const il_journal_order *order, const char *verdict,
                            const char *text);

/* The list of what was judged, borrowed; NULL of a journal that keeps nothing. */
json_t *il_journal_judged(const il_journal *journal);

/* How many of all `what` ("checks", ...) failed. */
void il_journal_count(il_journal *journal, const char *what, size_t failed, size_t all);

/* The end: how it came ("ok", ...), why where that is not said elsewhere ("" or NULL without) and
 * the traceback of an error (NULL without). Writes the file and frees the journal. IL_EIO.
 * NULL is fine. */
il_status il_journal_close(il_journal *journal, const char *ending, const char *reason,
                           const char *traceback, il_error *err);

/* All journals of a results folder, an array in the order of their names; empty where there are
 * none. A file that is damaged or no journal is a sentence more in the array troubles (may be
 * NULL). The caller decrefs. */
json_t *il_journal_all(const char *results, json_t *troubles);

/* The journal of a call of the script at this path with these arguments, an array of texts, among
 * all; borrowed. NULL if it has none. */
json_t *il_journal_find(const json_t *all, const char *script, const json_t *arguments);

#endif
