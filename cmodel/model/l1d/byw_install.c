/* SPDX-License-Identifier: Apache-2.0 */
#include "l1d/byw_install.h"

struct byw_install byw_install_decide(const struct byw_repl_ops *repl, const struct byw_set *set,
                                      const struct byw_repl_at *at, int tag)
{
    uint64_t all = byw_mask64(at->ways);

    if (tag != BYW_NONE)
        return (struct byw_install){.present = true, .way = (uint8_t)tag};
    if (set->used != all)
        return (struct byw_install){.way = (uint8_t)byw_ctz64(~set->used)};
    return (struct byw_install){.leaves = true,
                                .way = (uint8_t)byw_repl_victim(repl, set, at, all)};
}

void byw_install_apply(const struct byw_repl_ops *repl, struct byw_set *set,
                       const struct byw_repl_at *at, uint64_t key, uint8_t sector, bool last,
                       const struct byw_install *install)
{
    uint32_t way = install->way;

    if (install->present) {
        set->tag[way].sectors |= sector;
        if (!last)
            repl->touched(set, at, way);
        return;
    }
    if (install->leaves) {
        repl->evicted(set, at, set->used, way);
        byw_set_uncommit(set, (int)way, false);
    }
    byw_set_install(set, (int)way, key, 0);
    byw_set_commit(set, (int)way, way);
    set->pending &= ~byw_bit64(way);
    set->tag[way].sectors = sector;
    repl->inserted(set, at, way, last);
}
