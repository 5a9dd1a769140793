/*
 * report_pdf.c - see report_pdf.h.
 *
 * LuaLaTeX writes a dozen files beside its PDF. It runs in the report's folder, where the pictures
 * are, and writes into a scratch folder within it; twice, so that the table of contents is right.
 */
#include "harness/report/report_pdf.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/text.h"
#include "harness/io/file.h"
#include "harness/io/program.h"
#include "harness/io/scratch.h"
#include "page.inc"

enum { RUNS = 2, TIME_LIMIT = 600 /* seconds, of a run */ };

static const char INSTALL[] = "install the packages texlive-luatex and fonts-dejavu-core";

static const char *program_name(void) {
    const char *chosen = getenv("IMPACTLAB_LUALATEX");
    return chosen != NULL && chosen[0] != '\0' ? chosen : "lualatex";
}

il_status il_report_pdf_can(il_error *err) {
    const char *name = program_name();
    const char *path = strchr(name, '/') != NULL ? "" : getenv("PATH");
    char file[4096];
    for (const char *at = path; at != NULL;) {
        size_t n = strcspn(at, ":");
        (void)snprintf(file, sizeof file, "%.*s%s%s", (int)n, at, n > 0 ? "/" : "", name);
        if (access(file, X_OK) == 0) {
            return IL_OK;
        }
        at = at[n] == ':' ? at + n + 1 : NULL;
    }
    return il_fail(err, IL_EPLOT, "there is no LuaLaTeX ('%s') for a PDF of the report; %s", name,
                   INSTALL);
}

/* ---- one run -------------------------------------------------------------------------------- */

/* The first complaint of its log, "! ...", into said; empty without one. */
static void complaint_read(const char *folder, char *said, size_t room) {
    char *path = NULL;
    char line[400];
    said[0] = '\0';
    FILE *log = asprintf(&path, "%s/report.log", folder) < 0 ? NULL : fopen(path, "r");
    while (log != NULL && said[0] == '\0' && fgets(line, sizeof line, log) != NULL) {
        if (line[0] == '!') {
            line[strcspn(line, "\n")] = '\0';
            il_text_append(said, room, ": %s", line + strspn(line, "! "));
        }
    }
    if (log != NULL) {
        (void)fclose(log);
    }
    free(path);
}

/* In the report's folder. OSFONTDIR names the system's fonts: TeX searches its own folders only. */
static il_status run(const char *out, const char *folder, il_error *err) {
    char said[400];
    char where[NAME_MAX + 32]; /* a path within out */
    il_error why = {IL_OK, ""};
    (void)snprintf(where, sizeof where, "-output-directory=%s", strrchr(folder, '/') + 1);
    const char *const argv[] = {program_name(),
                                "-interaction=batchmode",
                                "-halt-on-error",
                                "-no-shell-escape",
                                where,
                                "report.tex",
                                NULL};
    char *const settings[] = {(char[]){"OSFONTDIR=/usr/share/fonts//"}, NULL};
    il_program p = {.argv = argv,
                    .folder = out,
                    .settings = getenv("OSFONTDIR") == NULL ? settings : NULL,
                    .seconds = TIME_LIMIT};
    il_status status = il_program_run(&p, &why);
    if (status == IL_EINTERRUPTED) {
        return il_fail(err, status, "%s while the report was set", why.message);
    }
    if (status != IL_OK) {
        return il_fail(err, status, "LuaLaTeX could not be started (%s)", why.message);
    }
    if (p.late) {
        return il_fail(err, IL_EPLOT, "LuaLaTeX ('%s') did not set the report in %d s",
                       program_name(), TIME_LIMIT);
    }
    if (p.state != 0) {
        complaint_read(folder, said, sizeof said);
        return il_fail(
            err, IL_EPLOT, "LuaLaTeX ('%s') failed with status %d on %s/report.tex%s; %s",
            program_name(), WIFEXITED(p.state) ? WEXITSTATUS(p.state) : -1, out, said, INSTALL);
    }
    return IL_OK;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static il_status tex_write(const char *out, il_error *err) {
    char *path = NULL;
    il_file file = {0};
    if (asprintf(&path, "%s/report.tex", out) < 0) {
        return il_fail(err, IL_ENOMEM, "no memory for a path");
    }
    il_status status = il_file_open(&file, path, err);
    if (status == IL_OK) {
        file.passing = true;
        for (size_t k = 0; PAGE_TEX[k] != NULL; k++) {
            (void)fputs(PAGE_TEX[k], file.stream);
        }
        status = il_file_commit(&file, err);
    }
    free(path);
    return status;
}

il_status il_report_pdf_write(const char *out, il_error *err) {
    char *target = NULL;
    char *made = NULL;
    char *folder = NULL;
    int lock = -1;
    if (asprintf(&target, "%s/report.pdf", out) < 0) {
        return il_fail(err, IL_ENOMEM, "no memory for a path");
    }
    il_status status = tex_write(out, err);
    if (status == IL_OK) {
        il_scratch_clear_beside(target);
        status = il_scratch_folder(target, &folder, &lock, err);
    }
    for (int k = 0; status == IL_OK && k < RUNS; k++) {
        status = run(out, folder, err);
    }
    if (status == IL_OK && asprintf(&made, "%s/report.pdf", folder) < 0) {
        made = NULL;
        status = il_fail(err, IL_ENOMEM, "no memory for a path");
    }
    if (status == IL_OK && access(made, R_OK) != 0) {
        status =
            il_fail(err, IL_EPLOT, "LuaLaTeX ('%s') ended well and wrote no PDF", program_name());
    }
    if (status == IL_OK && rename(made, target) != 0) {
        status = il_fail(err, IL_EIO, "cannot write '%s': %s", target, strerror(errno));
    }
    if (folder != NULL) {
        il_scratch_remove(folder);
        (void)close(lock);
    }
    free(folder);
    free(made);
    free(target);
    return status;
}
