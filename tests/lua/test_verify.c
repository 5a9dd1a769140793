/*
 * test_verify.c - verdicts, and that the claims can fail: schemes, projectors and records with one
 * mistake each are put in the place of the true ones, and the claims that should catch them do, and
 * no others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lua/verify.h"
#include "harness/run/record.h"
#include "schemes/stepping/linear.h"
#include "tests/support/suite.h"

/* ---- mutants -------------------------------------------------------------------------------- */

typedef struct {
    bool late;    /* constraints are taken at t_n instead of t_{n+1}: the d_t g term is lost */
    bool scaled;  /* the force mean lacks its 1/h, as in print: it is h too small */
    bool bounces; /* half of the reaction is added once more */
} mistake;

/* maury with one mistake. */
static il_status mutant_step(const mistake *wrong, il_linear *w, double t0, double t1,
                             const il_state *in, il_state *out, il_step_report *report,
                             il_error *err) {
    double h = t1 - t0;
    size_t d = w->problem->d;
    *report = (il_step_report){.force = w->f};
    il_status status = il_force_predict(w->force, t0, t1, in, w->v, w->f, err);
    if (status != IL_OK) {
        return status;
    }
    for (size_t k = 0; wrong->scaled && k < d; k++) {
        w->v[k] = in->u[k] + h * (w->v[k] - in->u[k]);
    }
    il_correction correction = {
        .t = wrong->late ? t0 : t1, .y = in->q, .q = in->q, .scale = h, .target = w->v};
    status = il_correct_solve(w->correct, &correction, out->u, report, err);
    for (size_t k = 0; status == IL_OK && k < d; k++) {
        out->u[k] += wrong->bounces ? 0.5 * (out->u[k] - w->v[k]) : 0.0;
        out->q[k] = in->q[k] + h * out->u[k];
    }
    if (status == IL_OK && w->problem->order == 1) {
        il_linear_scale_lambda(w, report, h);
    }
    return status;
}

#define MUTANT(name_, ...)                                                                         \
    static il_status name_##_step(void *self, double t0, double t1, const il_state *in,            \
                                  il_state *out, il_step_report *report, il_error *err) {          \
        static const mistake wrong = {__VA_ARGS__};                                                \
        return mutant_step(&wrong, self, t0, t1, in, out, report, err);                            \
    }                                                                                              \
    static const il_claim name_##_claims[] = {{.norm = NULL}};                                     \
    static const il_scheme_type name_ = {.name = "maury",                                          \
                                         .title = "a mutant",                                      \
                                         .statement = "maury with a mistake",                      \
                                         .source = "tests",                                        \
                                         .orders = 3u,                                             \
                                         .claims = name_##_claims,                                 \
                                         .create = il_linear_create,                               \
                                         .step = name_##_step,                                     \
                                         .destroy = il_linear_destroy}

MUTANT(faultless, .late = false);
MUTANT(late, .late = true);
MUTANT(scaled, .scaled = true);
MUTANT(bouncing, .bounces = true);

/* A projector that pushes the wrong way: x = t - s M^{-1} B' lambda. */
static const il_projector_type *true_projector(void) {
    const il_projector_type *type = NULL;
    (void)il_projector_type_find("auto", &type, NULL);
    return type;
}

static const char *pull_refuses(void *self, const il_qp *qp) {
    return true_projector()->refuses(self, qp);
}

static il_status pull_create(void **self, const il_projector_options *options, il_error *err) {
    return true_projector()->create(self, options, err);
}

static il_status pull_solve(void *self, const il_qp *qp, double *x, double *lambda,
                            il_projection_info *info) {
    il_status status = true_projector()->solve(self, qp, x, lambda, info);
    for (size_t k = 0; k < qp->d; k++) {
        x[k] = 2.0 * qp->target[k] - x[k];
    }
    return status;
}

static void pull_destroy(void *self) {
    true_projector()->destroy(self);
}

static const il_projector_type pulling = {.name = "auto",
                                          .title = "a mutant",
                                          .statement = "x = t - s M^-1 B' lambda",
                                          .source = "tests",
                                          .finite = true,
                                          .refuses = pull_refuses,
                                          .create = pull_create,
                                          .solve = pull_solve,
                                          .destroy = pull_destroy};

static void shift_momentum(il_record *record) {
    record->measure.momentum_drift += 1e-9;
}

static void shift_energy(il_record *record) {
    record->measure.energy_largest_increase += 1e-6;
}

static void hide_overlap(il_record *record) {
    record->measure.nodes_min -= 1e-9;
}

/* ---- running -------------------------------------------------------------------------------- */

/* The ids that fail among ids (ended by NULL), as "A B C", each once, in order. */
static void failing(const il_substitutes *substitutes, const char *const *ids, char *out,
                    size_t capacity) {
    il_verify_options options = {.ids = ids, .workers = 2, .substitutes = substitutes};
    json_t *report = NULL;
    il_error err = {IL_OK, ""};
    while (ids[options.nids] != NULL) {
        options.nids++;
    }
    CU_ASSERT_EQUAL_FATAL(il_verify(&options, &report, &err), IL_OK);
    const char *last = "";
    size_t k = 0;
    const json_t *row = NULL;
    out[0] = '\0';
    json_array_foreach(json_object_get(report, "claims"), k, row) {
        const char *id = json_string_value(json_object_get(row, "id"));
        const char *verdict = json_string_value(json_object_get(row, "verdict"));
        if (strcmp(verdict, "FAIL") == 0 && strcmp(id, last) != 0) {
            size_t used = strlen(out);
            (void)snprintf(out + used, capacity - used, "%s%s", used > 0 ? " " : "", id);
            last = id;
        }
    }
    json_decref(report);
}

/* Exactly the claims of caught ("M-P2 M-R9") fail among those of caught and spared. */
static void expect(const il_substitutes *substitutes, const char *caught, const char *spared) {
    char text[256];
    char found[512];
    const char *ids[16] = {NULL};
    size_t n = 0;
    (void)snprintf(text, sizeof text, "%s %s", caught, spared);
    char *rest = NULL;
    for (char *id = strtok_r(text, " ", &rest); id != NULL; id = strtok_r(NULL, " ", &rest)) {
        ids[n++] = id;
    }
    failing(substitutes, ids, found, sizeof found);
    if (strcmp(found, caught) != 0) {
        (void)printf("\nfailing: '%s', wanted '%s'\n", found, caught);
    }
    CU_ASSERT_STRING_EQUAL(found, caught);
}

/* A lost rate: nodes leave sets that move; sets that stand still, and momentum, do not notice. A
 * force without its mean: trajectories miss what it does; contact is none the worse for it. A
 * bounce: equal and opposite impulses, but too large ones. */
static void mistakes_are_caught(void) {
    static const struct {
        const il_scheme_type *schemes[2];
        const il_projector_type *projectors[2];
        void (*record)(il_record *);
        const char *caught, *spared;
    } list[] = {{.schemes = {&faultless},
                 .caught = "",
                 .spared = "BL-P2.1 M-P2 M-P4 M-R11 M-step-9 V-P3.1"},
                {.schemes = {&late}, .caught = "BL-P2.1 V-P3.1", .spared = "M-P4 M-R11 M-6.2"},
                {.schemes = {&scaled}, .caught = "M-R11 M-T1", .spared = "BL-P2.1 M-6.2"},
                {.schemes = {&bouncing}, .caught = "M-step-9 M-6.2", .spared = "M-P4 M-R11"},
                {.projectors = {&pulling}, .caught = "BL-P2.1 M-P2 M-6.2 V-P3.1", .spared = "M-R8"},
                {.record = shift_momentum, .caught = "M-P4", .spared = "BL-P2.1"},
                {.record = shift_energy, .caught = "M-R9", .spared = "M-P4"},
                {.record = hide_overlap, .caught = "BL-P2.1 V-P3.1", .spared = "M-P4"}};
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        const il_substitutes wrong = {
            .schemes = list[k].schemes[0] != NULL ? list[k].schemes : NULL,
            .projectors = list[k].projectors[0] != NULL ? list[k].projectors : NULL,
            .record = list[k].record};
        expect(&wrong, list[k].caught, list[k].spared);
    }
}

/* ---- verdicts ------------------------------------------------------------------------------- */

static json_int_t count_at(const json_t *report, const char *key) {
    return json_integer_value(json_object_get(report, key));
}

static void verdicts_follow_their_rules(void) {
    static const struct {
        const char *row, *verdict;
    } list[] = {
        {"{measured = 1, bound = 1}", "PASS"},
        {"{measured = 1.5, bound = 1}", "FAIL"},
        {"{measured = 0 / 0, bound = 1}", "FAIL"},
        {"{measured = 1, bound = 0 / 0}", "FAIL"},
        {"{measured = -math.huge, bound = math.huge}", "PASS"},
        {"{bound = 1}", "FAIL"},
        {"{measured = '0', bound = 1}", "FAIL"},
        {"{}", "FAIL"},
        {"nil", "FAIL"},
        {"3", "FAIL"},
        {"{measured = 1, bound = 1, sense = '>='}", "PASS"},
        {"{measured = 0.5, bound = 1, sense = '>='}", "FAIL"},
        {"{measured = 0 / 0, bound = 1, sense = '>='}", "FAIL"},
        {"{measured = 2, bound = 1, finding = 'why'}", "FINDING"},
        {"{measured = 1, bound = 1, finding = 'why'}", "FAIL"},
        {"{measured = 1, bound = 90, near = 10}", "EVIDENCE"},
        {"{measured = 1, bound = 9, near = 10}", "PASS"},
        {"{measured = 1, bound = 9, shows = 'why'}", "EVIDENCE"},
        {"{measured = 2, bound = 1, shows = 'why'}", "FAIL"},
        {"{measured = 2, bound = 1, near = 3}", "FAIL"},
        {"{measured = 0 / 0, bound = 1, near = 10}", "FAIL"},
        {"{measured = 0, bound = 1, near = 3}", "EVIDENCE"},
        {"{measured = -1, bound = 1, near = 3}", "EVIDENCE"},
        {"{measured = 1, bound = 1, near = 1}", "PASS"}, /* a ratio */
        {"{measured = 0.667, bound = 0.024, sense = '>=', near = 3}", "EVIDENCE"},
        {"{measured = 0.7, bound = 0.3, sense = '>=', near = 3}", "PASS"},
        {"{measured = 0 / 0, bound = 1, finding = 'why'}", "FAIL"},
        {"{not_applicable = 'why'}", "NOT APPLICABLE"},
        {"{measured = 2, bound = 1, inconclusive = 'why'}", "INCONCLUSIVE"},
        {"error('broken')", "FAIL"},
        {"case.nothing.there", "FAIL"},
        {"common.run({problem = {spec = 'sticky'}, scheme = 'nobody'}, {steps = 1})", "FAIL"}};
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        char text[512];
        json_t *report = NULL;
        il_error err = {IL_OK, ""};
        (void)snprintf(text, sizeof text,
                       "local common = ... require('impactlab').claim{id = 'X', source = 's', "
                       "statement = 't', cases = {{}}, check = function(case) return %s end}",
                       list[k].row);
        il_verify_options options = {.claims = text};
        CU_ASSERT_EQUAL_FATAL(il_verify(&options, &report, &err), IL_OK);
        const json_t *row = json_array_get(json_object_get(report, "claims"), 0);
        const char *verdict = json_string_value(json_object_get(row, "verdict"));
        CU_ASSERT_STRING_EQUAL(verdict, list[k].verdict);
        CU_ASSERT_EQUAL(json_integer_value(json_object_get(report, "checked")), 1);
        CU_ASSERT_EQUAL(json_integer_value(json_object_get(report, "failed")),
                        strcmp(verdict, "FAIL") == 0);
        json_decref(report);
    }
}

/* ---- controls ------------------------------------------------------------------------------- */

static json_t *controls_of(const char *claims, size_t nids, const char *const *ids) {
    il_verify_options options = {.claims = claims, .nids = nids, .ids = ids, .workers = 2};
    json_t *report = NULL;
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_verify_controls(&options, &report, &err), IL_OK);
    return report;
}

/* One control that works, one that the claim does not notice, one that breaks down, one that does
 * not apply, one that is infinite; and a claim without any. */
static void controls_that_are_missed_are_seen(void) {
    static const char claims[] =
        "local common = ... local lab = require 'impactlab' "
        "lab.claim{id = 'X', source = 's', statement = 't', cases = {{x = 1}, {x = 2}}, "
        "controls = {{what = 'large', x = 3}, {what = 'kept', y = 3}, {what = 'broken', x = {}}, "
        "{what = 'elsewhere', no = 'why'}, {what = 'infinite', case = 2, x = math.huge}}, "
        "check = function(case) return {measured = case.x + 0, bound = 2, "
        "not_applicable = case.no} end} "
        "lab.claim{id = 'Y', source = 's', statement = 't', cases = {{}}, check = print}";
    static const char *const verdicts[] = {"caught", "MISSED", "MISSED", "MISSED", "caught"};
    json_t *report = controls_of(claims, 0, NULL);
    const json_t *list = json_object_get(report, "controls");
    CU_ASSERT_EQUAL_FATAL(json_array_size(list), 5);
    for (size_t k = 0; k < 5; k++) {
        const json_t *row = json_array_get(list, k);
        CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(row, "verdict")), verdicts[k]);
        CU_ASSERT_PTR_NULL(json_object_get(row, "by_number"));
    }
    static const char *const reasons[] = {"the claim does not notice", "the check broke down"};
    for (size_t k = 0; k < 2; k++) {
        const json_t *reason = json_object_get(json_array_get(list, k + 1), "reason");
        CU_ASSERT_PTR_NOT_NULL(strstr(json_string_value(reason), reasons[k]));
    }
    CU_ASSERT_EQUAL(count_at(report, "caught"), 2);
    CU_ASSERT_EQUAL(count_at(report, "missed"), 3);
    const json_t *bare = json_object_get(report, "uncontrolled");
    CU_ASSERT_EQUAL(json_array_size(bare), 1);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_array_get(bare, 0)), "Y");
    json_decref(report);
}

static void every_claim_has_a_control(void) {
    json_t *list = NULL;
    size_t k = 0;
    const json_t *claim = NULL;
    CU_ASSERT_EQUAL_FATAL(il_verify_list(&list, NULL), IL_OK);
    json_array_foreach(list, k, claim) {
        CU_ASSERT(count_at(claim, "controls") >= 1);
    }
    json_decref(list);
}

/* Springs of fixed stiffness do not converge, multipliers act on their contact, constants that are
 * attained may not be a tenth off, what is known not to hold is not credited where it does. The
 * others run with `make controls`, as do those of M-T1, which are of the same kinds as BL-T1.3's
 * and take twice as long. */
static void controls_are_caught(void) {
    static const char *const ids[] = {"BL-T1.3", "BL-P2.8", "M-P5",    "BL-(2.1)", "BL-P2.6",
                                      "AT-L4.5", "A0-A6",   "A1-A4",   "M-R8",     "AT-T4.1",
                                      "V-P4.5",  "V-P4.2",  "V-R4.10", "MJ-limit"};
    json_t *report = controls_of(NULL, sizeof ids / sizeof ids[0], ids);
    CU_ASSERT(count_at(report, "checked") >= 25);
    CU_ASSERT_EQUAL(count_at(report, "missed"), 0);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(report, "uncontrolled")), 0);
    json_decref(report);
}

/* A scheme whose positions are all 1e-2 off agrees with itself, however fine, and not with another:
 * why the references of V-T3.4 are runs of a scheme that projects onto another set. Its own control
 * is that mistake, and is missed where OTHER names the scheme itself. */
static void no_scheme_is_judged_by_itself(void) {
    static const char *const other[] = {"venel", "catching_up"};
    for (size_t k = 0; k < 2; k++) {
        char text[1024];
        json_t *report = NULL;
        (void)snprintf(
            text, sizeof text,
            "local common = ... require('impactlab').claim{id = 'X', source = 's', "
            "statement = 't', cases = {{key = 'crowd', scheme = 'venel', bend = function(run) "
            "if run.scheme == 'venel' then for _, sample in ipairs(run.samples) do "
            "sample.q[1] = sample.q[1] + 1e-1 end end end, problem = {spec = {'crowd', N = 3}}}}, "
            "check = function(case) return common.agrees(case, '%s', 16001, 64) end}",
            other[k]);
        il_verify_options options = {.claims = text};
        CU_ASSERT_EQUAL_FATAL(il_verify(&options, &report, NULL), IL_OK);
        const json_t *row = json_array_get(json_object_get(report, "claims"), 0);
        /* by itself it is not refuted (h - 1/16001 may be a floor of the other sign), by another
         * it is */
        bool fails = strcmp(json_string_value(json_object_get(row, "verdict")), "FAIL") == 0;
        CU_ASSERT_EQUAL(fails, k == 1);
        json_decref(report);
    }
    const char *const id = "V-T3.4";
    json_t *report = controls_of(NULL, 1, &id);
    CU_ASSERT_EQUAL(count_at(report, "caught"), 2);
    CU_ASSERT_EQUAL(count_at(report, "missed"), 0);
    json_decref(report);
}

/* Every row of the list of claims that the papers make. */
static void no_claim_is_missing(void) {
    static const char *const ids[] = {
        "M-P1",     "M-R8",       "M-P2",    "M-P3",    "M-R9",     "M-P4",    "M-R10",
        "M-R11",    "M-L1",       "M-P5",    "M-T1",    "BL-T1.3",  "AT-T4.1", "V-T3.4",
        "M-6.1",    "M-6.2",      "BL-P2.1", "V-P3.1",  "BL-(2.1)", "BL-P2.3", "BL-P2.4",
        "AT-P4.2",  "AT-P4.3",    "BL-P2.6", "AT-L4.5", "BL-P2.8",  "BL-P2.9", "M-step-9",
        "AT-P4.5",  "BL-initial", "AT-L4.2", "AT-P3.1", "V-P2.9",   "AT-P3.2", "V-P2.11",
        "A0-A6",    "A1-A4",      "V-P4.2",  "V-P4.5",  "V-R4.10",  "V-L3.2",  "MJ-limit",
        "CU-bound", "CU-order",   "BV-2013"};
    json_t *list = NULL;
    CU_ASSERT_EQUAL_FATAL(il_verify_list(&list, NULL), IL_OK);
    for (size_t k = 0; k < sizeof ids / sizeof ids[0]; k++) {
        size_t i = 0;
        const json_t *claim = NULL;
        bool found = false;
        json_array_foreach(list, i, claim) {
            found |= strcmp(json_string_value(json_object_get(claim, "id")), ids[k]) == 0 &&
                     json_integer_value(json_object_get(claim, "checks")) > 0;
        }
        CU_ASSERT(found);
    }
    json_decref(list);
}

static const il_test tests[] = {
    {"verdicts follow their rules", verdicts_follow_their_rules},
    {"controls that are missed are seen", controls_that_are_missed_are_seen},
    {"every claim has a control", every_claim_has_a_control},
    {"controls are caught", controls_are_caught},
    {"no scheme is judged by itself", no_scheme_is_judged_by_itself},
    {"no claim is missing", no_claim_is_missing},
    {"schemes, projectors and records with a mistake are caught", mistakes_are_caught},
    {NULL, NULL}};
const il_suite il_suite_verify = {"verify", tests};
