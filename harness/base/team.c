/*
 * team.c - distribution of the parts of a loop over threads. Each thread owns a contiguous share of
 * the parts:
 *
 *     ticket = (run, parts left of the share),   taken by compare-and-swap from (run, k) to
 *                                                (run, k - 1),
 *
 * and takes parts of other shares once its own are done (work stealing). Loops over the same
 * indices thus find their data in the cache of the core that wrote them, and the counters are not
 * passed from core to core for every part.
 *
 * The description of a run is written while all tickets are 0; then they become (run + 1, share). A
 * thread that read an older or half-written description holds an old ticket and cannot take a part.
 * So no thread waits for one that has taken nothing, which matters on a shared machine.
 *
 * Idle threads spin for a while and then sleep: a step has many short runs in quick succession, and
 * waking a thread takes longer than most of them.
 */
#include "harness/base/team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

/* How often an idle thread polls before it sleeps: for some twenty microseconds, then for a
 * millisecond in which it yields the processor in between. Waking takes up to a tenth of that on a
 * virtual machine, and the serial work between two runs seldom takes longer. */
enum { LOOKS = 1000, OFFERS = 1000, LOOKS_OF_OFFER = 40 };

enum { RUN_BITS = 32 }; /* above which a ticket has the run */
static const uint64_t LEFT = ((uint64_t)1 << RUN_BITS) - 1;

/* Largest size of a cache line transfer between cores, in bytes. */
enum { APART = 128 };

typedef struct {
    alignas(APART) _Atomic uint64_t ticket;
    _Atomic size_t end; /* of the parts of the share */
} share;

typedef struct {
    il_team *team;
    size_t member;
    int beside; /* the processor of the caller when it began; -1: not known */
    pthread_t thread;
} worker;

struct il_team {
    /* the description of a run, which members read */
    alignas(APART) _Atomic uint64_t run;
    _Atomic(il_team_work) work;
    _Atomic(void *) context;
    atomic_bool over; /* no further run will come */
    _Atomic size_t parts;
    size_t size;
    /* written occasionally */
    alignas(APART) _Atomic size_t made; /* parts of this run */
    atomic_size_t asleep;               /* threads that wait for `called`, */
    atomic_bool waits;                  /* and the caller for `done` */
    pthread_mutex_t lock;
    pthread_cond_t called; /* a run has begun, or it is over */
    pthread_cond_t done;   /* the last part has been made */
    share shares[IL_TEAM_MAX];
    worker workers[IL_TEAM_MAX - 1];
};

static inline void pause_briefly(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* A part that has been taken, and what it is of. */
typedef struct {
    il_team_work work;
    void *context;
    size_t part;
} taken;

/* False when none is left of the share. The description that was read belongs to the ticket read
 * before it: it is not rewritten until all parts are taken, after which the ticket differs. */
static bool take(il_team *team, share *of, taken *t) {
    uint64_t ticket = atomic_load(&of->ticket);
    while ((ticket & LEFT) != 0) {
        t->work = atomic_load(&team->work);
        t->context = atomic_load(&team->context);
        t->part = atomic_load(&of->end) - (size_t)(ticket & LEFT);
        if (atomic_compare_exchange_weak(&of->ticket, &ticket, ticket - 1)) {
            return true;
        }
    }
    return false;
}

/* The shares that a member takes parts of. In a short run the caller often makes all parts, so that
 * no race would be seen: under the thread sanitizer a team of two does not
 * steal, larger ones do. */
static size_t shares_open(const il_team *team) {
#ifdef __SANITIZE_THREAD__
    return team->size == 2 ? 1 : team->size;
#else
    return team->size;
#endif
}

/* Take and make parts until none is left: of the own share first, then of those of the next
 * members. All belong to one run, which does not end before they are counted. */
static void take_parts(il_team *team, size_t member) {
    taken t;
    size_t made = 0;
    for (size_t k = 0; k < shares_open(team); k++) {
        share *of = &team->shares[(member + k) % team->size];
        while (take(team, of, &t)) {
            t.work(t.context, t.part, member);
            made++;
        }
    }
    if (made > 0 && atomic_fetch_add(&team->made, made) + made == atomic_load(&team->parts) &&
        atomic_load(&team->waits)) {
        pthread_mutex_lock(&team->lock);
        pthread_cond_signal(&team->done);
        pthread_mutex_unlock(&team->lock);
    }
}

/* A run after `seen` has begun, or there will be none. */
static bool called(il_team *team, uint64_t seen) {
    return atomic_load(&team->run) != seen || atomic_load(&team->over);
}

static bool all_made(il_team *team, uint64_t parts) {
    return atomic_load(&team->made) == parts;
}

/* Poll until that holds; false if it does not while the thread is awake. */
static bool looks(il_team *team, bool (*holds)(il_team *, uint64_t), uint64_t what) {
    for (int k = 0; k < LOOKS; k++) {
        if (holds(team, what)) {
            return true;
        }
        pause_briefly();
    }
    for (int k = 0; k < OFFERS; k++) {
        sched_yield();
        for (int j = 0; j < LOOKS_OF_OFFER; j++) {
            if (holds(team, what)) {
                return true;
            }
            pause_briefly();
        }
    }
    return false;
}

static void await_call(il_team *team, uint64_t seen) {
    if (looks(team, called, seen)) {
        return;
    }
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->asleep, 1);
    while (!called(team, seen)) {
        pthread_cond_wait(&team->called, &team->lock);
    }
    atomic_fetch_sub(&team->asleep, 1);
    pthread_mutex_unlock(&team->lock);
}

/* Onto the member-th processor after the caller's of those that we may use, and then free to go
 * where the system likes: threads that begin beside the caller and offer their processor to each
 * other may stay there, one running while the other waits, for as long as a run lasts. */
static void move_away(const worker *w) {
    cpu_set_t all;
    cpu_set_t there;
    if (w->beside < 0 || sched_getaffinity(0, sizeof all, &all) != 0) {
        return;
    }
    size_t processor = (size_t)w->beside;
    size_t steps = w->member % (size_t)CPU_COUNT(&all);
    for (size_t k = 0; k < steps; k++) {
        do {
            processor = (processor + 1) % CPU_SETSIZE;
        } while (!CPU_ISSET(processor, &all));
    }
    CPU_ZERO(&there);
    CPU_SET(processor, &there);
    if (sched_setaffinity(0, sizeof there, &there) == 0) {
        (void)sched_setaffinity(0, sizeof all, &all);
    }
}

static void *serve(void *self) {
    worker *w = self;
    uint64_t seen = 0;
    move_away(w);
    for (;;) {
        await_call(w->team, seen);
        if (atomic_load(&w->team->over)) {
            return NULL;
        }
        seen = atomic_load(&w->team->run);
        take_parts(w->team, w->member);
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
    if (looks(team, all_made, parts)) {
        return;
    }
    pthread_mutex_lock(&team->lock);
    atomic_store(&team->waits, true);
    while (atomic_load(&team->made) < parts) {
        pthread_cond_wait(&team->done, &team->lock);
    }
    atomic_store(&team->waits, false);
    pthread_mutex_unlock(&team->lock);
}

/* Tickets are written last: a thread that holds one sees the rest. */
static void describe(il_team *team, size_t parts, il_team_work work, void *context) {
    uint64_t run = atomic_load(&team->run) + 1;
    atomic_store_explicit(&team->parts, parts, memory_order_relaxed);
    atomic_store_explicit(&team->work, work, memory_order_relaxed);
    atomic_store_explicit(&team->context, context, memory_order_relaxed);
    atomic_store_explicit(&team->made, 0, memory_order_relaxed);
    for (size_t k = team->size; k-- > 0;) {
        size_t end = il_team_first(parts, team->size, k + 1);
        size_t first = il_team_first(parts, team->size, k);
        atomic_store_explicit(&team->shares[k].end, end, memory_order_relaxed);
        atomic_store_explicit(&team->shares[k].ticket, run << RUN_BITS | (end - first),
                              memory_order_release);
    }
    atomic_store(&team->run, run);
}

void il_team_run(il_team *team, size_t parts, il_team_work work, void *context) {
    if (team == NULL || parts <= 1) {
        for (size_t k = 0; k < parts; k++) {
            work(context, k, 0);
        }
        return;
    }
    describe(team, parts, work, context);
    call(team);
    take_parts(team, 0);
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

/* No share has a part. */
static il_team *team_new(void) {
    il_team *team = aligned_alloc(alignof(il_team), sizeof *team);
    if (team != NULL) {
        return memset(team, 0, sizeof *team);
    }
    il_memory_end(sizeof *team);
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
    il_team *team = team_new();
    team->size = 1;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->called, NULL);
    pthread_cond_init(&team->done, NULL);
    int here = sched_getcpu(); /* of all members the same, wherever the caller goes meanwhile */
    for (size_t k = 1; k < size; k++) {
        worker *w = &team->workers[k - 1];
        *w = (worker){.team = team, .member = k, .beside = here};
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
