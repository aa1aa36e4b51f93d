/* SPDX-License-Identifier: Apache-2.0
 *
 * reference.c - the simulator against recorded results of Accel-Sim, trace by trace.
 *
 * Usage: reference [-a] [FOLDER [TRACE [CONFIG]]]
 * FOLDER holds accelsim/ and kernels/ with results.json and the traces (default:
 * ../shared/reference, or $BYWAY_REFERENCE).  One line per (trace, configuration) that this model
 * can express; -a adds the configuration changes of accelsim/, without it only the base
 * configurations run.  The last lines say how many lie inside the bounds; the exit status is 1 if
 * an access count differs.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "sim/byw_gpu.h"
#include "study/byw_setup.h"
#include "trace/byw_trace_ahead.h"

/* Configurations of the reference as settings of ours. */
static const struct mapping {
    const char *name;
    const char *policy;
    const char *setting; /* NULL: the base machine */
    bool base;
} mappings[] = {
    {"paper_x", "bl", NULL, true},
    {"BL", "bl", NULL, true},
    {"BALL128", "ball", NULL, true},
    {"BLpi", "bl", "icache.enable=off", false},
    {"BALL128pi", "ball", "icache.enable=off", false},
    {"BLhash", "bl", "l1d.index=fermi", false},
    {"paper_x+hash", "bl", "l1d.index=fermi", false},
    {"paper_x+mshr64", "bl", "l1d.mshrs=64", false},
    {"paper_x+merge1", "bl", "l1d.mshr_merges=1", false},
    {"paper_x+mq64", "bl", "l1d.miss_queue=64", false},
    {"paper_x+lrr", "bl", "sm.scheduler=lrr", false},
    {"paper_x+fifodram", "bl", "dram.scheduler=fcfs", false},
    {"paper_x+perficache", "bl", "icache.enable=off", false},
    {"paper_x+rop0", "bl", "l2.rop_latency=10", false},
};

struct tally {
    unsigned runs, with_l1, accesses_equal, miss_3, cycles_10, cycles_25, faster_30;
    double worst_cycles, log_speed;
    double user, wall, ref_user;
};

static double user_seconds(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec + 1e-6 * (double)u.ru_utime.tv_usec;
}

static double wall_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double number(const json_t *object, const char *a, const char *b)
{
    const json_t *v = json_object_get(object, a);

    if (b != NULL)
        v = json_object_get(v, b);
    return json_is_number(v) ? json_number_value(v) : NAN;
}

static const struct mapping *find_mapping(const char *config, bool all)
{
    for (size_t i = 0; i < sizeof(mappings) / sizeof(mappings[0]); i++) {
        if (strcmp(mappings[i].name, config) == 0)
            return (all || mappings[i].base) ? &mappings[i] : NULL;
    }
    return NULL;
}

static struct byw_gpu_result *simulate(const struct byw_places *places, const struct mapping *m,
                                       const char *path, double *user, double *wall)
{
    struct byw_config config;
    struct byw_gpu_options options = {0};
    struct byw_gpu_result *result = NULL;
    struct byw_trace *trace = NULL;
    struct byw_diag diag = {""};
    const char *settings[1] = {m->setting};
    double start = user_seconds(), wall_start = wall_seconds();

    if (byw_setup_config(places, "fermi", m->policy, settings, m->setting != NULL, &config,
                         &diag) != BYW_OK ||
        byw_trace_open(path, &trace, &diag) != BYW_OK ||
        byw_gpu_run(&config, trace = byw_trace_ahead(trace), &options, &result, &diag) != BYW_OK)
        fprintf(stderr, "reference: %s: %s\n", path, diag.text);
    byw_trace_close(trace);
    *user = user_seconds() - start;
    *wall = wall_seconds() - wall_start;
    return result;
}

static void report(const json_t *run, const struct mapping *m, const struct byw_gpu_result *r,
                   double user, double wall, struct tally *t)
{
    const uint64_t *ev = r->l1.ev;
    double accesses = (double)(ev[BYW_EV_HIT] + ev[BYW_EV_HIT_PENDING] + ev[BYW_EV_MISS]);
    double ref_accesses = number(run, "l1d", "accesses"), ref_misses = number(run, "l1d", "misses");
    double ref_user = number(run, "user_seconds", NULL), ratio;
    double ref_dram = number(run, "dram", "read_atoms_64B");

    if (isnan(ref_user))
        ref_user = number(run, "simulator", "user_seconds");
    if (isnan(ref_dram))
        ref_dram = number(run, "dram", "reads_64B");
    ratio = (double)r->cycles / number(run, "cycles", NULL);
    t->runs++;
    t->cycles_10 += fabs(ratio - 1) <= 0.10;
    t->cycles_25 += fabs(ratio - 1) <= 0.25;
    t->faster_30 += ref_user / wall >= 50;
    t->user += user;
    t->wall += wall;
    t->ref_user += ref_user;
    if (fabs(ratio - 1) > t->worst_cycles)
        t->worst_cycles = fabs(ratio - 1);
    printf("%-14s %-18s %9.0f %9.0f %6.3f ", json_string_value(json_object_get(run, "trace")),
           m->name, number(run, "cycles", NULL), (double)r->cycles, ratio);
    if (ref_accesses > 0) {
        double miss = 100 * (double)ev[BYW_EV_MISS] / accesses;
        double ref_miss = 100 * ref_misses / ref_accesses;

        t->with_l1++;
        t->accesses_equal += accesses == ref_accesses;
        t->miss_3 += fabs(miss - ref_miss) <= 3;
        printf("%9.0f %+6.0f %6.1f %+6.1f ", ref_accesses, accesses - ref_accesses, ref_miss,
               miss - ref_miss);
    } else {
        printf("%9s %6s %6s %6s ", "-", "-", "-", "-");
    }
    printf("%7.3f %7.2f %8.3f %7.0f %8.3f %7.0f\n", (double)r->mem.dram_reads / ref_dram, ref_user,
           user, ref_user / user, wall, ref_user / wall);
    fflush(stdout);
}

static void run_folder(const struct byw_places *places, const char *folder, const char *part,
                       bool all, const char *trace, const char *config, struct tally *t)
{
    char path[BYW_PATH_ROOM];
    json_error_t error;
    json_t *runs;
    size_t i;
    const json_t *run;

    snprintf(path, sizeof(path), "%s/%s/results.json", folder, part);
    runs = json_load_file(path, 0, &error);
    if (runs == NULL) {
        fprintf(stderr, "reference: %s: %s\n", path, error.text);
        return;
    }
    json_array_foreach(runs, i, run)
    {
        const char *name = json_string_value(json_object_get(run, "trace"));
        const char *conf = json_string_value(json_object_get(run, "config"));
        const struct mapping *m = find_mapping(conf, all || config != NULL);
        struct byw_gpu_result *result;
        double user, wall;

        if (m == NULL || (trace != NULL && strcmp(trace, name) != 0) ||
            (config != NULL && strcmp(config, conf) != 0))
            continue;
        snprintf(path, sizeof(path), "%s/%s/%s/kernelslist.g", folder, part, name);
        if (access(path, R_OK) != 0)
            continue;
        result = simulate(places, m, path, &user, &wall);
        if (result != NULL)
            report(run, m, result, user, wall, t);
        byw_gpu_result_free(result);
    }
    json_decref(runs);
}

int main(int argc, char **argv)
{
    const char *folder = getenv("BYWAY_REFERENCE");
    struct byw_places places;
    struct byw_diag diag = {""};
    struct tally t = {0};
    bool all = argc > 1 && strcmp(argv[1], "-a") == 0;
    char **arg = argv + 1 + all;
    int args = argc - 1 - all;

    if (args > 0)
        folder = arg[0];
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
    printf("%-14s %-18s %9s %9s %6s %9s %6s %6s %6s %7s %7s %8s %7s\n", "trace", "configuration",
           "ref cyc", "cycles", "ratio", "ref acc", "diff", "miss%", "diff", "dram rd", "ref s",
           "s", "faster");
    run_folder(&places, folder, "accelsim", all, args > 1 ? arg[1] : NULL, args > 2 ? arg[2] : NULL,
               &t);
    run_folder(&places, folder, "kernels", all, args > 1 ? arg[1] : NULL, args > 2 ? arg[2] : NULL,
               &t);
    if (t.runs == 0)
        return 0;
    printf("%u runs: cycles within 10 %%: %u, within 25 %%: %u, worst %.0f %%; L1D accesses equal: "
           "%u of "
           "%u; miss rate within 3 points: %u; at least 30 times faster: %u; all together %.0f "
           "times\n",
           t.runs, t.cycles_10, t.cycles_25, 100 * t.worst_cycles, t.accesses_equal, t.with_l1,
           t.miss_3, t.faster_30, t.ref_user / t.user);
    return t.accesses_equal == t.with_l1 ? 0 : 1;
}
