/*
 * fault.h - what may fail.
 */
#ifndef IL_TESTS_FAULT_H
#define IL_TESTS_FAULT_H

typedef enum {
    IL_FAULT_NONE,
    IL_FAULT_MEMORY,  /* the k-th allocation finds none */
    IL_FAULT_NO_ROOM, /* the k-th write: ENOSPC */
    IL_FAULT_BROKEN,  /* the k-th write: EIO */
    IL_FAULT_SHORT,   /* the k-th write takes half of its bytes */
    IL_FAULT_FULL,    /* the k-th write and all after it: ENOSPC */
    IL_FAULT_KILL     /* before the k-th write, link, rename or removal all are killed */
} il_fault;

#endif
