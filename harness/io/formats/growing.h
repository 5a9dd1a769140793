/*
 * growing.h - the file of a trajectory while its run goes on: NAME.growing.EXT beside NAME.EXT.
 *
 * Nodes are appended, and what is there can be read at any time: of a .csv all whole lines (what
 * is behind the last end of a line is being written), of an .h5 all nodes of its dataset t, by HDF5
 * 1.10 and later with swmr=True where it is being extended. Under NAME.EXT itself nothing stands
 * that is not whole: a run that was ended is easily taken for one that came to its end, an earlier
 * file of that name stays until there is another, and CSV begins with the record, which is known at
 * the end alone. NAME.EXT is then written in one go, and the file that grew goes.
 *
 * The state that a run goes on from (harness/run/checkpoint.h) has all nodes, so that nothing hangs
 * on this file: what a kill has left is made anew, and so is a file that cannot be appended to.
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

/* Bring the file to the nodes of w, to those that it has and no others; record is a JSON text, for
 * a file that is new. IL_EIO, IL_ENOMEM; what was there then stays. */
il_status il_growing_follow(il_growing *g, const il_trajectory *w, const char *record,
                            il_error *err);

/* The file goes. */
void il_growing_remove(const il_growing *g);
void il_growing_close(il_growing *g);

#endif
