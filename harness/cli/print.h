/*
 * print.h - a record as text on standard output, as `impactlab run` prints it without --json.
 */
#ifndef IL_CLI_PRINT_H
#define IL_CLI_PRINT_H

#include "harness/reference/proof.h"
#include "harness/run/record.h"

/* What is printed beside the outcome, the errors, the gap and the certificate. */
typedef struct {
    bool norms; /* the other norms */
    bool rest;  /* the final state, drifts, walls, variation, work */
} il_cli_shows;

void il_cli_print_record(const il_record *record, const il_cli_shows *shows);

/* What exact arithmetic adds. IL_ENOMEM: what is printed is not whole. */
il_status il_cli_print_proof(const il_proof *proof, il_error *err);

#endif
