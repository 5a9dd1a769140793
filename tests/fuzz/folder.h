/*
 * folder.h - a folder for one input of a harness that reads files.
 */
#ifndef IL_TESTS_FOLDER_H
#define IL_TESTS_FOLDER_H

#include <stddef.h>

enum { IL_FOLDER_ROOM = 64 };

/* The folder of this process, without files, its name into folder; it is gone at the exit. */
void il_fuzz_folder_open(char folder[IL_FOLDER_ROOM]);

/* data[n] as the file folder/name; folders in name are made. */
void il_fuzz_folder_put(const char *folder, const char *name, const void *data, size_t n);

/* Remove all files in the folder, none of its folders. */
void il_fuzz_folder_empty(const char *folder);

#endif
