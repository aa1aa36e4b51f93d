/* SPDX-License-Identifier: Apache-2.0
 *
 * reference.c - the simulator against recorded results of Accel-Sim, trace by trace.
 *
 * Usage: reference [FOLDER [TRACE [CONFIG]]]
 * FOLDER holds accelsim/ and kernels/ with results.json and the traces (default:
 * ../shared/reference, or $BYWAY_REFERENCE).  One line per (trace, configuration) that this model
 * can express; then the latencies of dependent loads, the effects of configuration changes, and
 * one line per bound that the simulator is held to, with pass or FAIL; the bounds that Accel-Sim's
 * stale fills (stale_fill.h) can move are judged with and without them.  A row with cycles_low and
 * cycles_high has a band of cycles, from whose nearer end a run is judged.  The exit status is 1 if
 * an access count differs.  Seconds are the best of REPEATS runs: user time of both threads (one
 * simulates, one decodes the trace), and of the busier one, which is what a run takes on a machine
 * with a processor for each.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "reference_judge.h"
#include "sim/byw_gpu.h"
#include "stale_fill.h"
#include "study/byw_provenance.h"
#include "study/byw_setup.h"
#include "trace/byw_trace_ahead.h"
#include "trace/byw_trace_kept.h"

enum { REPEATS = 3, FOLLOWED = 2 };

/* Any number of bypassed loads in flight, as there. */
#define UNTRACKED "l1d.bypass_trackers=1024"

static const struct mapping mappings[] = {
    {"paper_x", NULL, "bl", {NULL}},
    {"BL", NULL, "bl", {NULL}},
    {"BALL128", "BL", "ball", {UNTRACKED}},
    {"BALL32", "BL", "ball", {UNTRACKED, "coalescer.segment_bytes=32"}},
    {"BLpi", "BL", "bl", {"icache.enable=off"}},
    {"BALL128pi", "BALL128", "ball", {UNTRACKED, "icache.enable=off"}},
    {"BLhash", "BL", "bl", {"l1d.index=fermi"}},
    {"paper_x+hash", "paper_x", "bl", {"l1d.index=fermi"}},
    {"paper_x+lat35", "paper_x", "bl", {"sm.load_latency=34"}},
    {"paper_x+mshr64", "paper_x", "bl", {"l1d.mshrs=64"}},
    {"paper_x+merge1", "paper_x", "bl", {"l1d.mshr_merges=1"}},
    {"paper_x+mq64", "paper_x", "bl", {"l1d.miss_queue=64"}},
    {"paper_x+onfill", "paper_x", "bl", {"l1d.allocate=on_fill", "l1d.store_hit=update"}},
    {"paper_x+lrr", "paper_x", "bl", {"sm.scheduler=lrr"}},
    {"paper_x+simpledram", "paper_x", "bl", {"dram.ideal=on"}},
    {"paper_x+fifodram", "paper_x", "bl", {"dram.scheduler=fcfs"}},
    {"paper_x+perficache", "paper_x", "bl", {"icache.enable=off"}},
    {"paper_x+noL1", "paper_x", "ball", {UNTRACKED, "coalescer.segment_bytes=32"}},
    {"paper_x+rop0", "paper_x", "bl", {"l2.rop_latency=10"}},
    {"paper_x+cu32", "paper_x", "bl", {"sm.collectors=32"}},
};

/* Differences that are understood. */
static const char *const notes[] = {
    "stale fills: a store meets a line whose fill is under way.  Accel-Sim lets the fill install "
    "the\n"
    "  line with the bytes from before the store (it carries no data, so nothing shows); here the\n"
    "  line is given up and its next load misses.",
    "paper_x+merge1: with one request per MSHR almost every cycle is a retry; the order in which "
    "warps\n"
    "  get through decides.",
    "paper_x+simpledram: its DRAM counts no reads.",
};

static double user_seconds(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec + 1e-6 * (double)u.ru_utime.tv_usec;
}

/* Of the calling thread. */
static double thread_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- running ------------------------------------------------------------------------------ */

static double number(const json_t *object, const char *a, const char *b)
{
    const json_t *v = json_object_get(object, a);

    if (b != NULL)
        v = json_object_get(v, b);
    return json_is_number(v) ? json_number_value(v) : NAN;
}

static double either(double a, double b)
{
    return isnan(a) ? b : a;
}

static const struct mapping *find_mapping(const char *config)
{
    for (size_t i = 0; i < sizeof(mappings) / sizeof(mappings[0]); i++) {
        if (strcmp(mappings[i].name, config) == 0)
            return &mappings[i];
    }
    return NULL;
}

/* merged_miss: loads merged into an outstanding fill count as misses, as they do in Accel-Sim with
 * allocate on fill, where there is no reserved line for them to hit. */
static void take_ours(const struct byw_gpu_result *r, bool merged_miss, struct figures *f)
{
    const uint64_t *ev = r->l1.ev;
    uint64_t misses = ev[BYW_EV_MISS] + (merged_miss ? ev[BYW_EV_HIT_PENDING] : 0);

    f->cycles = (double)r->cycles;
    f->accesses = (double)(ev[BYW_EV_HIT] + ev[BYW_EV_HIT_PENDING] + ev[BYW_EV_MISS]);
    f->miss = f->accesses > 0 ? 100 * (double)misses / f->accesses : 0;
    f->l2 = (double)(r->mem.l2.reads + r->mem.l2.atomics);
    f->dram = (double)r->mem.dram_reads;
}

/* With BYWAY_KEPT=FOLDER the second and third time of a trace read what the first has kept of it.
 */
static struct byw_trace *ahead(struct byw_trace *trace)
{
    if (getenv("BYWAY_KEPT") != NULL)
        trace = byw_trace_kept(trace, byw_provenance_build());
    return byw_trace_ahead(trace);
}

/* Into *f; l1d: NULL, or the L1D to take.  False with a sentence on stderr if it fails. */
static bool simulate(const struct byw_places *places, const struct mapping *m, const char *path,
                     const struct byw_l1d_ops *l1d, struct figures *f)
{
    struct byw_config config;
    struct byw_gpu_options options = {.l1d = l1d};
    struct byw_gpu_result *result = NULL;
    struct byw_trace *trace = NULL;
    struct byw_diag diag = {""};
    /* Fetches as there.  Its four branch units are not followed (REFERENCE.md). */
    const char *setting[FOLLOWED + SETTINGS_MAX] = {"icache.behind_last=on",
                                                    "icache.mshr_merges=32"};
    size_t n = 0, settings;

    while (n < SETTINGS_MAX && m->setting[n] != NULL) {
        setting[FOLLOWED + n] = m->setting[n];
        n++;
    }
    settings = FOLLOWED + n;
    if (byw_setup_config(places, "fermi", m->policy, setting, settings, &config, &diag) != BYW_OK ||
        byw_trace_open(path, &trace, &diag) != BYW_OK ||
        byw_gpu_run(&config, trace = ahead(trace), &options, &result, &diag) != BYW_OK)
        fprintf(stderr, "reference: %s: %s\n", path, diag.text);
    byw_trace_close(trace);
    if (result != NULL)
        take_ours(result, config.l1d_alloc == BYW_ALLOC_ON_FILL, f);
    byw_gpu_result_free(result);
    return result != NULL;
}

static bool simulate_timed(const struct byw_places *places, const struct mapping *m,
                           const char *path, struct run *run)
{
    double user = user_seconds(), mine = thread_seconds();
    bool done = simulate(places, m, path, NULL, &run->here);

    user = user_seconds() - user;
    mine = thread_seconds() - mine;
    run->user = fmin(run->user, user);
    run->busier = fmin(run->busier, fmax(mine, user - mine));
    return done;
}

static void take_reference(const json_t *row, struct run *run)
{
    double misses = number(row, "l1d", "misses");
    struct figures *ref = &run->ref;

    snprintf(run->trace, sizeof(run->trace), "%s",
             json_string_value(json_object_get(row, "trace")));
    ref->cycles = number(row, "cycles", NULL);
    run->low = either(number(row, "cycles_low", NULL), ref->cycles);
    run->high = either(number(row, "cycles_high", NULL), ref->cycles);
    ref->accesses = either(number(row, "l1d", "accesses"), 0);
    ref->miss = ref->accesses > 0 ? 100 * misses / ref->accesses : 0;
    ref->l2 = either(number(row, "l2", "data_reads"), number(row, "l2", "global_reads"));
    ref->dram = either(number(row, "dram", "read_atoms_64B"), number(row, "dram", "reads_64B"));
    run->ref_user =
        either(number(row, "user_seconds", NULL), number(row, "simulator", "user_seconds"));
}

static void print_head(void)
{
    printf("%-12s %-18s %8s %8s %6s %8s %5s %6s %6s %6s %6s %6s %7s %5s %7s %5s\n", "trace",
           "configuration", "ref cyc", "cycles", "ratio", "ref acc", "diff", "miss%", "diff",
           "L2 rd", "DRAM", "ref s", "both s", "times", "1 s", "times");
}

static void print_figures(const struct run *run, const char *name, const struct figures *f)
{
    const struct figures *ref = &run->ref;

    printf("%-12s %-18s %8.0f %8.0f %6.3f ", run->trace, name, ref->cycles, f->cycles,
           f->cycles / ref->cycles);
    if (ref->accesses > 0)
        printf("%8.0f %+5.0f %6.1f %+6.1f ", ref->accesses, f->accesses - ref->accesses, ref->miss,
               f->miss - ref->miss);
    else
        printf("%8s %5s %6s %6s ", "-", "-", "-", "-");
    printf("%6.3f ", f->l2 / ref->l2);
    if (ref->dram > 0)
        printf("%6.3f ", f->dram / ref->dram);
    else
        printf("%6s ", "-");
}

static void print_run(const struct run *run)
{
    print_figures(run, run->mapping->name, &run->here);
    printf("%6.2f %7.3f %5.0f %7.3f %5.0f\n", run->ref_user, run->user, run->ref_user / run->user,
           run->busier, run->ref_user / run->busier);
    if (run->stale.cycles != run->here.cycles) {
        print_figures(run, "  stale fills", &run->stale);
        printf("\n");
    }
    fflush(stdout);
}

static void run_row(const struct byw_places *places, const char *path, const json_t *row,
                    const struct mapping *m, struct table *t)
{
    static const struct byw_l1d_ops stale = STALE_FILL_OPS;
    struct run *run = &t->run[t->count];

    *run = (struct run){.mapping = m, .user = INFINITY, .busier = INFINITY};
    take_reference(row, run);
    for (int i = 0; i < REPEATS; i++) {
        if (!simulate_timed(places, m, path, run))
            return;
    }
    if (run->ref.accesses == 0)
        run->here.accesses = 0;
    run->stale = run->here;
    if (is_base(run) && run->ref.accesses > 0 && !simulate(places, m, path, &stale, &run->stale))
        return;
    t->count++;
    print_run(run);
}

static void run_folder(const struct byw_places *places, const char *folder, const char *part,
                       const char *trace, const char *config, struct table *t)
{
    char path[BYW_PATH_ROOM];
    json_error_t error;
    json_t *rows;
    size_t i;
    const json_t *row;

    snprintf(path, sizeof(path), "%s/%s/results.json", folder, part);
    rows = json_load_file(path, 0, &error);
    if (rows == NULL) {
        fprintf(stderr, "reference: %s: %s\n", path, error.text);
        return;
    }
    json_array_foreach(rows, i, row)
    {
        const char *name = json_string_value(json_object_get(row, "trace"));
        const char *conf = json_string_value(json_object_get(row, "config"));
        const struct mapping *m = find_mapping(conf);

        if (m == NULL || t->count == RUNS_MAX || (trace != NULL && strcmp(trace, name) != 0) ||
            (config != NULL && strcmp(config, conf) != 0))
            continue;
        snprintf(path, sizeof(path), "%s/%s/%s/kernelslist.g", folder, part, name);
        if (access(path, R_OK) == 0)
            run_row(places, path, row, m, t);
    }
    json_decref(rows);
}

/* --- all of it ------------------------------------------------------------------------------ */

static void conclude(const struct table *t)
{
    double user = 0, busier = 0, ref = 0;

    judge_effects(t);
    judge_latencies(t);
    judge_runs(t);
    for (size_t i = 0; i < t->count; i++) {
        user += t->run[i].user;
        busier += t->run[i].busier;
        ref += t->run[i].ref_user;
    }
    printf("all %zu runs: %.1f s of Accel-Sim's user time, %.2f s here (%.0f times), %.2f s "
           "of the busier thread (%.0f times)\n",
           t->count, ref, user, ref / user, busier, ref / busier);
    for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
        printf("%s\n", notes[i]);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : getenv("BYWAY_REFERENCE");
    const char *trace = argc > 2 ? argv[2] : NULL, *config = argc > 3 ? argv[3] : NULL;
    struct byw_places places;
    struct byw_diag diag = {""};
    static struct table t;

    if (folder == NULL)
        folder = "../shared/reference";
    if (access(folder, R_OK) != 0) {
        printf("reference: no folder %s, nothing to compare with: skipped\n", folder);
        return 0;
    }
    if (byw_places_find(&places, &diag) != BYW_OK) {
        fprintf(stderr, "reference: %s\n", diag.text);
        return 2;
    }
    print_head();
    run_folder(&places, folder, "accelsim", trace, config, &t);
    run_folder(&places, folder, "kernels", trace, config, &t);
    conclude(&t);
    for (size_t i = 0; i < t.count; i++) {
        if (t.run[i].here.accesses != t.run[i].ref.accesses && is_base(&t.run[i]))
            return 1;
    }
    return 0;
}
