/* SPDX-License-Identifier: Apache-2.0
 *
 * probes.c - compares the simulator with Accel-Sim on the traces of probe_traces.h, over changes of
 * the machine.
 *
 * Usage: probes TABLE [NAME]     compares, one line per (probe, change); NAME: one probe or key
 *        probes --write FOLDER   writes the traces, for another simulator
 *
 * TABLE, in this folder: probes.tsv (the unchanged machine) or keys.tsv (each key changed), with
 * Accel-Sim's counts. A run is judged by its distance from the band of cycles, by its L1D accesses,
 * which must be equal, and by its miss rate. The points of keys.tsv were chosen in two halves, the
 * second after the last change of the model that took the first into account. Exit status 1 if a
 * point without a note exceeds a bound.
 */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/byw_file.h"
#include "probe_traces.h"
#include "sim/gpu/byw_gpu.h"
#include "study/job/byw_setup.h"

enum { SETTINGS_MAX = 16, TEXT = 200 };

static const double LIMIT = 0.10; /* largest error of the cycles, as a fraction */
static const double POINTS = 2; /* largest error of the miss rate, percentage points */

/* A line of a table. */
struct recorded {
    char probe[24], settings[TEXT]; /* settings: "-" is none */
    char half; /* 'a' or 'b' */
    double low, cycles, high;
    double accesses, misses; /* accesses 0: nothing to compare */
    char note[24]; /* "-": none */
};

/* Counters of a run. */
struct counted {
    double cycles, accesses, misses;
};

/* Number of points of a half within a bound. */
struct tally {
    int points, cycles, miss_points, miss, noted;
    double distance; /* sum of the runs' distances in cycles */
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
        fprintf(stderr, "probes: cannot create %s\n", path);
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

/* Pointers into `text`, which is split at its commas. */
static size_t split(char *text, const char *setting[SETTINGS_MAX])
{
    size_t n = 0;

    for (char *part = strtok(text, ","); part != NULL && n < SETTINGS_MAX; part = strtok(NULL, ","))
        setting[n++] = part;
    return n;
}

static bool simulate(const struct byw_places *places, const char *settings, const char *path,
                     struct counted *count)
{
    struct byw_config config;
    struct byw_gpu_options options = {.l1d = NULL};
    struct byw_gpu_result *result = NULL;
    struct byw_trace *trace = NULL;
    struct byw_diag diag = {""};
    const char *setting[SETTINGS_MAX];
    char text[TEXT];
    size_t n;

    snprintf(text, sizeof(text), "%s", settings[0] == '-' ? "" : settings);
    n = split(text, setting);
    if (byw_setup_config(places, "fermi_gpgpusim", "bl", setting, n, &config, &diag) != BYW_OK ||
        byw_trace_open(path, &trace, &diag) != BYW_OK ||
        byw_gpu_run(&config, trace, &options, &result, &diag) != BYW_OK)
        fprintf(stderr, "probes: %s: %s: %s\n", path, settings, diag.text);
    byw_trace_close(trace);
    if (result == NULL)
        return false;
    count->cycles = (double)result->cycles;
    count->misses = (double)result->l1.ev[BYW_EV_MISS];
    /* In Accel-Sim with allocate on fill, a merged load has no line to hit. */
    if (config.l1d_alloc == BYW_ALLOC_ON_FILL)
        count->misses += (double)result->l1.ev[BYW_EV_HIT_PENDING];
    count->accesses = (double)(result->l1.ev[BYW_EV_HIT] + result->l1.ev[BYW_EV_HIT_PENDING] +
                               result->l1.ev[BYW_EV_MISS]);
    byw_gpu_result_free(result);
    return true;
}

static double off_band(const struct recorded *r, double cycles)
{
    if (cycles < r->low)
        return cycles / r->low - 1;
    return cycles > r->high ? cycles / r->high - 1 : 0;
}

/* Handles one line; returns whether it is within its bounds. */
static bool judge(const struct byw_places *places, const char *path, const struct recorded *r,
                  struct tally *t)
{
    struct counted here;
    bool same, near, like, noted = r->note[0] != '-';
    double off, points = 0;

    t->points++;
    if (!simulate(places, r->settings, path, &here))
        return false;
    off = off_band(r, here.cycles);
    near = fabs(off) <= LIMIT;
    same = r->accesses == 0 || here.accesses == r->accesses;
    if (r->accesses != 0)
        points = 100 * (here.misses / here.accesses - r->misses / r->accesses);
    like = fabs(points) <= POINTS;
    t->cycles += near;
    t->miss_points += r->accesses != 0;
    t->miss += r->accesses != 0 && like && same;
    t->noted += noted && !(near && same && like);
    t->distance += fabs(off);
    printf("%-11s %-42s %8.0f %8.0f .. %8.0f %8.0f %6.3f %+6.1f %% %+5.1f %s%s\n", r->probe,
           r->settings, r->cycles, r->low, r->high, here.cycles, here.cycles / r->cycles, 100 * off,
           points, same ? "" : "other accesses ",
           near && like ? ""
           : noted      ? r->note
                        : "FAR OFF");
    fflush(stdout);
    return noted || (same && near && like);
}

static const struct probe_kind *find_kind(const char *name)
{
    for (uint32_t i = 0; i < PROBE_KINDS; i++) {
        if (strcmp(probe_kinds[i].name, name) == 0)
            return &probe_kinds[i];
    }
    return NULL;
}

/* A line of a table; false for a comment. The columns with Accel-Sim's options are not read. */
static bool parse(const char *line, struct recorded *r)
{
    return line[0] != '#' &&
           sscanf(line, "%23s %199s %c %lf %lf %lf %lf %lf %23s", r->probe, r->settings, &r->half,
                  &r->low, &r->cycles, &r->high, &r->accesses, &r->misses, r->note) == 9;
}

static void conclude(const struct tally *t, const char *half)
{
    if (t->points != 0)
        printf(
            "%s%d of %d within %.0f %% of the cycles, mean distance %.1f %%; %d of %d with equal "
            "accesses and the miss rate within %.0f points; %d noted\n",
            half, t->cycles, t->points, 100 * LIMIT, 100 * t->distance / t->points, t->miss,
            t->miss_points, POINTS, t->noted);
}

static int judge_all(const struct byw_places *places, FILE *table, const char *folder,
                     const char *only)
{
    char line[1024], path[BYW_PATH_ROOM];
    struct tally tally[2] = {{.points = 0}};
    struct recorded r;
    int bad = 0;

    printf("%-11s %-42s %8s %8s    %8s %8s %6s %8s %5s\n", "probe", "change", "recorded", "lowest",
           "highest", "here", "ratio", "off band", "miss");
    while (fgets(line, sizeof(line), table) != NULL) {
        if (!parse(line, &r) ||
            (only != NULL && strcmp(only, r.probe) != 0 && strstr(r.settings, only) == NULL))
            continue;
        snprintf(path, sizeof(path), "%s/%s/kernelslist.g", folder, r.probe);
        if (find_kind(r.probe) == NULL) {
            fprintf(stderr, "probes: no probe %s\n", r.probe);
            return 2;
        }
        if (access(path, R_OK) != 0 && !write_trace(folder, find_kind(r.probe)))
            return 2;
        bad += !judge(places, path, &r, &tally[r.half == 'b']);
    }
    conclude(&tally[0], tally[1].points != 0 ? "first half: " : "");
    conclude(&tally[1], "second half: ");
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
    table = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (table == NULL || byw_places_find(&places, &diag) != BYW_OK || mkdtemp(folder) == NULL) {
        fprintf(stderr, "probes: %s\n",
                table == NULL ? "no table: expected verif/bench/probes.tsv or keys.tsv"
                              : diag.text);
        return 2;
    }
    status = judge_all(&places, table, folder, argc > 2 ? argv[2] : NULL);
    for (uint32_t i = 0; i < PROBE_KINDS; i++)
        remove_trace(folder, &probe_kinds[i]);
    (void)rmdir(folder);
    fclose(table);
    return status;
}
