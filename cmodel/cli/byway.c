/* SPDX-License-Identifier: Apache-2.0
 *
 * byway.c - the `byway` command: picks the subcommand.
 */
#include <stdbool.h>
#include <string.h>

#include "cli/byw_cli.h"
#include "common/byw_cache.h"
#include "common/byw_config.h"
#include "common/byw_heap.h"
#include "common/byw_text.h"
#include "common/byw_version.h"

struct command {
    const char *name;
    int (*main)(int argc, char **argv);
    const char *help;
};

static const struct command commands[] = {
    {"run", byw_cmd_run, "simulate one trace on one machine with one policy"},
    {"compare", byw_cmd_compare, "compare policies on workloads: table, JSON, HTML page"},
    {"sweep", byw_cmd_sweep,
     "run every combination of a grid; the same command resumes after interruption"},
    {"merge", byw_cmd_merge, "write the results of a sweep as one table: CSV, SQLite"},
    {"report", byw_cmd_report,
     "write the results of a sweep as a page: charts, and why policies differ"},
    {"diff", byw_cmd_diff, "show the differences between two results or two sweeps"},
    {"tune", byw_cmd_tune, "search for the best values of a policy's keys"},
    {"reproduce", byw_cmd_reproduce, "reproduce and judge the papers' claims and figures"},
    {"correlate", byw_cmd_correlate,
     "compare the simulator with counters of a real GPU (Nsight Compute)"},
    {"cost", byw_cmd_cost, "estimate area, energy and leakage of an SM's L1 at 45 nm"},
    {"oracle", byw_cmd_oracle,
     "measure how close a policy comes to the best possible with hindsight"},
    {"advise", byw_cmd_advise, "find the loads that should carry a cache hint, and the gain"},
    {"source", byw_cmd_source,
     "show what each line, PTX and machine instruction of a kernel waits for"},
    {"list", byw_cmd_list,
     "list machines, policies, mechanisms, workloads, papers, programs, claims, counters, configs"},
    {"trace", byw_cmd_trace, "capture, inspect, check and convert traces"},
    {"cache", byw_cmd_cache, "show or clear the cache of compiled kernels and decoded traces"},
    {"doctor", byw_cmd_doctor, "show what is installed, and what each missing part would enable"},
    {"nvcc", byw_cmd_nvcc, "run nvcc with the options that a capture needs"},
    {"ptxas", byw_cmd_ptxas, "replace ptxas, so that Triton's kernels can be captured"},
};

enum { COMMAND_COUNT = sizeof(commands) / sizeof(commands[0]) };

static void help(FILE *out)
{
    char name[32];

    fputs("byway - which data should a GPU's L1 data cache not cache?\n\n"
          "usage: byway COMMAND [options]     byway help COMMAND explains one\n\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        snprintf(name, sizeof(name), "  %s", commands[i].name);
        byw_text_beside(out, name, commands[i].help, 13);
    }
    byw_text_wrap(out,
                  "\n  --help, --version\n\n"
                  "Results are printed to stdout, progress and messages to stderr.  Exit codes: 0 "
                  "done; 1 a check or run failed, or a comparison has gaps; 2 bad usage or input, "
                  "or an output could not be written.",
                  0, "");
}

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

static int unknown(const char *word)
{
    const char *names[COMMAND_COUNT];
    const char *near;
    struct byw_diag diag;

    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    near = byw_nearest(word, names, COMMAND_COUNT);
    if (byw_cmd_trace_has(word))
        byw_diag_set(&diag, BYW_EINVAL, "unknown command '%s'; did you mean 'trace %s'?", word,
                     word);
    else
        byw_diag_set(&diag, BYW_EINVAL, "unknown command '%s'; %s%s%s", word,
                     near != NULL ? "did you mean '" : "expected one that byway --help lists",
                     near != NULL ? near : "", near != NULL ? "'?" : "");
    return byw_cli_fail(BYW_EINVAL, &diag);
}

/* The command that a link named byway-COMMAND stands for. Build systems that accept only one word
 * as a compiler need such links. NULL: not such a name. */
static const struct command *find_linked(const char *name)
{
    static const char prefix[] = "byway-";
    const char *slash = strrchr(name, '/');

    name = slash != NULL ? slash + 1 : name;
    return strncmp(name, prefix, strlen(prefix)) == 0 ? find(name + strlen(prefix)) : NULL;
}

static int byway(int argc, char **argv)
{
    struct byw_diag diag = {""};
    uint64_t limit;
    const struct command *command;
    char ask[] = "--help";

    command = argc > 0 ? find_linked(argv[0]) : NULL;
    if (command != NULL)
        return command->main(argc, argv);
    if (argc < 2) {
        help(stderr);
        return BYW_EXIT_USAGE;
    }
    if (strcmp(argv[1], "help") == 0 && argc > 2) {
        command = find(argv[2]);
        return command != NULL ? command->main(2, (char *[]){argv[2], ask, NULL})
                               : unknown(argv[2]);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        help(stdout);
        return BYW_EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("byway " BYW_VERSION " (%s)\n", byw_cli_commit());
        return BYW_EXIT_OK;
    }
    if (byw_cache_limit(&limit, &diag) != BYW_OK) /* any command may add to the cache */
        return byw_cli_fail(BYW_EINVAL, &diag);
    command = find(argv[1]);
    return command != NULL ? command->main(argc - 1, argv + 1) : unknown(argv[1]);
}

int main(int argc, char **argv)
{
    byw_heap_prepare();
    byw_cli_begin();
    return byw_cli_end(byway(argc, argv));
}
