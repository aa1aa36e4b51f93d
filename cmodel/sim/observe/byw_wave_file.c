/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/byw_wave_file.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static bool ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), e = strlen(ending);

    return n > e && strcmp(path + n - e, ending) == 0;
}

enum byw_status byw_wave_open(const char *path, struct byw_wave_file **out, struct byw_diag *diag)
{
    bool fst = ends_in(path, ".fst");
    struct byw_wave_file *file;
    struct rlimit limit;
    enum byw_status st;

    if (!fst && !ends_in(path, ".vcd"))
        return byw_diag_set(diag, BYW_EINVAL,
                            "%s: expected a name that ends in .vcd, .fst or .html", path);
    if (fst && !byw_wave_fst_built())
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "%s: this build has no FST writer (it uses Verilator's); expected a "
                            "name that ends in .vcd",
                            path);
    if (fst && getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "%s: the FST writer needs files without a limit of size; expected "
                            "`ulimit -f unlimited`, or a name that ends in .vcd",
                            path);
    file = calloc(1, sizeof(*file));
    if (file == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for the waveform", path);
    st = byw_file_create(path, &file->out, diag);
    if (st != BYW_OK) {
        free(file);
        return st;
    }
    if (fst)
        file->fst = byw_wave_fst_open();
    else
        file->vcd = byw_file_stream(file->out);
    if (file->vcd == NULL && file->fst == NULL) {
        byw_file_discard(file->out);
        free(file);
        return byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for the waveform", path);
    }
    if (!fst)
        fputs("$version byway $end\n$timescale 1 ns $end\n", file->vcd);
    file->header = true;
    *out = file;
    return BYW_OK;
}

/* Leaves the open scopes, or enters the scopes separated by dots. */
static void change_scope(struct byw_wave_file *file, const char *scope, bool enter)
{
    char part[64];

    while (*scope != '\0') {
        size_t n = strcspn(scope, ".");

        snprintf(part, sizeof(part), "%.*s", (int)n, scope);
        if (file->fst != NULL)
            byw_wave_fst_scope(file->fst, enter ? part : NULL);
        else if (enter)
            fprintf(file->vcd, "$scope module %s $end\n", part);
        else
            fputs("$upscope $end\n", file->vcd);
        scope += n + (scope[n] == '.');
    }
}

/* Identifier of a signal in a VCD: a base-94 number of printable characters. */
static void code_of(uint32_t signal, char code[4])
{
    uint32_t n = 0;

    do {
        code[n++] = (char)('!' + signal % 94);
        signal /= 94;
    } while (signal != 0);
    code[n] = '\0';
}

uint32_t byw_wave_signal(struct byw_wave_file *file, const char *scope, const char *name,
                         uint32_t width)
{
    uint32_t signal = file->signals++;
    char code[4];

    assert(file->header && signal < BYW_WAVE_SIGNALS);
    if (strcmp(file->scope, scope) != 0) {
        change_scope(file, file->scope, false);
        change_scope(file, scope, true);
        snprintf(file->scope, sizeof(file->scope), "%s", scope);
    }
    file->signal[signal].width = width;
    if (file->fst != NULL) {
        file->signal[signal].handle = byw_wave_fst_signal(file->fst, name, width);
        return signal;
    }
    code_of(signal, code);
    fprintf(file->vcd, "$var wire %" PRIu32 " %s %s", width, code, name);
    if (width > 1)
        fprintf(file->vcd, " [%" PRIu32 ":0]", width - 1);
    fputs(" $end\n", file->vcd);
    return signal;
}

void byw_wave_time(struct byw_wave_file *file, uint64_t time)
{
    if (file->header) {
        change_scope(file, file->scope, false);
        if (file->vcd != NULL)
            fputs("$enddefinitions $end\n", file->vcd);
        file->header = false;
    }
    file->time = time;
    file->time_written = false;
}

static void write_time(struct byw_wave_file *file)
{
    if (file->time_written)
        return;
    if (file->fst != NULL)
        byw_wave_fst_time(file->fst, file->time);
    else
        fprintf(file->vcd, "#%" PRIu64 "\n", file->time);
    file->time_written = true;
}

void byw_wave_set(struct byw_wave_file *file, uint32_t signal, uint64_t value)
{
    uint32_t width = file->signal[signal].width;
    char code[4];

    if (file->signal[signal].known && file->signal[signal].value == value)
        return;
    file->signal[signal].known = true;
    file->signal[signal].value = value;
    write_time(file);
    if (file->fst != NULL) {
        byw_wave_fst_set(file->fst, file->signal[signal].handle, value, width);
        return;
    }
    code_of(signal, code);
    if (width == 1) {
        fprintf(file->vcd, "%u%s\n", (unsigned)(value & 1), code);
        return;
    }
    fputc('b', file->vcd);
    for (uint32_t bit = width; bit-- > 0;)
        fputc('0' + (int)(value >> bit & 1), file->vcd);
    fprintf(file->vcd, " %s\n", code);
}

enum byw_status byw_wave_close(struct byw_wave_file *file, struct byw_diag *diag)
{
    enum byw_status status;

    if (file == NULL)
        return BYW_OK;
    if (file->header)
        byw_wave_time(file, 0);
    write_time(file); /* marks the end of the window, even if nothing changes there */
    if (file->fst != NULL)
        byw_wave_fst_close(file->fst, byw_file_stream(file->out));
    status = byw_file_commit(file->out, diag);
    free(file);
    return status;
}

void byw_wave_discard(struct byw_wave_file *file)
{
    if (file == NULL)
        return;
    if (file->fst != NULL)
        byw_wave_fst_close(file->fst, NULL);
    byw_file_discard(file->out);
    free(file);
}
