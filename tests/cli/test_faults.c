/*
 * test_faults.c - every allocation and every write of every verb fails once: what is left is what
 * would be there without the fault, or a message that names it (tests/support/faults.h). A seeded
 * sample here; `make test-faults` tries each, FAULTS=WORD those of the tests whose name has it.
 */
#include <stdio.h>
#include <string.h>

#include "tests/support/faults.h"
#include "tests/support/suite.h"

static void try_all(const il_fault_command *list, size_t n, il_fault fault) {
    for (size_t k = 0; il_fault_possible(fault) && k < n; k++) {
        il_fault_try(&list[k], fault);
    }
}

#define TRY(list, fault) try_all(list, sizeof(list) / sizeof(list)[0], fault)

static void lists_without_memory(void) {
    static const il_fault_command list[] = {
        {.words = "list --json", .trials = 20},
        {.words = "show two_spheres --json", .trials = 20},
        {.words = "show two_spheres", .trials = 20},
        {.words = "list --matrix --json", .trials = 20},
        {.words = "verify --list --json", .trials = 10},
        {.words = "help --complete -- verify --claim", .trials = 10},
        {.words = "help --man", .trials = 10},
        {.words = "help --html a", .trials = 10},
    };
    TRY(list, IL_FAULT_MEMORY);
}

static void runs_without_memory(void) {
    static const il_fault_command list[] = {
        {.words = "run --problem sticky --scheme maury --steps 4 --set N=3 --sample 0.5,1 --series "
                  "--json",
         .trials = 25},
        {.words =
             "run --problem sticky --scheme maury --steps 4 --set N=3 --exact-arithmetic --json",
         .trials = 25},
        {.words =
             "run --problem crystal --set rows=2 --scheme maury --steps 4 --multipliers 4 --json",
         .trials = 25},
        {.words =
             "run --problem two_spheres --scheme maury --steps 8 --reference event_driven --json",
         .trials = 25},
        {.words = "run --problem sticky --scheme maury --steps 4 --set N=3 --ensemble 3 --json",
         .trials = 25},
        {.words =
             "run --problem sticky --scheme maury --steps 4 --set N=3 --trajectory a.csv --json",
         .trials = 25},
        {.words =
             "run --problem sticky --scheme maury --steps 4 --set N=3 --trajectory a.h5 --json",
         .trials = 25},
        {.words =
             "run --problem crowd --set N=3 --scheme catching_up --steps 3 --paraview a.pvd --json",
         .trials = 25},
        {.words = "run --problem crowd --set N=3 --scheme catching_up --steps 2 --frames a --json",
         .trials = 50}, /* more, as gnuplot is asked: not all paths are those of others */
        {.words =
             "run --problem crowd --set N=3 --scheme catching_up --steps 2 --fclib a.hdf5 --json",
         .trials = 25},
    };
    TRY(list, IL_FAULT_MEMORY);
}

static const char LIMITS[] =
    "local lab = require 'impactlab'\n"
    "local L = lab.sweep{name = 'n', problem = 'nonuniqueness', scheme = 'maury',\n"
    "  steps = lab.phases{c = {1}, m = {3, 4, 5, 6, 7, 8, 9, 10}}}:limits{norm = 'u_L1'}\n"
    "print(L.verdict, #L.clusters)\n"
    "for _, b in ipairs(L:border{c = {1.2, 1.23}, m = {6}, by = 'level'}) do\n"
    "  print(b.low, b.high) end\n";

static const char ORDERS[] =
    "local lab = require 'impactlab'\n"
    "local r = lab.sweep{name = 'o', problem = 'bouncing_ball', scheme = 'maury',\n"
    "  reference = 'exact',\n"
    "  steps = lab.levels{from = 8, ratio = 2, count = 3, jitter = 2, seed = 3}}:run()\n"
    "print(r:order{scheme = 'maury', norm = 'u_L1'})\n"
    "r:table{'errors', formats = {'txt', 'tex', 'csv'}}\n";

static const char FIGURE[] =
    "local lab = require 'impactlab'\n"
    "local r = lab.sweep{name = 'o', problem = 'bouncing_ball', scheme = 'maury',\n"
    "  reference = 'exact', steps = {4, 8, 16}}:run()\n"
    "r:figure{'convergence', norm = 'u_L1'}\n";

static const char STUDIES[] =
    "local lab = require 'impactlab'\n"
    "local o = lab.orbits{problem = 'nonuniqueness', starts = 2}\n"
    "print(#o, o[1] and o[1].period, o[1] and o[1].rational and o[1].rational[1][1])\n"
    "print(#lab.exact{problem = 'bouncing_ball', points = 5}.t)\n"
    "local e = lab.ensemble{problem = 'sticky', scheme = 'maury', steps = 3, runs = 2,\n"
    "  vary = 'seed', of = function(r) return r.energy.final end}\n"
    "print(e.of[1], e.of[2])\n"
    "print(lab.ensemble{problem = 'sticky', scheme = 'maury', steps = 3, runs = 2,\n"
    "  vary = 'data'}.class)\n";

static const char CHECK[] =
    "local lab = require 'impactlab'\n"
    "lab.problem{name = 'c', horizon = 1, q0 = {1, 0}, force = function() return {-1, 0} end,\n"
    "  constraints = function(t, q) return {{g = q[1] - t / 2}, {g = q[1], grad = {1, 0}}} end}\n"
    "lab.problem{name = 'e', horizon = 2, q0 = {1}, u0 = {-1},\n"
    "  constraints = function(t, q) return {{g = q[1], grad = {1}}} end,\n"
    "  exact = function(t, side) if t < 1 or t == 1 and side < 0 then return 1 - t, -1 end\n"
    "    return 0, 0 end, exact_breaks = {1}}\n";

#define SWEEP "sweep s.lua --results r"

static void limits_without_memory(void) {
    static const il_fault_command list[] = {
        {.words = SWEEP, .of = "limits", .script = LIMITS, .trials = 20}};
    TRY(list, IL_FAULT_MEMORY);
}

static void orders_without_memory(void) {
    static const il_fault_command list[] = {
        {.words = SWEEP, .of = "orders", .script = ORDERS, .trials = 20}};
    TRY(list, IL_FAULT_MEMORY);
}

static void figures_without_memory(void) {
    static const il_fault_command list[] = {
        {.words = SWEEP, .of = "a figure", .script = FIGURE, .trials = 20}};
    TRY(list, IL_FAULT_MEMORY);
}

static void studies_without_memory(void) {
    static const il_fault_command list[] = {
        {.words = SWEEP, .of = "studies", .script = STUDIES, .trials = 20}};
    TRY(list, IL_FAULT_MEMORY);
}

static void claims_without_memory(void) {
    static const il_fault_command list[] = {
        {.words = "verify --claim AT-example --json", .trials = 20},
        {.words = "verify --claim BL-initial", .trials = 10}};
    TRY(list, IL_FAULT_MEMORY);
}

static void controls_without_memory(void) {
    static const il_fault_command list[] = {
        {.words = "verify --controls --claim AT-example", .trials = 20},
        {.words = "verify --controls --claim BL-initial --json", .trials = 10}};
    TRY(list, IL_FAULT_MEMORY);
}

static void reports_without_memory(void) {
    static const il_fault_command list[] = {
        {.words = "report --results r", .script = ORDERS, .before = SWEEP, .trials = 20},
    };
    TRY(list, IL_FAULT_MEMORY);
}

static void checks_without_memory(void) {
    static const il_fault_command list[] = {
        {.words = "check s.lua --json", .script = CHECK, .trials = 30},
    };
    TRY(list, IL_FAULT_MEMORY);
}

static const char FOUND[] =
    "local lab = require 'impactlab'\n"
    "local r = lab.sweep{name = 'o', problem = 'bouncing_ball', scheme = 'maury',\n"
    "  reference = 'exact', steps = {4, 8}}:run()\n"
    "r:table{'errors', formats = {'csv'}}\n";

static const char REFERRED[] = "local lab = require 'impactlab'\n"
                               "lab.sweep{name = 'o', problem = 'sticky', scheme = 'maury',\n"
                               "  reference = {'self', steps = 16}, steps = {4, 8}}:run()\n";

static void references_without_memory(void) {
    static const il_fault_command list[] = {
        {.words = "results list --references --results r",
         .script = REFERRED,
         .before = SWEEP,
         .trials = 20},
        {.words = "results prune --results r --json",
         .script = REFERRED,
         .before = SWEEP,
         .trials = 20},
    };
    TRY(list, IL_FAULT_MEMORY);
}

static void results_without_memory(void) {
    static const il_fault_command list[] = {
        {.words = "results list --results r --json", .trials = 25},
        {.words = "results list --results r --where steps>4", .trials = 25},
        {.words = "results list --results r --names", .trials = 20},
        {.words = "results why s.lua --results r", .trials = 20},
        {.words = "results from o-errors --results r --json", .trials = 20},
        {.words = "results export a.csv --results r", .trials = 20},
        {.words = "results export a.sqlite --results r", .trials = 20},
        {.words = "results export a.h5 --results r", .trials = 20},
        {.words = "results prune --results r", .trials = 20},
        {.words = "results prune --yes --results r --json", .trials = 10},
        {.words = "status --results r --json", .trials = 20},
    };
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        il_fault_command one = list[k];
        one.script = FOUND;
        one.before = SWEEP;
        try_all(&one, 1, IL_FAULT_MEMORY);
    }
}

/* Each write of each, by each way to fail. */
static void try_writes(il_fault fault) {
    static const il_fault_command list[] = {
        {.words = "list", .trials = 4},
        {.words = "--help", .trials = 4},
        {.words = "--version", .trials = 4},
        {.words = "run --help", .trials = 4},
        {.words = "show two_spheres --json", .trials = 4},
        {.words = "run --problem sticky --scheme maury --steps 400 --json --trajectory a.csv "
                  "--set N=8 --series",
         .trials = 6},
        {.words = "run --problem sticky --scheme maury --steps 400 --set N=8 --trajectory a.h5",
         .trials = 4},
        {.words = "run --problem crowd --set N=3 --scheme catching_up --steps 2 --fclib a.hdf5",
         .trials = 4},
        {.words = "run --problem crowd --set N=3 --scheme catching_up --steps 3 --paraview a.pvd",
         .trials = 4},
        {.words = "run --problem crowd --set N=3 --scheme catching_up --steps 2 --frames a",
         .trials = 4},
        {.words = "check s.lua", .script = CHECK, .trials = 4},
        {.words = SWEEP, .of = "limits", .script = LIMITS, .trials = 6},
        {.words = SWEEP, .of = "orders", .script = ORDERS, .trials = 6},
        {.words = SWEEP, .of = "a figure", .script = FIGURE, .trials = 8},
        {.words = "report --results r", .script = ORDERS, .before = SWEEP, .trials = 4},
        {.words = "results list --results r", .script = FOUND, .before = SWEEP, .trials = 6},
        {.words = "results export a.csv --results r",
         .script = FOUND,
         .before = SWEEP,
         .trials = 6},
        {.words = "results export a.sqlite --results r",
         .script = FOUND,
         .before = SWEEP,
         .trials = 6},
        {.words = "results export a.h5 --results r", .script = FOUND, .before = SWEEP, .trials = 6},
        {.words = "status --results r", .script = FOUND, .before = SWEEP, .trials = 4},
    };
    TRY(list, fault);
}

static void no_space(void) {
    try_writes(IL_FAULT_NO_ROOM);
}

static void broken_writes(void) {
    try_writes(IL_FAULT_BROKEN);
}

static void short_writes(void) {
    try_writes(IL_FAULT_SHORT);
}

static void full_disk(void) {
    try_writes(IL_FAULT_FULL);
}

static const il_test tests[] = {
    {"lists are whole, or memory ran out", lists_without_memory},
    {"runs are whole, or memory ran out", runs_without_memory},
    {"limits are whole, or memory ran out", limits_without_memory},
    {"orders are whole, or memory ran out", orders_without_memory},
    {"figures are whole, or memory ran out", figures_without_memory},
    {"studies are whole, or memory ran out", studies_without_memory},
    {"claims are whole, or memory ran out", claims_without_memory},
    {"controls are whole, or memory ran out", controls_without_memory},
    {"reports are whole, or memory ran out", reports_without_memory},
    {"checks are whole, or memory ran out", checks_without_memory},
    {"cases are found, or memory ran out", results_without_memory},
    {"references are found, or memory ran out", references_without_memory},
    {"nothing is half written without space", no_space},
    {"nothing is half written where writes fail", broken_writes},
    {"nothing is half written where writes are short", short_writes},
    {"nothing is half written on a full disk", full_disk},
    {.name = NULL}};

extern const il_suite il_suite_faults;
const il_suite il_suite_faults = {"faults", tests};
