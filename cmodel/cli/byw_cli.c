/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/byw_cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "byw_commit.h"
#include "common/byw_text.h"
#include "sim/gpu/byw_sample.h"

enum { BAR_WIDTH = 30, LINE_ROOM = 256 };

int byw_cli_fail(enum byw_status status, const struct byw_diag *diag)
{
    char text[BYW_TEXT_GROWTH * sizeof(diag->text)];

    byw_text_printable(diag->text[0] != '\0' ? diag->text : byw_status_text(status), text,
                       sizeof(text));
    fprintf(stderr, "byway: %s\n", text);
    return status == BYW_ECHECK || status == BYW_ESTUCK ? BYW_EXIT_FAILED : BYW_EXIT_USAGE;
}

const char *byw_cli_commit(void)
{
    return BYW_COMMIT;
}

bool byw_cli_repository(const char *file, char *text, size_t room)
{
    const size_t commit = strcspn(BYW_COMMIT, "-"); /* without "-dirty" */

    return BYW_REPOSITORY[0] != '\0' && strcmp(BYW_COMMIT, "unknown") != 0 &&
           snprintf(text, room, "%s/blob/%.*s/%s", BYW_REPOSITORY, (int)commit, BYW_COMMIT, file) <
               (int)room;
}

static bool is_plain(const char *word)
{
    return word[0] != '\0' &&
           word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789_-+=./,:@%^")] == '\0';
}

char *byw_cli_command(int argc, char **argv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    fputs("byway", out);
    for (int i = 0; i < argc; i++) {
        fputc(' ', out);
        if (is_plain(argv[i])) {
            fputs(argv[i], out);
            continue;
        }
        fputc('\'', out);
        for (const char *at = argv[i]; *at != '\0'; at++)
            fputs(*at == '\'' ? "'\\''" : (const char[2]){*at, '\0'}, out);
        fputc('\'', out);
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

enum byw_status byw_cli_outputs(const char *json, const char *html, struct byw_outputs *out,
                                struct byw_diag *diag)
{
    bool as_json = json != NULL && strcmp(json, "-") == 0;
    bool as_html = html != NULL && strcmp(html, "-") == 0;
    enum byw_status st = BYW_OK;

    *out = (struct byw_outputs){.table = NULL};
    if (as_json && as_html)
        return byw_diag_set(diag, BYW_EINVAL,
                            "--json - and --html -: expected one of them on standard output");
    if (!as_json && !as_html)
        st = byw_file_create("-", &out->table, diag);
    if (st == BYW_OK && json != NULL)
        st = byw_file_create(json, &out->json, diag);
    if (st == BYW_OK && html != NULL)
        st = byw_file_create(html, &out->html, diag);
    if (st != BYW_OK)
        byw_cli_discard(out);
    return st;
}

struct byw_file *byw_cli_take(struct byw_file **file)
{
    struct byw_file *taken = *file;

    *file = NULL;
    return taken;
}

void byw_cli_discard(struct byw_outputs *out)
{
    byw_file_discard(byw_cli_take(&out->table));
    byw_file_discard(byw_cli_take(&out->json));
    byw_file_discard(byw_cli_take(&out->html));
}

void byw_cli_begin(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int byw_cli_end(int code)
{
    struct byw_diag diag;
    bool lost = ferror(stdout) != 0;

    errno = 0;
    if ((fclose(stdout) == 0 && !lost) || code != BYW_EXIT_OK)
        return code; /* a failure was reported already */
    return byw_cli_fail(byw_diag_set(&diag, BYW_EIO, "standard output: writing failed (%s)",
                                     errno != 0 ? strerror(errno) : "stream error"),
                        &diag);
}

/* A signal handler can only reach file-scope objects. */
static volatile sig_atomic_t stop_flag;

static void on_signal(int number)
{
    if (stop_flag == BYW_CLI_SIGNAL)
        _exit(128 + number);
    stop_flag = BYW_CLI_SIGNAL;
}

static void on_time(int number)
{
    (void)number;
    if (stop_flag == 0)
        stop_flag = BYW_CLI_TIME_IS_UP;
}

const volatile sig_atomic_t *byw_cli_stop_flag(void)
{
    struct sigaction action = {.sa_handler = on_signal};

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &stop_flag;
}

void byw_cli_stop_after(double seconds)
{
    const struct sigaction action = {.sa_handler = on_time, .sa_flags = SA_RESTART};
    struct itimerval timer = {.it_value.tv_sec = (time_t)seconds};

    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

enum byw_status byw_cli_take_sample(const char *value, void *sample, struct byw_diag *diag)
{
    struct byw_cli_sample *s = sample;
    uint64_t period;
    enum byw_status st =
        byw_args_number("--sample", value, BYW_SAMPLE_PERIOD_MIN, 10000, &period, diag);

    if (st == BYW_OK && s->settings->count >= BYW_TEXTS_MAX)
        st = byw_diag_set(diag, BYW_EINVAL,
                          "--set and --sample: too many settings; expected at most %d",
                          BYW_TEXTS_MAX);
    if (st != BYW_OK)
        return st;
    snprintf(s->text, sizeof(s->text), "sample.period=%llu", (unsigned long long)period);
    s->settings->text[s->settings->count++] = s->text;
    return BYW_OK;
}

unsigned byw_cli_workers(uint64_t jobs)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    return jobs != 0 ? (unsigned)jobs : processors > 0 ? (unsigned)processors : 1;
}

void byw_cli_duration(double seconds, char text[32])
{
    if (seconds < 90.0)
        snprintf(text, 32, "%.0f s", seconds);
    else if (seconds < 5400.0)
        snprintf(text, 32, "%.0f min", seconds / 60.0);
    else
        snprintf(text, 32, "%.1f h", seconds / 3600.0);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool byw_cli_on_terminal(void)
{
    const char *term = getenv("TERM");

    return isatty(STDERR_FILENO) != 0 && term != NULL && strcmp(term, "dumb") != 0 &&
           getenv("CI") == NULL;
}

void byw_bar_begin(struct byw_bar *bar)
{
    *bar = (struct byw_bar){.on = byw_cli_on_terminal(), .start = now()};
}

/* Columns that a line may use without wrapping. */
static size_t columns(void)
{
    struct winsize size;

    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col - 1U : 79;
}

/* Appends a part to the line if it fits. The most important part is added first. */
__attribute__((format(printf, 3, 4))) static void add(char line[LINE_ROOM], size_t room,
                                                      const char *format, ...)
{
    char part[LINE_ROOM];
    va_list values;

    va_start(values, format);
    vsnprintf(part, sizeof(part), format, values);
    va_end(values);
    if (strlen(line) + strlen(part) <= room)
        strcat(line, part);
}

/* Runs differ in speed by several times (machine, policy, hit rate), so the time left is known only
 * after a tenth of the work, and only while two estimates, a tenth of the work apart, agree. */
static bool time_left(struct byw_bar *bar, const struct byw_job_progress *progress, double spent,
                      double *left)
{
    const double done = (double)progress->warp_instructions;
    const double part = progress->expected > 0.0 ? done / progress->expected : 0.0;

    if (part > 1.0)
        return false; /* more work than expected */
    if (part < bar->asked + 0.1 && bar->total == 0.0)
        return false;
    if (part >= bar->asked + 0.1) {
        const double total = spent / part;

        bar->agrees = bar->total > 0.0 && total < 1.5 * bar->total && bar->total < 1.5 * total;
        bar->total = total;
        bar->asked = part;
    }
    *left = spent / part - spent;
    return bar->agrees;
}

void byw_bar_draw(void *ctx, const struct byw_job_progress *progress)
{
    struct byw_bar *bar = ctx;
    double t = now();
    double spent = t - bar->start;
    double left, rate = spent > 0.0 ? (double)progress->warp_instructions / spent / 1e3 : 0.0;
    char line[LINE_ROOM] = "";
    size_t room;

    if (!bar->on || t - bar->drawn < 0.1)
        return;
    bar->drawn = t;
    room = columns();
    if (room >= LINE_ROOM)
        room = LINE_ROOM - 1;
    if (progress->count > 1) {
        char full[BAR_WIDTH + 1] = "";

        memset(full, '#', progress->done * BAR_WIDTH / progress->count);
        add(line, room, "[%s%.*s] ", full, (int)(BAR_WIDTH - strlen(full)),
            "..............................");
        add(line, room, "%zu/%zu runs  ", progress->done, progress->count);
    }
    add(line, room, "%.0f s", spent);
    if (time_left(bar, progress, spent, &left)) {
        char text[32];

        byw_cli_duration(left, text);
        add(line, room, ", about %s left", text);
    }
    add(line, room, "  %.2f M cycles", (double)progress->cycles / 1e6);
    add(line, room, "  %.2f M warp instructions", (double)progress->warp_instructions / 1e6);
    add(line, room, "  %.0f k/s", rate);
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
}

void byw_bar_end(struct byw_bar *bar)
{
    if (bar->on && bar->drawn > 0.0)
        fputs("\r\033[K", stderr);
    bar->on = false;
}
