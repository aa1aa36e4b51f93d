/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/run/byw_cl_process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "capture/byw_bounds.h"
#include "capture/byw_capture.h"
#include "capture/byw_report.h"
#include "capture/machine/byw_ptxas.h"
#include "capture/run/byw_cl_guard.h"
#include "capture/run/byw_cl_leash.h"

#define PAGE 4096u

struct byw_cl_range {
    uint64_t base, size;
    struct byw_cl_range *next;
};

struct byw_cl_process {
    pthread_mutex_t lock; /* recursive: exit handlers may run inside a launch */
    pthread_once_t once;
    struct byw_cl_settings settings;
    struct byw_cl_device claims;
    const char *trace_path; /* NULL: just run */
    int status_fd; /* socket to byw_capture_run; -1: none */
    pid_t owner; /* the process that writes the trace; its children must not write it */
    _Atomic pid_t running; /* thread that is running a launch; 0: none */
    struct byw_trace_writer *writer;
    struct byw_cl_runner *runner;
    struct byw_bounds *bounds;
    uint64_t launches; /* so far */
    /* launches that were traced, at least in part; launches that could not run */
    uint64_t kept, skipped;
    bool cut; /* the kernel has ended the launch being run */
    volatile sig_atomic_t tracing; /* a traced launch is being run */
    volatile sig_atomic_t stop; /* signal that ends the process after the current group */
    bool failed;
    bool ended; /* the trace is published: no more launches */
    uintptr_t arena; /* next free address */
    struct byw_cl_range *ranges; /* list of all buffers */
};

/* The entry points of OpenCL and CUDA take no context, so the process has one; all other state
 * belongs to their objects. */
static struct byw_cl_process process = {.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                                        .once = PTHREAD_ONCE_INIT,
                                        .status_fd = -1,
                                        .arena = BYW_CL_BUFFER_BASE};

void byw_cl_say(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    fputs("byway: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
}

static void tell(char what, const struct byw_trace_seal *seal, int fd)
{
    if (process.status_fd >= 0 && !byw_report_send(process.status_fd, what, seal, fd))
        process.status_fd = -1;
}

static void note(char what)
{
    tell(what, NULL, -1);
}

void byw_cl_refuse(const char *why, bool broken)
{
    byw_cl_process_start();
    if (process.status_fd >= 0 && !byw_report_refused(process.status_fd, BYW_CAPTURE_REFUSED, why))
        process.status_fd = -1;
    process.failed |= broken;
}

void byw_cl_skip_launch(const char *why)
{
    byw_cl_process_start();
    pthread_mutex_lock(&process.lock);
    process.launches++;
    process.skipped++;
    if (process.status_fd >= 0 && !byw_report_refused(process.status_fd, BYW_CAPTURE_SKIPPED, why))
        process.status_fd = -1;
    pthread_mutex_unlock(&process.lock);
}

static void note_seal(void *context, const struct byw_trace_seal *seal)
{
    (void)context;
    tell(BYW_CAPTURE_SEALED, seal, -1);
}

/* Publishes the trace when the program ends by exit() or by returning from main(). Waits for
 * another thread's launch; nothing is launched afterwards. */
static void finish(void)
{
    struct byw_diag diag = {{0}};

    if (process.owner != getpid())
        return;
    if (process.running == gettid()) { /* a signal handler has called exit() */
        byw_cl_say("the program ended itself while a kernel was running");
        note(BYW_CAPTURE_CUT);
        return;
    }
    pthread_mutex_lock(&process.lock);
    if (byw_cl_bounded() && process.kept == 0)
        byw_cl_say("the capture options select none of %llu launches",
                   (unsigned long long)process.launches);
    process.failed |= process.kept == 0 && process.skipped != 0;
    if (process.failed)
        byw_trace_abandon(process.writer);
    else if (process.writer != NULL && byw_trace_finish(process.writer, &diag) != BYW_OK)
        byw_cl_say("%s", diag.text);
    if (process.writer != NULL)
        note(process.failed || diag.text[0] != '\0' ? BYW_CAPTURE_FAILED : BYW_CAPTURE_FINISHED);
    process.writer = NULL;
    process.ended = true;
    pthread_mutex_unlock(&process.lock);
}

static void report_reads(void)
{
    const struct byw_cl_bad_reads *reads;

    if (process.owner != getpid() || process.runner == NULL)
        return;
    reads = byw_cl_runner_reads(process.runner);
    if (reads->count != 0)
        byw_cl_say("%llu out-of-bounds reads returned zeros, the first in kernel %s, line %u",
                   (unsigned long long)reads->count, reads->kernel, reads->line);
}

uint32_t byw_cl_warp_size(void)
{
    byw_cl_process_start();
    return process.settings.warp_size;
}

/* The command has checked the settings; errors in an environment set by hand are reported. */
static void set_bounds(void)
{
    const struct byw_bounds_request all = {.instructions = 0}, request = byw_bounds_import();
    struct byw_diag diag = {{0}};

    if (byw_bounds_create(&request, &process.bounds, &diag) == BYW_OK)
        return;
    byw_cl_say("%s; every launch is kept", diag.text);
    if (byw_bounds_create(&all, &process.bounds, &diag) != BYW_OK)
        byw_cl_say("%s", diag.text);
}

static void start(void)
{
    const char *path = getenv(BYW_CAPTURE_ENV_TRACE), *fd = getenv(BYW_CAPTURE_ENV_STATUS),
               *leash = getenv(BYW_CAPTURE_ENV_LEASH);
    struct byw_diag diag = {{0}};

    process.trace_path = path != NULL && *path != '\0' ? path : NULL;
    if (fd != NULL)
        process.status_fd = atoi(fd);
    if (process.status_fd >= 0)
        fcntl(process.status_fd, F_SETFD, FD_CLOEXEC);
    process.owner = getpid();
    if (leash != NULL)
        byw_cl_leash(atoi(leash));
    note(BYW_CAPTURE_LOADED);
    byw_cl_device_read(getenv(BYW_CL_ENV_DEVICE), &process.claims);
    if (process.claims.complaint[0] != '\0')
        byw_cl_say("%s", process.claims.complaint);
    set_bounds();
    if (byw_cl_settings_read(&process.settings, &diag) != BYW_OK ||
        byw_cl_runner_create(&process.settings, &process.runner, &diag) != BYW_OK)
        byw_cl_say("%s", diag.text);
    atexit(report_reads);
    if (process.trace_path != NULL) {
        atexit(finish);
        at_quick_exit(finish);
    }
}

void byw_cl_process_start(void)
{
    pthread_once(&process.once, start);
}

const struct byw_cl_device *byw_cl_device_claims(void)
{
    byw_cl_process_start();
    return &process.claims;
}

bool byw_cl_tracing(void)
{
    byw_cl_process_start();
    return process.trace_path != NULL;
}

bool byw_cl_bounded(void)
{
    return byw_cl_tracing() && process.bounds != NULL && byw_bounds_any(process.bounds);
}

static size_t pages(size_t size)
{
    return (size + PAGE - 1) / PAGE * PAGE;
}

static void *take_at(uintptr_t want, size_t bytes, int access)
{
    void *got = mmap((void *)want, bytes, access,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

    if (got == MAP_FAILED || got == (void *)want)
        return got == MAP_FAILED ? NULL : got;
    munmap(got, bytes);
    return NULL;
}

/* A buffer at `want`, or if that is 0 at the next free address. */
static void *take(uintptr_t want, size_t size, size_t align, int access)
{
    size_t bytes = pages(size);
    struct byw_cl_range *range = calloc(1, sizeof(*range));
    void *got;

    if (range == NULL)
        return NULL;
    byw_cl_process_start();
    pthread_mutex_lock(&process.lock);
    if (want == 0)
        process.arena = (process.arena + align - 1) & ~(uintptr_t)(align - 1);
    got = take_at(want == 0 ? process.arena : want, bytes, access);
    if (got != NULL) {
        if (want == 0)
            process.arena += bytes + PAGE; /* a page between buffers catches accesses beyond their
                                              end */
        *range = (struct byw_cl_range){(uint64_t)(uintptr_t)got, size, process.ranges};
        process.ranges = range;
    }
    pthread_mutex_unlock(&process.lock);
    if (got == NULL)
        free(range);
    return got;
}

void *byw_cl_arena_take(size_t size)
{
    return take(0, size, PAGE, PROT_READ | PROT_WRITE);
}

bool byw_cl_arena_retake(void *data, size_t size)
{
    return take((uintptr_t)data, size, PAGE, PROT_READ | PROT_WRITE) != NULL;
}

void *byw_cl_arena_reserve(size_t size, size_t align)
{
    return take(0, size, align, PROT_NONE);
}

size_t byw_cl_arena_size(const void *data)
{
    const struct byw_cl_range *range;
    size_t size;

    pthread_mutex_lock(&process.lock);
    range = process.ranges;
    while (range != NULL && range->base != (uint64_t)(uintptr_t)data)
        range = range->next;
    size = range == NULL ? 0 : range->size;
    pthread_mutex_unlock(&process.lock);
    return size;
}

bool byw_cl_arena_contains(const void *data, size_t size)
{
    const struct byw_cl_range *range;
    uint64_t at = (uint64_t)(uintptr_t)data;
    bool found = false;

    pthread_mutex_lock(&process.lock);
    for (range = process.ranges; range != NULL && !found; range = range->next)
        found = at >= range->base && at - range->base < range->size &&
                size <= range->size - (at - range->base);
    pthread_mutex_unlock(&process.lock);
    return found;
}

void byw_cl_arena_give(void *data, size_t size)
{
    struct byw_cl_range **p = &process.ranges, *range;

    pthread_mutex_lock(&process.lock);
    while (*p != NULL && (*p)->base != (uint64_t)(uintptr_t)data)
        p = &(*p)->next;
    range = *p;
    if (range != NULL)
        *p = range->next;
    pthread_mutex_unlock(&process.lock);
    free(range);
    munmap(data, pages(size));
}

/* Distance in bytes of an address from a range; 0 inside of it. */
static uint64_t distance(const struct byw_cl_range *range, uint64_t address)
{
    if (address < range->base)
        return range->base - address;
    return address - range->base < range->size ? 0 : address - range->base - range->size + 1;
}

bool byw_cl_arena_nearest(uint64_t address, uint64_t *base, uint64_t *size)
{
    const struct byw_cl_range *best = process.ranges;

    for (const struct byw_cl_range *range = best; range != NULL; range = range->next)
        if (distance(range, address) < distance(best, address))
            best = range;
    if (best == NULL)
        return false;
    *base = best->base;
    *size = best->size;
    return true;
}

/* During a traced launch the current group is finished first; a second signal ends the process at
 * once. */
static void end_by_signal(int number)
{
    struct sigaction otherwise = {.sa_handler = SIG_DFL};

    if (process.tracing && process.stop == 0) {
        process.stop = number;
        return;
    }
    sigaction(number, &otherwise, NULL);
    raise(number);
}

/* Installed only for signals that would end the program. */
static void catch_signals(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction action = {.sa_handler = end_by_signal, .sa_flags = SA_RESTART};
    struct sigaction before;

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        if (sigaction(ends[i], NULL, &before) == 0 && (before.sa_flags & SA_SIGINFO) == 0 &&
            before.sa_handler == SIG_DFL)
            sigaction(ends[i], &action, NULL);
}

static enum byw_status open_trace(struct byw_diag *diag)
{
    enum byw_status status;
    int fd;

    if (process.trace_path == NULL || process.writer != NULL)
        return BYW_OK;
    status = byw_ptxas_wants_machine()
                 ? byw_trace_create_machine(process.trace_path, (int)process.settings.level,
                                            &process.writer, diag)
                 : byw_trace_create(process.trace_path, (int)process.settings.level,
                                    &process.writer, diag);
    if (status != BYW_OK || process.status_fd < 0)
        return status;
    fd = byw_trace_descriptor(process.writer);
    if (fd >= 0) {
        tell(BYW_CAPTURE_OPENED, NULL, fd);
        byw_trace_on_seal(process.writer, note_seal, NULL);
        catch_signals();
    }
    return status;
}

/* Whether this process may launch: a trace has one writer, and a child has only a copy of its
 * parent's. */
static bool may_launch(void)
{
    if (process.runner == NULL || process.ended)
        return false;
    if (process.owner == getpid())
        return true;
    if (process.writer != NULL) {
        byw_cl_say("process %ld was forked after the first launch: its kernels do not run",
                   (long)getpid());
        return false;
    }
    process.owner = getpid();
    return true;
}

/* Runs the selected groups of a launch until all have run or it is stopped; *next: the first
 * group that has not run. */
static enum byw_status run_traced(struct byw_cl_launch *launch, uint64_t *next,
                                  struct byw_diag *diag)
{
    enum byw_status status;

    process.kept++;
    launch->nearest = byw_cl_arena_nearest;
    launch->bounds = process.bounds;
    launch->stop = &process.stop;
    process.tracing = true;
    status = byw_cl_run(process.runner, launch, process.writer, next, diag);
    if (status == BYW_OK)
        status = byw_trace_flush(process.writer,
                                 !process.cut && *next == byw_cl_launch_groups(launch), diag);
    process.tracing = false;
    if (status == BYW_OK && process.stop != 0)
        end_by_signal(process.stop);
    return status;
}

/* Runs a launch, starting at group *next, without a trace. */
static enum byw_status run_plain(struct byw_cl_launch *launch, uint64_t *next,
                                 struct byw_diag *diag)
{
    launch->first_group = *next;
    launch->nearest = byw_cl_arena_nearest;
    return byw_cl_run(process.runner, launch, NULL, next, diag);
}

static enum byw_status run(struct byw_cl_launch *launch,
                           void (*find_plain)(void *context, struct byw_cl_launch *plain),
                           void *context, struct byw_diag *diag)
{
    struct byw_cl_launch rest = *launch;
    enum byw_status status = BYW_OK;
    uint64_t next = 0;

    if (process.writer != NULL &&
        byw_bounds_keep(process.bounds, process.launches, launch->kernel->code->name))
        status = run_traced(launch, &next, diag);
    if (status != BYW_OK || process.cut || next == byw_cl_launch_groups(launch))
        return status;
    if (byw_cl_tracing())
        find_plain(context, &rest);
    return run_plain(&rest, &next, diag);
}

_Noreturn void byw_cl_end_launch(void)
{
    if (!byw_cl_runner_is_between_parts(process.runner))
        exit(EXIT_FAILURE);
    process.cut = true;
    note(BYW_CAPTURE_CUT);
    byw_cl_guard_leave();
}

bool byw_cl_execute(struct byw_cl_launch *launch,
                    void (*find_plain)(void *context, struct byw_cl_launch *plain), void *context)
{
    struct byw_diag diag = {{0}};
    enum byw_status status;

    byw_cl_process_start();
    pthread_mutex_lock(&process.lock);
    if (!may_launch()) {
        pthread_mutex_unlock(&process.lock);
        return false;
    }
    status = open_trace(&diag);
    if (process.launches == process.skipped)
        note(BYW_CAPTURE_LAUNCHED);
    process.launches++;
    process.running = gettid();
    process.cut = false;
    if (status == BYW_OK)
        status = run(launch, find_plain, context, &diag);
    process.running = 0;
    process.failed |= status != BYW_OK;
    if (status != BYW_OK)
        byw_cl_say("%s", diag.text);
    pthread_mutex_unlock(&process.lock);
    if (status == BYW_OK)
        return !process.cut;
    if (status == BYW_ECHECK || process.trace_path != NULL) {
        note(BYW_CAPTURE_FAILED);
        exit(EXIT_FAILURE);
    }
    return false;
}

uint64_t byw_cl_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
