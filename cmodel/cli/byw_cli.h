/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cli.h - what the subcommands of `byway` share.
 *
 * Data goes to stdout, progress and messages to stderr.  Exit codes: 0 done, 1 a check or a run
 * failed or was interrupted, 2 wrong usage or input.
 */
#ifndef BYW_CLI_H
#define BYW_CLI_H

#include <signal.h>

#include "cli/byw_args.h"
#include "common/byw_file.h"
#include "study/job/byw_job.h"
#include "study/job/byw_setup.h"
#include "study/sweep/byw_sweep.h"

enum { BYW_EXIT_OK = 0, BYW_EXIT_FAILED = 1, BYW_EXIT_USAGE = 2 };

/* The GPU of commands about programs as they are written today (advise, correlate). */
#define BYW_CLI_GPU "h200"

/* argv[0] is the subcommand's name. */
int byw_cmd_run(int argc, char **argv);
int byw_cmd_compare(int argc, char **argv);
int byw_cmd_oracle(int argc, char **argv);
int byw_cmd_advise(int argc, char **argv);
int byw_cmd_list(int argc, char **argv);
int byw_cmd_trace(int argc, char **argv);
int byw_cmd_sweep(int argc, char **argv);
int byw_cmd_merge(int argc, char **argv);
int byw_cmd_report(int argc, char **argv);
int byw_cmd_diff(int argc, char **argv);
int byw_cmd_tune(int argc, char **argv);
int byw_cmd_reproduce(int argc, char **argv);
int byw_cmd_correlate(int argc, char **argv);
int byw_cmd_cost(int argc, char **argv);
int byw_cmd_cache(int argc, char **argv);
int byw_cmd_nvcc(int argc, char **argv);
int byw_cmd_ptxas(int argc, char **argv);

/* A sweep on this machine. */
struct byw_cli_sweep {
    const struct byw_plan *plan;
    const char *dir, *command;
    unsigned workers;
    bool dry_run;
    /* orders the numbers of the points, which take that long (byw_sweep_estimate()); NULL: as they
     * are */
    enum byw_status (*order)(const void *ctx, const double *seconds, size_t *point,
                             struct byw_diag *diag);
    const void *ctx;
};
/* Makes the runs that the folder does not have, with progress and an estimate before.  BYW_ESTUCK
 * when it was stopped. */
enum byw_status byw_cli_sweep(const struct byw_cli_sweep *what, struct byw_sweep_state *state,
                              struct byw_diag *diag);
/* Merges the folder's results into these files; neither given: results.csv and, where there is
 * libsqlite3, results.sqlite in it. */
enum byw_status byw_cli_merge(const char *dir, const char *csv, const char *sqlite,
                              struct byw_diag *diag);
/* --sample N as the setting sample.period=N, to be used as an option's `take` and `into`. */
struct byw_cli_sample {
    struct byw_texts *settings;
    char text[40];
};
enum byw_status byw_cli_take_sample(const char *value, void *sample, struct byw_diag *diag);
#define BYW_CLI_SAMPLE_HELP                                                                        \
    "estimates from a part of the trace, about 3 of N waves of CTAs and 2 of N\n"                  \
    "launches that repeat, with an error bar: sample.period (try 64)"
#define BYW_CLI_REPEAT_HELP                                                                        \
    "N runs that differ in what no result should hang on (noise.seed: latencies by\n"              \
    "2 %, start of CTAs, phase of refresh): mean and standard deviation (default: 1)"
/* Processes to use: what -j says, 0: one per processor. */
unsigned byw_cli_workers(uint64_t jobs);
/* "12 s", "3 min", "2.5 h". */
void byw_cli_duration(double seconds, char text[32]);

/* The Verilated L1 data cache; NULL in a command that was linked without it. */
const struct byw_l1d_ops *byw_cli_rtl_l1d(void);

/* Becomes the command byway-rtl that is next to this one, with the same arguments (argv[0] is the
 * subcommand's name); returns only when that fails. */
enum byw_status byw_cli_start_rtl(int argc, char **argv, struct byw_diag *diag);

/* Of the checkout that this was built from. */
const char *byw_cli_commit(void);

/* The command line as a shell takes it, for results; to free().  argv[0] is the subcommand's name.
 */
char *byw_cli_command(int argc, char **argv);

/* Prints "byway: <sentence>" to stderr; the exit code for that status. */
int byw_cli_fail(enum byw_status status, const struct byw_diag *diag);

/* Where results go, opened before anything runs; NULL: nowhere. */
struct byw_outputs {
    struct byw_file *table; /* standard output, unless one of the others goes there */
    struct byw_file *json, *html;
};

/* Paths of the options, NULL when not given; "-" is standard output. */
enum byw_status byw_cli_outputs(const char *json, const char *html, struct byw_outputs *out,
                                struct byw_diag *diag);
/* One of them, to be committed; it is no longer among the outputs. */
struct byw_file *byw_cli_take(struct byw_file **file);
void byw_cli_discard(struct byw_outputs *out); /* those that are left */

/* First and last call of main().  With a standard descriptor closed, a file that is opened later
 * would get its number, and what is printed would land in it: the first call occupies them such
 * that reading and writing fail.  The last one flushes stdout; lost output is an error. */
void byw_cli_begin(void);
int byw_cli_end(int code);

/* Installs a handler for SIGINT and SIGTERM; the flag it sets. A second signal ends the program. */
enum { BYW_CLI_SIGNAL = 1, BYW_CLI_TIME_IS_UP };
const volatile sig_atomic_t *byw_cli_stop_flag(void);
/* Sets the flag to BYW_CLI_TIME_IS_UP after so many seconds, unless a signal has set it. */
void byw_cli_stop_after(double seconds);

/* Whether stderr is a terminal that can move its cursor (TERM is not "dumb"), and not CI's. */
bool byw_cli_on_terminal(void);

/* Progress on stderr, only on such a terminal, in one line of it however narrow it is.  No colours
 * are used, so NO_COLOR changes nothing. */
struct byw_bar {
    bool on;
    double start, drawn; /* seconds of the monotonic clock */
};

void byw_bar_begin(struct byw_bar *bar);
void byw_bar_draw(void *bar, const struct byw_job_progress *progress); /* for byw_job_options */
void byw_bar_end(struct byw_bar *bar);

#endif
