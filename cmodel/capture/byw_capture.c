/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/byw_capture.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/byw_cl_settings.h"
#include "capture/byw_ready.h"
#include "capture/byw_report.h"
#include "common/byw_file.h"
#include "trace/bwt/byw_trace_writer.h"

#define NO_PROGRAM 127 /* exit status of a child that could not start the program */

#define GRACE_MS 3000 /* from asking the program to end to killing it */
#define PROCESSES_MOST 64

/* Reports of the program and of all processes it started. */
struct report {
    bool loaded, launched, failed, cut;
    unsigned skipped; /* launches of kernels that byway could not run */
    char why[BYW_REPORT_WHY]; /* the first reason for which byway itself failed; empty: none */
    unsigned finished; /* processes that have begun to publish a trace */
    int status; /* of waitpid */
    int error; /* errno of exec, 0: the program was started */
    int signal; /* signal by which the user ended the program; 0: none */
    bool timed_out;
    pid_t process[PROCESSES_MOST]; /* processes that have called OpenCL */
    unsigned processes;
    pid_t writer; /* process that opened the latest trace, whose file is `trace`; -1: none */
    int trace;
    bool sealed;
    struct byw_trace_seal seal;
};

/* The program while it runs. */
struct child {
    pid_t pid;
    int notes; /* socket for the program's reports (byw_report.h) */
    int exec_error; /* receives errno if the program cannot be started */
    int signals; /* signalfd */
    int leash; /* closing this end kills all processes that call OpenCL; -1: closed */
    uint64_t asked; /* clock in ms when it was asked to end; 0: not yet */
    uint64_t deadline; /* clock in ms at which it is asked to end; 0: never */
};

/* Puts an entry in front of those of a list like LD_LIBRARY_PATH. */
static void prepend(const char *variable, const char *entry)
{
    const char *list = getenv(variable);
    char text[2 * PATH_MAX];

    snprintf(text, sizeof(text), "%s%s%s", entry, list != NULL && *list != '\0' ? ":" : "",
             list != NULL ? list : "");
    setenv(variable, text, 1);
}

/* Triton's assembler is byway-ptxas.  CuPy's disk cache is switched off, because it may hold
 * machine code for a real GPU. */
static void prepare_python(void)
{
    char binary[PATH_MAX - 32], path[PATH_MAX];

    byw_ready_self(binary);
    snprintf(path, sizeof(path), "%s/byway-ptxas", binary);
    setenv("TRITON_PTXAS_PATH", path, 1);
    setenv("TRITON_PTXAS_BLACKWELL_PATH", path, 1);
    setenv("CUPY_CACHE_IN_MEMORY", "1", 1);
}

/* Makes byway the only driver that ICD loaders inside programs, such as Python wheels, can find.
 * Khronos's loader reads the first variable, a list of files; ocl-icd reads the second, which may
 * name a library. */
static void prepare_loaders(const struct byw_ready *ready)
{
    char path[PATH_MAX + 32];

    snprintf(path, sizeof(path), "%s/" BYW_READY_OPENCL, ready->folder);
    setenv("OCL_ICD_FILENAMES", path, 1);
    setenv("OCL_ICD_VENDORS", path, 1);
}

static void set_environment(const char *out, unsigned warp, const struct byw_ready *ready,
                            int notes, int leash)
{
    char text[PATH_MAX + 32];

    prepend("LD_LIBRARY_PATH", ready->folder);
    if (ready->cache[0] != '\0')
        setenv("BYWAY_CACHE", ready->cache, 1);
    snprintf(text, sizeof(text), "%s/libbyway-audit.so", ready->folder);
    if (access(text, R_OK) == 0)
        prepend("LD_AUDIT", text);
    prepare_python();
    prepare_loaders(ready);
    setenv(BYW_CAPTURE_ENV_TRACE, out, 1);
    snprintf(text, sizeof(text), "%u", warp);
    setenv(BYW_CAPTURE_ENV_WARP, text, 1);
    snprintf(text, sizeof(text), "%d", notes);
    setenv(BYW_CAPTURE_ENV_STATUS, text, 1);
    snprintf(text, sizeof(text), "%d", leash);
    setenv(BYW_CAPTURE_ENV_LEASH, text, 1);
}

static uint64_t clock_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

/* Kills a program that did not end when asked to. */
static void kill_all(struct child *c)
{
    if (c->leash >= 0)
        close(c->leash);
    c->leash = -1;
    kill(c->pid, SIGKILL);
}

static void ask_to_end(struct child *c, const struct report *report)
{
    c->asked = clock_ms();
    kill(c->pid, SIGTERM);
    for (unsigned i = 0; i < report->processes; i++)
        if (report->process[i] != c->pid)
            kill(report->process[i], SIGTERM);
}

/* A signal from the user is meant for the program; this process stays to clean up. A terminal sends
 * the signal to both processes, other senders only to this one. The second signal kills the
 * program. */
static void pass_on(struct child *c, struct report *report)
{
    struct signalfd_siginfo info;

    if (read(c->signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
        return;
    if (report->signal != 0)
        kill_all(c);
    else if (info.ssi_code <= 0)
        kill(c->pid, (int)info.ssi_signo);
    report->signal = (int)info.ssi_signo;
}

/* Stores a report and its descriptor. */
static void take_report(struct report *report, const struct byw_report *got, int fd)
{
    report->loaded |= got->what == BYW_CAPTURE_LOADED;
    report->launched |= got->what == BYW_CAPTURE_LAUNCHED;
    report->failed |= got->what == BYW_CAPTURE_FAILED;
    report->cut |= got->what == BYW_CAPTURE_CUT;
    report->finished += got->what == BYW_CAPTURE_FINISHED;
    report->skipped += got->what == BYW_CAPTURE_SKIPPED;
    if ((got->what == BYW_CAPTURE_REFUSED || got->what == BYW_CAPTURE_SKIPPED) &&
        report->why[0] == '\0')
        snprintf(report->why, sizeof(report->why), "%s", got->why);
    if (got->what == BYW_CAPTURE_LOADED && report->processes < PROCESSES_MOST)
        report->process[report->processes++] = got->process;
    if (got->what == BYW_CAPTURE_OPENED && fd >= 0) {
        if (report->trace >= 0)
            close(report->trace);
        report->trace = fd;
        report->writer = got->process;
        report->sealed = false;
    } else if (fd >= 0) {
        close(fd);
    }
    if (got->what == BYW_CAPTURE_SEALED && got->process == report->writer) {
        report->seal = got->seal;
        report->sealed = true;
    }
}

/* Checks the deadlines.  Returns milliseconds until the next check; -1: none is needed. */
static int keep_time(struct child *c, struct report *report)
{
    uint64_t now = clock_ms(), next = c->asked != 0 ? c->asked + GRACE_MS : c->deadline;

    if (next == 0)
        return -1;
    if (now < next)
        return next - now > INT_MAX ? INT_MAX : (int)(next - now);
    if (c->asked != 0) {
        kill_all(c);
        c->asked = now;
        return GRACE_MS;
    }
    report->timed_out = true;
    ask_to_end(c, report);
    return GRACE_MS;
}

/* Reads reports until the program, and all it started, have closed the socket. */
static void listen_to(struct child *c, struct report *report)
{
    struct pollfd wait[2] = {{.fd = c->notes, .events = POLLIN},
                             {.fd = c->signals, .events = POLLIN}};
    struct byw_report got;
    int fd, more = 1;

    while (read(c->exec_error, &report->error, sizeof(report->error)) < 0 && errno == EINTR)
        continue;
    while (more != 0) {
        if (poll(wait, 2, keep_time(c, report)) < 0) {
            if (errno != EINTR)
                return;
            continue;
        }
        if (wait[1].revents != 0)
            pass_on(c, report);
        if (wait[0].revents == 0)
            continue;
        more = byw_report_receive(c->notes, &got, &fd);
        if (more == 1)
            take_report(report, &got, fd);
    }
}

/* Blocks the signals and returns the descriptor that delivers them, until *before is restored. */
static int hold_signals(sigset_t *before)
{
    sigset_t ends;

    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGQUIT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    sigprocmask(SIG_BLOCK, &ends, before);
    return signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void close_both(const int pipe[2])
{
    for (int i = 0; i < 2; i++)
        if (pipe[i] >= 0)
            close(pipe[i]);
}

/* The program ends when this process is killed; its children end through the leash, once they call
 * OpenCL. */
static void end_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(NO_PROGRAM);
}

/* Runs in the program's process; does not return. */
static void become(const char *out, unsigned warp, const struct byw_ready *ready,
                   char *const argv[], const struct byw_capture_limits *limits, const int fd[3])
{
    set_environment(out, warp, ready, fd[0], fd[2]);
    byw_bounds_export(&limits->bounds);
    execvp(argv[0], argv);
    if (write(fd[1], &errno, sizeof(errno)) < 0)
        _exit(NO_PROGRAM);
    _exit(NO_PROGRAM);
}

static enum byw_status start(const char *out, unsigned warp, const struct byw_ready *ready,
                             char *const argv[], const struct byw_capture_limits *limits,
                             struct report *report, struct byw_diag *diag)
{
    int notes[2] = {-1, -1}, failure[2] = {-1, -1}, leash[2] = {-1, -1};
    struct child c = {.leash = -1};
    sigset_t before;
    pid_t parent = getpid();

    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, notes) != 0 || pipe(failure) != 0 ||
        pipe(leash) != 0) {
        byw_diag_set(diag, BYW_EIO, "pipe: %s", strerror(errno));
        close_both(notes);
        close_both(failure);
        return BYW_EIO;
    }
    fcntl(notes[0], F_SETFD, FD_CLOEXEC);
    fcntl(failure[0], F_SETFD, FD_CLOEXEC);
    fcntl(failure[1], F_SETFD, FD_CLOEXEC);
    fcntl(leash[1], F_SETFD, FD_CLOEXEC);
    fflush(NULL);
    c.notes = notes[0];
    c.exec_error = failure[0];
    c.leash = leash[1];
    c.signals = hold_signals(&before);
    c.deadline = limits->seconds != 0 ? clock_ms() + 1000 * limits->seconds : 0;
    c.pid = fork();
    if (c.pid == 0) {
        end_with(parent);
        sigprocmask(SIG_SETMASK, &before, NULL);
        become(out, warp, ready, argv, limits, (const int[]){notes[1], failure[1], leash[0]});
    }
    close(notes[1]);
    close(failure[1]);
    close(leash[0]);
    if (c.pid > 0) {
        listen_to(&c, report);
        while (waitpid(c.pid, &report->status, 0) < 0 && errno == EINTR)
            continue;
    }
    close(c.signals);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(notes[0]);
    close(failure[0]);
    if (c.leash >= 0)
        close(c.leash);
    return c.pid > 0 ? BYW_OK : byw_diag_set(diag, BYW_EIO, "fork: %s", strerror(errno));
}

/* Removes a killed program's temporary file, if the file has a name (byw_file.h). */
static void remove_temporaries(const char *out)
{
    char pattern[PATH_MAX + 32];
    glob_t found;

    snprintf(pattern, sizeof(pattern), "%s.tmp-[0-9]*-[0-9]*", out);
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        unlink(found.gl_pathv[i]);
    globfree(&found);
}

/* Writes a trace without launches: some programs, for example in benchmark suites, only query the
 * device or copy data. */
static enum byw_status write_empty(const char *out, const char *program, struct byw_diag *diag)
{
    struct byw_trace_writer *writer;
    enum byw_status status = byw_trace_create(out, 0, &writer, diag);

    if (status == BYW_OK)
        status = byw_trace_finish(writer, diag);
    if (status == BYW_OK)
        byw_diag_set(diag, BYW_OK, "%s: launched no kernel: the trace is empty", program);
    return status;
}

/* Why a program did not finish its trace, as part of a sentence. */
static void describe_end(const struct report *r, const struct byw_capture_limits *limits,
                         char *text, size_t room)
{
    if (r->timed_out)
        snprintf(text, room, "ended after %" PRIu64 " s", limits->seconds);
    else if (WIFSIGNALED(r->status))
        snprintf(text, room, "killed by signal %d (%s)", WTERMSIG(r->status),
                 strsignal(WTERMSIG(r->status)));
    else
        snprintf(text, room, "did not end by exit(), exit status %d", WEXITSTATUS(r->status));
}

/* Completes the trace of a program that died before it could do so itself. */
static enum byw_status end_trace(const char *out, const char *program, struct report *r,
                                 const struct byw_capture_limits *limits, struct byw_diag *diag)
{
    char why[160], rest[96] = "";
    enum byw_status status = byw_trace_end_at(r->trace, &r->seal, out, diag);
    bool wanted = r->skipped == 0 &&
                  (r->timed_out || (!WIFSIGNALED(r->status) && !r->cut && r->seal.complete));

    r->trace = -1;
    if (status != BYW_OK)
        return status;
    describe_end(r, limits, why, sizeof(why));
    if (!r->seal.complete)
        snprintf(rest, sizeof(rest), ", of the last one only %" PRIu64 " work-groups",
                 r->seal.last_ctas);
    return byw_diag_set(diag, wanted ? BYW_OK : BYW_ECHECK,
                        "%s: %s; the trace has the finished part: %" PRIu64 " launches%s", program,
                        why, r->seal.launches, rest);
}

/* Reports that the trace was written. */
static enum byw_status judge_finished(const char *program, const struct report *r,
                                      struct byw_diag *diag)
{
    if (r->skipped != 0)
        return byw_diag_set(diag, BYW_ECHECK,
                            "%s: %u of its launches did not run, and the trace lacks %s: %s",
                            program, r->skipped, r->skipped == 1 ? "it" : "them", r->why);
    if (r->finished > 1)
        byw_diag_set(diag, BYW_OK,
                     "%s: %u of its processes wrote a trace; this one is from the last of them",
                     program, r->finished);
    else if (r->cut)
        byw_diag_set(diag, BYW_OK,
                     "%s: a kernel failed, and the trace has the blocks that had ended by then",
                     program);
    else if (WIFSIGNALED(r->status) || WEXITSTATUS(r->status) != 0)
        byw_diag_set(diag, BYW_OK, "%s: %s %d, though the trace is complete", program,
                     WIFSIGNALED(r->status) ? "killed by signal" : "exit status",
                     WIFSIGNALED(r->status) ? WTERMSIG(r->status) : WEXITSTATUS(r->status));
    return BYW_OK;
}

/* Reports that no trace was written, not even a partial one. */
static enum byw_status judge_nothing(const char *out, const char *program, const struct report *r,
                                     const struct byw_capture_limits *limits, struct byw_diag *diag)
{
    char why[160];

    describe_end(r, limits, why, sizeof(why));
    if (r->why[0] != '\0')
        return byw_diag_set(diag, BYW_ECHECK, "%s: launched no kernel: %s; no trace written",
                            program, r->why);
    if (r->timed_out || WIFSIGNALED(r->status))
        return byw_diag_set(diag, BYW_ECHECK, "%s: %s; no launch was finished, no trace written",
                            program, why);
    if (!r->loaded)
        return byw_diag_set(
            diag, BYW_ECHECK,
            "%s: made no OpenCL or CUDA call that reached byway (is it linked against "
            "libOpenCL.so.1, neither statically nor with an rpath?  A CUDA program: compile it "
            "with byway nvcc); exit status %d",
            program, WEXITSTATUS(r->status));
    if (r->launched)
        return byw_diag_set(diag, BYW_ECHECK, "%s: launched kernels, but %s; no trace written",
                            program, why);
    if (WEXITSTATUS(r->status) != 0)
        return byw_diag_set(diag, BYW_ECHECK, "%s: launched no kernel; exit status %d", program,
                            WEXITSTATUS(r->status));
    return write_empty(out, program, diag);
}

static enum byw_status judge(const char *out, const char *program, struct report *r,
                             const struct byw_capture_limits *limits, struct byw_diag *diag)
{
    enum byw_status status;

    if (r->error != 0)
        return byw_diag_set(diag, BYW_ENOENT, "%s: cannot run: %s", program, strerror(r->error));
    if (r->finished != 0)
        return judge_finished(program, r, diag);
    if (r->failed)
        status = byw_diag_set(diag, BYW_ECHECK, "%s: a kernel could not be traced%s%s", program,
                              r->why[0] != '\0' ? ": " : " (see above)", r->why);
    else if (r->sealed && r->seal.launches != 0)
        status = end_trace(out, program, r, limits, diag);
    else
        status = judge_nothing(out, program, r, limits, diag);
    remove_temporaries(out);
    return status;
}

/* Checks before the program runs whether the trace can be written. A pipe is not tried: closing it
 * would end its reader. */
static enum byw_status probe(const char *out, struct byw_diag *diag)
{
    struct byw_file *file;
    struct stat info;
    enum byw_status status;

    if (stat(out, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return BYW_OK;
    status = byw_file_create(out, &file, diag);
    if (status == BYW_OK)
        byw_file_discard(file);
    return status;
}

/* Checks everything that can be checked before the program runs. A wrong setting or file name is
 * the user's error (BYW_EINVAL, BYW_EIO); something that byway itself lacks is a failure. */
static enum byw_status prepare(const char *out, struct byw_ready *ready, struct byw_diag *diag)
{
    struct byw_cl_settings settings;
    struct byw_diag remark;
    enum byw_status status =
        byw_cl_settings_read(&settings, diag); /* the program would fail with the same message */

    if (status == BYW_OK)
        status = probe(out, diag);
    if (status != BYW_OK)
        return status;
    status = byw_ready_open(ready, &remark, diag);
    if (status == BYW_OK && remark.text[0] != '\0')
        fprintf(stderr, "byway: %s\n", remark.text);
    return status == BYW_OK ? BYW_OK : BYW_ECHECK;
}

enum byw_status byw_capture_run_limited(const char *out, unsigned warp,
                                        struct byw_capture_limits *limits, char *const argv[],
                                        struct byw_diag *diag)
{
    struct report report = {.trace = -1};
    struct byw_ready ready;
    char target[PATH_MAX], here[PATH_MAX / 2];
    enum byw_status status;

    if (warp != 32 && warp != 64)
        return byw_diag_set(diag, BYW_EINVAL, "warp size %u: expected 32 or 64", warp);
    status = prepare(out, &ready, diag);
    if (status != BYW_OK)
        return status;
    /* The program may change its working directory before the trace is written. */
    if (out[0] == '/' || getcwd(here, sizeof(here)) == NULL)
        snprintf(target, sizeof(target), "%s", out);
    else
        snprintf(target, sizeof(target), "%s/%s", here, out);
    if (diag != NULL)
        diag->text[0] = '\0';
    status = start(target, warp, &ready, argv, limits, &report, diag);
    if (status == BYW_OK)
        status = judge(target, argv[0], &report, limits, diag);
    byw_ready_close(&ready);
    if (report.trace >= 0)
        close(report.trace);
    limits->signal = report.finished != 0 ? 0 : report.signal;
    return status;
}

enum byw_status byw_capture_run(const char *out, unsigned warp, char *const argv[],
                                struct byw_diag *diag)
{
    struct byw_capture_limits none = {.seconds = 0};

    return byw_capture_run_limited(out, warp, &none, argv, diag);
}
