/* SPDX-License-Identifier: Apache-2.0
 *
 * PC predictor, threshold 3. A PC whose lines are evicted without reuse bypasses from the third
 * such line on, marked as predicted; other PCs are not affected. Present lines are served whatever
 * is predicted, and their reuse counts in favour of caching, as does a reuse that the L2 reports
 * with the answer to a bypassed load.
 */
#include "scenario/rig.h"

static uint32_t load(struct rig *r, uint32_t pc, uint64_t line)
{
    r->pc = pc;
    return rig_do(r, BYW_OP_LOAD, line);
}

void scenario(struct rig *r)
{
    enum { STREAM = 0x40, OTHER = 0x44 };
    struct byw_config c = rig_config(r);
    uint32_t ways = r->size.ways, k;

    c.pc_on = 1;
    c.pc_threshold = 3;
    c.pc_duel = 0;
    c.pc_sample = 0;
    rig_start(r, &c);
    for (k = 0; k < ways + 3; k++)
        rig_served(r, load(r, STREAM, rig_line(r, 1, k)), BYW_SERVED_FILL, 0);
    rig_same(r, "lines evicted", 3, r->pev[BYW_PEV_PC_DEAD]);
    rig_served(r, load(r, STREAM, rig_line(r, 1, k)), BYW_SERVED_BYPASS, r->latency + 4);
    rig_true(r, "marked", r->fetch[r->fetches - 1].predicted);
    rig_same(r, "bypasses", 1, r->pev[BYW_PEV_PC_BYPASS]);
    rig_same(r, "PC at the memory", STREAM, r->fetch[r->fetches - 1].pc);
    rig_served(r, load(r, OTHER, rig_line(r, 2, 0)), BYW_SERVED_FILL, 0);
    rig_true(r, "not marked", !r->fetch[r->fetches - 1].predicted);

    r->mispredict = true; /* the L2 saw the next bypassed line again */
    rig_served(r, load(r, STREAM, rig_line(r, 1, k + 1)), BYW_SERVED_BYPASS, 0);
    r->mispredict = false;
    rig_same(r, "mispredictions", 1, r->pev[BYW_PEV_PC_MISPREDICT]);
    rig_served(r, load(r, STREAM, rig_line(r, 3, 0)), BYW_SERVED_FILL, 0);

    rig_served(r, load(r, STREAM, rig_line(r, 1, 50)), BYW_SERVED_FILL, 0); /* evicts: 3 again */
    rig_served(r, load(r, STREAM, rig_line(r, 1, 51)), BYW_SERVED_BYPASS, 0);
    rig_served(r, load(r, STREAM, rig_line(r, 3, 0)), BYW_SERVED_HIT, 3); /* reuse: 2 */
    rig_same(r, "reuses", 1, r->pev[BYW_PEV_PC_REUSED]);
    rig_served(r, load(r, STREAM, rig_line(r, 3, 1)), BYW_SERVED_FILL, 0);
}
