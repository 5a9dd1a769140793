/*
 * process.c - reads /proc/PID/stat.
 */
#include "harness/io/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_FIELD = 2, BORN_FIELD = 22 };

/* Is there certainly none? Its folder may be hidden from us (hidepid). */
static bool is_gone(long pid, int reason) {
    bool absent = reason == ENOENT || reason == ESRCH;
    return absent && (pid <= 0 || (kill((pid_t)pid, 0) != 0 && errno == ESRCH));
}

/* Its name, field 2, may hold blanks and brackets: fields are counted from behind it. */
static long long parse(const char *line) {
    const char *at = strrchr(line, ')');
    if (at == NULL || strncmp(at, ") Z", 3) == 0 || strncmp(at, ") X", 3) == 0) {
        return -1;
    }
    for (int field = NAME_FIELD; at != NULL && field < BORN_FIELD; field++) {
        at = strchr(at + 1, ' ');
    }
    return at != NULL ? strtoll(at, NULL, 10) : -1;
}

bool il_process_born(long pid, long long *born) {
    char path[64];
    char line[1024];
    *born = -1;
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return is_gone(pid, errno);
    }
    ssize_t n = read(fd, line, sizeof line - 1);
    int reason = errno;
    (void)close(fd);
    if (n <= 0) {
        return n < 0 && is_gone(pid, reason);
    }
    line[n] = '\0';
    *born = parse(line);
    return true;
}
