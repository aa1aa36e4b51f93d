/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "cli/byw_cli.h"
#include "opencl/byw_capture.h"
#include "sim/byw_dram_trace.h"
#include "trace/byw_trace_convert.h"
#include "trace/byw_trace_info.h"

enum {
    OPT_OUT,
    OPT_WARP,
    OPT_TO,
    OPT_JSON,
    OPT_ROWS,
    OPT_SITES,
    OPT_SMS,
    OPT_SM,
    OPT_CTAS,
    OPT_MACHINE,
    OPT_POLICY,
    OPT_HELP
};

static const struct byw_option options[] = {
    [OPT_OUT] = {"output", 'o', "F", "capture, convert: the file or folder to write"},
    [OPT_WARP] = {"warp", 0, "32|64", "capture: lanes of a warp (default: 32)"},
    [OPT_TO] = {"to", 0, "FORMAT", "convert: format to write (default: bwt)"},
    [OPT_JSON] = {"json", 0, NULL, "info: print JSON, every launch"},
    [OPT_ROWS] = {"launches", 0, "N", "info: launches to list (default: 20; 0: all)"},
    [OPT_SITES] = {"sites", 0, NULL, "info: list the static accesses instead"},
    [OPT_SMS] = {"sms", 0, "N", "info, oracle: SMs that share the CTAs (default: 15)"},
    [OPT_CTAS] = {"ctas", 0, "N", "info, oracle: CTAs that share an SM (default: 8)"},
    [OPT_SM] = {"sm", 0, "N",
                "convert --to oracle: the SM whose requests are written (default: 0)"},
    [OPT_MACHINE] = {"machine", 'm', "M", "ramulator, dramsim: name or .cfg file (default: fermi)"},
    [OPT_POLICY] = {"policy", 'p', "P", "ramulator, dramsim: name or .cfg file (default: bl)"},
    [OPT_HELP] = {"help", 'h', NULL, "this text"},
};

enum { OPTION_COUNT = sizeof(options) / sizeof(options[0]), FORMATS_MAX = 16 };

struct request {
    const char *action, *input, *out, *format, *machine, *policy;
    char **program; /* capture: what follows `--` */
    uint64_t warp, rows, sms, sm, ctas;
    bool json, sites, help;
};

static size_t add_names(const char **names, size_t n, const char *const *more)
{
    while (*more != NULL && n < FORMATS_MAX)
        names[n++] = *more++;
    return n;
}

/* Everything that --to takes. */
static size_t format_names(const char *names[FORMATS_MAX])
{
    return add_names(names, add_names(names, 0, byw_trace_convert_formats()),
                     byw_dram_trace_formats());
}

static void help(void)
{
    const char *formats[FORMATS_MAX];
    size_t n = format_names(formats);

    puts("usage: byway trace capture -o F [--warp 32|64] -- CMD [ARGS]   run an OpenCL program\n"
         "       byway trace info FILE [--json | --sites]                what a trace holds\n"
         "       byway trace check FILE                                  read it through\n"
         "       byway trace convert FILE --to FORMAT -o F               write another format\n");
    byw_args_help(stdout, options, OPTION_COUNT);
    fputs("\nformats:", stdout);
    for (size_t i = 0; i < n; i++)
        printf(" %s", formats[i]);
    putchar('\n');
}

static enum byw_status take_word(struct request *r, const char *word, struct byw_diag *diag)
{
    if (r->action == NULL)
        r->action = word;
    else if (r->input == NULL)
        r->input = word;
    else
        return byw_diag_set(diag, BYW_EINVAL, "unexpected word '%s'; expected one trace", word);
    return BYW_OK;
}

static enum byw_status take(struct request *r, int which, const char *value, struct byw_diag *diag)
{
    switch (which) {
    case BYW_ARG_WORD:
        return take_word(r, value, diag);
    case OPT_OUT:
        r->out = value;
        break;
    case OPT_WARP:
        if (strcmp(value, "32") != 0 && strcmp(value, "64") != 0)
            return byw_diag_set(diag, BYW_EINVAL, "--warp is '%s'; expected 32 or 64", value);
        r->warp = value[0] == '3' ? 32 : 64;
        break;
    case OPT_TO:
        r->format = value;
        break;
    case OPT_JSON:
        r->json = true;
        break;
    case OPT_ROWS:
        return byw_cli_number("--launches", value, 0, UINT32_MAX, &r->rows, diag);
    case OPT_SITES:
        r->sites = true;
        break;
    case OPT_SMS:
        return byw_cli_number("--sms", value, 1, BYW_STREAM_SMS_MAX, &r->sms, diag);
    case OPT_SM:
        return byw_cli_number("--sm", value, 0, BYW_STREAM_SMS_MAX - 1, &r->sm, diag);
    case OPT_CTAS:
        return byw_cli_number("--ctas", value, 1, BYW_STREAM_CTAS_MAX, &r->ctas, diag);
    case OPT_MACHINE:
        r->machine = value;
        break;
    case OPT_POLICY:
        r->policy = value;
        break;
    case OPT_HELP:
        r->help = true;
        break;
    default:
        return BYW_EINVAL;
    }
    return BYW_OK;
}

static enum byw_status parse(int argc, char **argv, struct request *r, struct byw_diag *diag)
{
    struct byw_args args = {
        .argv = argv, .argc = argc, .at = 1, .option = options, .option_count = OPTION_COUNT};

    /* Of `capture` everything after `--` belongs to the program. */
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--") == 0) {
            r->program = argv + i + 1;
            args.argc = i;
            break;
        }
    while (true) {
        const char *value = NULL;
        int which = byw_args_next(&args, &value, diag);
        enum byw_status st;

        if (which == BYW_ARG_END)
            return BYW_OK;
        st = take(r, which, value, diag);
        if (st != BYW_OK)
            return st;
    }
}

static enum byw_status need(const char *what, const char *value, const struct request *r,
                            struct byw_diag *diag)
{
    if (value != NULL)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EINVAL, "trace %s: expected %s; --help tells more", r->action,
                        what);
}

static int capture(const struct request *r)
{
    struct byw_diag diag = {""};
    enum byw_status st = need("-o F, the trace to write", r->out, r, &diag);

    if (st == BYW_OK && (r->program == NULL || r->program[0] == NULL))
        st = need("-- and the program to run", NULL, r, &diag);
    if (st == BYW_OK && r->input != NULL)
        st = byw_diag_set(&diag, BYW_EINVAL,
                          "trace capture: unexpected word '%s'; expected -- "
                          "before the program",
                          r->input);
    if (st == BYW_OK)
        st = byw_capture_run(r->out, (unsigned)r->warp, r->program, &diag);
    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    if (diag.text[0] != '\0')
        fprintf(stderr, "byway: %s\n", diag.text);
    return BYW_EXIT_OK;
}

static struct byw_sm_stream_options streams_of(const struct request *r)
{
    return (struct byw_sm_stream_options){.sms = (uint32_t)r->sms, .ctas = (uint32_t)r->ctas};
}

static int info(const struct request *r)
{
    struct byw_diag diag = {""};
    struct byw_trace_info about;
    struct byw_sm_stream_options streams = streams_of(r);
    enum byw_status st = need("a trace", r->input, r, &diag);

    if (st == BYW_OK)
        st = byw_trace_info_read(r->input, &streams, &about, &diag);
    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    if (r->json)
        st = byw_trace_info_json(&about, stdout);
    else if (r->sites)
        byw_trace_info_print_sites(&about, stdout);
    else
        byw_trace_info_print(&about, (uint32_t)r->rows, stdout);
    byw_trace_info_release(&about);
    if (st == BYW_OK && (fflush(stdout) != 0 || ferror(stdout) != 0))
        st = byw_diag_set(&diag, BYW_EIO, "standard output: writing failed");
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}

static int check(const struct request *r)
{
    struct byw_diag diag = {""};
    struct byw_trace_counts total;
    enum byw_status st = need("a trace", r->input, r, &diag);

    if (st == BYW_OK)
        st = byw_trace_check(r->input, &total, &diag);
    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    printf("%s: sound; %" PRIu64 " CTAs, %" PRIu64 " warp instructions, %" PRIu64 " accesses\n",
           r->input, total.ctas, total.warp_instructions, total.accesses);
    return BYW_EXIT_OK;
}

static enum byw_status check_format(const char *given, struct byw_diag *diag)
{
    const char *formats[FORMATS_MAX], *near;
    size_t n = format_names(formats);

    for (size_t i = 0; i < n; i++)
        if (strcmp(formats[i], given) == 0)
            return BYW_OK;
    near = byw_nearest(given, formats, n);
    return byw_diag_set(diag, BYW_ENOENT, "unknown format '%s'; %s%s%s", given,
                        near != NULL ? "did you mean '" : "byway trace --help lists them",
                        near != NULL ? near : "", near != NULL ? "'?" : "");
}

static bool is_dram_format(const char *format)
{
    const char *const *known = byw_dram_trace_formats();

    while (*known != NULL && strcmp(*known, format) != 0)
        known++;
    return *known != NULL;
}

static void draw(void *bar, uint64_t cycles, uint64_t warp_instructions, uint32_t launches)
{
    const struct byw_job_progress progress = {
        .count = 1, .cycles = cycles, .warp_instructions = warp_instructions};

    (void)launches;
    byw_bar_draw(bar, &progress);
}

/* L2 misses exist only in a run. */
static enum byw_status convert_dram(const struct request *r, struct byw_diag *diag)
{
    struct byw_bar bar;
    struct byw_places places;
    struct byw_config config;
    const struct byw_dram_trace_options how = {
        .config = &config, .progress = draw, .progress_ctx = &bar, .stop = byw_cli_stop_flag()};
    enum byw_status st = byw_places_find(&places, diag);

    if (st == BYW_OK)
        st = byw_setup_config(&places, r->machine, r->policy, NULL, 0, &config, diag);
    if (st != BYW_OK)
        return st;
    byw_bar_begin(&bar);
    st = byw_dram_trace_write(r->input, r->out, r->format, &how, diag);
    byw_bar_end(&bar);
    return st;
}

static int convert(const struct request *r)
{
    const struct byw_trace_convert_options how = {{(uint32_t)r->sms, (uint32_t)r->ctas},
                                                  (uint32_t)r->sm};
    struct byw_diag diag = {""};
    enum byw_status st = need("a trace", r->input, r, &diag);

    if (st == BYW_OK)
        st = need("-o F, what to write", r->out, r, &diag);
    if (st == BYW_OK)
        st = check_format(r->format, &diag);
    if (st == BYW_OK && is_dram_format(r->format))
        st = convert_dram(r, &diag);
    else if (st == BYW_OK)
        st = byw_trace_convert(r->input, r->out, r->format, &how, &diag);
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}

static const struct {
    const char *name;
    int (*main)(const struct request *r);
} actions[] = {{"capture", capture}, {"info", info}, {"check", check}, {"convert", convert}};

enum { ACTION_COUNT = sizeof(actions) / sizeof(actions[0]) };

int byw_cmd_trace(int argc, char **argv)
{
    struct request r = {.format = "bwt",
                        .machine = "fermi",
                        .policy = "bl",
                        .warp = 32,
                        .rows = 20,
                        .sms = BYW_STREAM_SMS,
                        .ctas = BYW_STREAM_CTAS};
    const char *names[ACTION_COUNT];
    struct byw_diag diag = {""};
    const char *near;
    enum byw_status st = parse(argc, argv, &r, &diag);

    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    if (r.help || r.action == NULL) {
        help();
        return r.help ? BYW_EXIT_OK : BYW_EXIT_USAGE;
    }
    for (size_t i = 0; i < ACTION_COUNT; i++) {
        names[i] = actions[i].name;
        if (strcmp(r.action, names[i]) == 0)
            return actions[i].main(&r);
    }
    near = byw_nearest(r.action, names, ACTION_COUNT);
    byw_diag_set(&diag, BYW_EINVAL, "unknown action 'trace %s'; %s%s%s", r.action,
                 near != NULL ? "did you mean '" : "expected capture, info, check or convert",
                 near != NULL ? near : "", near != NULL ? "'?" : "");
    return byw_cli_fail(BYW_EINVAL, &diag);
}
