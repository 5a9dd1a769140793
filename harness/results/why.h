/*
 * why.h - would a case run, and for what reason?
 */
#ifndef IL_RESULTS_WHY_H
#define IL_RESULTS_WHY_H

#include <jansson.h>

#include "harness/results/index.h"

/* Give each of cases, objects with "specification" (a key) and "name", or "unkept", its "runs"
 * (true or false), "reason" and, where there is more to say, "detail":
 *
 *     stored             no
 *     failed             a failure is a result, and not run again; one that was lost, by a limit or
 *                        a crash, is
 *     damaged            its file is, or was set aside
 *     changed source     another build, or other functions of the script, has stored the same
 *     changed parameter  stored is a case of its problem and scheme that the script asks for no
 *                        more, and that differs in at most three members: which
 *     not kept           what it depends on cannot be named, so it runs every time
 *     new                none of these
 *
 * IL_EUNSUPPORTED, IL_EIO, IL_ENOMEM. */
il_status il_results_why(il_index *index, json_t *cases, il_error *err);

/* The same for references, objects with "specification", "name" and "needed" as
 * harness/lua/why_script.h has them: "stored", "damaged", "not needed" (its cases are all stored),
 * or "new". Damaged and new ones are made again. IL_ENOMEM. */
il_status il_results_why_references(const il_index *index, json_t *references, il_error *err);

#endif
