/*
 * test_cli.c - what the program prints and writes, read back by libraries that had no part in it.
 *
 * Expected states come from closed forms or from the same run made in this process.
 */
#include <float.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/run/run.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"

enum { PATH_ROOM = 512 };

/* ---- the record ----------------------------------------------------------------------------- */

/* A letter a kind: s string, i integer, n number, o object, a array, 0 null, * number or null. */
static const struct {
    const char *path;
    char kind;
} fields[] = {{"problem", 's'},
              {"scheme", 's'},
              {"projector", 's'},
              {"order", 'i'},
              {"dimension", 'i'},
              {"steps", 'i'},
              {"h", 'n'},
              {"horizon", 'n'},
              {"parameters", 'o'},
              {"seed", '*'},
              {"version", 's'},
              {"status", 's'},
              {"message", 's'},
              {"final.t", 'n'},
              {"final.q", 'a'},
              {"final.u", 'a'},
              {"samples", 'a'},
              {"error.reference", 's'},
              {"error.q_Linf", 'n'},
              {"error.u_L1", 'n'},
              {"error.final_q", 'n'},
              {"error.final_u", 'n'},
              {"feasibility.nodes_min", 'n'},
              {"feasibility.between_min", 'n'},
              {"energy.initial", 'n'},
              {"energy.final", 'n'},
              {"energy.largest_increase", 'n'},
              {"energy.balance.final", 'n'},
              {"energy.balance.largest", 'n'},
              {"energy.balance.largest_step", 'n'},
              {"energy.impacts.gained_most", '*'},
              {"momentum.largest_drift", '*'},
              {"total_variation", 'n'},
              {"certificate.primal", 'n'},
              {"certificate.dual", 'n'},
              {"certificate.complementarity", 'n'},
              {"certificate.stationarity", 'n'},
              {"prox_regularity.share_max", 'n'},
              {"prox_regularity.steps_beyond", 'i'},
              {"prox_regularity.steps_unknown", 'i'},
              {"work.steps", 'i'},
              {"work.projector_iterations", 'i'},
              {"work.factorisations", 'i'},
              {"work.analyses", 'i'},
              {"work.scans", 'i'},
              {"work.rows_offered", 'i'},
              {"work.rows_solved", 'i'},
              {"work.seconds", 'n'},
              {"contacts.active_max", 'i'},
              {"contacts.impulse_total", 'n'}};

static bool is_kind(const json_t *value, char kind) {
    switch (kind) {
    case 's':
        return json_is_string(value);
    case 'i':
        return json_is_integer(value);
    case 'n':
        return json_is_number(value);
    case 'o':
        return json_is_object(value);
    case 'a':
        return json_is_array(value);
    case '0':
        return json_is_null(value);
    default:
        return json_is_number(value) || json_is_null(value);
    }
}

static void every_field_is_there(void) {
    static const char *const lines[] = {
        "run --problem sticky --scheme maury --steps 6 --set N=4 --sample 1,2 --json",
        "run --problem sticky --scheme paoli --steps 6 --set N=4 --json",
        "run --problem bouncing_ball --scheme paoli --steps 6 --set e=0.5 --json",
        "run --problem two_spheres --scheme venel --steps 16 --json",
        "run --problem nonuniqueness --scheme maury --steps 16 --projector uzawa --json"};
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        json_t *object = il_program_object(lines[k]);
        for (size_t j = 0; j < sizeof fields / sizeof fields[0]; j++) {
            bool good = is_kind(il_json_at(object, fields[j].path), fields[j].kind);
            if (!good) {
                (void)fprintf(stderr, "\n%s: field %s\n", lines[k], fields[j].path);
            }
            CU_ASSERT(good);
        }
        size_t d = (size_t)il_json_number_at(object, "dimension");
        CU_ASSERT_EQUAL(json_array_size(il_json_at(object, "final.q")), d);
        CU_ASSERT_EQUAL(json_array_size(il_json_at(object, "final.u")), d);
        CU_ASSERT_STRING_EQUAL(il_json_text_at(object, "status"), "ok");
        json_decref(object);
    }
}

static void parameters_are_recorded(void) {
    json_t *object = il_program_object("run --problem sticky --scheme maury --steps 6 --set N=3 "
                                       "--set masses=1,2,3 --seed 11 --json");
    CU_ASSERT(il_json_number_at(object, "parameters.N") == 3.0);
    CU_ASSERT(il_json_number_at(object, "seed") == 11.0);
    for (size_t k = 0; k < 3; k++) {
        CU_ASSERT(il_json_element_at(object, "parameters.masses", k) == (double)k + 1.0);
        CU_ASSERT(fabs(il_json_element_at(object, "parameters.u0", k)) <=
                  1.0); /* drawn, and written back */
        CU_ASSERT(il_json_element_at(object, "parameters.q0", k) == 0.5 * (double)k);
    }
    json_decref(object);
    object = il_program_object("run --problem two_spheres --scheme maury --steps 6 --json");
    CU_ASSERT_STRING_EQUAL(il_json_text_at(object, "parameters.scenario"), "free");
    json_decref(object);
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* `run --problem sticky --scheme maury --steps STEPS --seed 5`, made in this process. */
static void run_here(il_record *record, il_params **params, size_t steps) {
    il_run_spec spec = {.steps = steps};
    CU_ASSERT_EQUAL_FATAL(il_problem_type_find("sticky", &spec.problem, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find("maury", &spec.scheme, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_create(params, spec.problem->params, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_params_set_text(*params, "seed", "5", NULL), IL_OK);
    spec.params = *params;
    CU_ASSERT_EQUAL_FATAL(il_run(&spec, record, NULL, NULL), IL_OK);
}

static void numbers_round_trip(void) {
    il_record record = {0};
    il_params *params = NULL;
    run_here(&record, &params, 7);
    json_t *object =
        il_program_object("run --problem sticky --scheme maury --steps 7 --seed 5 --json");
    CU_ASSERT_EQUAL_FATAL(json_array_size(il_json_at(object, "final.q")), record.d);
    for (size_t k = 0; k < record.d; k++) {
        CU_ASSERT(il_json_element_at(object, "final.q", k) == record.q[k]);
        CU_ASSERT(il_json_element_at(object, "final.u", k) == record.u[k]);
    }
    CU_ASSERT(il_json_number_at(object, "h") == 3.0 / 7.0);
    CU_ASSERT(il_json_number_at(object, "total_variation") == record.measure.total_variation);
    json_decref(object);
    il_record_free(&record);
    il_params_destroy(params);
}

/* ---- steps and samples ---------------------------------------------------------------------- */

static void steps_alone_divide_the_horizon(void) {
    json_t *object =
        il_program_object("run --problem bouncing_ball --scheme maury --steps 7 --json");
    CU_ASSERT(il_json_number_at(object, "h") == 2.0 / 7.0);
    CU_ASSERT(il_json_number_at(object, "final.t") == 2.0);
    CU_ASSERT(il_json_number_at(object, "horizon") == 2.0);
    json_decref(object);
    object = il_program_object(
        "run --problem bouncing_ball --scheme maury --steps 7 --horizon 3 --json");
    CU_ASSERT(il_json_number_at(object, "final.t") == 3.0);
    json_decref(object);
}

static void h_alone_stops_at_the_last_whole_step(void) {
    json_t *object = il_program_object("run --problem bouncing_ball --scheme maury --h 0.3 --json");
    CU_ASSERT(il_json_number_at(object, "steps") == 6.0); /* 2 / 0.3 = 6.67 */
    CU_ASSERT(il_json_number_at(object, "h") == 0.3);
    CU_ASSERT(il_json_number_at(object, "final.t") == 6.0 * 0.3);
    CU_ASSERT(il_json_number_at(object, "horizon") == 6.0 * 0.3);
    json_decref(object);
    /* 0.3 / 0.1 is 2.9999999999999996 in double precision: three steps all the same. */
    object = il_program_object(
        "run --problem bouncing_ball --scheme maury --h 0.1 --horizon 0.3 --json");
    CU_ASSERT(il_json_number_at(object, "steps") == 3.0);
    json_decref(object);
    int status = -1;
    char *text = il_program_output("run --problem bouncing_ball --scheme maury --h 0.3", &status);
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "t = 1.8"));
    free(text);
}

static void both_make_so_many_steps_of_h(void) {
    json_t *object =
        il_program_object("run --problem bouncing_ball --scheme maury --steps 5 --h 0.1 "
                          "--json");
    CU_ASSERT(il_json_number_at(object, "steps") == 5.0 && il_json_number_at(object, "h") == 0.1);
    CU_ASSERT(il_json_number_at(object, "final.t") == 0.5);
    json_decref(object);
    object =
        il_program_object("run --problem bouncing_ball --scheme maury --steps 50 --h 0.1 --json");
    CU_ASSERT(il_json_number_at(object, "final.t") == 5.0); /* past the problem's own horizon, 2 */
    json_decref(object);
}

/* Free fall from 1 with h = 1/32: u_n = -g n h and q_n = 1 - g h^2 n (n+1)/2, until the ground at
 * t = 0.4515. Each of the n < 16 steps adds roundings of numbers below 5. */
static const double FALL = 16.0 * 3.0 * 5.0 * DBL_EPSILON;

static void samples_are_affine_and_left_continuous(void) {
    const double g = 9.81;
    const double h = 0.03125;
    json_t *object = il_program_object("run --problem bouncing_ball --scheme maury --steps 64 "
                                       "--sample 0,0.25,0.265625,0.03125,2 --json");
    json_t *samples = il_json_at(object, "samples");
    CU_ASSERT_EQUAL_FATAL(json_array_size(samples), 5);
    json_t *start = json_array_get(samples, 0);
    CU_ASSERT(il_json_number_at(start, "t") == 0.0 && il_json_element_at(start, "q", 0) == 1.0);
    CU_ASSERT(il_json_element_at(start, "u", 0) == 0.0);
    json_t *node = json_array_get(samples, 1); /* t_8: the step that ends there */
    CU_ASSERT(il_json_number_at(node, "t") == 0.25);
    CU_ASSERT(fabs(il_json_element_at(node, "u", 0) + g * 8.0 * h) <= FALL);
    CU_ASSERT(fabs(il_json_element_at(node, "q", 0) - (1.0 - g * h * h * 36.0)) <= FALL);
    json_t *middle = json_array_get(samples, 2); /* half way from t_8 to t_9 */
    CU_ASSERT(fabs(il_json_element_at(middle, "u", 0) + g * 9.0 * h) <= FALL);
    CU_ASSERT(fabs(il_json_element_at(middle, "q", 0) - (1.0 - g * h * h * 0.5 * (36.0 + 45.0))) <=
              FALL);
    json_t *first = json_array_get(samples, 3);
    CU_ASSERT(fabs(il_json_element_at(first, "u", 0) + g * h) <= FALL);
    json_t *last = json_array_get(samples, 4);
    CU_ASSERT(il_json_element_at(last, "q", 0) == il_json_element_at(object, "final.q", 0));
    CU_ASSERT(il_json_element_at(last, "u", 0) == il_json_element_at(object, "final.u", 0));
    json_decref(object);
}

/* ---- trajectories --------------------------------------------------------------------------- */

enum { STEPS = 9, BODIES = 3, NODES = STEPS + 1 };

static json_t *run_with_trajectory(char *folder, char *path, const char *name) {
    char line[PATH_ROOM];
    (void)snprintf(folder, PATH_ROOM, "/tmp/impactlab-test-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    CU_ASSERT_FATAL(snprintf(path, PATH_ROOM, "%s/%s", folder, name) < PATH_ROOM);
    CU_ASSERT_FATAL(snprintf(line, sizeof line,
                             "run --problem sticky --scheme maury --steps %d --set N=%d --seed 2 "
                             "--json --trajectory %s",
                             STEPS, BODIES, path) < (int)sizeof line);
    return il_program_object(line);
}

static void check_nodes(json_t *object, const double *t, const double *q, const double *u) {
    const double h = 3.0 / STEPS;
    for (size_t n = 0; n < NODES; n++) {
        CU_ASSERT(n == STEPS ? t[n] == 3.0 : t[n] == (double)n * h);
        for (size_t k = 0; n > 0 && k < BODIES; k++) {
            double moved = q[n * BODIES + k] - q[(n - 1) * BODIES + k];
            /* q_{n+1} = q_n + h u_{n+1}: three roundings of numbers below 4 */
            CU_ASSERT(fabs(moved - h * u[n * BODIES + k]) <= 3.0 * 4.0 * DBL_EPSILON);
        }
    }
    for (size_t k = 0; k < BODIES; k++) {
        CU_ASSERT(q[k] == il_json_element_at(object, "parameters.q0", k));
        CU_ASSERT(u[k] == il_json_element_at(object, "parameters.u0", k));
        CU_ASSERT(q[STEPS * BODIES + k] == il_json_element_at(object, "final.q", k));
        CU_ASSERT(u[STEPS * BODIES + k] == il_json_element_at(object, "final.u", k));
    }
}

/* Each body's velocity changes by the impulses of its two contacts alone (unit masses, no force):
 * u_{n+1}[k] - u_n[k] = i_{k-1} - i_k, where contact k pushes body k back and k + 1 forward. */
static void check_impulses(hid_t file, const double *u) {
    hsize_t count = 0;
    CU_ASSERT_FATAL(H5LTget_dataset_info(file, "contacts/impulse", &count, NULL, NULL) >= 0);
    CU_ASSERT(count > 0);
    unsigned long long step[STEPS * BODIES];
    unsigned long long id[STEPS * BODIES];
    double impulse[STEPS * BODIES];
    CU_ASSERT_FATAL(count <= STEPS * BODIES);
    CU_ASSERT(H5LTread_dataset(file, "contacts/step", H5T_NATIVE_ULLONG, step) >= 0);
    CU_ASSERT(H5LTread_dataset(file, "contacts/id", H5T_NATIVE_ULLONG, id) >= 0);
    CU_ASSERT(H5LTread_dataset_double(file, "contacts/impulse", impulse) >= 0);
    double push[NODES * BODIES] = {0.0};
    for (size_t c = 0; c < count; c++) {
        CU_ASSERT_FATAL(step[c] >= 1 && step[c] <= STEPS && id[c] + 1 < BODIES);
        CU_ASSERT(impulse[c] >= 0.0);
        push[step[c] * BODIES + id[c]] -= impulse[c];
        push[step[c] * BODIES + id[c] + 1] += impulse[c];
    }
    for (size_t k = BODIES; k < (size_t)NODES * BODIES; k++) {
        /* velocities below 1, multipliers of a few additions divided and multiplied by h */
        CU_ASSERT(fabs(u[k] - u[k - BODIES] - push[k]) <= 64.0 * DBL_EPSILON);
    }
}

static void h5_holds_all_nodes_and_impulses(void) {
    char folder[PATH_ROOM];
    char path[PATH_ROOM];
    json_t *object = run_with_trajectory(folder, path, "x.h5");
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    CU_ASSERT_FATAL(file >= 0);
    hsize_t dims[2] = {0, 0};
    CU_ASSERT(H5LTget_dataset_info(file, "q", dims, NULL, NULL) >= 0);
    CU_ASSERT_FATAL(dims[0] == NODES && dims[1] == BODIES);
    CU_ASSERT(H5LTget_dataset_info(file, "u", dims, NULL, NULL) >= 0);
    CU_ASSERT_FATAL(dims[0] == NODES && dims[1] == BODIES);
    CU_ASSERT(H5LTget_dataset_info(file, "t", dims, NULL, NULL) >= 0);
    CU_ASSERT_FATAL(dims[0] == NODES);
    double t[NODES];
    double q[NODES * BODIES];
    double u[NODES * BODIES];
    CU_ASSERT(H5LTread_dataset_double(file, "t", t) >= 0);
    CU_ASSERT(H5LTread_dataset_double(file, "q", q) >= 0);
    CU_ASSERT(H5LTread_dataset_double(file, "u", u) >= 0);
    check_nodes(object, t, q, u);
    check_impulses(file, u);
    size_t size = 0;
    H5T_class_t kind = H5T_NO_CLASS;
    CU_ASSERT_FATAL(H5LTget_attribute_info(file, "/", "record", dims, &kind, &size) >= 0);
    char *text = calloc(size + 1, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT(H5LTget_attribute_string(file, "/", "record", text) >= 0);
    json_t *record = json_loads(text, 0, NULL);
    CU_ASSERT_STRING_EQUAL(il_json_text_at(record, "problem"), "sticky");
    CU_ASSERT(H5Fclose(file) >= 0);
    CU_ASSERT(unlink(path) == 0 && rmdir(folder) == 0);
    free(text);
    json_decref(record);
    json_decref(object);
}

static const il_test tests[] = {
    {"every field of the record is there with its type", every_field_is_there},
    {"given and derived parameters are recorded", parameters_are_recorded},
    {"numbers round-trip to the last bit", numbers_round_trip},
    {"steps alone divide the horizon", steps_alone_divide_the_horizon},
    {"h alone stops at the last whole step and says where", h_alone_stops_at_the_last_whole_step},
    {"steps and h make so many steps of h", both_make_so_many_steps_of_h},
    {"samples are affine in q and left-continuous in u", samples_are_affine_and_left_continuous},
    {"an h5 trajectory holds all nodes and the impulses between them",
     h5_holds_all_nodes_and_impulses},
    {NULL, NULL}};

const il_suite il_suite_cli = {"cli", tests};
