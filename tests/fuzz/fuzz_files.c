/*
 * fuzz_files.c - what is written for other programs, of any numbers: a trajectory as CSV reads back
 * to the bit; any bytes as CSV are refused or a run, whose times and numbers hold what is promised;
 * a step problem in FCLib's arrays is that problem: compressed columns in order, and M v - H r - f,
 * H' v + w - u as the step problem has them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/formats/fclib.h"
#include "harness/io/formats/trajectory_file.h"
#include "tests/fuzz/folder.h"
#include "tests/fuzz/fuzz.h"

enum { D = 4, NODES = 6, P = 5 };

static bool same_number(double x, double y) {
    return memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y));
}

/* Numbers of one line, between commas. */
static bool same_line(char *line, double t, const double *q, const double *u, size_t d) {
    bool same = true;
    for (size_t k = 0; same && k < 2 * d + 1; k++) {
        char *end = NULL;
        double x = strtod(line, &end);
        double expected = k == 0 ? t : k <= d ? q[k - 1] : u[k - 1 - d];
        same = end != line && *end == (k == 2 * d ? '\n' : ',') && same_number(x, expected);
        line = end + 1;
    }
    return same;
}

static il_status read_back(const char *path, const il_trajectory *w, il_error *err) {
    FILE *file = fopen(path, "rb");
    char *line = NULL;
    size_t room = 0;
    size_t n = 0;
    bool same = file != NULL && getline(&line, &room, file) > 0 && line[0] == '#' &&
                getline(&line, &room, file) > 0 && line[0] == 't';
    while (same && n < w->nodes) {
        same = getline(&line, &room, file) > 0 &&
               same_line(line, w->t[n], w->q + n * w->d, w->u + n * w->d, w->d);
        n++;
    }
    same = same && getline(&line, &room, file) < 0;
    free(line);
    if (file != NULL) {
        (void)fclose(file);
    }
    return same ? IL_OK : il_fail(err, IL_EINTERNAL, "node %zu does not read as it was", n);
}

static il_status try_trajectory(il_bytes *bytes, il_error *err) {
    char folder[IL_FOLDER_ROOM];
    char path[2 * IL_FOLDER_ROOM];
    il_trajectory w = {.d = 0};
    size_t d = il_bytes_size(bytes, 1, D);
    size_t nodes = il_bytes_size(bytes, 0, NODES);
    il_status status = il_trajectory_init(&w, d, nodes, err);
    for (size_t n = 0; status == IL_OK && n < nodes; n++) {
        double z[2 * D + 1];
        for (size_t k = 0; k < 2 * d + 1; k++) {
            z[k] = il_bytes_double(bytes);
        }
        status = il_trajectory_add(&w, z[2 * d], z, z + d);
    }
    il_fuzz_folder_open(folder);
    (void)snprintf(path, sizeof path, "%s/a.csv", folder);
    if (status == IL_OK) {
        status = il_trajectory_write(&w, path, "{}", err);
    }
    if (status == IL_OK) {
        status = read_back(path, &w, err);
    }
    il_trajectory_free(&w);
    il_fuzz_folder_empty(folder);
    return status;
}

/* Any bytes, or those that stand in such files, behind a header or not. */
static il_status try_reading(il_bytes *bytes, il_error *err) {
    static const char usual[] = "0123456789012345.,.,-e\n\n,,tqu#+ ";
    char folder[IL_FOLDER_ROOM];
    char path[2 * IL_FOLDER_ROOM];
    char text[2048] = "t,q0,u0\n";
    uint8_t how = il_bytes_take(bytes);
    size_t n = how % 2 == 0 ? strlen(text) : 0;
    while (bytes->left > 0 && n < sizeof text) {
        uint8_t byte = il_bytes_take(bytes);
        if (how % 4 < 2) {
            text[n++] = usual[byte % 32];
        } else {
            text[n++] = (char)byte;
        }
    }
    il_fuzz_folder_open(folder);
    il_fuzz_folder_put(folder, "a.csv", text, n);
    (void)snprintf(path, sizeof path, "%s/a.csv", folder);
    il_trajectory w = {.d = 0};
    il_error said = {IL_OK, ""};
    il_status status = il_trajectory_read(&w, path, &said);
    bool well = status == IL_OK ? w.nodes >= 2 && w.d > 0 && w.t[0] == 0.0 : status == IL_EINVAL;
    for (size_t k = 0; status == IL_OK && k < w.nodes; k++) {
        well = well && isfinite(w.t[k]) && (k == 0 || w.t[k] > w.t[k - 1]);
        for (size_t i = 0; i < w.d; i++) {
            well = well && isfinite(w.q[k * w.d + i]) && isfinite(w.u[k * w.d + i]);
        }
    }
    if (status == IL_OK && well) {
        status = il_trajectory_write(&w, path, "{}", err);
        status = status == IL_OK ? read_back(path, &w, err) : status;
    } else {
        status = well ? IL_OK : il_fail(err, IL_EINTERNAL, "a CSV file came to %s", said.message);
    }
    il_trajectory_free(&w);
    il_fuzz_folder_empty(folder);
    return status;
}

/* Columns in order, rows within, and the last column ends where the entries do. */
static bool well_made(const il_fclib_matrix *m) {
    bool well = m->p[0] == 0 && m->p[m->n] <= m->nzmax;
    for (int j = 0; well && j < m->n; j++) {
        well = m->p[j] <= m->p[j + 1];
        for (int k = m->p[j]; well && k < m->p[j + 1]; k++) {
            well = m->i[k] >= 0 && m->i[k] < m->m && (k == m->p[j] || m->i[k] > m->i[k - 1]);
        }
    }
    return well;
}

/* H' v + w - u at the normals, in the order in which the program sums. */
static bool same_problem(const il_fclib *f, const il_step_problem *w) {
    bool same = true;
    for (size_t i = 0; same && i < w->rows.p; i++) {
        size_t k = IL_FCLIB_SPACEDIM * i;
        double sum = 0.0;
        for (int e = f->H.p[k]; e < f->H.p[k + 1]; e++) {
            sum += f->H.x[e] * f->v[f->H.i[e]];
        }
        same = same_number(f->w[k] + sum, f->u[k]) && f->H.p[k + 1] == f->H.p[k + 3] &&
               same_number(f->r[k], w->scale * w->lambda[i]) && f->mu[i] == 0.0;
    }
    for (size_t j = 0; same && j < w->d; j++) {
        double diagonal = 0.0;
        for (int e = f->M.p[j]; e < f->M.p[j + 1]; e++) {
            diagonal = f->M.i[e] == (int)j ? f->M.x[e] : diagonal;
        }
        same = diagonal > 0.0 && same_number(f->v[j], w->x[j]);
    }
    return same;
}

typedef struct {
    il_step_problem problem;
    double target[D], x[D], a[P], lambda[P];
} kept;

static il_status make(kept *k, il_bytes *bytes) {
    il_step_problem *w = &k->problem;
    double mass[D * D] = {0.0};
    bool dense = il_bytes_take(bytes) % 2 == 1;
    w->d = il_bytes_size(bytes, 1, D);
    size_t p = il_bytes_size(bytes, 0, P);
    for (size_t i = 0; i < w->d; i++) {
        mass[dense ? i * w->d + i : i] = fabs(il_bytes_finite(bytes)) + 1e-300;
        k->target[i] = il_bytes_double(bytes);
        k->x[i] = il_bytes_double(bytes);
    }
    il_status status = dense ? il_metric_dense(&w->mass, w->d, mass, NULL)
                             : il_metric_diagonal(&w->mass, w->d, mass, NULL);
    for (size_t i = 0; i < p && status == IL_OK; i++) {
        size_t col[D];
        double coef[D];
        size_t n = il_bytes_columns(bytes, w->d, col);
        for (size_t c = 0; c < n; c++) {
            coef[c] = il_bytes_double(bytes);
        }
        k->a[i] = il_bytes_double(bytes);
        k->lambda[i] = il_bytes_double(bytes);
        status = il_rows_append(&w->rows, i, 0.0, 0.0, n, col, coef);
    }
    w->scale = fabs(il_bytes_finite(bytes)) + 1e-300;
    w->target = k->target;
    w->x = k->x;
    w->a = k->a;
    w->lambda = k->lambda;
    return status;
}

static il_status try_fclib(il_bytes *bytes, il_error *err) {
    kept k = {.problem = {.step = 0}};
    il_fclib f = {.title = NULL};
    il_error said = {IL_OK, ""};
    il_status status = make(&k, bytes);
    if (status == IL_OK && il_fclib_create(&f, &k.problem, &said) == IL_OK) {
        bool same = well_made(&f.M) && well_made(&f.H) && same_problem(&f, &k.problem);
        status = same ? IL_OK : il_fail(err, IL_EINTERNAL, "another problem for FCLib");
        il_fclib_free(&f);
    } else if (status == IL_OK && k.problem.rows.p > 0) {
        status = il_fail(err, IL_EINTERNAL, "refused: %s", said.message);
    }
    il_rows_free(&k.problem.rows);
    il_metric_destroy(k.problem.mass);
    return status == IL_EINTERNAL ? status : IL_OK;
}

static il_status one(const uint8_t *data, size_t n, il_error *err) {
    il_bytes bytes = {data, n};
    switch (il_bytes_take(&bytes) % 8) {
    case 0:
        return try_trajectory(&bytes, err);
    case 4:
        return try_reading(&bytes, err);
    default:
        return try_fclib(&bytes, err);
    }
}

const il_fuzz il_fuzz_files = {
    .name = "files",
    .text = "trajectories and FCLib's arrays of any numbers, read back; any bytes as CSV",
    .one = one,
};
