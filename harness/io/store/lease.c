/*
 * lease.c - files in RESULTS/claims, each one's owner, and whether that lives.
 */
#include "harness/io/store/lease.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/date.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/io/file.h"
#include "harness/io/scratch.h"
#include "harness/io/store/owner.h"

enum { TEXT = 4096 };

static const double TOUCH = 20.0; /* seconds between two signs of life */
static const time_t LASTS = 120;  /* without one */

/* A file of ours, which is one claim after the other: so a sweep of thousands of short cases makes
 * and deletes a few files, not one a case. ext4 without a journal looks at all that were deleted in
 * the last seconds before it makes another, which took a tenth of such a sweep. */
typedef struct {
    char *scratch; /* its path while it claims nothing, locked (scratch.h) */
    int fd;
    ino_t ino;
    size_t size;  /* letters that were written */
    char *path;   /* the claim that it is now; NULL: none */
    bool renamed; /* to path: there are no links */
} claim_file;

struct il_leases {
    char *folder; /* RESULTS/claims */
    il_owner self;
    char *owner;       /* that, as every claim has it */
    claim_file *files; /* [n] */
    size_t n, room;
    double touched; /* monotonic */
};

/* ---- files ---------------------------------------------------------------------------------- */

static char *path_of(const char *folder, const char *name) {
    char *path = NULL;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* The present by the clock that stamps files in folder, which may be another machine's. */
static time_t file_now(const char *folder) {
    struct stat info = {.st_mtime = il_date_now()};
    char *path = path_of(folder, "clock");
    char *name = NULL;
    int lock = -1;
    if (path != NULL && il_scratch_file(path, &name, &lock, NULL) == IL_OK) {
        (void)fstat(lock, &info);
        il_scratch_remove(name);
        (void)close(lock);
        free(name);
    }
    free(path);
    return info.st_mtime;
}

/* The lease in a file, *lease the caller's; NULL where there is none, or no whole one. *there:
 * there is a file, last touched at *touched. IL_ENOMEM: then nobody knows what it says. */
static il_status read_lease(const char *path, json_t **lease, bool *there, time_t *touched) {
    char text[TEXT];
    struct stat info;
    il_status status = IL_OK;
    *lease = NULL;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    *there = fd >= 0 || errno != ENOENT;
    bool seen = (fd >= 0 ? fstat(fd, &info) : lstat(path, &info)) == 0;
    *touched = seen ? info.st_mtime : 0;
    if (fd < 0) { /* a link; or it is we who have no descriptor left */
        return IL_OK;
    }
    if (seen) {
        ssize_t n = read(fd, text, sizeof text - 1);
        text[n > 0 ? n : 0] = '\0';
        status = n > 0 ? il_json_parse(text, lease, NULL) : IL_OK;
    }
    (void)close(fd);
    return status == IL_ENOMEM ? status : IL_OK;
}

static bool lives(const il_leases *w, const json_t *lease, time_t touched) {
    il_owner o = il_owner_of(lease);
    if (lease != NULL && il_owner_same_place(&o, &w->self) && o.start[0] != '\0') {
        char start[IL_OWNER_START];
        bool known = true;
        il_owner_start(o.pid, start, &known);
        if (known) {
            return strcmp(start, o.start) == 0;
        }
    }
    return file_now(w->folder) - touched <= LASTS;
}

/* The folder, locked until it is closed; -1, and nothing is locked, where it cannot be. */
static int lock_folder(const il_leases *w) {
    int fd = open(w->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (fd >= 0 && flock(fd, LOCK_EX) != 0 && errno == EINTR) {
    }
    return fd;
}

static void unlock(int fd) {
    if (fd >= 0) {
        (void)close(fd);
    }
}

/* ---- opening -------------------------------------------------------------------------------- */

/* What sweeps that were killed left: a claim of a case that was stored just before is asked for by
 * nobody. */
static void clear(const il_leases *w) {
    DIR *dir = opendir(w->folder);
    const struct dirent *item = NULL;
    int lock = lock_folder(w);
    il_scratch_clear(w->folder, NULL);
    while (dir != NULL && (item = readdir(dir)) != NULL) {
        bool there = false;
        time_t touched = 0;
        bool named = item->d_name[0] != '.' && !il_scratch_is_name(item->d_name);
        char *path = named ? path_of(w->folder, item->d_name) : NULL;
        json_t *lease = NULL;
        bool known = path != NULL && read_lease(path, &lease, &there, &touched) == IL_OK;
        if (known && there && !lives(w, lease, touched)) {
            (void)unlink(path);
        }
        json_decref(lease);
        free(path);
    }
    unlock(lock);
    if (dir != NULL) {
        (void)closedir(dir);
    }
}

il_status il_leases_open(il_leases **out, const char *results, il_error *err) {
    *out = NULL;
    il_leases *w = calloc(1, sizeof *w);
    if (w != NULL) {
        w->folder = path_of(results, "claims");
    }
    if (w == NULL || w->folder == NULL) {
        free(w);
        return il_fail(err, IL_ENOMEM, "no memory for claims");
    }
    il_status status = il_folder_make_inside(results, "claims", err);
    if (status != IL_OK) {
        il_leases_close(w);
        return status;
    }
    w->self = il_owner_self();
    w->owner = il_owner_text(&w->self);
    if (w->owner == NULL) {
        il_leases_close(w);
        return il_fail(err, IL_ENOMEM, "no memory for claims");
    }
    w->touched = il_clock_seconds();
    clear(w);
    *out = w;
    return IL_OK;
}

/* Claim and file go; what stands at path may, as we were stopped for long, be another's. */
static void remove_file(claim_file *f) {
    (void)unlink(f->scratch);
    (void)close(f->fd);
    free(f->scratch);
    free(f->path);
}

/* The claim that f is is no longer ours; f waits for another. It may have expired while we were
 * stopped, and be another's: then its file is not f. Who looks without the lock may, for an
 * instant, read the next case's words under this one's name. */
static void give(il_leases *w, claim_file *f) {
    struct stat info;
    int lock = lock_folder(w);
    if (lstat(f->path, &info) == 0 && info.st_ino == f->ino) {
        (void)unlink(f->path);
    }
    unlock(lock);
    free(f->path);
    f->path = NULL;
    if (f->renamed) {
        remove_file(f);
        *f = w->files[--w->n];
    }
}

void il_leases_close(il_leases *w) {
    if (w == NULL) {
        return;
    }
    for (size_t k = w->n; k-- > 0;) {
        if (w->files[k].path != NULL) {
            give(w, &w->files[k]);
        }
    }
    while (w->n > 0) {
        remove_file(&w->files[--w->n]);
    }
    free(w->files);
    free(w->owner);
    free(w->folder);
    free(w);
}

/* ---- taking --------------------------------------------------------------------------------- */

/* The file that claims name; NULL where we do not hold it. */
static claim_file *file_of(const il_leases *w, const char *name) {
    for (size_t k = 0; k < w->n; k++) {
        const char *path = w->files[k].path;
        if (path != NULL && strcmp(strrchr(path, '/') + 1, name) == 0) {
            return &w->files[k];
        }
    }
    return NULL;
}

/* text in f, and blanks over what it said before: shorter and longer again, a file would give its
 * block back to the system each time. */
static bool put(claim_file *f, const char *text) {
    size_t n = strlen(text);
    char *all = NULL;
    if (asprintf(&all, "%-*s", (int)(n > f->size ? n : f->size), text) < 0) {
        return false;
    }
    n = strlen(all);
    for (size_t at = 0; at < n;) {
        ssize_t done = pwrite(f->fd, all + at, n - at, (off_t)at);
        if (done < 0 && errno != EINTR) {
            free(all);
            return false;
        }
        at += done > 0 ? (size_t)done : 0;
    }
    f->size = n;
    free(all);
    return true;
}

/* Under the lock of the folder: a file system without links has the file by its name, where one
 * without locks too may have two owners. */
static bool place(claim_file *f, const char *path) {
    if (link(f->scratch, path) == 0) {
        return true;
    }
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS) {
        return false;
    }
    if (access(path, F_OK) == 0) {
        errno = EEXIST;
        return false;
    }
    f->renamed = rename(f->scratch, path) == 0;
    return f->renamed;
}

/* One that claims nothing, made where there is none. */
static il_status find_file(il_leases *w, const char *path, claim_file **f, il_error *err) {
    struct stat info;
    for (size_t k = 0; k < w->n; k++) {
        if (w->files[k].path == NULL) {
            *f = &w->files[k];
            return IL_OK;
        }
    }
    if (w->n == w->room) {
        if (!il_memory_grow(&w->files, 2 * w->room + 8, sizeof *w->files)) {
            return il_fail(err, IL_ENOMEM, "no memory for a claim");
        }
        w->room = 2 * w->room + 8;
    }
    *f = &w->files[w->n];
    **f = (claim_file){.fd = -1};
    il_status status = il_scratch_file(path, &(*f)->scratch, &(*f)->fd, err);
    if (status == IL_OK) {
        (*f)->ino = fstat((*f)->fd, &info) == 0 ? info.st_ino : 0;
        w->n++;
    }
    return status;
}

/* What f says as the claim of a case; NULL without memory. */
static char *spell(const il_leases *w, const char *what) {
    json_t *words = il_json_text_new(what);
    char *quoted = il_json_text(words);
    char *text = NULL;
    json_decref(words);
    if (quoted == NULL || asprintf(&text, "{\"case\": %s, \"since\": %lld, %s", quoted,
                                   (long long)il_date_now(), w->owner) < 0) {
        text = NULL;
    }
    free(quoted);
    return text;
}

/* Our lease at path, whole or not at all. *made is false, and IL_OK, where somebody was before. */
static il_status make(il_leases *w, const char *path, const char *what, bool *made, il_error *err) {
    *made = false;
    claim_file *f = NULL;
    char *copy = strdup(path);
    char *text = spell(w, what);
    if (copy == NULL || text == NULL) {
        free(copy);
        free(text);
        return il_fail(err, IL_ENOMEM, "no memory for a claim");
    }
    il_status status = find_file(w, path, &f, err);
    if (status == IL_OK) {
        errno = 0;
        *made = put(f, text) && place(f, path);
        if (*made) {
            f->path = copy;
            copy = NULL;
        } else if (errno != EEXIST) {
            status = il_fail(err, il_status_of_errno(errno), "cannot write '%s': %s", path,
                             strerror(errno));
        }
    }
    free(copy);
    free(text);
    return status;
}

static void name_holder(const json_t *lease, char *holder) {
    il_owner o = il_owner_of(lease);
    if (o.host[0] != '\0') {
        (void)snprintf(holder, IL_LEASE_HOLDER, "process %ld on %.60s", o.pid, o.host);
    } else {
        (void)snprintf(holder, IL_LEASE_HOLDER, "somebody");
    }
}

/* Under the lock of the folder, where somebody has it. */
static il_status claim_after(il_leases *w, const char *path, const char *what, bool *ours,
                             char *holder, il_error *err) {
    bool there = false;
    time_t touched = 0;
    json_t *lease = NULL;
    il_status status = read_lease(path, &lease, &there, &touched);
    if (status != IL_OK) {
        return il_fail(err, status, "no memory for a claim");
    }
    if (!there || !lives(w, lease, touched)) {
        (void)unlink(path);
        status = make(w, path, what, ours, err);
    }
    if (status == IL_OK && !*ours) {
        name_holder(lease, holder);
    }
    json_decref(lease);
    return status;
}

il_status il_leases_take(il_leases *w, const char *name, const char *what, bool *ours, char *holder,
                         il_error *err) {
    *ours = w == NULL || file_of(w, name) != NULL;
    if (*ours) {
        return IL_OK;
    }
    char *path = path_of(w->folder, name);
    if (path == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a claim");
    }
    int lock = lock_folder(w);
    il_status status = make(w, path, what, ours, err);
    if (status == IL_OK && !*ours) {
        status = claim_after(w, path, what, ours, holder, err);
    }
    unlock(lock);
    free(path);
    return status;
}

void il_leases_give(il_leases *w, const char *name) {
    claim_file *f = w != NULL ? file_of(w, name) : NULL;
    if (f != NULL) {
        give(w, f);
    }
}

void il_leases_refresh(il_leases *w) {
    if (w == NULL || il_clock_seconds() - w->touched < TOUCH) {
        return;
    }
    w->touched = il_clock_seconds();
    for (size_t k = 0; k < w->n; k++) {
        if (w->files[k].path != NULL) {
            (void)futimens(w->files[k].fd, NULL);
        }
    }
}

/* ---- looking -------------------------------------------------------------------------------- */

json_t *il_leases_held(const char *results) {
    il_leases w = {.folder = path_of(results, "claims"), .self = il_owner_self()};
    il_json j = {false};
    json_t *all = json_array();
    errno = 0;
    DIR *dir = w.folder != NULL ? opendir(w.folder) : NULL;
    const struct dirent *item = NULL;
    j.failed = dir == NULL && errno == ENOMEM;
    while (dir != NULL && (item = readdir(dir)) != NULL) {
        bool there = false;
        time_t touched = 0;
        bool named = item->d_name[0] != '.' && !il_scratch_is_name(item->d_name);
        char *path = named ? path_of(w.folder, item->d_name) : NULL;
        json_t *lease = NULL;
        j.failed |= named && (path == NULL || read_lease(path, &lease, &there, &touched) != IL_OK);
        if (lease != NULL && lives(&w, lease, touched)) {
            json_t *one = json_object();
            il_json_put_text(&j, one, "name", item->d_name);
            static const char *const keys[] = {"case", "host", "pid", "since"};
            for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
                json_t *value = json_object_get(lease, keys[k]);
                il_json_set(&j, one, keys[k], value != NULL ? json_incref(value) : json_null());
            }
            il_json_append(&j, all, one);
        }
        json_decref(lease);
        free(path);
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
    j.failed = j.failed || w.folder == NULL;
    free(w.folder);
    return il_json_done(&j, all);
}
