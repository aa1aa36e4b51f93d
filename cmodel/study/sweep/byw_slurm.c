/* SPDX-License-Identifier: Apache-2.0 */
#include "study/sweep/byw_slurm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "study/sweep/byw_slurm_task.h"

/* An array task costs about 0.2 s; a task of PART_SECONDS makes that negligible and still ends
 * soon. */
enum { PART_SECONDS = 30, MOST_TASKS = 1000, VAIN_ROUNDS = 3, ANSWER_ROOM = 4096 };
enum { POLL_MS = 200, ASK_EVERY = 5 }; /* checks the folder, and more rarely squeue */
enum { TOLD_AFTER = 10 };

struct sweep {
    const struct byw_plan *plan;
    struct byw_store *store;
    const struct byw_places *places;
    const struct byw_slurm *slurm;
    const struct byw_job_options *how;
    struct byw_sweep_state *state;
    struct byw_slurm_task task; /* paths of the sweep's folder and program */
    bool *there; /* per point: it has a result, or the reason why there is none */
    size_t left; /* points without a result or such a reason */
    struct byw_job_progress progress;
    char job[64]; /* number of the job array, as text */
    unsigned waits; /* consecutive checks without a task; reported once */
};

static bool stopped(const struct sweep *s)
{
    return s->how->stop != NULL && *s->how->stop != 0;
}

/* --- Slurm's commands ------------------------------------------------------------------------ */

/* Runs a shell command; returns its exit code, and its output without the final line end. */
static int ask(const char *command, char answer[ANSWER_ROOM])
{
    FILE *out = popen(command, "r");
    size_t n = 0, got;
    char rest[256];
    int how;

    answer[0] = '\0';
    if (out == NULL)
        return -1;
    while (n < ANSWER_ROOM - 1 && (got = fread(answer + n, 1, ANSWER_ROOM - 1 - n, out)) > 0)
        n += got;
    while (fread(rest, 1, sizeof(rest), out) > 0)
        ;
    answer[n] = '\0';
    while (n > 0 && answer[n - 1] == '\n')
        answer[--n] = '\0';
    how = pclose(out);
    return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

/* Processors of the cluster, 0: not known. */
static unsigned processors(void)
{
    char answer[ANSWER_ROOM], *at;

    if (ask("sinfo -h -o %C 2>/dev/null", answer) != 0) /* allocated/idle/other/total */
        return 0;
    at = strrchr(answer, '/');
    return at != NULL ? (unsigned)strtoul(at + 1, NULL, 10) : 0;
}

/* Whether tasks are waiting or running. If the controller does not answer, it is asked again
 * later. */
static bool under_way(struct sweep *s)
{
    char command[160], answer[ANSWER_ROOM];

    snprintf(command, sizeof(command), "squeue -h -j %s -o '%%T %%r' 2>&1", s->job);
    if (ask(command, answer) != 0)
        return strstr(answer, "Invalid job id") == NULL;
    if (strstr(answer, "RUNNING") == NULL && answer[0] != '\0' && ++s->waits == TOLD_AFTER &&
        s->slurm->say != NULL) {
        char text[256];

        snprintf(text, sizeof(text), "job %s waits: %.*s", s->job, (int)strcspn(answer, "\n"),
                 answer);
        s->slurm->say(text);
    }
    return answer[0] != '\0';
}

static void cancel(const struct sweep *s)
{
    char command[160], answer[ANSWER_ROOM];

    snprintf(command, sizeof(command), "scancel %s 2>&1", s->job);
    ask(command, answer);
    unlink(s->task.job);
}

/* --- stored results -------------------------------------------------------------------------- */

static bool has_failed(const struct sweep *s, const char *id, char path[BYW_PATH_ROOM])
{
    return snprintf(path, BYW_PATH_ROOM, "%s/%s", s->task.failed, id) < BYW_PATH_ROOM &&
           access(path, F_OK) == 0;
}

static void read_failure(struct sweep *s, const char *path)
{
    FILE *in = fopen(path, "r");

    if (s->state->failed++ == 0 && in != NULL &&
        fgets(s->state->failure.text, sizeof(s->state->failure.text), in) != NULL)
        s->state->failure.text[strcspn(s->state->failure.text, "\n")] = '\0';
    if (in != NULL)
        fclose(in);
}

/* Records new results; returns their number. */
static size_t look(struct sweep *s)
{
    size_t fresh = 0;

    for (size_t i = 0; i < byw_plan_count(s->plan); i++) {
        const struct byw_point *point = byw_plan_point(s->plan, i);
        char path[BYW_PATH_ROOM];
        json_t *result = NULL;

        if (s->there[i])
            continue;
        if (byw_store_has(s->store, point->id)) {
            if (byw_store_get(s->store, point->id, &result, NULL) != BYW_OK)
                continue;
            s->progress.cycles += (uint64_t)byw_result_number(result, "cycles");
            s->progress.warp_instructions +=
                (uint64_t)byw_result_number(result, "warp_instructions");
            s->state->there++;
            s->state->refused += byw_result_refused(result) != NULL;
            json_decref(result);
        } else if (has_failed(s, point->id, path)) {
            read_failure(s, path);
        } else {
            continue;
        }
        s->there[i] = true;
        s->left--;
        s->progress.done++;
        fresh++;
    }
    if (s->how->progress != NULL)
        s->how->progress(s->how->progress_ctx, &s->progress);
    return fresh;
}

/* --- a job array ----------------------------------------------------------------------------- */

static size_t tasks_for(const struct sweep *s)
{
    unsigned room = processors();
    size_t tasks;

    if (s->slurm->limit != 0 && (room == 0 || room > s->slurm->limit))
        room = s->slurm->limit;
    if (room == 0)
        room = 16;
    tasks = (size_t)fmin(ceil(s->state->seconds / PART_SECONDS), MOST_TASKS);
    if (tasks < room)
        tasks = room;
    if (tasks > MOST_TASKS)
        tasks = MOST_TASKS;
    return tasks < s->left ? tasks : s->left;
}

/* Distributes the missing points to the tasks, in turn. */
static enum byw_status write_parts(struct sweep *s, size_t tasks, char path[BYW_PATH_ROOM],
                                   struct byw_diag *diag)
{
    char *text = NULL, sum[BYW_TRACE_SUM_ROOM];
    size_t size = 0, points = byw_plan_count(s->plan);
    FILE *out = open_memstream(&text, &size);
    enum byw_status st;

    for (size_t t = 0; out != NULL && t < tasks; t++) {
        for (size_t i = 0, n = 0; i < points; i++)
            if (!s->there[i] && n++ % tasks == t)
                fprintf(out, "%s ", byw_plan_point(s->plan, i)->id);
        fputc('\n', out);
    }
    if (out == NULL || fclose(out) != 0)
        st = byw_no_memory(diag, "the sweep");
    else {
        byw_text_sum(text, size, sum);
        st = byw_slurm_task_path(&s->task, "parts-", sum, path, diag);
    }
    if (st == BYW_OK)
        st = byw_slurm_task_write(path, text, size, false, diag);
    free(text);
    return st;
}

static enum byw_status write_script(const struct sweep *s, size_t tasks, const char *parts,
                                    struct byw_diag *diag)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    enum byw_status st;

    if (out == NULL)
        return byw_no_memory(diag, "the sweep");
    fprintf(out, "#!/bin/sh\n# Made by byway sweep --engine slurm.\n#SBATCH --job-name=byway\n");
    fprintf(out, "#SBATCH --array=0-%zu", tasks - 1);
    if (s->slurm->limit != 0)
        fprintf(out, "%%%u", s->slurm->limit);
    fprintf(out, "\n#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --ntasks=1\n"
                 "#SBATCH --cpus-per-task=1\n");
    for (size_t i = 0; i < s->slurm->options; i++)
        fprintf(out, "#SBATCH %s\n", s->slurm->option[i]);
    fputs("BYWAY_CONFIGS=", out);
    byw_slurm_task_quote(out, s->places->configs);
    fputs("\nBYWAY_TRACES=", out);
    byw_slurm_task_quote(out, s->places->traces);
    fputs("\nexport BYWAY_CONFIGS BYWAY_TRACES\nexec ", out);
    byw_slurm_task_quote(out, s->task.program);
    fprintf(out, " %s --part ", s->slurm->arguments);
    byw_slurm_task_quote(out, parts);
    fputs(":$SLURM_ARRAY_TASK_ID\n", out);
    if (fclose(out) != 0)
        return byw_no_memory(diag, "the sweep");
    st = byw_slurm_task_write(s->task.script, text, size, false, diag);
    free(text);
    return st;
}

static enum byw_status submit(struct sweep *s, struct byw_diag *diag)
{
    char parts[BYW_PATH_ROOM], answer[ANSWER_ROOM], *command = NULL;
    size_t tasks = tasks_for(s), size = 0;
    enum byw_status st = write_parts(s, tasks, parts, diag);
    FILE *line;
    int code;

    if (st == BYW_OK)
        st = write_script(s, tasks, parts, diag);
    if (st != BYW_OK)
        return st;
    line = open_memstream(&command, &size);
    if (line == NULL)
        return byw_no_memory(diag, "the sweep");
    fputs("sbatch --parsable --output=", line);
    byw_slurm_task_quote(line, s->task.log);
    fputc(' ', line);
    byw_slurm_task_quote(line, s->task.script);
    fputs(" 2>&1", line);
    code = fclose(line) == 0 ? ask(command, answer) : -1;
    free(command);
    if (code != 0)
        return byw_diag_set(diag, code == 127 ? BYW_EUNSUPPORTED : BYW_EIO,
                            "sbatch rejected the job (%.300s); expected a Slurm cluster that "
                            "accepts %s, or --engine local",
                            answer, s->task.script);
    answer[strcspn(answer, ";\n")] = '\0'; /* NUMBER;CLUSTER */
    snprintf(s->job, sizeof(s->job), "%.63s", answer);
    if (s->slurm->say != NULL) {
        char text[256];

        snprintf(text, sizeof(text), "job %s: %zu tasks for %zu runs", s->job, tasks, s->left);
        s->slurm->say(text);
    }
    return byw_slurm_task_write(s->task.job, s->job, strlen(s->job), false, diag);
}

/* Waits until all results exist, or the job has ended. */
static enum byw_status follow(struct sweep *s, size_t *fresh, struct byw_diag *diag)
{
    unsigned gone = 0;

    *fresh = 0;
    for (unsigned turn = 1; gone < 2; turn++) {
        unsigned long ms = POLL_MS + s->left / 50; /* looking at many files takes long */

        nanosleep(&(struct timespec){.tv_sec = (time_t)(ms / 1000),
                                     .tv_nsec = (long)(ms % 1000) * 1000000L},
                  NULL);
        *fresh += look(s);
        if (s->left == 0)
            break;
        if (stopped(s)) {
            cancel(s);
            return byw_diag_set(diag, BYW_ESTUCK, "interrupted");
        }
        if (turn % ASK_EVERY == 0)
            gone = under_way(s) ? 0 : gone + 1; /* two checks, as the last results appear late */
    }
    cancel(s);
    return BYW_OK;
}

static enum byw_status rounds(struct sweep *s, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;
    unsigned vain = 0;

    if (byw_slurm_task_job(&s->task, s->job, sizeof(s->job)) && under_way(s)) {
        size_t fresh; /* points of the job that an earlier command submitted */

        st = follow(s, &fresh, diag);
    }
    while (st == BYW_OK && s->left > 0) {
        size_t fresh;

        st = submit(s, diag);
        if (st == BYW_OK)
            st = follow(s, &fresh, diag);
        if (st == BYW_OK && fresh > 0)
            vain = 0;
        else if (st == BYW_OK && ++vain == VAIN_ROUNDS)
            st = byw_diag_set(
                diag, BYW_ECHECK,
                "the tasks end but store no results; %zu runs are missing; the tasks' output "
                "is in %s/slurm/task-*.log",
                s->left, byw_store_path(s->store));
    }
    return st;
}

/* Stores the refused runs, and counts the results that exist. */
static enum byw_status begin(struct sweep *s, struct byw_diag *diag)
{
    enum byw_status st = byw_slurm_task_open(&s->task, byw_store_path(s->store), true, diag);

    for (size_t i = 0; st == BYW_OK && i < byw_plan_count(s->plan); i++) {
        const struct byw_point *point = byw_plan_point(s->plan, i);

        if (point->refused != NULL && !byw_store_has(s->store, point->id))
            st = byw_sweep_put_refusal(point, s->store, s->how, diag);
    }
    s->left = byw_plan_count(s->plan);
    s->state->there = s->state->refused = 0;
    if (st == BYW_OK)
        look(s);
    s->progress.done = 0;
    s->progress.count = s->left;
    s->progress.cycles = s->progress.warp_instructions = 0;
    s->progress.expected = s->how->expected;
    return st;
}

enum byw_status byw_slurm_run(const struct byw_plan *plan, struct byw_store *store,
                              const struct byw_places *places, const struct byw_slurm *slurm,
                              const struct byw_job_options *how, struct byw_sweep_state *state,
                              struct byw_diag *diag)
{
    struct sweep s = {.plan = plan,
                      .store = store,
                      .places = places,
                      .slurm = slurm,
                      .how = how,
                      .state = state,
                      .there = calloc(byw_plan_count(plan) + 1, sizeof(bool))};
    enum byw_status st = s.there == NULL ? byw_no_memory(diag, "the sweep") : begin(&s, diag);

    if (st == BYW_OK)
        st = rounds(&s, diag);
    free(s.there);
    return st;
}
