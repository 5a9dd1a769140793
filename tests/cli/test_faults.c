/*
 * test_faults.c - every allocation and every write of every verb fails once: what is left is what
 * would be there without the fault, or a message that names it (tests/support/faults.h). A seeded
 * sample here; `make test-faults` tries each.
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
        {"list --json", NULL, 40},
        {"list", NULL, 40},
        {"show crystal --json", NULL, 40},
        {"show crystal", NULL, 40},
        {"list --matrix --json", NULL, 40},
        {"verify --list --json", NULL, 40},
    };
    TRY(list, IL_FAULT_MEMORY);
}

static void runs_without_memory(void) {
    static const il_fault_command list[] = {
        {"run --problem sticky --scheme maury --steps 4 --set N=3 --sample 0.5,1 --series --json",
         NULL, 60},
        {"run --problem sticky --scheme maury --steps 4 --set N=3 --exact-arithmetic --json", NULL,
         60},
        {"run --problem crystal --set rows=2 --scheme maury --steps 4 --multipliers 4 --json", NULL,
         60},
        {"run --problem two_spheres --scheme maury --steps 8 --reference event_driven --json", NULL,
         60},
        {"run --problem sticky --scheme maury --steps 4 --set N=3 --ensemble 3 --json", NULL, 60},
        {"run --problem sticky --scheme maury --steps 4 --set N=3 --trajectory a.csv --json", NULL,
         60},
        {"run --problem sticky --scheme maury --steps 4 --set N=3 --trajectory a.h5 --json", NULL,
         60},
        {"run --problem crowd --set N=3 --scheme catching_up --steps 3 --paraview a.pvd --json",
         NULL, 60},
        {"run --problem crowd --set N=3 --scheme catching_up --steps 2 --frames a --json", NULL,
         60},
        {"run --problem crowd --set N=3 --scheme catching_up --steps 2 --fclib a.hdf5 --json", NULL,
         60},
    };
    TRY(list, IL_FAULT_MEMORY);
}

static const il_test tests[] = {{"lists are whole, or memory ran out", lists_without_memory},
                                {"runs are whole, or memory ran out", runs_without_memory},
                                {.name = NULL}};

extern const il_suite il_suite_faults;
const il_suite il_suite_faults = {"faults", tests};
