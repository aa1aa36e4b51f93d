/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_wave_file.h - writes signals over time for a waveform viewer: VCD (IEEE 1364-2005, chapter
 * 18), or FST if the build found its writer.  The file name's ending, .vcd or .fst, selects the
 * format.
 *
 *     byw_wave_open(path, &file, diag);
 *     a = byw_wave_signal(file, "sm0.l1d", "req_valid", 1);  ... all signals first
 *     byw_wave_time(file, 17);  byw_wave_set(file, a, 1);    ... times ascend
 *     byw_wave_close(file, diag);
 *
 * One unit of time (written as 1 ns) is a clock cycle.  Only changes are written.  A signal is
 * unknown before its first value.
 */
#ifndef BYW_WAVE_FILE_H
#define BYW_WAVE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/byw_file.h"
#include "common/byw_status.h"

enum { BYW_WAVE_SIGNALS = 128 };

struct byw_wave_file {
    struct byw_file *out;
    FILE *vcd; /* NULL: FST */
    struct byw_wave_fst *fst;
    char scope[64]; /* the open scope */
    uint32_t signals;
    bool header; /* the header is still being written */
    bool time_written;
    uint64_t time;
    struct {
        uint64_t value;
        uint32_t width, handle; /* handle: FST only */
        bool known;
    } signal[BYW_WAVE_SIGNALS];
};

/* BYW_EINVAL: another ending. BYW_EUNSUPPORTED: .fst in a build without it, or under a limit on
 * file sizes, which the writer does not survive. BYW_EIO: the file cannot be created. */
enum byw_status byw_wave_open(const char *path, struct byw_wave_file **file, struct byw_diag *diag);

/* Adds a signal of 1 .. 64 bits, at most BYW_WAVE_SIGNALS in total; scope: names separated by
 * dots. */
uint32_t byw_wave_signal(struct byw_wave_file *file, const char *scope, const char *name,
                         uint32_t width);
void byw_wave_time(struct byw_wave_file *file, uint64_t time);
void byw_wave_set(struct byw_wave_file *file, uint32_t signal, uint64_t value);

/* Completes the file and gives it its name; on BYW_EIO no file appears. Accepts NULL. */
enum byw_status byw_wave_close(struct byw_wave_file *file, struct byw_diag *diag);
/* Removes what was written.  Accepts NULL. */
void byw_wave_discard(struct byw_wave_file *file);

/* The FST side, which collects the file in memory (compressed: a few bytes per change). _open
 * returns NULL if the build has no writer or memory runs out; _close writes the file to `out`
 * (NULL: discards it). */
bool byw_wave_fst_built(void);
struct byw_wave_fst *byw_wave_fst_open(void);
void byw_wave_fst_scope(struct byw_wave_fst *fst, const char *name); /* NULL: leave one */
uint32_t byw_wave_fst_signal(struct byw_wave_fst *fst, const char *name, uint32_t width);
void byw_wave_fst_time(struct byw_wave_fst *fst, uint64_t time);
void byw_wave_fst_set(struct byw_wave_fst *fst, uint32_t handle, uint64_t value, uint32_t width);
void byw_wave_fst_close(struct byw_wave_fst *fst, FILE *out);

#endif
