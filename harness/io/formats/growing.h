/*
 * growing.h - the trajectory file of a run in progress: NAME.growing.EXT beside NAME.EXT.
 *
 * Nodes are appended, and can be read at any time: from a .csv all complete lines, from an .h5 all
 * nodes of its dataset t, with HDF5 1.10 and later and swmr=True. NAME.EXT itself is always
 * complete: a partial file would be taken for a finished run, an earlier file of that name must
 * stay until it is replaced, and CSV begins with the record, which is known only at the end.
 * NAME.EXT is then written in one piece, and the growing file is removed.
 *
 * The state that a run resumes from (harness/run/checkpoint.h) has all nodes, so nothing depends on
 * this file: one left by a killed program, or one that cannot be appended to, is written anew.
 */
#ifndef IL_GROWING_H
#define IL_GROWING_H

#include "harness/io/formats/format.h"

typedef struct {
    const il_format_type *format;
    char *path; /* NULL: the format has no such files */
    il_grown grown;
} il_growing;

/* For the trajectory file at path, whose extension is known; nothing is written yet. IL_EIO where
 * no file can be; IL_ENOMEM. The creator closes. */
il_status il_growing_open(il_growing *g, const char *path, il_error *err);

/* Bring the file to exactly the nodes of w; record is a JSON text, for a new file. IL_EIO,
 * IL_ENOMEM; the file is then unchanged. */
il_status il_growing_follow(il_growing *g, const il_trajectory *w, const char *record,
                            il_error *err);

/* Remove the file. */
void il_growing_remove(const il_growing *g);
void il_growing_close(il_growing *g);

#endif
