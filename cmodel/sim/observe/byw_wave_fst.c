/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_wave_fst.c - FST through the writer that comes with Verilator and GTKWave (fstapi), if the
 * build has it.
 */
#include "sim/observe/byw_wave_file.h"

#ifdef HAVE_FST
#include <fstapi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BYW_FST_FILES_HERE
#include "sim/observe/byw_fst_files.h"

/* A name that no file has, with the number of the descriptor that the writer is to write to. */
#define NAME "/dev/null/byway-fst-%d"
enum { NAME_ROOM = 64, CHUNK = 65536 };

struct byw_wave_fst {
    void *writer;
    int memory; /* file in memory that holds what was written */
};

static FILE *in_memory(int fd)
{
    FILE *stream = fd >= 0 ? fdopen(fd, "w+b") : NULL;

    if (stream == NULL && fd >= 0)
        close(fd);
    return stream;
}

FILE *byw_fst_tmpfile(void)
{
    return in_memory(memfd_create("byway-fst", MFD_CLOEXEC));
}

FILE *byw_fst_fopen(const char *name, const char *mode)
{
    int fd, end = 0;

    if (mode[0] == 'r')
        return fopen(name, mode);
    if (sscanf(name, NAME "%n", &fd, &end) == 1 && name[end] == '\0')
        return in_memory(dup(fd));
    return byw_fst_tmpfile(); /* the hierarchy, which is copied at the end */
}

bool byw_wave_fst_built(void)
{
    return true;
}

struct byw_wave_fst *byw_wave_fst_open(void)
{
    struct byw_wave_fst *fst = calloc(1, sizeof(*fst));
    char name[NAME_ROOM];

    if (fst == NULL)
        return NULL;
    fst->memory = memfd_create("byway-fst", MFD_CLOEXEC);
    snprintf(name, sizeof(name), NAME, fst->memory);
    if (fst->memory >= 0)
        fst->writer = fstWriterCreate(name, 1);
    if (fst->writer == NULL) {
        if (fst->memory >= 0)
            close(fst->memory);
        free(fst);
        return NULL;
    }
    fstWriterSetDate(fst->writer, ""); /* no date, so that equal runs write equal files */
    fstWriterSetVersion(fst->writer, "byway");
    fstWriterSetTimescaleFromString(fst->writer, "1ns");
    fstWriterSetPackType(fst->writer, FST_WR_PT_LZ4);
    return fst;
}

void byw_wave_fst_scope(struct byw_wave_fst *fst, const char *name)
{
    if (name != NULL)
        fstWriterSetScope(fst->writer, FST_ST_VCD_MODULE, name, NULL);
    else
        fstWriterSetUpscope(fst->writer);
}

uint32_t byw_wave_fst_signal(struct byw_wave_fst *fst, const char *name, uint32_t width)
{
    return fstWriterCreateVar(fst->writer, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width, name, 0);
}

void byw_wave_fst_time(struct byw_wave_fst *fst, uint64_t time)
{
    fstWriterEmitTimeChange(fst->writer, time);
}

void byw_wave_fst_set(struct byw_wave_fst *fst, uint32_t handle, uint64_t value, uint32_t width)
{
    fstWriterEmitValueChange64(fst->writer, handle, width, value);
}

void byw_wave_fst_close(struct byw_wave_fst *fst, FILE *out)
{
    char chunk[CHUNK];
    off_t at = 0;
    ssize_t n;

    fstWriterClose(fst->writer);
    while (out != NULL && (n = pread(fst->memory, chunk, sizeof(chunk), at)) > 0) {
        fwrite(chunk, 1, (size_t)n, out);
        at += n;
    }
    close(fst->memory);
    free(fst);
}

#else

bool byw_wave_fst_built(void)
{
    return false;
}

struct byw_wave_fst *byw_wave_fst_open(void)
{
    return NULL;
}

void byw_wave_fst_scope(struct byw_wave_fst *fst, const char *name)
{
    (void)fst;
    (void)name;
}

uint32_t byw_wave_fst_signal(struct byw_wave_fst *fst, const char *name, uint32_t width)
{
    (void)fst;
    (void)name;
    (void)width;
    return 0;
}

void byw_wave_fst_time(struct byw_wave_fst *fst, uint64_t time)
{
    (void)fst;
    (void)time;
}

void byw_wave_fst_set(struct byw_wave_fst *fst, uint32_t handle, uint64_t value, uint32_t width)
{
    (void)fst;
    (void)handle;
    (void)value;
    (void)width;
}

void byw_wave_fst_close(struct byw_wave_fst *fst, FILE *out)
{
    (void)fst;
    (void)out;
}
#endif
