/*
 * module.c - arrays as HDF5 files, and back. Not linked to the rest of the program, which loads it
 * (harness/io/formats/hdf5_file.c). A file is closed with all that is open in it, and the library's
 * own reports of errors are as they were afterwards: a program that links impactlab as a library
 * may use HDF5 too.
 */
#include "harness/io/hdf5/module.h"

#include <errno.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing -------------------------------------------------------------------------------- */

/* The image grows by this many bytes. */
static const size_t MORE = (size_t)1 << 20;

/* The library's reports of errors, which are switched off while we work: we report. */
typedef struct {
    H5E_auto2_t tell;
    void *data;
} reports;

static reports silence(void) {
    reports before = {NULL, NULL};
    (void)H5Eget_auto2(H5E_DEFAULT, &before.tell, &before.data);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return before;
}

/* Close a file, unless it is none, and report again. */
static void end(hid_t file, reports before) {
    if (file >= 0) {
        (void)H5Fclose(file);
    }
    (void)H5Eset_auto2(H5E_DEFAULT, before.tell, before.data);
}

/* A new file in memory, where no disk can fail, whose attributes may be longer than 64 KiB, as
 * records of thousands of bodies are: only files of version 1.8 and later can hold them. */
static hid_t create(void) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    bool ready = access >= 0 &&
                 H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0 &&
                 H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
                 H5Pset_fapl_core(access, MORE, false) >= 0;
    hid_t file = ready ? H5Fcreate("image", H5F_ACC_TRUNC, H5P_DEFAULT, access) : -1;
    (void)H5Pclose(access);
    return file;
}

/* The groups that name leads through. */
static bool make_groups(hid_t file, const char *name) {
    char *part = strdup(name);
    bool good = part != NULL;
    for (char *c = part; good && (c = strchr(c, '/')) != NULL; *c++ = '/') {
        *c = '\0';
        if (H5Lexists(file, part, H5P_DEFAULT) <= 0) {
            hid_t group = H5Gcreate2(file, part, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
            good = group >= 0 && H5Gclose(group) >= 0;
        }
    }
    free(part);
    return good;
}

static herr_t write_texts(hid_t file, const il_hdf5_array *a, const hsize_t *dims) {
    hid_t type = H5Tcopy(H5T_C_S1);
    bool made = H5Tset_size(type, a->dims[1]) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
                H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
    herr_t code = made ? H5LTmake_dataset(file, a->name, 1, dims, type, a->data) : -1;
    (void)H5Tclose(type);
    return code;
}

static bool write_array(hid_t file, const il_hdf5_array *a) {
    const hsize_t dims[2] = {a->dims[0], a->dims[1]};
    herr_t code = -1;
    if (!make_groups(file, a->name)) {
        return false;
    }
    switch (a->kind) {
    case IL_HDF5_DOUBLE:
        code = H5LTmake_dataset_double(file, a->name, a->rank, dims, a->data);
        break;
    case IL_HDF5_INT:
        code = H5LTmake_dataset_int(file, a->name, a->rank, dims, a->data);
        break;
    case IL_HDF5_COUNT:
        code = H5LTmake_dataset(file, a->name, a->rank, dims, H5T_NATIVE_ULLONG, a->data);
        break;
    case IL_HDF5_TEXT:
        code = H5LTmake_dataset_string(file, a->name, a->data);
        break;
    case IL_HDF5_TEXTS:
        code = write_texts(file, a, dims);
        break;
    }
    return code >= 0;
}

bool il_hdf5_write(const il_hdf5_array *list, size_t n, const char *record, FILE *out) {
    void *image = NULL;
    reports before = silence();
    hid_t file = create();
    bool good = file >= 0;
    for (size_t k = 0; good && k < n; k++) {
        good = write_array(file, &list[k]);
    }
    good = good && (record == NULL || H5LTset_attribute_string(file, "/", "record", record) >= 0) &&
           H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
    ssize_t size = good ? H5Fget_file_image(file, NULL, 0) : -1; /* without what is to grow into */
    good = size >= 0 && H5Fget_vfd_handle(file, H5P_DEFAULT, &image) >= 0;
    good = good && fwrite(*(void **)image, 1, (size_t)size, out) == (size_t)size;
    int reason = size >= 0 ? errno : 0;
    end(file, before);
    errno = reason;
    return good;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* The entry that stands deepest on HDF5's stack of errors says why. */
static herr_t deepest(unsigned n, const H5E_error2_t *e, void *why) {
    (void)n;
    (void)snprintf(why, IL_HDF5_WHY, "%s", e->desc != NULL ? e->desc : "");
    return 1;
}

static bool fail(il_hdf5_head *head) {
    head->rank = -1;
    (void)H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, deepest, head->why);
    return false;
}

/* The first filter that packs the numbers of a set and is not here; false where all are. */
static bool misses_filter(hid_t making, il_hdf5_head *head) {
    int n = H5Pget_nfilters(making);
    for (int k = 0; k < n; k++) {
        unsigned flags = 0;
        unsigned config = 0;
        size_t none = 0;
        char name[40] = "";
        H5Z_filter_t filter =
            H5Pget_filter2(making, (unsigned)k, &flags, &none, NULL, sizeof name, name, &config);
        if (filter >= 0 && H5Zfilter_avail(filter) <= 0) {
            head->rank = -1;
            (void)snprintf(head->why, sizeof head->why,
                           "packed by the filter '%s', which is not here; gzip or none is read",
                           name);
            return true;
        }
    }
    return false;
}

/* A length is believed as far as the file is long: deflate packs at most 1032-fold. */
static bool fits(hid_t file, hid_t set, hid_t type, double n, il_hdf5_head *head) {
    hsize_t length = 0;
    hid_t making = H5Dget_create_plist(set);
    if (making < 0) {
        return fail(head);
    }
    bool misses = misses_filter(making, head);
    double stored = (double)H5Dget_storage_size(set);
    double fold = H5Pget_nfilters(making) > 0 ? 1032.0 : 1.0;
    (void)H5Pclose(making);
    if (misses) {
        return false;
    }
    if (H5Fget_filesize(file, &length) >= 0 && stored > (double)length) {
        stored = (double)length;
    }
    if (n * (double)H5Tget_size(type) <= fold * stored) {
        return true;
    }
    head->rank = -1;
    (void)snprintf(head->why, sizeof head->why, "claims %.0f numbers, and %.0f bytes are there", n,
                   stored);
    return false;
}

/* The head of an array of this space and type; false, with the reason, if it cannot be read. */
static bool judge_head(hid_t file, hid_t set, hid_t space, hid_t type, il_hdf5_head *head) {
    hsize_t dims[H5S_MAX_RANK] = {1, 1};
    int rank = space >= 0 ? H5Sget_simple_extent_dims(space, dims, NULL) : -1;
    if (rank < 0 || type < 0) {
        return fail(head);
    }
    if (H5Tget_class(type) != H5T_FLOAT && H5Tget_class(type) != H5T_INTEGER) {
        head->rank = -1;
        (void)snprintf(head->why, sizeof head->why, "holds no real numbers");
        return false;
    }
    double n = 1.0;
    for (int k = 0; k < rank; k++) {
        n *= (double)dims[k];
        dims[1] = k > 1 ? dims[1] * dims[k] : dims[1];
    }
    head->rank = rank < 2 ? rank : 2;
    head->dims[0] = (size_t)dims[0];
    head->dims[1] = (size_t)dims[1];
    return fits(file, set, type, n, head);
}

static bool read_head(hid_t file, hid_t set, il_hdf5_head *head) {
    hid_t space = H5Dget_space(set);
    hid_t type = H5Dget_type(set);
    bool good = judge_head(file, set, space, type, head);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    return good;
}

static void read_array(hid_t file, const char *name, il_hdf5_numbers *w) {
    *w = (il_hdf5_numbers){.head = {.rank = -1, .dims = {1, 1}}, .n = SIZE_MAX};
    if (H5LTpath_valid(file, name, 1) <= 0) {
        return;
    }
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0 ? !fail(&w->head) : !read_head(file, set, &w->head)) {
        (void)H5Dclose(set);
        return;
    }
    size_t n = w->head.dims[0] * w->head.dims[1];
    w->x = malloc((n + 1) * sizeof *w->x);
    if (w->x == NULL) {
        w->head.rank = -1;
        (void)snprintf(w->head.why, sizeof w->head.why, "no memory for %zu numbers", n);
    } else if (n == 0 ||
               H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, w->x) >= 0) {
        w->n = n;
    } else {
        (void)fail(&w->head);
    }
    (void)H5Dclose(set);
}

typedef struct {
    const char *const *names;
    size_t n;
    char *list; /* [IL_HDF5_WHY] */
} others;

static herr_t add_other(hid_t group, const char *name, const H5L_info_t *link, void *data) {
    const others *w = data;
    H5O_info_t info;
    (void)link;
    bool other =
        H5Oget_info_by_name(group, name, &info, H5P_DEFAULT) >= 0 && info.type == H5O_TYPE_DATASET;
    for (size_t k = 0; other && k < w->n; k++) {
        other = strcmp(name, w->names[k]) != 0;
    }
    size_t at = strlen(w->list);
    if (other && at + strlen(name) + 2 < IL_HDF5_WHY) {
        (void)snprintf(w->list + at, IL_HDF5_WHY - at, "%s%s", at > 0 ? "," : "", name);
    }
    return 0;
}

bool il_hdf5_read(const char *path, const char *const *names, size_t n, il_hdf5_numbers *out,
                  char why[IL_HDF5_WHY]) {
    il_hdf5_head refused = {.rank = -1};
    reports before = silence();
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    (void)H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (file < 0) {
        (void)fail(&refused);
        memcpy(why, refused.why, IL_HDF5_WHY);
    }
    (void)H5Pclose(access);
    for (size_t k = 0; file >= 0 && k < n; k++) {
        if (strcmp(names[k], "*") == 0) {
            out[k] = (il_hdf5_numbers){.head = {.rank = -1}, .n = SIZE_MAX};
            others w = {names, n, out[k].head.why};
            (void)H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, add_other, &w);
            continue;
        }
        read_array(file, names[k], &out[k]);
    }
    end(file, before);
    return file >= 0;
}
