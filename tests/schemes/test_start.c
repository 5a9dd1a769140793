/*
 * test_start.c - starts that overlap are refused, and the message names the worst constraint in
 * words: who, by how much, where. Expected numbers are distances worked out by hand.
 */
#include <math.h>
#include <string.h>
#include <sys/resource.h>

#include "harness/base/memory.h"
#include "problems/spheres/spheres.h"
#include "tests/support/allocation.h"
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

/* Of several overlaps the deepest is named: 0.5 before 0.2. */
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

/* ---- starts that no parameter spoils: a body is moved after the problem has made them -------- */

static const il_problem_type *spoilt;
static void (*spoil)(il_spheres *w);

static il_status create_spoilt(il_problem *self, il_params *params, il_error *err) {
    il_status status = spoilt->create(self, params, err);
    if (status == IL_OK) {
        spoil(self->data);
    }
    return status;
}

static void expect_spoilt(const char *name, const char *N, void (*how)(il_spheres *w),
                          const char *const *words) {
    const char *const sets[] = {"N", N, "space", "2", NULL};
    spoilt = find(name);
    spoil = how;
    il_problem_type type = *spoilt;
    type.create = create_spoilt;
    expect_refusal(&type, sets, words);
}

/* Disc 6 comes within 0.004 of disc 3: radii are 0.015 within 20 %. */
static void onto_the_third(il_spheres *w) {
    w->q0[2 * 5] = w->q0[2 * 2];
    w->q0[2 * 5 + 1] = w->q0[2 * 2 + 1] + 0.004;
}

static void into_the_floor(il_spheres *w) {
    w->q0[2 * 4 + 1] = -0.25;
    w->q0[2 * 4] = 0.0;
}

/* The box is 0.33 wide. */
static void through_the_wall(il_spheres *w) {
    w->q0[2 * 8] = 0.175;
}

static void crowds_name_discs_and_walls(void) {
    expect_spoilt("impact", "20", onto_the_third, (const char *const[]){"discs 3 and 6", NULL});
    expect_spoilt(
        "impact", "20", into_the_floor,
        (const char *const[]){"disc 5 and the floor overlap by 0.2", "at (0, -0.25)", NULL});
    expect_spoilt(
        "pile", "9", into_the_floor,
        (const char *const[]){"disc 5 and the floor overlap by 0.", "at (0, -0.25)", NULL});
    expect_spoilt(
        "pile", "9", through_the_wall,
        (const char *const[]){"disc 9 and the right wall overlap by ", "at (0.175, ", NULL});
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

static void more_than_memory_holds_is_refused(void) {
    static const char *const most[][3] = {
        {"impact", "N", "50000000"}, {"pile", "N", "50000000"}, {"crystal", "rows", "4000"}};
    /* crystal is a wedge of 8 million discs then */
    bool small = il_spheres_afford(2, 8000000, NULL) != IL_OK;
    for (size_t k = 0; small && k < 3; k++) {
        expect_refusal(find(most[k][0]), (const char *const[]){most[k][1], most[k][2], NULL},
                       (const char *const[]){"GB", "at most", NULL});
    }
}

static const il_test tests[] = {
    {"the worst pair is named", the_worst_pair_is_named},
    {"crowds name discs and walls", crowds_name_discs_and_walls},
    {"constraints have names of their own", constraints_have_names_of_their_own},
    {"more than memory holds is refused", more_than_memory_holds_is_refused},
    {NULL, NULL}};

const il_suite il_suite_start = {"start", tests};
