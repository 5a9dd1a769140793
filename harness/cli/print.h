/*
 * print.h - a record in words, to standard output, as `impactlab run` prints it without --json.
 */
#ifndef IL_CLI_PRINT_H
#define IL_CLI_PRINT_H

#include "harness/reference/proof.h"
#include "harness/run/record.h"

void il_cli_print_record(const il_record *record);

/* What exact arithmetic adds. IL_ENOMEM: what is printed is not whole. */
il_status il_cli_print_proof(const il_proof *proof, il_error *err);

#endif
