/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_given.h - what `byway advise` and `byway source` simulate: a trace, a shipped workload, or a
 * program, which is captured.
 */
#ifndef BYW_GIVEN_H
#define BYW_GIVEN_H

#include "cli/byw_args.h"
#include "cli/byw_program.h"

/* The words and options of the command line that choose what is simulated. */
struct byw_given_words {
    struct byw_texts words, settings;
    char **program; /* after --; NULL: none */
    const char *machine, *policy;
};

struct byw_given {
    struct byw_config config;
    struct byw_places places;
    char trace[BYW_PATH_ROOM];
    char source[BYW_PATH_ROOM]; /* of a shipped workload; "": none */
    char names[3][256]; /* of workload, machine and policy, for results */
    struct byw_program program;
    struct byw_job job;
};

/* Returns BYW_EINVAL unless the user gave either a word or a program, not both. command: the name
 * of the subcommand, for messages. */
enum byw_status byw_given_check(const char *command, const struct byw_given_words *from,
                                struct byw_diag *diag);

/* Reads machine and policy and creates the folder for a program: the steps that fail without delay.
 * Release given->program with byw_program_remove(). */
enum byw_status byw_given_open(struct byw_given *given, const struct byw_given_words *from,
                               struct byw_diag *diag);

/* Finds the trace; captures it if a program is given. */
enum byw_status byw_given_trace(struct byw_given *given, const struct byw_given_words *from,
                                struct byw_diag *diag);

#endif
