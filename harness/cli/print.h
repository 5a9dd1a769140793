/*
 * print.h - a record in words, to standard output, as `impactlab run` prints it without --json.
 */
#ifndef IL_CLI_PRINT_H
#define IL_CLI_PRINT_H

#include "harness/reference/proof.h"
#include "harness/run/record.h"

void il_cli_print_record(const il_record *record);

/* What exact arithmetic adds. */
void il_cli_print_proof(const il_proof *proof);

#endif
