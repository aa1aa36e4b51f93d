/* SPDX-License-Identifier: Apache-2.0
 *
 * reference.c - compares the simulator with recorded results of Accel-Sim, trace by trace.
 *
 * Usage: reference [FOLDER [TRACE [CONFIG]]]
 *
 * FOLDER holds accelsim/ and kernels/ with results.json and the traces (default: $BYWAY_REFERENCE).
 * Prints one line per (trace, configuration) that this model can express; then the latencies of
 * dependent loads, the effects of configuration changes, and one line per required bound, with pass
 * or FAIL. Bounds that Accel-Sim's stale fills (l1d.stale_fills) can affect are judged with and
 * without them. A row with cycles_low and cycles_high has a band of cycles; a run is judged by its
 * distance from the nearer end. Exit status 1 if an access count differs.
 *
 * Seconds are processor time (system time included) of both threads, of which one simulates and one
 * decodes, and of the busier one; the median of as many runs as take SHORT seconds, at least
 * REPEATS. They are measured twice: for runs that decode the text, and for runs that read what the
 * first run of a trace has cached (trace/file/byw_trace_kept.h), as `byway run` does. Accel-Sim's
 * are the recorded user seconds or, with $BYWAY_ACCELSIM, those of that command on this machine: it
 * is called as COMMAND TRACE CONFIG before our runs of a base configuration, and simulates one
 * trace.
 */
#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "common/byw_heap.h"
#include "reference_judge.h"
#include "sim/gpu/byw_gpu.h"
#include "study/job/byw_provenance.h"
#include "study/job/byw_setup.h"
#include "trace/file/byw_trace_ahead.h"
#include "trace/file/byw_trace_kept.h"

enum { REPEATS = 3, REPEATS_MAX = 15 };
#define MACHINE "fermi_gpgpusim"
#define SHORT 0.1

static const struct mapping mappings[] = {
    {"paper_x", NULL, "bl", {NULL}},
    {"BL", NULL, "bl", {NULL}},
    {"BALL128", "BL", "ball", {NULL}},
    {"BALL32", "BL", "ball", {"coalescer.segment_bytes=32"}},
    {"BLpi", "BL", "bl", {"icache.enable=off"}},
    {"BALL128pi", "BALL128", "ball", {"icache.enable=off"}},
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
    {"paper_x+noL1", "paper_x", "ball", {"coalescer.segment_bytes=32"}},
    {"paper_x+rop0", "paper_x", "bl", {"l2.rop_latency=10"}},
    {"paper_x+cu32", "paper_x", "bl", {"sm.collectors=32"}},
};

/* Differences that are understood. */
static const char *const notes[] = {
    "stores in order: a store meets a line whose fill is under way.  Accel-Sim, and byway with\n"
    "  l1d.stale_fills, let the fill install the line with the bytes from before the store; in\n"
    "  order, the line is given up and its next load misses.",
    "paper_x+merge1: with one request per MSHR almost every cycle is a retry; the order in which "
    "warps\n"
    "  get through decides.",
    "paper_x+simpledram: its DRAM counts no reads.",
};

static double seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
    qsort(v, n, sizeof(*v), by_size);
    return n % 2 != 0 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
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

/* merged_miss: loads merged into an outstanding fill count as misses, as in Accel-Sim with allocate
 * on fill, where they have no reserved line to hit. */
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

/* Result in *f; more: NULL, or a further setting. Returns false with a sentence on stderr on
 * failure. */
static bool simulate(const struct byw_places *places, const struct mapping *m, const char *path,
                     const char *more, struct figures *f)
{
    struct byw_config config;
    struct byw_gpu_options options = {.l1d = NULL};
    const char *setting[SETTINGS_MAX + 1];
    struct byw_gpu_result *result = NULL;
    struct byw_trace *trace = NULL;
    struct byw_diag diag = {""};
    size_t n = 0;

    for (; n < SETTINGS_MAX && m->setting[n] != NULL; n++)
        setting[n] = m->setting[n];
    if (more != NULL)
        setting[n++] = more;
    if (byw_setup_config(places, MACHINE, m->policy, setting, n, &config, &diag) != BYW_OK ||
        byw_trace_open(path, &trace, &diag) != BYW_OK ||
        byw_gpu_run(&config, trace = byw_trace_ahead(byw_trace_kept(trace, byw_provenance_build())),
                    &options, &result, &diag) != BYW_OK)
        fprintf(stderr, "reference: %s: %s\n", path, diag.text);
    byw_trace_close(trace);
    if (result != NULL)
        take_ours(result, config.l1d_alloc == BYW_ALLOC_ON_FILL, f);
    byw_gpu_result_free(result);
    return result != NULL;
}

/* Runs that read the cache named by `kept` (BYWAY_KEPT); false if one fails. */
static bool simulate_timed(const struct byw_places *places, const struct mapping *m,
                           const char *path, const char *kept, struct run *run, struct times *t)
{
    double both[REPEATS_MAX], busier[REPEATS_MAX], sum = 0;
    size_t n = 0;

    setenv("BYWAY_KEPT", kept, 1);
    while (n < REPEATS || (n < REPEATS_MAX && sum < SHORT)) {
        double all = seconds(CLOCK_PROCESS_CPUTIME_ID), mine = seconds(CLOCK_THREAD_CPUTIME_ID);

        if (!simulate(places, m, path, NULL, &run->here))
            return false;
        both[n] = seconds(CLOCK_PROCESS_CPUTIME_ID) - all;
        mine = seconds(CLOCK_THREAD_CPUTIME_ID) - mine;
        busier[n] = fmax(mine, both[n] - mine);
        sum += both[n++];
    }
    *t = (struct times){median(both, n), median(busier, n)};
    return true;
}

/* User seconds of Accel-Sim on this machine, or the recorded ones if it cannot be run. */
static double accelsim_seconds(const struct run *run)
{
    const char *command = getenv("BYWAY_ACCELSIM");
    char line[BYW_PATH_ROOM];
    struct rusage before, after;

    if (command == NULL || !is_base(run))
        return run->ref_user;
    snprintf(line, sizeof(line), "%s %s %s >/dev/null", command, run->trace, run->mapping->name);
    getrusage(RUSAGE_CHILDREN, &before);
    if (system(line) != 0) {
        fprintf(stderr, "reference: %s failed: the recorded seconds are taken\n", line);
        return run->ref_user;
    }
    getrusage(RUSAGE_CHILDREN, &after);
    return (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
           1e-6 * (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec);
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
    printf("%-12s %-18s %8s %8s %6s %8s %5s %6s %6s %6s %6s %6s %7s %5s %7s %5s %7s %5s\n", "trace",
           "configuration", "ref cyc", "cycles", "ratio", "ref acc", "diff", "miss%", "diff",
           "L2 rd", "DRAM", "ref s", "text s", "times", "kept s", "times", "1 s", "times");
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
    printf("%6.2f %7.4f %5.0f %7.4f %5.0f %7.4f %5.0f\n", run->ref_user, run->text.both,
           run->ref_user / run->text.both, run->kept.both, run->ref_user / run->kept.both,
           run->kept.busier, run->ref_user / run->kept.busier);
    if (run->ordered.cycles != run->here.cycles) {
        print_figures(run, "  stores in order", &run->ordered);
        printf("\n");
    }
    fflush(stdout);
}

static void run_row(const struct byw_places *places, const char *path, const char *kept,
                    const json_t *row, const struct mapping *m, struct table *t)
{
    struct run *run = &t->run[t->count];

    *run = (struct run){.mapping = m};
    take_reference(row, run);
    run->recorded = run->ref_user;
    run->ref_user = accelsim_seconds(run);
    if (!simulate_timed(places, m, path, "off", run, &run->text))
        return;
    setenv("BYWAY_KEPT", kept, 1);
    if (!simulate(places, m, path, NULL, &run->here) || /* fills the cache */
        !simulate_timed(places, m, path, kept, run, &run->kept))
        return;
    if (run->ref.accesses == 0)
        run->here.accesses = 0;
    run->ordered = run->here;
    if (is_base(run) && run->ref.accesses > 0 &&
        !simulate(places, m, path, "l1d.stale_fills=off", &run->ordered))
        return;
    t->count++;
    print_run(run);
}

static void run_folder(const struct byw_places *places, const char *folder, const char *part,
                       const char *kept, const char *trace, const char *config, struct table *t)
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
            run_row(places, path, kept, row, m, t);
    }
    json_decref(rows);
}

/* --- all of it ------------------------------------------------------------------------------ */

static void print_speed(const struct table *t)
{
    double text = 0, kept = 0, busier = 0, ref = 0, here = 0, recorded = 0, log_text = 0,
           log_kept = 0, log_busier = 0;
    size_t n = 0;

    for (size_t i = 0; i < t->count; i++) {
        const struct run *r = &t->run[i];

        ref += r->ref_user;
        text += r->text.both;
        kept += r->kept.both;
        busier += r->kept.busier;
        if (!is_base(r))
            continue;
        n++;
        here += r->ref_user;
        recorded += r->recorded;
        log_text += log(r->ref_user / r->text.both);
        log_kept += log(r->ref_user / r->kept.both);
        log_busier += log(r->ref_user / r->kept.busier);
    }
    if (n == 0)
        return;
    if (getenv("BYWAY_ACCELSIM") != NULL)
        printf("Accel-Sim here takes %.2f of the recorded seconds\n", here / recorded);
    printf("all %zu runs: %.1f s of Accel-Sim's user time; here %.2f s from text (%.0f times), "
           "%.2f s from what was kept (%.0f times), %.2f s of the busier thread (%.0f times)\n",
           t->count, ref, text, ref / text, kept, ref / kept, busier, ref / busier);
    printf(
        "geometric mean of the %zu base runs: %.0f times from text, %.0f from what was kept, %.0f "
        "by the busier thread\n",
        n, exp(log_text / (double)n), exp(log_kept / (double)n), exp(log_busier / (double)n));
}

static void conclude(const struct table *t)
{
    judge_effects(t);
    judge_latencies(t);
    judge_runs(t);
    print_speed(t);
    for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
        printf("%s\n", notes[i]);
}

/* Empties and removes the cache folder. */
static void remove_folder(const char *path)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;

    while (dir != NULL && (entry = readdir(dir)) != NULL)
        unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir != NULL)
        closedir(dir);
    rmdir(path);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : getenv("BYWAY_REFERENCE");
    const char *trace = argc > 2 ? argv[2] : NULL, *config = argc > 3 ? argv[3] : NULL;
    char kept[] = "/tmp/byway-reference-XXXXXX";
    struct byw_places places;
    struct byw_diag diag = {""};
    static struct table t;

    byw_heap_prepare();
    if (folder == NULL || access(folder, R_OK) != 0) {
        printf("reference: no recorded runs to compare with; BYWAY_REFERENCE names their folder: "
               "skipped\n");
        return 0;
    }
    if (byw_places_find(&places, &diag) != BYW_OK) {
        fprintf(stderr, "reference: %s\n", diag.text);
        return 2;
    }
    if (mkdtemp(kept) == NULL) {
        perror("reference: /tmp");
        return 2;
    }
    print_head();
    run_folder(&places, folder, "accelsim", kept, trace, config, &t);
    run_folder(&places, folder, "kernels", kept, trace, config, &t);
    remove_folder(kept);
    conclude(&t);
    for (size_t i = 0; i < t.count; i++) {
        if (t.run[i].here.accesses != t.run[i].ref.accesses && is_base(&t.run[i]))
            return 1;
    }
    return 0;
}
