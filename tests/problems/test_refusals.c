/*
 * test_refusals.c - data that a problem cannot be made of are refused in words that name them and
 * say what is allowed.
 */
#include "tests/support/expect.h"
#include "tests/support/suite.h"

static const struct {
    const char *problem, *words;
    const char *sets[4]; /* ended by NULL */
} refusals[] = {
    {"bouncing_ball", "'e' is 1.5; allowed: a number in [0, 1]", {"e=1.5"}},
    {"bouncing_ball", "'gravity' is 0", {"gravity=0"}},
    {"bouncing_ball", "'q0' is -0.1", {"q0=-0.1"}},
    {"bouncing_ball", "'u0' is nan", {"u0=nan"}},
    {"corner", "'angle' is 4; allowed", {"angle=4"}},
    {"corner", "allowed: 0 < angle < pi", {"angle=3.141592653589793"}},
    {"corner", "not positive definite", {"mass=0.1,0.3,0.3,0.9"}}, /* singular but for rounding */
    {"corner", "not positive definite: its smallest eigenvalue is -1", {"mass=1,2,2,1"}},
    {"corner", "entry (2,1) is 0.2", {"mass=1,0.5,0.2,1"}},
    {"corner", "3 values; allowed: 1, 2 or 4", {"mass=1,2,3"}},
    {"corner", "mass 2 is -2", {"mass=1,-2"}},
    {"corner", "the right face has g(0,q0)", {"q0=1,0"}},
    {"crowd", "no way to the exit", {"walls=7,0,7,20"}},
    {"crowd", "no way to the exit", {"N=1", "posts=3.5,1.875,0.3"}},
    {"crowd", "needs more than 0.5", {"door=0.5"}},
    {"crowd", "less than the side", {"door=50"}},
    {"crowd", "disc 2 and wall 1 overlap by 0.15", {"N=2", "q0=2,2,1,0.1"}},
    {"crowd", "discs 1 and 2 overlap by 0.1", {"N=2", "q0=2,2,2.4,2"}},
    {"crowd", "room for 64 discs", {"N=200", "side=5"}},
    {"crowd", "1.15e+18 places for discs", {"N=1", "side=671088640"}}, /* 2^60: bytes overflow */
    {"crowd", "in a time that can be told", {"side=1e30", "speed=1e-300"}},
    {"crowd", "it must stay positive", {"growth=-0.1"}},
    {"crowd", "multiple of 4", {"walls=1,2,3"}},
    {"crowd", "multiple of 3", {"posts=1,2"}},
    {"crowd", "has no length", {"walls=1,2,1,2"}},
    {"crowd", "post 1 has radius 0; it must be positive", {"posts=1,2,0"}},
    {"gluey", "'gamma' is -1 with gap = 0.4", {"gamma=-1"}},
    {"gluey", "'period' is 1; allowed", {"period=1"}},
    {"gluey", "'period' is 2", {"period=2", "T=1e9"}},
    {"graze", "'k' is 1; allowed", {"k=1"}},
    {"graze", "'c' is 0; allowed", {"c=0"}},
    {"growing_radii", "'a' is -0.1", {"a=-0.1"}},
    {"growing_radii", "'N' is 2.5", {"N=2.5"}},
    {"growing_radii", "'masses' has 3 values; allowed: 1 or 2", {"masses=1,1,1"}},
    {"growing_radii", "'q0' has 5 values; allowed: 6", {"q0=0,0,0,1.1,0"}},
    {"growing_radii", "not feasible", {"q0=0,0,0,0.9,0,0"}},
    {"impact", "'space' is 4", {"space=4"}},
    {"impact", "'spread' is 0.9", {"spread=0.9"}},
    {"nonuniqueness", "'alpha' is inf", {"alpha=inf"}},
    {"nonuniqueness", "unknown parameter 'beta'", {"beta=1"}},
    {"pendulum", "not positive definite: its smallest eigenvalue is 0", {"mass=1,1,1,1"}},
    {"pendulum",
     "'mass' is not symmetric: entry (2,1) is 0.25 but entry (1,2)",
     {"mass=1,0.5,0.25,1"}},
    {"pendulum",
     "'mass' is not symmetric: entry (3,2) is 0.5 but entry (2,3)",
     {"N=3", "mass=2,0,0,0,2,1,0,0.5,2"}},
    {"pendulum", "'mass' has 3 values; allowed: 1, 2 or 4", {"mass=1,2,3"}},
    {"pendulum", "'stiffness' is not positive semidefinite", {"stiffness=1,2,2,1"}},
    {"pendulum", "'stiffness' has 3 values; allowed: 1, 2 or 4", {"stiffness=1,2,3"}},
    {"pendulum", "'gravity' has no effect", {"mass=1", "stiffness=1", "gravity=1"}},
    {"pendulum", "'joint' is 3; allowed: 1 to N = 2", {"joint=3"}},
    {"pendulum", "'masses': value 2 is -1; allowed", {"masses=1,-1"}},
    {"pendulum", "joint 1 and the stop has g(0,q0) = -0.2", {"stop=0.5"}},
    {"pendulum", "'N' is 65; allowed: an integer in [1, 64]", {"N=65"}},
    {"segment", "'s0' is 2; allowed: -l to l, here -1 to 1", {"s0=2"}},
    {"two_spheres", "'radii' is -0.5; allowed", {"radii=-0.5"}},
    {"two_spheres", "'F' has 2 values; allowed: 3 or 6", {"F=1,0"}},
    {"two_spheres", "scenario 'free' has no force", {"F=1,0,0"}},
    {"two_spheres", "'scenario' is 'loose'", {"scenario=loose"}},
    {"two_spheres", "not feasible", {"q0=0,0,0,0.8,0,0"}},
    {"vibroimpact", "'scenario' is 'fall'; allowed", {"scenario=fall"}},
    {"vibroimpact", "'q0' has 3 values; allowed: 2", {"q0=1,2,3"}},
    {"vibroimpact", "g(0,q0) = -0.5", {"q0=-2,0.5"}}, /* under the valley, psi(-2) = 1 */
    {"vibroimpact", "g(0,q0) = -0.5", {"q0=2,-1.5"}}, /* under the corner */
};

static void impossible_data_are_refused(void) {
    for (size_t k = 0; k < sizeof refusals / sizeof refusals[0]; k++) {
        il_expect_refusal(refusals[k].problem, refusals[k].sets, refusals[k].words);
    }
}

static const il_test tests[] = {
    {"impossible data are refused in words", impossible_data_are_refused}, {NULL, NULL}};

const il_suite il_suite_refusals = {.name = "refusals", .tests = tests};
