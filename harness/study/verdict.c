/*
 * verdict.c - the verdict of a measured number against its bound.
 */
#include "harness/study/verdict.h"

#include <math.h>
#include <stdio.h>

const char *il_check_word(il_check_verdict verdict) {
#define WORD(code, word, key) word,
    static const char *const words[] = {IL_CHECK_LIST(WORD)};
#undef WORD
    return verdict < IL_CHECK_COUNT ? words[verdict] : "FAIL";
}

const char *il_check_key(il_check_verdict verdict) {
#define KEY(code, word, key) key,
    static const char *const keys[] = {IL_CHECK_LIST(KEY)};
#undef KEY
    return verdict < IL_CHECK_COUNT ? keys[verdict] : "failed";
}

/* How many times the bound is away from what was measured, both of one sign; infinite where one of
 * them is 0 or they are of different signs. */
static double distance(const il_check *check) {
    double ratio = check->above ? check->measured / check->bound : check->bound / check->measured;
    return ratio > 0.0 ? ratio : INFINITY;
}

static void say(il_checked *out, il_check_verdict verdict, const char *reason) {
    out->verdict = verdict;
    out->reason = reason;
}

void il_check_judge(const il_check *check, il_checked *out) {
    bool holds = check->above ? check->measured >= check->bound : check->measured <= check->bound;
    out->own[0] = '\0';
    if (check->not_applicable != NULL) {
        say(out, IL_CHECK_NOT_APPLICABLE, check->not_applicable);
    } else if (check->inconclusive != NULL) {
        say(out, IL_CHECK_INCONCLUSIVE, check->inconclusive);
    } else if (check->finding != NULL && !isnan(check->measured)) {
        say(out, holds ? IL_CHECK_FAIL : IL_CHECK_FINDING,
            holds ? "this is known not to hold, and now it does" : check->finding);
    } else if (!holds) {
        say(out, IL_CHECK_FAIL, NULL);
    } else if (check->shows != NULL) {
        say(out, IL_CHECK_EVIDENCE, check->shows);
    } else if (check->near > 0.0 && !(distance(check) <= check->near)) {
        (void)snprintf(out->own, sizeof out->own,
                       "the bound is %.2g times away: nothing here comes near it", distance(check));
        say(out, IL_CHECK_EVIDENCE, out->own);
    } else {
        say(out, IL_CHECK_PASS, NULL);
    }
}
