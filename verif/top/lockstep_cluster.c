/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_cluster - byw_cluster.v (N times byw_sm_l1, and byw_sm_duel) against byw_cluster.c:
 * outputs and events of every SM in every cycle, who filters, and the counters read meanwhile.
 * Random traffic of its own for each SM; now and then a reset with other settings.
 */
#include "cosim/lock_cfg.h"
#include "cosim/lock_traffic.h"
#include "top/byw_cluster.h"

enum { EVENTS_W = 26, COUNTERS = BYW_EV_COUNT + 2, WIDE = P_SMS * BYW_LINE_MAX };

/* Ports by name, each of P_SMS fields. */
enum {
    IN_KERNEL_START,
    IN_REQ_VALID,
    IN_REQ_OP,
    IN_REQ_LINE,
    IN_REQ_BYTES,
    IN_REQ_DATA,
    IN_REQ_PC,
    IN_REQ_ID,
    IN_REQ_HINT,
    IN_RSP_READY,
    IN_MEM_REQ_READY,
    IN_MEM_RSP_VALID,
    IN_MEM_RSP_KIND,
    IN_MEM_RSP_DATA,
    IN_MEM_RSP_ID,
    IN_MEM_RSP_ERROR,
    OUT_FILTER_ON,
    OUT_REQ_READY,
    OUT_RSP_VALID,
    OUT_RSP_DATA,
    OUT_RSP_ID,
    OUT_RSP_SERVED,
    OUT_RSP_ERROR,
    OUT_MEM_REQ_VALID,
    OUT_MEM_REQ_KIND,
    OUT_MEM_REQ_LINE,
    OUT_MEM_REQ_BYTES,
    OUT_MEM_REQ_DATA,
    OUT_MEM_REQ_ID,
    OUT_MEM_RSP_READY,
    OUT_IDLE,
    OUT_EVENTS,
    FIELDS
};

static const struct {
    const char *name;
    uint32_t width;
} field[FIELDS] = {
    {"kernel_start_i", 1},
    {"req_valid_i", 1},
    {"req_op_i", 3},
    {"req_line_i", P_LINE_W},
    {"req_bytes_i", P_LINE_BYTES},
    {"req_data_i", P_LINE_BYTES * 8},
    {"req_pc_i", 32},
    {"req_id_i", 16},
    {"req_hint_i", 3},
    {"rsp_ready_i", 1},
    {"mem_req_ready_i", 1},
    {"mem_rsp_valid_i", 1},
    {"mem_rsp_kind_i", 2},
    {"mem_rsp_data_i", P_LINE_BYTES * 8},
    {"mem_rsp_id_i", 16},
    {"mem_rsp_error_i", 1},
    {"filter_on_o", 1},
    {"req_ready_o", 1},
    {"rsp_valid_o", 1},
    {"rsp_data_o", P_LINE_BYTES * 8},
    {"rsp_id_o", 16},
    {"rsp_served_o", 3},
    {"rsp_error_o", 1},
    {"mem_req_valid_o", 1},
    {"mem_req_kind_o", 2},
    {"mem_req_line_o", P_LINE_W},
    {"mem_req_bytes_o", P_LINE_BYTES},
    {"mem_req_data_o", P_LINE_BYTES * 8},
    {"mem_req_id_o", 16},
    {"mem_rsp_ready_o", 1},
    {"idle_o", 1},
    {"events_o", EVENTS_W},
};

struct bench {
    struct lock l;
    uint32_t port[FIELDS];
    uint32_t words[FIELDS][WIDE / 4]; /* what is at the ports */
    struct traffic traffic[P_SMS];
    struct byw_cluster *cluster;
    bool reads; /* a counter read is going on */
    uint32_t read_sm, read_sel;
    uint64_t met[BYW_EV_COUNT];
    uint64_t counters, flips;
};

static void put(struct bench *b, int f, uint32_t sm, uint64_t value)
{
    lock_set_field(b->words[f], sm * field[f].width, field[f].width, value);
}

static uint64_t get(const struct bench *b, int f, uint32_t sm)
{
    return lock_field(b->words[f], sm * field[f].width, field[f].width);
}

static void put_sm(struct bench *b, uint32_t sm)
{
    const struct traffic *t = &b->traffic[sm];
    const struct byw_l1d_in *in = &t->in;

    put(b, IN_KERNEL_START, sm, in->ctrl.kernel_start);
    put(b, IN_REQ_VALID, sm, in->req_valid);
    put(b, IN_RSP_READY, sm, in->rsp_ready);
    put(b, IN_MEM_REQ_READY, sm, in->mem_req_ready);
    put(b, IN_MEM_RSP_VALID, sm, in->mem_rsp_valid);
    if (t->new_req) {
        put(b, IN_REQ_OP, sm, in->req.op);
        put(b, IN_REQ_LINE, sm, in->req.line);
        memcpy((uint8_t *)b->words[IN_REQ_BYTES] + sm * P_LINE_BYTES / 8, in->req.bytes.w,
               P_LINE_BYTES / 8);
        memcpy((uint8_t *)b->words[IN_REQ_DATA] + sm * P_LINE_BYTES, t->req_data, P_LINE_BYTES);
        put(b, IN_REQ_PC, sm, in->req.pc);
        put(b, IN_REQ_ID, sm, in->req.id);
        put(b, IN_REQ_HINT, sm, in->req.hint);
    }
    if (t->new_rsp) {
        put(b, IN_MEM_RSP_KIND, sm, in->mem_rsp.kind);
        memcpy((uint8_t *)b->words[IN_MEM_RSP_DATA] + sm * P_LINE_BYTES, t->rsp_data, P_LINE_BYTES);
        put(b, IN_MEM_RSP_ID, sm, in->mem_rsp.id);
        put(b, IN_MEM_RSP_ERROR, sm, in->mem_rsp.error);
    }
}

static void same(const struct bench *b, int f, uint32_t sm, uint64_t want)
{
    lock_same_at(&b->l, field[f].name, sm, want, get(b, f, sm));
}

static void same_line(const struct bench *b, int f, uint32_t sm, const uint8_t *want)
{
    const uint8_t *got = (const uint8_t *)b->words[f] + sm * P_LINE_BYTES;

    if (want != NULL && memcmp(want, got, P_LINE_BYTES) != 0)
        lock_same_bytes(&b->l, field[f].name, want, got, P_LINE_BYTES);
}

static void compare_sm(const struct bench *b, uint32_t sm, const struct byw_l1d_out *out)
{
    same(b, OUT_EVENTS, sm, out->events);
    same(b, OUT_REQ_READY, sm, out->req_ready);
    same(b, OUT_RSP_VALID, sm, out->rsp_valid);
    same(b, OUT_MEM_REQ_VALID, sm, out->mem_req_valid);
    same(b, OUT_MEM_RSP_READY, sm, out->mem_rsp_ready);
    same(b, OUT_IDLE, sm, out->idle);
    if (out->rsp_valid) {
        same(b, OUT_RSP_ID, sm, out->rsp.id);
        same(b, OUT_RSP_SERVED, sm, out->rsp.served);
        same(b, OUT_RSP_ERROR, sm, out->rsp.error);
        same_line(b, OUT_RSP_DATA, sm, out->rsp.data);
    }
    if (out->mem_req_valid) {
        same(b, OUT_MEM_REQ_KIND, sm, out->mem_req.kind);
        same(b, OUT_MEM_REQ_LINE, sm, out->mem_req.line);
        same(b, OUT_MEM_REQ_ID, sm, out->mem_req.id);
        same(b, OUT_MEM_REQ_BYTES, sm, out->mem_req.bytes.w[0]);
        same_line(b, OUT_MEM_REQ_DATA, sm, out->mem_req.data);
    }
}

static uint64_t counter(const struct bench *b, uint32_t sm, uint32_t sel)
{
    const struct byw_l1_stats *stats;

    if (sm >= P_SMS || sel >= COUNTERS)
        return 0;
    stats = byw_cluster_stats(b->cluster, sm);
    if (sel < BYW_EV_COUNT)
        return stats->ev[sel];
    return sel == BYW_EV_COUNT ? stats->stall_cycles : stats->filter_on_cycles;
}

/* A read holds its request until the answer, which counts all cycles before this one. */
static void read_counter(struct bench *b)
{
    struct dut *d = b->l.dut;

    if (!b->reads && lock_chance(&b->l, 5)) {
        b->reads = true;
        b->read_sm = lock_below(&b->l, P_SMS + 1);
        b->read_sel = lock_below(&b->l, COUNTERS + 1);
    }
    dut_put(d, dut_port(d, "count_req_i"), b->reads);
    dut_put(d, dut_port(d, "count_sm_i"), b->read_sm);
    dut_put(d, dut_port(d, "count_sel_i"), b->read_sel);
}

static void compare_counter(struct bench *b)
{
    const struct dut *d = b->l.dut;
    bool valid = dut_get(d, dut_port(d, "count_valid_o")) != 0;

    if (!b->reads || !valid)
        return;
    lock_same_at(&b->l, "counter", b->read_sm * 100 + b->read_sel,
                 counter(b, b->read_sm, b->read_sel), dut_get(d, dut_port(d, "count_data_o")));
    b->reads = false;
    b->counters++;
}

static void put_settings(struct bench *b, const struct byw_config *c)
{
    struct dut *d = b->l.dut;

    dut_put(d, dut_port(d, "policy_i"), lock_cfg(c));
    dut_put(d, dut_port(d, "duel_enable_i"), c->duel_on);
    dut_put(d, dut_port(d, "duel_restart_i"), 0);
    dut_put(d, dut_port(d, "duel_interval_i"), c->duel_interval);
    dut_put(d, dut_port(d, "duel_margin_i"), c->duel_margin);
    dut_put(d, dut_port(d, "duel_min_accesses_i"), c->duel_min);
    dut_put(d, dut_port(d, "duel_hysteresis_i"), c->duel_hyst);
    dut_put(d, dut_port(d, "duel_bypass_is_miss_i"), c->duel_byp_miss);
    dut_put(d, dut_port(d, "duel_initial_on_i"), c->duel_init);
}

static struct byw_config random_config(struct lock *l)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.sm_count = P_SMS;
    c.l1d_sets = P_SETS;
    c.l1d_ways = P_DATA_WAYS;
    c.l1d_line = P_LINE_BYTES;
    c.l1d_index = P_INDEX;
    c.l1d_repl = P_REPL;
    c.l1d_mshrs = P_MSHRS;
    c.l1d_merges = P_MERGES;
    c.l1d_miss_queue = P_MISS_DEPTH;
    c.l1d_bypass_queue = P_BYPASS_DEPTH;
    c.l1d_trackers = P_TRACKERS;
    c.l1d_store_hit = lock_below(l, 2);
    c.policy_mode = lock_chance(l, 80) ? BYW_MODE_DECOUPLED : lock_below(l, 2);
    c.dec_tag_ways = P_TAG_WAYS;
    c.dec_rc_bits = P_RC_W;
    c.dec_threshold = lock_below(l, 3);
    c.duel_on = lock_chance(l, 80);
    c.duel_interval = 20 + lock_below(l, 300);
    c.duel_margin = lock_below(l, 20);
    c.duel_min = lock_below(l, 8);
    c.duel_hyst = 1 + lock_below(l, 3);
    c.duel_byp_miss = lock_below(l, 2);
    c.duel_init = lock_below(l, 2);
    return c;
}

static void restart(struct bench *b)
{
    struct byw_config config = random_config(&b->l);
    struct byw_diag diag;
    uint32_t sm;

    byw_cluster_free(b->cluster);
    if (byw_cluster_create(&config, true, &b->cluster, &diag) != BYW_OK) {
        fprintf(stderr, "%s\n", diag.text);
        exit(2);
    }
    put_settings(b, &config);
    b->reads = false;
    dut_put(b->l.dut, dut_port(b->l.dut, "rst_i"), 1);
    dut_eval(b->l.dut);
    dut_tick(b->l.dut);
    dut_put(b->l.dut, dut_port(b->l.dut, "rst_i"), 0);
    for (sm = 0; sm < P_SMS; sm++)
        traffic_forget(&b->traffic[sm]);
}

static void cycle(struct bench *b)
{
    struct byw_l1d_out out;
    uint32_t sm, i;
    int f;

    for (sm = 0; sm < P_SMS; sm++) {
        traffic_next(&b->l, &b->traffic[sm]);
        put_sm(b, sm);
    }
    for (f = 0; f < OUT_FILTER_ON; f++)
        dut_put_bytes(b->l.dut, b->port[f], b->words[f], sizeof(b->words[f]));
    read_counter(b);
    dut_eval(b->l.dut);
    for (f = OUT_FILTER_ON; f < FIELDS; f++)
        dut_get_bytes(b->l.dut, b->port[f], b->words[f], sizeof(b->words[f]));
    compare_counter(b);
    for (sm = 0; sm < P_SMS; sm++) {
        same(b, OUT_FILTER_ON, sm, byw_cluster_filter_on(b->cluster, sm));
        byw_cluster_sm(b->cluster, sm, &b->traffic[sm].in, &out);
        compare_sm(b, sm, &out);
        traffic_moved(&b->traffic[sm], &out);
        for (i = 0; i < BYW_EV_COUNT; i++)
            b->met[i] += out.events >> i & 1;
    }
    i = byw_cluster_filter_on(b->cluster, P_SMS - 1);
    byw_cluster_tick(b->cluster);
    b->flips += i != (uint32_t)byw_cluster_filter_on(b->cluster, P_SMS - 1);
    dut_tick(b->l.dut);
}

int main(int argc, char **argv)
{
    struct bench *b = calloc(1, sizeof(*b));
    uint32_t i, left = 0;

    if (b == NULL)
        return 2;
    b->l = lock_start(argc, argv, 40000);
    for (i = 0; i < FIELDS; i++)
        b->port[i] = dut_port(b->l.dut, field[i].name);
    for (i = 0; i < P_SMS; i++) {
        b->traffic[i].line_bytes = P_LINE_BYTES;
        b->traffic[i].line_mask = byw_mask64(P_LINE_W);
    }
    for (b->l.cycle = 0; b->l.cycle < b->l.cycles; b->l.cycle++) {
        if (left-- == 0) {
            restart(b);
            left = 1000 + lock_below(&b->l, 8000);
        }
        cycle(b);
    }
    lock_met(&b->l, "switches of a follower's filter", P_SMS > 2 ? b->flips : 1);
    lock_met(&b->l, "counters read", b->counters);
    byw_cluster_free(b->cluster);
    i = (uint32_t)lock_pass(
        &b->l, ", %" PRIu64 " loads, %" PRIu64 " filter switches, %" PRIu64 " counters read",
        b->met[BYW_EV_LOAD], b->flips, b->counters);
    free(b);
    return (int)i;
}
