/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/byw_program.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/byw_capture.h"
#include "cli/byw_cli.h"
#include "common/byw_file.h"
#include "study/advise/byw_advise_carried.h"
#include "study/job/byw_repeat.h"

enum { NAME_ROOM = 64 };

/* Path of a file in the folder. */
static void path_of(const struct byw_program *program, const char *name, char path[BYW_PATH_ROOM])
{
    snprintf(path, BYW_PATH_ROOM, "%.*s/%.*s", BYW_PATH_ROOM - NAME_ROOM - 2, program->folder,
             NAME_ROOM, name);
}

enum byw_status byw_program_open(struct byw_program *program, char *const argv[], unsigned warp,
                                 struct byw_diag *diag)
{
    const char *base = getenv("TMPDIR");

    *program = (struct byw_program){.argv = argv, .warp = warp};
    snprintf(program->folder, sizeof(program->folder), "%.*s/byway_XXXXXX",
             BYW_PATH_ROOM - 2 * NAME_ROOM, base != NULL && *base != '\0' ? base : "/tmp");
    if (mkdtemp(program->folder) != NULL) {
        /* it removes the folder if this process is killed */
        program->sweeper = byw_cl_sweeper_start(program->folder);
        return BYW_OK;
    }
    byw_diag_set(diag, BYW_EIO, "%s: cannot create the folder (%s); TMPDIR names another one",
                 program->folder, strerror(errno));
    program->folder[0] = '\0';
    return BYW_EIO;
}

void byw_program_remove(struct byw_program *program)
{
    DIR *folder = program->folder[0] != '\0' ? opendir(program->folder) : NULL;
    struct dirent *entry;

    if (folder == NULL)
        return;
    while ((entry = readdir(folder)) != NULL)
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
    rmdir(program->folder);
    program->folder[0] = '\0';
    byw_cl_sweeper_end(program->sweeper);
}

static void find_sources(struct byw_program *program)
{
    program->source_count = 0;
    for (size_t i = 0; i < BYW_ADVISE_TEXTS; i++) {
        char name[NAME_ROOM], path[BYW_PATH_ROOM];

        snprintf(name, sizeof(name), "%zu.cl", i + 1);
        path_of(program, name, program->source[i]);
        if (access(program->source[i], R_OK) != 0)
            return;
        program->sources[i] = program->source[i];
        program->source_count++;
        snprintf(name, sizeof(name), "%zu.path", i + 1);
        path_of(program, name, path);
        program->cuda |= access(path, R_OK) == 0;
    }
}

enum byw_status byw_program_run(char *const argv[], unsigned warp, const char *trace,
                                struct byw_diag *diag)
{
    int out = dup(STDOUT_FILENO);
    enum byw_status st;

    fflush(stdout);
    if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        byw_diag_set(diag, BYW_EIO, "%s: cannot be started (%s)", argv[0], strerror(errno));
        if (out >= 0)
            close(out);
        return BYW_EIO;
    }
    st = byw_capture_run(trace, warp, argv, diag);
    dup2(out, STDOUT_FILENO);
    close(out);
    return st;
}

enum byw_status byw_program_capture(struct byw_program *program, const char *name,
                                    char trace[BYW_PATH_ROOM], struct byw_diag *diag)
{
    enum byw_status st;

    path_of(program, name, trace);
    if (setenv(BYW_CAPTURE_ENV_SOURCES, program->folder, 1) != 0)
        return byw_no_memory(diag, "the environment");
    st = byw_program_run(program->argv, program->warp, trace, diag);
    unsetenv(BYW_CAPTURE_ENV_SOURCES);
    if (st == BYW_OK)
        find_sources(program);
    return st;
}

enum byw_status byw_program_replace(const struct byw_program *program,
                                    const struct byw_advise_patch *patch, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < BYW_ADVISE_TEXTS; i++) {
        char name[NAME_ROOM], path[BYW_PATH_ROOM];
        struct byw_file *file;

        if (patch->text[i] == NULL)
            continue;
        snprintf(name, sizeof(name), "%zu.new.cl", i + 1);
        path_of(program, name, path);
        st = byw_file_create(path, &file, diag);
        if (st == BYW_OK) {
            fputs(patch->text[i], byw_file_stream(file));
            st = byw_file_commit(file, diag);
        }
    }
    return st;
}

/* --- the patch ------------------------------------------------------------------------------ */

/* Captures the changed program and simulates it as often as the report did. */
static enum byw_status run_again(struct byw_program *program, const struct byw_job *own,
                                 const struct byw_advise_patch *patch,
                                 const struct byw_advise_options *options, json_t *report,
                                 json_t **result, struct byw_diag *diag)
{
    char trace[BYW_PATH_ROOM];
    struct byw_job job = *own;
    struct byw_job_options how = *options->how;
    enum byw_status st = byw_program_replace(program, patch, diag);

    if (st == BYW_OK)
        st = byw_program_capture(program, "new.bwt", trace, diag);
    if (st == BYW_OK)
        st = byw_advise_carried(report, trace, diag);
    job.trace = trace;
    how.repeat = options->repeat;
    if (st == BYW_OK && how.repeat > 1)
        st = byw_jobs_repeat(&job, 1, options->workers, &how, result, diag);
    else if (st == BYW_OK)
        st = byw_job_run(&job, &how, result, diag);
    return st;
}

/* Sets a predicted or measured gain in percent, with its deviation if the runs were repeated. */
static void put_spread(json_t *json, const char *name, struct byw_spread gain)
{
    char sd[32];

    json_object_set_new(json, name, json_real(gain.mean));
    snprintf(sd, sizeof(sd), "%s_sd", name);
    if (gain.count > 1)
        json_object_set_new(json, sd, json_real(gain.sd));
}

/* The gain of the patched program: each run is compared with the report's run of the same seed. */
static struct byw_spread gain_of(const json_t *report, const json_t *result)
{
    const json_t *list = json_object_get(json_object_get(report, "repeat"), "cycles");
    const size_t count = byw_repeat_count(result);
    double gain[BYW_REPEAT_MOST];

    for (size_t k = 0; k < count; k++) {
        const double before = count > 1 ? json_number_value(json_array_get(list, k))
                                        : byw_result_number(report, "cycles");

        gain[k] =
            100.0 * (before - byw_result_number(byw_repeat_run(result, k), "cycles")) / before;
    }
    return byw_spread_of(gain, count);
}

/* Adds the member `patch` to the report: the changes and their gain, or the reason why it was not
 * measured. */
static enum byw_status measure(struct byw_program *program, const struct byw_job *own,
                               const struct byw_advise_patch *patch,
                               const struct byw_advise_options *options, json_t *report,
                               struct byw_diag *diag)
{
    const struct byw_spread predicted = {.count = options->repeat,
                                         .mean = byw_result_number(report, "gain"),
                                         .sd = byw_result_number(report, "gain_sd")};
    json_t *json = json_pack("{s:I, s:I}", "changed", (json_int_t)patch->changed, "left",
                             (json_int_t)patch->left);
    json_t *result = NULL;
    enum byw_status st = patch->changed != 0
                             ? run_again(program, own, patch, options, report, &result, diag)
                             : BYW_OK;

    put_spread(json, "predicted", predicted);
    if (st == BYW_OK && patch->changed != 0) {
        json_object_set_new(json, "cycles",
                            json_integer(llround(byw_repeat_spread(result, "cycles").mean)));
        put_spread(json, "measured", gain_of(report, result));
    } else {
        json_object_set_new(json, "cycles", json_null());
        json_object_set_new(json, "measured", json_null());
        json_object_set_new(json, "reason",
                            json_string(st != BYW_OK       ? diag->text
                                        : patch->left != 0 ? "no place could be changed"
                                                           : "there is nothing to change"));
    }
    json_object_set_new(report, "patch", json);
    json_decref(result);
    return st;
}

enum byw_status byw_program_patch(struct byw_program *program, const struct byw_job *job,
                                  const struct byw_advise_options *options, json_t *report,
                                  struct byw_file **diff, struct byw_diag *diag)
{
    struct byw_advise_source source = {.count = 0};
    struct byw_advise_patch patch = {.changed = 0};
    enum byw_status st = BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < options->sources; i++)
        st = byw_advise_source_read(&source, options->source[i], diag);
    if (st == BYW_OK &&
        byw_advise_patch(report, &source, job->config->machine_compute, &patch) != BYW_OK)
        st = byw_diag_set(diag, BYW_ENOMEM, "out of memory for the patch");
    if (st == BYW_OK) {
        byw_advise_diff(byw_file_stream(*diff), &source, &patch);
        st = byw_file_commit(byw_cli_take(diff), diag);
    }
    if (st == BYW_OK)
        st = measure(program, job, &patch, options, report, diag);
    byw_advise_patch_release(&patch);
    byw_advise_source_release(&source);
    return st;
}
