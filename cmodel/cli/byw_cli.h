/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cli.h - shared by the subcommands of `byway`.
 *
 * Data goes to stdout, progress and messages to stderr. Exit codes: 0 success, 1 a check or a run
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

/* The default GPU of commands about present-day programs (advise, correlate). */
#define BYW_CLI_GPU BYW_OWN_MACHINE

/* argv[0] is the subcommand's name. */
int byw_cmd_run(int argc, char **argv);
int byw_cmd_compare(int argc, char **argv);
int byw_cmd_oracle(int argc, char **argv);
int byw_cmd_advise(int argc, char **argv);
int byw_cmd_source(int argc, char **argv);
int byw_cmd_list(int argc, char **argv);
int byw_cmd_trace(int argc, char **argv);
bool byw_cmd_trace_has(const char *word); /* whether the word is an action of trace */
int byw_cmd_doctor(int argc, char **argv);
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

/* A sweep that runs on this machine. */
struct byw_cli_sweep {
    const struct byw_plan *plan;
    const char *dir, *command;
    unsigned workers;
    bool dry_run;
    enum byw_result_lists lists; /* of each result */
    /* orders the numbers of the points by their estimated times (byw_sweep_estimate()); NULL: the
     * plan's order */
    enum byw_status (*order)(const void *ctx, const double *seconds, size_t *point,
                             struct byw_diag *diag);
    const void *ctx;
};
/* Runs the points whose results are not yet in the folder; prints an estimate of the time first,
 * then progress. Returns BYW_ESTUCK if it was stopped. */
enum byw_status byw_cli_sweep(const struct byw_cli_sweep *what, struct byw_sweep_state *state,
                              struct byw_diag *diag);
/* Merges the folder's results into these files; if neither is given, into results.csv and, with
 * libsqlite3, results.sqlite in the folder. */
enum byw_status byw_cli_merge(const char *dir, const char *csv, const char *sqlite,
                              struct byw_diag *diag);
/* Turns --sample N into the setting sample.period=N. The function and a pointer to this object are
 * the `take` and `into` of the option. */
struct byw_cli_sample {
    struct byw_texts *settings;
    char text[40];
};
enum byw_status byw_cli_take_sample(const char *value, void *sample, struct byw_diag *diag);
#define BYW_CLI_SAMPLE_HELP                                                                        \
    "estimate from a part of the trace, with an error bar: about 3 of every N waves of\n"          \
    "CTAs and 2 of every N repeated launches (sample.period; try 64)"
#define BYW_CLI_REPEAT_HELP                                                                        \
    "make N runs that differ only in noise (noise.seed: latencies by up to 2 %, start of\n"        \
    "CTAs, phase of DRAM refresh) and show mean and deviation (default: 1)"
/* Number of worker processes: the value of -j; if that is 0, one per processor. */
unsigned byw_cli_workers(uint64_t jobs);
/* Writes a duration as "12 s", "3 min" or "2.5 h". */
void byw_cli_duration(double seconds, char text[32]);

/* The Verilated L1 data cache; NULL if the command was linked without it. */
const struct byw_l1d_ops *byw_cli_rtl_l1d(void);

/* Replaces this process by the command byway-rtl next to it, with the same arguments (argv[0] is
 * the subcommand's name); returns only on failure. */
enum byw_status byw_cli_start_rtl(int argc, char **argv, struct byw_diag *diag);

/* The commit from which byway was built. */
const char *byw_cli_commit(void);

/* Web address of a file or folder of this commit; false: byway was not built in a clone of a public
 * repository. */
bool byw_cli_repository(const char *file, char *text, size_t room);

/* The command line as a shell accepts it, for results; the caller frees it. argv[0] is the
 * subcommand's name. */
char *byw_cli_command(int argc, char **argv);

/* Prints "byway: <sentence>" to stderr; returns the exit code for that status. */
int byw_cli_fail(enum byw_status status, const struct byw_diag *diag);

/* Destinations of results, opened before anything runs; NULL: none. */
struct byw_outputs {
    struct byw_file *table; /* standard output, unless another output uses it */
    struct byw_file *json, *html;
};

/* Opens the outputs. json, html: paths from the options, NULL if not given; "-" is standard
 * output. */
enum byw_status byw_cli_outputs(const char *json, const char *html, struct byw_outputs *out,
                                struct byw_diag *diag);
/* Returns one output and removes it from the list of outputs; the caller commits it. */
struct byw_file *byw_cli_take(struct byw_file **file);
void byw_cli_discard(struct byw_outputs *out); /* the outputs that were not taken */

/* First and last call of main(). If a standard descriptor is closed, a file opened later would get
 * its number and receive what is printed: the first call occupies such descriptors so that reading
 * and writing fail. The last call flushes stdout; lost output is an error. */
void byw_cli_begin(void);
int byw_cli_end(int code);

/* Installs a handler for SIGINT and SIGTERM and returns the flag that it sets. A second signal ends
 * the program. */
enum { BYW_CLI_SIGNAL = 1, BYW_CLI_TIME_IS_UP };
const volatile sig_atomic_t *byw_cli_stop_flag(void);
/* Sets the flag to BYW_CLI_TIME_IS_UP after this many seconds, unless a signal has set it. */
void byw_cli_stop_after(double seconds);

/* Whether stderr is a terminal that can move its cursor (TERM is not "dumb"), outside CI. */
bool byw_cli_on_terminal(void);

/* A progress line on stderr, only if byw_cli_on_terminal(). It uses no colours, so NO_COLOR changes
 * nothing. */
struct byw_bar {
    bool on;
    double start, drawn; /* seconds of the monotonic clock */
    double total, asked; /* seconds of the whole run, estimated; fraction of the work done then */
    bool agrees; /* the last two estimates agree, so the time left is shown */
};

void byw_bar_begin(struct byw_bar *bar);
void byw_bar_draw(void *bar, const struct byw_job_progress *progress); /* for byw_job_options */
void byw_bar_end(struct byw_bar *bar);

#endif
