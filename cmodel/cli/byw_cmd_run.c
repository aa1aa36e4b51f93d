/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/byw_cli.h"
#include "cli/byw_ranges.h"
#include "study/byw_table.h"

enum { MAX_SETTINGS = 64 };

enum {
    OPT_MACHINE,
    OPT_POLICY,
    OPT_TRACE,
    OPT_WORKLOAD,
    OPT_JSON,
    OPT_SET,
    OPT_L1D,
    OPT_KERNELS,
    OPT_MAX,
    OPT_MAX_INSTS,
    OPT_WAVES,
    OPT_WAVES_SM,
    OPT_WAVES_AT,
    OPT_WAVES_CYCLES,
    OPT_HELP
};

static const struct byw_option options[] = {
    [OPT_MACHINE] = {"machine", 'm', "M", "name or .cfg file (default: fermi)"},
    [OPT_POLICY] = {"policy", 'p', "P", "name or .cfg file (default: bl)"},
    [OPT_TRACE] = {"trace", 't', "FILE",
                   "a .bwt trace, or an Accel-Sim trace: its folder,\n"
                   "kernelslist.g or one .traceg (plain, .xz, .zst)"},
    [OPT_WORKLOAD] = {"workload", 'w', "W", "a shipped trace (byway list workloads)"},
    [OPT_JSON] = {"json", 'o', "F", "write the result as JSON; - is stdout, without the summary"},
    [OPT_SET] = {"set", 's', "KEY=VALUE", "change one configuration key; may be repeated"},
    [OPT_L1D] = {"l1d", 0, "c|rtl", "which L1 data caches: the C model (default) or the RTL"},
    [OPT_KERNELS] = {"kernels", 'k', "LIST",
                     "only these launches of the trace, e.g. 3,7-9; the first is 0"},
    [OPT_MAX] = {"max-cycles", 0, "N", "stop after N cycles with a partial result"},
    [OPT_MAX_INSTS] = {"max-insts", 0, "N",
                       "stop after N warp instructions (or a little later) with a\npartial result"},
    [OPT_WAVES] = {"waves", 0, "F", "write an L1D's signals as waveforms, F.vcd or F.fst"},
    [OPT_WAVES_SM] = {"waves-sm", 0, "N", "of this SM (default: 0)"},
    [OPT_WAVES_AT] = {"waves-at", 0, "N", "from this cycle on (default: 0)"},
    [OPT_WAVES_CYCLES] = {"waves-cycles", 0, "N", "for so many cycles (default: 10000)"},
    [OPT_HELP] = {"help", 'h', NULL, "this text"},
};

enum { OPTION_COUNT = sizeof(options) / sizeof(options[0]) };

struct request {
    const char *machine, *policy, *trace, *workload, *json;
    const char *setting[MAX_SETTINGS];
    size_t setting_count;
    uint64_t max_cycles, max_insts;
    struct byw_launch_range kernels[BYW_RANGES_MAX];
    size_t kernel_ranges;
    bool rtl; /* the Verilated caches */
    struct byw_waves_window waves;
    uint64_t waves_sm;
    bool help;
};

static void help(void)
{
    puts("usage: byway run [--machine M] [--policy P] (--trace FILE | --workload W) [options]\n");
    byw_args_help(stdout, options, OPTION_COUNT);
}

static enum byw_status take_l1d(struct request *r, const char *value, struct byw_diag *diag)
{
    r->rtl = strcmp(value, "rtl") == 0;
    if (r->rtl || strcmp(value, "c") == 0)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EINVAL, "--l1d is '%s'; expected c or rtl", value);
}

static enum byw_status take(struct request *r, int which, const char *value, struct byw_diag *diag)
{
    switch (which) {
    case OPT_MACHINE:
        r->machine = value;
        break;
    case OPT_POLICY:
        r->policy = value;
        break;
    case OPT_TRACE:
        r->trace = value;
        break;
    case OPT_WORKLOAD:
        r->workload = value;
        break;
    case OPT_JSON:
        r->json = value;
        break;
    case OPT_SET:
        if (r->setting_count == MAX_SETTINGS)
            return byw_diag_set(diag, BYW_EINVAL, "--set: expected at most %d of them",
                                MAX_SETTINGS);
        r->setting[r->setting_count++] = value;
        break;
    case OPT_L1D:
        return take_l1d(r, value, diag);
    case OPT_KERNELS:
        return byw_cli_ranges("--kernels", value, r->kernels, &r->kernel_ranges, diag);
    case OPT_MAX_INSTS:
        return byw_cli_number("--max-insts", value, 1, 1000000000000000ULL, &r->max_insts, diag);
    case OPT_WAVES:
        r->waves.path = value;
        break;
    case OPT_WAVES_SM:
        return byw_cli_number("--waves-sm", value, 0, 511, &r->waves_sm, diag);
    case OPT_WAVES_AT:
        return byw_cli_number("--waves-at", value, 0, 1000000000000000ULL, &r->waves.first, diag);
    case OPT_WAVES_CYCLES:
        return byw_cli_number("--waves-cycles", value, 1, 1000000000ULL, &r->waves.cycles, diag);
    case OPT_MAX:
        return byw_cli_number("--max-cycles", value, 1, 1000000000000000ULL, &r->max_cycles, diag);
    case OPT_HELP:
        r->help = true;
        break;
    default:
        return byw_diag_set(diag, BYW_EINVAL, "unexpected word '%s'; expected options only", value);
    }
    return BYW_OK;
}

static enum byw_status parse(int argc, char **argv, struct request *r, struct byw_diag *diag)
{
    struct byw_args args = {
        .argv = argv, .argc = argc, .at = 1, .option = options, .option_count = OPTION_COUNT};
    const char *value;
    int which;

    while ((which = byw_args_next(&args, &value, diag)) != BYW_ARG_END) {
        enum byw_status st = which == BYW_ARG_ERROR ? BYW_EINVAL : take(r, which, value, diag);

        if (st != BYW_OK)
            return st;
    }
    if (!r->help && (r->trace == NULL) == (r->workload == NULL))
        return byw_diag_set(diag, BYW_EINVAL,
                            "expected one of --trace FILE and --workload W (byway list workloads)");
    return BYW_OK;
}

static int run(const struct request *r, const struct byw_job *job)
{
    struct byw_diag diag = {""};
    struct byw_waves_window waves = r->waves;
    struct byw_bar bar;
    struct byw_job_options how = {.progress = byw_bar_draw,
                                  .progress_ctx = &bar,
                                  .max_cycles = r->max_cycles,
                                  .max_instructions = r->max_insts,
                                  .launches = r->kernel_ranges != 0 ? r->kernels : NULL,
                                  .launch_ranges = r->kernel_ranges,
                                  .l1d = r->rtl ? byw_cli_rtl_l1d() : NULL,
                                  .waves = r->waves.path != NULL ? &waves : NULL,
                                  .stop = byw_cli_stop_flag()};
    json_t *result = NULL;
    enum byw_status st;
    bool interrupted;

    waves.sm = (uint32_t)r->waves_sm;
    byw_bar_begin(&bar);
    st = byw_job_run(job, &how, &result, &diag);
    byw_bar_end(&bar);
    if (st == BYW_OK && r->json != NULL)
        st = byw_json_write(result, r->json, &diag);
    if (st == BYW_OK && (r->json == NULL || strcmp(r->json, "-") != 0))
        byw_table_run(stdout, result);
    json_decref(result);
    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    interrupted = *how.stop != 0;
    if (interrupted)
        fputs("byway: interrupted; the result is partial\n", stderr);
    return interrupted ? BYW_EXIT_FAILED : BYW_EXIT_OK;
}

int byw_cmd_run(int argc, char **argv)
{
    struct request r = {.machine = "fermi", .policy = "bl", .waves.cycles = 10000};
    struct byw_diag diag = {""};
    struct byw_places places;
    struct byw_config config;
    char path[BYW_PATH_ROOM];
    char names[3][256];
    struct byw_job job = {.trace = path, .config = &config};
    enum byw_status st = parse(argc, argv, &r, &diag);

    if (st == BYW_OK && r.help) {
        help();
        return BYW_EXIT_OK;
    }
    if (st == BYW_OK && r.rtl && byw_cli_rtl_l1d() == NULL)
        st = byw_cli_start_rtl(argc, argv, &diag);
    if (st == BYW_OK)
        st = byw_places_find(&places, &diag);
    if (st == BYW_OK)
        st = byw_setup_config(&places, r.machine, r.policy, r.setting, r.setting_count, &config,
                              &diag);
    if (st == BYW_OK && r.workload != NULL)
        st = byw_places_trace(&places, r.workload, path, &diag);
    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    if (r.trace != NULL)
        job.trace = r.trace;
    byw_setup_name(r.trace != NULL ? r.trace : r.workload, names[0], sizeof(names[0]));
    byw_setup_name(r.machine, names[1], sizeof(names[1]));
    byw_setup_name(r.policy, names[2], sizeof(names[2]));
    job.workload = names[0];
    job.machine = names[1];
    job.policy = names[2];
    return run(&r, &job);
}
