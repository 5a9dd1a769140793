/*
 * team.c - who makes which part is drawn from one number:
 *
 *     ticket = (run, next part),   a part is taken by compare-and-swap from (run, k) to (run, k+1).
 *
 * Once all parts of a run are made the ticket is closed, (run, CLOSED), the description of the next
 * run is written, and the ticket becomes (run + 1, 0). Who read a description, or half of two,
 * however long ago, has an old ticket and cannot take a part by it. So nobody waits for a thread
 * that has taken nothing, which matters where a machine is shared.
 *
 * Threads that find nothing look for a while and then sleep: a step has many short runs, one soon
 * after the other, and waking takes as long as the shortest of them.
 */
#include "harness/base/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Looks before a thread sleeps: some twenty microseconds, a wake-up's worth. */
enum { LOOKS = 1000 };

enum { PART_BITS = 32 };
static const uint64_t CLOSED = ((uint64_t)1 << PART_BITS) - 1; /* as a part: none is left */

typedef struct {
    il_team *team;
    size_t member;
    pthread_t thread;
} worker;

struct il_team {
    size_t size;
    _Atomic uint64_t ticket;
    _Atomic size_t parts;
    _Atomic(il_team_work) work;
    _Atomic(void *) context;
    _Atomic size_t made; /* parts of this run */
    atomic_bool over;    /* no run comes any more */
    pthread_mutex_t lock;
    pthread_cond_t called; /* a run has begun, or it is over */
    pthread_cond_t done;   /* the last part has been made */
    atomic_size_t asleep;  /* threads that wait for `called`, */
    atomic_bool waits;     /* and the caller for `done` */
    worker workers[];      /* [size - 1] */
};

static inline void pause_briefly(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* Take parts of run `run` and make them until there are none. */
static void take_parts(il_team *team, uint64_t run, size_t member) {
    for (;;) {
        uint64_t ticket = atomic_load(&team->ticket);
        size_t parts = atomic_load(&team->parts);
        il_team_work work = atomic_load(&team->work);
        void *context = atomic_load(&team->context);
        uint64_t part = ticket & CLOSED;
        if (ticket >> PART_BITS != run || part >= parts) {
            return;
        }
        if (!atomic_compare_exchange_strong(&team->ticket, &ticket, ticket + 1)) {
            continue;
        }
        work(context, part, member);
        if (atomic_fetch_add(&team->made, 1) + 1 == parts && atomic_load(&team->waits)) {
            pthread_mutex_lock(&team->lock);
            pthread_cond_signal(&team->done);
            pthread_mutex_unlock(&team->lock);
        }
    }
}

static bool called(il_team *team, uint64_t seen) {
    return atomic_load(&team->ticket) >> PART_BITS != seen || atomic_load(&team->over);
}

/* Until a run after `seen` has begun, or there will be none. */
static void await_call(il_team *team, uint64_t seen) {
    for (int k = 0; k < LOOKS; k++) {
        if (called(team, seen)) {
            return;
        }
        pause_briefly();
    }
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->asleep, 1);
    while (!called(team, seen)) {
        pthread_cond_wait(&team->called, &team->lock);
    }
    atomic_fetch_sub(&team->asleep, 1);
    pthread_mutex_unlock(&team->lock);
}

static void *serve(void *self) {
    worker *w = self;
    uint64_t seen = 0;
    for (;;) {
        await_call(w->team, seen);
        if (atomic_load(&w->team->over)) {
            return NULL;
        }
        seen = atomic_load(&w->team->ticket) >> PART_BITS;
        take_parts(w->team, seen, w->member);
    }
}

/* ---- the caller ------------------------------------------------------------------------------ */

static void call(il_team *team) {
    if (atomic_load(&team->asleep) > 0) {
        pthread_mutex_lock(&team->lock);
        pthread_cond_broadcast(&team->called);
        pthread_mutex_unlock(&team->lock);
    }
}

static void await_parts(il_team *team, size_t parts) {
    for (int k = 0; k < LOOKS; k++) {
        if (atomic_load(&team->made) == parts) {
            return;
        }
        pause_briefly();
    }
    pthread_mutex_lock(&team->lock);
    atomic_store(&team->waits, true);
    while (atomic_load(&team->made) < parts) {
        pthread_cond_wait(&team->done, &team->lock);
    }
    atomic_store(&team->waits, false);
    pthread_mutex_unlock(&team->lock);
}

void il_team_run(il_team *team, size_t parts, il_team_work work, void *context) {
    if (team == NULL || parts <= 1) {
        for (size_t k = 0; k < parts; k++) {
            work(context, k, 0);
        }
        return;
    }
    uint64_t run = (atomic_load(&team->ticket) >> PART_BITS) + 1;
    atomic_fetch_or(&team->ticket, CLOSED);
    atomic_store(&team->parts, parts);
    atomic_store(&team->work, work);
    atomic_store(&team->context, context);
    atomic_store(&team->made, 0);
    atomic_store(&team->ticket, run << PART_BITS);
    call(team);
    take_parts(team, run, 0);
    await_parts(team, parts);
}

/* ---- threads --------------------------------------------------------------------------------- */

/* Signals are for the caller's thread. 0, or what the system said. */
static int start(worker *w) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(&w->thread, NULL, serve, w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

il_status il_team_create(il_team **out, size_t size, il_error *err) {
    *out = NULL;
    if (size < 1 || size > IL_TEAM_MAX) {
        return il_fail(err, IL_EINVAL, "a team of %zu threads; allowed: 1 to %d", size,
                       IL_TEAM_MAX);
    }
    if (size == 1) {
        return IL_OK;
    }
    il_team *team = calloc(1, sizeof *team + (size - 1) * sizeof team->workers[0]);
    if (team == NULL) {
        return il_fail(err, IL_ENOMEM, "no memory for %zu threads", size);
    }
    team->size = 1;
    atomic_init(&team->ticket, CLOSED);
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->called, NULL);
    pthread_cond_init(&team->done, NULL);
    for (size_t k = 1; k < size; k++) {
        worker *w = &team->workers[k - 1];
        *w = (worker){.team = team, .member = k};
        int failure = start(w);
        if (failure != 0) {
            il_team_destroy(team);
            return il_fail(err, IL_ENOMEM, "thread %zu of %zu does not start: %s", k + 1, size,
                           strerror(failure));
        }
        team->size = k + 1;
    }
    *out = team;
    return IL_OK;
}

void il_team_destroy(il_team *team) {
    if (team == NULL) {
        return;
    }
    pthread_mutex_lock(&team->lock);
    atomic_store(&team->over, true);
    pthread_cond_broadcast(&team->called);
    pthread_mutex_unlock(&team->lock);
    for (size_t k = 1; k < team->size; k++) {
        pthread_join(team->workers[k - 1].thread, NULL);
    }
    pthread_cond_destroy(&team->done);
    pthread_cond_destroy(&team->called);
    pthread_mutex_destroy(&team->lock);
    free(team);
}

size_t il_team_size(const il_team *team) {
    return team != NULL ? team->size : 1;
}

/* ---- parts ----------------------------------------------------------------------------------- */

size_t il_team_parts(size_t n, size_t grain) {
    return n > grain ? (n + grain - 1) / grain : 1;
}

size_t il_team_first(size_t n, size_t parts, size_t k) {
    return n / parts * k + (k < n % parts ? k : n % parts);
}

typedef struct {
    il_team_items work;
    void *context;
    size_t n, parts;
} loop;

static void make_items(void *context, size_t part, size_t member) {
    const loop *l = context;
    (void)member;
    l->work(l->context, part, il_team_first(l->n, l->parts, part),
            il_team_first(l->n, l->parts, part + 1));
}

size_t il_team_loop(il_team *team, size_t n, size_t grain, il_team_items work, void *context) {
    size_t parts = team != NULL ? il_team_parts(n, grain) : 1;
    loop l = {work, context, n, parts < IL_TEAM_LOOP ? parts : IL_TEAM_LOOP};
    il_team_run(team, l.parts, make_items, &l);
    return l.parts;
}
