/*
 * status.h - what every fallible function of impactlab returns.
 *
 * One list holds the codes, the names that records carry and the sentence that people read.
 * A function that can say more than its code fills an il_error.
 */
#ifndef IL_BASE_STATUS_H
#define IL_BASE_STATUS_H

/* IL_ENOMEM: there is no memory for a size that a user chose (memory_limit.h), or the system says
 * so; declarations do not repeat it. */
#define IL_STATUS_LIST(X)                                                                          \
    X(IL_OK, "ok", "all well")                                                                     \
    X(IL_EINVAL, "bad_input", "the input is not allowed")                                          \
    X(IL_EUNSUPPORTED, "unsupported", "this combination has no meaning")                           \
    X(IL_EINFEASIBLE, "infeasible", "the constraints cannot all be met")                           \
    X(IL_ESTALLED, "not_converged", "an iteration ended before it reached its tolerance")          \
    X(IL_ENOTCERTIFIED, "not_certified", "an answer is not as exact as was promised")              \
    X(IL_EUNEXPLAINED, "gap_unexplained", "an overlap grows against what its derivatives say")     \
    X(IL_ENUMERIC, "not_finite", "a number is not finite")                                         \
    X(IL_ENOMEM, "out_of_memory", "there is no memory for what was asked for")                     \
    X(IL_ETIME, "time_limit", "it took longer than it may")                                        \
    X(IL_ETOOLONG, "too_long", "it would take longer than was consented to")                       \
    X(IL_EMEMORY, "memory_limit", "it needs more memory than it may")                              \
    X(IL_ECRASHED, "crashed", "its process ended before it did")                                   \
    X(IL_EIO, "io_error", "a file could not be read or written")                                   \
    X(IL_EPLOT, "plot_error", "gnuplot did not draw the figure")                                   \
    X(IL_ESCRIPT, "script_error", "the Lua script raised an error")                                \
    X(IL_EINTERRUPTED, "interrupted", "the work was interrupted")                                  \
    X(IL_EINTERNAL, "internal_error", "an invariant of the program does not hold")

#define IL_STATUS_ENUM(code, name, text) code,
typedef enum { IL_STATUS_LIST(IL_STATUS_ENUM) IL_STATUS_COUNT } il_status;
#undef IL_STATUS_ENUM

#define IL_MESSAGE_MAX 1024

/* What went wrong, for people: message names the value, where it stood and what is allowed. */
typedef struct {
    il_status code;
    char message[IL_MESSAGE_MAX];
} il_error;

/* The name that records carry ("ok", "not_converged", ...). Never NULL. */
const char *il_status_name(il_status code);

/* One sentence in English. Never NULL. */
const char *il_status_text(il_status code);

/* What an errno of the C library means: IL_ENOMEM when memory ran out, else IL_EIO. */
il_status il_status_of_errno(int number);

/* Fill err (which may be NULL) with a printf-style message on one line, without control characters,
 * and return code, so that a failing
 * function ends in `return il_fail(err, IL_EINVAL, "...", ...)`. */
il_status il_fail(il_error *err, il_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Where a failure leaves a run, a script or the program: err, which may be NULL, gets code, and its
 * sentence if it has no message yet. Returns code; nothing happens for IL_OK. */
il_status il_fail_with(il_error *err, il_status code);

#endif
