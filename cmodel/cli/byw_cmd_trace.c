/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "cli/byw_cli.h"
#include "opencl/byw_capture.h"
#include "trace/byw_trace_convert.h"
#include "trace/byw_trace_info.h"

enum { OPT_OUT, OPT_WARP, OPT_TO, OPT_JSON, OPT_ROWS, OPT_HELP };

static const struct byw_option options[] = {
    [OPT_OUT] = {"output", 'o', "F", "capture, convert: the file or folder to write"},
    [OPT_WARP] = {"warp", 0, "32|64", "capture: lanes of a warp (default: 32)"},
    [OPT_TO] = {"to", 0, "FORMAT", "convert: format to write (default: bwt)"},
    [OPT_JSON] = {"json", 0, NULL, "info: print JSON, every launch"},
    [OPT_ROWS] = {"launches", 0, "N", "info: launches to list (default: 20; 0: all)"},
    [OPT_HELP] = {"help", 'h', NULL, "this text"},
};

enum { OPTION_COUNT = sizeof(options) / sizeof(options[0]) };

struct request {
    const char *action, *input, *out, *format;
    char **program; /* capture: what follows `--` */
    uint64_t warp, rows;
    bool json, help;
};

static void help(void)
{
    const char *const *format = byw_trace_convert_formats();

    puts("usage: byway trace capture -o F [--warp 32|64] -- CMD [ARGS]   run an OpenCL program\n"
         "       byway trace info FILE [--json]                          what a trace holds\n"
         "       byway trace check FILE                                  read it through\n"
         "       byway trace convert FILE --to FORMAT -o F               write another format\n");
    byw_args_help(stdout, options, OPTION_COUNT);
    fputs("\nformats:", stdout);
    for (; *format != NULL; format++)
        printf(" %s", *format);
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

static int info(const struct request *r)
{
    struct byw_diag diag = {""};
    struct byw_trace_info about;
    enum byw_status st = need("a trace", r->input, r, &diag);

    if (st == BYW_OK)
        st = byw_trace_info_read(r->input, &about, &diag);
    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    if (r->json)
        st = byw_trace_info_json(&about, stdout);
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
    const char *const *formats = byw_trace_convert_formats();
    const char *near;
    size_t n = 0;

    for (; formats[n] != NULL; n++)
        if (strcmp(formats[n], given) == 0)
            return BYW_OK;
    near = byw_nearest(given, formats, n);
    return byw_diag_set(diag, BYW_ENOENT, "unknown format '%s'; %s%s%s", given,
                        near != NULL ? "did you mean '" : "byway trace --help lists them",
                        near != NULL ? near : "", near != NULL ? "'?" : "");
}

static int convert(const struct request *r)
{
    struct byw_diag diag = {""};
    enum byw_status st = need("a trace", r->input, r, &diag);

    if (st == BYW_OK)
        st = need("-o F, what to write", r->out, r, &diag);
    if (st == BYW_OK)
        st = check_format(r->format, &diag);
    if (st == BYW_OK)
        st = byw_trace_convert(r->input, r->out, r->format, &diag);
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}

static const struct {
    const char *name;
    int (*main)(const struct request *r);
} actions[] = {{"capture", capture}, {"info", info}, {"check", check}, {"convert", convert}};

enum { ACTION_COUNT = sizeof(actions) / sizeof(actions[0]) };

int byw_cmd_trace(int argc, char **argv)
{
    struct request r = {.format = "bwt", .warp = 32, .rows = 20};
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
