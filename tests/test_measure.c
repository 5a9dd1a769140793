/*
 * test_measure.c - what is observed of a step, against closed forms.
 */
#include "harness/measure.h"

#include "tests/suite.h"

static const il_test tests[] = {{NULL, NULL}};

const il_suite il_suite_measure = {"measure", tests};
