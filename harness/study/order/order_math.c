/*
 * order_math.c - quantiles from rational functions.
 */
#include "harness/study/order/order_math.h"

/* Wichura, Algorithm AS 241 (Applied Statistics 37, 1988), the single-precision routine. */
double il_order_normal_quantile(double p) {
    double q = p - 0.5;
    if (fabs(q) <= 0.425) {
        double r = 0.180625 - q * q;
        return q * (((59.109374720 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179) /
               (((67.187563600 * r + 78.757757664) * r + 17.895169469) * r + 1.0);
    }
    double r = sqrt(-il_order_log(q < 0.0 ? p : 1.0 - p));
    double z = 0.0;
    if (r <= 5.0) {
        r -= 1.6;
        z = (((0.17023821103 * r + 1.3067284816) * r + 2.7568153900) * r + 1.4234372777) /
            ((0.12021132975 * r + 0.73700164250) * r + 1.0);
    } else {
        r -= 5.0;
        z = (((0.017337203997 * r + 0.42868294337) * r + 3.0812263860) * r + 6.6579051150) /
            ((0.012258202635 * r + 0.24197894225) * r + 1.0);
    }
    return q < 0.0 ? -z : z;
}

double il_order_t_quantile(double p, double freedom) {
    double v = fmax(freedom, 3.0);
    double z = il_order_normal_quantile(p);
    double s = z * z;
    double g1 = z * (s + 1.0) / 4.0;
    double g2 = z * ((5.0 * s + 16.0) * s + 3.0) / 96.0;
    double g3 = z * (((3.0 * s + 19.0) * s + 17.0) * s - 15.0) / 384.0;
    double g4 = z * ((((79.0 * s + 776.0) * s + 1482.0) * s - 1920.0) * s - 945.0) / 92160.0;
    return (z + (g1 + (g2 + (g3 + g4 / v) / v) / v) / v) * (freedom < 3.0 ? 3.0 / freedom : 1.0);
}
