/*
 * order_part.h - fits of the runs of a study that are in use, or of some of their octaves. Not for
 * use outside harness/study/order*.
 */
#ifndef IL_ORDER_PART_H
#define IL_ORDER_PART_H

#include "harness/study/order/order_data.h"
#include "harness/study/order/order_floor.h"

/* The least runs and levels that a slope is taken from. */
enum { IL_ORDER_POINTS_LEAST = 4, IL_ORDER_LEVELS_LEAST = 3, IL_ORDER_STEPS_LEAST = 3 };

/* Bounds of a floor; and of floors of the worst runs, and beside a next power, which are looked for
 * beside that of all runs: a PASS that is wrong has passed both. */
#define IL_ORDER_FLOOR_CONFIDENCE 0.99
#define IL_ORDER_BESIDE_CONFIDENCE 0.95

/* H of a logarithm log(H/h) is so many of the coarsest steps: a study begins with at least so many
 * steps. */
#define IL_ORDER_COARSE_STEPS 16.0

#define IL_ORDER_LN2 0.69314718055994531

/* The runs [from, to), to fit; s->work is the room. */
il_trend_data il_order_part(const il_order_points *s, size_t from, size_t to);

/* The runs in use, with allowances for the next power and for a floor of the given size, or of the
 * usual one. The residuals are left in s->work. */
bool il_order_fit_with(const il_order_points *s, double floor, il_trend *trend);
bool il_order_fit_all(const il_order_points *s, il_trend *trend);

/* The floor of the runs in use: o->floor, floor_low, floor_high, finest. Returns the order of what
 * falls above the floor, or 0. Nothing is fitted twice. */
double il_order_fit_floor(il_order_points *s, il_order *o);

/* The same of errors a + b log(H/h)^-s, H being what some sixteen of the coarsest steps make: a
 * floor that is surely there on these steps too is not a fall slower than any power. False where
 * nothing can be fitted. */
bool il_order_floor_of_logarithms(const il_order_points *s, il_floor *f);

/* The same of the worst of every four neighbouring runs, by their height over a line of the given
 * slope: what some phases keep from falling. False with fewer than six fours. */
bool il_order_floor_of_worst(const il_order_points *s, double slope, il_floor *f);

/* The floor of the runs in use beside a next power, a + b h^p (1 + c h^next): one that is not
 * needed there is the next power's bend. */
bool il_order_floor_beside(const il_order_points *s, double next, double confidence, il_floor *f);

/* The same of the errors' squares, e^2 = a^2 + b^2 h^2p (1 + c h)^2: a floor adds so that is a
 * component of its own, at a right angle to what falls, and shows later than one that adds in
 * size. Its bound, as a part of the finest e^2; NaN where nothing can be fitted. */
double il_order_floor_of_squares(const il_order_points *s);

/* Errors that fall to a tail, b h^p + c/log(H/h), in place of a floor: f->likelihood. H is such
 * that the tail falls with the given slope at the finest step, log(H/h) = 1/slope; false where H is
 * less than IL_ORDER_COARSE_STEPS of the coarsest steps. */
bool il_order_tail_of_logarithms(const il_order_points *s, double slope, il_floor *f);

/* The slope of [from, to) by itself, without allowances. Few runs do not know their scatter: that
 * of the whole serves, if the caller has it, or theirs where they scatter more. */
il_order_slope il_order_fit_part(const il_order_points *s, size_t from, size_t to,
                                 const il_trend *whole, double confidence);

/* Where so many of the finest octaves begin, and at least four runs. */
size_t il_order_fine_from(const il_order_points *s, double octaves);

#endif
