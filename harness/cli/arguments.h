/*
 * arguments.h - the words after a verb, read by getopt_long, with complaints that say what was
 * meant.
 *
 * Names of options are not shortened: an option that
 * is added must not change what a script means. An option that has a value is given once unless it
 * repeats.
 */
#ifndef IL_CLI_ARGUMENTS_H
#define IL_CLI_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *name; /* without dashes; NULL: the letter alone */
    char letter;      /* 0: none */
    bool repeats;
    const char *value; /* what help and completion call its value; NULL: it has none */
    const char *text;  /* help; a newline starts a new line */
} il_cli_option;

enum { IL_CLI_OPTIONS_MAX = 64 };

typedef struct {
    const char *verb;
    const il_cli_option *options; /* [n] at most IL_CLI_OPTIONS_MAX */
    size_t n;
    int argc;
    char **argv;       /* [argc] argv[0] is the verb */
    const char *value; /* of the option, or the word, that il_cli_next found */
    const char *seen[IL_CLI_OPTIONS_MAX];
} il_cli_arguments;

enum {
    IL_CLI_END = -1,  /* no more */
    IL_CLI_WORD = -2, /* value is a word that is no option */
    IL_CLI_BAD = -3   /* a complaint was made */
};

/* True if --help or -h stands anywhere before "--": whoever asks for help has made no mistake. */
bool il_cli_asks_help(int argc, char **argv);

/* Start to read. options must outlive the arguments. */
void il_cli_arguments_start(il_cli_arguments *a, const char *verb, int argc, char **argv,
                            const il_cli_option *options, size_t n);

/* The index of the next option, with its value, or one of the above. */
int il_cli_next(il_cli_arguments *a);

/* All of them in their order: take, which knows its own, is given the index, or IL_CLI_WORD or
 * IL_CLI_BAD, and the value. The first status that is not 0 ends it and is returned. */
int il_cli_each(const char *verb, int argc, char **argv, const il_cli_option *options, size_t n,
                int (*take)(void *self, int option, const char *value), void *self);

/* The words behind "--", [*n] within argv: they are a script's, and a ends before them. */
const char *const *il_cli_take_rest(il_cli_arguments *a, size_t *n);

#endif
