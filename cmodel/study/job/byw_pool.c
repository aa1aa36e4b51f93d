/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_pool.c - byw_jobs_run(): one process per job, results through pipes.
 *
 * A child writes one byte of status and then the result's JSON text, or the message of its failure,
 * and ends. While it runs, it reports progress in a shared page that only it writes.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "study/job/byw_job.h"
#include "study/job/byw_provenance.h"

enum { MAX_WORKERS = 256, POLL_MS = 100, CHUNK = 65536 };

struct tally {
    atomic_ullong cycles, warp_instructions;
};

struct worker {
    pid_t pid; /* 0: free */
    int fd;
    size_t job;
    char *text;
    size_t used, room;
};

struct pool {
    const struct byw_job *jobs;
    const struct byw_job_options *options;
    json_t **results;
    struct byw_diag *diag;
    enum byw_status status; /* with diag: of the first job that failed */
    size_t count, next, done;
    unsigned workers;
    struct tally *tally; /* one per job, shared with the children */
    struct worker worker[MAX_WORKERS];
};

/* --- the child ---------------------------------------------------------------------------- */

static void note_progress(void *ctx, const struct byw_job_progress *progress)
{
    struct tally *tally = ctx;

    atomic_store(&tally->cycles, progress->cycles);
    atomic_store(&tally->warp_instructions, progress->warp_instructions);
}

static bool write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, data, size);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

static void child_main(const struct pool *pool, size_t job, int fd)
{
    struct byw_job_options options = *pool->options;
    struct byw_diag diag = {""};
    json_t *result = NULL;
    enum byw_status st;
    char *text = NULL;
    char code;
    bool ok;

    options.progress = note_progress;
    options.progress_ctx = &pool->tally[job];
    st = byw_job_run(&pool->jobs[job], &options, &result, &diag);
    if (st == BYW_OK && options.stop != NULL && *options.stop != 0) /* a partial result does not
                                                                       count */
        st = byw_diag_set(&diag, BYW_ESTUCK, "interrupted; no result was written");
    if (st == BYW_OK) {
        note_progress(
            &pool->tally[job],
            &(struct byw_job_progress){
                .cycles = (uint64_t)byw_result_number(result, "cycles"),
                .warp_instructions = (uint64_t)byw_result_number(result, "warp_instructions")});
        text = json_dumps(result, JSON_COMPACT | JSON_REAL_PRECISION(17));
    }
    code = (char)st;
    ok = write_all(fd, &code, 1) && (text != NULL ? write_all(fd, text, strlen(text))
                                                  : write_all(fd, diag.text, strlen(diag.text)));
    free(text);
    json_decref(result);
    close(fd);
    _exit(ok ? 0 : 1);
}

/* --- the parent --------------------------------------------------------------------------- */

static bool stopped(const struct pool *pool)
{
    return pool->options->stop != NULL && *pool->options->stop != 0;
}

static void fail(struct pool *pool, enum byw_status status, const char *text)
{
    if (pool->status != BYW_OK)
        return;
    pool->status = byw_diag_set(pool->diag, status, "%s", text);
}

/* If the parent dies, kill the child. */
static void end_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
}

static void start(struct pool *pool, struct worker *w)
{
    pid_t parent = getpid();
    int fds[2];

    if (pipe(fds) != 0) {
        fail(pool, BYW_EIO,
             "cannot create a pipe for a run; raise the limit of open files (ulimit -n)");
        return;
    }
    fflush(NULL);
    w->job = pool->next;
    w->used = 0;
    w->pid = fork();
    if (w->pid == 0) {
        close(fds[0]);
        end_with(parent);
        child_main(pool, w->job, fds[1]);
    }
    close(fds[1]);
    if (w->pid < 0) {
        close(fds[0]);
        w->pid = 0;
        fail(pool, BYW_ENOMEM,
             "cannot start a process for a run; lower -j, or raise the limit of processes (ulimit "
             "-u)");
        return;
    }
    w->fd = fds[0];
    pool->next++;
}

/* The record of a run without a result; `why` is a whole sentence. */
static json_t *gap(const struct pool *pool, const struct byw_job *job, const char *why)
{
    const struct byw_run_names names = {
        .workload = job->workload, .machine = job->machine, .policy = job->policy};
    json_t *result = byw_result_refusal(&names, job->config, why);

    if (pool->options->command != NULL && result != NULL)
        json_object_set_new(result, "provenance",
                            byw_provenance_json(pool->options->command, pool->options->commit,
                                                job->trace, job->trace_sum));
    return result;
}

/* The record of a job that the machine cannot run. */
static json_t *refusal(const struct pool *pool, const struct byw_job *job, const char *text)
{
    struct byw_diag why;

    byw_diag_set(&why, BYW_OK, "machine %s refuses %s: %s", job->machine, job->workload, text);
    return gap(pool, job, why.text);
}

/* The record of a run that failed; other runs continue. */
static json_t *failure(const struct pool *pool, const struct byw_job *job, const char *text)
{
    struct byw_diag why;

    byw_diag_set(&why, BYW_OK, "%s failed on %s: %s", job->workload, job->machine, text);
    return gap(pool, job, why.text);
}

/* Passes on the outcome of a run. */
static void deliver(struct pool *pool, size_t job, enum byw_status status, json_t *result,
                    const struct byw_diag *why)
{
    const struct byw_job_sink *sink = pool->options->sink;
    enum byw_status st;

    if (status == BYW_OK && result == NULL) {
        fail(pool, BYW_ENOMEM, "out of memory for a run's result");
    } else if (sink != NULL) {
        struct byw_diag diag = {""};

        st = sink->take(sink->ctx, job, status, result, why, &diag);
        if (st != BYW_OK)
            fail(pool, st, diag.text);
        json_decref(result);
    } else if (status == BYW_OK) {
        pool->results[job] = result;
    } else {
        fail(pool, status, why->text);
    }
}

static void finish(struct pool *pool, struct worker *w)
{
    const struct byw_job *job = &pool->jobs[w->job];
    struct byw_diag why = {""};
    enum byw_status st = BYW_OK;
    json_t *result = NULL;
    json_error_t error;
    int how = 0;

    close(w->fd);
    while (waitpid(w->pid, &how, 0) < 0 && errno == EINTR)
        ;
    w->pid = 0;
    pool->done++;
    if (w->used == 0 || how != 0) {
        byw_diag_set(&why, BYW_ECHECK, "%s on %s: the run's process ended early (%s %d)",
                     job->workload, job->policy, WIFSIGNALED(how) ? "signal" : "exit code",
                     WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
        st = BYW_ECHECK;
    } else if (w->text[0] != (char)BYW_OK) {
        byw_diag_set(&why, BYW_OK, "%.*s", (int)(w->used - 1), w->text + 1);
        st = (enum byw_status)w->text[0];
    } else {
        result = json_loadb(w->text + 1, w->used - 1, 0, &error);
    }
    if (st == BYW_EINVAL || st == BYW_EUNSUPPORTED) {
        result = refusal(pool, job, why.text);
        st = BYW_OK;
    } else if (st != BYW_OK && pool->options->gaps && !stopped(pool)) {
        result = failure(pool, job, why.text);
        st = BYW_OK;
    }
    deliver(pool, w->job, st, result, &why);
}

/* Reads a child's output; true while there may be more. */
static bool take(struct pool *pool, struct worker *w)
{
    ssize_t n;

    if (w->room - w->used < CHUNK) {
        char *grown = realloc(w->text, w->room * 2 + CHUNK);

        if (grown == NULL) {
            fail(pool, BYW_ENOMEM, "out of memory for a run's result");
            return false;
        }
        w->text = grown;
        w->room = w->room * 2 + CHUNK;
    }
    n = read(w->fd, w->text + w->used, w->room - w->used);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN;
    w->used += (size_t)n;
    return n > 0;
}

static void report(const struct pool *pool)
{
    struct byw_job_progress progress = {
        .done = pool->done, .count = pool->count, .expected = pool->options->expected};

    if (pool->options->progress == NULL)
        return;
    for (size_t i = 0; i < pool->count; i++) {
        progress.cycles += atomic_load(&pool->tally[i].cycles);
        progress.warp_instructions += atomic_load(&pool->tally[i].warp_instructions);
    }
    pool->options->progress(pool->options->progress_ctx, &progress);
}

static void wait_for_some(struct pool *pool)
{
    struct pollfd fds[MAX_WORKERS];
    struct worker *of[MAX_WORKERS];
    nfds_t n = 0;

    for (unsigned i = 0; i < pool->workers; i++)
        if (pool->worker[i].pid != 0) {
            fds[n] = (struct pollfd){.fd = pool->worker[i].fd, .events = POLLIN};
            of[n++] = &pool->worker[i];
        }
    if (poll(fds, n, POLL_MS) > 0)
        for (nfds_t i = 0; i < n; i++)
            if (fds[i].revents != 0 && !take(pool, of[i]))
                finish(pool, of[i]);
    report(pool);
}

static void end_children(struct pool *pool)
{
    for (unsigned i = 0; i < pool->workers; i++) {
        struct worker *w = &pool->worker[i];

        if (w->pid != 0) {
            kill(w->pid, SIGKILL);
            close(w->fd);
            while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
                ;
            w->pid = 0;
        }
        free(w->text);
        w->text = NULL;
    }
}

/* Skips jobs that the sink does not want. */
static void skip_unwanted(struct pool *pool)
{
    const struct byw_job_sink *sink = pool->options->sink;

    while (sink != NULL && pool->next < pool->count && !sink->wants(sink->ctx, pool->next)) {
        pool->next++;
        pool->done++;
    }
}

static void work(struct pool *pool)
{
    while (pool->status == BYW_OK && pool->done < pool->count) {
        for (unsigned i = 0; i < pool->workers; i++) {
            if (pool->worker[i].pid != 0 || pool->status != BYW_OK)
                continue;
            skip_unwanted(pool);
            if (pool->next < pool->count)
                start(pool, &pool->worker[i]);
        }
        wait_for_some(pool);
        if (stopped(pool))
            fail(pool, BYW_ESTUCK, "interrupted; no result was written");
    }
    end_children(pool);
}

enum byw_status byw_jobs_run(const struct byw_job *jobs, size_t count, unsigned workers,
                             const struct byw_job_options *options, json_t **results,
                             struct byw_diag *diag)
{
    size_t bytes = (count + 1) * sizeof(struct tally);
    struct pool *pool = calloc(1, sizeof(*pool));
    enum byw_status st;

    if (results != NULL)
        memset(results, 0, count * sizeof(*results));
    if (pool == NULL)
        return byw_no_memory(diag, "the runs");
    pool->tally = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pool->tally == MAP_FAILED) {
        free(pool);
        return byw_no_memory(diag, "the runs");
    }
    pool->jobs = jobs;
    pool->options = options;
    pool->results = results;
    pool->diag = diag;
    pool->count = count;
    pool->workers = workers == 0 ? 1 : workers > MAX_WORKERS ? MAX_WORKERS : workers;
    work(pool);
    st = pool->status;
    if (st != BYW_OK && results != NULL && !(options->keeps_stopped && stopped(pool)))
        for (size_t i = 0; i < count; i++) {
            json_decref(results[i]);
            results[i] = NULL;
        }
    munmap(pool->tally, bytes);
    free(pool);
    return st;
}
