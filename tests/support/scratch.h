/*
 * scratch.h - a folder for what a test writes, which must be gone at its end.
 */
#ifndef IL_TESTS_SCRATCH_H
#define IL_TESTS_SCRATCH_H

#include <stddef.h>

/* Room for the name of a folder; twice that for a name in it. */
enum { IL_SCRATCH_ROOM = 512 };

/* A fresh folder below TMPDIR or /tmp, its name into dir. */
void il_scratch_open(char dir[IL_SCRATCH_ROOM]);

/* Remove the folder with its visible files, and those of folders in it, `levels` deep. Asserts that
 * nothing else was there: neither a hidden file nor a deeper folder. */
void il_scratch_close(const char *dir, int levels);

/* Entries of a folder, hidden ones too; 0 if there is none. */
size_t il_scratch_count(const char *dir);

/* dir/name into path. */
void il_scratch_path(const char *dir, const char *name, char path[2 * IL_SCRATCH_ROOM]);

/* Replace a file, or make it. */
void il_test_write(const char *path, const char *bytes, size_t n);

#endif
