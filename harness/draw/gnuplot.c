/*
 * gnuplot.c - pipes a script to gnuplot, and checks what it printed and drew.
 *
 * gnuplot may warn and still end with status 0, so any output on its error stream counts as a
 * failure. It ignores write errors: a picture must end as its format ends.
 */
#include "harness/draw/gnuplot.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/io/program.h"

enum { TIME_LIMIT = 60 /* seconds */, ROOM = 512, SAID = 16384 /* bytes of its errors */ };

/* ---- pictures -------------------------------------------------------------------------------- */

/* Does a picture of n bytes end as a whole one of its format does? */
static bool is_whole(const char *name, const char *bytes, size_t n) {
    enum { TAIL = 16 }; /* bytes; in a PNG a checksum follows the end */
    static const char *const formats[][2] = {
        {".svg", "</svg>"}, {".png", "IEND"}, {".pdf", "%%EOF"}};
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++) {
        if (il_text_ends_with(name, formats[k][0])) {
            return n > TAIL &&
                   memmem(bytes + n - TAIL, TAIL, formats[k][1], strlen(formats[k][1])) != NULL;
        }
    }
    return n > 0;
}

/* The picture called name in folder: is it whole? */
static il_status check_picture(const char *folder, const char *name, il_error *err) {
    char *path = il_alloc_format("%s/%s", folder, name);
    char *bytes = NULL;
    size_t n = 0;
    il_status status = il_file_load(path, &bytes, &n, err);
    if (status == IL_OK && (bytes == NULL || n == 0)) {
        status = il_fail(err, IL_EPLOT, "gnuplot wrote no %s", name);
    } else if (status == IL_OK && !is_whole(name, bytes, n)) {
        status = il_fail(err, IL_EIO, "gnuplot wrote '%s' in part; is the disk full?", path);
    }
    free(bytes);
    free(path);
    return status;
}

/* A PDF that names no font: without any, gnuplot draws all but letters, and says nothing of it. The
 * letters of a figure for LaTeX are LaTeX's. */
static bool lacks_letters(const char *folder, const char *name) {
    char *bytes = NULL;
    size_t n = 0;
    il_error none = {IL_OK, ""};
    if (!il_text_ends_with(name, ".pdf") || il_text_ends_with(name, "-tex.pdf")) {
        return false;
    }
    char *path = il_alloc_format("%s/%s", folder, name);
    bool lacks = il_file_load(path, &bytes, &n, &none) == IL_OK && n > 0 &&
                 memmem(bytes, n, "/Font", strlen("/Font")) == NULL;
    free(bytes);
    free(path);
    return lacks;
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

/* The complaint of gnuplot, ": " before it; empty when it said nothing that counts. Of a script
 * that it reads from a pipe it goes on after an error: the first line that says one is the cause,
 * the others repeat the script or follow from it. */
static void read_complaint(char *said, char out[ROOM]) {
    char *rest = NULL;
    bool found = false;
    out[0] = '\0';
    for (char *line = strtok_r(said, "\r\n", &rest); line != NULL && !found;
         line = strtok_r(NULL, "\r\n", &rest)) {
        const char *says = strstr(line, "line 0: "); /* no line of a pipe has a number */
        found = says != NULL && !harmless(line);
        if (found || (!harmless(line) && out[0] == '\0')) {
            const char *text = found ? says + strlen("line 0: ") : line + strspn(line, " \t");
            out[0] = '\0';
            il_text_append(out, ROOM, ": %s", text);
        }
    }
}

static il_status judge(const il_program *p, const char *figure, il_error *err) {
    char said[ROOM];
    const char *name = p->argv[0];
    read_complaint(p->said, said);
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
    if (said[0] != '\0') {
        return il_fail(err, IL_EPLOT, "gnuplot ('%s') complained of figure '%s'%s", name, figure,
                       said);
    }
    return !p->unread ? IL_OK
                      : il_fail(err, IL_EPLOT, "gnuplot ('%s') did not read all of figure '%s'",
                                name, figure);
}

static il_status run(const char *folder, const char *script, size_t length, const char *figure,
                     il_error *err) {
    char said[SAID];
    const char *chosen = getenv("IMPACTLAB_GNUPLOT");
    const char *name = chosen != NULL && chosen[0] != '\0' ? chosen : "gnuplot";
    const char *const argv[] = {name, "-d", NULL};
    il_error why = {IL_OK, ""};
    /* Scripts are UTF-8, and in the C locale gnuplot complains of letters that it cannot convert;
     * it also complains of a terminal chosen by GNUTERM that it does not have. */
    char *const settings[] = {(char[]){"LC_ALL=C.UTF-8"}, (char[]){"GNUTERM=dumb"}, NULL};
    il_program p = {.argv = argv,
                    .folder = folder,
                    .input = script,
                    .length = length,
                    .said = said,
                    .room = sizeof said,
                    .settings = settings,
                    .seconds = TIME_LIMIT};
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
    return judge(&p, figure, err);
}

il_status il_gnuplot_run(const char *folder, const char *script, size_t length,
                         const char *const *pictures, size_t n, const char *figure, il_error *err) {
    il_status status = run(folder, script, length, figure, err);
    for (size_t k = 0; status == IL_OK && k < n; k++) {
        status = check_picture(folder, pictures[k], err);
    }
    for (size_t k = 0; (status == IL_OK || status == IL_EPLOT) && k < n; k++) {
        if (lacks_letters(folder, pictures[k])) {
            return il_fail(
                err, IL_EPLOT,
                "figure '%s' has no letters: there is no font (`fc-list` names those that "
                "there are); install the package fonts-dejavu-core",
                figure);
        }
    }
    return status;
}
