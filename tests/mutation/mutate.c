/*
 * mutate.c - the places of a C file where one token can be changed, in seeded order.
 *
 *     mutate FILE SEED
 *
 * prints a line a mutation, tab-separated: offset and length in bytes of what is replaced, line,
 * kind, what was there, what stands there instead. The order is a shuffle by SEED and the file's
 * name, in which the kinds take turns, so that the first few of a file are of different kinds.
 *
 * Left alone are comments, strings, preprocessor lines, asserts and messages of errors (what they
 * say is no number), and constants marked "tuned" (any of the values beside them is as right).
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { COMPARISON, SIGN, INDEX, CONSTANT, LOGIC, EXTREME, DROPPED, KINDS } kind;
static const char *const kinds[KINDS] = {"comparison", "sign",    "index",  "constant",
                                         "logic",      "extreme", "dropped"};

enum { TOKEN = 96 };

typedef struct {
    kind kind;
    size_t at, length, line;
    char now[TOKEN];
    uint64_t key; /* of the shuffle */
} site;

typedef struct {
    char *text; /* as it was read */
    char *code; /* of it, what may be changed; the rest is blank */
    size_t size;
    site *sites;
    size_t count, room;
    uint64_t random;
} source;

static void fail(const char *what, const char *which) {
    (void)fprintf(stderr, "mutate: %s %s\n", what, which);
    exit(2);
}

/* splitmix64 */
static uint64_t next(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void read_source(source *s, const char *name) {
    FILE *file = fopen(name, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fail("cannot read", name);
    }
    s->size = (size_t)ftell(file);
    rewind(file);
    s->text = calloc(s->size + 3, 1);
    s->code = calloc(s->size + 3, 1);
    if (s->text == NULL || s->code == NULL || fread(s->text, 1, s->size, file) != s->size) {
        fail("cannot read", name);
    }
    (void)fclose(file);
    memcpy(s->code, s->text, s->size);
}

static void blank(source *s, size_t from, size_t to) {
    for (size_t k = from; k < to && k < s->size; k++) {
        if (s->code[k] != '\n') {
            s->code[k] = ' ';
        }
    }
}

/* Where the comment, string, character or preprocessor line that begins at k ends; k if none does.
 */
static size_t skip(const source *s, size_t k) {
    const char *t = s->text;
    size_t end = k;
    if (t[k] == '/' && t[k + 1] == '*') {
        const char *close = strstr(t + k + 2, "*/");
        return close != NULL ? (size_t)(close - t) + 2 : s->size;
    }
    if (t[k] == '"' || t[k] == '\'') {
        for (end = k + 1; end < s->size && t[end] != t[k]; end++) {
            end += t[end] == '\\';
        }
        return end + 1;
    }
    if (t[k] == '#' || (t[k] == '/' && t[k + 1] == '/')) {
        for (; end < s->size && (t[end] != '\n' || t[end - 1] == '\\'); end++) {
        }
    }
    return end;
}

/* Blank what calls of `name` are given. */
static void blank_calls(source *s, const char *name) {
    for (char *at = strstr(s->code, name); at != NULL; at = strstr(at + 1, name)) {
        size_t k = (size_t)(at - s->code) + strlen(name);
        size_t first = (size_t)(at - s->code);
        int depth = 1;
        for (; k < s->size && depth > 0; k++) {
            depth += (s->code[k] == '(') - (s->code[k] == ')');
        }
        blank(s, first, k);
    }
}

/* Blank the lines that hold a word. */
static void blank_lines(source *s, const char *word) {
    for (char *at = strstr(s->text, word); at != NULL; at = strstr(at + 1, word)) {
        size_t from = (size_t)(at - s->text);
        while (from > 0 && s->text[from - 1] != '\n') {
            from--;
        }
        blank(s, from, (size_t)(at - s->text) + strcspn(at, "\n"));
    }
}

static void prepare(source *s) {
    for (size_t k = 0; k < s->size; k++) {
        size_t end = skip(s, k);
        if (end > k) {
            blank(s, k, end);
            k = end - 1;
        }
    }
    blank_lines(s, "/* tuned");
    static const char *const calls[] = {"assert(", "il_fail(", "sizeof("};
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        blank_calls(s, calls[c]);
    }
}

static void add(source *s, kind what, size_t at, size_t length, const char *now) {
    if (s->count == s->room) {
        s->room = 2 * s->room + 256;
        s->sites = realloc(s->sites, s->room * sizeof *s->sites);
        if (s->sites == NULL) {
            fail("no memory for", "places");
        }
    }
    site *new = &s->sites[s->count++];
    *new = (site){.kind = what, .at = at, .length = length, .line = 1, .key = next(&s->random)};
    (void)snprintf(new->now, sizeof new->now, "%s", now);
    for (size_t k = 0; k < at; k++) {
        new->line += s->text[k] == '\n';
    }
}

/* Operators with blanks about them are binary: clang-format sees to that. */
static void operators(source *s, size_t k) {
    static const struct {
        kind kind;
        const char *was, *now;
    } swaps[] = {{COMPARISON, " < ", " <= "},
                 {COMPARISON, " <= ", " < "},
                 {COMPARISON, " > ", " >= "},
                 {COMPARISON, " >= ", " > "},
                 {COMPARISON, " == ", " != "},
                 {COMPARISON, " != ", " == "},
                 {SIGN, " + ", " - "},
                 {SIGN, " - ", " + "},
                 {SIGN, " += ", " -= "},
                 {SIGN, " -= ", " += "},
                 {SIGN, " -", " "},
                 {LOGIC, " && ", " || "},
                 {LOGIC, " || ", " && "},
                 {EXTREME, "fmax(", "fmin("},
                 {EXTREME, "fmin(", "fmax("}};
    for (size_t n = 0; n < sizeof swaps / sizeof swaps[0]; n++) {
        size_t length = strlen(swaps[n].was);
        const char *after = s->code + k + length;
        bool minus = strcmp(swaps[n].was, " -") == 0;
        if (strncmp(s->code + k, swaps[n].was, length) == 0 &&
            !(minus && !isalnum((unsigned char)*after) && *after != '(')) {
            bool null = strncmp(after, "NULL", 4) == 0; /* memory: the tests of faults */
            if (!null) {
                add(s, swaps[n].kind, k, length, swaps[n].now);
            }
            return;
        }
    }
}

/* A number that is no part of a name: the next integer, twice the real, one for zero. */
static size_t number(source *s, size_t k) {
    size_t end = k;
    while (isalnum((unsigned char)s->code[end]) || s->code[end] == '.' ||
           ((s->code[end] == '-' || s->code[end] == '+') && s->code[end - 1] == 'e')) {
        end++;
    }
    char was[TOKEN];
    char now[TOKEN];
    if (end - k >= sizeof was || s->code[k + 1] == 'x') {
        return end - 1;
    }
    memcpy(was, s->code + k, end - k);
    was[end - k] = '\0';
    char *rest = NULL;
    double value = strtod(was, &rest);
    if (*rest == '\0') {
        bool real = strpbrk(was, ".e") != NULL;
        (void)snprintf(now, sizeof now, real ? "%.17g" : "%.0f",
                       real ? (value == 0.0 ? 1.0 : 2.0 * value) : value + 1.0);
        if (real && strpbrk(now, ".e") == NULL) {
            size_t used = strlen(now);
            (void)snprintf(now + used, sizeof now - used, ".0");
        }
        add(s, CONSTANT, k, end - k, now);
    }
    return end - 1;
}

/* `    a = b;` on a line of its own, where no name is declared and nothing is freed. */
static void statement(source *s, size_t k) {
    const char *line = s->code + k;
    size_t length = strcspn(line, "\n");
    size_t indent = strspn(line, " ");
    size_t words = strcspn(line + indent, "=(");
    static const char *const kept[] = {"free(",  "destroy(", "return",
                                       "(void)", "fclose(",  "_free("};
    if (indent == 0 || length < indent + 3 || line[length - 1] != ';' || words >= length) {
        return;
    }
    for (size_t n = 0; n < sizeof kept / sizeof kept[0]; n++) {
        const char *found = strstr(line, kept[n]);
        if (found != NULL && (size_t)(found - line) < length) {
            return;
        }
    }
    /* the line before must have ended a statement, or this one is the rest of it */
    size_t before = k - 1;
    while (before > 0 && isspace((unsigned char)s->code[before])) {
        before--;
    }
    if (strchr(";{}", s->code[before]) == NULL ||
        memchr(line + indent, ' ', words - (words > 0)) != NULL) {
        return;
    }
    add(s, DROPPED, k + indent, length - indent, ";");
}

static void find(source *s) {
    for (size_t k = 1; k < s->size; k++) {
        unsigned char c = (unsigned char)s->code[k];
        unsigned char last = (unsigned char)s->code[k - 1];
        bool word = isalnum(last) || last == '_' || last == '.';
        operators(s, k);
        if (last == '\n') {
            statement(s, k);
        }
        if (c == ']' && isalnum(last)) {
            add(s, INDEX, k, 1, " + 1]");
        } else if (isdigit(c) && !word) {
            k = number(s, k);
        }
    }
}

static int by_key(const void *a, const void *b) {
    const site *x = a;
    const site *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static void print(const source *s, const site *m) {
    (void)printf("%zu\t%zu\t%zu\t%s\t", m->at, m->length, m->line, kinds[m->kind]);
    (void)printf("%.*s\t%s\n", (int)m->length, s->text + m->at, m->now);
}

/* The kinds in turn, from one that the seed chose. */
static void print_all(source *s) {
    qsort(s->sites, s->count, sizeof *s->sites, by_key);
    size_t place[KINDS] = {0};
    size_t done = 0;
    for (size_t turn = next(&s->random) % KINDS; done < s->count; turn = (turn + 1) % KINDS) {
        size_t *p = &place[turn];
        while (*p < s->count && s->sites[*p].kind != (kind)turn) {
            (*p)++;
        }
        if (*p < s->count) {
            print(s, &s->sites[(*p)++]);
            done++;
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fail("usage:", "mutate FILE SEED");
    }
    source s = {.random = strtoull(argv[2], NULL, 10)};
    for (const char *c = argv[1]; *c != '\0'; c++) {
        s.random = next(&s.random) ^ (unsigned char)*c;
    }
    read_source(&s, argv[1]);
    prepare(&s);
    find(&s);
    print_all(&s);
    free(s.text);
    free(s.code);
    free(s.sites);
    return 0;
}
