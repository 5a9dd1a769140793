/*
 * options.h - the options of a run, in one table: the command line's options and their help, and
 * the keys of scripts' tables are made from it. A new option is one entry.
 */
#ifndef IL_OPTIONS_H
#define IL_OPTIONS_H

#include "harness/base/option.h"
#include "harness/run/case.h"

/* Where an option may stand. */
enum {
    IL_WHERE_COMMAND = 1u << 0, /* impactlab run */
    IL_WHERE_RUN = 1u << 1,     /* lab.run */
    IL_WHERE_CASE = 1u << 2,    /* what runs one case in a script: lab.run, ... */
    IL_WHERE_SWEEP = 1u << 3    /* lab.sweep, and all that is said of many cases at once */
};

/* Option k, whose members are those of an il_case, NULL past the end. What is IL_OPTION_OTHER is
 * parsed by the caller: problem, scheme, and what is not part of a case. */
const il_option *il_option_at(size_t k);

/* An empty case with what is not zero by default: projector and norms. substitutes as in il_case.
 */
il_status il_case_init(il_case *c, const il_substitutes *substitutes, il_error *err);

/* Do the options of a case go together? IL_EINVAL with their names as the command line has them if
 * dashes, else as tables do. */
il_status il_options_check(const il_case *c, bool dashes, il_error *err);

#endif
