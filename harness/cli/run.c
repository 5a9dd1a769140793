/*
 * run.c - `impactlab run`: one run and its record.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/cli/cli.h"
#include "harness/cli/ensemble.h"
#include "harness/cli/pictures.h"
#include "harness/cli/print.h"
#include "harness/io/fclib_file.h"
#include "harness/io/trajectory_file.h"
#include "harness/reference/proof.h"
#include "harness/run/record_json.h"
#include "harness/run/registry.h"
#include "harness/run/run.h"

enum { SETS_MAX = 64, OBSERVERS_MAX = 8 };
static const size_t SEED_MAX = 4294967295u;

static const char usage[] =
    "usage: impactlab run --problem P --scheme S (--steps N | --h H | both) [OPTIONS]\n\n"
    "  --problem P, --scheme S    names as `impactlab list` prints them; a scheme's own\n"
    "                             parameters follow it: moreau_jean:theta=0.5\n"
    "  --steps N                  N steps over the horizon\n"
    "  --h H                      floor(T/H + 1e-9) steps of H; with --steps, N steps of H\n"
    "  --horizon T                end of the run instead of the problem's own\n"
    "  --set key=value            a parameter of the problem (repeatable); vectors: 1,2,3\n"
    "  --seed K                   seed of a problem that draws numbers; others only record it\n"
    "  --projector X              default auto\n"
    "  --tol E                    tolerance of iterative projectors, in the units of the gaps\n"
    "  --max-iterations K         limit of iterative projectors\n"
    "  --rho measured|explicit|R  step of uzawa\n"
    "  --accept-stalled           go on with the best iterate of a projector that stops early\n"
    "  --sample t1,t2,...         states at these times\n"
    "  --trajectory FILE          all nodes, as FILE.h5 (with contacts) or FILE.csv\n"
    "  --reference R              own: the problem's exact solutions (default); event_driven:\n"
    "                             computed, with located impacts\n"
    "  --multipliers N|last       the set of all contact forces of step N (`impactlab show "
    "crystal`)\n"
    "  --paraview FILE.pvd        bodies, speeds, loads and contacts for ParaView\n"
    "  --frames DIR               a movie: DIR/frame-000000.png, ...\n"
    "  --every K                  of --paraview and --frames: every K-th node and the last\n"
    "  --color speed|load         of the discs in --frames\n"
    "  --loads                    what each body bears in the samples\n"
    "  --fclib FILE.hdf5          the projection of a step with its answer, in FCLib's format\n"
    "  --fclib-step n             of which step (default: the last)\n"
    "  --record full|final        final: no measures, the final state alone\n"
    "  --exact-arithmetic         the same run in rational numbers too, as field \"exact\"\n"
    "  --norms NAME,...           distances that need the whole run: graph_H, flat_lambda, TV,\n"
    "                             impacts, all, none; default all up to 65536 numbers of u\n"
    "  --ensemble K               K more runs from data moved by last places: which digits of the\n"
    "                             record mean something\n"
    "  --perturb E                of --ensemble: move the data by E, relative\n"
    "  --series                   energy, drifts, work, wall forces of every step, in the record\n"
    "  --json                     the record as one JSON object\n\n"
    "Exit status: 0; 1 if the run failed on its way; 2 for bad input.\n";

typedef struct {
    const char *problem, *scheme, *projector, *trajectory, *fclib;
    const char *sets[SETS_MAX];
    size_t nsets;
    char seed[64];
    il_run_spec spec;
    double *samples;
    const char *h, *horizon; /* as typed */
    il_proof proof;
    il_cli_pictures pictures;
    il_cli_ensemble ensemble;
    il_step_problem kept; /* for --fclib */
    bool json, has_tol, exact;
} options;

static int positive(const char *option, const char *text, double *value) {
    if (!il_text_number(text, value) || !(*value > 0.0 && isfinite(*value))) {
        return il_cli_usage("run", "%s is '%s'; allowed: a number > 0", option, text);
    }
    return IL_EXIT_OK;
}

static int count(const char *option, const char *text, size_t *value) {
    if (!il_text_count(text, value) || *value == 0) {
        return il_cli_usage("run", "%s is '%s'; allowed: an integer >= 1, at most 2^40", option,
                            text);
    }
    return IL_EXIT_OK;
}

static int parse_samples(options *o, const char *text) {
    size_t n = 1;
    for (const char *c = text; *c != '\0'; c++) {
        n += *c == ',';
    }
    char *copy = strdup(text);
    free(o->samples);
    o->samples = malloc(n * sizeof *o->samples);
    if (copy == NULL || o->samples == NULL) {
        free(copy);
        return IL_EXIT_INTERNAL;
    }
    int status = IL_EXIT_OK;
    char *at = copy;
    for (size_t k = 0; k < n && status == IL_EXIT_OK; k++) {
        char *comma = strchr(at, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        if (!il_text_number(at, &o->samples[k])) {
            status = il_cli_usage("run", "--sample: '%s' is not a time; allowed: t1,t2,...", at);
        }
        at = comma != NULL ? comma + 1 : at;
    }
    free(copy);
    o->spec.samples = o->samples;
    o->spec.nsamples = n;
    return status;
}

static int parse_rho(options *o, const char *text) {
    if (strcmp(text, "measured") == 0) {
        o->spec.projection.rho_rule = IL_RHO_MEASURED;
        return IL_EXIT_OK;
    }
    if (strcmp(text, "explicit") == 0) {
        o->spec.projection.rho_rule = IL_RHO_EXPLICIT;
        return IL_EXIT_OK;
    }
    o->spec.projection.rho_rule = IL_RHO_GIVEN;
    if (!il_text_number(text, &o->spec.projection.rho) ||
        !(o->spec.projection.rho > 0.0 && isfinite(o->spec.projection.rho))) {
        return il_cli_usage("run", "--rho is '%s'; allowed: measured, explicit, a number > 0",
                            text);
    }
    return IL_EXIT_OK;
}

static int parse_record(options *o, const char *text) {
    if (strcmp(text, "full") != 0 && strcmp(text, "final") != 0) {
        return il_cli_usage("run", "--record is '%s'; allowed: full, final", text);
    }
    o->spec.final_only = strcmp(text, "final") == 0;
    return IL_EXIT_OK;
}

static int parse_reference(options *o, const char *text) {
    if (strcmp(text, "own") != 0 && strcmp(text, "event_driven") != 0) {
        return il_cli_usage("run", "--reference is '%s'; allowed: own, event_driven", text);
    }
    o->spec.event_driven = strcmp(text, "event_driven") == 0;
    return IL_EXIT_OK;
}

static int parse_multipliers(options *o, const char *text) {
    if (strcmp(text, "last") == 0) {
        o->spec.multipliers = IL_STEP_LAST;
    } else if (!il_text_count(text, &o->spec.multipliers) || o->spec.multipliers == 0) {
        return il_cli_usage("run", "--multipliers is '%s'; allowed: the number of a step, last",
                            text);
    }
    return IL_EXIT_OK;
}

static int parse_norms(options *o, const char *text) {
    o->spec.norms = 0;
    for (const char *at = text;; at++) {
        char name[32] = "";
        size_t n = strcspn(at, ",");
        unsigned bits = 0;
        (void)snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : 0), at);
        if (!il_norm_bits(name, &bits)) {
            return il_cli_usage("run", "--norms: '%.*s' is not one; allowed: %s", (int)n, at,
                                il_norm_names);
        }
        o->spec.norms |= bits;
        at += n;
        if (*at == '\0') {
            return IL_EXIT_OK;
        }
    }
}

static int parse_set(options *o, const char *text) {
    if (strchr(text, '=') == NULL || text[0] == '=') {
        return il_cli_usage("run", "--set is '%s'; allowed: key=value", text);
    }
    if (o->nsets == SETS_MAX) {
        return il_cli_usage("run", "more than %d times --set", SETS_MAX);
    }
    o->sets[o->nsets++] = text;
    return IL_EXIT_OK;
}

static int parse_seed(options *o, const char *text) {
    size_t seed = 0;
    if (!il_text_count(text, &seed) || seed > SEED_MAX) {
        return il_cli_usage("run", "--seed is '%s'; allowed: an integer >= 0, at most %zu", text,
                            SEED_MAX);
    }
    (void)snprintf(o->seed, sizeof o->seed, "%zu", seed);
    o->spec.seed = seed;
    o->spec.has_seed = true;
    return IL_EXIT_OK;
}

/* The option that argv[*k] is, with its value. */
static int parse_valued(options *o, const char *name, const char *value) {
    if (strcmp(name, "--problem") == 0) {
        o->problem = value;
    } else if (strcmp(name, "--scheme") == 0) {
        o->scheme = value;
    } else if (strcmp(name, "--projector") == 0) {
        o->projector = value;
    } else if (strcmp(name, "--trajectory") == 0) {
        o->trajectory = value;
    } else if (il_cli_pictures_option(name)) {
        return il_cli_pictures_parse(&o->pictures, name, value);
    } else if (il_cli_ensemble_option(name)) {
        return il_cli_ensemble_parse(&o->ensemble, name, value);
    } else if (strcmp(name, "--fclib") == 0) {
        o->fclib = value;
        o->spec.keep = &o->kept;
    } else if (strcmp(name, "--fclib-step") == 0) {
        return count(name, value, &o->kept.step);
    } else if (strcmp(name, "--steps") == 0) {
        return count(name, value, &o->spec.steps);
    } else if (strcmp(name, "--h") == 0) {
        o->h = value;
        return positive(name, value, &o->spec.h);
    } else if (strcmp(name, "--horizon") == 0) {
        o->horizon = value;
        return positive(name, value, &o->spec.horizon);
    } else if (strcmp(name, "--tol") == 0) {
        return positive(name, value, &o->spec.projection.tolerance);
    } else if (strcmp(name, "--max-iterations") == 0) {
        return count(name, value, &o->spec.projection.max_iterations);
    } else if (strcmp(name, "--set") == 0) {
        return parse_set(o, value);
    } else if (strcmp(name, "--seed") == 0) {
        return parse_seed(o, value);
    } else if (strcmp(name, "--rho") == 0) {
        return parse_rho(o, value);
    } else if (strcmp(name, "--reference") == 0) {
        return parse_reference(o, value);
    } else if (strcmp(name, "--sample") == 0) {
        return parse_samples(o, value);
    } else if (strcmp(name, "--multipliers") == 0) {
        return parse_multipliers(o, value);
    } else if (strcmp(name, "--norms") == 0) {
        return parse_norms(o, value);
    } else {
        return parse_record(o, value);
    }
    return IL_EXIT_OK;
}

static const char *const valued[] = {
    "--problem", "--scheme", "--projector", "--trajectory",  "--steps",          "--h",
    "--horizon", "--tol",    "--set",       "--seed",        "--max-iterations", "--rho",
    "--sample",  "--record", "--reference", "--multipliers", "--norms",          "--paraview",
    "--frames",  "--every",  "--color",     "--fclib",       "--fclib-step",     "--ensemble",
    "--perturb"};
enum { VALUED = sizeof valued / sizeof valued[0] };

static int unknown_option(const char *text) {
    const char *names[VALUED + 6];
    memcpy(names, valued, sizeof valued);
    names[VALUED] = "--json";
    names[VALUED + 1] = "--accept-stalled";
    names[VALUED + 2] = "--help";
    names[VALUED + 3] = "--series";
    names[VALUED + 4] = "--loads";
    names[VALUED + 5] = "--exact-arithmetic";
    const char *near = il_text_nearest(text, names, VALUED + 6);
    return il_cli_usage("run", "unknown option '%s'%s%s%s", text,
                        near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                        near != NULL ? "'?" : "");
}

static int parse(options *o, int argc, char **argv) {
    for (int k = 0; k < argc; k++) {
        if (strcmp(argv[k], "--json") == 0) {
            o->json = true;
            continue;
        }
        if (strcmp(argv[k], "--accept-stalled") == 0) {
            o->spec.accept_stalled = true;
            continue;
        }
        if (strcmp(argv[k], "--exact-arithmetic") == 0) {
            o->exact = true;
            continue;
        }
        if (strcmp(argv[k], "--series") == 0 || strcmp(argv[k], "--loads") == 0) {
            o->pictures.series |= argv[k][2] == 's';
            o->spec.series |= argv[k][2] == 's';
            o->spec.loads |= argv[k][2] == 'l';
            continue;
        }
        const char *name = NULL;
        for (size_t i = 0; i < VALUED; i++) {
            name = il_cli_is(argv[k], valued[i]) ? valued[i] : name;
        }
        if (name == NULL) {
            return unknown_option(argv[k]);
        }
        const char *value = il_cli_value("run", argc, argv, &k);
        int status = value == NULL ? IL_EXIT_USAGE : parse_valued(o, name, value);
        if (status != IL_EXIT_OK) {
            return status;
        }
    }
    if (o->problem == NULL || o->scheme == NULL) {
        return il_cli_usage("run", "--problem and --scheme are needed");
    }
    if (o->fclib == NULL && o->kept.step > 0) {
        return il_cli_usage("run", "--fclib-step %zu without --fclib FILE.hdf5", o->kept.step);
    }
    if (o->spec.loads && o->spec.nsamples == 0) {
        return il_cli_usage("run", "--loads goes with --sample, whose states it adds loads to");
    }
    return il_cli_ensemble_check(&o->ensemble);
}

/* Does the problem draw numbers? */
static bool draws(const il_problem_type *type) {
    const il_param_spec *spec = type->params;
    while (spec->key != NULL && strcmp(spec->key, "seed") != 0) {
        spec++;
    }
    return spec->key != NULL;
}

static il_status choose_scheme(options *o, il_error *err) {
    il_scheme_choice choice;
    il_status status = il_scheme_choose(o->scheme, &choice, err);
    o->spec.scheme = choice.type;
    o->spec.scheme_name = choice.name;
    o->spec.scheme_settings = choice.settings;
    return status;
}

/* The parameters that were set, and the seed. */
static il_status read_params(const void *data, il_params **params, il_error *err) {
    const options *o = data;
    il_status status = il_params_create(params, o->spec.problem->params, err);
    for (size_t k = 0; status == IL_OK && k < o->nsets; k++) {
        for (size_t i = 0; i < k && status == IL_OK; i++) {
            size_t key_length = strcspn(o->sets[k], "=") + 1;
            if (strncmp(o->sets[i], o->sets[k], key_length) == 0) {
                status = il_fail(err, IL_EINVAL, "parameter '%.*s' is set twice: %s and %s",
                                 (int)key_length - 1, o->sets[k], o->sets[i], o->sets[k]);
            }
        }
        if (status != IL_OK) {
            break;
        }
        char key[64];
        const char *equals = strchr(o->sets[k], '=');
        (void)snprintf(key, sizeof key, "%.*s", (int)(equals - o->sets[k]), o->sets[k]);
        status = il_params_set_text(*params, key, equals + 1, err);
        if (status != IL_OK && err != NULL) {
            char text[IL_MESSAGE_MAX];
            memcpy(text, err->message, sizeof text);
            status = il_fail(err, status, "problem '%s': %.900s", o->problem, text);
        }
    }
    if (status == IL_OK && o->spec.has_seed && draws(o->spec.problem)) {
        status = il_params_given(*params, "seed")
                     ? il_fail(err, IL_EINVAL, "the seed is given twice: --seed %s and --set seed",
                               o->seed)
                     : il_params_set_text(*params, "seed", o->seed, err);
    }
    return status;
}

static il_status resolve(options *o, il_error *err) {
    il_status status = il_problem_type_find(o->problem, &o->spec.problem, err);
    if (status == IL_OK) {
        status = choose_scheme(o, err);
    }
    if (status == IL_OK) {
        status = il_projector_type_find(o->projector, &o->spec.projector, err);
    }
    if (status == IL_OK && o->trajectory != NULL) {
        status = il_trajectory_check_path(o->trajectory, err);
    }
    if (status == IL_OK && o->fclib != NULL) {
        status = il_fclib_check_path(o->fclib, err);
    }
    if (status == IL_OK) {
        status = il_cli_pictures_check(&o->pictures, err);
    }
    return status == IL_OK ? read_params(o, &o->spec.params, err) : status;
}

static il_status write_fclib(const options *o, const il_record *record, const char *text,
                             il_error *err) {
    char title[256];
    (void)snprintf(title, sizeof title, "%s by %s: step %zu of h = %.10g, to t = %.10g",
                   record->problem, record->scheme, o->kept.step, record->h, o->kept.t);
    return il_fclib_write(&o->kept, o->fclib, title, text, err);
}

/* Say what was written, in the words of the pictures. */
static void print_written(const options *o, const il_record *record,
                          const il_trajectory *trajectory) {
    if (o->trajectory != NULL) {
        (void)printf("  wrote %s: %zu nodes\n", o->trajectory, trajectory->nodes);
    }
    il_cli_pictures_print(&o->pictures);
    if (o->fclib != NULL && record->status == IL_OK) {
        (void)printf("  wrote %s: the projection of step %zu\n", o->fclib, o->kept.step);
    }
}

/* Print the record, write the files that were asked for. */
static int conclude(options *o, const il_record *record, const il_trajectory *trajectory) {
    json_t *object = il_record_json(record, o->spec.params);
    if (o->exact && record->status == IL_OK) {
        (void)json_object_set_new(object, "exact", il_proof_json(&o->proof, record->q, record->u));
    }
    il_cli_pictures_add_series(&o->pictures, object);
    il_error err = {IL_OK, ""};
    il_status status = IL_OK;
    if (record->status == IL_OK) {
        status = il_cli_ensemble_run(&o->ensemble, &o->spec, object, read_params, o, &err);
    }
    char *text = object != NULL ? il_json_text(object) : NULL;
    char *words = status == IL_OK ? il_ensemble_text(json_object_get(object, "ensemble")) : NULL;
    json_decref(object);
    if (status == IL_OK && text == NULL) {
        status = il_fail(&err, IL_ENOMEM, "no memory for the record");
    }
    if (status == IL_OK && o->trajectory != NULL) {
        status = il_trajectory_write(trajectory, o->trajectory, text, &err);
    }
    if (status == IL_OK) {
        status = il_cli_pictures_write(&o->pictures, &err);
    }
    if (status == IL_OK && o->fclib != NULL && record->status == IL_OK) {
        status = write_fclib(o, record, text, &err);
    }
    if (status == IL_OK && o->json) {
        (void)printf("%s\n", text);
    } else if (status == IL_OK) {
        il_cli_print_record(record);
        if (o->exact && record->status == IL_OK) {
            il_cli_print_proof(&o->proof);
        }
        (void)fputs(words != NULL ? words : "", stdout);
        print_written(o, record, trajectory);
    }
    free(words);
    free(text);
    if (status != IL_OK) {
        return il_cli_fail(&err);
    }
    if (record->status != IL_OK) {
        il_error failure = {record->status, ""};
        memcpy(failure.message, record->message, sizeof failure.message);
        int code = il_cli_fail(&failure);
        return code == IL_EXIT_USAGE ? IL_EXIT_FAILED : code;
    }
    return IL_EXIT_OK;
}

/* The run, and the same in exact arithmetic if that is asked for. */
static il_status run_both(options *o, il_record *record, il_trajectory *trajectory, il_error *err) {
    bool keep = o->exact || o->trajectory != NULL;
    il_status status = o->exact ? il_proof_admits(o->spec.problem, o->spec.scheme, err) : IL_OK;
    if (status == IL_OK) {
        status = il_run(&o->spec, record, keep ? trajectory : NULL, err);
    }
    if (status == IL_OK && o->exact && record->status == IL_OK) {
        il_proof_query query = {.problem = o->spec.problem,
                                .params = o->spec.params,
                                .scheme = o->spec.scheme,
                                .h = o->spec.h,
                                .horizon = o->spec.horizon,
                                .h_text = o->h,
                                .horizon_text = o->horizon,
                                .steps = record->steps_done,
                                .trajectory = trajectory};
        status = il_proof_run(&o->proof, &query, err);
    }
    return status;
}

int il_cli_run(int argc, char **argv) {
    for (int k = 0; k < argc; k++) {
        if (strcmp(argv[k], "--help") == 0) {
            (void)fputs(usage, stdout);
            return IL_EXIT_OK;
        }
    }
    options o = {.projector = "auto", .spec.norms = IL_NORM_AUTO};
    il_interrupt_watch();
    il_record record = {0};
    il_trajectory trajectory = {0};
    il_error err = {IL_OK, ""};
    int code = parse(&o, argc, argv);
    if (code == IL_EXIT_OK) {
        il_status status = resolve(&o, &err);
        il_observer observers[OBSERVERS_MAX];
        o.spec.observers = observers;
        o.spec.nobservers = o.pictures.nobservers;
        memcpy(observers, o.pictures.observers, o.pictures.nobservers * sizeof *observers);
        if (status == IL_OK && o.ensemble.runs > 0) {
            status =
                il_cli_ensemble_begin(&o.ensemble, &o.spec, &observers[o.spec.nobservers++], &err);
        }
        if (status == IL_OK) {
            status = run_both(&o, &record, &trajectory, &err);
        }
        code = status == IL_OK ? conclude(&o, &record, &trajectory) : il_cli_fail(&err);
    }
    il_cli_pictures_free(&o.pictures);
    il_cli_ensemble_free(&o.ensemble);
    il_trajectory_free(&trajectory);
    il_proof_free(&o.proof);
    il_record_free(&record);
    il_params_destroy(o.spec.params);
    il_step_problem_free(&o.kept);
    free(o.samples);
    return code;
}
