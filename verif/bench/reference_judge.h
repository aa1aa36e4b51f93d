/* SPDX-License-Identifier: Apache-2.0
 *
 * reference_judge.h - compares the measurements of reference.c with the recorded ones: one line per
 * bound, with pass or FAIL and the runs that exceed it.
 */
#ifndef REFERENCE_JUDGE_H
#define REFERENCE_JUDGE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { RUNS_MAX = 256, SETTINGS_MAX = 3, STARTUP_CYCLES = 500, PROBE_LOADS = 2000 };

/* Configurations of the reference as our settings, and the base that each one changes. */
struct mapping {
    const char *name;
    const char *base; /* NULL: none */
    const char *policy;
    const char *setting[SETTINGS_MAX];
};

/* Counters of a run. */
struct figures {
    double cycles, accesses; /* accesses of the L1D */
    double miss; /* percent */
    double l2, dram; /* reads of the L2 and of DRAM */
};

/* Seconds of both threads together and of the busier one. */
struct times {
    double both, busier;
};

struct run {
    char trace[48];
    const struct mapping *mapping;
    struct figures ref; /* accesses 0: it has no L1D; NAN: not recorded */
    struct figures here;
    struct figures ordered; /* as `here`, without stale fills; equal to it without an L1D */
    double low, high; /* the band of recorded cycles; both ref.cycles where none is recorded */
    double ref_user, recorded; /* Accel-Sim's user seconds: measured here, or recorded */
    struct times text, kept; /* times of runs that read text, and that read the cache */
};

struct table {
    struct run run[RUNS_MAX];
    size_t count;
};

static inline bool is_base(const struct run *run)
{
    return run->mapping->base == NULL || strcmp(run->mapping->name, "BALL128") == 0;
}

/* --- judging ------------------------------------------------------------------------------ */

static inline const struct run *find_run(const struct table *t, const char *trace,
                                         const char *config)
{
    for (size_t i = 0; i < t->count; i++) {
        if (strcmp(t->run[i].trace, trace) == 0 && strcmp(t->run[i].mapping->name, config) == 0)
            return &t->run[i];
    }
    return NULL;
}

/* One bound: how many of its runs keep it, and those that do not. */
struct bound {
    const char *what;
    unsigned of, kept;
    double share; /* fraction of these that must keep it */
    char broken[400];
};

static inline void judge(struct bound *b, bool keeps, const char *who, const char *config,
                         double figure)
{
    size_t used = strlen(b->broken);

    b->of++;
    b->kept += keeps;
    if (!keeps)
        snprintf(b->broken + used, sizeof(b->broken) - used, " %s %s %.3g;", who, config, figure);
}

static inline void print_bound(const struct bound *b)
{
    bool pass = b->of > 0 && b->kept >= b->share * b->of;

    printf("%-5s %-52s %3u of %3u%s%s\n", b->of == 0 ? "-" : (pass ? "pass" : "FAIL"), b->what,
           b->kept, b->of, b->broken[0] != '\0' ? ", not:" : "", b->broken);
}

/* Cycles relative to the nearest ones of the band. */
static inline double off_band(const struct run *run, double cycles)
{
    if (cycles < run->low)
        return cycles / run->low;
    return cycles > run->high ? cycles / run->high : 1;
}

/* The counters that stale fills can change. */
static inline void judge_caches(const struct table *t, bool ordered)
{
    struct bound miss = {"L1D miss rate within 2 points", .share = 1};
    struct bound l2 = {"L2 reads within 5 %", .share = 1};
    struct bound c10 = {"cycles within 10 % (three quarters must)", .share = 0.75};
    struct bound c20 = {"cycles within 20 %", .share = 1};

    for (size_t i = 0; i < t->count; i++) {
        const struct run *r = &t->run[i];
        const struct figures *f = ordered ? &r->ordered : &r->here, *ref = &r->ref;
        const char *config = r->mapping->name;
        double ratio = off_band(r, f->cycles), d = f->miss - ref->miss;

        if (!is_base(r))
            continue;
        if (ref->accesses > 0)
            judge(&miss, fabs(d) <= 2, r->trace, config, d);
        if (ref->l2 > 0)
            judge(&l2, fabs(f->l2 / ref->l2 - 1) <= 0.05, r->trace, config, f->l2 / ref->l2);
        judge(&c10, fabs(ratio - 1) <= 0.10, r->trace, config, ratio);
        judge(&c20, fabs(ratio - 1) <= 0.20, r->trace, config, ratio);
    }
    printf("%s\n", ordered ? "with stores kept in order:" : "with stale fills, as in Accel-Sim:");
    print_bound(&miss);
    print_bound(&l2);
    print_bound(&c10);
    print_bound(&c20);
}

static inline void judge_speed(struct bound *b, const struct run *r, double seconds)
{
    judge(b, r->ref_user / seconds >= 50, r->trace, r->mapping->name, r->ref_user / seconds);
}

static inline void judge_runs(const struct table *t)
{
    struct bound access = {"L1D accesses equal", .share = 1};
    struct bound dram = {"DRAM reads within 5 %", .share = 1};
    struct bound text = {"50 times faster, both threads, from text", .share = 1};
    struct bound kept = {"50 times faster, both threads, from what was kept", .share = 1};
    struct bound busy = {"50 times faster, the busier thread", .share = 1};

    for (size_t i = 0; i < t->count; i++) {
        const struct run *r = &t->run[i];
        const char *config = r->mapping->name;
        double reads = r->here.dram / r->ref.dram;

        if (!is_base(r))
            continue;
        if (r->ref.accesses > 0)
            judge(&access, r->here.accesses == r->ref.accesses, r->trace, config, r->here.accesses);
        judge(&dram, fabs(reads - 1) <= 0.05, r->trace, config, reads);
        judge_speed(&text, r, r->text.both);
        judge_speed(&kept, r, r->kept.both);
        judge_speed(&busy, r, r->kept.busier);
    }
    print_bound(&access);
    print_bound(&dram);
    print_bound(&text);
    print_bound(&kept);
    print_bound(&busy);
    judge_caches(t, false);
    judge_caches(t, true);
}

/* Cycles per load of the chases of dependent loads. */
static inline void judge_latencies(const struct table *t)
{
    static inline const struct {
        /* `less`: a shorter chase to subtract, or the start-up time */
        const char *level, *trace, *less;
        double loads;
    } chase[] = {{"L1", "ch_l1", NULL, PROBE_LOADS},
                 {"L2", "ch_l2", "ch_l2b", PROBE_LOADS - 1200},
                 {"DRAM", "ch_dram", NULL, PROBE_LOADS}};
    struct bound b = {"latency of dependent loads within 5 %", .share = 1};

    for (size_t i = 0; i < sizeof(chase) / sizeof(chase[0]); i++) {
        const struct run *r = find_run(t, chase[i].trace, "paper_x");
        const struct run *less =
            chase[i].less != NULL ? find_run(t, chase[i].less, "paper_x") : NULL;
        double ref, ours;

        if (r == NULL || (chase[i].less != NULL && less == NULL))
            continue;
        ref = (r->ref.cycles - (less ? less->ref.cycles : STARTUP_CYCLES)) / chase[i].loads;
        ours = (r->here.cycles - (less ? less->here.cycles : STARTUP_CYCLES)) / chase[i].loads;
        printf("latency of a dependent load, %-4s %7.1f cycles, recorded %7.1f\n", chase[i].level,
               ours, ref);
        judge(&b, fabs(ours / ref - 1) <= 0.05, chase[i].level, "", ours);
    }
    print_bound(&b);
}

/* Effects of configuration changes on the cycles, if above 3 % in the reference. */
static inline void judge_effects(const struct table *t)
{
    struct bound b = {"sign of each effect above 3 %", .share = 1};

    printf("\n%-12s %-18s %10s %10s\n", "trace", "change", "recorded %", "here %");
    for (size_t i = 0; i < t->count; i++) {
        const struct run *r = &t->run[i], *base;
        double ref, ours;

        base = r->mapping->base != NULL ? find_run(t, r->trace, r->mapping->base) : NULL;
        if (base == NULL)
            continue;
        ref = 100 * (r->ref.cycles / base->ref.cycles - 1);
        ours = 100 * (r->here.cycles / base->here.cycles - 1);
        if (fabs(ref) <= 3)
            continue;
        printf("%-12s %-18s %+10.1f %+10.1f%s\n", r->trace, r->mapping->name, ref, ours,
               ref * ours > 0 ? "" : "  wrong sign");
        judge(&b, ref * ours > 0, r->trace, r->mapping->name, ours);
    }
    printf("\n");
    print_bound(&b);
}

#endif
