/*
 * provenance.c - the program as the build describes it, the machine as it describes itself.
 */
#include "harness/run/case.h"

#include <features.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif
#if defined __x86_64__ && defined __GLIBC__ && __GLIBC_PREREQ(2, 33)
#include <sys/platform/x86.h>
#endif

#include "harness/base/date.h"
#include "harness/base/json.h"
#include "harness/base/text.h"
#include "provenance_built.h"

enum { NAME = 128 };

/* Leaves 0x80000002 to 0x80000004 of cpuid: 48 letters (Intel SDM vol. 2A, AMD APM vol. 3). Asked
 * once a process: a virtual machine leaves for each of these questions, 50 microseconds a
 * record. */
static void processor_name(char name[NAME]) {
    static char known[NAME];
#ifdef __x86_64__
    unsigned word[12] = {0};
    for (unsigned k = 0; known[0] == '\0' && k < 3; k++) {
        (void)__get_cpuid(0x80000002U + k, &word[4 * k], &word[4 * k + 1], &word[4 * k + 2],
                          &word[4 * k + 3]);
    }
    if (known[0] == '\0') {
        char text[sizeof word + 1] = "";
        memcpy(text, word, sizeof word);
        const char *begin = text + strspn(text, " ");
        size_t n = strlen(begin);
        while (n > 0 && begin[n - 1] == ' ') {
            n--;
        }
        (void)snprintf(known, sizeof known, "%.*s", (int)n, n > 0 ? begin : "");
    }
#endif
    if (known[0] == '\0') {
        (void)snprintf(known, sizeof known, "unknown");
    }
    memcpy(name, known, sizeof known);
}

/* glibc chooses so for sin, exp, log and others (sysdeps/x86_64/fpu/multiarch/ifunc-avx-fma4.h);
 * what GLIBC_TUNABLES switches off is not active. */
static const char *variant(void) {
#if defined __x86_64__ && defined __GLIBC__ && __GLIBC_PREREQ(2, 33)
    if (CPU_FEATURE_ACTIVE(FMA) && CPU_FEATURE_ACTIVE(AVX2)) {
        return "fma";
    }
    if (CPU_FEATURE_ACTIVE(FMA4)) {
        return "fma4";
    }
    return CPU_FEATURE_ACTIVE(AVX) ? "avx" : "sse2";
#else
    return "unknown";
#endif
}

static void mathematics_name(char name[NAME]) {
#ifdef __GLIBC__
    (void)snprintf(name, NAME, "glibc %s, %s", gnu_get_libc_version(), variant());
#else
    (void)snprintf(name, NAME, "%s", variant());
#endif
}

/* A text of this machine, which may be in any encoding. */
static void put_own(il_json *w, json_t *object, const char *key, char *text) {
    il_text_make_printable(text, false);
    il_json_put_text(w, object, key, il_text_is_utf8(text) ? text : "?");
}

static void put_machine(il_json *w, json_t *object) {
    char name[NAME] = "";
    processor_name(name);
    put_own(w, object, "processor", name);
    mathematics_name(name);
    put_own(w, object, "mathematics", name);
    if (gethostname(name, sizeof name) != 0) {
        name[0] = '\0';
    }
    name[sizeof name - 1] = '\0';
    put_own(w, object, "host", name);
}

static void put_date(il_json *w, json_t *object) {
    char text[IL_DATE];
    il_date_utc(il_date_now(), text);
    il_json_put_text(w, object, "date", text);
}

json_t *il_provenance_json(const il_case *c, double seconds) {
    il_json w = {false};
    json_t *object = json_object();
    il_json_put_text(&w, object, "version", IL_BUILT_VERSION);
    il_json_put_text(&w, object, "revision",
                     IL_BUILT_REVISION[0] != '\0' ? IL_BUILT_REVISION : NULL);
    il_json_set(&w, object, "dirty", json_boolean(IL_BUILT_DIRTY));
    il_json_put_text(&w, object, "compiler", IL_BUILT_COMPILER);
    il_json_put_text(&w, object, "flags", IL_BUILT_FLAGS);
    il_json_put_text(&w, object, "libraries", IL_BUILT_LIBRARIES);
    put_machine(&w, object);
    put_date(&w, object);
    il_json_put(&w, object, "seconds", seconds);
    il_json_set(&w, object, "seed", c->has_seed ? json_integer((json_int_t)c->seed) : json_null());
    il_json_put_text(&w, object, "script", c->script);
    il_json_put_text(&w, object, "script_sha256", c->script_sum);
    return il_json_done(&w, object);
}
