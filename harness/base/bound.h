/*
 * bound.h - bounds on work that end in giving up: honest inputs stay far below them, and inputs
 * made to break the program reach them on purpose.
 *
 * IL_BOUND(n, fuzzed) is n, and fuzzed in the builds that libFuzzer drives (make fuzz): they give
 * up in the same places and by the same ways, sooner and so more often, and what an input costs
 * there is no longer the bound. An integer constant, if both are.
 */
#ifndef IL_BOUND_H
#define IL_BOUND_H

#ifdef IL_FUZZED
#define IL_BOUND(n, fuzzed) (fuzzed)
#else
#define IL_BOUND(n, fuzzed) (n)
#endif

#endif
