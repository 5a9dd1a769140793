/*
 * verdict.h - the verdict of a check: a measured number and a bound give one word.
 */
#ifndef IL_VERDICT_H
#define IL_VERDICT_H

#include <stdbool.h>

/* Code, word, key of its count in reports. */
#define IL_CHECK_LIST(X)                                                                           \
    X(IL_CHECK_PASS, "PASS", "passed")                                                             \
    X(IL_CHECK_FAIL, "FAIL", "failed")                                                             \
    X(IL_CHECK_FINDING, "FINDING", "findings")                                                     \
    X(IL_CHECK_EVIDENCE, "EVIDENCE", "evidence")                                                   \
    X(IL_CHECK_NOT_APPLICABLE, "NOT APPLICABLE", "not_applicable")                                 \
    X(IL_CHECK_INCONCLUSIVE, "INCONCLUSIVE", "inconclusive")

#define IL_CHECK_ENUM(code, word, key) code,
typedef enum { IL_CHECK_LIST(IL_CHECK_ENUM) IL_CHECK_COUNT } il_check_verdict;
#undef IL_CHECK_ENUM

/* "NOT APPLICABLE", "not_applicable". Never NULL. */
const char *il_check_word(il_check_verdict verdict);
const char *il_check_key(il_check_verdict verdict);

/* One row. Texts are the caller's; NULL where they do not apply. */
typedef struct {
    double measured, bound;     /* any unit, the same */
    bool above;                 /* measured >= bound is claimed; else measured <= bound */
    double near;                /* > 0: the bound must be within this factor of what was measured to
                                   be tested by it; farther away it is EVIDENCE */
    const char *shows;          /* why holding proves nothing: EVIDENCE at best */
    const char *finding;        /* the inequality is known not to hold; why */
    const char *not_applicable; /* which hypothesis fails */
    const char *inconclusive;   /* why the number decides nothing */
} il_check;

enum { IL_CHECK_REASON_MAX = 256 };

typedef struct {
    il_check_verdict verdict;
    const char *reason;            /* one of the check's texts, own, static text, or NULL */
    char own[IL_CHECK_REASON_MAX]; /* room for a reason with numbers */
} il_checked;

/* The first that applies: NOT APPLICABLE; INCONCLUSIVE; a finding is FINDING while the inequality
 * does not hold and FAIL when it does; FAIL if it does not hold, as with any NaN; EVIDENCE if
 * nothing is proved by holding; PASS. out->reason may point into out. */
void il_check_judge(const il_check *check, il_checked *out);

#endif
