/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/byw_given.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/job/byw_workload.h"

static const char *first_of(const struct byw_given_words *from)
{
    return from->words.count != 0 ? from->words.text[0] : from->program[0];
}

/* The source of a shipped workload, if its build folder is present. */
static void find_source(struct byw_given *given)
{
    struct byw_workload about;

    if (!byw_workload_find(given->names[0], &about) ||
        snprintf(given->source, sizeof(given->source), "%.3900s/../workloads/%.64s/%.64s.cl",
                 given->places.configs, about.program,
                 about.program) >= (int)sizeof(given->source) ||
        access(given->source, R_OK) != 0)
        given->source[0] = '\0';
}

enum byw_status byw_given_check(const char *command, const struct byw_given_words *from,
                                struct byw_diag *diag)
{
    bool program = from->program != NULL && *from->program != NULL;

    if ((from->words.count != 0) != program)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EINVAL,
                        "%s: expected a trace, the name of a shipped workload, or -- and a program",
                        command);
}

enum byw_status byw_given_open(struct byw_given *given, const struct byw_given_words *from,
                               struct byw_diag *diag)
{
    enum byw_status st = byw_places_find(&given->places, diag);

    if (st == BYW_OK)
        st = byw_setup_config(&given->places, from->machine, from->policy, from->settings.text,
                              from->settings.count, &given->config, diag);
    byw_setup_name(first_of(from), given->names[0], sizeof(given->names[0]));
    byw_setup_name(from->machine, given->names[1], sizeof(given->names[1]));
    byw_setup_name(from->policy, given->names[2], sizeof(given->names[2]));
    given->job = (struct byw_job){.workload = given->names[0],
                                  .trace = given->trace,
                                  .machine = given->names[1],
                                  .policy = given->names[2],
                                  .config = &given->config};
    if (st == BYW_OK && from->words.count == 0)
        st = byw_program_open(&given->program, from->program, given->config.sm_lanes, diag);
    return st;
}

enum byw_status byw_given_trace(struct byw_given *given, const struct byw_given_words *from,
                                struct byw_diag *diag)
{
    struct stat about;

    if (from->words.count == 0)
        return byw_program_capture(&given->program, "own.bwt", given->trace, diag);
    find_source(given);
    if (stat(first_of(from), &about) != 0)
        return byw_places_trace(&given->places, first_of(from), given->config.sm_lanes,
                                given->trace, diag);
    if (snprintf(given->trace, sizeof(given->trace), "%s", first_of(from)) >=
        (int)sizeof(given->trace))
        return byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", first_of(from));
    return BYW_OK;
}
