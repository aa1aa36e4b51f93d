/* SPDX-License-Identifier: Apache-2.0
 *
 * Combinational paths between the ports of the L1D are those in the table of rtl/doc/handshake.md
 * and no others; an offer that is not taken leaves no trace; and without a response from memory,
 * mem_rsp_ready_o tells whether one of any kind would be taken.
 */
#include "common/byw_l1d_mix.h"
#include "l1d/contract_rig.h"

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
        in->mem_rsp.id %= mshrs; /* a store's id may have any value */
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

/* Compares the outputs of this cycle with each input changed, then takes the clock edge. */
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

/* A second cache whose inputs differ wherever the first one accepts nothing. */
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

/* The cache uses a request or response only in the cycle in which it accepts it: an earlier offer
 * that was withdrawn or changed leaves no trace. */
static void offered_but_untaken_inputs_leave_no_trace(void **state)
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

/* mem_rsp_ready_o for each kind of response that memory might offer in this cycle. */
struct readiness {
    uint32_t seen[2][2]; /* cycles without a response: a fill would be taken, another kind would */
};

static void asking_step(struct host *h, const struct byw_l1d_in *in, struct byw_l1d_out *out)
{
    static const uint8_t others[] = {BYW_MEM_BYPASS, BYW_MEM_STORE, BYW_MEM_WRITEBACK};
    struct readiness *readiness = h->owner;
    struct byw_l1d_in offer = *in;
    struct byw_l1d_out answer;
    bool fill, other;
    size_t k;

    byw_l1d_eval(h->l1d, in, out);
    offer.mem_rsp_valid = true;
    offer.mem_rsp = (struct byw_mem_rsp){.kind = BYW_MEM_FILL};
    byw_l1d_eval(h->l1d, &offer, &answer);
    fill = answer.mem_rsp_ready;
    offer.mem_rsp.kind = others[0];
    byw_l1d_eval(h->l1d, &offer, &answer);
    other = answer.mem_rsp_ready;
    for (k = 1; k < sizeof(others); k++) {
        offer.mem_rsp.kind = others[k];
        byw_l1d_eval(h->l1d, &offer, &answer);
        if (answer.mem_rsp_ready != other)
            host_fail(h, "kinds that need the path 2 register are not taken alike");
    }
    if (in->mem_rsp_valid) {
        if (out->mem_rsp_ready != (in->mem_rsp.kind == BYW_MEM_FILL ? fill : other))
            host_fail(h, "mem_rsp_ready_o depends on more than the kind of the response");
    } else {
        readiness->seen[fill][other]++;
        if (out->mem_rsp_ready != (fill && other))
            host_fail(h, "mem_rsp_ready_o without a response is not that of every kind");
    }
    byw_l1d_tick(h->l1d, in);
}

/* Runs random traffic; a full fill buffer and a full path 2 register must both occur, each of them
 * also without the other. */
static void ask_without_response(const char *name, const struct byw_config *config)
{
    static const struct host_mix mix = {
        .lines = 24, .percent = 90, .stores = 20, .atomics = 15, .locals = 20, .hints = 20};
    struct host *h = host_new(name, config, host_seed(1));
    struct readiness readiness = {{{0}}};
    uint8_t data[HOST_WHOLE];
    struct byw_req req;
    bool offered = false;
    uint32_t n;

    h->step = asking_step;
    h->owner = &readiness;
    h->latency = 4;
    h->jitter = 12;
    h->rsp_percent = 30;
    for (n = 0; n < 40000; n++) {
        if (!offered)
            offered = host_random_req(h, &mix, data, &req);
        if (host_cycle(h, offered ? &req : NULL))
            offered = false;
    }
    host_drain(h);
    assert_true(readiness.seen[1][1] > 100);
    assert_true(readiness.seen[1][0] > 100);
    assert_true(readiness.seen[0][1] > 10);
    host_free(h);
}

static void ready_without_a_response_is_that_of_every_kind(void **state)
{
    struct byw_config c = small(BYW_MODE_DECOUPLED);

    (void)state;
    ask_without_response("allocate on miss", &c);
    c = small(BYW_MODE_BASE);
    c.l1d_alloc = BYW_ALLOC_ON_FILL;
    c.l1d_sectors = 4;
    ask_without_response("allocate on fill", &c);
}

static void combinational_paths_are_those_documented(void **state)
{
    struct byw_config c = small(BYW_MODE_DECOUPLED);

    (void)state;
    find_paths("allocate on miss", &c, paths_on_miss);
    c = small(BYW_MODE_BASE);
    c.l1d_alloc = BYW_ALLOC_ON_FILL;
    c.l1d_sectors = 4;
    find_paths("allocate on fill", &c, paths_on_fill);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(combinational_paths_are_those_documented),
        cmocka_unit_test(offered_but_untaken_inputs_leave_no_trace),
        cmocka_unit_test(ready_without_a_response_is_that_of_every_kind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
