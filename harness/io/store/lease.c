/*
 * lease.c - the files in RESULTS/claims, and whether their owners are alive.
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

enum { TEXT = 4096, WORD = 128 };

static const double TOUCH = 20.0; /* seconds between two signs of life */
static const time_t LASTS = 120;  /* without one */

typedef struct {
    char *path;
    int fd; /* of our file; another's may have taken its place while we were stopped */
} claim;

struct il_leases {
    char *folder; /* RESULTS/claims */
    json_t *self; /* {"host", "boot", "space", "start", "pid"} of this process */
    claim *held;  /* [n] */
    size_t n;
    double touched; /* monotonic */
};

static char *path_of(const char *folder, const char *name) {
    char *path = NULL;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* ---- owners --------------------------------------------------------------------------------- */

/* The machine, its start, its name space of processes, and a process in that with its start. */
static json_t *self_new(void) {
    char host[WORD] = "unknown";
    char boot[WORD] = "";
    char space[WORD] = "";
    char start[32] = "";
    long long born = -1;
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, boot, sizeof boot - 1) : 0;
    boot[n > 0 ? n : 0] = '\0';
    boot[strcspn(boot, "\n")] = '\0';
    if (fd >= 0) {
        (void)close(fd);
    }
    (void)gethostname(host, sizeof host - 1);
    n = readlink("/proc/self/ns/pid", space, sizeof space - 1);
    space[n > 0 ? n : 0] = '\0';
    if (il_process_born((long)getpid(), &born)) {
        (void)snprintf(start, sizeof start, "%lld", born);
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:I}", "host", host, "boot", boot, "space", space,
                     "start", start, "pid", (json_int_t)getpid());
}

/* Have both the same nonempty text there? */
static bool agree(const json_t *a, const json_t *b, const char *key) {
    const char *text = il_json_get_text(a, key);
    return text[0] != '\0' && strcmp(text, il_json_get_text(b, key)) == 0;
}

/* The current time by the clock that stamps files in folder, which may be another machine's. */
static time_t file_now(const char *folder) {
    struct stat info;
    bool stamped = utimensat(AT_FDCWD, folder, NULL, 0) == 0 && stat(folder, &info) == 0;
    return stamped ? info.st_mtime : il_date_now();
}

/* Is the owner alive? On this machine it is if its process runs; on another its last touch
 * decides. */
static bool lives(const il_leases *w, const json_t *lease, time_t touched) {
    const char *start = il_json_get_text(lease, "start");
    long long born = -1;
    if (agree(lease, w->self, "host") && agree(lease, w->self, "boot") &&
        agree(lease, w->self, "space") && start[0] != '\0' &&
        il_process_born((long)json_integer_value(json_object_get(lease, "pid")), &born)) {
        return born >= 0 && born == strtoll(start, NULL, 10);
    }
    return file_now(w->folder) - touched <= LASTS;
}

/* The lease in a file, *lease the caller's; NULL where there is none, or an incomplete one. *there:
 * it is complete, or it cannot be read, and was last touched at *touched. IL_ENOMEM. */
static il_status read_lease(const char *path, json_t **lease, bool *there, time_t *touched) {
    char text[TEXT];
    struct stat info;
    *lease = NULL;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    *there = fd >= 0 || errno != ENOENT; /* it is we who have no descriptor left */
    *touched = (fd >= 0 ? fstat(fd, &info) : lstat(path, &info)) == 0 ? info.st_mtime : 0;
    if (fd < 0) {
        return IL_OK;
    }
    ssize_t n = read(fd, text, sizeof text - 1);
    (void)close(fd);
    text[n > 0 ? n : 0] = '\0';
    *there = n != 0;
    return n > 0 && il_json_parse(text, lease, NULL) == IL_ENOMEM ? IL_ENOMEM : IL_OK;
}

/* ---- all that there are --------------------------------------------------------------------- */

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

static json_t *held_json(il_json *j, const char *name, const json_t *lease) {
    static const char *const keys[] = {"case", "host", "pid", "since"};
    json_t *one = json_object();
    il_json_put_text(j, one, "name", name);
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        json_t *value = json_object_get(lease, keys[k]);
        il_json_set(j, one, keys[k], value != NULL ? json_incref(value) : json_null());
    }
    return one;
}

/* Append valid leases to `held`; if that is NULL, remove the expired ones (nobody asks again for a
 * case that was stored just before its owner was killed). False when memory ran out. */
static bool look_at_all(const il_leases *w, json_t *held) {
    errno = 0;
    DIR *dir = opendir(w->folder);
    const struct dirent *item = NULL;
    il_json j = {dir == NULL && errno == ENOMEM};
    while (dir != NULL && (item = readdir(dir)) != NULL) {
        bool there = false;
        time_t touched = 0;
        json_t *lease = NULL;
        if (item->d_name[0] == '.' || il_scratch_is_name(item->d_name)) {
            continue;
        }
        char *path = path_of(w->folder, item->d_name);
        bool known = path != NULL && read_lease(path, &lease, &there, &touched) == IL_OK;
        bool alive = known && there && lives(w, lease, touched);
        if (held != NULL && alive && lease != NULL) {
            il_json_append(&j, held, held_json(&j, item->d_name, lease));
        } else if (held == NULL && known && !alive) {
            (void)unlink(path);
        }
        j.failed = j.failed || !known;
        json_decref(lease);
        free(path);
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
    return !j.failed;
}

json_t *il_leases_held(const char *results) {
    il_leases w = {.folder = path_of(results, "claims"), .self = self_new()};
    json_t *all = json_array();
    if (w.folder == NULL || w.self == NULL || all == NULL || !look_at_all(&w, all)) {
        json_decref(all);
        all = NULL;
    }
    json_decref(w.self);
    free(w.folder);
    return all;
}

/* ---- opening and closing -------------------------------------------------------------------- */

il_status il_leases_open(il_leases **out, const char *results, il_error *err) {
    *out = NULL;
    il_leases *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for claims");
    }
    w->folder = path_of(results, "claims");
    w->self = self_new();
    w->touched = il_clock_seconds();
    il_status status = w->folder != NULL && w->self != NULL
                           ? il_folder_make_inside(results, "claims", err)
                           : il_fail(err, IL_ENOMEM, "no memory for claims");
    if (status != IL_OK) {
        il_leases_close(w);
        return status;
    }
    int lock = lock_folder(w);
    (void)look_at_all(w, NULL);
    unlock(lock);
    *out = w;
    return IL_OK;
}

/* Is the file there still ours? */
static bool is_ours(const claim *c) {
    struct stat there;
    struct stat ours;
    return lstat(c->path, &there) == 0 && fstat(c->fd, &ours) == 0 && there.st_ino == ours.st_ino;
}

static void give(il_leases *w, claim *c) {
    int lock = lock_folder(w);
    if (is_ours(c)) {
        (void)unlink(c->path);
    }
    unlock(lock);
    (void)close(c->fd);
    free(c->path);
    *c = w->held[--w->n];
}

void il_leases_close(il_leases *w) {
    if (w == NULL) {
        return;
    }
    while (w->n > 0) {
        give(w, &w->held[w->n - 1]);
    }
    free(w->held);
    json_decref(w->self);
    free(w->folder);
    free(w);
}

/* ---- taking --------------------------------------------------------------------------------- */

static claim *find(const il_leases *w, const char *name) {
    for (size_t k = 0; w != NULL && k < w->n; k++) {
        if (strcmp(strrchr(w->held[k].path, '/') + 1, name) == 0) {
            return &w->held[k];
        }
    }
    return NULL;
}

/* The content of our lease of a case; NULL without memory. */
static char *spell(const il_leases *w, const char *what) {
    il_json j = {false};
    json_t *all = json_object();
    il_json_set(&j, all, "case", il_json_text_new(what));
    il_json_set(&j, all, "since", json_integer((json_int_t)il_date_now()));
    il_json_merge(&j, all, w->self);
    all = il_json_done(&j, all);
    char *text = il_json_text(all);
    json_decref(all);
    return text;
}

/* Create our lease at path, under the lock of the folder. *made is false, with IL_OK, where there
 * is one. On a file system without locks another program may read it while it is empty, which is
 * harmless: the case is then run twice. */
static il_status make(il_leases *w, const char *path, const char *what, bool *made, il_error *err) {
    char *copy = strdup(path);
    char *text = spell(w, what);
    bool room = il_memory_append(&w->held, w->n, sizeof *w->held);
    int fd = -1;
    *made = false;
    if (copy == NULL || text == NULL || !room) {
        free(copy);
        free(text);
        return il_fail(err, IL_ENOMEM, "no memory for a claim");
    }
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool there = fd < 0 && errno == EEXIST;
    *made = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    int reason = errno;
    if (*made) {
        claim *ours = &w->held[w->n++];
        ours->path = copy;
        ours->fd = fd;
    } else {
        free(copy);
        if (fd >= 0) {
            (void)unlink(path);
            (void)close(fd);
        }
    }
    free(text);
    return *made || there ? IL_OK
                          : il_fail(err, il_status_of_errno(reason), "cannot write '%s': %s", path,
                                    strerror(reason));
}

/* The case where somebody has or had a lease. */
static il_status make_after(il_leases *w, const char *path, const char *what, bool *ours,
                            char *holder, il_error *err) {
    bool there = false;
    time_t touched = 0;
    json_t *lease = NULL;
    il_status status = read_lease(path, &lease, &there, &touched);
    if (status != IL_OK) {
        return il_fail(err, status, "no memory for a claim");
    }
    const char *host = il_json_get_text(lease, "host");
    long long pid = (long long)json_integer_value(json_object_get(lease, "pid"));
    if (!there || !lives(w, lease, touched)) {
        (void)unlink(path);
        status = make(w, path, what, ours, err);
    }
    if (status == IL_OK && !*ours && host[0] != '\0') {
        (void)snprintf(holder, IL_LEASE_HOLDER, "process %lld on %.60s", pid, host);
    } else if (status == IL_OK && !*ours) {
        (void)snprintf(holder, IL_LEASE_HOLDER, "somebody");
    }
    json_decref(lease);
    return status;
}

il_status il_leases_take(il_leases *w, const char *name, const char *what, bool *ours, char *holder,
                         il_error *err) {
    *ours = w == NULL || find(w, name) != NULL;
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
        status = make_after(w, path, what, ours, holder, err);
    }
    unlock(lock);
    free(path);
    return status;
}

void il_leases_give(il_leases *w, const char *name) {
    claim *c = find(w, name);
    if (c != NULL) {
        give(w, c);
    }
}

void il_leases_refresh(il_leases *w) {
    if (w == NULL || il_clock_seconds() - w->touched < TOUCH) {
        return;
    }
    w->touched = il_clock_seconds();
    for (size_t k = 0; k < w->n; k++) {
        (void)futimens(w->held[k].fd, NULL);
    }
}
