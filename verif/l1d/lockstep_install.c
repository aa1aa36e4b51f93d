/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_install - byw_install.v (with the replacement units) against byw_install.c: random
 * records, full and not full; fills whose line is present and absent.
 */
#include "cosim/lock_sectors.h"
#include "l1d/byw_install.h"

struct ports {
    uint32_t key, sector, last, hit, hit_way, leaves, leaves_reused, way;
    struct lock_repl repl;
    struct lock_sectors before, after;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .key = dut_port(d, "key_i"),
        .sector = dut_port(d, "sector_i"),
        .last = dut_port(d, "last_i"),
        .hit = dut_port(d, "hit_i"),
        .hit_way = dut_port(d, "hit_way_i"),
        .leaves = dut_port(d, "leaves_o"),
        .leaves_reused = dut_port(d, "leaves_reused_o"),
        .way = dut_port(d, "way_o"),
        .repl = lock_repl_ports(d),
        .before = lock_sectors_ports(d, "rec", "i", true),
        .after = lock_sectors_ports(d, "rec", "o", true),
    };
}

int main(int argc, char **argv)
{
    const struct byw_repl_ops *repl = byw_repl(P_REPL);
    struct byw_geometry geo = sectors_geometry(4);
    struct lock l = lock_start(argc, argv, 150000);
    struct ports p = find_ports(l.dut);
    struct byw_set *set = calloc(1, byw_set_bytes(&geo));
    uint64_t joins = 0, victims = 0, vacant = 0;

    if (set == NULL)
        return 2;
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        uint8_t sector = (uint8_t)(1U << lock_below(&l, P_SECTORS));
        bool last = lock_chance(&l, 30);
        struct byw_repl_at at = lock_repl_random(&l, P_WAYS, 4);
        struct byw_install install;
        uint64_t key;
        int tag;

        sectors_random(&l, &geo, set, lock_chance(&l, 60) ? 100 : 70);
        key = sectors_random_key(&l, set);
        tag = byw_set_match(&geo, set, key);
        install = byw_install_decide(repl, set, &at, tag);
        lock_repl_put(l.dut, &p.repl, &at);
        dut_put(l.dut, p.key, key);
        dut_put(l.dut, p.sector, sector);
        dut_put(l.dut, p.last, last);
        dut_put(l.dut, p.hit, tag != BYW_NONE);
        dut_put(l.dut, p.hit_way, tag != BYW_NONE ? (uint64_t)tag : lock_below(&l, P_WAYS));
        lock_sectors_put(l.dut, &p.before, set);
        dut_eval(l.dut);
        lock_same(&l, "way", install.way, dut_get(l.dut, p.way));
        lock_same(&l, "leaves", install.leaves, dut_get(l.dut, p.leaves));
        if (install.leaves)
            lock_same(&l, "leaves_reused", set->way[install.way].reused,
                      dut_get(l.dut, p.leaves_reused));
        byw_install_apply(repl, set, &at, key, sector, last, &install);
        lock_sectors_same(&l, &p.after, set);
        joins += install.present;
        victims += install.leaves;
        vacant += !install.present && !install.leaves;
    }
    lock_met(&l, "sectors that join", joins);
    lock_met(&l, "victims", victims);
    lock_met(&l, "free ways", vacant);
    free(set);
    return lock_pass(&l, ", %" PRIu64 " joins, %" PRIu64 " victims", joins, victims);
}
