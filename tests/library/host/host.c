/*
 * host.c - a program that has an allocator of its own in jansson, a locale with a decimal comma and
 * four threads which use the library and jansson at once. Run by tests/house/library.sh.
 *
 *     host LOCALE
 */
#include <impactlab.h>
#include <jansson.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { THREADS = 4, ROUNDS = 25, HEAD = 32 };

static atomic_long blocks;

/* Blocks begin behind a head: free of the C library would refuse them. */
static void *take(size_t n) {
    char *block = malloc(n + HEAD);
    if (block == NULL) {
        return NULL;
    }
    memcpy(block, "of the host", 12);
    blocks++;
    return block + HEAD;
}

static void give_back(void *block) {
    if (block == NULL) {
        return;
    }
    char *head = (char *)block - HEAD;
    if (memcmp(head, "of the host", 12) != 0) {
        (void)puts("a block that is not the host's");
        abort();
    }
    blocks--;
    free(head);
}

/* In the host's locale; counts where it is not. */
static int step(void *context, double t0, double t1, const double *q, const double *u, double *q1,
                double *u1) {
    char text[16];
    (void)snprintf(text, sizeof text, "%.1f", 0.5);
    *(int *)context += strcmp(text, "0,5") != 0;
    double v = u[0] - 9.81 * (t1 - t0);
    v = q[0] + (t1 - t0) * v < 0.0 ? -q[0] / (t1 - t0) : v;
    q1[0] = q[0] + (t1 - t0) * v;
    u1[0] = v;
    return 0;
}

typedef struct {
    double error[ROUNDS];
    int wrong;
    char text[32]; /* of a JSON number of the host's own */
} worker;

static void *work(void *data) {
    static const char *const settings[] = {"gravity=9.81", "e=0.25"};
    worker *w = data;
    for (size_t k = 0; k < ROUNDS; k++) {
        impactlab_problem *problem = NULL;
        impactlab_record *record = NULL;
        impactlab_record *own = NULL;
        impactlab_record *judged = NULL;
        const double *t, *q, *u;
        const impactlab_run_options by_name = {
            .scheme = "moreau_jean:theta=0.5", .steps = 40 + k, .keep_trajectory = 1};
        const impactlab_run_options by_step = {.step = step, .context = &w->wrong, .steps = 40 + k};
        w->wrong +=
            impactlab_problem_create(&problem, "bouncing_ball", 2, settings, 0.0, NULL) != 0;
        w->wrong += impactlab_run(problem, &by_name, &record, NULL) != 0;
        w->wrong += impactlab_run(problem, &by_step, &own, NULL) != 0;
        size_t n = impactlab_record_trajectory(record, &t, &q, &u);
        w->wrong += impactlab_judge(problem, "affine", n, t, q, u, &judged, NULL) != 0;
        w->error[k] = impactlab_record_number(judged, "error.u_L1");
        w->wrong += strstr(impactlab_record_json(judged), "\"e\": 0.25") == NULL;
        json_t *mine = json_pack("[f, s]", 0.125, "host");
        char *text = json_dumps(mine, 0);
        (void)snprintf(w->text, sizeof w->text, "%s", text);
        give_back(text);
        json_decref(mine);
        impactlab_record_destroy(judged);
        impactlab_record_destroy(own);
        impactlab_record_destroy(record);
        impactlab_problem_destroy(problem);
    }
    return NULL;
}

static int say(int wrong, const char *what) {
    if (wrong != 0) {
        (void)printf("wrong: %s\n", what);
    }
    return wrong != 0;
}

/* Everything that the process has is as it was. */
static int changed(mode_t mask) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM, SIGCHLD, SIGXCPU};
    json_malloc_t takes;
    json_free_t frees;
    int wrong = 0;
    json_get_alloc_funcs(&takes, &frees);
    wrong += say(takes != take || frees != give_back, "jansson's allocator");
    wrong += say(blocks != 0, "blocks are left");
    wrong += say(strcmp(localeconv()->decimal_point, ",") != 0, "the locale");
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        struct sigaction now;
        wrong +=
            say(sigaction(numbers[k], NULL, &now) != 0 || now.sa_handler != SIG_DFL, "a signal");
    }
    return wrong + say(umask(mask) != mask, "the mask of files");
}

int main(int argc, char **argv) {
    static worker alone, together[THREADS];
    pthread_t threads[THREADS];
    mode_t mask = 027;
    int wrong = 0;
    (void)umask(mask);
    json_set_alloc_funcs(take, give_back);
    if (argc != 2 || setlocale(LC_NUMERIC, argv[1]) == NULL) {
        (void)puts("no such locale");
        return 2;
    }
    (void)work(&alone);
    for (size_t k = 0; k < THREADS; k++) {
        wrong += pthread_create(&threads[k], NULL, work, &together[k]) != 0;
    }
    for (size_t k = 0; k < THREADS; k++) {
        wrong += pthread_join(threads[k], NULL) != 0;
        wrong += say(together[k].wrong, "a call, or the locale of a step");
        wrong += say(memcmp(together[k].error, alone.error, sizeof alone.error), "an error");
        wrong += say(strcmp(together[k].text, "[0.125, \"host\"]"), "the host's JSON");
    }
    wrong += say(alone.wrong || !(alone.error[0] > 0.01 && alone.error[0] < 10.0), "alone");
    wrong += changed(mask);
    (void)printf("%s, u_L1 = %.6f\n", wrong == 0 ? "the host is as it was" : "wrong",
                 alone.error[0]);
    return wrong != 0;
}
