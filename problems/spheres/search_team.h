/*
 * search_team.h - a walk whose parts are made by a team. Between problems/spheres/search*.c only.
 */
#ifndef IL_SPHERES_SEARCH_TEAM_H
#define IL_SPHERES_SEARCH_TEAM_H

#include "problems/spheres/search_walk.h"

typedef struct il_search_team il_search_team;

void il_search_team_free(il_search_team *shared);

/* True when the search has a team, what that needs, and bodies enough for it. */
bool il_search_is_shared(il_search *search);

/* The whole walk w over the search's tree, and over the pairs that it keeps: by its team where
 * there are many bodies, else by the caller. Visits are the caller's, in the order of the walk. */
void il_search_team_walk(il_search *search, il_walk *w);
void il_search_team_kept(il_search *search, il_walk *w, const double *q, const double *x,
                         const double *r);

#endif
