/*
 * jobs.h - the progress of the jobs of a pool. Workers record that a job has begun and its share of
 * work done, in memory that they share with their parent; the parent records ends and prints.
 *
 * It is only for display: without memory for it, nothing is shown.
 */
#ifndef IL_JOBS_H
#define IL_JOBS_H

#include <stddef.h>
#include <stdio.h>

typedef struct il_jobs il_jobs;

/* For so many jobs, shown on out (NULL: not shown) under a title. NULL without memory, and for out
 * NULL. Every function takes NULL. */
il_jobs *il_jobs_create(FILE *out, const char *title, size_t jobs);
void il_jobs_destroy(il_jobs *w);

/* Job k has so many units of expected work, 1 unless it is said. */
void il_jobs_expect(il_jobs *w, size_t k, double units);

/* In a worker, when it begins job k: where to write what share of it is done; NULL for NULL. */
volatile double *il_jobs_begin(il_jobs *w, size_t k);

/* In the parent: job k is done. */
void il_jobs_end(il_jobs *w, size_t k);

/* In the parent, as often as one likes. what is what stands behind the count, ", 2 failed" or "";
 * name(data, k, room, capacity) says what job k is, may be NULL. */
void il_jobs_show(il_jobs *w, const char *what,
                  void (*name)(const void *data, size_t k, char *room, size_t capacity),
                  const void *data);

#endif
