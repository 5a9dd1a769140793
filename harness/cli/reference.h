/*
 * reference.h - pages of the manual that the program writes from its own tables, as Markdown: what
 * they say is what it does.
 */
#ifndef IL_CLI_REFERENCE_H
#define IL_CLI_REFERENCE_H

#include <stdio.h>

void il_cli_write_commands(FILE *out);   /* verbs, options, examples, exit status */
void il_cli_write_problems(FILE *out);   /* statements, sources, parameters */
void il_cli_write_schemes(FILE *out);    /* the same */
void il_cli_write_projectors(FILE *out); /* the same */
void il_cli_write_norms(FILE *out);      /* norms of whole runs, and formats of trajectories */
void il_cli_write_keys(FILE *out);       /* what lab.run and lab.sweep can be asked for */

#endif
