/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_fill - byw_fill.v against byw_fill.c, with lists of random length: all buffers full and
 * empty; drained and filled in one cycle; the target and the list announced for the next cycle are
 * the ones that follow; with P_STAGED the fills in f1 and f2; beat by beat if lines have several
 * beats.
 */
#include "cosim/lock.h"
#include "l1d/byw_fill.h"

enum { MSHRS = 1 << P_MSHR_IW, BEATS = P_LINE_BYTES / P_BEAT_BYTES };

struct ports {
    uint32_t rst, fill_take, fill_mshr, direct_take, direct_store, direct_id, error, data,
        fill_ready, fill_room;
    uint32_t fill_valid, fill_mshr_o, fill_index, fill_after, fill_error, fill_data, drain,
        drain_last;
    uint32_t next_mshr, next_index, next_after, follows, direct_valid, direct_store_o, direct_id_o,
        direct_error, direct_data;
    uint32_t fill_next, fill_last, fill_failed, fill_beat;
    uint32_t direct_drain, f2_valid, f2_mshr, f2_error, f2_data;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .fill_take = dut_port(d, "fill_take_i"),
        .fill_mshr = dut_port(d, "fill_mshr_i"),
        .direct_take = dut_port(d, "direct_take_i"),
        .direct_store = dut_port(d, "direct_store_i"),
        .direct_id = dut_port(d, "direct_id_i"),
        .error = dut_port(d, "error_i"),
        .data = dut_port(d, "data_i"),
        .fill_ready = dut_port(d, "fill_ready_o"),
        .fill_room = dut_port(d, "fill_room_o"),
        .fill_valid = dut_port(d, "fill_valid_o"),
        .fill_mshr_o = dut_port(d, "fill_mshr_o"),
        .fill_index = dut_port(d, "fill_index_o"),
        .fill_after = dut_port(d, "fill_index_plus_1_o"),
        .fill_error = dut_port(d, "fill_error_o"),
        .fill_data = dut_port(d, "fill_data_o"),
        .fill_next = dut_port(d, "fill_next_o"),
        .fill_last = dut_port(d, "fill_last_o"),
        .fill_failed = dut_port(d, "fill_failed_o"),
        .fill_beat = dut_port(d, "fill_beat_i"),
        .drain = dut_port(d, "drain_i"),
        .drain_last = dut_port(d, "drain_last_i"),
        .next_mshr = dut_port(d, "next_mshr_o"),
        .next_index = dut_port(d, "next_index_o"),
        .next_after = dut_port(d, "next_index_plus_1_o"),
        .follows = dut_port(d, "successor_mshr_o"),
        .direct_valid = dut_port(d, "direct_valid_o"),
        .direct_store_o = dut_port(d, "direct_store_o"),
        .direct_id_o = dut_port(d, "direct_id_o"),
        .direct_error = dut_port(d, "direct_error_o"),
        .direct_data = dut_port(d, "direct_data_o"),
        .direct_drain = dut_port(d, "direct_drain_i"),
        .f2_valid = dut_port(d, "f2_valid_o"),
        .f2_mshr = dut_port(d, "f2_mshr_o"),
        .f2_error = dut_port(d, "f2_error_o"),
        .f2_data = dut_port(d, "f2_data_o"),
    };
}

static void same_data(const struct lock *l, const char *what, const uint8_t *want, uint32_t port)
{
    uint8_t got[BYW_LINE_MAX];

    dut_get_bytes(l->dut, port, got, P_BEAT_BYTES);
    lock_same_bytes(l, what, want, got, P_BEAT_BYTES);
}

static void compare(const struct lock *l, const struct ports *p, const struct byw_fill *f,
                    uint32_t wanted)
{
    const struct byw_fill_buffer *buffer = &f->buffer[f->head];

    lock_same(l, "fill_ready", byw_fill_room(f), dut_get(l->dut, p->fill_ready));
    lock_same(l, "fill_room", byw_fill_room(f), dut_get(l->dut, p->fill_room));
    lock_same(l, "fill_valid", byw_fill_answers(f), dut_get(l->dut, p->fill_valid));
    lock_same(l, "fill_next", f->beat, dut_get(l->dut, p->fill_next));
    lock_same(l, "fill_last", byw_fill_ends(f), dut_get(l->dut, p->fill_last));
    lock_same(l, "fill_failed", f->failed, dut_get(l->dut, p->fill_failed));
    lock_same(l, "f2_valid", f->f2, dut_get(l->dut, p->f2_valid));
    if (f->f2) {
        lock_same(l, "f2_mshr", byw_fill_f2(f)->mshr, dut_get(l->dut, p->f2_mshr));
        lock_same(l, "f2_error", byw_fill_f2(f)->error, dut_get(l->dut, p->f2_error));
        same_data(l, "f2_data", byw_fill_f2(f)->data, p->f2_data);
    }
    lock_same(l, "direct_valid", f->direct_valid, dut_get(l->dut, p->direct_valid));
    if (byw_fill_answers(f)) {
        lock_same(l, "fill_mshr", buffer->mshr, dut_get(l->dut, p->fill_mshr_o));
        lock_same(l, "fill_index", f->next_target, dut_get(l->dut, p->fill_index));
        lock_same(l, "fill_after", f->next_target + 1, dut_get(l->dut, p->fill_after));
        lock_same(l, "fill_error", buffer->error, dut_get(l->dut, p->fill_error));
        same_data(l, "fill_data", buffer->data + wanted * P_BEAT_BYTES, p->fill_data);
    }
    if (f->direct_valid) {
        lock_same(l, "direct_store", f->direct.served == BYW_SERVED_STORE,
                  dut_get(l->dut, p->direct_store_o));
        lock_same(l, "direct_id", f->direct.id, dut_get(l->dut, p->direct_id_o));
        lock_same(l, "direct_error", f->direct.error, dut_get(l->dut, p->direct_error));
        if (f->direct.data != NULL)
            same_data(l, "direct_data", f->direct.data, p->direct_data);
    }
}

static bool holds(const struct byw_fill *f, uint32_t mshr)
{
    uint32_t i;

    for (i = 0; i < f->count; i++)
        if (f->buffer[(f->head + i) & (f->buffers - 1)].mshr == mshr)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 100000);
    struct ports p = find_ports(l.dut);
    uint32_t list[MSHRS] = {0}; /* length */
    uint32_t rate = 50, drain_rate = 50, i;
    uint64_t fills = 0, full = 0, at_once = 0;
    uint32_t coming = 0; /* MSHR of the arriving fill */
    struct byw_fill f;

    if (byw_fill_init(&f, P_LINE_BYTES, P_BEAT_BYTES, P_STAGED != 0, true) != BYW_OK)
        return 2;
    dut_put(l.dut, p.rst, 1);
    dut_eval(l.dut);
    dut_tick(l.dut);
    dut_put(l.dut, p.rst, 0);
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        uint8_t data[BYW_LINE_MAX];
        struct byw_mem_rsp rsp = {.data = data};
        bool takes, drains, last, passes, direct_drains, ends, begins;
        uint32_t wanted;
        uint64_t next_mshr, next_index, next_after, follows;

        if (l.cycle % 300 == 0) {
            rate = lock_below(&l, 101);
            drain_rate = lock_below(&l, 101);
        }
        for (i = 0; i < P_BEAT_BYTES; i++)
            data[i] = (uint8_t)byw_rng_next(&l.rng);
        drains = byw_fill_answers(&f) && lock_chance(&l, drain_rate);
        last = drains && f.next_target + 1 == list[f.buffer[f.head].mshr];
        direct_drains = f.direct_valid && lock_chance(&l, drain_rate);
        takes = byw_fill_room(&f) && lock_chance(&l, rate);
        passes = !takes && (!f.direct_valid || direct_drains) && lock_chance(&l, rate);
        rsp.id = takes ? lock_below(&l, MSHRS) : lock_below(&l, 1u << P_ID_W);
        while (takes && holds(&f, rsp.id))
            rsp.id = lock_below(&l, MSHRS);
        if (takes && f.beat != 0)
            rsp.id = coming;
        wanted = BEATS == 1 ? 0 : lock_below(&l, BEATS);
        rsp.error = lock_chance(&l, BEATS == 1 ? 30 : 10);
        rsp.kind = takes ? BYW_MEM_FILL : lock_chance(&l, 50) ? BYW_MEM_BYPASS : BYW_MEM_STORE;
        dut_put(l.dut, p.fill_take, takes);
        dut_put(l.dut, p.fill_mshr, rsp.id % MSHRS);
        dut_put(l.dut, p.direct_take, passes);
        dut_put(l.dut, p.direct_store, rsp.kind == BYW_MEM_STORE);
        dut_put(l.dut, p.direct_id, rsp.id);
        dut_put(l.dut, p.error, rsp.error);
        dut_put_bytes(l.dut, p.data, data, P_BEAT_BYTES);
        dut_put(l.dut, p.drain, drains);
        dut_put(l.dut, p.drain_last, last);
        dut_put(l.dut, p.direct_drain, direct_drains);
        dut_put(l.dut, p.fill_beat, wanted);
        dut_eval(l.dut);
        compare(&l, &p, &f, wanted);
        next_mshr = dut_get(l.dut, p.next_mshr);
        next_index = dut_get(l.dut, p.next_index);
        next_after = dut_get(l.dut, p.next_after);
        follows = dut_get(l.dut, p.follows);
        begins = last || !byw_fill_answers(&f);
        full += !byw_fill_room(&f);
        at_once += takes && last;
        if (drains)
            byw_fill_drain(&f, last);
        if (direct_drains)
            f.direct_valid = false;
        byw_fill_advance(&f);
        if (takes) {
            ends = byw_fill_ends(&f);
            byw_fill_accept(&f, &rsp);
            coming = rsp.id;
            if (ends)
                list[rsp.id] = 1 + lock_below(&l, 1 << P_LIST_IW);
            fills += ends;
        }
        if (passes)
            byw_fill_direct(&f, &rsp, rsp.id);
        if (byw_fill_answers(&f)) {
            lock_same(&l, "next_mshr", f.buffer[f.head].mshr, next_mshr);
            lock_same(&l, "next_index", f.next_target, next_index);
            lock_same(&l, "next_after", f.next_target + 1, next_after);
            if (begins)
                lock_same(&l, "follows_mshr", f.buffer[f.head].mshr, follows);
        }
        dut_tick(l.dut);
    }
    lock_met(&l, "cycles with all buffers full", full);
    lock_met(&l, "fills taken as a list ends", at_once);
    byw_fill_release(&f);
    return lock_pass(&l, ", %" PRIu64 " fills, all buffers full in %" PRIu64, fills, full);
}
