/*
 * exec_settings.c - reads the settings of `exec:`.
 */
#include "harness/outside/exec_settings.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"

static const double PATIENCE = 60.0;
static const double PATIENCE_MAX = 1e9;
static const char KEYS[] = "name=NAME, patience=SECONDS, between=affine|constant|ballistic|dense, "
                           "files=FILE ..., version=TEXT";

il_status il_exec_name_read(const char *scheme, const char *text, size_t n,
                            char label[IL_SCHEME_LABEL], il_error *err) {
    bool good = n > 0 && n < IL_SCHEME_LABEL && text[0] != ' ' && text[n - 1] != ' ';
    for (size_t k = 0; good && k < n; k++) {
        unsigned char c = (unsigned char)text[k];
        good = isalnum(c) || c >= 128 || strchr(" ._-+()/=", c) != NULL;
    }
    (void)snprintf(label, IL_SCHEME_LABEL, "%.*s", good ? (int)n : 0, text);
    if (!good || !il_text_is_utf8(label)) {
        return il_fail(err, IL_EINVAL,
                       "scheme '%s': name is '%.*s'; allowed: 1 to %d letters, digits, blanks and "
                       "._-+()/=",
                       scheme, (int)(n < 80 ? n : 80), text, IL_SCHEME_LABEL - 1);
    }
    return IL_OK;
}

static il_status read_between(il_exec_settings *w, const char *value, il_error *err) {
    for (int k = IL_BETWEEN_AFFINE; k < IL_BETWEEN_MEANINGS; k++) {
        if (strcmp(value, il_between_name((il_between)k)) == 0) {
            w->between = (il_between)k;
            return IL_OK;
        }
    }
    return il_fail(err, IL_EINVAL,
                   "scheme 'exec': between is '%.60s'; allowed: affine, constant, ballistic, dense",
                   value);
}

/* One "key=value", which ends with NUL. */
static il_status read_one(il_exec_settings *w, const char *text, il_error *err) {
    const char *value = strchr(text, '=');
    size_t key = value != NULL ? (size_t)(value - text) : strlen(text);
    value = value != NULL ? value + 1 : "";
    if (key == 4 && strncmp(text, "name", key) == 0) {
        return il_exec_name_read("exec", value, strlen(value), w->name, err);
    }
    if (key == 8 && strncmp(text, "patience", key) == 0) {
        return il_text_number(value, &w->patience) && w->patience > 0.0 &&
                       w->patience <= PATIENCE_MAX
                   ? IL_OK
                   : il_fail(err, IL_EINVAL,
                             "scheme 'exec': patience is '%.60s'; allowed: seconds in (0, %g]",
                             value, PATIENCE_MAX);
    }
    if (key == 7 && strncmp(text, "between", key) == 0) {
        return read_between(w, value, err);
    }
    if (key == 5 && strncmp(text, "files", key) == 0 && *value != '\0') {
        (void)snprintf(w->files, sizeof w->files, "%s", value);
        return IL_OK;
    }
    if (key == 7 && strncmp(text, "version", key) == 0 && *value != '\0') {
        w->versioned = true;
        return IL_OK;
    }
    return il_fail(err, IL_EINVAL, "scheme 'exec': '%.80s'; allowed: %s", text, KEYS);
}

/* Does it begin with key=, in small letters, and a colon in its first word, or one of our keys?
 * A variable for the command alone may stand there as well: PATH=/a:/b COMMAND. */
static bool has_settings(const char *text) {
    static const char *const ours[] = {"name=", "patience=", "between=", "files=", "version="};
    size_t key = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    bool known = false;
    for (size_t k = 0; k < sizeof ours / sizeof ours[0]; k++) {
        known = known || strncmp(text, ours[k], strlen(ours[k])) == 0;
    }
    return known || (key > 0 && text[key] == '=' && text[strcspn(text, ": \t")] == ':');
}

il_status il_exec_settings_read(il_exec_settings *w, const char *text, il_error *err) {
    char one[IL_EXEC_FILES + 16];
    *w = (il_exec_settings){.command = text, .patience = PATIENCE};
    if (!has_settings(text)) {
        return IL_OK;
    }
    size_t end = strcspn(text, ":");
    w->command = text + end + (text[end] == ':');
    if (w->command[strspn(w->command, " \t")] == '\0') {
        return il_fail(err, IL_EINVAL,
                       "scheme is 'exec:%.200s'; allowed: exec:COMMAND, exec:KEY=VALUE,...:COMMAND",
                       text);
    }
    for (il_status status = IL_OK; text < w->command;) {
        size_t n = strcspn(text, ",:");
        if (n >= sizeof one) {
            return il_fail(err, IL_EINVAL, "scheme 'exec': a setting of %zu letters; allowed: %d",
                           n, IL_EXEC_FILES);
        }
        (void)snprintf(one, sizeof one, "%.*s", (int)n, text);
        status = read_one(w, one, err);
        if (status != IL_OK) {
            return status;
        }
        text += n + 1;
    }
    return IL_OK;
}
