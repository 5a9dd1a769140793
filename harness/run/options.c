/*
 * options.c - the options of a run.
 */
#include "harness/run/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/team.h"
#include "harness/base/text.h"
#include "harness/measure/norm.h"

static const size_t SEED_MAX = 4294967295u;

/* ---- values that are read from a text ------------------------------------------------------- */

static il_status set_projector(il_case *c, const char *text, il_error *err) {
    return il_substitute_projector(c->substitutes, text, &c->projector, err);
}

static il_status set_seed(il_case *c, const char *text, il_error *err) {
    (void)err;
    c->has_seed = il_text_count(text, &c->seed) && c->seed <= SEED_MAX;
    return c->has_seed ? IL_OK : IL_EINVAL;
}

static il_status set_rho(il_case *c, const char *text, il_error *err) {
    il_projector_options *o = &c->projection;
    (void)err;
    if (strcmp(text, "measured") == 0) {
        o->rho_rule = IL_RHO_MEASURED;
        return IL_OK;
    }
    if (strcmp(text, "explicit") == 0) {
        o->rho_rule = IL_RHO_EXPLICIT;
        return IL_OK;
    }
    o->rho_rule = IL_RHO_GIVEN;
    return il_text_number(text, &o->rho) && o->rho > 0.0 && isfinite(o->rho) ? IL_OK : IL_EINVAL;
}

/* Is text the second of two words? IL_EINVAL if it is neither. */
static il_status choose(const char *text, const char *first, const char *second, bool *is_second) {
    *is_second = strcmp(text, second) == 0;
    return *is_second || strcmp(text, first) == 0 ? IL_OK : IL_EINVAL;
}

static il_status set_record(il_case *c, const char *text, il_error *err) {
    (void)err;
    return choose(text, "full", "final", &c->final_only);
}

static il_status set_reference(il_case *c, const char *text, il_error *err) {
    (void)err;
    return choose(text, "own", "event_driven", &c->event_driven);
}

static il_status set_color(il_case *c, const char *text, il_error *err) {
    bool load = false;
    (void)err;
    c->files.has_color = true;
    il_status status = choose(text, "speed", "load", &load);
    c->files.color = load ? IL_COLOR_LOAD : IL_COLOR_SPEED;
    return status;
}

static il_status set_threads(il_case *c, const char *text, il_error *err) {
    (void)err;
    return il_text_count(text, &c->threads) && c->threads >= 1 && c->threads <= IL_TEAM_MAX
               ? IL_OK
               : IL_EINVAL;
}

static il_status set_multipliers(il_case *c, const char *text, il_error *err) {
    (void)err;
    if (strcmp(text, "last") == 0) {
        c->multipliers = IL_STEP_LAST;
        return IL_OK;
    }
    return il_text_count(text, &c->multipliers) && c->multipliers > 0 ? IL_OK : IL_EINVAL;
}

static il_status set_ensemble(il_case *c, const char *text, il_error *err) {
    (void)err;
    return il_text_count(text, &c->ensemble) && c->ensemble >= 2 ? IL_OK : IL_EINVAL;
}

static il_status set_checkpoint(il_case *c, const char *text, il_error *err) {
    (void)err;
    c->checkpoint_file = text;
    return text[0] != '\0' ? IL_OK : IL_EINVAL;
}

static il_status set_norms(il_case *c, const char *text, il_error *err) {
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
    RUN = IL_WHERE_COMMAND | IL_WHERE_RUN,
    PICTURES = RUN | IL_WHERE_MOVIE
};

#define AT(member) offsetof(il_case, member)

static const il_option table[] = {
    {.key = "problem",
     .option = "problem",
     .value = "P",
     .where = ONE,
     .text = "the problem, by its name in `impactlab list`"},
    {.key = "scheme",
     .option = "scheme",
     .value = "S",
     .where = ONE,
     .text = "the scheme; its own parameters follow it: moreau_jean:theta=0.5"},
    {.key = "steps",
     .option = "steps",
     .value = "N",
     .where = ONE,
     .kind = IL_OPTION_COUNT,
     .at = AT(steps),
     .text = "N steps over the horizon"},
    {.key = "h",
     .option = "h",
     .value = "H",
     .where = ONE,
     .kind = IL_OPTION_POSITIVE,
     .at = AT(h),
     .text_at = AT(h_text),
     .text = "floor(T/H + 1e-9) steps of H; with steps, N steps of H"},
    {.key = "horizon",
     .option = "horizon",
     .value = "T",
     .where = EVERYWHERE,
     .kind = IL_OPTION_POSITIVE,
     .at = AT(horizon),
     .text_at = AT(horizon_text),
     .text = "end of the run instead of the problem's own"},
    {.key = "set",
     .option = "set",
     .value = "key=value",
     .where = IL_WHERE_COMMAND,
     .text = "a parameter of the problem (repeatable); vectors: 1,2,3"},
    {.key = "seed",
     .option = "seed",
     .value = "K",
     .where = EVERYWHERE,
     .kind = IL_OPTION_TEXT,
     .set = set_seed,
     .allowed = "an integer >= 0, at most 4294967295",
     .text = "seed of a problem that draws numbers; others only record it"},
    {.key = "projector",
     .option = "projector",
     .value = "X",
     .where = EVERYWHERE,
     .kind = IL_OPTION_TEXT,
     .set = set_projector,
     .text = "how the problem of a step is solved; default: the one that suits it"},
    {.key = "tol",
     .option = "tol",
     .value = "E",
     .where = EVERYWHERE,
     .kind = IL_OPTION_POSITIVE,
     .at = AT(projection.tolerance),
     .text = "tolerance of iterative projectors, in the units of the gaps"},
    {.key = "max_iterations",
     .option = "max-iterations",
     .value = "K",
     .where = EVERYWHERE,
     .kind = IL_OPTION_COUNT,
     .at = AT(projection.max_iterations),
     .text = "limit of iterative projectors"},
    {.key = "rho",
     .option = "rho",
     .value = "R",
     .where = EVERYWHERE,
     .kind = IL_OPTION_TEXT,
     .set = set_rho,
     .allowed = "measured, explicit, a number > 0",
     .text = "step of gradient projectors: measured (default), explicit, or a number"},
    {.key = "accept_stalled",
     .option = "accept-stalled",
     .where = EVERYWHERE,
     .kind = IL_OPTION_FLAG,
     .at = AT(accept_stalled),
     .text = "go on with the best iterate of a projector that stops early"},
    {.key = "samples",
     .option = "sample",
     .value = "t1,t2,...",
     .where = EVERYWHERE,
     .kind = IL_OPTION_NUMBERS,
     .text = "states at these times"},
    {.key = "loads",
     .option = "loads",
     .where = RUN,
     .kind = IL_OPTION_FLAG,
     .at = AT(loads),
     .text = "what each body bears in the samples"},
    {.key = "record",
     .option = "record",
     .value = "full|final",
     .where = EVERYWHERE,
     .kind = IL_OPTION_TEXT,
     .set = set_record,
     .allowed = "full, final",
     .text = "final: no measures, the final state alone"},
    {.key = "reference",
     .option = "reference",
     .value = "own|event_driven",
     .where = RUN,
     .kind = IL_OPTION_TEXT,
     .set = set_reference,
     .allowed = "own, event_driven",
     .text = "own: the problem's exact solutions (default); event_driven:\n"
             "computed, with located impacts"},
    {.key = "norms",
     .option = "norms",
     .value = "NAME,...",
     .where = EVERYWHERE,
     .kind = IL_OPTION_TEXT,
     .set = set_norms,
     .text = "distances that need the whole run, by their names, all, none;\n"
             "default all up to 65536 numbers of u"},
    {.key = "multipliers",
     .option = "multipliers",
     .value = "N|last",
     .where = RUN,
     .kind = IL_OPTION_TEXT,
     .set = set_multipliers,
     .allowed = "the number of a step, last",
     .text = "the set of all contact forces of step N (`impactlab show crystal`)"},
    {.key = "exact_arithmetic",
     .option = "exact-arithmetic",
     .where = RUN,
     .kind = IL_OPTION_FLAG,
     .at = AT(exact),
     .text = "the same run in rational numbers too, as field \"exact\""},
    {.key = "ensemble",
     .option = "ensemble",
     .value = "K",
     .where = IL_WHERE_COMMAND,
     .kind = IL_OPTION_TEXT,
     .set = set_ensemble,
     .allowed = "an integer >= 2",
     .text = "K more runs from data moved by last places: which digits of the\n"
             "record mean something"},
    {.key = "perturb",
     .option = "perturb",
     .value = "E",
     .where = IL_WHERE_COMMAND,
     .kind = IL_OPTION_POSITIVE,
     .at = AT(perturb),
     .text = "of ensemble: move the data by E, relative"},
    {.key = "series",
     .option = "series",
     .where = RUN,
     .kind = IL_OPTION_FLAG,
     .at = AT(series),
     .text = "energy, drifts, work, wall forces of every step, in the record"},
    {.key = "trajectory",
     .option = "trajectory",
     .value = "FILE",
     .where = RUN,
     .kind = IL_OPTION_FILE,
     .at = AT(files.trajectory),
     .folder = "trajectories",
     .text = "all nodes, as FILE.h5 (with contacts) or FILE.csv"},
    {.key = "paraview",
     .option = "paraview",
     .value = "FILE.pvd",
     .where = RUN,
     .kind = IL_OPTION_FILE,
     .at = AT(files.paraview),
     .folder = "paraview",
     .text = "bodies, speeds, loads and contacts for ParaView"},
    {.key = "frames",
     .option = "frames",
     .value = "DIR",
     .where = IL_WHERE_COMMAND,
     .kind = IL_OPTION_FILE,
     .at = AT(files.frames),
     .folder = "movies",
     .text = "a movie: DIR/frame-000000.png, ..."},
    {.key = "every",
     .option = "every",
     .value = "K",
     .where = PICTURES,
     .kind = IL_OPTION_COUNT,
     .at = AT(files.every),
     .text = "of paraview and frames: every K-th node and the last"},
    {.key = "color",
     .option = "color",
     .value = "speed|load",
     .where = IL_WHERE_COMMAND | IL_WHERE_MOVIE,
     .kind = IL_OPTION_TEXT,
     .set = set_color,
     .allowed = "speed, load",
     .text = "of the discs in frames"},
    {.key = "fclib",
     .option = "fclib",
     .value = "FILE.hdf5",
     .where = RUN,
     .kind = IL_OPTION_FILE,
     .at = AT(files.fclib),
     .folder = "fclib",
     .text = "the projection of a step with its answer, in FCLib's format"},
    {.key = "fclib_step",
     .option = "fclib-step",
     .value = "n",
     .where = RUN,
     .kind = IL_OPTION_COUNT,
     .at = AT(files.fclib_step),
     .text = "of which step (default: the last)"},
    {.key = "threads",
     .option = "threads",
     .value = "N",
     .where = RUN,
     .kind = IL_OPTION_TEXT,
     .set = set_threads,
     .allowed = "an integer from 1 to 64",
     .text = "N threads share the work of a step, to the same bits (default 1):\n"
             "worth while from some 10 000 bodies on"},
    {.key = "checkpoint",
     .option = "checkpoint",
     .value = "FILE",
     .where = IL_WHERE_COMMAND,
     .kind = IL_OPTION_TEXT,
     .set = set_checkpoint,
     .allowed = "a file",
     .text = "where a long run leaves its state, from which the same command\n"
             "goes on after a kill; a trajectory is written then, too"},
    {.key = "checkpoint_every",
     .option = "checkpoint-every",
     .value = "SECONDS",
     .where = IL_WHERE_COMMAND,
     .kind = IL_OPTION_POSITIVE,
     .at = AT(checkpoint_every),
     .text = "how often (default 60)"},
    {.key = "max_time",
     .option = "max-time",
     .value = "SECONDS",
     .where = IL_WHERE_COMMAND,
     .kind = IL_OPTION_POSITIVE,
     .at = AT(max_time),
     .text = "stop after so many seconds, with the record so far"},
    {.key = "long",
     .option = "long",
     .where = IL_WHERE_COMMAND,
     .kind = IL_OPTION_FLAG,
     .at = AT(is_long),
     .text = "run although the first steps say that it takes more than an hour"},
    {.key = "quiet", .option = "quiet", .where = IL_WHERE_COMMAND, .text = "no progress"},
    {.key = "all",
     .option = "all",
     .where = IL_WHERE_COMMAND,
     .text = "print all measures, not only errors, gap and certificate"},
    {.key = "json",
     .option = "json",
     .where = IL_WHERE_COMMAND,
     .text = "the record as one JSON object"},
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

static void *field(const il_option *option, il_case *c) {
    return (char *)c + option->at;
}

static il_status set_numbers(const il_option *option, il_case *c, const char *text, il_error *err) {
    size_t n = 1;
    for (const char *at = text; *at != '\0'; at++) {
        n += *at == ',';
    }
    char *copy = strdup(text);
    double *x = malloc(n * sizeof *x);
    il_status status =
        copy != NULL && x != NULL ? IL_OK : il_fail(err, IL_ENOMEM, "no memory for %zu numbers", n);
    char *at = copy;
    for (size_t k = 0; k < n && status == IL_OK; k++) {
        char *comma = strchr(at, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        if (!il_text_number(at, &x[k])) {
            status = il_fail(err, IL_EINVAL, "--%s: '%s' is not a number; allowed: %s",
                             option->option, at, option->value);
        }
        at = comma != NULL ? comma + 1 : at;
    }
    free(copy);
    if (status != IL_OK) {
        free(x);
        return status;
    }
    c->samples = x;
    c->nsamples = n;
    return IL_OK;
}

static il_status set_positive(const il_option *option, il_case *c, const char *text,
                              il_error *err) {
    double *value = field(option, c);
    if (!il_text_number(text, value) || !(*value > 0.0 && isfinite(*value))) {
        return il_fail(err, IL_EINVAL, "--%s is '%s'; allowed: a number > 0%s", option->option,
                       text, isinf(*value) ? ", and finite" : "");
    }
    if (option->text_at > 0) {
        *(const char **)(void *)((char *)c + option->text_at) = text;
    }
    return IL_OK;
}

il_status il_option_set(const il_option *option, il_case *c, const char *text, il_error *err) {
    size_t *count = field(option, c);
    il_error why = {IL_OK, ""};
    switch (option->kind) {
    case IL_OPTION_FLAG:
        *(bool *)field(option, c) = true;
        return IL_OK;
    case IL_OPTION_COUNT:
        return il_text_count(text, count) && *count > 0
                   ? IL_OK
                   : il_fail(err, IL_EINVAL, "--%s is '%s'; allowed: an integer >= 1, at most 2^40",
                             option->option, text);
    case IL_OPTION_POSITIVE:
        return set_positive(option, c, text, err);
    case IL_OPTION_NUMBERS:
        return set_numbers(option, c, text, err);
    case IL_OPTION_FILE:
        *(const char **)field(option, c) = text;
        return text[0] != '\0'
                   ? IL_OK
                   : il_fail(err, IL_EINVAL, "--%s is ''; allowed: a name", option->option);
    case IL_OPTION_TEXT:
        break;
    case IL_OPTION_OTHER:
        return IL_EINTERNAL;
    }
    il_status status = option->set(c, text, &why);
    if (status == IL_OK) {
        return IL_OK;
    }
    return why.message[0] != '\0' ? il_fail(err, status, "%s", why.message)
                                  : il_fail(err, status, "--%s is '%s'; allowed: %s",
                                            option->option, text, option->allowed);
}

il_status il_options_check(const il_case *c, bool dashes, il_error *err) {
    const il_files *w = &c->files;
    const struct {
        bool lonely;
        const char *option, *key, *needs, *needs_keys;
    } pairs[] = {
        {w->every > 0 && w->paraview == NULL && w->frames == NULL, "--every", "every",
         "--paraview or --frames", "paraview"},
        {w->has_color && w->frames == NULL, "--color", "color", "--frames", "frames"},
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
