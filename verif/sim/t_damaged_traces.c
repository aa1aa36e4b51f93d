/* SPDX-License-Identifier: Apache-2.0
 *
 * t_damaged_traces - `byway run` on damaged traces: every shipped machine, one to five threads,
 * sampled runs, chosen launches and text traces. A run must end with exit code 2 and one sentence
 * that names the file and the place; it must not crash, hang or print a result. If the run never
 * reads the damaged part, its result equals that of the sound trace.
 *
 * Usage: t_damaged_traces [SEED [CASES]]. Case N is the same for any CASES; a failure prints its
 * number, keeps the damaged file and prints the command that repeats it.
 */
#include <ftw.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/byw_rng.h"
#include "common/test.h"
#include "trace/bwt/byw_trace_bwt.h"
#include "trace/bwt/byw_trace_writer.h"
#include "trace/trace_files.h"

enum {
    RUN_SECONDS = 120, /* a run that takes longer counts as hung */
    BLOCKS_MOST = 4096,
    MACHINES_MOST = 64,
    OUTPUT_ROOM = 1 << 16,
    EXIT_INPUT = 2, /* wrong input: byw_cli.h */
};

/* Kinds of traces. */
enum { SHORT_CTAS, LONG_CTAS, BIG_BLOCKS, TEXT, TRACES };

static const char *byway; /* the command under test */
static uint64_t test_seed = 1;
static uint32_t test_cases = 120;
static char folder[] = "/tmp/t_damaged_traces-XXXXXX"; /* folder of this test's files */
static bool failed; /* a check failed, so the files are kept */
static glob_t machines;
static struct {
    char *path; /* the trace file passed to the command */
    char *file; /* the trace file that is damaged */
    uint8_t *data;
    size_t size;
    size_t offset[BLOCKS_MOST]; /* offsets of its blocks and of its end */
    size_t blocks;
} sound[TRACES];

static char *path_of(const char *name)
{
    char *path;

    assert_true(asprintf(&path, "%s/%s", folder, name) > 0);
    return path;
}

/* --- traces ------------------------------------------------------------------------------- */

static void add(struct byw_cta *cta, struct byw_rng *rng, uint32_t i)
{
    static const uint8_t cls[] = {BYW_CLASS_INT,         BYW_CLASS_FP,          BYW_CLASS_LOAD,
                                  BYW_CLASS_LOAD,        BYW_CLASS_STORE,       BYW_CLASS_ATOMIC,
                                  BYW_CLASS_SHARED_LOAD, BYW_CLASS_SHARED_STORE};
    enum byw_class what = (enum byw_class)cls[byw_rng_below(rng, 8)];
    struct byw_inst inst = {.count = 1,
                            .cls = (uint8_t)what,
                            .pc = 8 * (i % 64),
                            .mask = 0xffffffff,
                            .use = byw_rng_below(rng, 9),
                            .degree = 1};

    if (byw_class_is_memory(what)) {
        inst.width = 4;
        inst.form = BYW_FORM_STRIDE;
        inst.stride = 4;
        inst.base = 0x10000 + 256 * byw_rng_below(rng, 400);
    }
    if (what == BYW_CLASS_LOAD && byw_rng_below(rng, 8) == 0) {
        uint64_t *address = byw_cta_add_addr(cta, 32);

        inst.form = BYW_FORM_LIST;
        inst.list = cta->addr_count - 32;
        for (uint32_t lane = 0; lane < 32; lane++)
            address[lane] = 0x100000 + 4 * byw_rng_below(rng, 30000);
    }
    *byw_cta_add_inst(cta) = inst;
}

/* A CTA of two warps, each with random records, a barrier and an exit. */
static void fill(struct byw_cta *cta, struct byw_rng *rng, uint32_t id, uint32_t records)
{
    byw_cta_clear(cta);
    cta->id[0] = id;
    for (uint32_t w = 0; w < 2; w++) {
        byw_cta_add_warp(cta);
        for (uint32_t i = 0; i < records; i++)
            add(cta, rng, i);
        *byw_cta_add_inst(cta) = (struct byw_inst){
            .count = 1, .cls = BYW_CLASS_BARRIER, .mask = 0xffffffff, .degree = 1};
        *byw_cta_add_inst(cta) =
            (struct byw_inst){.count = 1, .cls = BYW_CLASS_EXIT, .mask = 0xffffffff, .degree = 1};
    }
}

/* parts: number of blocks per CTA; 0: as many CTAs per block as fit. */
static void write_trace(const char *path, uint32_t ctas, uint32_t records, uint32_t parts)
{
    struct byw_trace_writer *writer;
    struct byw_cta cta;
    struct byw_rng rng;

    byw_rng_init(&rng, 11);
    byw_cta_init(&cta);
    assert_int_equal(byw_trace_create(path, 1, &writer, NULL), BYW_OK);
    for (uint32_t launch = 0; launch < 3; launch++) {
        struct byw_kernel kernel = {.name = "k",
                                    .launch = launch,
                                    .code = launch % 2,
                                    .grid = {ctas, 1, 1},
                                    .block = {64, 1, 1},
                                    .warp_size = 32,
                                    .registers = 16};

        assert_int_equal(byw_trace_kernel(writer, &kernel, NULL), BYW_OK);
        for (uint32_t c = 0; c < ctas; c++) {
            fill(&cta, &rng, c, records);
            if (parts == 0)
                assert_int_equal(byw_trace_cta(writer, &cta, NULL), BYW_OK);
            for (uint32_t p = 0; p < parts; p++) {
                if (p != 0)
                    fill(&cta, &rng, c, records);
                assert_int_equal(byw_trace_cta_part(writer, &cta, 0, 2, p + 1 == parts, NULL),
                                 BYW_OK);
            }
        }
    }
    assert_int_equal(byw_trace_finish(writer, NULL), BYW_OK);
    byw_cta_release(&cta);
}

static void find_blocks(int kind)
{
    size_t at = BYW_BWT_HEADER_BYTES, n = 0;

    while (at < sound[kind].size) {
        struct byw_bwt_block block;

        assert_true(n + 1 < BLOCKS_MOST);
        sound[kind].offset[n++] = at;
        assert_true(byw_bwt_block_read(&block, sound[kind].data + at));
        at += BYW_BWT_BLOCK_BYTES + block.stored;
    }
    assert_int_equal(at, sound[kind].size);
    sound[kind].offset[n] = at;
    sound[kind].blocks = n;
}

/* --- runs --------------------------------------------------------------------------------- */

struct outcome {
    int status; /* exit status, as from waitpid() */
    char out[OUTPUT_ROOM], err[OUTPUT_ROOM];
};

static void read_back(const char *path, char text[OUTPUT_ROOM])
{
    size_t size;
    uint8_t *data = load(path, &size);

    if (size >= OUTPUT_ROOM)
        size = OUTPUT_ROOM - 1;
    memcpy(text, data, size);
    text[size] = '\0';
    free(data);
}

static void start(char *const argv[], struct outcome *result)
{
    char *out = path_of("out"), *err = path_of("err");
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        if (freopen(out, "w", stdout) == NULL || freopen(err, "w", stderr) == NULL)
            _exit(99);
        alarm(RUN_SECONDS);
        execv(byway, argv);
        _exit(98);
    }
    assert_int_equal(waitpid(pid, &result->status, 0), pid);
    read_back(out, result->out);
    read_back(err, result->err);
    free(out);
    free(err);
}

/* The options of one run. */
struct how {
    const char *machine, *threads, *extra[2]; /* extra: NULL: none */
    bool skips; /* it leaves parts of the trace unread */
};

static void run(const struct how *how, const char *trace, struct outcome *result)
{
    char *argv[] = {"byway",
                    "run",
                    "-s",
                    "sm.warp_lanes=32",
                    "-m",
                    (char *)how->machine,
                    "-t",
                    (char *)trace,
                    "-j",
                    (char *)how->threads,
                    (char *)how->extra[0],
                    (char *)how->extra[1],
                    NULL};

    start(argv, result);
}

/* --- damage ------------------------------------------------------------------------------- */

static size_t below(struct byw_rng *rng, size_t limit)
{
    return byw_rng_below(rng, (uint32_t)limit);
}

/* Changes the copy of a trace, which has room for twice its bytes; returns a description. */
static void damage(struct byw_rng *rng, int kind, uint8_t *copy, size_t *size, char what[96])
{
    const uint8_t *data = sound[kind].data;
    size_t at = below(rng, *size), block, length;

    switch (below(rng, sound[kind].blocks != 0 ? 6 : 3)) {
    case 0:
        *size = at;
        snprintf(what, 96, "cut to %zu bytes", at);
        return;
    case 1:
        copy[at] ^= (uint8_t)(1u << below(rng, 8));
        snprintf(what, 96, "a bit flipped in byte %zu", at);
        return;
    case 2:
        length = 1 + below(rng, 64);
        for (size_t i = at; i < at + length && i < *size; i++)
            copy[i] = (uint8_t)below(rng, 256);
        snprintf(what, 96, "%zu bytes from byte %zu at random", length, at);
        return;
    default:
        break;
    }
    block = below(rng, sound[kind].blocks - 1);
    at = sound[kind].offset[block];
    length = sound[kind].offset[block + 1] - at;
    switch (below(rng, 3)) {
    case 0:
        memcpy(copy + at, data + at + length, *size - at - length);
        *size -= length;
        snprintf(what, 96, "block %zu left out", block);
        break;
    case 1:
        memcpy(copy + at + length, data + at, *size - at);
        *size += length;
        snprintf(what, 96, "block %zu twice", block);
        break;
    default: {
        size_t next = sound[kind].offset[block + 2] - at - length;

        memcpy(copy + at, data + at + length, next);
        memcpy(copy + at + next, data + at, length);
        snprintf(what, 96, "blocks %zu and %zu exchanged", block, block + 1);
        break;
    }
    }
}

/* Compares two summaries except for the file name in the first line and the time in the last. */
static bool same_counters(const char *a, const char *b)
{
    const char *first = strchr(a, '\n'), *second = strchr(b, '\n');
    const char *end = strstr(a, "simulated in");

    return first != NULL && second != NULL && end != NULL && first < end &&
           strncmp(first, second, (size_t)(end - first)) == 0;
}

/* Describes how the outcome differs from what it must be; NULL: it does not. */
static const char *fault_of(const struct how *how, int kind, const char *file, bool same,
                            const struct outcome *bad)
{
    const struct outcome *r = bad;
    struct outcome *good;
    const char *fault = NULL;

    if (!WIFEXITED(r->status))
        return WTERMSIG(r->status) == SIGALRM ? "it hangs" : "it crashed";
    if (WEXITSTATUS(r->status) == 0 && strchr(r->out, '\n') == NULL)
        return "it printed no result";
    if (WEXITSTATUS(r->status) == 0) {
        if (same || kind == TEXT) /* damage may turn a digit of a text trace into another one */
            return NULL;
        if (!how->skips)
            return "the damage went unnoticed";
        good = malloc(sizeof(*good));
        assert_non_null(good);
        run(how, sound[kind].path, good);
        fault = same_counters(good->out, r->out) ? NULL : "another result without an error";
        free(good);
        return fault;
    }
    if (r->out[0] != '\0')
        return "it printed a result and failed";
    /* A text trace with other digits may describe a program that waits forever. */
    if (WEXITSTATUS(r->status) != EXIT_INPUT && !(kind == TEXT && WEXITSTATUS(r->status) == 1))
        return "the exit code is not 2";
    if (kind != TEXT && (strstr(r->err, file) == NULL ||
                         (strstr(r->err, "block ") == NULL && strstr(r->err, "byte ") == NULL)))
        return "the message does not name the file and the place";
    return NULL;
}

static void one_case(uint32_t number)
{
    static const struct {
        const char *text[2];
        bool skips;
    } extras[] = {{{NULL}, false},       {{NULL}, false},           {{"-p", "ball"}, false},
                  {{"-p", "pc"}, false}, {{"--sample", "8"}, true}, {{"-k", "1"}, true}};
    static const char *const threads[] = {"1", "1", "2", "5"};
    struct outcome *result = malloc(sizeof(*result));
    struct byw_rng rng;
    struct how how;
    const char *fault;
    char what[96], *damaged = path_of("damaged.bwt");
    const char *path, *file;
    size_t extra, size;
    uint8_t *copy;
    int kind;

    byw_rng_init(&rng, test_seed * 1000003 + number);
    kind = number % 11 == 10 ? TEXT : (int)below(&rng, TEXT);
    extra = below(&rng, sizeof(extras) / sizeof(extras[0]));
    how = (struct how){.machine = machines.gl_pathv[number % machines.gl_pathc],
                       .threads = threads[below(&rng, 4)],
                       .extra = {extras[extra].text[0], extras[extra].text[1]},
                       .skips = extras[extra].skips};
    size = sound[kind].size;
    copy = malloc(2 * size);
    assert_non_null(copy);
    assert_non_null(result);
    memcpy(copy, sound[kind].data, size);
    damage(&rng, kind, copy, &size, what);
    path = kind == TEXT ? sound[kind].path : damaged;
    file = kind == TEXT ? sound[kind].file : damaged;
    store(file, copy, size);
    run(&how, path, result);
    fault = fault_of(&how, kind, file,
                     size == sound[kind].size && memcmp(copy, sound[kind].data, size) == 0, result);
    failed = fault != NULL;
    if (failed)
        fail_msg("case %u: %s: %s of %s on %s, -j %s %s %s: exit %x, stderr: %.400s; the file is "
                 "kept: %s",
                 number, fault, what, path, how.machine, how.threads,
                 how.extra[0] != NULL ? how.extra[0] : "", how.extra[1] != NULL ? how.extra[1] : "",
                 (unsigned)result->status, result->err, file);
    if (kind == TEXT)
        store(file, sound[kind].data, sound[kind].size);
    free(damaged);
    free(copy);
    free(result);
}

/* --- tests -------------------------------------------------------------------------------- */

static void sound_traces_run(void **state)
{
    struct outcome *result = malloc(sizeof(*result));

    (void)state;
    assert_non_null(result);
    for (int kind = 0; kind < TRACES; kind++) {
        run(&(struct how){.machine = "fermi", .threads = "1"}, sound[kind].path, result);
        if (result->status != 0)
            fail_msg("%s: %s", sound[kind].path, result->err);
    }
    free(result);
}

static void damaged_trace_ends_the_run_with_a_message(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < test_cases; i++)
        one_case(i);
}

/* An error about a wrong checksum names the block, not only the byte. */
static void damaged_trace_names_the_block(void **state)
{
    struct outcome *result = malloc(sizeof(*result));
    size_t size = sound[BIG_BLOCKS].size, block = sound[BIG_BLOCKS].blocks / 2;
    size_t at = sound[BIG_BLOCKS].offset[block] + BYW_BWT_BLOCK_BYTES + 9;
    char place[32], *path = path_of("damaged.bwt");

    (void)state;
    assert_non_null(result);
    snprintf(place, sizeof(place), "block %zu: ", block);
    sound[BIG_BLOCKS].data[at] ^= 4;
    store(path, sound[BIG_BLOCKS].data, size);
    sound[BIG_BLOCKS].data[at] ^= 4;
    for (size_t m = 0; m < machines.gl_pathc; m++) {
        run(&(struct how){.machine = machines.gl_pathv[m], .threads = m % 2 == 0 ? "1" : "3"}, path,
            result);
        if (!WIFEXITED(result->status) || WEXITSTATUS(result->status) != EXIT_INPUT ||
            strstr(result->err, place) == NULL || strstr(result->err, "checksum") == NULL)
            fail_msg("%s: %x: %s", machines.gl_pathv[m], (unsigned)result->status, result->err);
    }
    free(path);
    free(result);
}

static int make_traces(void **state)
{
    static const char *const name[] = {"short.bwt", "long.bwt", "big.bwt", "text"};
    struct outcome *result = malloc(sizeof(*result));
    char *convert[] = {"byway", "trace", "convert", NULL, "--to", "accelsim", "-o", NULL, NULL};

    (void)state;
    if (result == NULL || mkdtemp(folder) == NULL)
        return 1;
    setenv("BYWAY_KEPT", "off", 1);
    for (int kind = 0; kind < TRACES; kind++) {
        sound[kind].path = path_of(name[kind]);
        sound[kind].file = path_of(kind == TEXT ? "text/kernel-2.traceg" : name[kind]);
    }
    write_trace(sound[SHORT_CTAS].path, 70, 24, 1);
    write_trace(sound[LONG_CTAS].path, 9, 40, 12);
    write_trace(sound[BIG_BLOCKS].path, 560, 60, 0);
    convert[3] = sound[SHORT_CTAS].path;
    convert[7] = sound[TEXT].path;
    start(convert, result);
    if (result->status != 0)
        print_error("%s\n", result->err);
    for (int kind = 0; kind < TRACES; kind++) {
        sound[kind].data = load(sound[kind].file, &sound[kind].size);
        if (kind != TEXT)
            find_blocks(kind);
    }
    free(result);
    return 0;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status;
    (void)kind;
    (void)at;
    return remove(path);
}

static int remove_traces(void **state)
{
    (void)state;
    for (int kind = 0; kind < TRACES; kind++) {
        free(sound[kind].path);
        free(sound[kind].file);
        free(sound[kind].data);
    }
    return failed ? 0 : nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_traces_run),
        cmocka_unit_test(damaged_trace_names_the_block),
        cmocka_unit_test(damaged_trace_ends_the_run_with_a_message),
    };

    if (argc > 1)
        test_seed = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        test_cases = (uint32_t)strtoul(argv[2], NULL, 0);
    byway = getenv("BYWAY") != NULL ? getenv("BYWAY") : "build/byway";
    if (glob("cmodel/configs/machines/*.cfg", 0, NULL, &machines) != 0)
        return 1;
    return cmocka_run_group_tests(tests, make_traces, remove_traces);
}
