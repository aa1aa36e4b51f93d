/* SPDX-License-Identifier: Apache-2.0
 *
 * probes.c - the simulator against Accel-Sim on the traces of probe_traces.h, over changes of the
 * machine.
 *
 * Usage: probes [NAME]          judges, one line per (probe, change)
 *        probes --write FOLDER  writes the traces, for another simulator
 * probes.tsv beside this file has what Accel-Sim counted: cycles, a band where there is one (its
 * lowest and highest at ROP latencies of 119 to 121 cycles), and L1D accesses.  A run is judged by
 * its distance from the band.  The exit status is 1 if an access count differs or a run is further
 * off than LIMIT and has no note in probes.tsv.
 */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/byw_file.h"
#include "probe_traces.h"
#include "sim/byw_gpu.h"
#include "study/byw_setup.h"

enum { SETTINGS_MAX = 6, ALWAYS = 3 };

static const double LIMIT = 0.10;

/* What Accel-Sim does with atomics: a warp waits for its own, any number is in flight, and the line
 * in the L1 stays. */
static const char *const always[ALWAYS] = {"sm.atomic_waits=on", "l1d.bypass_trackers=1024",
                                           "l1d.atomic_keeps=on"};

static const struct change {
    const char *name, *policy;
    const char *setting[SETTINGS_MAX];
} changes[] = {
    {"base", "bl", {NULL}},
    {"cu9", "bl", {"sm.collectors=9"}},
    {"cu16", "bl", {"sm.collectors=16"}},
    {"wide4",
     "bl",
     {"sm.width_sp=4", "sm.width_sfu=4", "sm.width_mem=4", "sm.result_buses=4", "sm.sp_units=4"}},
    {"BALL128", "ball", {NULL}},
    {"lrr", "bl", {"sm.scheduler=lrr"}},
    {"mshr64", "bl", {"l1d.mshrs=64"}},
    {"merge1", "bl", {"l1d.mshr_merges=1"}},
    {"hash", "bl", {"l1d.index=fermi"}},
    {"perficache", "bl", {"icache.enable=off"}},
};

struct recorded {
    char probe[24], change[24];
    double low, cycles, high, accesses;
    bool noted;
};

/* --- traces ------------------------------------------------------------------------------- */

static bool write_file(const char *path, const struct probe_kind *kind)
{
    struct byw_file *file;
    struct byw_diag diag = {""};

    if (byw_file_create(path, &file, &diag) != BYW_OK) {
        fprintf(stderr, "probes: %s\n", diag.text);
        return false;
    }
    if (kind != NULL)
        probe_write(kind, byw_file_stream(file));
    else
        fprintf(byw_file_stream(file), "kernel-1.traceg\n");
    if (byw_file_commit(file, &diag) == BYW_OK)
        return true;
    fprintf(stderr, "probes: %s\n", diag.text);
    return false;
}

static bool write_trace(const char *folder, const struct probe_kind *kind)
{
    char path[BYW_PATH_ROOM];

    snprintf(path, sizeof(path), "%s/%s", folder, kind->name);
    if (mkdir(path, 0777) != 0 && access(path, W_OK) != 0) {
        fprintf(stderr, "probes: %s: cannot be made\n", path);
        return false;
    }
    snprintf(path, sizeof(path), "%s/%s/kernel-1.traceg", folder, kind->name);
    if (!write_file(path, kind))
        return false;
    snprintf(path, sizeof(path), "%s/%s/kernelslist.g", folder, kind->name);
    return write_file(path, NULL);
}

static void remove_trace(const char *folder, const struct probe_kind *kind)
{
    static const char *const part[] = {"/kernel-1.traceg", "/kernelslist.g", ""};
    char path[BYW_PATH_ROOM];

    for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s%s", folder, kind->name, part[i]);
        (void)remove(path);
    }
}

static int write_all(const char *folder)
{
    for (uint32_t i = 0; i < PROBE_KINDS; i++) {
        if (!write_trace(folder, &probe_kinds[i]))
            return 2;
    }
    return 0;
}

/* --- runs --------------------------------------------------------------------------------- */

static bool simulate(const struct byw_places *places, const struct change *c, const char *path,
                     double *cycles, double *accesses)
{
    struct byw_config config;
    struct byw_gpu_options options = {.l1d = NULL};
    struct byw_gpu_result *result = NULL;
    struct byw_trace *trace = NULL;
    struct byw_diag diag = {""};
    const char *setting[ALWAYS + SETTINGS_MAX];
    size_t settings = 0;

    for (; settings < ALWAYS; settings++)
        setting[settings] = always[settings];
    for (size_t i = 0; i < SETTINGS_MAX && c->setting[i] != NULL; i++)
        setting[settings++] = c->setting[i];
    if (byw_setup_config(places, "fermi", c->policy, setting, settings, &config, &diag) != BYW_OK ||
        byw_trace_open(path, &trace, &diag) != BYW_OK ||
        byw_gpu_run(&config, trace, &options, &result, &diag) != BYW_OK)
        fprintf(stderr, "probes: %s: %s\n", path, diag.text);
    byw_trace_close(trace);
    if (result == NULL)
        return false;
    *cycles = (double)result->cycles;
    *accesses = (double)(result->l1.ev[BYW_EV_HIT] + result->l1.ev[BYW_EV_HIT_PENDING] +
                         result->l1.ev[BYW_EV_MISS]);
    byw_gpu_result_free(result);
    return true;
}

/* One line; true if it is as near as it must be. */
static bool judge(const struct byw_places *places, const char *path, const struct recorded *r,
                  const struct change *c)
{
    double cycles, accesses, off = 0;
    bool same, near;

    if (!simulate(places, c, path, &cycles, &accesses))
        return false;
    if (cycles < r->low)
        off = cycles / r->low - 1;
    else if (cycles > r->high)
        off = cycles / r->high - 1;
    same = r->accesses == 0 || accesses == r->accesses;
    near = fabs(off) <= LIMIT;
    printf("%-11s %-11s %8.0f %8.0f .. %8.0f %8.0f %6.3f %+6.1f %% %s%s\n", r->probe, r->change,
           r->cycles, r->low, r->high, cycles, cycles / r->cycles, 100 * off,
           same ? "" : "other accesses ",
           near       ? ""
           : r->noted ? "noted"
                      : "FAR OFF");
    fflush(stdout);
    return same && (near || r->noted);
}

static const struct change *find_change(const char *name)
{
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        if (strcmp(changes[i].name, name) == 0)
            return &changes[i];
    }
    return NULL;
}

static const struct probe_kind *find_kind(const char *name)
{
    for (uint32_t i = 0; i < PROBE_KINDS; i++) {
        if (strcmp(probe_kinds[i].name, name) == 0)
            return &probe_kinds[i];
    }
    return NULL;
}

/* A line of probes.tsv; false for a comment. */
static bool parse(const char *line, struct recorded *r)
{
    char note[8] = "";

    if (line[0] == '#' || sscanf(line, "%23s %23s %lf %lf %lf %lf %7s", r->probe, r->change,
                                 &r->low, &r->cycles, &r->high, &r->accesses, note) < 6)
        return false;
    r->noted = note[0] != '\0';
    return true;
}

static int judge_all(const struct byw_places *places, FILE *table, const char *folder,
                     const char *only)
{
    char line[256], path[BYW_PATH_ROOM];
    struct recorded r;
    int bad = 0, runs = 0;

    printf("%-11s %-11s %8s %8s    %8s %8s %6s %8s\n", "probe", "change", "recorded", "lowest",
           "highest", "here", "ratio", "off band");
    while (fgets(line, sizeof(line), table) != NULL) {
        const struct change *c;

        if (!parse(line, &r) || (only != NULL && strcmp(only, r.probe) != 0))
            continue;
        c = find_change(r.change);
        snprintf(path, sizeof(path), "%s/%s/kernelslist.g", folder, r.probe);
        if (c == NULL || find_kind(r.probe) == NULL) {
            fprintf(stderr, "probes: probes.tsv: no probe %s or change %s\n", r.probe, r.change);
            return 2;
        }
        if (access(path, R_OK) != 0 && !write_trace(folder, find_kind(r.probe)))
            return 2;
        runs++;
        bad += !judge(places, path, &r, c);
    }
    printf("%d of %d probes within %.0f %% of the band or noted\n", runs - bad, runs, 100 * LIMIT);
    return bad != 0;
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/byway-probes-XXXXXX";
    struct byw_places places;
    struct byw_diag diag = {""};
    FILE *table;
    int status;

    if (argc == 3 && strcmp(argv[1], "--write") == 0)
        return write_all(argv[2]);
    table = fopen("verif/bench/probes.tsv", "r");
    if (table == NULL || byw_places_find(&places, &diag) != BYW_OK || mkdtemp(folder) == NULL) {
        fprintf(stderr, "probes: %s\n",
                table == NULL ? "no verif/bench/probes.tsv: run it in the source tree" : diag.text);
        return 2;
    }
    status = judge_all(&places, table, folder, argc > 1 ? argv[1] : NULL);
    for (uint32_t i = 0; i < PROBE_KINDS; i++)
        remove_trace(folder, &probe_kinds[i]);
    (void)rmdir(folder);
    fclose(table);
    return status;
}
