/* SPDX-License-Identifier: Apache-2.0
 *
 * monitor_lock.h - windows for the lock steps of WOMU and MRMU: each entry of BDU's table has one,
 * which opens or resumes after cycles outside windows, and ends or is held.
 */
#ifndef MONITOR_LOCK_H
#define MONITOR_LOCK_H

#include "cosim/lock.h"
#include "policy/byw_bdu.h"

struct monitor {
    struct lock l;
    uint32_t slot_port, window_port, held_port;
    uint32_t slot; /* of the window that is open, or was the last to be open */
    uint32_t left[BYW_BDU_TABLE]; /* remaining cycles of the window; 0: none is held */
    uint64_t went_on;
};

static inline struct monitor monitor_start(int argc, char **argv, uint64_t cycles)
{
    struct monitor m = {.l = lock_start(argc, argv, cycles)};

    m.slot_port = dut_port(m.l.dut, "slot_i");
    m.window_port = dut_port(m.l.dut, "window_i");
    m.held_port = dut_port(m.l.dut, "held_i");
    return m;
}

/* The unit's inputs in a cycle of the window, or outside windows. */
static inline void monitor_show(struct monitor *m, bool window)
{
    dut_put(m->l.dut, m->slot_port, m->slot);
    dut_put(m->l.dut, m->window_port, window);
    dut_put(m->l.dut, m->held_port, m->left[m->slot] != 0);
    dut_eval(m->l.dut);
}

static inline void monitor_tick(struct monitor *m)
{
    dut_tick(m->l.dut);
    m->l.cycle++;
}

/* Runs cycles outside windows, then opens or resumes the window of a random entry; true: opened a
 * new one, of `cycles` cycles. */
static inline bool monitor_open(struct monitor *m, uint32_t cycles)
{
    uint32_t idle = 1 + lock_below(&m->l, 3);

    m->slot = lock_below(&m->l, BYW_BDU_TABLE);
    for (; idle != 0; idle--) {
        monitor_show(m, false);
        monitor_tick(m);
    }
    if (m->left[m->slot] != 0) {
        m->went_on++;
        return false;
    }
    m->left[m->slot] = cycles;
    return true;
}

/* Drops all held windows: the settings change. */
static inline void monitor_forget(struct monitor *m)
{
    memset(m->left, 0, sizeof(m->left));
}

#endif
