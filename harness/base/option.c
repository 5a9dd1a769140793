/*
 * option.c - options, read from text.
 */
#include "harness/base/option.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"

il_option_words il_option_name(const il_option *o) {
    il_option_words words = {{'-', o->letter}};
    if (o->name != NULL) {
        (void)snprintf(words.text, sizeof words.text, "--%s", o->name);
    }
    return words;
}

il_option_words il_option_allowed(const il_option *o) {
    il_option_words words = {""};
    char *room = words.text;
    size_t most = sizeof words.text;
    if (o->kind == IL_OPTION_COUNT && o->most > 0) {
        il_text_append(room, most, "an integer from %zu to %zu", o->least, o->most);
    } else if (o->kind == IL_OPTION_COUNT) {
        il_text_append(room, most, "an integer >= %zu, at most 2^40", o->least);
    } else if (o->kind == IL_OPTION_POSITIVE && o->most > 0) {
        il_text_append(room, most, "a number in %c0, %zu]", o->zero ? '[' : '(', o->most);
    } else if (o->kind == IL_OPTION_CHOICE || o->kind == IL_OPTION_EITHER) {
        for (const char *at = o->value; *at != '\0'; at++) {
            il_text_append(room, most, "%.*s", *at == '|' ? 2 : 1, *at == '|' ? ", " : at);
        }
    } else {
        il_text_append(room, most, "%s",
                       o->allowed != NULL              ? o->allowed
                       : o->kind == IL_OPTION_POSITIVE ? "a number > 0"
                       : o->kind == IL_OPTION_FOLDER   ? "a folder"
                       : o->kind == IL_OPTION_FILE     ? "a name"
                                                       : "a text");
    }
    return words;
}

static bool read_positive(const il_option *o, double *x, const char *text) {
    return il_text_number(text, x) && (*x > 0.0 || (o->zero && *x == 0.0)) && isfinite(*x) &&
           (o->most == 0 || *x <= (double)o->most);
}

/* Of numbers, whose array is the caller's to free. */
static il_status set_numbers(const il_option *o, char *self, const char *text, il_error *err) {
    char bad[IL_TEXT_BAD];
    double *x = NULL;
    size_t n = 0;
    if (!il_text_numbers(text, &x, &n, bad)) {
        return il_fail(err, IL_EINVAL, "--%s: '%s' is not a number; allowed: %s", o->name, bad,
                       o->value);
    }
    *(double **)(void *)(self + o->at) = x;
    *(size_t *)(void *)(self + o->beside) = n;
    return IL_OK;
}

/* IL_EINVAL, and no message yet, for a text that is not allowed. */
static il_status set(const il_option *o, char *self, const char *text, il_error *err) {
    void *at = self + o->at;
    int place = 0;
    bool good = true;
    switch (o->kind) {
    case IL_OPTION_FLAG:
        *(bool *)at = true;
        break;
    case IL_OPTION_TEXT:
    case IL_OPTION_FOLDER:
    case IL_OPTION_FILE:
        *(const char **)at = text;
        good = o->kind == IL_OPTION_TEXT || text[0] != '\0';
        break;
    case IL_OPTION_COUNT:
        good = il_text_count(text, at) && *(size_t *)at >= o->least &&
               *(size_t *)at <= (o->most > 0 ? o->most : (size_t)1 << 40);
        if (good && o->beside > 0) {
            *(bool *)(self + o->beside) = true;
        }
        break;
    case IL_OPTION_POSITIVE:
        good = read_positive(o, at, text);
        if (good && o->beside > 0) {
            *(const char **)(void *)(self + o->beside) = text;
        }
        break;
    case IL_OPTION_CHOICE:
    case IL_OPTION_EITHER:
        place = il_text_place(o->value, '|', text);
        good = place >= 0;
        if (good && o->kind == IL_OPTION_EITHER) {
            *(bool *)at = place == 1;
        } else if (good) {
            *(int *)at = place;
        }
        break;
    case IL_OPTION_NUMBERS:
        return set_numbers(o, self, text, err);
    default:
        return o->set(at, text, err);
    }
    return good ? IL_OK : IL_EINVAL;
}

il_status il_option_set(const il_option *o, void *self, const char *text, il_error *err) {
    il_error why = {IL_OK, ""};
    il_status status = set(o, self, text, &why);
    if (status == IL_OK || why.message[0] != '\0') {
        return status == IL_OK ? IL_OK : il_fail(err, status, "%s", why.message);
    }
    double x = 0.0;
    bool endless =
        o->kind == IL_OPTION_POSITIVE && o->most == 0 && il_text_number(text, &x) && isinf(x);
    return il_fail(err, status, "%s is '%s'; allowed: %s%s", il_option_name(o).text, text,
                   il_option_allowed(o).text, endless && x > 0.0 ? ", and finite" : "");
}
