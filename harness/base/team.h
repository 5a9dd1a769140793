/*
 * team.h - threads that share the work of a step: the parts of a loop, each made by one of them.
 *
 * Results never depend on the number of threads. The division into parts depends on the work alone,
 * each part writes memory that no other part touches, and the caller adds up sums over parts in the
 * order of the parts. A team of one has no threads and makes the parts in turn.
 */
#ifndef IL_TEAM_H
#define IL_TEAM_H

#include <stddef.h>

#include "harness/base/status.h"

typedef struct il_team il_team;

enum { IL_TEAM_MAX = 64 };

/* Part `part` of the work that context describes, made by member 0 .. size - 1: what a member has
 * for itself, no two threads use at a time. */
typedef void (*il_team_work)(void *context, size_t part, size_t member);

/* A team of `size` members, the caller's thread among them. *out is NULL for size 1, which every
 * function here takes for a team of one. Each begins on a processor of its own among those that the
 * caller may use, where there are as many, and may then go to any of them. IL_EINVAL beyond
 * IL_TEAM_MAX; IL_ENOMEM, also where the system starts no more threads. The creator destroys, in
 * the same process: a fork leaves the threads behind. */
il_status il_team_create(il_team **out, size_t size, il_error *err);
void il_team_destroy(il_team *team);

/* 1 for NULL. */
size_t il_team_size(const il_team *team);

/* Make parts 0 .. parts - 1, in any order, and return when all are made. One caller at a time, and
 * no part may call it. What the caller wrote before, every part sees; what parts wrote, the caller
 * sees. Allocates nothing. */
void il_team_run(il_team *team, size_t parts, il_team_work work, void *context);

/* Parts of about `grain` items that n items are cut into, at least 1; and the first item of part k,
 * n for k = parts. */
size_t il_team_parts(size_t n, size_t grain);
size_t il_team_first(size_t n, size_t parts, size_t k);

/* A loop: items first .. last - 1, part `part` of at most IL_TEAM_LOOP. */
typedef void (*il_team_items)(void *context, size_t part, size_t first, size_t last);

enum { IL_TEAM_LOOP = 64 };

/* All of items 0 .. n - 1, in parts of about `grain` or larger; by a team of one in one part. What
 * is taken over the parts must not depend on how they are cut: largest numbers, counts, but no sums
 * of rounded ones. Returns how many parts there were. */
size_t il_team_loop(il_team *team, size_t n, size_t grain, il_team_items work, void *context);

#endif
