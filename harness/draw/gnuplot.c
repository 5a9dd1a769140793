/*
 * gnuplot.c - runs gnuplot, receives what it draws, and checks what it printed.
 *
 * gnuplot may warn and still end with status 0, so any output on its error stream counts as a
 * failure.
 */
#include "harness/draw/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/draw/svg.h"
#include "harness/io/file.h"
#include "harness/io/program.h"

enum { TIME_LIMIT = 60 /* seconds */, CHUNK = 1 << 16, PIPE = 1 << 20, ROOM = 512 };

static const char SAID[] = "said.part"; /* its error stream, in the folder */

/* ---- pictures -------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    char *path;
    int fd; /* our end of the pipe; -1: the file system has none, and gnuplot writes the file */
    char *text;
    size_t size, room; /* size < room where there is any */
    bool starved;      /* no memory for all of the text */
} picture;

typedef struct {
    picture *pictures;
    size_t n;
} album;

static il_status open_pipe(picture *p, const char *folder, il_error *err) {
    if (asprintf(&p->path, "%s/%s", folder, p->name) < 0) {
        p->path = NULL;
        return il_fail(err, IL_ENOMEM, "no memory for a file name");
    }
    if (mkfifo(p->path, 0600) != 0) {
        return errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL
                   ? IL_OK
                   : il_fail(err, il_status_of_errno(errno), "cannot write '%s': %s", p->path,
                             strerror(errno));
    }
    p->fd = open(p->path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    (void)fcntl(p->fd, F_SETPIPE_SZ, PIPE);
    return p->fd >= 0 ? IL_OK
                      : il_fail(err, il_status_of_errno(errno), "cannot write '%s': %s", p->path,
                                strerror(errno));
}

/* Take what is there, without waiting. Without a writer, one that has not come yet or has gone,
 * there are 0 bytes. */
static void read_pipe(picture *p) {
    ssize_t got = 1;
    while (p->fd >= 0 && got > 0) {
        char lost[512]; /* the writer must not block for ever */
        if (p->room - p->size <= CHUNK && !p->starved) {
            p->starved = !il_memory_grow(&p->text, 2 * p->room + CHUNK + 1, 1);
            p->room = p->starved ? p->room : 2 * p->room + CHUNK + 1;
        }
        got = p->starved ? read(p->fd, lost, sizeof lost) : read(p->fd, p->text + p->size, CHUNK);
        p->size += got > 0 && !p->starved ? (size_t)got : 0;
    }
}

static void read_pipes(void *data) {
    const album *a = data;
    for (size_t k = 0; k < a->n; k++) {
        read_pipe(&a->pictures[k]);
    }
}

/* What came, as a file in the place of the pipe. */
static il_status store(const picture *p, il_error *err) {
    il_file file = {0};
    struct stat info = {0};
    if (p->starved) {
        return il_fail(err, IL_ENOMEM, "no memory for '%s'", p->path);
    }
    if (p->fd < 0 ? stat(p->path, &info) != 0 || info.st_size == 0 : p->size == 0) {
        return il_fail(err, IL_EPLOT, "gnuplot wrote no %s", p->name);
    }
    if (p->fd < 0) {
        return IL_OK;
    }
    il_status status = il_file_open(&file, p->path, err);
    if (status == IL_OK) {
        file.passing = true; /* in a scratch folder: who renames it syncs it */
        p->text[p->size] = '\0';
        if (il_text_ends_with(p->name, ".svg")) {
            il_svg_put(file.stream, p->text);
        } else {
            (void)fwrite(p->text, 1, p->size, file.stream);
        }
        status = il_file_commit(&file, err);
    }
    return status;
}

static void close_album(album *a) {
    for (size_t k = 0; k < a->n; k++) {
        if (a->pictures[k].fd >= 0) {
            (void)close(a->pictures[k].fd);
        }
        free(a->pictures[k].path);
        free(a->pictures[k].text);
    }
    free(a->pictures);
}

/* ---- judging --------------------------------------------------------------------------------- */

/* Harmless messages: a font cache that cannot be written slows gnuplot down; a legend larger than
 * its panel is cut, and the curves are right; gnuplot 5.4 estimates the length of plain texts as if
 * they had markup, and warns of what it takes for some. All others count. */
static bool harmless(const char *line) {
    static const char *const known[] = {"Fontconfig warning", "Fontconfig error: No writable cache",
                                        "difficulty fitting plot titles into key", "enhanced text"};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strstr(line, known[k]) != NULL) {
            return true;
        }
    }
    return line[strspn(line, " \t\r\n")] == '\0';
}

/* What gnuplot complained of, ": " before it; empty when it said nothing that counts. The file that
 * it said it in goes. */
static void read_complaint(const char *folder, char out[ROOM]) {
    char *path = NULL;
    char line[ROOM];
    out[0] = '\0';
    FILE *in = asprintf(&path, "%s/%s", folder, SAID) < 0 ? NULL : fopen(path, "r");
    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        const char *text = line + strspn(line, " \t\r");
        bool says = strstr(text, "line ") != NULL; /* the others repeat the script */
        if (!harmless(line) && (out[0] == '\0' || says)) {
            out[0] = '\0';
            il_text_append(out, ROOM, ": %.*s", (int)strcspn(text, "\r\n"), text);
        }
    }
    if (in != NULL) {
        (void)fclose(in);
        (void)unlink(path);
    }
    free(path);
}

static il_status judge(const il_program *p, const char *folder, const char *figure, il_error *err) {
    char said[ROOM];
    const char *name = p->argv[0];
    read_complaint(folder, said);
    if (p->late) {
        return il_fail(err, IL_EPLOT, "gnuplot ('%s') did not finish figure '%s' in %d s%s", name,
                       figure, TIME_LIMIT, said);
    }
    if (!WIFEXITED(p->state)) {
        return il_fail(err, IL_EPLOT, "gnuplot ('%s') ended by signal %d in figure '%s'%s", name,
                       p->state == -1 ? 0 : WTERMSIG(p->state), figure, said);
    }
    if (WEXITSTATUS(p->state) != 0) {
        return il_fail(err, IL_EPLOT, "gnuplot ('%s') failed with exit status %d in figure '%s'%s",
                       name, WEXITSTATUS(p->state), figure, said);
    }
    return said[0] == '\0' ? IL_OK
                           : il_fail(err, IL_EPLOT, "gnuplot ('%s') complained of figure '%s'%s",
                                     name, figure, said);
}

static il_status run(const char *folder, const char *script, album *a, const char *figure,
                     il_error *err) {
    const char *chosen = getenv("IMPACTLAB_GNUPLOT");
    const char *name = chosen != NULL && chosen[0] != '\0' ? chosen : "gnuplot";
    const char *const argv[] = {name, "-d", script, NULL};
    il_error why = {IL_OK, ""};
    /* Scripts are UTF-8, and in the C locale gnuplot complains of letters that it cannot convert;
     * it also complains of a terminal chosen by GNUTERM that it does not have. */
    char *const settings[] = {(char[]){"LC_ALL=C.UTF-8"}, (char[]){"GNUTERM=dumb"}, NULL};
    il_program p = {.argv = argv,
                    .folder = folder,
                    .said = SAID,
                    .settings = settings,
                    .seconds = TIME_LIMIT,
                    .look = read_pipes,
                    .data = a};
    il_status status = il_program_run(&p, &why);
    if (status == IL_EINTERRUPTED) {
        return il_fail(err, status, "%s while gnuplot drew figure '%s'", why.message, figure);
    }
    if (status != IL_OK) {
        return il_fail(err, status, "gnuplot could not be started (%s)%s", why.message,
                       strstr(why.message, strerror(ENOENT)) != NULL
                           ? "; install the package gnuplot-nox"
                           : "");
    }
    return judge(&p, folder, figure, err);
}

il_status il_gnuplot_run(const char *folder, const char *script, const char *const *pictures,
                         size_t n, const char *figure, il_error *err) {
    album a = {.pictures = calloc(n + 1, sizeof *a.pictures), .n = n};
    il_status status = IL_OK;
    if (a.pictures == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory to draw");
    }
    for (size_t k = 0; k < n; k++) {
        a.pictures[k] = (picture){.name = pictures[k], .fd = -1};
    }
    for (size_t k = 0; status == IL_OK && k < n; k++) {
        status = open_pipe(&a.pictures[k], folder, err);
    }
    if (status == IL_OK) {
        status = run(folder, script, &a, figure, err);
    }
    for (size_t k = 0; status == IL_OK && k < n; k++) {
        status = store(&a.pictures[k], err);
    }
    close_album(&a);
    return status;
}
