/*
 * test_start.c - starts that overlap are refused, and the message names the worst constraint in
 * words: who, by how much, where. Expected numbers are distances worked out by hand.
 */
#include <string.h>

#include "harness/run/registry.h"
#include "tests/support/suite.h"

static const il_problem_type *find(const char *name) {
    const il_problem_type *type = NULL;
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find(name, &type, NULL), IL_OK);
    return type;
}

/* Creating type with these parameters is refused, in a message that holds all of words. */
static void expect_refusal(const il_problem_type *type, const char *const *sets,
                           const char *const *words) {
    il_params *params = NULL;
    il_problem *problem = NULL;
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_params_create(&params, type->params, &err), IL_OK);
    for (; *sets != NULL; sets += 2) {
        CU_ASSERT_EQUAL_FATAL(il_params_set_text(params, sets[0], sets[1], &err), IL_OK);
    }
    CU_ASSERT_EQUAL(il_problem_create(&problem, type, params, 0.0, &err), IL_EINVAL);
    CU_ASSERT_PTR_NULL(problem);
    for (; *words != NULL; words++) {
        CU_ASSERT_PTR_NOT_NULL(strstr(err.message, *words));
    }
    CU_ASSERT_PTR_NULL(strchr(err.message, '\n'));
    il_problem_destroy(problem);
    il_params_destroy(params);
}

typedef struct {
    const char *problem;
    const char *sets[6];
    const char *words[6];
} refusal;

/* The deepest of several overlaps is named: 0.5 before 0.2. */
static void the_worst_pair_is_named(void) {
    static const refusal cases[] = {
        {"two_spheres",
         {"q0", "0,0,0,0.8,0,0"},
         {"not feasible", "spheres 1 and 2 overlap by 0.1", "at (0, 0, 0) and (0.8, 0, 0)",
          ">= 0"}},
        {"two_spheres", {"q0", "1,1,1,1,1,1"}, {"(1, 1, 1)", "0.9"}},
        {"growing_radii",
         {"N", "4", "q0", "0,0,0,0.8,0,0,2,0,0,2.5,0,0"},
         {"spheres 3 and 4 overlap by 0.5", "at (2, 0, 0) and (2.5, 0, 0)"}},
        {"growing_radii",
         {"N", "3", "q0", "0,0,0,2,0,0,2,0,0"},
         {"not feasible", "spheres 2 and 3", "must not coincide"}},
        {"sticky",
         {"N", "4", "q0", "0,1,0.8,0.3"},
         {"bodies 3 and 4 overlap by 0.5", "at (0.8) and (0.3)"}}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        expect_refusal(find(cases[k].problem), cases[k].sets, cases[k].words);
    }
}

/* Every constraint of every problem has words of its own, whatever its number. */
static void constraints_have_names_of_their_own(void) {
    for (size_t k = 0; il_problem_type_at(k) != NULL; k++) {
        const il_problem_type *type = il_problem_type_at(k);
        il_params *params = NULL;
        il_problem *problem = NULL;
        CU_ASSERT_EQUAL_FATAL(il_params_create(&params, type->params, NULL), IL_OK);
        CU_ASSERT_EQUAL_FATAL(il_problem_create(&problem, type, params, 0.0, NULL), IL_OK);
        char first[IL_DESCRIPTION_MAX] = "";
        for (size_t id = 0; id < problem->p; id += 1 + problem->p / 7) {
            char words[IL_DESCRIPTION_MAX] = "";
            CU_ASSERT_PTR_EQUAL(il_problem_describe(problem, id, words, sizeof words), words);
            CU_ASSERT(strlen(words) > 0);
            CU_ASSERT(strcmp(words, first) != 0);
            memcpy(first, words, sizeof first);
            char small[5]; /* cut, not overrun */
            (void)il_problem_describe(problem, id, small, sizeof small);
            CU_ASSERT(memcmp(small, words, 4) == 0 && small[4] == '\0');
        }
        il_problem_destroy(problem);
        il_params_destroy(params);
    }
}

/* ---- numbers of bodies
 * --------------------------------------------------------------------------- */

static const il_test tests[] = {
    {"the worst pair is named", the_worst_pair_is_named},
    {"constraints have names of their own", constraints_have_names_of_their_own},
    {NULL, NULL}};

const il_suite il_suite_start = {"start", tests};
