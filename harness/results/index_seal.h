/*
 * index_seal.h - whether an index is still what was written. Not for use outside harness/results.
 *
 * SQLite looks at the shape of what it reads and believes its content: a bit that turned over in a
 * number is another number, and is exported. So a sum over all pages stands in the table seal(sum),
 * NULL while rows change; the page where it stands, and what every write changes of the first one,
 * are left out.
 */
#ifndef IL_INDEX_SEAL_H
#define IL_INDEX_SEAL_H

#include <sqlite3.h>
#include <stdbool.h>

#define IL_INDEX_SEAL_SCHEMA "CREATE TABLE seal(sum INTEGER); INSERT INTO seal VALUES(NULL);"

/* Of `db`, open and the caller's, in no transaction where not said; each returns a code of SQLite
 * with its extended part. What stands where in a file: SQLite, "Database File Format", 1.3. */

/* SQLITE_OK, SQLITE_CORRUPT where the pages are others than those that were sealed, or what SQLite
 * says. *sealed: false where the last who wrote did not come to sealing; in memory, true. */
int il_index_seal_check(sqlite3 *db, bool *sealed);

/* Inside a transaction that changes rows: until they are sealed there is no sum. */
int il_index_seal_break(sqlite3 *db);

/* After that one, in no transaction: reads all pages, of which one is in memory at a time
 * (SQLITE_NOMEM), and writes their sum. Who fails here leaves an index that is not sealed, and is
 * made anew the next time. */
int il_index_seal(sqlite3 *db);

#endif
