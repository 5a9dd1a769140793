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
#include "harness/io/process.h"
#include "harness/io/scratch.h"

enum { WORD = 128, TEXT = 4096 };

static const double TOUCH = 20.0; /* seconds between two signs of life */
static const time_t LASTS = 120;  /* without one */

/* A process, and where its number means something. */
typedef struct {
    char host[WORD], boot[WORD], space[WORD]; /* machine, its start, its name space of processes */
    char start[32];                           /* of the process, in ticks since boot */
    long pid;
} owner;

struct il_leases {
    char *folder; /* RESULTS/claims */
    owner self;
    char **held; /* [n] paths: giving one back takes no memory */
    size_t n, room;
    double touched; /* monotonic */
    char *spare;    /* path of a scratch file, there while it is open as spare_fd; else -1 */
    int spare_fd;
};

/* ---- owners --------------------------------------------------------------------------------- */

/* The first line of a file of /proc; "" if there is none. Without memory: for want of it nobody is
 * taken for dead. */
static void read_line(const char *path, char *line, size_t capacity) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, line, capacity - 1) : 0;
    line[n > 0 ? n : 0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    if (fd >= 0) {
        (void)close(fd);
    }
}

/* When process pid began, as text; "" where there is none, or nobody can tell: *known. */
static void read_start(long pid, char start[32], bool *known) {
    long long born = -1;
    *known = il_process_born(pid, &born);
    start[0] = '\0';
    if (born >= 0) {
        (void)snprintf(start, 32, "%lld", born);
    }
}

static owner who_we_are(void) {
    owner self = {.pid = (long)getpid()};
    if (gethostname(self.host, sizeof self.host - 1) != 0) {
        (void)snprintf(self.host, sizeof self.host, "unknown");
    }
    read_line("/proc/sys/kernel/random/boot_id", self.boot, sizeof self.boot);
    ssize_t n = readlink("/proc/self/ns/pid", self.space, sizeof self.space - 1);
    self.space[n > 0 ? n : 0] = '\0';
    bool known = true;
    read_start(self.pid, self.start, &known);
    return self;
}

static void take_word(const json_t *object, const char *key, char *word, size_t capacity) {
    (void)snprintf(word, capacity, "%s", il_json_get_text(object, key));
}

static owner owner_of(const json_t *lease) {
    owner o = {.pid = (long)json_integer_value(json_object_get(lease, "pid"))};
    take_word(lease, "host", o.host, sizeof o.host);
    take_word(lease, "boot", o.boot, sizeof o.boot);
    take_word(lease, "space", o.space, sizeof o.space);
    take_word(lease, "start", o.start, sizeof o.start);
    return o;
}

static bool same_place(const owner *a, const owner *b) {
    return strcmp(a->host, b->host) == 0 && strcmp(a->boot, b->boot) == 0 && a->boot[0] != '\0' &&
           strcmp(a->space, b->space) == 0 && a->space[0] != '\0';
}

static bool same(const owner *a, const owner *b) {
    return same_place(a, b) && a->pid == b->pid && strcmp(a->start, b->start) == 0;
}

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
    owner o = owner_of(lease);
    if (lease != NULL && same_place(&o, &w->self) && o.start[0] != '\0') {
        char start[32];
        bool known = true;
        read_start(o.pid, start, &known);
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
        w->spare_fd = -1;
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
    w->self = who_we_are();
    w->touched = il_clock_seconds();
    clear(w);
    *out = w;
    return IL_OK;
}

static void drop_spare(il_leases *w) {
    if (w->spare_fd >= 0) {
        (void)unlink(w->spare);
        (void)close(w->spare_fd);
        w->spare_fd = -1;
    }
}

/* Remove our claim at path, under the lock of the folder; its file is kept as the spare one where
 * there is none. So a sweep of thousands of short cases makes and deletes a few files, not one a
 * case: ext4 without a journal looks at all that were deleted in the last seconds before it makes
 * another, which took a tenth of such a sweep. Who looks without the lock may, for an instant, read
 * the next case's words under this one's name. */
static void retire(il_leases *w, const char *path) {
    int fd = w->spare != NULL && w->spare_fd < 0
                 ? open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                 : -1;
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && link(path, w->spare) == 0) {
        w->spare_fd = fd;
    } else if (fd >= 0) {
        (void)close(fd);
    }
    (void)unlink(path);
}

/* Claim k is no longer ours. It may have expired while we were stopped, and be another's; one that
 * cannot be read, for lack of memory, is what we made. */
static void give(il_leases *w, size_t k) {
    bool there = false;
    time_t touched = 0;
    char *path = w->held[k];
    int lock = lock_folder(w);
    json_t *lease = NULL;
    (void)read_lease(path, &lease, &there, &touched);
    owner o = owner_of(lease);
    if (lease == NULL) {
        (void)unlink(path);
    } else if (same(&o, &w->self)) {
        retire(w, path);
    }
    json_decref(lease);
    unlock(lock);
    free(path);
    w->held[k] = w->held[--w->n];
}

void il_leases_close(il_leases *w) {
    if (w == NULL) {
        return;
    }
    while (w->n > 0) {
        give(w, w->n - 1);
    }
    drop_spare(w);
    free(w->spare);
    free(w->held);
    free(w->folder);
    free(w);
}

/* ---- taking --------------------------------------------------------------------------------- */

static size_t place_of(const il_leases *w, const char *name) {
    size_t k = 0;
    while (k < w->n && strcmp(strrchr(w->held[k], '/') + 1, name) != 0) {
        k++;
    }
    return k;
}

/* text alone, whatever the file said. */
static bool put(int fd, const char *text) {
    size_t n = strlen(text);
    if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0) {
        return false;
    }
    while (n > 0) {
        ssize_t done = write(fd, text, n);
        if (done < 0 && errno != EINTR) {
            return false;
        }
        text += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

/* Under the lock of the folder: a file system without links has the file by its name, where one
 * without locks too may have two owners. */
static bool place(const char *scratch, const char *path) {
    if (link(scratch, path) == 0) {
        return true;
    }
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS) {
        return false;
    }
    if (access(path, F_OK) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(scratch, path) == 0;
}

static il_status have_spare(il_leases *w, const char *path, il_error *err) {
    if (w->spare_fd >= 0) {
        return IL_OK;
    }
    free(w->spare);
    return il_scratch_file(path, &w->spare, &w->spare_fd, err);
}

/* Our lease at path, whole or not at all. *made is false, and IL_OK, where somebody was before. */
static il_status make(il_leases *w, const char *path, const char *what, bool *made, il_error *err) {
    *made = false;
    json_t *lease =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:I}", "case", what, "host", w->self.host, "boot",
                  w->self.boot, "space", w->self.space, "start", w->self.start, "pid",
                  (json_int_t)w->self.pid, "since", (json_int_t)il_date_now());
    char *text = il_json_text(lease);
    json_decref(lease);
    if (text == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a claim");
    }
    il_status status = have_spare(w, path, err);
    if (status == IL_OK) {
        *made = put(w->spare_fd, text) && place(w->spare, path);
        if (!*made && errno != EEXIST) {
            status = il_fail(err, il_status_of_errno(errno), "cannot write '%s': %s", path,
                             strerror(errno));
        }
        drop_spare(w);
    }
    free(text);
    return status;
}

static void name_holder(const json_t *lease, char *holder) {
    owner o = owner_of(lease);
    if (o.host[0] != '\0') {
        (void)snprintf(holder, IL_LEASE_HOLDER, "process %ld on %.60s", o.pid, o.host);
    } else {
        (void)snprintf(holder, IL_LEASE_HOLDER, "somebody");
    }
}

static bool note_held(il_leases *w, const char *path) {
    if (w->n == w->room) {
        size_t room = 2 * w->room + 8;
        if (!il_memory_grow(&w->held, room, sizeof *w->held)) {
            return false;
        }
        w->room = room;
    }
    char *copy = strdup(path);
    if (copy != NULL) {
        w->held[w->n++] = copy;
    }
    return copy != NULL;
}

/* Under the lock of the folder. */
static il_status claim(il_leases *w, const char *path, const char *what, bool *ours, char *holder,
                       il_error *err) {
    bool there = false;
    time_t touched = 0;
    json_t *lease = NULL;
    il_status status = read_lease(path, &lease, &there, &touched);
    *ours = false;
    if (status != IL_OK) {
        return il_fail(err, status, "no memory for a claim");
    }
    if (there && !lives(w, lease, touched)) {
        (void)unlink(path);
        there = false;
    }
    if (!there) {
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
    *ours = w == NULL || place_of(w, name) < w->n;
    if (*ours) {
        return IL_OK;
    }
    char *path = path_of(w->folder, name);
    if (path == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for a claim");
    }
    int lock = lock_folder(w);
    il_status status = claim(w, path, what, ours, holder, err);
    if (status == IL_OK && *ours && !note_held(w, path)) {
        (void)unlink(path);
        status = il_fail(err, IL_ENOMEM, "no memory for a claim");
    }
    unlock(lock);
    free(path);
    return status;
}

void il_leases_give(il_leases *w, const char *name) {
    size_t k = w != NULL ? place_of(w, name) : 0;
    if (w != NULL && k < w->n) {
        give(w, k);
    }
}

void il_leases_refresh(il_leases *w) {
    if (w == NULL || w->n == 0 || il_clock_seconds() - w->touched < TOUCH) {
        return;
    }
    w->touched = il_clock_seconds();
    for (size_t k = 0; k < w->n; k++) {
        (void)utimensat(AT_FDCWD, w->held[k], NULL, AT_SYMLINK_NOFOLLOW);
    }
}

/* ---- looking -------------------------------------------------------------------------------- */

json_t *il_leases_held(const char *results) {
    il_leases w = {.folder = path_of(results, "claims"), .self = who_we_are(), .spare_fd = -1};
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
