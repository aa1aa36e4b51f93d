/* SPDX-License-Identifier: Apache-2.0
 *
 * What an integrator may rely on, in words and numbers: combinational paths between ports
 * (rtl/doc/handshake.md), ids, empty byte masks, dirty lines, answers from before a reset
 * (rtl/doc/l1d.md), and the order of what leaves for one line (rtl/doc/ordering.md).
 */
#include "common/byw_l1d_mix.h"
#include "top/byw_cluster.h"
#include "top/byw_csr_map.h"

static struct byw_config small(uint32_t mode)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.policy_mode = mode;
    c.l1d_sets = 2;
    c.l1d_index = BYW_INDEX_LINEAR;
    c.l1d_mshrs = c.l1d_trackers = 4;
    c.l1d_store_hit = BYW_STORE_UPDATE;
    return c;
}

/* ---- combinational paths -------------------------------------------------------------------- */

enum from {
    RSP_READY,
    MEM_REQ_READY,
    MEM_RSP_VALID,
    MEM_RSP_KIND,
    MEM_RSP_ID,
    MEM_RSP_ERROR,
    REQ_VALID,
    REQ_OP,
    BYPASS,
    KERNEL_START,
    FILTER_ON,
    INPUTS
};
enum to { RSP = 1, MEM_REQ = 2, REQ_READY = 4, MEM_RSP_READY = 8, IDLE = 16 };

static const char *const from_names[INPUTS] = {
    "rsp_ready_i",  "mem_req_ready_i", "mem_rsp_valid_i", "mem_rsp_kind_i",
    "mem_rsp_id_i", "mem_rsp_error_i", "req_valid_i",     "req_op_i",
    "bypass_i",     "kernel_start_i",  "filter_on_i"};

/* The table of rtl/doc/handshake.md. */
static const uint32_t paths_on_miss[INPUTS] = {
    [RSP_READY] = REQ_READY | MEM_RSP_READY,
    [MEM_RSP_VALID] = REQ_READY | MEM_RSP_READY,
    [MEM_RSP_KIND] = REQ_READY | MEM_RSP_READY,
    [MEM_RSP_ID] = REQ_READY,
    [MEM_RSP_ERROR] = REQ_READY,
    [KERNEL_START] = REQ_READY,
    [FILTER_ON] = REQ_READY,
};
static const uint32_t paths_on_fill[INPUTS] = {
    [RSP_READY] = REQ_READY | MEM_RSP_READY,
    [MEM_RSP_VALID] = MEM_RSP_READY,
    [MEM_RSP_KIND] = MEM_RSP_READY,
    [KERNEL_START] = REQ_READY,
};

struct probe {
    uint32_t seen[INPUTS]; /* outputs that changed with the input */
};

static void flip(struct byw_l1d_in *in, enum from from, uint32_t mshrs)
{
    switch (from) {
    case RSP_READY:
        in->rsp_ready = !in->rsp_ready;
        break;
    case MEM_REQ_READY:
        in->mem_req_ready = !in->mem_req_ready;
        break;
    case MEM_RSP_VALID:
        in->mem_rsp_valid = !in->mem_rsp_valid;
        break;
    case MEM_RSP_KIND:
        in->mem_rsp.kind = in->mem_rsp.kind == BYW_MEM_FILL ? BYW_MEM_BYPASS : BYW_MEM_FILL;
        in->mem_rsp.id %= mshrs; /* a store's may be any */
        break;
    case MEM_RSP_ID:
        in->mem_rsp.id = (in->mem_rsp.id + 1) % mshrs;
        break;
    case MEM_RSP_ERROR:
        in->mem_rsp.error = !in->mem_rsp.error;
        break;
    case REQ_VALID:
        in->req_valid = !in->req_valid;
        break;
    case REQ_OP:
        in->req.op = in->req.op == BYW_OP_LOAD ? BYW_OP_LOCAL_STORE : BYW_OP_LOAD;
        break;
    case BYPASS:
        in->ctrl.bypass = !in->ctrl.bypass;
        break;
    case KERNEL_START:
        in->ctrl.kernel_start = !in->ctrl.kernel_start;
        break;
    default:
        in->ctrl.filter_on = !in->ctrl.filter_on;
        break;
    }
}

static bool same_mem_req(const struct byw_mem_req *a, const struct byw_mem_req *b)
{
    return a->line == b->line && a->id == b->id && a->kind == b->kind && a->pc == b->pc &&
           a->atomic == b->atomic && memcmp(&a->bytes, &b->bytes, sizeof(a->bytes)) == 0;
}

static uint32_t differences(const struct byw_l1d_out *a, const struct byw_l1d_out *b)
{
    bool rsp = a->rsp_valid != b->rsp_valid || (a->rsp_valid && !host_same_rsp(&a->rsp, &b->rsp));
    bool mem = a->mem_req_valid != b->mem_req_valid ||
               (a->mem_req_valid && !same_mem_req(&a->mem_req, &b->mem_req));

    return (rsp ? RSP : 0U) | (mem ? MEM_REQ : 0U) |
           (a->req_ready != b->req_ready ? REQ_READY : 0U) |
           (a->mem_rsp_ready != b->mem_rsp_ready ? MEM_RSP_READY : 0U) |
           (a->idle != b->idle ? IDLE : 0U);
}

/* Asks for the outputs of this cycle with each input changed, then takes the clock edge. */
static void probing_step(struct host *h, const struct byw_l1d_in *in, struct byw_l1d_out *out)
{
    struct probe *probe = h->owner;
    struct byw_l1d_in other;
    struct byw_l1d_out changed;
    int i;

    byw_l1d_eval(h->l1d, in, out);
    for (i = 0; i < INPUTS; i++) {
        other = *in;
        if (i >= MEM_RSP_KIND && i <= MEM_RSP_ERROR && !in->mem_rsp_valid)
            continue;
        flip(&other, (enum from)i, h->config.l1d_mshrs);
        byw_l1d_eval(h->l1d, &other, &changed);
        probe->seen[i] |= differences(out, &changed);
    }
    byw_l1d_tick(h->l1d, in);
}

static void find_paths(const char *name, const struct byw_config *config, const uint32_t *want)
{
    static const struct host_mix mix = {
        .lines = 24, .percent = 90, .stores = 20, .atomics = 5, .locals = 20, .hints = 20};
    struct host *h = host_new(name, config, host_seed(1));
    struct probe probe = {{0}};
    uint8_t data[HOST_WHOLE];
    struct byw_req req;
    bool offered = false;
    uint32_t i, n;

    h->step = probing_step;
    h->owner = &probe;
    h->latency = 6;
    h->jitter = 12;
    h->rsp_percent = 60;
    h->req_percent = 70;
    h->error_percent = 10;
    for (n = 0; n < 60000; n++) {
        if (!offered)
            offered = host_random_req(h, &mix, data, &req);
        h->filter_on = byw_rng_below(&h->rng, 50) != 0;
        if (host_cycle(h, offered ? &req : NULL))
            offered = false;
    }
    host_drain(h);
    for (i = 0; i < INPUTS; i++)
        if (probe.seen[i] != want[i])
            fail_msg("%s: %s reaches outputs %#x, the page says %#x", name, from_names[i],
                     probe.seen[i], want[i]);
    host_free(h);
}

/* A second cache, which sees something else wherever the first takes nothing. */
static void step_beside(struct host *h, const struct byw_l1d_in *in, struct byw_l1d_out *out)
{
    struct byw_l1d_in other = *in;
    struct byw_l1d_out beside;

    byw_l1d_eval(h->l1d, in, out);
    if (!out->req_ready) {
        other.req_valid = byw_rng_below(&h->rng, 2) != 0;
        other.req = (struct byw_req){.line = byw_rng_below(&h->rng, 24),
                                     .op = (uint8_t)byw_rng_below(&h->rng, 7),
                                     .bytes = host_mask(0, HOST_WHOLE)};
    }
    if (!out->mem_rsp_ready)
        other.mem_rsp_valid = false;
    byw_l1d_eval(h->owner, &other, &beside);
    if ((differences(out, &beside) & ~(uint32_t)MEM_RSP_READY) != 0)
        host_fail(h, "an input that was not taken shows at an output");
    byw_l1d_tick(h->l1d, in);
    byw_l1d_tick(h->owner, &other);
    if (byw_l1d_digest(h->l1d) != byw_l1d_digest(h->owner))
        host_fail(h, "an input that was not taken left a trace");
}

/* The cache looks at a request or response in the cycle in which it takes it, and in no other: what
 * was offered before and taken back or changed leaves no trace. */
static void inputs_count_when_they_are_taken(void **state)
{
    struct byw_config c = small(BYW_MODE_BASE);
    static const struct host_mix mix = {
        .lines = 24, .percent = 100, .stores = 20, .atomics = 5, .locals = 20, .hints = 20};
    struct host *h = host_new("taken", &c, host_seed(1));
    struct byw_l1d *second;
    struct byw_diag diag;
    uint8_t data[HOST_WHOLE];
    struct byw_req req;
    bool offered = false;
    uint32_t n;

    (void)state;
    assert_int_equal(byw_l1d_create(&c, true, &second, &diag), BYW_OK);
    h->step = step_beside;
    h->owner = second;
    h->rsp_percent = 40;
    h->req_percent = 50;
    for (n = 0; n < 20000; n++) {
        if (!offered)
            offered = host_random_req(h, &mix, data, &req);
        if (host_cycle(h, offered ? &req : NULL))
            offered = false;
    }
    byw_l1d_free(second);
    host_free(h);
}

static void paths_are_those_of_the_page(void **state)
{
    struct byw_config c = small(BYW_MODE_DECOUPLED);

    (void)state;
    find_paths("allocate on miss", &c, paths_on_miss);
    c = small(BYW_MODE_BASE);
    c.l1d_alloc = BYW_ALLOC_ON_FILL;
    c.l1d_sectors = 4;
    find_paths("allocate on fill", &c, paths_on_fill);
}

/* ---- one request at a time ------------------------------------------------------------------ */

static struct host *make(const char *name, uint32_t store_hit)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.policy_mode = BYW_MODE_BASE;
    c.l1d_store_hit = store_hit;
    return host_new(name, &c, host_seed(1));
}

/* A request with these bytes; runs until it is answered and counts what leaves by kind. */
static void do_bytes(struct host *h, uint8_t op, uint8_t hint, const struct byw_byte_mask *bytes,
                     uint32_t sent[4])
{
    uint8_t data[HOST_WHOLE];
    struct byw_req req = {.op = op, .hint = hint, .line = 1, .bytes = *bytes, .data = data};
    bool taken = false;

    memset(data, 0x5a, sizeof(data));
    memset(sent, 0, 4 * sizeof(sent[0]));
    req.id = host_free_id(h);
    do {
        taken = host_cycle(h, taken ? NULL : &req) || taken;
        if (h->out.mem_req_valid && h->in.mem_req_ready) {
            sent[h->out.mem_req.kind]++;
            if (h->out.mem_req.kind != BYW_MEM_FILL && h->out.mem_req.kind != BYW_MEM_WRITEBACK)
                assert_memory_equal(&h->out.mem_req.bytes, bytes, sizeof(*bytes));
        }
    } while (!taken || h->outstanding != 0 || !h->out.idle);
}

static bool present(struct host *h)
{
    return host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE) == 3;
}

/* A request without any byte takes its usual way: it fetches, drops, and is answered like any
 * other; no byte changes, and a line does not become dirty. */
static void empty_mask_changes_no_byte(void **state)
{
    struct byw_byte_mask none = {{0, 0}};
    uint32_t sent[4];
    struct host *h = make("empty mask, no line", BYW_STORE_UPDATE);

    (void)state;
    do_bytes(h, BYW_OP_STORE, BYW_HINT_NONE, &none, sent);
    assert_int_equal(sent[BYW_MEM_STORE], 1); /* goes to memory and is acknowledged */
    do_bytes(h, BYW_OP_LOAD, BYW_HINT_BYPASS, &none, sent);
    assert_int_equal(sent[BYW_MEM_BYPASS], 1);
    do_bytes(h, BYW_OP_LOAD, BYW_HINT_NONE, &none, sent);
    assert_int_equal(sent[BYW_MEM_FILL], 1); /* fetches the whole line ... */
    assert_true(present(h)); /* ... and keeps it */
    do_bytes(h, BYW_OP_STORE, BYW_HINT_NONE, &none, sent);
    assert_int_equal(sent[BYW_MEM_STORE], 1);
    assert_true(present(h)); /* with the bytes it had: the host compares them */
    do_bytes(h, BYW_OP_LOCAL_STORE, BYW_HINT_NONE, &none, sent);
    assert_int_equal(sent[BYW_MEM_STORE], 0);
    do_bytes(h, BYW_OP_FLUSH, BYW_HINT_NONE, &none, sent);
    assert_int_equal(sent[BYW_MEM_WRITEBACK], 0);
    do_bytes(h, BYW_OP_ATOMIC, BYW_HINT_NONE, &none, sent);
    assert_int_equal(sent[BYW_MEM_BYPASS], 1);
    assert_false(present(h)); /* an atomic drops the line whatever its bytes are */
    host_free(h);

    h = make("empty mask, write-evict", BYW_STORE_EVICT);
    host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    do_bytes(h, BYW_OP_STORE, BYW_HINT_NONE, &none, sent);
    assert_int_equal(sent[BYW_MEM_STORE], 1);
    assert_false(present(h));
    host_free(h);
}

/* Of a sectored line a request without bytes touches sector 0, one with bytes in two sectors the
 * lower of them. */
static void sector_of_a_mask_is_its_lowest_byte(void **state)
{
    static const struct {
        uint32_t first, count, sector;
    } mask[] = {{0, 0, 0}, {40, 4, 1}, {63, 2, 1}, {127, 1, 3}};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(mask) / sizeof(mask[0]); i++) {
        struct byw_config c = small(BYW_MODE_BASE);
        struct byw_byte_mask bytes = host_mask(mask[i].first, mask[i].count), want;
        struct byw_l1d_in in = {.req_valid = true, .rsp_ready = true, .mem_req_ready = true};
        struct byw_l1d_out out;
        struct byw_l1d *l1d;
        struct byw_diag diag;
        uint32_t n;

        c.l1d_alloc = BYW_ALLOC_ON_FILL;
        c.l1d_sectors = 4;
        assert_int_equal(byw_l1d_create(&c, true, &l1d, &diag), BYW_OK);
        in.req.bytes = bytes;
        want = host_mask(mask[i].sector * 32, 32);
        for (n = 0; n < 10; n++) {
            byw_l1d_step(l1d, &in, &in.ctrl, &out);
            in.req_valid = false;
            if (out.mem_req_valid)
                break;
        }
        assert_true(out.mem_req_valid);
        assert_memory_equal(&out.mem_req.bytes, &want, sizeof(want));
        byw_l1d_free(l1d);
    }
}

/* ---- dirty lines ---------------------------------------------------------------------------- */

/* A line with dirty bytes, and then one thing done to it; a flush shows whether it is dirty
 * still. */
static void who_drops_dirty_bytes(void **state)
{
    static const struct {
        const char *what;
        uint8_t op, hint;
        bool kernel_start, reset;
        uint32_t written, left_dirty; /* write-backs by it, write-backs by the flush behind it */
    } row[] = {
        {"nothing", BYW_OP_LOAD, BYW_HINT_NONE, false, false, 0, 1},
        {"invalidate", BYW_OP_INVALIDATE, BYW_HINT_NONE, false, false, 0, 0},
        {"kernel start", BYW_OP_LOAD, BYW_HINT_NONE, true, false, 0, 0},
        {"reset", BYW_OP_LOAD, BYW_HINT_NONE, false, true, 0, 0},
        {"flush", BYW_OP_FLUSH, BYW_HINT_NONE, false, false, 1, 0},
        {"store, write-evict", BYW_OP_STORE, BYW_HINT_NONE, false, false, 1, 0},
        {"atomic", BYW_OP_ATOMIC, BYW_HINT_NONE, false, false, 1, 0},
        {"volatile load", BYW_OP_LOAD, BYW_HINT_VOLATILE, false, false, 1, 0},
        {"local store", BYW_OP_LOCAL_STORE, BYW_HINT_NONE, false, false, 0, 1},
    };
    struct byw_byte_mask all = host_mask(0, HOST_WHOLE);
    uint32_t sent[4];
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct host *h = make(row[i].what, BYW_STORE_EVICT);
        struct byw_l1d_in reset = {.rst = true};

        host_do(h, BYW_OP_LOCAL_LOAD, 1, BYW_HINT_NONE);
        do_bytes(h, BYW_OP_LOCAL_STORE, BYW_HINT_NONE, &all, sent);
        sent[BYW_MEM_WRITEBACK] = 0;
        if (row[i].reset) {
            byw_l1d_tick(h->l1d, &reset);
        } else if (row[i].kernel_start) {
            h->kernel_start = true;
            host_cycle(h, NULL);
        } else {
            do_bytes(h, row[i].op, row[i].hint, &all, sent);
        }
        if (sent[BYW_MEM_WRITEBACK] != row[i].written)
            host_fail(h, row[i].what);
        do_bytes(h, BYW_OP_FLUSH, BYW_HINT_NONE, &all, sent);
        if (sent[BYW_MEM_WRITEBACK] != row[i].left_dirty)
            host_fail(h, row[i].what);
        host_free(h);
    }
}

/* One cycle of a cluster of one SM with its bus. */
static void bus_cycle(struct byw_cluster *cluster, const struct byw_cluster_bus_in *bus,
                      const struct byw_l1d_in *in, struct byw_l1d_out *out)
{
    struct byw_cluster_bus_out bus_out;
    struct byw_diag diag;

    assert_int_equal(byw_cluster_bus(cluster, bus, &bus_out, &diag), BYW_OK);
    byw_cluster_sm(cluster, 0, in, out);
    byw_cluster_tick(cluster);
}

/* Requests one after the other to line 1 of a cluster; returns the writes that left. */
static uint32_t cluster_do(struct byw_cluster *cluster, uint8_t op)
{
    static const struct byw_cluster_bus_in no_bus = {.rsp_ready = true};
    uint8_t data[HOST_WHOLE] = {1};
    struct byw_l1d_in in = {.req_valid = true, .rsp_ready = true, .mem_req_ready = true};
    struct byw_l1d_out out;
    uint32_t n, writes = 0;

    in.req = (struct byw_req){.op = op, .line = 1, .bytes = host_mask(0, HOST_WHOLE), .data = data};
    for (n = 0; n < 400; n++) {
        bus_cycle(cluster, &no_bus, &in, &out);
        in.req_valid = false;
        in.mem_rsp_valid = out.mem_req_valid && out.mem_req.kind != BYW_MEM_WRITEBACK;
        in.mem_rsp =
            (struct byw_mem_rsp){.data = data, .id = out.mem_req.id, .kind = out.mem_req.kind};
        writes += out.mem_req_valid && out.mem_req.write;
    }
    return writes;
}

/* A write to POLICY, PC_PRED or TWO_LEVEL* and COMMAND.KERNEL_START drop dirty lines; one to DUEL
 * or KERNEL_PC does not. */
static void new_settings_drop_dirty_bytes(void **state)
{
    static const struct {
        uint32_t addr, data, left_dirty;
    } row[] = {
        {BYW_CSR_POLICY, BYW_CSR_POLICY_RESET, 0},
        {BYW_CSR_PC_PRED, BYW_CSR_PC_PRED_RESET, 0},
        {BYW_CSR_TWO_LEVEL, BYW_CSR_TWO_LEVEL_RESET, 0},
        {BYW_CSR_TWO_LEVEL_WINDOW, BYW_CSR_TWO_LEVEL_WINDOW_RESET, 0},
        {BYW_CSR_COMMAND, 1U << BYW_CSR_COMMAND_KERNEL_START_LSB, 0},
        {BYW_CSR_COMMAND, 1U << BYW_CSR_COMMAND_RESET_LSB, 0},
        {BYW_CSR_COMMAND, 1U << BYW_CSR_COMMAND_DUEL_RESTART_LSB, 1},
        {BYW_CSR_DUEL, BYW_CSR_DUEL_RESET, 1},
        {BYW_CSR_KERNEL_PC, 7, 1},
    };
    struct byw_config c;
    struct byw_diag diag;
    size_t i;

    (void)state;
    byw_config_defaults(&c);
    c.sm_count = 1;
    for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct byw_cluster_bus_in write = {.req_valid = true, .req_write = true, .rsp_ready = true};
        struct byw_l1d_in none = {.rsp_ready = true, .mem_req_ready = true};
        struct byw_cluster *cluster;
        struct byw_l1d_out out;
        uint32_t n;

        assert_int_equal(byw_cluster_create(&c, true, &cluster, &diag), BYW_OK);
        cluster_do(cluster, BYW_OP_LOCAL_LOAD);
        assert_int_equal(cluster_do(cluster, BYW_OP_LOCAL_STORE), 0);
        write.req_addr = row[i].addr;
        write.req_data = row[i].data;
        for (n = 0; n < 8; n++) {
            bus_cycle(cluster, &write, &none, &out);
            write.req_valid = false;
        }
        if (cluster_do(cluster, BYW_OP_FLUSH) != row[i].left_dirty)
            fail_msg("register %#x: the dirty line is %s", row[i].addr,
                     row[i].left_dirty ? "gone" : "still there");
        byw_cluster_free(cluster);
    }
}

/* ---- ids, and answers from before a reset ---------------------------------------------------- */

/* Nothing compares ids: requests that share one are each answered with it, and what came first is
 * answered first where the order is promised (merged requests of one fill). */
static void ids_need_not_be_unique(void **state)
{
    struct byw_config c = small(BYW_MODE_BASE);
    struct byw_l1d_in in = {.rsp_ready = true, .mem_req_ready = true};
    struct byw_l1d_out out;
    struct byw_l1d *l1d;
    struct byw_diag diag;
    uint8_t data[HOST_WHOLE] = {0};
    uint32_t n, answers = 0;

    (void)state;
    assert_int_equal(byw_l1d_create(&c, true, &l1d, &diag), BYW_OK);
    for (n = 0; n < 60; n++) {
        in.req_valid = n < 4; /* a miss, a merge, a bypass, a store: all with id 9 */
        in.req = (struct byw_req){.op = n == 3 ? BYW_OP_STORE : BYW_OP_LOAD,
                                  .hint = n == 2 ? BYW_HINT_BYPASS : BYW_HINT_NONE,
                                  .line = n < 2 ? 1 : n,
                                  .bytes = host_mask(0, HOST_WHOLE),
                                  .data = data,
                                  .id = 9};
        byw_l1d_step(l1d, &in, &in.ctrl, &out);
        if (out.rsp_valid) {
            assert_int_equal(out.rsp.id, 9);
            answers++;
        }
        in.mem_rsp_valid = out.mem_req_valid;
        in.mem_rsp =
            (struct byw_mem_rsp){.data = data, .id = out.mem_req.id, .kind = out.mem_req.kind};
    }
    assert_int_equal(answers, 4);
    assert_true(out.idle);
    byw_l1d_free(l1d);
}

/* MSHR numbers begin again at 0 after a reset, so that the answer to a miss from before it would be
 * taken for that of a new one: memory must not give it. */
static void old_answers_look_like_new_ones(void **state)
{
    struct byw_config c = small(BYW_MODE_BASE);
    struct byw_l1d_in in = {.rsp_ready = true, .mem_req_ready = true};
    struct byw_l1d_in reset = {.rst = true};
    struct byw_l1d_out out;
    struct byw_l1d *l1d;
    struct byw_diag diag;
    uint8_t old[HOST_WHOLE];
    uint32_t n, round, old_id = 99;

    (void)state;
    memset(old, 0x0d, sizeof(old));
    assert_int_equal(byw_l1d_create(&c, true, &l1d, &diag), BYW_OK);
    for (round = 0; round < 2; round++) {
        for (n = 0; n < 8; n++) {
            in.req_valid = n == 0;
            in.req = (struct byw_req){
                .line = round + 1, .bytes = host_mask(0, HOST_WHOLE), .id = 40 + round};
            byw_l1d_step(l1d, &in, &in.ctrl, &out);
            if (out.mem_req_valid && round == 0)
                old_id = out.mem_req.id;
            else if (out.mem_req_valid)
                assert_int_equal(out.mem_req.id, old_id);
        }
        if (round == 0)
            byw_l1d_tick(l1d, &reset);
    }
    in.mem_rsp_valid = true;
    in.mem_rsp = (struct byw_mem_rsp){.data = old, .id = old_id, .kind = BYW_MEM_FILL};
    byw_l1d_step(l1d, &in, &in.ctrl, &out);
    in.mem_rsp_valid = false;
    byw_l1d_step(l1d, &in, &in.ctrl, &out);
    assert_true(out.rsp_valid && out.rsp.id == 41 && !out.rsp.error);
    assert_memory_equal(out.rsp.data, old, sizeof(old)); /* line 1's bytes for line 2 */
    byw_l1d_free(l1d);
}

/* ---- order ---------------------------------------------------------------------------------- */

/* What leaves for one line leaves in the order of acceptance, by whichever path, and a write-back
 * right before the request that caused it. */
static void one_line_leaves_in_order(void **state)
{
    struct {
        uint8_t op, hint, kind;
    } row[] = {
        {BYW_OP_LOCAL_STORE, BYW_HINT_NONE, BYW_MEM_WRITEBACK}, /* written by the next one */
        {BYW_OP_LOAD, BYW_HINT_VOLATILE, BYW_MEM_BYPASS},
        {BYW_OP_STORE, BYW_HINT_NONE, BYW_MEM_STORE},
        {BYW_OP_LOAD, BYW_HINT_NONE, BYW_MEM_FILL},
        {BYW_OP_ATOMIC, BYW_HINT_NONE, BYW_MEM_BYPASS},
        {BYW_OP_LOAD, BYW_HINT_BYPASS, BYW_MEM_BYPASS},
        {BYW_OP_LOAD, BYW_HINT_NONE, BYW_MEM_FILL},
        {BYW_OP_STORE, BYW_HINT_NONE, BYW_MEM_STORE},
    };
    enum { ROWS = sizeof(row) / sizeof(row[0]) };
    struct host *h = make("one line", BYW_STORE_EVICT);
    uint8_t kind[2 * ROWS];
    uint32_t i, sent = 0;

    (void)state;
    host_do(h, BYW_OP_LOCAL_LOAD, 1, BYW_HINT_NONE);
    h->req_percent = 0; /* so that all of them wait in the queue */
    for (i = 0; i < ROWS; i++)
        host_send(h, (enum byw_op)row[i].op, 1, (enum byw_hint)row[i].hint);
    for (i = 0; i < 20; i++)
        host_cycle(h, NULL);
    h->req_percent = 100;
    while (h->outstanding != 0) {
        host_cycle(h, NULL);
        if (h->out.mem_req_valid) {
            assert_true(sent < ROWS);
            kind[sent++] = h->out.mem_req.kind;
        }
    }
    assert_int_equal(sent, ROWS);
    for (i = 0; i < ROWS; i++)
        assert_int_equal(kind[i], row[i].kind);
    host_free(h);
}

/* A FLUSH is answered when everything older has left, not when it is acknowledged; INVALIDATE waits
 * for nothing. */
static void flush_waits_for_the_queue_only(void **state)
{
    struct host *h = make("flush", BYW_STORE_EVICT);
    uint32_t store, flush, drop;

    (void)state;
    h->latency = 100;
    h->req_percent = 0;
    store = host_send(h, BYW_OP_STORE, 1, BYW_HINT_NONE);
    drop = host_send(h, BYW_OP_INVALIDATE, 0, BYW_HINT_NONE);
    flush = host_send(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
    while (h->cycle < 50)
        host_cycle(h, NULL);
    assert_false(h->id[drop].busy);
    assert_true(h->id[flush].busy);
    h->req_percent = 100;
    while (h->id[flush].busy)
        host_cycle(h, NULL);
    assert_true(h->id[store].busy); /* the memory has it, and has not acknowledged it */
    host_drain(h);
    host_free(h);
}

/* A store that memory refuses is answered with an error; under write-update the line has its bytes
 * already and keeps them. */
static void refused_store_stays_in_the_line(void **state)
{
    struct byw_config c = small(BYW_MODE_BASE);
    struct byw_l1d_in in = {.rsp_ready = true, .mem_req_ready = true};
    struct byw_l1d_out out;
    struct byw_l1d *l1d;
    struct byw_diag diag;
    uint8_t old[HOST_WHOLE] = {0}, data[HOST_WHOLE];
    uint32_t n, answers = 0;

    (void)state;
    memset(data, 0x77, sizeof(data));
    assert_int_equal(byw_l1d_create(&c, true, &l1d, &diag), BYW_OK);
    for (n = 0; n < 60; n++) {
        in.req_valid = n % 20 == 0; /* load, store, load */
        in.req = (struct byw_req){.op = n == 20 ? BYW_OP_STORE : BYW_OP_LOAD,
                                  .line = 1,
                                  .bytes = host_mask(0, HOST_WHOLE),
                                  .data = data};
        byw_l1d_step(l1d, &in, &in.ctrl, &out);
        if (out.rsp_valid) {
            answers++;
            assert_int_equal(out.rsp.error, answers == 2);
            if (answers == 3) {
                assert_int_equal(out.rsp.served, BYW_SERVED_HIT);
                assert_memory_equal(out.rsp.data, data, sizeof(data));
            }
        }
        in.mem_rsp_valid = out.mem_req_valid;
        in.mem_rsp = (struct byw_mem_rsp){.data = old,
                                          .id = out.mem_req.id,
                                          .kind = out.mem_req.kind,
                                          .error = out.mem_req.kind == BYW_MEM_STORE};
    }
    assert_int_equal(answers, 3);
    byw_l1d_free(l1d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_those_of_the_page),
        cmocka_unit_test(inputs_count_when_they_are_taken),
        cmocka_unit_test(empty_mask_changes_no_byte),
        cmocka_unit_test(sector_of_a_mask_is_its_lowest_byte),
        cmocka_unit_test(who_drops_dirty_bytes),
        cmocka_unit_test(new_settings_drop_dirty_bytes),
        cmocka_unit_test(ids_need_not_be_unique),
        cmocka_unit_test(old_answers_look_like_new_ones),
        cmocka_unit_test(one_line_leaves_in_order),
        cmocka_unit_test(flush_waits_for_the_queue_only),
        cmocka_unit_test(refused_store_stays_in_the_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
