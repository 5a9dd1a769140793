/*
 * interrupt.c - signal handlers and the variables that they write.
 */
#include "harness/base/interrupt.h"

#include <math.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "harness/base/clock.h"

enum { STATUS = 3 }; /* "incomplete" among the exit statuses */

static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM};
enum { WATCHED = sizeof watched / sizeof watched[0] };

static volatile sig_atomic_t noted; /* the first signal that came */
static volatile double noted_at;    /* when; written before noted */
static volatile sig_atomic_t watching;
static void (*volatile teller)(void *data);
static void *volatile teller_data;

static void set_alarm(double seconds) {
    double whole = floor(seconds);
    struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)whole, .tv_usec = (suseconds_t)(1e6 * (seconds - whole))}};
    if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) {
        timer.it_value.tv_usec = 1;
    }
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}

static void note(int number) {
    if (number == SIGALRM && noted != 0) {
        static const char words[] = "impactlab: stopped in the midst of its work\n";
        (void)!write(STDERR_FILENO, words, sizeof words - 1);
        _exit(STATUS);
    }
    if (noted != 0) {
        return; /* timeout(1) sends its signal twice, to the program and to its group */
    }
    noted_at = il_clock_seconds();
    noted = number;
    set_alarm(1e-3 * IL_INTERRUPT_GRACE_MS);
    if (teller != NULL) {
        teller(teller_data);
    }
}

/* The alarm set by the first signal ends a program that does not respond. It is unblocked whatever
 * signal mask we were started with. */
void il_interrupt_watch(void) {
    sigset_t ours;
    (void)sigemptyset(&ours);
    (void)sigaddset(&ours, SIGALRM);
    (void)sigprocmask(SIG_UNBLOCK, &ours, NULL);
    for (size_t k = 0; k < WATCHED; k++) {
        struct sigaction old;
        struct sigaction action = {.sa_handler = note};
        (void)sigemptyset(&action.sa_mask);
        bool ignored = sigaction(watched[k], NULL, &old) == 0 && old.sa_handler == SIG_IGN;
        if (watched[k] != SIGHUP || !ignored) {
            (void)sigaction(watched[k], &action, NULL);
        }
    }
    watching = 1;
}

void il_interrupt_after(double seconds) {
    static const double LONGEST = 1e9;
    set_alarm(fmin(seconds, LONGEST));
}

static _Thread_local il_interrupt_asked asked_here;
static const double OFTEN = 0.05; /* seconds: a Ctrl-C is answered at once, as people see it */

il_interrupt_asked il_interrupt_ask(il_interrupt_asked asked) {
    il_interrupt_asked before = asked_here;
    asked_here = asked;
    return before;
}

static bool asks_to_stop(il_interrupt_asked *w) {
    double now = il_clock_seconds_coarse();
    if (!w->stop && now >= w->next) {
        w->next = now + OFTEN;
        w->stop = w->ask(w->context) != 0;
    }
    return w->stop;
}

bool il_interrupted(void) {
    return noted != 0 || (asked_here.ask != NULL && asks_to_stop(&asked_here));
}

bool il_interrupt_presses(void) {
    return noted != 0 && il_clock_seconds() - noted_at > 0.5e-3 * IL_INTERRUPT_GRACE_MS;
}

const char *il_interrupt_reason(void) {
    return noted == SIGALRM   ? "stopped by --max-time"
           : noted == SIGXCPU ? "stopped by the limit of processor time"
                              : "interrupted";
}

int il_interrupt_signal(size_t k) {
    return k < WATCHED ? watched[k] : 0;
}

void il_interrupt_note(int number) {
    if (watching != 0) {
        note(number);
    }
}

void il_interrupt_tell(void (*tell)(void *data), void *data) {
    teller = NULL; /* never one with the other's data */
    teller_data = data;
    teller = tell;
}

static void stop_watching(void) {
    teller = NULL;
    watching = 0;
    for (size_t k = 0; k < WATCHED; k++) {
        struct sigaction old;
        bool caught = sigaction(watched[k], NULL, &old) == 0 && old.sa_handler == note;
        if (caught) {
            (void)signal(watched[k], SIG_DFL);
        }
    }
}

void il_interrupt_leave(void) {
    stop_watching();
    (void)signal(SIGINT, SIG_IGN); /* a terminal sends both to workers as well */
    (void)signal(SIGQUIT, SIG_IGN);
}
