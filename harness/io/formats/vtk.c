/*
 * vtk.c - VTK's XML files: a header that describes arrays by their offsets, then the arrays, each
 * after its length in bytes (UInt64). Numbers are written as an x86-64 has them, little-endian.
 */
#include "harness/io/formats/vtk.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/io/file.h"
#include "harness/io/output_folder.h"

static const char SUFFIX[] = ".vtp";
static const char COLLECTION[] = ".pvd";

/* ---- arrays ---------------------------------------------------------------------------------- */

typedef enum { POINT_DATA, CELL_DATA, POINTS, CELLS, SECTIONS } section;

/* One array of a file. All elements take eight bytes. */
typedef struct {
    section where;
    const char *type, *name;
    size_t components, n; /* tuples */
    const void *data;
} array;

enum { ARRAYS_MAX = 8, WIDE = 8 };

typedef struct {
    size_t points, lines, verts;
    double t;
    size_t n;
    array arrays[ARRAYS_MAX];
} polydata;

static void add(polydata *p, section where, const char *type, const char *name, size_t components,
                size_t n, const void *data) {
    p->arrays[p->n++] = (array){where, type, name, components, n, data};
}

/* Vectors of n points with `space` coordinates in x, as points of R^3. */
static void pad(const il_snapshots *snapshots, const double *x, size_t n, double *out) {
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < IL_SPACE_MAX; c++) {
            out[IL_SPACE_MAX * i + c] = il_snapshots_at(snapshots, x, i, c);
        }
    }
}

/* ---- one file -------------------------------------------------------------------------------- */

static void put_section(FILE *out, const polydata *p, section where, const char *tag) {
    uint64_t offset = 0;
    (void)fprintf(out, "      <%s>\n", tag);
    for (size_t k = 0; k < p->n; k++) {
        const array *a = &p->arrays[k];
        if (a->where == where) {
            (void)fprintf(out,
                          "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%zu\" "
                          "format=\"appended\" offset=\"%" PRIu64 "\"/>\n",
                          a->type, a->name, a->components, offset);
        }
        offset += sizeof(uint64_t) + (uint64_t)(WIDE * a->components * a->n);
    }
    (void)fprintf(out, "      </%s>\n", tag);
}

static void put_polydata(FILE *out, const polydata *p) {
    (void)fprintf(out,
                  "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
                  "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  <PolyData>\n"
                  "    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue\" "
                  "NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray>\n    </FieldData>\n"
                  "    <Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"%zu\" "
                  "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
                  p->t, p->points, p->verts, p->lines);
    put_section(out, p, POINT_DATA, "PointData");
    put_section(out, p, CELL_DATA, "CellData");
    put_section(out, p, POINTS, "Points");
    put_section(out, p, CELLS, p->verts > 0 ? "Verts" : "Lines");
    (void)fputs("    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_", out);
    for (size_t k = 0; k < p->n; k++) {
        const array *a = &p->arrays[k];
        uint64_t bytes = (uint64_t)(WIDE * a->components * a->n);
        (void)fwrite(&bytes, sizeof bytes, 1, out);
        (void)fwrite(a->data, WIDE, a->components * a->n, out);
    }
    (void)fputs("\n  </AppendedData>\n</VTKFile>\n", out);
}

static il_status write_polydata(const il_output_folder *output, const char *kind, size_t step,
                                const polydata *p, il_error *err) {
    char name[64];
    il_file file = {0};
    (void)snprintf(name, sizeof name, "%s-%06zu%s", kind, step, SUFFIX);
    char *path = il_output_folder_file(output, name);
    il_status status = il_file_open(&file, path, err);
    if (status == IL_OK) {
        file.passing = true; /* the folder's commit waits for the disk */
        put_polydata(file.stream, p);
        status = il_file_commit(&file, err);
    }
    free(path);
    return status;
}

/* ---- bodies and contacts --------------------------------------------------------------------- */

static il_status write_bodies(const il_snapshots *snapshots, const il_snapshot *f,
                              const il_output_folder *output, il_error *err) {
    size_t n = snapshots->bodies;
    double *x = il_alloc((2 * IL_SPACE_MAX + 1) * n, sizeof *x);
    int64_t *number = il_alloc(2 * n, sizeof *number);
    double *v = x + IL_SPACE_MAX * n;
    double *speed = v + IL_SPACE_MAX * n;
    int64_t *end = number + n;
    pad(snapshots, f->q, n, x);
    pad(snapshots, f->u, n, v);
    for (size_t i = 0; i < n; i++) {
        speed[i] = il_snapshot_speed(snapshots, f, i);
        number[i] = (int64_t)i;
        end[i] = (int64_t)i + 1;
    }
    polydata p = {.points = n, .verts = n, .t = f->t};
    add(&p, POINT_DATA, "Float64", "radius", 1, n, f->radius);
    add(&p, POINT_DATA, "Float64", "speed", 1, n, speed);
    add(&p, POINT_DATA, "Float64", "velocity", IL_SPACE_MAX, n, v);
    add(&p, POINT_DATA, "Float64", "load", 1, n, f->load);
    add(&p, POINT_DATA, "Int64", "body", 1, n, number);
    add(&p, POINTS, "Float64", "Points", IL_SPACE_MAX, n, x);
    add(&p, CELLS, "Int64", "connectivity", 1, n, number);
    add(&p, CELLS, "Int64", "offsets", 1, n, end);
    il_status status = write_polydata(output, "bodies", f->step, &p, err);
    free(x);
    free(number);
    return status;
}

/* Both ends of a contact's line. */
static void line_of(const il_snapshots *snapshots, const il_snapshot *f, const il_touch *touch,
                    double *x) {
    for (size_t c = 0; c < IL_SPACE_MAX; c++) {
        x[c] = il_snapshots_at(snapshots, f->q, touch->a, c);
        x[IL_SPACE_MAX + c] = touch->b != IL_NO_BODY
                                  ? il_snapshots_at(snapshots, f->q, touch->b, c)
                                  : x[c] - f->radius[touch->a] * touch->direction[c];
    }
}

static il_status write_contacts(const il_snapshots *snapshots, const il_snapshot *f,
                                const il_output_folder *output, il_error *err) {
    size_t n = f->ntouches;
    double *x = il_alloc((2 * IL_SPACE_MAX + 1) * n, sizeof *x);
    int64_t *number = il_alloc(5 * n, sizeof *number);
    double *impulse = x + (size_t)2 * IL_SPACE_MAX * n;
    int64_t *end = number + 2 * n;
    int64_t *body = end + n;
    for (size_t i = 0; i < n; i++) {
        const il_touch *touch = &f->touches[i];
        line_of(snapshots, f, touch, x + (size_t)2 * IL_SPACE_MAX * i);
        impulse[i] = touch->impulse;
        number[2 * i] = (int64_t)(2 * i);
        number[2 * i + 1] = (int64_t)(2 * i + 1);
        end[i] = (int64_t)(2 * i + 2);
        body[2 * i] = (int64_t)touch->a;
        body[2 * i + 1] = touch->b != IL_NO_BODY ? (int64_t)touch->b : -1;
    }
    polydata p = {.points = 2 * n, .lines = n, .t = f->t};
    add(&p, CELL_DATA, "Float64", "impulse", 1, n, impulse);
    add(&p, CELL_DATA, "Int64", "body", 2, n, body);
    add(&p, POINTS, "Float64", "Points", IL_SPACE_MAX, 2 * n, x);
    add(&p, CELLS, "Int64", "connectivity", 1, 2 * n, number);
    add(&p, CELLS, "Int64", "offsets", 1, n, end);
    il_status status = write_polydata(output, "contacts", f->step, &p, err);
    free(x);
    free(number);
    return status;
}

/* ---- the collection -------------------------------------------------------------------------- */

/* The folder of path's files: path without .pvd; to be freed. */
static char *folder_of(const char *path) {
    return il_alloc_letters(path, strlen(path) - strlen(COLLECTION));
}

/* An attribute of XML. */
static void put_attribute(FILE *out, const char *text) {
    for (; *text != '\0'; text++) {
        const char letter[] = {*text, '\0'};
        (void)fputs(*text == '&'   ? "&amp;"
                    : *text == '<' ? "&lt;"
                    : *text == '"' ? "&quot;"
                                   : letter,
                    out);
    }
}

static il_status write_collection(const il_snapshots *snapshots, const char *path,
                                  const char *folder, il_error *err) {
    static const char *const part[] = {"bodies", "contacts"};
    const char *slash = strrchr(folder, '/');
    il_file file = {0};
    il_status status = il_file_open(&file, path, err);
    if (status != IL_OK) {
        return status;
    }
    (void)fprintf(file.stream,
                  "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                  "byte_order=\"LittleEndian\">\n  <Collection>\n");
    for (size_t k = 0; k < snapshots->n; k++) {
        for (size_t i = 0; i < 2; i++) {
            (void)fprintf(file.stream,
                          "    <DataSet timestep=\"%.17g\" part=\"%zu\" name=\"%s\" file=\"",
                          snapshots->frames[k].t, i, part[i]);
            put_attribute(file.stream, slash != NULL ? slash + 1 : folder);
            (void)fprintf(file.stream, "/%s-%06zu%s\"/>\n", part[i], snapshots->frames[k].step,
                          SUFFIX);
        }
    }
    (void)fputs("  </Collection>\n</VTKFile>\n", file.stream);
    return il_file_commit(&file, err);
}

il_status il_vtk_check_path(const char *path, il_error *err) {
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    size_t n = strlen(name);
    size_t m = strlen(COLLECTION);
    if (n <= m || strcmp(name + n - m, COLLECTION) != 0) {
        return il_fail(err, IL_EINVAL, "ParaView file '%s': the name must end in .pvd", path);
    }
    il_status status = il_file_can_write(path, err);
    if (status != IL_OK) {
        return status;
    }
    char *folder = folder_of(path);
    status = il_output_folder_check(folder, SUFFIX, err);
    free(folder);
    return status;
}

il_status il_vtk_write(const il_snapshots *snapshots, const char *path, il_error *err) {
    il_output_folder output = {0};
    il_status status = il_vtk_check_path(path, err);
    if (status != IL_OK) {
        return status;
    }
    char *folder = folder_of(path);
    status = il_output_folder_open(&output, folder, SUFFIX, err);
    for (size_t k = 0; status == IL_OK && k < snapshots->n; k++) {
        status = write_bodies(snapshots, &snapshots->frames[k], &output, err);
        if (status == IL_OK) {
            status = write_contacts(snapshots, &snapshots->frames[k], &output, err);
        }
        if (status == IL_OK && il_interrupt_presses()) {
            status = il_fail(err, IL_EINTERRUPTED, "%s while '%s' was written",
                             il_interrupt_reason(), path);
        }
    }
    if (status == IL_OK) {
        status = il_output_folder_commit(&output, err);
    }
    if (status == IL_OK) {
        status = write_collection(snapshots, path, folder, err);
    }
    il_output_folder_abandon(&output);
    free(folder);
    return status;
}
