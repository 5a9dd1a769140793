/*
 * options.c - the table of the options of a run, and their parsing.
 */
#include "harness/run/options.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/team.h"
#include "harness/base/text.h"
#include "harness/measure/norm.h"

/* ---- values that are read from a text ------------------------------------------------------- */

static il_status set_projector(void *self, const char *text, il_error *err) {
    il_case *c = self;
    return il_substitute_projector(c->substitutes, text, &c->projector, err);
}

static il_status set_rho(void *self, const char *text, il_error *err) {
    il_case *c = self;
    il_projector_options *o = &c->projection;
    (void)err;
    int rule = il_text_place("measured|explicit", '|', text);
    o->rho_rule = rule == 0 ? IL_RHO_MEASURED : rule == 1 ? IL_RHO_EXPLICIT : IL_RHO_GIVEN;
    bool good = rule >= 0 || (il_text_number(text, &o->rho) && o->rho > 0.0 && isfinite(o->rho));
    return good ? IL_OK : IL_EINVAL;
}

static il_status set_multipliers(void *self, const char *text, il_error *err) {
    il_case *c = self;
    (void)err;
    if (strcmp(text, "last") == 0) {
        c->multipliers = IL_STEP_LAST;
        return IL_OK;
    }
    return il_text_count(text, &c->multipliers) && c->multipliers > 0 ? IL_OK : IL_EINVAL;
}

static il_status set_norms(void *self, const char *text, il_error *err) {
    il_case *c = self;
    c->norms = 0;
    for (const char *at = text;; at++) {
        char name[32] = "";
        size_t n = strcspn(at, ",");
        unsigned bits = 0;
        (void)snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : 0), at);
        if (!il_norm_bits(name, &bits)) {
            char known[256];
            il_norm_names(known, sizeof known);
            return il_fail(err, IL_EINVAL, "norms is '%.*s'; allowed: %s", (int)n, at, known);
        }
        c->norms |= bits;
        if (strcmp(name, "none") == 0 && strlen(text) > n) {
            return il_fail(err, IL_EINVAL, "norms is '%s'; allowed: none by itself", text);
        }
        at += n;
        if (*at == '\0') {
            return IL_OK;
        }
    }
}

/* ---- the table ------------------------------------------------------------------------------ */

enum {
    EVERYWHERE = IL_WHERE_COMMAND | IL_WHERE_CASE | IL_WHERE_SWEEP,
    ONE = IL_WHERE_COMMAND | IL_WHERE_CASE,
    RUN = IL_WHERE_COMMAND | IL_WHERE_RUN
};

/* Names in tables and on the command line; and the kinds, with the member that they fill. */
#define NAMED(name) CALLED(name, name)
#define CALLED(in_tables, on_line) .key = (in_tables), .name = (on_line)
#define AT(member) offsetof(il_case, member)
#define FLAG(member) .kind = IL_OPTION_FLAG, .at = AT(member)
#define COUNT(member) .kind = IL_OPTION_COUNT, .at = AT(member), .least = 1
#define POSITIVE(member) .kind = IL_OPTION_POSITIVE, .at = AT(member)
#define FILE_IN(member, where_to) .kind = IL_OPTION_FILE, .at = AT(member), .folder = (where_to)
#define EITHER(member) .kind = IL_OPTION_EITHER, .at = AT(member)
#define SET(setter) .kind = IL_OPTION_SET, .set = (setter)

static const il_option table[] = {
    {NAMED("problem"), .value = "P", .where = ONE,
     .text = "the problem, by its name in `impactlab list`"},
    {NAMED("scheme"), .value = "S", .where = ONE,
     .text = "the scheme; its own parameters follow it: moreau_jean:theta=0.5"},
    {NAMED("steps"), .value = "N", .where = ONE, COUNT(steps), .text = "N steps over the horizon"},
    {NAMED("h"), .value = "H", .where = ONE, POSITIVE(h), .beside = AT(h_text),
     .text = "floor(T/H + 1e-9) steps of H; with steps, N steps of H"},
    {NAMED("horizon"), .value = "T", .where = EVERYWHERE, POSITIVE(horizon),
     .beside = AT(horizon_text), .text = "end of the run instead of the problem's own"},
    {NAMED("set"), .value = "key=value", .where = IL_WHERE_COMMAND, .repeats = true,
     .text = "a parameter of the problem (repeatable); vectors: 1,2,3"},
    {NAMED("seed"), .value = "K", .where = EVERYWHERE, .kind = IL_OPTION_COUNT, .at = AT(seed),
     .beside = AT(has_seed), .most = UINT32_MAX,
     .text = "seed of a problem that draws numbers; others only record it"},
    {NAMED("projector"), .value = "X", .where = EVERYWHERE, SET(set_projector),
     .text = "how the problem of a step is solved; default: the one that suits it"},
    {NAMED("tol"), .value = "E", .where = EVERYWHERE, POSITIVE(projection.tolerance),
     .text = "tolerance of iterative projectors, in the units of the gaps"},
    {CALLED("max_iterations", "max-iterations"), .value = "K", .where = EVERYWHERE,
     COUNT(projection.max_iterations), .text = "limit of iterative projectors"},
    {NAMED("rho"), .value = "R", .where = EVERYWHERE, SET(set_rho),
     .allowed = "measured, explicit, a number > 0",
     .text = "step of gradient projectors: measured (default), explicit, or a number"},
    {NAMED("warm"), .where = EVERYWHERE, FLAG(projection.warm),
     .text = "projectors that sweep start from the multipliers of the step before"},
    {CALLED("sweep_order", "sweep-order"), .value = "given|random", .where = EVERYWHERE,
     EITHER(projection.shuffled),
     .text = "in which projectors that sweep take the contacts; default: given"},
    {CALLED("accept_stalled", "accept-stalled"), .where = EVERYWHERE, FLAG(accept_stalled),
     .text = "go on with the best iterate of a projector that stops early"},
    {CALLED("samples", "sample"), .value = "t1,t2,...", .where = EVERYWHERE,
     .kind = IL_OPTION_NUMBERS, .at = AT(samples), .beside = AT(nsamples),
     .text = "states at these times"},
    {NAMED("loads"), .where = RUN, FLAG(loads), .text = "what each body bears in the samples"},
    {NAMED("record"), .value = "full|final", .where = EVERYWHERE, EITHER(final_only),
     .text = "final: no measures, the final state alone"},
    {NAMED("reference"), .value = "own|event_driven", .where = RUN, EITHER(event_driven),
     .text = "own: the problem's exact solutions (default); event_driven:\n"
             "computed, with located impacts"},
    {NAMED("norms"), .value = "NAME,...", .where = EVERYWHERE, SET(set_norms),
     .text = "distances that need the whole run, by their names, all, none;\n"
             "default all up to 65536 numbers of u"},
    {NAMED("multipliers"), .value = "N|last", .where = RUN, SET(set_multipliers),
     .allowed = "the number of a step, last",
     .text = "the set of all contact forces of step N (`impactlab show crystal`)"},
    {CALLED("exact_arithmetic", "exact-arithmetic"), .where = RUN, FLAG(exact),
     .text = "the same run in rational numbers too, as field \"exact\""},
    {NAMED("ensemble"), .value = "K", .where = IL_WHERE_COMMAND, .kind = IL_OPTION_COUNT,
     .at = AT(ensemble), .least = 2,
     .text = "K more runs from data moved by last places: which digits of the\n"
             "record mean something"},
    {NAMED("perturb"), .value = "E", .where = IL_WHERE_COMMAND, POSITIVE(perturb),
     .text = "of ensemble: move the data by E, relative"},
    {NAMED("series"), .where = RUN, FLAG(series),
     .text = "energy, drifts, work, wall forces of every step, in the record"},
    {NAMED("trajectory"), .value = "FILE", .where = RUN, FILE_IN(files.trajectory, "trajectories"),
     .text = "all nodes, as FILE.h5 (with contacts) or FILE.csv"},
    {NAMED("paraview"), .value = "FILE.pvd", .where = RUN, FILE_IN(files.paraview, "paraview"),
     .text = "bodies, speeds, loads and contacts for ParaView"},
    {NAMED("every"), .value = "K", .where = RUN, COUNT(files.every),
     .text = "of paraview: every K-th node and the last"},
    {NAMED("fclib"), .value = "FILE.hdf5", .where = RUN, FILE_IN(files.fclib, "fclib"),
     .text = "the projection of a step with its answer, in FCLib's format"},
    {CALLED("fclib_step", "fclib-step"), .value = "n", .where = RUN, COUNT(files.fclib_step),
     .text = "of which step (default: the last)"},
    {NAMED("threads"), .value = "N", .where = RUN, COUNT(threads), .most = IL_TEAM_MAX,
     .text = "N threads share the work of a step, to the same bits (default 1):\n"
             "worth while from some 10 000 bodies on"},
    {CALLED("max_time", "max-time"), .value = "SECONDS", .where = IL_WHERE_COMMAND,
     POSITIVE(max_time), .text = "stop after so many seconds, with the record so far"},
    {NAMED("long"), .where = IL_WHERE_COMMAND, FLAG(is_long),
     .text = "run although the first steps say that it takes more than an hour"},
    {NAMED("quiet"), .where = IL_WHERE_COMMAND, .text = "no progress"},
    {NAMED("all"), .where = IL_WHERE_COMMAND,
     .text = "print all measures, not only errors, gap and certificate"},
    {NAMED("json"), .where = IL_WHERE_COMMAND, .text = "the record as one JSON object"},
};

const il_option *il_option_at(size_t k) {
    return k < sizeof table / sizeof table[0] ? &table[k] : NULL;
}

/* ---- reading -------------------------------------------------------------------------------- */

il_status il_case_init(il_case *c, const il_substitutes *substitutes, il_error *err) {
    *c = (il_case){.substitutes = substitutes, .norms = IL_NORM_AUTO};
    return il_substitute_projector(substitutes, il_projector_type_default()->name, &c->projector,
                                   err);
}

il_status il_options_check(const il_case *c, bool dashes, il_error *err) {
    const il_files *w = &c->files;
    const struct {
        bool lonely;
        const char *option, *key, *needs, *needs_keys;
    } pairs[] = {
        {w->every > 0 && w->paraview == NULL, "--every", "every", "--paraview FILE.pvd",
         "paraview"},
        {w->fclib_step > 0 && w->fclib == NULL, "--fclib-step", "fclib_step", "--fclib FILE.hdf5",
         "fclib"},
        {c->perturb > 0.0 && c->ensemble == 0, "--perturb", "perturb", "--ensemble K", "ensemble"},
        {c->loads && c->nsamples == 0, "--loads", "loads",
         "--sample, whose states it adds loads to", "samples, whose states it adds loads to"}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        if (pairs[k].lonely) {
            return il_fail(err, IL_EINVAL, "%s goes with %s",
                           dashes ? pairs[k].option : pairs[k].key,
                           dashes ? pairs[k].needs : pairs[k].needs_keys);
        }
    }
    return IL_OK;
}
