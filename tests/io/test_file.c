/*
 * test_file.c - files that appear whole or not at all, and the folders they lie in.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/io/file.h"
#include "harness/io/output_folder.h"
#include "harness/io/scratch.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

enum { PATH_ROOM = 2 * IL_SCRATCH_ROOM };

static void write_whole(const char *path, const char *text) {
    il_file file;
    CU_ASSERT_EQUAL_FATAL(il_file_open(&file, path, NULL), IL_OK);
    CU_ASSERT(fputs(text, file.stream) >= 0);
    CU_ASSERT_EQUAL(il_file_commit(&file, NULL), IL_OK);
    il_file_abandon(&file); /* harmless after commit */
}

static void check_content(const char *path, const char *text) {
    char found[64] = "";
    FILE *in = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    found[fread(found, 1, sizeof found - 1, in)] = '\0';
    (void)fclose(in);
    CU_ASSERT_STRING_EQUAL(found, text);
}

static void committed_files_are_whole_and_alone(void) {
    char folder[IL_SCRATCH_ROOM];
    char path[PATH_ROOM];
    il_scratch_open(folder);
    il_scratch_path(folder, "a.txt", path);
    write_whole(path, "first\n");
    check_content(path, "first\n");
    write_whole(path, "2\n"); /* shorter: nothing of the first may shine through */
    check_content(path, "2\n");
    CU_ASSERT_EQUAL(il_scratch_count(folder), 1);
    CU_ASSERT_EQUAL(unlink(path), 0);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

/* A scratch file that turns out to be a full device: what was written is lost, and said so. */
static void full_devices_are_noticed(void) {
    char folder[IL_SCRATCH_ROOM];
    char path[PATH_ROOM];
    il_scratch_open(folder);
    il_scratch_path(folder, "a.txt", path);
    il_file file;
    CU_ASSERT_EQUAL_FATAL(il_file_open(&file, path, NULL), IL_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(freopen("/dev/full", "wb", file.stream));
    (void)fputs("lost", file.stream);
    il_error err = {IL_OK, ""};
    CU_ASSERT_EQUAL(il_file_commit(&file, &err), IL_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, path));
    CU_ASSERT_EQUAL(il_scratch_count(folder), 0);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

static void names_that_do_harm_are_refused(void) {
    static const char *const bad[] = {"-x.csv",       "a/-x.csv", ".hidden.csv",
                                      "a/.h",         "a\nb.csv", "a\x1b[31m.csv",
                                      "a/\x7f/b.csv", "..",       "frames/.h/"};
    static const char *const good[] = {"x.csv",     "a.b/c-d.csv", "./x",         "../x",
                                       "/tmp/-a/x", "a//b/",       "\xc3\xa4.csv"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        il_error err = {IL_OK, ""};
        CU_ASSERT_EQUAL(il_file_check_name(bad[k], &err), IL_EINVAL);
        CU_ASSERT_EQUAL(il_file_can_write(bad[k], NULL), IL_EINVAL);
        CU_ASSERT_EQUAL(il_output_folder_check(bad[k], ".png", NULL), IL_EINVAL);
        CU_ASSERT(strpbrk(err.message, "\n\x1b\x7f") == NULL);
    }
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        CU_ASSERT_EQUAL(il_file_check_name(good[k], NULL), IL_OK);
    }
}

static mode_t mode_of(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 ? info.st_mode & 0777 : 0;
}

/* mkostemp and mkdtemp shut out everybody else; results are shared. The second folder replaces the
 * first. */
static void what_is_whole_is_open_to_whom_the_umask_lets_in(void) {
    static const mode_t masks[] = {0022, 0027, 0077};
    char folder[IL_SCRATCH_ROOM];
    char frames[PATH_ROOM];
    char path[PATH_ROOM];
    il_scratch_open(folder);
    il_scratch_path(folder, "a.txt", path);
    il_scratch_path(folder, "frames", frames);
    for (size_t k = 0; k < sizeof masks / sizeof *masks; k++) {
        mode_t before = umask(masks[k]);
        il_output_folder output;
        write_whole(path, "whole\n");
        CU_ASSERT_EQUAL_FATAL(il_output_folder_open(&output, frames, ".png", NULL), IL_OK);
        char *inside = il_output_folder_file(&output, "a.png");
        CU_ASSERT_PTR_NOT_NULL_FATAL(inside);
        write_whole(inside, "a picture\n");
        free(inside);
        CU_ASSERT_EQUAL(il_output_folder_commit(&output, NULL), IL_OK);
        (void)umask(before);
        CU_ASSERT_EQUAL(mode_of(path), 0666 & ~masks[k]);
        CU_ASSERT_EQUAL(mode_of(frames), 0777 & ~masks[k]);
        CU_ASSERT_EQUAL(il_scratch_count(folder), 2);
    }
    char picture[PATH_ROOM];
    il_scratch_path(frames, "a.png", picture);
    CU_ASSERT(unlink(picture) == 0 && rmdir(frames) == 0 && unlink(path) == 0);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

/* A pipe without a writer would block. */
static void only_files_are_read(void) {
    char folder[IL_SCRATCH_ROOM];
    char path[PATH_ROOM];
    il_error err = {IL_OK, ""};
    il_scratch_open(folder);
    il_scratch_path(folder, "pipe", path);
    CU_ASSERT_EQUAL(mkfifo(path, 0666), 0);
    CU_ASSERT_PTR_NULL(il_file_read(path, &err));
    CU_ASSERT(err.code == IL_EIO && strstr(err.message, path) != NULL);
    CU_ASSERT_PTR_NULL(il_file_read("/dev/zero", &err));
    CU_ASSERT_EQUAL(unlink(path), 0);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

static void folders_are_made_with_their_parents(void) {
    char folder[IL_SCRATCH_ROOM];
    char path[PATH_ROOM];
    struct stat info;
    il_scratch_open(folder);
    il_scratch_path(folder, "a//b/c/", path);
    CU_ASSERT_EQUAL(il_folder_make(path, NULL), IL_OK);
    CU_ASSERT_EQUAL(il_folder_make(path, NULL), IL_OK); /* there already */
    CU_ASSERT(stat(path, &info) == 0 && S_ISDIR(info.st_mode));
    CU_ASSERT_EQUAL(il_folder_make(".", NULL), IL_OK);
    CU_ASSERT_EQUAL(rmdir(path), 0);
    il_scratch_path(folder, "a/b", path);
    CU_ASSERT_EQUAL(rmdir(path), 0);
    il_scratch_path(folder, "a", path);
    CU_ASSERT_EQUAL(rmdir(path), 0);

    write_whole(path, "a file\n");
    il_error err = {IL_OK, ""};
    char below[PATH_ROOM];
    il_scratch_path(folder, "a/b", below);
    CU_ASSERT_EQUAL(il_folder_make(below, &err), IL_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.message, path));
    CU_ASSERT_EQUAL(unlink(path), 0);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

static const il_test tests[] = {
    {"a committed file is whole and has nothing beside it", committed_files_are_whole_and_alone},
    {"a full device is noticed at the latest by commit", full_devices_are_noticed},
    {"names that do harm are refused", names_that_do_harm_are_refused},
    {"what is whole is open to whom the umask lets in",
     what_is_whole_is_open_to_whom_the_umask_lets_in},
    {"neither pipes nor devices are read", only_files_are_read},
    {"folders are made with their parents", folders_are_made_with_their_parents},
    {NULL, NULL}};

const il_suite il_suite_file = {"file", tests};
