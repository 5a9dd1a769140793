/*
 * lease.c - the files in RESULTS/claims, each locked by its owner.
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

enum { TEXT = 4096, WORD = 128, PATH = 4608, TRIES = 100 };

static const double TOUCH = 20.0; /* seconds between two signs of life */
static const time_t LASTS = 120;  /* without one */

typedef struct {
    char path[PATH];
    int fd; /* holds the lock of our file; another's may have taken its place */
} claim;

struct il_leases {
    char folder[PATH]; /* RESULTS/claims */
    char boot[WORD];   /* which start of which machine we run on */
    claim *held;       /* [n] */
    size_t n;
    double touched; /* monotonic */
};

/* ---- owners --------------------------------------------------------------------------------- */

static void find_boot(char boot[WORD]) {
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, boot, WORD - 1) : 0;
    boot[n > 0 ? n : 0] = '\0';
    boot[strcspn(boot, "\n")] = '\0';
    if (fd >= 0) {
        (void)close(fd);
    }
}

/* The current time by the clock that stamps files in folder, which may be another machine's. */
static time_t file_now(const char *folder) {
    struct stat info;
    bool stamped = utimensat(AT_FDCWD, folder, NULL, 0) == 0 && stat(folder, &info) == 0;
    return stamped ? info.st_mtime : il_date_now();
}

/* The object that a claim holds, the caller's; NULL where it cannot be understood. */
static json_t *read_claim(int fd, bool *empty) {
    char text[TEXT];
    json_t *lease = NULL;
    ssize_t n = pread(fd, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    *empty = n == 0;
    (void)(n > 0 && il_json_parse(text, &lease, NULL) == IL_OK);
    return lease;
}

/* Is the owner of the claim alive? A process of this machine holds the lock, or is gone, or died
 * before it wrote; of one of another machine the last touch decides. If not, the lock is ours. */
static bool is_alive(const il_leases *w, int fd, const json_t *lease, bool empty) {
    struct stat info = {.st_mtime = 0};
    bool locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno == EWOULDBLOCK) {
        return true;
    }
    bool here = w->boot[0] != '\0' && strcmp(il_json_get_text(lease, "boot"), w->boot) == 0;
    if (empty || (locked && here)) {
        return false;
    }
    (void)fstat(fd, &info);
    return file_now(w->folder) - info.st_mtime <= LASTS;
}

/* Does path still lead to the open file? */
static bool is_there(int fd, const char *path) {
    struct stat there;
    struct stat ours;
    return lstat(path, &there) == 0 && fstat(fd, &ours) == 0 && there.st_dev == ours.st_dev &&
           there.st_ino == ours.st_ino;
}

/* Is there a living claim at path? *lease, the caller's, is what it says. clear: remove one whose
 * owner is gone. */
static bool is_claimed(const il_leases *w, const char *path, bool clear, json_t **lease) {
    bool empty = false;
    *lease = NULL;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return errno != ENOENT; /* it may be alive */
    }
    *lease = read_claim(fd, &empty);
    bool alive = is_alive(w, fd, *lease, empty);
    if (!alive && clear && is_there(fd, path)) {
        (void)unlink(path);
    }
    (void)close(fd);
    return alive;
}

/* ---- all that there are --------------------------------------------------------------------- */

static json_t *held_json(const char *name, const json_t *lease) {
    return json_pack("{s:o, s:O?, s:O?, s:O?, s:O?}", "name", il_json_text_new(name), "case",
                     json_object_get(lease, "case"), "host", json_object_get(lease, "host"), "pid",
                     json_object_get(lease, "pid"), "since", json_object_get(lease, "since"));
}

/* An array of the living claims. clear: remove the others; nobody asks again for a case that was
 * stored just before its owner was killed. */
static json_t *look_at_all(const il_leases *w, bool clear) {
    DIR *dir = opendir(w->folder);
    const struct dirent *item = NULL;
    json_t *held = json_array();
    while (dir != NULL && (item = readdir(dir)) != NULL) {
        json_t *lease = NULL;
        char path[PATH + WORD];
        (void)snprintf(path, sizeof path, "%s/%.100s", w->folder, item->d_name);
        bool ours = item->d_name[0] != '.' && !il_scratch_is_name(item->d_name);
        if (ours && is_claimed(w, path, clear, &lease) && lease != NULL) {
            il_json_append(held, held_json(item->d_name, lease));
        }
        json_decref(lease);
    }
    if (dir != NULL) {
        (void)closedir(dir);
    }
    return held;
}

json_t *il_leases_held(const char *results) {
    il_leases w = {.n = 0};
    (void)snprintf(w.folder, sizeof w.folder, "%s/claims", results);
    find_boot(w.boot);
    return look_at_all(&w, false);
}

/* ---- opening and closing -------------------------------------------------------------------- */

il_status il_leases_open(il_leases **out, const char *results, il_error *err) {
    il_leases *w = il_alloc_zero(1, sizeof *w);
    *out = NULL;
    (void)snprintf(w->folder, sizeof w->folder, "%s/claims", results);
    w->touched = il_clock_seconds();
    find_boot(w->boot);
    il_status status = il_folder_make_inside(results, "claims", err);
    if (status != IL_OK) {
        il_leases_close(w);
        return status;
    }
    json_decref(look_at_all(w, true));
    *out = w;
    return IL_OK;
}

static void give(il_leases *w, claim *c) {
    if (is_there(c->fd, c->path)) {
        (void)unlink(c->path);
    }
    (void)close(c->fd);
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

/* The text of our claim of a case; the caller's. */
static char *spell(const il_leases *w, const char *what) {
    char host[WORD] = "unknown";
    (void)gethostname(host, sizeof host - 1);
    json_t *all = json_pack("{s:o, s:I, s:o, s:s, s:i}", "case", il_json_text_new(what), "since",
                            (json_int_t)il_date_now(), "host", il_json_text_new(host), "boot",
                            w->boot, "pid", (int)getpid());
    char *text = il_json_text(all);
    json_decref(all);
    return text;
}

/* Create our claim at path, with its lock. -1, and errno: EEXIST where there is one. */
static int create(const char *path, const char *text) {
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        return -1;
    }
    bool locked = flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    ssize_t size = (ssize_t)strlen(text);
    if (locked && write(fd, text, (size_t)size) == size && is_there(fd, path)) {
        return fd;
    }
    /* another program found it empty, and took its owner for gone; or the disk is full */
    int reason = locked && is_there(fd, path) ? errno : EEXIST;
    (void)(reason != EEXIST && unlink(path));
    (void)close(fd);
    errno = reason;
    return -1;
}

/* Take the case whose claim has this path, or say who has it. */
static il_status take(il_leases *w, const char *path, const char *text, bool *ours, char *holder,
                      il_error *err) {
    json_t *lease = NULL;
    bool claimed = false;
    int fd = -1;
    for (int k = 0; k < TRIES && fd < 0 && !claimed; k++) {
        json_decref(lease);
        lease = NULL;
        fd = create(path, text);
        if (fd < 0 && errno != EEXIST) {
            return il_fail(err, il_status_of_errno(errno), "cannot write '%s': %s", path,
                           strerror(errno));
        }
        claimed = fd < 0 && is_claimed(w, path, true, &lease);
    }
    *ours = fd >= 0;
    if (*ours) {
        claim *c = &w->held[w->n++];
        c->fd = fd;
        memcpy(c->path, path, PATH);
    } else if (il_json_get_text(lease, "host")[0] != '\0') {
        (void)snprintf(holder, IL_LEASE_HOLDER, "process %lld on %.60s",
                       (long long)json_integer_value(json_object_get(lease, "pid")),
                       il_json_get_text(lease, "host"));
    } else {
        (void)snprintf(holder, IL_LEASE_HOLDER, "somebody");
    }
    json_decref(lease);
    return IL_OK;
}

il_status il_leases_take(il_leases *w, const char *name, const char *what, bool *ours, char *holder,
                         il_error *err) {
    *ours = w == NULL || find(w, name) != NULL;
    if (*ours) {
        return IL_OK;
    }
    char path[PATH];
    char *text = spell(w, what);
    il_memory_append(&w->held, w->n, sizeof *w->held);
    (void)snprintf(path, sizeof path, "%.*s/%s", PATH - WORD, w->folder, name);
    il_status status = take(w, path, text, ours, holder, err);
    free(text);
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
