/*
 * bound.h - limits on work. Ordinary input stays far below them; input made to break the program
 * reaches them on purpose.
 *
 * IL_BOUND(n, fuzzed) is n, and `fuzzed` in the builds that libFuzzer drives (make fuzz): the limit
 * is then reached earlier and more often, in the same places. An integer constant if both arguments
 * are.
 */
#ifndef IL_BOUND_H
#define IL_BOUND_H

#ifdef IL_FUZZED
#define IL_BOUND(n, fuzzed) (fuzzed)
#else
#define IL_BOUND(n, fuzzed) (n)
#endif

#endif
