/*
 * facts.h - what a program that solves a problem by itself must know of it, at its start: in JSON,
 * for `show --data` and for programs behind `exec:`.
 */
#ifndef IL_DATA_FACTS_H
#define IL_DATA_FACTS_H

#include <stddef.h>

#include "harness/base/json.h"
#include "problems/problem.h"

/* M: its diagonal [d], or [d][d]. */
json_t *il_facts_mass(const il_problem *problem);

/* f(0,q0), of order 1 the drift, into f[d]; where only means are known, the one over a thousandth
 * of the horizon. Is it the same at every time and position? It is called so where it is known not
 * to depend on q and has the same bits at 32 times that fill the horizon evenly. */
bool il_facts_force(const il_problem *problem, double *f);

/* space, radii, contacts, walls. radii [bodies] are those that the problem tells, else its
 * parameter radius or radii; [] where there are no bodies. contacts: [i, j], [i, "wall"] or [i] by
 * ids; left out where there are more than IL_OFFER_ALL. walls: [{name, normal, offset}],
 * <normal,x> >= offset inside, of bodies, or of a point among half-spaces that stand still. */
void il_facts_bodies(json_t *object, const il_problem *problem, const json_t *parameters);

/* A constraint is about a body and, where it is about a second one, that (first < second); else a
 * wall: of the problem, or of a point among half-spaces constraint number `wall`. SIZE_MAX: none.
 */
typedef struct {
    size_t first, second, wall;
} il_facts_contact;

/* Constraint id at the start, rows being scratch. IL_ENUMERIC where it has no gradient there. */
il_status il_facts_contact_of(const il_problem *problem, size_t id, il_rows *rows,
                              il_facts_contact *out);

/* The name of wall number `wall` of il_facts_contact, into out, which is returned. */
const char *il_facts_wall(const il_problem *problem, size_t wall, char out[IL_DESCRIPTION_MAX]);

#endif
