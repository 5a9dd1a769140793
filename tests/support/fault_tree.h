/*
 * fault_tree.h - the files of a folder as one value, to be compared.
 */
#ifndef IL_TESTS_FAULT_TREE_H
#define IL_TESTS_FAULT_TREE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char *path; /* below the folder */
    char *text; /* its bytes, but for what differs from run to run */
    size_t size;
} il_tree_file;

typedef struct {
    il_tree_file *files; /* [n] by path */
    size_t n;
} il_tree;

/* Read the folder, but for indices (index/), which are made anew. The creator frees. */
void il_tree_read(il_tree *tree, const char *folder);
void il_tree_free(il_tree *tree);

/* A copy of text[*size], NUL behind it, without the dates of PDF files; the caller frees.
 * *size becomes its length. */
char *il_tree_plain(const char *text, size_t *size);

/* The first file of `part` that `whole` has not, or has otherwise; NULL if there is none. Journals
 * of scripts (outcomes/, rosters/) and pages tell of what failed, and are not looked at then. */
const char *il_tree_stray(const il_tree *part, const il_tree *whole, bool failed);

/* Copy what is in the folder `from` into `to`, which is empty; files keep their times. */
void il_tree_copy(const char *from, const char *to);

/* Remove everything in the folder. */
void il_tree_empty(const char *folder);

#endif
