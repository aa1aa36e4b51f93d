/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_args.h - command lines from a table of options.
 *
 * Accepts --name VALUE, --name=VALUE, -x VALUE and -xVALUE; `--` ends the options. For an unknown
 * option the nearest one is suggested. A repeated option adds a value (.list) or is refused; an
 * output that is also an input is refused, too. A row of the table says where its value is stored:
 *
 *     const struct byw_option options[] = {
 *         {"jobs", 'j', "N", "runs at a time", .number = &r->jobs, .lowest = 1, .highest = 256},
 *         {"set", 's', "KEY=VALUE", "change one key; may be repeated", .list = &r->settings},
 *         {"help", 'h', NULL, "this text", .flag = &r->help},
 *     };
 */
#ifndef BYW_ARGS_H
#define BYW_ARGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/byw_named_files.h"
#include "common/byw_status.h"

enum { BYW_TEXTS_MAX = 64 };

/* Values of a repeatable option, or words that belong to no option, in order. */
struct byw_texts {
    const char *text[BYW_TEXTS_MAX];
    size_t count;
    size_t plain; /* number of leading words that are not file names */
};

struct byw_option {
    const char *name; /* without dashes */
    char letter; /* 0: none */
    const char *arg; /* name of its value in the help; NULL: no value */
    const char *help; /* shown in its own column, wrapped */
    enum byw_file_use file; /* what the command does with the value */
    bool keyed; /* values are KEY=VALUE, each key at most once */
    const char *with; /* name of the option without which this one has no effect; NULL: none */
    bool *given; /* NULL, or set if the command line has the option */

    /* where the value is stored, one of: */
    bool *flag;
    const char **text;
    struct byw_texts *list;
    uint64_t *number; /* in [lowest, highest] */
    uint64_t lowest, highest;
    /* for an option with a special value format: parses the value; gets `into` */
    enum byw_status (*take)(const char *value, void *into, struct byw_diag *diag);
    void *into;
};

/* Reads argv[1] .. argv[argc - 1]. words: gets the arguments that are not options, at most
 * most_words. rest: gets the arguments after `--` (a command), unchanged if there is no `--`; may
 * be NULL. Anything unexpected returns BYW_EINVAL with a message. */
enum byw_status byw_args_parse(const struct byw_option *options, size_t count, int argc,
                               char **argv, struct byw_texts *words, size_t most_words,
                               char ***rest, struct byw_diag *diag);

/* Prints "  -j, --jobs N   help" for each option, in 80 columns. */
void byw_args_help(FILE *out, const struct byw_option *options, size_t count);

/* Reads a whole number in [lowest, highest]. Otherwise returns BYW_EINVAL with a message that names
 * `what`. */
enum byw_status byw_args_number(const char *what, const char *text, uint64_t lowest,
                                uint64_t highest, uint64_t *number, struct byw_diag *diag);

#endif
