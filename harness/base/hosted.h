/*
 * hosted.h - are we a library in another program? It may use GMP and jansson too, whose allocators
 * are one for the process, so they are left alone; and the executable is not ours.
 */
#ifndef IL_BASE_HOSTED_H
#define IL_BASE_HOSTED_H

#include <stdbool.h>

#ifdef IL_LIBRARY
#define IL_HOSTED true
#else
#define IL_HOSTED false
#endif

#endif
