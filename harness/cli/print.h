/*
 * print.h - a record as text on standard output, as `impactlab run` prints it without --json.
 */
#ifndef IL_CLI_PRINT_H
#define IL_CLI_PRINT_H

#include "harness/reference/proof.h"
#include "harness/run/record.h"

/* Things that are printed beside the outcome, the errors, the gap and the certificate. */
typedef struct {
    bool norms; /* the other norms */
    bool rest;  /* the final state, drifts, walls, variation, work */
} il_cli_shows;

void il_cli_print_record(const il_record *record, const il_cli_shows *shows);

/* The run in exact arithmetic, and how far doubles are from it. */
void il_cli_print_proof(const il_proof *proof);

#endif
