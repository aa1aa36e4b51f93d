/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/byw_capture.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/byw_file.h"
#include "trace/byw_trace.h"

#define NO_PROGRAM 127 /* exit status of a child that could not start the program */

/* What the child reported. */
struct report {
    bool loaded, launched, failed;
    unsigned finished; /* processes that put a trace into place */
    int status; /* of waitpid */
    int error; /* errno of exec, 0: the program was started */
};

static bool has_runtime(const char *folder)
{
    char path[PATH_MAX + 32];

    snprintf(path, sizeof(path), "%s/libOpenCL.so.1", folder);
    return access(path, R_OK) == 0;
}

/* Folder of the runtime. */
static enum byw_status find_runtime(char folder[PATH_MAX], struct byw_diag *diag)
{
    static const char *const beside[] = {"lib", "../lib", "../lib/byway"};
    const char *own = getenv("BYWAY_LIB");
    char binary[PATH_MAX - 32];
    ssize_t length = readlink("/proc/self/exe", binary, sizeof(binary) - 1);
    char *slash;

    if (own != NULL && *own != '\0') {
        snprintf(folder, PATH_MAX, "%s", own);
        if (has_runtime(folder))
            return BYW_OK;
        return byw_diag_set(diag, BYW_ENOENT, "%s: no libOpenCL.so.1 there (BYWAY_LIB)", own);
    }
    binary[length < 0 ? 0 : length] = '\0';
    slash = strrchr(binary, '/');
    if (slash != NULL)
        *slash = '\0';
    for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
        snprintf(folder, PATH_MAX, "%s/%s", binary, beside[i]);
        if (has_runtime(folder))
            return BYW_OK;
    }
    return byw_diag_set(diag, BYW_ENOENT,
                        "%s/lib/libOpenCL.so.1: the tracing OpenCL runtime is not built; it needs "
                        "clang, llvm-dev and libclc: `make opencl`",
                        binary);
}

static void set_environment(const char *out, unsigned warp, const char *folder, int notes,
                            int leash)
{
    const char *path = getenv("LD_LIBRARY_PATH");
    char text[2 * PATH_MAX];

    snprintf(text, sizeof(text), "%s%s%s", folder, path != NULL && *path != '\0' ? ":" : "",
             path != NULL ? path : "");
    setenv("LD_LIBRARY_PATH", text, 1);
    setenv(BYW_CAPTURE_ENV_TRACE, out, 1);
    snprintf(text, sizeof(text), "%u", warp);
    setenv(BYW_CAPTURE_ENV_WARP, text, 1);
    snprintf(text, sizeof(text), "%d", notes);
    setenv(BYW_CAPTURE_ENV_STATUS, text, 1);
    snprintf(text, sizeof(text), "%d", leash);
    setenv(BYW_CAPTURE_ENV_LEASH, text, 1);
}

/* A signal that a user sends to end the command is for the program: we stay to tidy up after it.  A
 * terminal sends it to both, others only to us. */
static void pass_on(int signals, pid_t child)
{
    struct signalfd_siginfo info;

    if (read(signals, &info, sizeof(info)) == (ssize_t)sizeof(info) && info.ssi_code <= 0)
        kill(child, (int)info.ssi_signo);
}

/* Reads letters until the program, and all it started, have closed the pipe. */
static void listen(int notes, int exec_error, int signals, pid_t child, struct report *report)
{
    struct pollfd wait[2] = {{.fd = notes, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    char letter;
    ssize_t got;

    while (read(exec_error, &report->error, sizeof(report->error)) < 0 && errno == EINTR)
        continue;
    for (;;) {
        if (poll(wait, 2, -1) < 0) {
            if (errno != EINTR)
                return;
            continue;
        }
        if (wait[1].revents != 0)
            pass_on(signals, child);
        if (wait[0].revents == 0)
            continue;
        got = read(notes, &letter, 1);
        if (got == 0 || (got < 0 && errno != EINTR))
            return;
        report->loaded |= letter == BYW_CAPTURE_LOADED;
        report->launched |= letter == BYW_CAPTURE_LAUNCHED;
        report->failed |= letter == BYW_CAPTURE_FAILED;
        report->finished += letter == BYW_CAPTURE_FINISHED;
    }
}

/* Descriptor on which they come from now on, until *before is the mask again. */
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

/* The program ends when we are killed; what it starts ends by the leash, once it calls OpenCL. */
static void end_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(NO_PROGRAM);
}

static enum byw_status start(const char *out, unsigned warp, const char *folder, char *const argv[],
                             struct report *report, struct byw_diag *diag)
{
    int notes[2] = {-1, -1}, failure[2] = {-1, -1}, leash[2] = {-1, -1}, signals;
    sigset_t before;
    pid_t child, parent = getpid();

    if (pipe(notes) != 0 || pipe(failure) != 0 || pipe(leash) != 0) {
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
    signals = hold_signals(&before);
    child = fork();
    if (child == 0) {
        end_with(parent);
        sigprocmask(SIG_SETMASK, &before, NULL);
        set_environment(out, warp, folder, notes[1], leash[0]);
        execvp(argv[0], argv);
        if (write(failure[1], &errno, sizeof(errno)) < 0)
            _exit(NO_PROGRAM);
        _exit(NO_PROGRAM);
    }
    close(notes[1]);
    close(failure[1]);
    close(leash[0]);
    if (child > 0) {
        listen(notes[0], failure[0], signals, child, report);
        while (waitpid(child, &report->status, 0) < 0 && errno == EINTR)
            continue;
    }
    close(signals);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(notes[0]);
    close(failure[0]);
    close(leash[1]);
    return child > 0 ? BYW_OK : byw_diag_set(diag, BYW_EIO, "fork: %s", strerror(errno));
}

/* A program that was killed leaves the writer's temporary file where it has a name (byw_file.h). */
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

/* Some programs of a suite ask about the device or copy only. */
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

static enum byw_status judge(const char *out, const char *program, const struct report *r,
                             struct byw_diag *diag)
{
    if (r->error != 0)
        return byw_diag_set(diag, BYW_ENOENT, "%s: cannot run: %s", program, strerror(r->error));
    if (WIFSIGNALED(r->status)) {
        remove_temporaries(out);
        return byw_diag_set(diag, BYW_ECHECK, "%s: killed by signal %d (%s); no trace written",
                            program, WTERMSIG(r->status), strsignal(WTERMSIG(r->status)));
    }
    if (r->finished > 1)
        byw_diag_set(diag, BYW_OK, "%s: %u of its processes wrote a trace, this is the last one's",
                     program, r->finished);
    else if (r->finished != 0 && WEXITSTATUS(r->status) != 0)
        byw_diag_set(diag, BYW_OK, "%s: exit status %d, though the trace is complete", program,
                     WEXITSTATUS(r->status));
    if (r->finished != 0)
        return BYW_OK;
    if (!r->loaded)
        return byw_diag_set(
            diag, BYW_ECHECK,
            "%s: made no OpenCL or CUDA call that reached byway (is it linked against "
            "libOpenCL.so.1, neither statically nor with an rpath?  A CUDA program: compile it "
            "with byway nvcc); exit status %d",
            program, WEXITSTATUS(r->status));
    remove_temporaries(out);
    if (r->failed)
        return byw_diag_set(diag, BYW_ECHECK, "%s: a kernel could not be traced (see above)",
                            program);
    if (r->launched)
        return byw_diag_set(diag, BYW_ECHECK, "%s: launched kernels, but did not end by exit()",
                            program);
    if (WEXITSTATUS(r->status) != 0)
        return byw_diag_set(diag, BYW_ECHECK, "%s: launched no kernel; exit status %d", program,
                            WEXITSTATUS(r->status));
    return write_empty(out, program, diag);
}

/* Whether the trace can be written, before a program runs for it.  A pipe is not tried: closing it
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

enum byw_status byw_capture_run(const char *out, unsigned warp, char *const argv[],
                                struct byw_diag *diag)
{
    struct report report = {.status = 0};
    char folder[PATH_MAX], target[PATH_MAX], here[PATH_MAX / 2];
    enum byw_status status;

    if (warp != 32 && warp != 64)
        return byw_diag_set(diag, BYW_EINVAL, "warp size %u: expected 32 or 64", warp);
    status = find_runtime(folder, diag);
    if (status == BYW_OK)
        status = probe(out, diag);
    if (status != BYW_OK)
        return status;
    /* The program may change its folder before the trace is written. */
    if (out[0] == '/' || getcwd(here, sizeof(here)) == NULL)
        snprintf(target, sizeof(target), "%s", out);
    else
        snprintf(target, sizeof(target), "%s/%s", here, out);
    if (diag != NULL)
        diag->text[0] = '\0';
    status = start(target, warp, folder, argv, &report, diag);
    return status == BYW_OK ? judge(target, argv[0], &report, diag) : status;
}
