/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_wave_fst.c - FST through the writer that comes with Verilator and GTKWave (fstapi), if the
 * build has it.
 */
#include "sim/byw_wave_file.h"

#ifdef HAVE_FST
#include <fstapi.h>

bool byw_wave_fst_built(void)
{
    return true;
}

void *byw_wave_fst_open(const char *path)
{
    void *fst = fstWriterCreate(path, 1);

    if (fst == NULL)
        return NULL;
    fstWriterSetDate(fst, ""); /* no date, so that equal runs write equal files */
    fstWriterSetVersion(fst, "byway");
    fstWriterSetTimescaleFromString(fst, "1ns");
    fstWriterSetPackType(fst, FST_WR_PT_LZ4);
    return fst;
}

void byw_wave_fst_scope(void *fst, const char *name)
{
    if (name != NULL)
        fstWriterSetScope(fst, FST_ST_VCD_MODULE, name, NULL);
    else
        fstWriterSetUpscope(fst);
}

uint32_t byw_wave_fst_signal(void *fst, const char *name, uint32_t width)
{
    return fstWriterCreateVar(fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width, name, 0);
}

void byw_wave_fst_time(void *fst, uint64_t time)
{
    fstWriterEmitTimeChange(fst, time);
}

void byw_wave_fst_set(void *fst, uint32_t handle, uint64_t value, uint32_t width)
{
    fstWriterEmitValueChange64(fst, handle, width, value);
}

void byw_wave_fst_close(void *fst)
{
    fstWriterClose(fst);
}

#else

bool byw_wave_fst_built(void)
{
    return false;
}

void *byw_wave_fst_open(const char *path)
{
    (void)path;
    return NULL;
}

void byw_wave_fst_scope(void *fst, const char *name)
{
    (void)fst;
    (void)name;
}

uint32_t byw_wave_fst_signal(void *fst, const char *name, uint32_t width)
{
    (void)fst;
    (void)name;
    (void)width;
    return 0;
}

void byw_wave_fst_time(void *fst, uint64_t time)
{
    (void)fst;
    (void)time;
}

void byw_wave_fst_set(void *fst, uint32_t handle, uint64_t value, uint32_t width)
{
    (void)fst;
    (void)handle;
    (void)value;
    (void)width;
}

void byw_wave_fst_close(void *fst)
{
    (void)fst;
}
#endif
