/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_waves.h - a window of one SM's L1D as waveforms: its ports, the outcome of each access, the
 * reason for a refusal, the levels of its queues, and the filter's mode.
 *
 * Signals are sampled once per cycle, before the clock edge, under their port names (l1d_ports.h).
 * `outcome` is 0 nothing, 1 hit, 2 hit on a pending line, 3 miss, 4 bypass, 5 refused;
 * `refused_for` is 0 nothing, then 1 + enum byw_rsfail.  `events` contains a pulse for each line of
 * record/byw_events.def.
 */
#ifndef BYW_WAVES_H
#define BYW_WAVES_H

#include "l1d/byw_l1d.h"
#include "top/byw_recorder.h"

struct byw_waves_window {
    const char *path; /* .vcd, .fst, or .html: one set (byw_scope.h) */
    uint32_t sm, set;
    const char *pages; /* web address of the rules' pages, for links; NULL: unknown */
    const char *commit; /* commit of byway that these pages belong to; NULL: unknown */
    const char *workload, *machine, *policy, *command; /* for the page of a set; NULL: unknown */
    uint64_t first, cycles; /* SM cycles first .. first + cycles - 1 */
};

struct byw_waves;

enum byw_status byw_waves_open(const struct byw_waves_window *window, struct byw_waves **waves,
                               struct byw_diag *diag);

/* Whether cycle `now` is inside the window. */
bool byw_waves_in(const struct byw_waves *waves, uint64_t now);

/* Sets the recorder of that SM, from which a page takes its accesses. */
void byw_waves_use_recorder(struct byw_waves *waves, const struct byw_recorder *recorder);
/* Whether the window is a page of a set. */
bool byw_waves_is_scope(const struct byw_waves_window *window);

/* Samples the L1D's ports in cycle `now`, just evaluated; `l1d` is in its state after the edge
 * (NULL: its levels are unknown). */
void byw_waves_sample(struct byw_waves *waves, uint64_t now, const struct byw_l1d_in *in,
                      const struct byw_l1d_out *out, const struct byw_l1d *l1d, bool filter_on);

/* Completes the file and gives it its name; on an error no file appears. diag NULL: discards it,
 * after a failure. Accepts NULL. */
enum byw_status byw_waves_close(struct byw_waves *waves, struct byw_diag *diag);

#endif
