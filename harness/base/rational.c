/*
 * rational.c - rational numbers by GMP.
 */
#include "harness/base/rational.h"

#include <ctype.h>
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

enum { EXPONENT_MAX = 9999, LETTERS_MAX = 4096 };

/* An array ends with NULL; its numbers lie behind it. */
struct il_rational {
    mpq_t q;
};

/* ---- memory --------------------------------------------------------------------------------- */

static void *hook_take(size_t n) {
    return il_alloc(n, 1);
}

static void *hook_change(void *block, size_t old, size_t n) {
    (void)old;
    il_memory_grow(&block, n, 1);
    return block;
}

static void hook_free(void *block, size_t n) {
    (void)n;
    free(block);
}

void il_rational_init(void) {
    mp_set_memory_functions(hook_take, hook_change, hook_free);
}

/* ---- arrays --------------------------------------------------------------------------------- */

il_rational **il_rational_array(size_t n) {
    il_rational **x = il_alloc(n + 1, sizeof(il_rational *));
    il_rational *room = il_alloc(n, sizeof *room);
    for (size_t k = 0; k < n; k++) {
        mpq_init(room[k].q);
        x[k] = &room[k];
    }
    x[n] = NULL;
    if (n == 0) {
        free(room);
    }
    return x;
}

void il_rational_free(il_rational **x) {
    if (x == NULL) {
        return;
    }
    il_rational *room = x[0];
    for (size_t k = 0; x[k] != NULL; k++) {
        mpq_clear(x[k]->q);
    }
    free(room);
    free(x);
}

void il_rational_set(il_rational *r, const il_rational *a) {
    mpq_set(r->q, a->q);
}

void il_rational_set_fraction(il_rational *r, long p, unsigned long q) {
    mpq_set_si(r->q, p, q);
    mpq_canonicalize(r->q);
}

void il_rational_set_double(il_rational *r, double x) {
    mpq_set_d(r->q, x);
}

/* ---- text ----------------------------------------------------------------------------------- */

/* r *= 10^e. */
static void scale_ten(mpq_t r, long e) {
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(e));
    if (e >= 0) {
        mpz_mul(mpq_numref(r), mpq_numref(r), power);
    } else {
        mpz_mul(mpq_denref(r), mpq_denref(r), power);
    }
    mpq_canonicalize(r);
    mpz_clear(power);
}

/* [sign] digits [. digits] [e exponent], the whole of the n letters. */
static bool read_decimal(mpq_t r, const char *text, size_t n) {
    static const char DIGITS[] = "0123456789";
    char copy[LETTERS_MAX + 1] = "";
    if (n > LETTERS_MAX) {
        return false;
    }
    memcpy(copy, text, n);
    char *digits = copy + (copy[0] == '-' || copy[0] == '+');
    size_t whole = strspn(digits, DIGITS);
    bool point = digits[whole] == '.';
    size_t part = point ? strspn(digits + whole + 1, DIGITS) : 0;
    char *end = digits + whole + point + part;
    long exponent = 0;
    if ((*end == 'e' || *end == 'E') &&
        isdigit((unsigned char)end[end[1] == '-' || end[1] == '+' ? 2 : 1])) {
        exponent = strtol(end + 1, &end, 10);
    }
    if (whole + part == 0 || *end != '\0' || exponent > EXPONENT_MAX || exponent < -EXPONENT_MAX) {
        return false;
    }
    memmove(digits + whole, digits + whole + point, part);
    digits[whole + part] = '\0';
    (void)mpz_set_str(mpq_numref(r), digits, 10);
    mpz_set_ui(mpq_denref(r), 1);
    scale_ten(r, exponent - (long)part);
    if (copy[0] == '-') {
        mpq_neg(r, r);
    }
    return true;
}

/* The n letters without blanks around them: a decimal or a fraction of two. */
static bool read_number(mpq_t r, const char *text, size_t n) {
    while (n > 0 && isspace((unsigned char)text[0])) {
        text++;
        n--;
    }
    while (n > 0 && isspace((unsigned char)text[n - 1])) {
        n--;
    }
    const char *slash = memchr(text, '/', n);
    if (slash == NULL) {
        return read_decimal(r, text, n);
    }
    size_t above = (size_t)(slash - text);
    mpq_t below;
    mpq_init(below);
    bool good = read_decimal(r, text, above) && read_decimal(below, slash + 1, n - above - 1) &&
                mpq_sgn(below) != 0;
    if (good) {
        mpq_div(r, r, below);
    }
    mpq_clear(below);
    return good;
}

bool il_rational_set_text(il_rational *r, const char *text) {
    return read_number(r->q, text, strlen(text));
}

void il_rational_set_shortest(il_rational *r, double x) {
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*e", digits - 1, x);
        if (strtod(text, NULL) == x) {
            break;
        }
    }
    (void)read_number(r->q, text, strlen(text));
}

void il_rational_set_param(il_rational *r, const il_params *params, const char *key, size_t k) {
    const char *text = il_params_text(params, key);
    if (text != NULL) {
        bool several = strchr(text, ',') != NULL;
        for (size_t i = 0; several && i < k; i++) {
            text += strcspn(text, ",");
            text += *text == ',';
        }
        if (read_number(r->q, text, strcspn(text, ","))) {
            return;
        }
    }
    size_t n = 0;
    const double *x = il_params_vector(params, key, &n); /* hexadecimal text among it */
    double value = x[k < n ? k : 0];
    if (il_params_given(params, key) && text == NULL) {
        il_rational_set_shortest(r, value);
    } else {
        il_rational_set_double(r, value);
    }
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

void il_rational_add(il_rational *r, const il_rational *a, const il_rational *b) {
    mpq_add(r->q, a->q, b->q);
}

void il_rational_sub(il_rational *r, const il_rational *a, const il_rational *b) {
    mpq_sub(r->q, a->q, b->q);
}

void il_rational_mul(il_rational *r, const il_rational *a, const il_rational *b) {
    mpq_mul(r->q, a->q, b->q);
}

void il_rational_div(il_rational *r, const il_rational *a, const il_rational *b) {
    mpq_div(r->q, a->q, b->q);
}

void il_rational_scale(il_rational *r, const il_rational *a, int e) {
    if (e >= 0) {
        mpq_mul_2exp(r->q, a->q, (mp_bitcnt_t)e);
    } else {
        mpq_div_2exp(r->q, a->q, (mp_bitcnt_t)-e);
    }
}

int il_rational_sign(const il_rational *a) {
    return mpq_sgn(a->q);
}

int il_rational_compare(const il_rational *a, const il_rational *b) {
    int order = mpq_cmp(a->q, b->q);
    return (order > 0) - (order < 0);
}

int il_rational_log2(const il_rational *a) {
    /* p and q have these lengths: 2^{p-q-1} < a < 2^{p-q+1} */
    int p = (int)mpz_sizeinbase(mpq_numref(a->q), 2);
    int q = (int)mpz_sizeinbase(mpq_denref(a->q), 2);
    mpq_t power;
    mpq_init(power);
    mpq_set_ui(power, 1, 1);
    if (p >= q) {
        mpq_mul_2exp(power, power, (mp_bitcnt_t)(p - q));
    } else {
        mpq_div_2exp(power, power, (mp_bitcnt_t)(q - p));
    }
    bool above = mpq_cmp(a->q, power) >= 0;
    mpq_clear(power);
    return p - q - !above;
}

double il_rational_double(const il_rational *a) {
    return mpq_get_d(a->q);
}

double il_rational_error(double x, const il_rational *a) {
    mpq_t exact;
    mpq_init(exact);
    mpq_set_d(exact, x);
    mpq_sub(exact, exact, a->q);
    double error = mpq_get_d(exact);
    mpq_clear(exact);
    return error;
}

size_t il_rational_bits(const il_rational *a) {
    size_t p = mpz_sizeinbase(mpq_numref(a->q), 2);
    size_t q = mpz_sizeinbase(mpq_denref(a->q), 2);
    return p > q ? p : q;
}

char *il_rational_text(const il_rational *a) {
    size_t room = mpz_sizeinbase(mpq_numref(a->q), 10) + mpz_sizeinbase(mpq_denref(a->q), 10) + 3;
    char *text = il_alloc(room, 1);
    return mpq_get_str(text, 10, a->q);
}
