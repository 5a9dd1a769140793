/*
 * functions.h - what stands for functions of a script in the key of a case: C cannot compare them.
 */
#ifndef IL_FUNCTIONS_H
#define IL_FUNCTIONS_H

enum { IL_FUNCTIONS_SUM = 65, IL_FUNCTIONS_WHY = 384 };

typedef struct {
    char sum[IL_FUNCTIONS_SUM]; /* of all that they depend on, in hexadecimal; "": not known */
    char why[IL_FUNCTIONS_WHY]; /* it is not known, and what helps, in words */
} il_functions;

#endif
