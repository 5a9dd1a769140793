#include "harness/cli.h"
int il_cli_sweep(int c, char **v) {
    (void)c;
    (void)v;
    return 2;
}
int il_cli_report(int c, char **v) {
    (void)c;
    (void)v;
    return 2;
}
