/*
 * hand_loop.c - Maury's scheme on the problem `nonuniqueness`, written out by hand: what the run
 * would cost with nothing around it. It shares no code with the program.
 *
 *     u_{n+1} = max(u_n + h fbar_n, -q_n / h),   q_{n+1} = q_n + h u_{n+1},
 *     fbar_n = (F(t_{n+1}) - F(t_n)) / h,        q_0 = u_0 = 0,  T = 4,  t_n = n h.
 *
 * With alpha = 1.8 the force is 1 on the first half of every octave (2^j, 2^{j+1}) and -alpha on
 * the second, hence F(2^j) = 2^j (1 - alpha)/2 and F is affine on each half.
 *
 * usage: hand_loop N    prints N, the final q and u, and the seconds that the loop took
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ALPHA 1.8
#define HORIZON 4.0

/* int_0^t f. */
static double force_integral(double t) {
    if (t <= 0.0) {
        return 0.0;
    }
    int e = 0;
    double m = frexp(t, &e); /* t = m 2^e, m in [1/2, 1) */
    double start = 0.25 * (1.0 - ALPHA);
    double sum = m < 0.75 ? start + (m - 0.5) : start + 0.25 - ALPHA * (m - 0.75);
    return ldexp(sum, e);
}

static double seconds_now(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    char *end = NULL;
    long steps = argc == 2 ? strtol(argv[1], &end, 10) : 0;
    if (steps < 1 || *end != '\0') {
        (void)fputs("usage: hand_loop N, an integer >= 1\n", stderr);
        return 2;
    }
    double h = HORIZON / (double)steps;
    double q = 0.0;
    double u = 0.0;
    double began = seconds_now();
    for (long n = 0; n < steps; n++) {
        double t0 = (double)n * h;
        double t1 = (double)(n + 1) * h;
        double mean = (force_integral(t1) - force_integral(t0)) / h;
        u = fmax(u + h * mean, -q / h);
        q += h * u;
    }
    double seconds = seconds_now() - began;
    (void)printf("steps %ld q %.17g u %.17g seconds %.9f\n", steps, q, u, seconds);
    return 0;
}
