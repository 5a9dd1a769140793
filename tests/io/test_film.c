/*
 * test_film.c - what bodies bear and walls carry, against the balance of momentum; exports read
 * back against the trajectory; folders that appear whole or not at all.
 */
#include <dirent.h>
#include <float.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/data/film.h"
#include "harness/data/history.h"
#include "harness/draw/movie.h"
#include "harness/io/bundle.h"
#include "harness/io/trajectory_file.h"
#include "harness/io/vtk.h"
#include "harness/run/record_json.h"
#include "harness/run/run.h"
#include "tests/support/residual.h"
#include "tests/support/suite.h"

enum { PILE_N = 30, PILE_STEPS = 160, ROOM = 512 };

static const double H = 0.01;

/* Each of the steps rounds each of the N momenta, and M (u' - u) - h f = sum of impulses holds to
 * some roundings of what a contact passes on, at most the weight of all above it: a dozen roundings
 * of N weights a step, relative to one step's weight. */
static const double BALANCE = 12.0 * PILE_N * DBL_EPSILON;

/* A run that is watched, and a folder for what it writes. */
typedef struct {
    il_test_problem made;
    il_run_spec spec;
    il_record record;
    il_trajectory trajectory;
    il_film film;
    il_history history;
    il_observer observers[2];
    char dir[ROOM];
    il_error err;
} bench;

static void bench_run(bench *b, const char *problem, const char *const *sets, double h,
                      size_t steps, size_t every) {
    const char *tmp = getenv("TMPDIR");
    *b = (bench){.film.every = every};
    b->made = il_test_problem_new(problem, 0.0, sets);
    b->observers[0] = il_film_observer(&b->film);
    b->observers[1] = il_history_observer(&b->history);
    b->spec.problem = b->made.problem->type;
    b->spec.params = b->made.params;
    b->spec.h = h;
    b->spec.steps = steps;
    b->spec.observers = b->observers;
    b->spec.nobservers = 2;
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find("maury", &b->spec.scheme, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &b->spec.projector, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_run(&b->spec, &b->record, &b->trajectory, &b->err), IL_OK);
    CU_ASSERT_EQUAL_FATAL(b->record.status, IL_OK);
    (void)snprintf(b->dir, sizeof b->dir, "%s/il-film-XXXXXX", tmp != NULL ? tmp : "/tmp");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(b->dir));
}

/* Remove a folder, with folders of files in it. */
static void remove_all(const char *path, int depth) {
    DIR *dir = opendir(path);
    struct dirent *item = NULL;
    while (dir != NULL && (item = readdir(dir)) != NULL) {
        char inner[2 * ROOM];
        (void)snprintf(inner, sizeof inner, "%.500s/%.500s", path, item->d_name);
        if (item->d_name[0] != '.' && remove(inner) != 0 && depth > 0) {
            remove_all(inner, depth - 1);
        }
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
    CU_ASSERT(rmdir(path) == 0);
}

static void bench_close(bench *b) {
    remove_all(b->dir, 1);
    il_film_free(&b->film);
    il_history_free(&b->history);
    il_trajectory_free(&b->trajectory);
    il_record_free(&b->record);
    il_test_problem_free(&b->made);
    (void)unsetenv("IMPACTLAB_GNUPLOT");
}

static void in_bench(const bench *b, const char *name, char path[2 * ROOM]) {
    (void)snprintf(path, 2 * ROOM, "%s/%s", b->dir, name);
}

static size_t files_in(const bench *b, const char *name) {
    char path[2 * ROOM];
    in_bench(b, name, path);
    size_t n = 0;
    DIR *dir = opendir(path);
    struct dirent *item = NULL;
    while (dir != NULL && (item = readdir(dir)) != NULL) {
        n += strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0;
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
    return n;
}

static void touch_file(const bench *b, const char *name) {
    char path[2 * ROOM];
    in_bench(b, name, path);
    FILE *out = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    (void)fclose(out);
}

/* Total momentum upward at node n. */
static double rise(const bench *b, size_t n) {
    const il_problem *p = b->made.problem;
    const double *mass = il_metric_masses(p->mass);
    double sum = 0.0;
    for (size_t k = p->space - 1; k < p->d; k += p->space) {
        sum += mass[k] * b->trajectory.u[n * p->d + k];
    }
    return sum;
}

static double weight_of(const il_problem *p, double gravity) {
    double sum = 0.0;
    for (size_t k = 0; k < p->d; k += p->space) {
        sum += gravity * il_metric_masses(p->mass)[k];
    }
    return sum;
}

/* ---- walls and loads --------------------------------------------------------------------------
 */

static const char *const pile[] = {"N=30", "gravity=2", NULL};
static const char *const ball[] = {"N=1", "r0=2", NULL};

/* Side walls push along x only, so that along z: P(T) - P(s) = (impulse of the floor) - W (T - s).
 */
static void the_floor_carries_weight_and_momentum(void) {
    bench b;
    bench_run(&b, "pile", pile, H, PILE_STEPS, 40);
    double weight = weight_of(b.made.problem, 2.0);
    CU_ASSERT_EQUAL_FATAL(b.record.nwalls, 3);
    const il_wall_force *floor = &b.record.walls[0];
    CU_ASSERT_STRING_EQUAL(floor->name, "floor");
    CU_ASSERT_STRING_EQUAL(b.record.walls[2].name, "right wall");
    CU_ASSERT_EQUAL(floor->last_steps, IL_WEIGH_LAST);
    CU_ASSERT(fabs(floor->pressing_mean / weight - 1.0) <= BALANCE);
    CU_ASSERT(b.record.walls[1].pressing_mean == 0.0);
    double all = rise(&b, PILE_STEPS) - rise(&b, 0) + weight * H * PILE_STEPS;
    CU_ASSERT(all > 0.1 * weight * H * PILE_STEPS); /* it has fallen onto the floor */
    CU_ASSERT(fabs(floor->impulse_total - all) <= BALANCE * PILE_STEPS * weight * H);
    double late = rise(&b, PILE_STEPS) - rise(&b, PILE_STEPS - IL_WEIGH_LAST);
    double mean = weight + late / (H * IL_WEIGH_LAST);
    CU_ASSERT(fabs(floor->force_mean - mean) <= BALANCE * IL_WEIGH_LAST * weight);
    CU_ASSERT(fabs(floor->force_mean / weight - 1.0) > 1e-6); /* a mean, not the weight itself */
    bench_close(&b);
}

static void a_short_run_is_weighed_over_its_own_steps(void) {
    bench b;
    bench_run(&b, "pile", pile, H, 7, 1);
    CU_ASSERT_EQUAL(b.record.walls[0].last_steps, 7);
    bench_close(&b);
}

/* The series adds up to the record, and its energy is that of the trajectory's velocities. */
static void series_add_up_to_the_record(void) {
    bench b;
    bench_run(&b, "pile", pile, H, PILE_STEPS, 40);
    const il_history *s = &b.history;
    CU_ASSERT_EQUAL_FATAL(s->n, PILE_STEPS);
    double sum = 0.0;
    size_t iterations = 0;
    for (size_t n = 0; n < s->n; n++) {
        sum += H * s->force[n * s->nwalls];
        iterations += s->steps[n].iterations;
        double energy = 0.0;
        for (size_t k = 0; k < b.record.d; k++) {
            double u = b.trajectory.u[(n + 1) * b.record.d + k];
            energy += 0.5 * il_metric_masses(b.made.problem->mass)[k] * u * u;
        }
        CU_ASSERT(fabs(s->steps[n].energy - energy) <= BALANCE * (1.0 + energy));
    }
    CU_ASSERT(fabs(sum - b.record.walls[0].impulse_total) <= BALANCE * PILE_STEPS * sum);
    CU_ASSERT_EQUAL(iterations, b.record.projector_iterations);
    json_t *json = il_history_json(s);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(json, "t")), PILE_STEPS);
    json_t *forces = json_object_get(json, "force");
    CU_ASSERT_EQUAL(json_array_size(json_object_get(forces, "floor")), PILE_STEPS);
    json_decref(json);
    bench_close(&b);
}

/* One sphere meets the plane: what it bears is the momentum that it loses. */
static void a_load_is_the_momentum_that_is_lost(void) {
    bench b;
    bench_run(&b, "impact", ball, 1.5, 4, 1);
    double mass = il_metric_masses(b.made.problem->mass)[0];
    double before = b.trajectory.u[1];
    for (size_t n = 1; n <= 4; n++) {
        double after = b.trajectory.u[2 * n + 1];
        double lost = mass * (after - before);
        CU_ASSERT(fabs(b.film.frames[n].load[0] - lost) <= 4.0 * DBL_EPSILON * mass);
        CU_ASSERT_EQUAL(b.film.frames[n].ntouches, lost > 0.0 ? 1 : 0);
        before = after;
    }
    CU_ASSERT(fabs(before) <= 8.0 * DBL_EPSILON); /* it did meet the plane, at z of about 2 */
    bench_close(&b);
}

/* Two spheres: both bear what each gave the other, along the line of their centres. */
static void both_bodies_of_a_pair_bear_the_same(void) {
    static const char *const sets[] = {"scenario=pressed", "masses=1,3", NULL};
    bench b;
    bench_run(&b, "two_spheres", sets, 0.05, 40, 1);
    size_t touched = 0;
    for (size_t n = 1; n < b.film.n; n++) {
        const il_frame *f = &b.film.frames[n];
        CU_ASSERT_EQUAL(f->load[0], f->load[1]);
        if (f->ntouches == 0) {
            CU_ASSERT(f->load[0] == 0.0);
            continue;
        }
        touched++;
        CU_ASSERT_EQUAL(f->touches[0].a, 0);
        CU_ASSERT_EQUAL(f->touches[0].b, 1);
        const double *q = b.film.frames[n - 1].q; /* the step is linearised there */
        double w[3] = {q[3] - q[0], q[4] - q[1], q[5] - q[2]};
        double norm = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        for (size_t c = 0; c < 3; c++) {
            CU_ASSERT(fabs(f->touches[0].push[c] + w[c] / norm) <= 4.0 * DBL_EPSILON);
        }
        CU_ASSERT(fabs(f->touches[0].impulse - f->load[0]) <= 4.0 * DBL_EPSILON * f->load[0]);
    }
    CU_ASSERT(touched > 2);
    bench_close(&b);
}

static void samples_hold_loads_on_request(void) {
    static const double at[] = {0.0, 0.75, 1.5};
    bench b;
    bench_run(&b, "impact", ball, 1.5, 4, 1);
    il_record again = {0};
    b.spec.nobservers = 0;
    b.spec.samples = at;
    b.spec.nsamples = 3;
    b.spec.loads = true;
    CU_ASSERT_EQUAL_FATAL(il_run(&b.spec, &again, NULL, &b.err), IL_OK);
    CU_ASSERT_EQUAL(again.bodies, 1);
    CU_ASSERT(again.samples[0].load[0] == 0.0);
    CU_ASSERT_EQUAL(again.samples[1].load[0], b.film.frames[1].load[0]); /* the step holds t */
    CU_ASSERT_EQUAL(again.samples[2].load[0], b.film.frames[1].load[0]); /* and its end */
    json_t *json = il_record_json(&again, b.spec.params);
    json_t *sample = json_array_get(json_object_get(json, "samples"), 2);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(sample, "load")), 1);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(json, "walls")), 1);
    json_decref(json);
    il_record_free(&again);
    bench_close(&b);
}

static void what_has_no_bodies_is_refused(void) {
    il_film film = {.every = 1};
    il_test_problem made = il_test_problem_new("nonuniqueness", 0.0, (const char *const[]){NULL});
    const il_observer observer = il_film_observer(&film);
    il_run_spec spec = {.problem = made.problem->type,
                        .params = made.params,
                        .steps = 4,
                        .observers = &observer,
                        .nobservers = 1};
    il_record record = {0};
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL_FATAL(il_scheme_type_find("maury", &spec.scheme, NULL), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_projector_type_find("auto", &spec.projector, NULL), IL_OK);
    bool placed = il_bodies_count(made.problem) > 0;
    CU_ASSERT_EQUAL(il_run(&spec, &record, NULL, &err), placed ? IL_OK : IL_EUNSUPPORTED);
    CU_ASSERT_FALSE(placed);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, "no bodies"));
    il_record_free(&record);
    il_film_free(&film);
    spec.nobservers = 0;
    spec.loads = true;
    CU_ASSERT_EQUAL(il_run(&spec, &record, NULL, &err), IL_EUNSUPPORTED);
    il_record_free(&record);
    il_test_problem_free(&made);
}

/* Distance of two bodies, or of a body from a wall, by their radii: what the row's value must be.
 */
static double gap_of(const il_problem *p, const double *r, size_t id, const il_touch *touch) {
    size_t s = p->space;
    const double *a = p->q0 + s * touch->a;
    if (touch->b != IL_NO_BODY) {
        double square = 0.0;
        for (size_t c = 0; c < s; c++) {
            double w = p->q0[s * touch->b + c] - a[c];
            square += w * w;
        }
        return sqrt(square) - r[touch->a] - r[touch->b];
    }
    const il_plane *wall = &p->walls[p->type->wall(p, id)];
    double along = -wall->c - r[touch->a];
    for (size_t c = 0; c < s; c++) {
        along += wall->n[c] * a[c];
    }
    return along;
}

/* Radii, walls and touches say of every problem that has radii what its own rows say. Positions and
 * radii are of size 20 at most, and four roundings enter. */
static void radii_and_walls_are_those_of_the_rows(void) {
    const double rounding = 4.0 * 20.0 * DBL_EPSILON;
    static const char *const few[] = {"N=12", NULL};
    static const char *const given[] = {NULL};
    size_t seen = 0;
    for (size_t k = 0; il_problem_type_at(k) != NULL; k++) {
        const il_problem_type *type = il_problem_type_at(k);
        if (type->radii == NULL) {
            continue;
        }
        bool sized = strcmp(type->params[0].key, "N") == 0;
        il_test_problem made = il_test_problem_new(type->name, 0.0, sized ? few : given);
        const il_problem *p = made.problem;
        double r[64];
        il_rows rows;
        il_rows_init(&rows);
        CU_ASSERT_FATAL(il_bodies_count(p) > 0 && il_bodies_count(p) <= 64);
        il_bodies_radii(p, 0.0, r);
        CU_ASSERT_EQUAL(il_problem_scan(p, 0.0, p->q0, p->q0, INFINITY, &rows), IL_OK);
        for (size_t i = 0; i < rows.p; i++) {
            il_touch touch = il_bodies_touch(p, &rows, i, 1.0);
            double gap = gap_of(p, r, rows.id[i], &touch);
            CU_ASSERT(fabs(gap - rows.value[i]) <= rounding);
            seen++;
        }
        il_rows_free(&rows);
        il_test_problem_free(&made);
    }
    CU_ASSERT(seen > 100);
}

/* ---- ParaView ---------------------------------------------------------------------------------
 */

/* The next array of raw appended data: *at points at its length. */
static const char *next_array(const char **at, uint64_t *bytes) {
    memcpy(bytes, *at, sizeof *bytes);
    const char *data = *at + sizeof *bytes;
    *at = data + *bytes;
    return data;
}

static char *slurp(const char *path, size_t *size) {
    FILE *in = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    struct stat info;
    CU_ASSERT_FATAL(fstat(fileno(in), &info) == 0);
    char *text = calloc(1, (size_t)info.st_size + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    *size = fread(text, 1, (size_t)info.st_size, in);
    (void)fclose(in);
    return text;
}

/* radius, speed, velocity, load, body, points: bit by bit those of the trajectory. */
static void check_bodies(const bench *b, const il_frame *f, const char *path) {
    size_t size = 0;
    size_t n = b->film.bodies;
    char head[64];
    char *text = slurp(path, &size);
    (void)snprintf(head, sizeof head, "NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\"", n, n);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, head));
    const char *mark = "<AppendedData encoding=\"raw\">\n_";
    const char *at = memmem(text, size, mark, strlen(mark));
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    at += strlen(mark);
    const double *q = b->trajectory.q + f->step * b->record.d;
    const double *u = b->trajectory.u + f->step * b->record.d;
    const char *data[6];
    uint64_t bytes[6];
    for (size_t k = 0; k < 6; k++) {
        data[k] = next_array(&at, &bytes[k]);
    }
    CU_ASSERT_EQUAL_FATAL(bytes[0], 8 * n);
    CU_ASSERT_EQUAL_FATAL(bytes[5], 24 * n);
    size_t wrong = memcmp(data[0], f->radius, 8 * n) != 0;
    for (size_t i = 0; i < n; i++) {
        double point[3];
        double velocity[3];
        double speed = 0.0;
        memcpy(point, data[5] + 24 * i, sizeof point);
        memcpy(velocity, data[2] + 24 * i, sizeof velocity);
        memcpy(&speed, data[1] + 8 * i, sizeof speed);
        wrong += point[0] != q[2 * i] || point[1] != q[2 * i + 1] || point[2] != 0.0;
        wrong += velocity[0] != u[2 * i] || velocity[1] != u[2 * i + 1] || velocity[2] != 0.0;
        wrong += !(fabs(speed - hypot(u[2 * i], u[2 * i + 1])) <= 4.0 * DBL_EPSILON * speed);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    free(text);
}

static void exports_are_the_trajectory(void) {
    bench b;
    bench_run(&b, "pile", pile, H, PILE_STEPS, 50);
    char path[2 * ROOM];
    in_bench(&b, "pile.pvd", path);
    CU_ASSERT_EQUAL_FATAL(il_vtk_check_path(path, &b.err), IL_OK);
    CU_ASSERT_EQUAL_FATAL(il_vtk_write(&b.film, path, &b.err), IL_OK);
    size_t size = 0;
    char *collection = slurp(path, &size);
    CU_ASSERT_EQUAL_FATAL(b.film.n, 5); /* 0, 50, 100, 150, 160 */
    CU_ASSERT_EQUAL(files_in(&b, "pile"), 10);
    for (size_t k = 0; k < b.film.n; k++) {
        const il_frame *f = &b.film.frames[k];
        char name[64];
        char line[160];
        (void)snprintf(name, sizeof name, "pile/bodies-%06zu.vtp", f->step);
        (void)snprintf(line, sizeof line,
                       "timestep=\"%.17g\" part=\"0\" name=\"bodies\" file=\"%s\"",
                       b.trajectory.t[f->step], name);
        CU_ASSERT_PTR_NOT_NULL(strstr(collection, line));
        in_bench(&b, name, path);
        check_bodies(&b, f, path);
    }
    free(collection);
    bench_close(&b);
}

static void exports_replace_exports_alone(void) {
    bench b;
    bench_run(&b, "impact", ball, 0.5, 4, 1);
    char path[2 * ROOM];
    in_bench(&b, "x.pvd", path);
    CU_ASSERT_EQUAL(il_vtk_write(&b.film, path, &b.err), IL_OK);
    size_t all = b.film.n;
    b.film.n = 2;
    CU_ASSERT_EQUAL(il_vtk_write(&b.film, path, &b.err), IL_OK);
    CU_ASSERT_EQUAL(files_in(&b, "x"), 4);
    CU_ASSERT_EQUAL(files_in(&b, "."), 2); /* x and x.pvd, no scratch */
    touch_file(&b, "x/mine.txt");
    CU_ASSERT_EQUAL(il_vtk_check_path(path, &b.err), IL_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.err.message, "mine.txt"));
    CU_ASSERT_EQUAL(il_vtk_write(&b.film, path, &b.err), IL_EIO);
    CU_ASSERT_EQUAL(files_in(&b, "x"), 5);
    in_bench(&b, "x.vtp", path);
    CU_ASSERT_EQUAL(il_vtk_check_path(path, &b.err), IL_EINVAL);
    in_bench(&b, "nowhere/x.pvd", path);
    CU_ASSERT_EQUAL(il_vtk_check_path(path, &b.err), IL_EIO);
    in_bench(&b, "x", path);
    remove_all(path, 0);
    b.film.n = all;
    bench_close(&b);
}

/* ---- movies -----------------------------------------------------------------------------------
 */

/* Width and height in a PNG's head: bytes 16..23, the most significant first. */
static unsigned size_in(const char *png, size_t from) {
    unsigned value = 0;
    for (size_t k = from; k < from + 4; k++) {
        value = value << 8 | (unsigned char)png[k];
    }
    return value;
}

static void a_movie_has_one_picture_a_frame(void) {
    bench b;
    bench_run(&b, "pile", pile, H, 20, 1); /* 21 frames: more than one process draws */
    char path[2 * ROOM];
    in_bench(&b, "movie", path);
    CU_ASSERT_EQUAL_FATAL(il_movie_write(&b.film, IL_COLOR_LOAD, path, &b.err), IL_OK);
    CU_ASSERT_EQUAL(files_in(&b, "movie"), 21);
    CU_ASSERT_EQUAL(files_in(&b, "."), 1);
    unsigned first[2] = {0, 0};
    for (size_t k = 0; k < 21; k += 20) {
        char name[64];
        size_t size = 0;
        (void)snprintf(name, sizeof name, "movie/frame-%06zu.png", k);
        in_bench(&b, name, path);
        char *png = slurp(path, &size);
        CU_ASSERT_FATAL(size > 1000);
        unsigned shape[2] = {size_in(png, 16), size_in(png, 20)};
        CU_ASSERT(shape[0] % 2 == 0 && shape[1] % 2 == 0 && shape[0] > 300);
        CU_ASSERT(k == 0 || memcmp(first, shape, sizeof first) == 0);
        memcpy(first, shape, sizeof first);
        free(png);
    }
    bench_close(&b);
}

static void a_movie_that_fails_leaves_nothing(void) {
    bench b;
    bench_run(&b, "impact", ball, 0.5, 4, 1);
    char path[2 * ROOM];
    in_bench(&b, "movie", path);
    (void)setenv("IMPACTLAB_GNUPLOT", "/bin/false", 1);
    CU_ASSERT_EQUAL(il_movie_write(&b.film, IL_COLOR_SPEED, path, &b.err), IL_EPLOT);
    CU_ASSERT_EQUAL(files_in(&b, "."), 0);
    (void)setenv("IMPACTLAB_GNUPLOT", "/bin/cat", 1); /* content with all, draws nothing */
    CU_ASSERT_EQUAL(il_movie_write(&b.film, IL_COLOR_SPEED, path, &b.err), IL_EPLOT);
    CU_ASSERT_EQUAL(files_in(&b, "."), 0);
    touch_file(&b, "movie");
    CU_ASSERT_EQUAL(il_movie_check(path, &b.err), IL_EIO);
    bench_close(&b);
}

/* ---- records of many bodies -------------------------------------------------------------------
 */

/* Longer than the 64 kB that an attribute of HDF5's first format holds. */
static void long_records_fit_into_hdf5(void) {
    enum { LONG = 200000 };
    bench b;
    bench_run(&b, "impact", ball, 0.5, 4, 1);
    char path[2 * ROOM];
    char *record = malloc(LONG + 1);
    char *back = calloc(1, LONG + 2);
    CU_ASSERT_FATAL(record != NULL && back != NULL);
    memset(record, 'x', LONG);
    record[LONG] = '\0';
    in_bench(&b, "long.h5", path);
    CU_ASSERT_EQUAL_FATAL(il_trajectory_write(&b.trajectory, path, record, &b.err), IL_OK);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    CU_ASSERT_FATAL(file >= 0);
    CU_ASSERT(H5LTget_attribute_string(file, "/", "record", back) >= 0);
    CU_ASSERT_STRING_EQUAL(back, record);
    (void)H5Fclose(file);
    free(record);
    free(back);
    bench_close(&b);
}

static const il_test tests[] = {
    {"the floor carries the weight and the change of momentum",
     the_floor_carries_weight_and_momentum},
    {"a short run is weighed over its own steps", a_short_run_is_weighed_over_its_own_steps},
    {"series add up to the record", series_add_up_to_the_record},
    {"a load is the momentum that is lost", a_load_is_the_momentum_that_is_lost},
    {"both bodies of a pair bear the same", both_bodies_of_a_pair_bear_the_same},
    {"samples hold loads on request", samples_hold_loads_on_request},
    {"what has no bodies is refused", what_has_no_bodies_is_refused},
    {"radii and walls are those of the rows", radii_and_walls_are_those_of_the_rows},
    {"exports are the trajectory bit by bit", exports_are_the_trajectory},
    {"exports replace exports alone", exports_replace_exports_alone},
    {"a movie has one picture a frame", a_movie_has_one_picture_a_frame},
    {"a movie that fails leaves nothing", a_movie_that_fails_leaves_nothing},
    {"records of many bodies fit into HDF5", long_records_fit_into_hdf5},
    {NULL, NULL}};

const il_suite il_suite_film = {"film", tests};
