/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_args.h - command lines from a table of options.
 *
 * Accepts --name VALUE, --name=VALUE, -x VALUE and -xVALUE; `--` ends the options.  An unknown
 * option is answered with the nearest one.
 *
 *     struct byw_args args = {argv, argc, ...};
 *     while ((which = byw_args_next(&args, &value, &diag)) >= 0 || which == BYW_ARG_WORD)
 */
#ifndef BYW_ARGS_H
#define BYW_ARGS_H

#include <stdbool.h>
#include <stdio.h>

#include "common/byw_status.h"

struct byw_option {
    const char *name; /* without dashes */
    char letter; /* 0: none */
    const char *arg; /* what its value is called in the help; NULL: takes none */
    const char *help; /* line breaks continue in the same column */
};

struct byw_args {
    char **argv;
    int argc, at; /* at: next one to read */
    const struct byw_option *option;
    int option_count;
    bool rest; /* after `--` */
};

enum { BYW_ARG_END = -1, BYW_ARG_WORD = -2, BYW_ARG_ERROR = -3 };

/* Index of the next option, its value in *value; or one of the codes above (WORD: the word is in
 * *value; ERROR: diag has the sentence). */
int byw_args_next(struct byw_args *args, const char **value, struct byw_diag *diag);

/* "  -j, --jobs N   help" for each option. */
void byw_args_help(FILE *out, const struct byw_option *option, int count);

#endif
