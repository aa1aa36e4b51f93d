/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_lanes - byw_lanes.v against byw_lanes.c: random lanes, words and byte masks, answers in
 * any order, back-pressure on both sides, withdrawn requests, all slots in use.
 */
#include "cosim/lock.h"
#include "top/byw_lanes.h"

enum { WORDS = P_LINE_BYTES / 4, WORD_IW = WORDS > 1 ? __builtin_ctz(WORDS) : 1 };

struct ports {
    uint32_t rst, req_valid, req_ready, req_lanes, req_words, req_bytes, req_data, req_tag;
    uint32_t line_valid, line_ready, line_bytes, line_data, line_id;
    uint32_t ans_valid, ans_ready, ans_data, ans_id;
    uint32_t rsp_valid, rsp_ready, rsp_tag, rsp_lanes, rsp_data, idle;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .req_valid = dut_port(d, "req_valid_i"),
        .req_ready = dut_port(d, "req_ready_o"),
        .req_lanes = dut_port(d, "req_lanes_i"),
        .req_words = dut_port(d, "req_words_i"),
        .req_bytes = dut_port(d, "req_bytes_i"),
        .req_data = dut_port(d, "req_data_i"),
        .req_tag = dut_port(d, "req_tag_i"),
        .line_valid = dut_port(d, "line_req_valid_o"),
        .line_ready = dut_port(d, "line_req_ready_i"),
        .line_bytes = dut_port(d, "line_req_bytes_o"),
        .line_data = dut_port(d, "line_req_data_o"),
        .line_id = dut_port(d, "line_req_id_o"),
        .ans_valid = dut_port(d, "line_rsp_valid_i"),
        .ans_ready = dut_port(d, "line_rsp_ready_o"),
        .ans_data = dut_port(d, "line_rsp_data_i"),
        .ans_id = dut_port(d, "line_rsp_id_i"),
        .rsp_valid = dut_port(d, "rsp_valid_o"),
        .rsp_ready = dut_port(d, "rsp_ready_i"),
        .rsp_tag = dut_port(d, "rsp_tag_o"),
        .rsp_lanes = dut_port(d, "rsp_lanes_o"),
        .rsp_data = dut_port(d, "rsp_data_o"),
        .idle = dut_port(d, "idle_o"),
    };
}

/* Masks of stores (an aligned byte, half or word); any other mask one time in eight. */
static uint8_t random_bytes(struct lock *l)
{
    static const uint8_t MASKS[] = {1, 2, 4, 8, 3, 12, 15, 15};

    return lock_chance(l, 12) ? (uint8_t)lock_below(l, 16) : MASKS[lock_below(l, 8)];
}

static void draw(struct lock *l, struct byw_lanes_request *r)
{
    uint32_t i;

    r->active = byw_rng_next(&l->rng) & byw_mask64(P_LANES);
    r->tag = byw_rng_next(&l->rng) & byw_mask64(P_TAG_W);
    for (i = 0; i < P_LANES; i++) {
        r->word[i] = (uint8_t)lock_below(l, WORDS);
        r->bytes[i] = random_bytes(l);
        r->data[i] = (uint32_t)byw_rng_next(&l->rng);
    }
}

static void put_request(struct lock *l, const struct ports *p, const struct byw_lanes_request *r)
{
    uint32_t words[(BYW_LANES_MAX * 5 + 31) / 32] = {0}, bytes[BYW_LANES_MAX * 4 / 32] = {0}, i;

    for (i = 0; i < P_LANES; i++) {
        lock_set_field(words, i * WORD_IW, WORD_IW, r->word[i]);
        lock_set_field(bytes, i * 4, 4, r->bytes[i]);
    }
    dut_put(l->dut, p->req_lanes, r->active);
    dut_put(l->dut, p->req_tag, r->tag);
    dut_put_bytes(l->dut, p->req_words, words, sizeof(words));
    dut_put_bytes(l->dut, p->req_bytes, bytes, sizeof(bytes));
    dut_put_bytes(l->dut, p->req_data, r->data, P_LANES * 4);
}

static void compare_line(const struct lock *l, const struct ports *p, const struct byw_lanes *ln,
                         const struct byw_lanes_request *r)
{
    bool mask[P_LINE_BYTES];
    uint8_t want[P_LINE_BYTES], got[P_LINE_BYTES];
    uint32_t bits[P_LINE_BYTES / 32 + 1] = {0}, i;

    byw_lanes_scatter(&ln->cfg, r, mask, want);
    dut_get_bytes(l->dut, p->line_bytes, bits, sizeof(bits));
    dut_get_bytes(l->dut, p->line_data, got, sizeof(got));
    for (i = 0; i < P_LINE_BYTES; i++)
        lock_same_at(l, "line_req_bytes", i, mask[i], lock_field(bits, i, 1));
    lock_same_bytes(l, "line_req_data", want, got, P_LINE_BYTES);
    lock_same(l, "line_req_id", byw_lanes_next(ln), dut_get(l->dut, p->line_id));
}

static void compare_answer(const struct lock *l, const struct ports *p, struct byw_lanes *ln,
                           uint32_t slot, const uint8_t line[])
{
    uint32_t want[BYW_LANES_MAX], got[BYW_LANES_MAX], i;

    byw_lanes_gather(&ln->cfg, &ln->slot[slot], line, want);
    dut_get_bytes(l->dut, p->rsp_data, got, P_LANES * 4);
    for (i = 0; i < P_LANES; i++)
        lock_same_at(l, "rsp_data", i, want[i], got[i]);
    lock_same(l, "rsp_tag", ln->slot[slot].tag, dut_get(l->dut, p->rsp_tag));
    lock_same(l, "rsp_lanes", ln->slot[slot].active, dut_get(l->dut, p->rsp_lanes));
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 40000);
    struct ports p = find_ports(l.dut);
    struct byw_lanes_config cfg = {P_LANES, P_LINE_BYTES, P_SLOTS, P_RIGHT != 0};
    struct byw_lanes_request r;
    struct byw_lanes ln;
    uint32_t rate = 50;
    uint64_t takes = 0, full = 0, held = 0;

    if (byw_lanes_init(&ln, &cfg) != BYW_OK)
        return 2;
    draw(&l, &r);
    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++) {
        bool reset = l.cycle == 0 || lock_below(&l, 5000) == 0, any = byw_lanes_any(&ln);
        bool valid = lock_chance(&l, 80), ready = lock_chance(&l, 70), take, answers;
        bool rsp_ready = lock_chance(&l, 70);
        uint32_t slot = lock_below(&l, P_SLOTS), i;
        uint8_t line[P_LINE_BYTES];

        if (l.cycle % 300 == 0)
            rate = lock_below(&l, 101);
        for (i = 0; i < P_SLOTS && !ln.busy[slot]; i++)
            slot = (slot + 1) % P_SLOTS;
        answers = ln.busy[slot] && lock_chance(&l, rate);
        for (i = 0; i < P_LINE_BYTES; i++)
            line[i] = (uint8_t)lock_below(&l, 256);
        dut_put(l.dut, p.rst, reset);
        dut_put(l.dut, p.req_valid, valid);
        put_request(&l, &p, &r);
        dut_put(l.dut, p.line_ready, ready);
        dut_put(l.dut, p.ans_valid, answers);
        dut_put(l.dut, p.ans_id, slot);
        dut_put_bytes(l.dut, p.ans_data, line, sizeof(line));
        dut_put(l.dut, p.rsp_ready, rsp_ready);
        dut_eval(l.dut);
        if (!reset) {
            lock_same(&l, "req_ready", ready && any, dut_get(l.dut, p.req_ready));
            lock_same(&l, "line_req_valid", valid && any, dut_get(l.dut, p.line_valid));
            lock_same(&l, "line_rsp_ready", rsp_ready, dut_get(l.dut, p.ans_ready));
            lock_same(&l, "rsp_valid", answers, dut_get(l.dut, p.rsp_valid));
            lock_same(&l, "idle", ln.used == 0, dut_get(l.dut, p.idle));
            if (valid && any)
                compare_line(&l, &p, &ln, &r);
            if (answers)
                compare_answer(&l, &p, &ln, slot, line);
        }
        dut_tick(l.dut);
        full += !any;
        held += ln.held;
        take = valid && any && ready && !reset;
        if (reset)
            byw_lanes_clear(&ln);
        else if (take)
            byw_lanes_take(&ln, &r);
        else if (valid && any)
            byw_lanes_hold(&ln);
        if (answers && rsp_ready && !reset)
            (void)byw_lanes_give(&ln, slot);
        takes += take;
        if (take || lock_chance(&l, 10))
            draw(&l, &r);
    }
    lock_met(&l, "cycles without a free slot", full);
    lock_met(&l, "slots shown and not taken", held);
    byw_lanes_release(&ln);
    return lock_pass(&l, ", %" PRIu64 " requests, no slot in %" PRIu64, takes, full);
}
