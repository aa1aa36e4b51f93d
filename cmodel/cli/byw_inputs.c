/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/byw_inputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/byw_capture.h"
#include "common/byw_path.h"
#include "study/job/byw_workload.h"

/* Time limit of a capture's first attempt in seconds, and the factor for the next attempt. */
enum { FIRST_SECONDS = 20, MORE = 10, WORDS = 64, TEXT_ROOM = 512 };

enum byw_status byw_inputs_size(const char *text, enum byw_size *size, struct byw_diag *diag)
{
    static const char *const names[] = {"test", "small", "paper"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(text, names[i]) == 0) {
            *size = (enum byw_size)i;
            return BYW_OK;
        }
    return byw_diag_set(diag, BYW_EINVAL, "--size is '%s'; expected test, small or paper", text);
}

/* Options of the larger input; NULL: there is none. */
static const char *large_of(const char *workload)
{
    static const struct {
        const char *name, *options;
    } large[] = {
#define BYW_LARGE(name, options) {name, options},
#include "byw_large.h"
#undef BYW_LARGE
    };

    for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++)
        if (strcmp(large[i].name, workload) == 0)
            return large[i].options;
    return NULL;
}

static bool folder_of_programs(const struct byw_inputs *inputs, char folder[BYW_PATH_ROOM])
{
    if (inputs->programs != NULL)
        return snprintf(folder, BYW_PATH_ROOM, "%s", inputs->programs) < BYW_PATH_ROOM;
    if (!byw_path_own_folder(folder, BYW_PATH_ROOM - 16))
        return false;
    strcat(folder, "/workloads");
    return true;
}

/* mkdir -p */
static enum byw_status make_folder(const char *path, struct byw_diag *diag)
{
    char part[BYW_PATH_ROOM];

    snprintf(part, sizeof(part), "%s", path);
    for (char *at = part + 1;; at++) {
        char was = *at;

        if (was != '/' && was != '\0')
            continue;
        *at = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return byw_diag_set(diag, BYW_EIO, "%s: cannot be created (%s)", part, strerror(errno));
        *at = was;
        if (was == '\0')
            return BYW_OK;
    }
}

/* Captures one program into the file `out`. The program's output goes to stderr, because stdout has
 * the table. launches: as in byw_bounds.h; NULL: all. */
static enum byw_status run(const char *out, unsigned warp, const char *launches, char *const argv[],
                           struct byw_diag *diag)
{
    struct byw_capture_limits limits = {.bounds.launches = launches};
    int before = dup(STDOUT_FILENO);
    enum byw_status st;

    fflush(stdout);
    if (before < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        if (before >= 0)
            close(before);
        return byw_diag_set(diag, BYW_EIO, "%s: cannot be started (%s)", argv[0], strerror(errno));
    }
    st = byw_capture_run_limited(out, warp, &limits, argv, diag);
    dup2(before, STDOUT_FILENO);
    close(before);
    return st;
}

/* Captures the program of a workload: [timeout -k 5 N] PROGRAM --size SIZE OPTIONS. limit: seconds;
 * 0: none. */
static enum byw_status capture(const struct byw_inputs *inputs, const char *workload,
                               const char *out, unsigned warp, unsigned limit, const char *launches,
                               struct byw_diag *diag)
{
    char text[TEXT_ROOM], seconds[16], program[BYW_PATH_ROOM], folder[BYW_PATH_ROOM];
    char *argv[WORDS] = {"timeout", "-k", "5", seconds}, *rest = text, *word;
    const char *large = inputs->size == BYW_SIZE_SMALL ? large_of(workload) : NULL;
    struct byw_workload about;
    size_t first = limit == 0 ? 4 : 0, words = 4;

    if (!byw_workload_find(workload, &about) || !folder_of_programs(inputs, folder) ||
        snprintf(program, sizeof(program), "%s/%s", folder, about.program) >= (int)sizeof(program))
        return byw_diag_set(diag, BYW_EINVAL, "%s: path too long", workload);
    if (access(program, X_OK) != 0)
        return byw_diag_set(diag, BYW_ENOENT,
                            "%s: no such program; `make workloads` builds it, --programs names the "
                            "folder",
                            program);
    snprintf(seconds, sizeof(seconds), "%u", limit);
    snprintf(text, sizeof(text), "%s %s%s%s",
             inputs->size != BYW_SIZE_PAPER ? "--size small" : "--size paper", about.options,
             large != NULL ? " " : "", large != NULL ? large : "");
    argv[words++] = program;
    while (words + 1 < WORDS && (word = strsep(&rest, " ")) != NULL)
        if (*word != '\0')
            argv[words++] = word;
    return run(out, warp, launches, argv + first, diag);
}

/* State of one round of captures. */
struct round {
    json_t *failed; /* members: captures given up, "WARP WORKLOAD" */
    const struct byw_inputs *inputs;
    double end; /* time at which the budget is used up; 0: none */
    unsigned limit; /* seconds per capture; 0: no limit */
    bool last;
    size_t left; /* captures that the next round must repeat */
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Limit in seconds for the next capture, 0: no limit. Returns false if the budget is used up. */
static bool time_for(const struct round *round, unsigned *limit)
{
    double left = round->end - now();

    *limit = round->limit;
    if (round->end == 0.0)
        return true;
    if (left < 1.0)
        return false;
    if (round->limit == 0 || left < round->limit)
        *limit = (unsigned)left;
    return true;
}

static enum byw_status capture_one(struct round *round, const char *workload, unsigned warp,
                                   struct byw_diag *diag)
{
    const struct byw_inputs *inputs = round->inputs;
    char path[BYW_PATH_ROOM], name[BYW_PATH_ROOM];
    double began = now();
    unsigned limit;
    enum byw_status st;

    snprintf(name, sizeof(name), "%u %s", warp, workload);
    if (snprintf(path, sizeof(path), "%s/%s%s.bwt", inputs->folder, warp == 64 ? "w64/" : "",
                 workload) >= (int)sizeof(path))
        return byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", inputs->folder);
    if (access(path, R_OK) == 0 || json_object_get(round->failed, name) != NULL)
        return BYW_OK;
    if (!time_for(round, &limit)) {
        if (round->last)
            fprintf(stderr, "byway: %s keeps its shipped trace: no time left\n", workload);
        round->left++;
        return BYW_OK;
    }
    st = capture(inputs, workload, path, warp, limit, NULL, diag);
    if (st == BYW_OK || st == BYW_ENOENT)
        return st;
    if (inputs->stop != NULL && *inputs->stop != 0)
        return byw_diag_set(
            diag, BYW_ESTUCK,
            "interrupted; the traces so far are stored in %s; run the same command again to resume",
            inputs->folder);
    if (limit > 0 && now() - began >= limit && !round->last) {
        round->left++;
        return BYW_OK;
    }
    fprintf(stderr, "byway: %s keeps its shipped trace: %s\n", workload, diag->text);
    json_object_set_new(round->failed, name, json_true());
    return BYW_OK;
}

static enum byw_status capture_round(const struct byw_reproduce *reproduce, struct round *round,
                                     struct byw_diag *diag)
{
    static const unsigned warps[] = {32, 64};
    const struct byw_inputs *inputs = round->inputs;
    enum byw_status st = BYW_OK;

    for (size_t w = 0; st == BYW_OK && w < 2; w++) {
        struct byw_names names;

        st = byw_reproduce_workloads(reproduce, warps[w], &names, diag);
        for (size_t i = 0; st == BYW_OK && i < names.count; i++) {
            if (inputs->size == BYW_SIZE_SMALL && large_of(names.name[i]) == NULL)
                continue;
            if (inputs->say != NULL)
                inputs->say(i, names.count, names.name[i]);
            st = capture_one(round, names.name[i], warps[w], diag);
        }
        byw_names_free(&names);
    }
    return st;
}

enum byw_status byw_inputs_capture(const struct byw_reproduce *reproduce,
                                   const struct byw_inputs *inputs, struct byw_diag *diag)
{
    static const unsigned limits[] = {FIRST_SECONDS, FIRST_SECONDS * MORE, 0};
    struct round round = {.inputs = inputs,
                          .end = inputs->budget > 0.0 ? now() + inputs->budget : 0.0,
                          .failed = json_object(),
                          .left = 1};
    char wide[BYW_PATH_ROOM];
    enum byw_status st;

    if (snprintf(wide, sizeof(wide), "%s/w64", inputs->folder) >= (int)sizeof(wide))
        st = byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", inputs->folder);
    else
        st = make_folder(wide, diag);
    for (size_t i = 0; st == BYW_OK && !round.last && round.left > 0; i++) {
        round.limit = limits[i];
        round.last = limits[i] == 0 || (inputs->seconds > 0 && inputs->seconds <= limits[i]);
        if (round.last)
            round.limit = inputs->seconds;
        round.left = 0;
        st = capture_round(reproduce, &round, diag);
    }
    json_decref(round.failed);
    return st;
}

/* Creates the folder of a path, if needed. */
static enum byw_status make_folder_of(const char *path, struct byw_diag *diag)
{
    char folder[BYW_PATH_ROOM];
    char *slash;

    snprintf(folder, sizeof(folder), "%s", path);
    slash = strrchr(folder, '/');
    if (slash == NULL || slash == folder)
        return BYW_OK;
    *slash = '\0';
    return make_folder(folder, diag);
}

enum byw_status byw_inputs_capture_workload(const char *programs,
                                            const struct byw_correlate_want *want,
                                            struct byw_diag *diag)
{
    static const char *const names[] = {"small", "large", "paper"};
    struct byw_inputs inputs = {.programs = programs};
    char launches[24];
    size_t size = 0;
    enum byw_status st;

    while (size < sizeof(names) / sizeof(names[0]) && strcmp(want->size, names[size]) != 0)
        size++;
    if (size == sizeof(names) / sizeof(names[0]))
        return byw_diag_set(diag, BYW_EINVAL, "size '%s'; expected small, large or paper",
                            want->size);
    inputs.size = (enum byw_size)size;
    if (inputs.size == BYW_SIZE_SMALL && large_of(want->workload) == NULL)
        return byw_diag_set(diag, BYW_ENOENT, "%s has no input of size large", want->workload);
    snprintf(launches, sizeof(launches), "1-%u", want->launches);
    /* The tables were measured with PTX from clang, which reads __constant arguments through the
     * L1. */
    st = setenv(BYW_CAPTURE_ENV_CONSTANT, "global", 1) == 0 ? make_folder_of(want->path, diag)
                                                            : BYW_ENOMEM;
    if (st == BYW_OK)
        st = capture(&inputs, want->workload, want->path, 32, 0,
                     want->launches != 0 ? launches : NULL, diag);
    unsetenv(BYW_CAPTURE_ENV_CONSTANT);
    return st;
}
