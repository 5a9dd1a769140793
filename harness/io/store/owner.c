/*
 * owner.c - the machine, its start, its name space of processes, and a process in that.
 */
#include "harness/io/store/owner.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/json.h"
#include "harness/io/process.h"

/* The first line of a file of /proc; "" if there is none. Without memory: for want of it nobody is
 * taken for dead. */
static void read_line(const char *path, char *line, size_t capacity) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, line, capacity - 1) : 0;
    line[n > 0 ? n : 0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    if (fd >= 0) {
        (void)close(fd);
    }
}

void il_owner_start(long pid, char start[IL_OWNER_START], bool *known) {
    long long born = -1;
    *known = il_process_born(pid, &born);
    start[0] = '\0';
    if (born >= 0) {
        (void)snprintf(start, IL_OWNER_START, "%lld", born);
    }
}

il_owner il_owner_self(void) {
    il_owner self = {.pid = (long)getpid()};
    if (gethostname(self.host, sizeof self.host - 1) != 0) {
        (void)snprintf(self.host, sizeof self.host, "unknown");
    }
    read_line("/proc/sys/kernel/random/boot_id", self.boot, sizeof self.boot);
    ssize_t n = readlink("/proc/self/ns/pid", self.space, sizeof self.space - 1);
    self.space[n > 0 ? n : 0] = '\0';
    bool known = true;
    il_owner_start(self.pid, self.start, &known);
    return self;
}

static void take_word(const json_t *object, const char *key, char *word, size_t capacity) {
    (void)snprintf(word, capacity, "%s", il_json_get_text(object, key));
}

il_owner il_owner_of(const json_t *lease) {
    il_owner o = {.pid = (long)json_integer_value(json_object_get(lease, "pid"))};
    take_word(lease, "host", o.host, sizeof o.host);
    take_word(lease, "boot", o.boot, sizeof o.boot);
    take_word(lease, "space", o.space, sizeof o.space);
    take_word(lease, "start", o.start, sizeof o.start);
    return o;
}

bool il_owner_same_place(const il_owner *a, const il_owner *b) {
    return strcmp(a->host, b->host) == 0 && strcmp(a->boot, b->boot) == 0 && a->boot[0] != '\0' &&
           strcmp(a->space, b->space) == 0 && a->space[0] != '\0';
}

char *il_owner_text(const il_owner *o) {
    json_t *all = json_pack("{s:s, s:s, s:s, s:s, s:I}", "host", o->host, "boot", o->boot, "space",
                            o->space, "start", o->start, "pid", (json_int_t)o->pid);
    char *text = il_json_text(all);
    json_decref(all);
    if (text != NULL) {
        memmove(text, text + 1, strlen(text)); /* without its bracket */
    }
    return text;
}
