/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "capture/byw_capture.h"
#include "cli/byw_cli.h"
#include "cli/byw_machine_list.h"
#include "cli/byw_pick.h"
#include "cli/byw_trace_page.h"
#include "common/byw_file.h"
#include "common/byw_text.h"
#include "sim/gpu/byw_dram_trace.h"
#include "trace/export/byw_trace_convert.h"
#include "trace/stats/byw_races.h"
#include "trace/stats/byw_trace_info.h"

#define ROWS_DEFAULT UINT64_MAX

enum { FORMATS_MAX = 16 };

struct request {
    const char *action, *input, *out, *format, *machine, *policy, *page;
    char **program; /* capture: what follows `--` */
    uint64_t warp, sms, sm, ctas, tracer, arch, rows;
    const char *launches;
    struct byw_capture_limits limits;
    bool races, json, sites, operations, help;
};

static size_t add_names(const char **names, size_t n, const char *const *more)
{
    while (*more != NULL && n < FORMATS_MAX)
        names[n++] = *more++;
    return n;
}

/* Names of all formats that --to accepts. */
static size_t format_names(const char *names[FORMATS_MAX])
{
    return add_names(names, add_names(names, 0, byw_trace_convert_formats()),
                     byw_dram_trace_formats());
}

/* Help of an option for one action.  Texts begin with the actions that have the option and a colon:
 * "info, convert --to oracle: ..." is "..." for info and "--to oracle: ..." for convert.  NULL: it
 * is not an option of this action. */
static const char *own_text(const char *text, const char *action)
{
    const size_t length = strcspn(text, ":");
    const char *at = memmem(text, length, action, strlen(action));

    if (text[length] == '\0')
        return text;
    if (at == NULL)
        return NULL;
    at += strlen(action);
    return *at == ' ' ? at + 1 : text + length + 2;
}

/* Prints the help of one action; false: there is no action of this name. */
static bool help_of(const char *action, const struct byw_option *options, size_t count)
{
    static const char *const usage[][2] = {
        {"capture",
         "-o F [options] -- CMD [ARGS]\n\nRuns an OpenCL or CUDA program and writes its "
         "trace.  Exit status: 0 the trace has all\nthat the options select; 1 the program "
         "or byway failed; 128 + N signal N."},
        {"info", "FILE [options]\n\nPrints what a trace contains."},
        {"check", "FILE\n\nReads a trace completely and checks it."},
        {"convert", "FILE --to FORMAT -o F [options]\n\nWrites another format."},
        {"machine", "FILE [options]\n\nPrints the machine code that NVIDIA's assembler makes of a "
                    ".ptx, or that a .cubin\nhas."}};
    struct byw_option own[32];
    size_t n = 0, a = 0;

    while (a < sizeof(usage) / sizeof(usage[0]) && strcmp(usage[a][0], action) != 0)
        a++;
    if (a == sizeof(usage) / sizeof(usage[0]))
        return false;
    for (size_t i = 0; i < count && n < sizeof(own) / sizeof(own[0]); i++)
        if (own_text(options[i].help, action) != NULL) {
            own[n] = options[i];
            own[n++].help = own_text(options[i].help, action);
        }
    printf("usage: byway trace %s %s\n\n", action, usage[a][1]);
    byw_args_help(stdout, own, n);
    return true;
}

static void help(const struct byw_option *options, size_t count)
{
    const char *formats[FORMATS_MAX];
    size_t n = format_names(formats);

    puts("usage: byway trace capture -o F [--warp 32|64] -- CMD [ARGS]\n"
         "                                                     run an OpenCL or CUDA\n"
         "                                                     program\n"
         "       byway trace info FILE [--json | --sites]      what a trace contains\n"
         "       byway trace check FILE                        read and check all of it\n"
         "       byway trace convert FILE --to FORMAT -o F     write another format\n"
         "       byway trace machine FILE [--arch N]           machine code that ptxas\n"
         "                                                     makes of a .ptx, or that\n"
         "                                                     a .cubin contains\n");
    byw_args_help(stdout, options, count);
    fputs("\nformats:", stdout);
    for (size_t i = 0; i < n; i++)
        printf(" %s", formats[i]);
    byw_text_wrap(
        stdout,
        "\n\ncapture runs OpenCL 3.0 programs: OpenCL C 1.2, or 2.0 and 3.0 with C11 "
        "atomics, collective functions, sub-groups (warps), shuffles and SVM buffers; "
        "warp-synchronous code; work-groups that wait for each other.  CUDA programs with "
        "PTX in them: compile them with byway nvcc (cmodel/doc/cuda.md).  Environment "
        "(cmodel/capture/CAPTURE.md has all):\n"
        "  BYWAY_BOUNDS=warn   reads out of bounds return zeros and are counted\n"
        "  BYWAY_RESIDENT=N    work-groups that may wait for each other\n"
        "  BYWAY_STEPS=N       loop iterations after which a work-item counts as endless\n"
        "  BYWAY_DEVICE=\"name=X;vendor=Y;memory=16G\"\n"
        "                      what the device reports about itself\n"
        "\nLaunches that are not selected run untraced.  Exit status of capture: 0 the trace "
        "contains all that the options select; 1 the program crashed or was killed; 2 bad usage; "
        "128 + N byway received signal N (130: Ctrl-C).  After 1 and 128 + N the trace contains "
        "the finished launches.",
        0, "");
}

static enum byw_status take_warp(const char *value, void *warp, struct byw_diag *diag)
{
    if (strcmp(value, "32") != 0 && strcmp(value, "64") != 0)
        return byw_diag_set(diag, BYW_EINVAL, "--warp is '%s'; expected 32 or 64", value);
    *(uint64_t *)warp = value[0] == '3' ? 32 : 64;
    return BYW_OK;
}

/* Refuses an option of another action, or of another format of convert. */
static enum byw_status check_option(const struct byw_option *option, const struct request *r,
                                    struct byw_diag *diag)
{
    static const char only[] = "--to ";
    const char *own = own_text(option->help, r->action);
    size_t length;

    if (own == NULL)
        return byw_diag_set(diag, BYW_EINVAL,
                            "trace %s has no option --%s; byway trace %s --help lists its options",
                            r->action, option->name, r->action);
    if (strncmp(own, only, sizeof(only) - 1) != 0)
        return BYW_OK;
    own += sizeof(only) - 1;
    length = strcspn(own, ":");
    if (memmem(own, length, r->format, strlen(r->format)) != NULL)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EINVAL, "--%s has no effect with --to %s; expected --to %.*s",
                        option->name, r->format, (int)length, own);
}

static enum byw_status check_options(const struct byw_option *options, size_t count,
                                     const struct request *r, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < count; i++)
        if (*options[i].given)
            st = check_option(&options[i], r, diag);
    if (st == BYW_OK && r->json && r->sites)
        st = byw_diag_set(diag, BYW_EINVAL, "--json and --sites: expected one of them");
    return st;
}

static enum byw_status parse(int argc, char **argv, struct request *r, struct byw_diag *diag)
{
    struct byw_option options[] = {
        {"output", 'o', "F", "capture, convert: the file or folder to write", .text = &r->out,
         .file = BYW_FILE_TRACE},
        {"warp", 0, "32|64", "capture: lanes of a warp (default: 32)", .take = take_warp,
         .into = &r->warp},
        {"to", 0, "FORMAT", "convert: format to write (default: bwt)", .text = &r->format},
        {"launches", 0, "LIST",
         "capture, info: launches to keep or list, counted from 1: 3,7-9,20-",
         .text = &r->launches},
        {"kernels", 'k', "REGEX",
         "capture, info, machine: kernels whose symbol or C++ name contains a match of this "
         "extended regular expression",
         .text = &r->limits.bounds.kernels},
        {"rows", 0, "N",
         "info: launches to print, 0 for all (default: 20, or all that --launches and --kernels "
         "choose)",
         .number = &r->rows, .highest = UINT32_MAX},
        {"instructions", 0, "N",
         "capture: end the trace with the work-group that\n"
         "reaches N warp instructions; the program continues",
         .number = &r->limits.bounds.instructions, .lowest = 1, .highest = UINT64_MAX},
        {"time", 0, "S", "capture: end the program after S seconds and keep the finished launches",
         .number = &r->limits.seconds, .lowest = 1, .highest = 31536000},
        {"races", 0, NULL,
         "capture: print hazards in scratchpad and global memory\nbetween two barriers; exit "
         "status 1 "
         "if there are any",
         .flag = &r->races},
        {"json", 0, NULL, "info: print JSON with every launch", .flag = &r->json},
        {"sites", 0, NULL, "info: list the static accesses instead", .flag = &r->sites},
        {"sms", 0, "N", "info, convert --to oracle: SMs that share the CTAs (default: 15)",
         .number = &r->sms, .lowest = 1, .highest = BYW_STREAM_SMS_MAX},
        {"sm", 0, "N", "convert --to oracle: the SM whose requests are written (default: 0)",
         .number = &r->sm, .highest = BYW_STREAM_SMS_MAX - 1},
        {"tracer", 0, "N", "convert --to accelsim: tracer version, 3 to 5 (default: 5)",
         .number = &r->tracer, .lowest = BYW_TRACEG_OLDEST, .highest = BYW_TRACEG_NEWEST},
        {"ctas", 0, "N", "info, convert --to oracle: CTAs that share an SM (default: 8)",
         .number = &r->ctas, .lowest = 1, .highest = BYW_STREAM_CTAS_MAX},
        {"machine", 'm', "M",
         "convert --to ramulator, dramsim: name or .cfg file (default: " BYW_OWN_MACHINE ")",
         .text = &r->machine, .file = BYW_FILE_READ},
        {"policy", 'p', "P", "convert --to ramulator, dramsim: name or .cfg file (default: bl)",
         .text = &r->policy, .file = BYW_FILE_READ},
        {"arch", 0, "N", "machine: compute capability to assemble for, 80 to 90 (default: 90)",
         .number = &r->arch, .lowest = 80, .highest = 90},
        {"html", 0, "F",
         "info, machine: write a page; with machine, source, PTX and machine code side by side",
         .text = &r->page, .file = BYW_FILE_WRITTEN},
        {"operations", 0, NULL,
         "machine: print what the assembler makes of each PTX operation; takes no file",
         .flag = &r->operations},
        {"help", 'h', NULL, "this text", .flag = &r->help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    bool given[sizeof(options) / sizeof(options[0])];
    struct byw_texts words = {.plain = 1};
    enum byw_status st;

    for (size_t i = 0; i < count; i++)
        options[i].given = &given[i];
    st = byw_args_parse(options, count, argc, argv, &words, 2, &r->program, diag);
    r->action = words.count > 0 ? words.text[0] : NULL;
    r->input = words.count > 1 ? words.text[1] : NULL;
    if (st == BYW_OK && (r->help || r->action == NULL) &&
        (r->action == NULL || !help_of(r->action, options, count)))
        help(options, count);
    if (st == BYW_OK && !r->help && r->action != NULL && byw_cmd_trace_has(r->action))
        st = check_options(options, count, r, diag);
    return st;
}

static enum byw_status need(const char *what, const char *value, const struct request *r,
                            struct byw_diag *diag)
{
    if (value != NULL)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EINVAL, "trace %s: expected %s; --help tells more", r->action,
                        what);
}

/* Checks --launches, --kernels and --instructions before the program is started. */
static enum byw_status check_bounds(const struct byw_bounds_request *request, struct byw_diag *diag)
{
    struct byw_bounds *bounds;
    enum byw_status st = byw_bounds_create(request, &bounds, diag);

    if (st == BYW_OK)
        byw_bounds_free(bounds);
    return st;
}

/* Prints the races in a trace. */
static int report_races(const char *path)
{
    struct byw_diag diag = {""};
    unsigned races, unjudged;
    enum byw_status st = byw_races_print(path, stderr, &races, &unjudged, &diag);

    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    if (unjudged != 0)
        fprintf(stderr,
                "byway: %u launches are not checked: their atomics, volatile accesses or partial "
                "barriers may order other accesses\n",
                unjudged);
    fprintf(stderr, "byway: %u races in scratchpad and global memory\n", races);
    return races == 0 ? BYW_EXIT_OK : BYW_EXIT_FAILED;
}

static int capture(const struct request *r)
{
    struct byw_diag diag = {""};
    struct byw_capture_limits limits = r->limits;
    enum byw_status st = need("-o F, the trace to write", r->out, r, &diag);

    if (st == BYW_OK && strcmp(r->out, "-") == 0)
        st = byw_diag_set(&diag, BYW_EINVAL,
                          "trace capture: --output is '-', but the program writes to standard "
                          "output; expected a file");
    if (st == BYW_OK && (r->program == NULL || r->program[0] == NULL))
        st = need("-- and the program to run", NULL, r, &diag);
    if (st == BYW_OK && r->input != NULL)
        st = byw_diag_set(&diag, BYW_EINVAL,
                          "trace capture: unexpected word '%s'; expected -- "
                          "before the program",
                          r->input);
    limits.bounds.launches = r->launches;
    if (st == BYW_OK)
        st = check_bounds(&limits.bounds, &diag);
    if (st == BYW_OK)
        st = byw_capture_run_limited(r->out, (unsigned)r->warp, &limits, r->program, &diag);
    if (st != BYW_OK) {
        int code = byw_cli_fail(st, &diag);

        return limits.signal != 0 ? 128 + limits.signal : code;
    }
    if (diag.text[0] != '\0')
        fprintf(stderr, "byway: %s\n", diag.text);
    return r->races ? report_races(r->out) : BYW_EXIT_OK;
}

static struct byw_sm_stream_options streams_of(const struct request *r)
{
    return (struct byw_sm_stream_options){.sms = (uint32_t)r->sms, .ctas = (uint32_t)r->ctas};
}

/* page: NULL, or the file of --html, which is committed. */
static enum byw_status print_info(const struct request *r, const struct byw_trace_info *about,
                                  const struct byw_trace_shown *shown, struct byw_file *page,
                                  struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    if (page != NULL) {
        byw_trace_page(byw_file_stream(page), about, shown);
        st = byw_file_commit(page, diag);
    }
    if (st != BYW_OK || (r->page != NULL && strcmp(r->page, "-") == 0))
        return st;
    if (r->json)
        st = byw_trace_info_json(about, shown, stdout);
    else if (r->sites)
        byw_trace_info_print_sites(about, shown, stdout);
    else
        byw_trace_info_print(about, shown, stdout);
    return st == BYW_EIO ? byw_diag_set(diag, st, "standard output: writing failed") : st;
}

/* BYW_EINVAL if --launches and --kernels select no launch. */
static enum byw_status check_shown(const struct byw_trace_info *about,
                                   const struct byw_trace_shown *shown, struct byw_diag *diag)
{
    for (uint32_t i = 0; i < about->launch_count; i++)
        if (byw_shows_launch(shown, &about->launch[i].kernel))
            return BYW_OK;
    return byw_diag_set(diag, BYW_EINVAL,
                        "--launches and --kernels select none of the trace's launches; byway "
                        "trace info without them lists all %u",
                        about->launch_count);
}

static int info(const struct request *r)
{
    struct byw_diag diag = {""};
    struct byw_trace_info about;
    struct byw_sm_stream_options streams = streams_of(r);
    struct byw_cli_pick pick = {.kernels = NULL};
    struct byw_trace_shown shown;
    struct byw_file *page = NULL;
    enum byw_status st = need("a trace", r->input, r, &diag);

    if (st == BYW_OK && r->launches != NULL)
        st = byw_cli_take_launches(r->launches, &pick, &diag);
    if (st == BYW_OK && r->limits.bounds.kernels != NULL)
        st = byw_cli_take_kernels(r->limits.bounds.kernels, &pick, &diag);
    if (st == BYW_OK && r->page != NULL)
        st = byw_file_create(r->page, &page, &diag);
    if (st == BYW_OK)
        st = byw_trace_info_read(r->input, &streams, &about, &diag);
    if (st != BYW_OK) {
        byw_file_discard(page);
        byw_cli_pick_release(&pick);
        return byw_cli_fail(st, &diag);
    }
    shown = (struct byw_trace_shown){
        .rows = (uint32_t)r->rows, .launches = &pick.launches, .kernels = pick.kernels};
    if (r->rows == ROWS_DEFAULT)
        shown.rows = byw_cli_pick_any(&pick) ? 0 : 20;
    if (byw_cli_pick_any(&pick))
        st = check_shown(&about, &shown, &diag);
    if (st == BYW_OK)
        st = print_info(r, &about, &shown, page, &diag);
    else
        byw_file_discard(page);
    byw_trace_info_release(&about);
    byw_cli_pick_release(&pick);
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}

static int check(const struct request *r)
{
    struct byw_diag diag = {""};
    struct byw_trace_counts total;
    char name[BYW_PATH_ROOM];
    enum byw_status st = need("a trace", r->input, r, &diag);

    if (st == BYW_OK)
        st = byw_trace_check(r->input, &total, &diag);
    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    byw_text_printable(r->input, name, sizeof(name));
    printf("%s: sound; %" PRIu64 " CTAs, %" PRIu64 " warp instructions, %" PRIu64 " accesses\n",
           name, total.ctas, total.warp_instructions, total.accesses);
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

/* Converts to a trace of DRAM requests, which needs a simulation. */
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
    const struct byw_trace_convert_options how = {
        {(uint32_t)r->sms, (uint32_t)r->ctas}, (uint32_t)r->sm, (uint32_t)r->tracer};
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

static int machine(const struct request *r)
{
    struct byw_diag diag = {""};
    enum byw_status st =
        r->operations ? BYW_OK : need("a .ptx or .cubin file, or --operations", r->input, r, &diag);

    if (st == BYW_OK && r->operations)
        st = byw_machine_operations((uint32_t)r->arch, &diag);
    else if (st == BYW_OK)
        st =
            byw_machine_list(r->input, (uint32_t)r->arch, r->limits.bounds.kernels, r->page, &diag);
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}

static const struct {
    const char *name;
    int (*main)(const struct request *r);
} actions[] = {{"capture", capture},
               {"info", info},
               {"check", check},
               {"convert", convert},
               {"machine", machine}};

enum { ACTION_COUNT = sizeof(actions) / sizeof(actions[0]) };

bool byw_cmd_trace_has(const char *word)
{
    for (size_t i = 0; i < ACTION_COUNT; i++)
        if (strcmp(word, actions[i].name) == 0)
            return true;
    return false;
}

int byw_cmd_trace(int argc, char **argv)
{
    struct request r = {.format = "bwt",
                        .machine = BYW_OWN_MACHINE,
                        .policy = "bl",
                        .warp = 32,
                        .sms = BYW_STREAM_SMS,
                        .ctas = BYW_STREAM_CTAS,
                        .arch = 90,
                        .rows = ROWS_DEFAULT};
    const char *names[ACTION_COUNT];
    struct byw_diag diag = {""};
    const char *near;
    enum byw_status st = parse(argc, argv, &r, &diag);

    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    if (r.help || r.action == NULL)
        return r.help ? BYW_EXIT_OK : BYW_EXIT_USAGE;
    for (size_t i = 0; i < ACTION_COUNT; i++) {
        names[i] = actions[i].name;
        if (strcmp(r.action, names[i]) == 0)
            return actions[i].main(&r);
    }
    near = byw_nearest(r.action, names, ACTION_COUNT);
    byw_diag_set(&diag, BYW_EINVAL, "unknown action 'trace %s'; %s%s%s", r.action,
                 near != NULL ? "did you mean '"
                              : "expected capture, info, check, convert or machine",
                 near != NULL ? near : "", near != NULL ? "'?" : "");
    return byw_cli_fail(BYW_EINVAL, &diag);
}
