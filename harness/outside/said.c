/*
 * said.c - the head and the tail of a text, as lines.
 */
#include "harness/outside/said.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/text.h"

enum { WORDS = 160, LINES = 12, LETTERS = 240 };

void il_said_add(il_said *said, const char *text, size_t n) {
    size_t from = n > IL_SAID_TAIL ? n - IL_SAID_TAIL : 0;
    for (size_t k = 0; k < n && said->bytes + k < IL_SAID_HEAD; k++) {
        said->head[said->bytes + k] = text[k];
    }
    for (size_t k = from; k < n; k++) {
        said->tail[(said->bytes + k) % IL_SAID_TAIL] = text[k];
    }
    for (const char *at = text; (at = memchr(at, '\n', n - (size_t)(at - text))) != NULL; at++) {
        said->lines++;
    }
    said->bytes += n;
}

/* The last n bytes into text[n + 1]. */
static void last(const il_said *said, char *text, size_t n) {
    for (size_t k = 0; k < n; k++) {
        text[k] = said->tail[(said->bytes - n + k) % IL_SAID_TAIL];
    }
    text[n] = '\0';
}

/* A text may be cut within a letter of several bytes. */
static void make_readable(char *text) {
    for (char *at = text; *at != '\0'; at++) {
        if (*at == '\r') {
            *at = '\n';
        }
    }
    il_text_make_printable(text, true);
    bool whole = il_text_is_utf8(text);
    for (char *at = text; !whole && *at != '\0'; at++) {
        if ((unsigned char)*at >= 128) {
            *at = '?';
        }
    }
}

/* Its lines that are not empty; at most LINES, the last ones. */
static json_t *lines_of(char *text) {
    json_t *list = json_array();
    char *rest = NULL;
    make_readable(text);
    for (char *one = strtok_r(text, "\n", &rest); one != NULL; one = strtok_r(NULL, "\n", &rest)) {
        char line[LETTERS];
        (void)snprintf(line, sizeof line, "%s", one);
        il_json_append(list, il_json_text_new(line));
        if (json_array_size(list) > LINES) {
            (void)json_array_remove(list, 0);
        }
    }
    return list;
}

json_t *il_said_json(const il_said *said) {
    char text[IL_SAID_TAIL + 1];
    json_t *object = json_object();
    bool open = said->bytes > 0 && said->tail[(said->bytes - 1) % IL_SAID_TAIL] != '\n';
    il_json_put_count(object, "lines", said->lines + open);
    il_json_put_count(object, "bytes", said->bytes);
    if (said->bytes > IL_SAID_TAIL || said->lines > LINES) {
        (void)snprintf(text, sizeof text, "%.*s", IL_SAID_HEAD, said->head);
        size_t whole = strlen(text);
        while (whole > 0 && text[whole - 1] != '\n') { /* the last line is cut */
            whole--;
        }
        text[whole > 0 ? whole : strlen(text)] = '\0';
        for (size_t k = 0, line = 0; text[k] != '\0'; k++) {
            line += text[k] == '\n';
            text[line >= LINES ? k : sizeof text - 1] = '\0';
        }
        il_json_set(object, "head", lines_of(text));
    }
    size_t n = said->bytes < IL_SAID_TAIL ? said->bytes : IL_SAID_TAIL;
    last(said, text, n);
    il_json_set(object, "tail", lines_of(text));
    return object;
}

void il_said_words(const il_said *said, const char *what, char out[IL_SAID_WORDS]) {
    char first[WORDS + 1] = "";
    char words[WORDS + 1] = "";
    size_t n = said->bytes < WORDS ? said->bytes : WORDS;
    last(said, words, n);
    while (n > 0 && (words[n - 1] == '\n' || words[n - 1] == ' ')) {
        words[--n] = '\0';
    }
    make_readable(words);
    if (said->bytes > (size_t)2 * WORDS) {
        (void)snprintf(first, sizeof first, "%.*s", WORDS, said->head);
        make_readable(first);
    }
    (void)snprintf(out, IL_SAID_WORDS, "%s%s%s%s%s%s",
                   first[0] != '\0' ? "; its first words: " : "", first, n > 0 ? "; " : "",
                   n > 0 ? what : "", n > 0 ? ": " : "", words);
    il_text_make_printable(out, false);
}
