/* SPDX-License-Identifier: Apache-2.0
 *
 * lock_sms.h - the L1s of P_SMS SMs in lock step: the ports that byw_sm_l1.v and byw_cluster.v
 * share (field g of a port belongs to SM g), random traffic and control inputs for each, random
 * settings.
 */
#ifndef BYW_LOCK_SMS_H
#define BYW_LOCK_SMS_H

#include "common/byw_mech.h"
#include "cosim/lock.h"
#include "cosim/lock_cfg.h"
#include "cosim/lock_port.h"
#include "cosim/lock_traffic.h"
#include "l1d/byw_l1d_state.h"
#include "policy/byw_policy_events.h"
#include "policy/byw_trials.h"
#include "top/byw_csr.h"
#include "top/byw_stats.h"

#ifndef P_PC_PRED
#define P_PC_PRED 1
#endif

enum { LOCK_FUNC_W = P_FUNC_W > 0 ? P_FUNC_W : 1, LOCK_WARP_W = 6 };

/* byw_cluster.v has no ports for beats; LOCK_SMS_BEATS: the module has them. */
#ifdef LOCK_SMS_BEATS
enum { LOCK_BEAT_W = LOCK_BEATS > 8 ? 4 : LOCK_BEATS > 4 ? 3 : LOCK_BEATS > 2 ? 2 : 1 };
#define LOCK_SMS_BEAT_INPUTS(X)                                                                    \
    X(IN_REQ_BEAT, "req_beat_i", LOCK_BEAT_W)                                                      \
    X(IN_REQ_MORE, "req_more_i", 1)
#define LOCK_SMS_BEAT_OUTPUTS(X)                                                                   \
    X(OUT_MEM_REQ_BEAT, "mem_req_beat_o", LOCK_BEAT_W)                                             \
    X(OUT_MEM_REQ_MORE, "mem_req_more_o", 1)
#else
#define LOCK_SMS_BEAT_INPUTS(X)
#define LOCK_SMS_BEAT_OUTPUTS(X)
#endif

/* X(code, port, width of a field): inputs, then outputs. */
#define LOCK_SMS_PORTS(X)                                                                          \
    X(IN_KERNEL_START, "kernel_start_i", 1)                                                        \
    X(IN_KERNEL_PC, "kernel_pc_i", 32)                                                             \
    X(IN_CTA_PLACED, "cta_placed_i", 1)                                                            \
    X(IN_ACTIVE_WARPS, "active_warps_i", 7)                                                        \
    X(IN_REQ_VALID, "req_valid_i", 1)                                                              \
    X(IN_REQ_OP, "req_op_i", 3)                                                                    \
    X(IN_REQ_LINE, "req_line_i", P_LINE_W)                                                         \
    LOCK_SMS_BEAT_INPUTS(X)                                                                        \
    X(IN_REQ_BYTES, "req_bytes_i", LOCK_BEAT_BYTES)                                                \
    X(IN_REQ_DATA, "req_data_i", LOCK_BEAT_BYTES * 8)                                              \
    X(IN_REQ_PC, "req_pc_i", 32)                                                                   \
    X(IN_REQ_ID, "req_id_i", 16)                                                                   \
    X(IN_REQ_WARP, "req_warp_i", LOCK_WARP_W)                                                      \
    X(IN_REQ_HINT, "req_hint_i", 3)                                                                \
    X(IN_REQ_FUNC, "req_func_i", LOCK_FUNC_W)                                                      \
    X(IN_RSP_READY, "rsp_ready_i", 1)                                                              \
    X(IN_MEM_REQ_READY, "mem_req_ready_i", 1)                                                      \
    X(IN_MEM_RSP_VALID, "mem_rsp_valid_i", 1)                                                      \
    X(IN_MEM_RSP_KIND, "mem_rsp_kind_i", 2)                                                        \
    X(IN_MEM_RSP_DATA, "mem_rsp_data_i", LOCK_BEAT_BYTES * 8)                                      \
    X(IN_MEM_RSP_ID, "mem_rsp_id_i", 16)                                                           \
    X(IN_MEM_RSP_ERROR, "mem_rsp_error_i", 1)                                                      \
    X(IN_MEM_RSP_MISPREDICT, "mem_rsp_mispredict_i", 1)                                            \
    X(OUT_REQ_READY, "req_ready_o", 1)                                                             \
    X(OUT_RSP_VALID, "rsp_valid_o", 1)                                                             \
    X(OUT_RSP_DATA, "rsp_data_o", LOCK_BEAT_BYTES * 8)                                             \
    X(OUT_RSP_ID, "rsp_id_o", 16)                                                                  \
    X(OUT_RSP_SERVED, "rsp_served_o", 3)                                                           \
    X(OUT_RSP_ERROR, "rsp_error_o", 1)                                                             \
    X(OUT_MEM_REQ_VALID, "mem_req_valid_o", 1)                                                     \
    X(OUT_MEM_REQ_KIND, "mem_req_kind_o", 2)                                                       \
    X(OUT_MEM_REQ_WRITE, "mem_req_write_o", 1)                                                     \
    X(OUT_MEM_REQ_BYPASS, "mem_req_bypass_o", 1)                                                   \
    X(OUT_MEM_REQ_ATOMIC, "mem_req_atomic_o", 1)                                                   \
    X(OUT_MEM_REQ_LINE, "mem_req_line_o", P_LINE_W)                                                \
    LOCK_SMS_BEAT_OUTPUTS(X)                                                                       \
    X(OUT_MEM_REQ_BYTES, "mem_req_bytes_o", LOCK_BEAT_BYTES)                                       \
    X(OUT_MEM_REQ_DATA, "mem_req_data_o", LOCK_BEAT_BYTES * 8)                                     \
    X(OUT_MEM_REQ_PC, "mem_req_pc_o", 32)                                                          \
    X(OUT_MEM_REQ_ID, "mem_req_id_o", 16)                                                          \
    X(OUT_MEM_REQ_PREDICTED, "mem_req_predicted_o", 1)                                             \
    X(OUT_MEM_REQ_FUNC, "mem_req_func_o", LOCK_FUNC_W)                                             \
    X(OUT_MEM_RSP_READY, "mem_rsp_ready_o", 1)                                                     \
    X(OUT_IDLE, "idle_o", 1)                                                                       \
    X(OUT_EVENTS, "events_o", BYW_EV_COUNT)                                                        \
    X(OUT_POLICY_EVENTS, "policy_events_o", BYW_PEV_COUNT)                                         \
    X(OUT_TWO_LEVEL, "two_level_o", 3)                                                             \
    X(OUT_TRIAL_EVENTS, "trial_events_o", BYW_TRIAL_EVENTS)

enum {
#define X(code, name, width) code,
    LOCK_SMS_PORTS(X)
#undef X
        LOCK_FIELDS
};

static const struct {
    const char *name;
    uint32_t width;
} lock_field_of[LOCK_FIELDS] = {
#define X(code, name, width) {name, width},
    LOCK_SMS_PORTS(X)
#undef X
};

enum { LOCK_KERNELS = 4, LOCK_WIDE = P_SMS * BYW_LINE_MAX };

/* How often the control inputs of an SM change, for some hundred cycles. */
struct lock_sm_phase {
    uint32_t left; /* cycles left in the phase */
    uint32_t cta; /* percent of cycles */
    uint32_t kernels; /* starts per 1000 cycles, in addition to the traffic's */
    uint32_t warps_max;
};

struct lock_sms {
    struct lock l;
    uint32_t port[LOCK_FIELDS];
    uint32_t words[LOCK_FIELDS][LOCK_WIDE / 4]; /* values at the ports */
    struct traffic traffic[P_SMS];
    struct lock_sm_phase phase[P_SMS];
    uint8_t s2_sector[P_SMS]; /* sector of the request at the decision point */
    uint8_t hit_sector[P_SMS]; /* sector of the load in the hit stage: its answer trains counters */
    uint8_t warp[P_SMS]; /* warp of the last request */
    uint64_t tried[P_SMS][BYW_TRIAL_EVENTS]; /* counters of mechanism trial so far */
    uint64_t trial_met[BYW_TRIAL_EVENTS];
    bool quiet; /* no new requests, no stalls for the old ones, no pulses */
    uint64_t met[BYW_EV_COUNT], policy_met[BYW_PEV_COUNT], states[BYW_TL_STATES];
};

static inline void lock_sms_start(struct lock_sms *b)
{
    uint32_t i;

    for (i = 0; i < LOCK_FIELDS; i++)
        b->port[i] = dut_port(b->l.dut, lock_field_of[i].name);
    for (i = 0; i < P_SMS; i++) {
        b->traffic[i].line_bytes = P_LINE_BYTES;
        b->traffic[i].beat_bytes = LOCK_BEAT_BYTES;
        b->traffic[i].beats = LOCK_BEATS;
        b->traffic[i].sector_bytes = P_LINE_BYTES / P_SECTORS;
        b->traffic[i].line_mask = byw_mask64(P_LINE_W);
        b->traffic[i].wb_acks = lock_port_wb_acks();
        b->traffic[i].fences = P_FENCE != 0;
        b->traffic[i].on_miss = P_ALLOC == BYW_ALLOC_ON_MISS;
        b->traffic[i].uncached = P_UNCACHED != 0;
    }
}

static inline void lock_sms_put(struct lock_sms *b, int f, uint32_t sm, uint64_t value)
{
    lock_set_field(b->words[f], sm * lock_field_of[f].width, lock_field_of[f].width, value);
}

static inline uint64_t lock_sms_get(const struct lock_sms *b, int f, uint32_t sm)
{
    return lock_field(b->words[f], sm * lock_field_of[f].width, lock_field_of[f].width);
}

/* Stops new requests, so that the SM drains. */
static inline void lock_sms_calm(struct traffic *t)
{
    t->phase_left = 1000;
    t->req = 0;
    t->rsp_ready = t->mem_ready = t->mem_rsp = 100;
    t->kernels = t->flips = 0;
}

static inline void lock_sms_controls(struct lock_sms *b, uint32_t sm)
{
    struct lock_sm_phase *ph = &b->phase[sm];
    struct byw_l1d_ctrl *ctrl = &b->traffic[sm].in.ctrl;

    if (ph->left-- == 0)
        *ph = (struct lock_sm_phase){
            .left = 50 + lock_below(&b->l, 1000),
            .cta = lock_chance(&b->l, 20) ? 0 : 1 + lock_below(&b->l, 20),
            .kernels = lock_chance(&b->l, 30) ? 0 : lock_below(&b->l, 20),
            .warps_max = lock_below(&b->l, 65),
        };
    if (!b->quiet && lock_below(&b->l, 1000) < ph->kernels)
        ctrl->kernel_start = true;
    ctrl->kernel_pc = 0x100 * lock_below(&b->l, LOCK_KERNELS);
    ctrl->cta_placed = lock_chance(&b->l, ph->cta);
    ctrl->active_warps = (uint8_t)lock_below(&b->l, ph->warps_max + 1);
}

/* A new request is often from the warp of the previous one. */
static inline void lock_sms_warp(struct lock_sms *b, uint32_t sm)
{
    if (lock_chance(&b->l, 30))
        b->warp[sm] = (uint8_t)lock_below(&b->l, 1U << LOCK_WARP_W);
    b->traffic[sm].in.req.warp = b->warp[sm];
    lock_sms_put(b, IN_REQ_WARP, sm, b->warp[sm]);
}

/* The inputs of SM sm's next cycle. */
static inline void lock_sms_next(struct lock_sms *b, uint32_t sm)
{
    struct traffic *t = &b->traffic[sm];
    const struct byw_l1d_in *in = &t->in;

    if (b->quiet)
        lock_sms_calm(t);
    traffic_next(&b->l, t);
    lock_sms_controls(b, sm);
    lock_sms_put(b, IN_KERNEL_START, sm, in->ctrl.kernel_start);
    lock_sms_put(b, IN_KERNEL_PC, sm, in->ctrl.kernel_pc);
    lock_sms_put(b, IN_CTA_PLACED, sm, in->ctrl.cta_placed);
    lock_sms_put(b, IN_ACTIVE_WARPS, sm, in->ctrl.active_warps);
    lock_sms_put(b, IN_REQ_VALID, sm, in->req_valid);
    lock_sms_put(b, IN_RSP_READY, sm, in->rsp_ready);
    lock_sms_put(b, IN_MEM_REQ_READY, sm, in->mem_req_ready);
    lock_sms_put(b, IN_MEM_RSP_VALID, sm, in->mem_rsp_valid);
    if (t->new_req) {
        lock_sms_warp(b, sm);
        lock_sms_put(b, IN_REQ_OP, sm, in->req.op);
        lock_sms_put(b, IN_REQ_LINE, sm, in->req.line);
        memcpy((uint8_t *)b->words[IN_REQ_BYTES] + sm * LOCK_BEAT_BYTES / 8, in->req.bytes.w,
               LOCK_BEAT_BYTES / 8);
        memcpy((uint8_t *)b->words[IN_REQ_DATA] + sm * LOCK_BEAT_BYTES, in->req.data,
               LOCK_BEAT_BYTES);
#ifdef LOCK_SMS_BEATS
        lock_sms_put(b, IN_REQ_BEAT, sm, in->req.beat);
        lock_sms_put(b, IN_REQ_MORE, sm, in->req.more);
#endif
        lock_sms_put(b, IN_REQ_PC, sm, in->req.pc);
        lock_sms_put(b, IN_REQ_ID, sm, in->req.id);
        lock_sms_put(b, IN_REQ_HINT, sm, in->req.hint);
        lock_sms_put(b, IN_REQ_FUNC, sm, in->req.func & byw_mask64(LOCK_FUNC_W));
    }
    if (t->new_rsp) {
        lock_sms_put(b, IN_MEM_RSP_KIND, sm, in->mem_rsp.kind);
        memcpy((uint8_t *)b->words[IN_MEM_RSP_DATA] + sm * LOCK_BEAT_BYTES, in->mem_rsp.data,
               LOCK_BEAT_BYTES);
        lock_sms_put(b, IN_MEM_RSP_ID, sm, in->mem_rsp.id);
        lock_sms_put(b, IN_MEM_RSP_ERROR, sm, in->mem_rsp.error);
        lock_sms_put(b, IN_MEM_RSP_MISPREDICT, sm, in->mem_rsp.mispredict);
    }
}

/* Drives all inputs of the module and reads all outputs. */
static inline void lock_sms_eval(struct lock_sms *b)
{
    int f;

    for (f = 0; f < OUT_REQ_READY; f++)
        dut_put_bytes(b->l.dut, b->port[f], b->words[f], sizeof(b->words[f]));
    dut_eval(b->l.dut);
    for (f = OUT_REQ_READY; f < LOCK_FIELDS; f++)
        dut_get_bytes(b->l.dut, b->port[f], b->words[f], sizeof(b->words[f]));
}

static inline void lock_sms_same(const struct lock_sms *b, int f, uint32_t sm, uint64_t want)
{
    lock_same_at(&b->l, lock_field_of[f].name, sm, want, lock_sms_get(b, f, sm));
}

static inline void lock_sms_same_bytes(const struct lock_sms *b, int f, uint32_t sm,
                                       const uint8_t *want, uint32_t n)
{
    const uint8_t *got = (const uint8_t *)b->words[f] + sm * n;

    if (want != NULL && memcmp(want, got, n) != 0)
        lock_same_bytes(&b->l, lock_field_of[f].name, want, got, n);
}

static inline void lock_sms_same_mem_req(const struct lock_sms *b, uint32_t sm,
                                         const struct byw_mem_req *req)
{
    lock_sms_same(b, OUT_MEM_REQ_KIND, sm, req->kind);
    lock_sms_same(b, OUT_MEM_REQ_WRITE, sm, req->write);
    lock_sms_same(b, OUT_MEM_REQ_BYPASS, sm, req->bypass);
    lock_sms_same(b, OUT_MEM_REQ_ATOMIC, sm, req->atomic);
    lock_sms_same(b, OUT_MEM_REQ_LINE, sm, req->line);
#ifdef LOCK_SMS_BEATS
    lock_sms_same(b, OUT_MEM_REQ_BEAT, sm, req->beat);
    lock_sms_same(b, OUT_MEM_REQ_MORE, sm, req->more);
#endif
    lock_sms_same(b, OUT_MEM_REQ_PC, sm, req->pc);
    lock_sms_same(b, OUT_MEM_REQ_ID, sm, req->id);
    lock_sms_same(b, OUT_MEM_REQ_PREDICTED, sm, req->predicted);
    lock_sms_same(b, OUT_MEM_REQ_FUNC, sm, req->func);
    lock_sms_same_bytes(b, OUT_MEM_REQ_BYTES, sm, (const uint8_t *)req->bytes.w,
                        LOCK_BEAT_BYTES / 8);
    lock_sms_same_bytes(b, OUT_MEM_REQ_DATA, sm, req->data, LOCK_BEAT_BYTES);
}

/* Records the state of SM sm before its cycle; call it before the SM is stepped. */
static inline void lock_sms_look(struct lock_sms *b, uint32_t sm, const struct byw_l1d *l1d)
{
    b->s2_sector[sm] = P_SECTORS > 1 ? byw_l1d_s2(l1d)->sector : 0;
}

static inline void lock_sms_same_rsp(const struct lock_sms *b, uint32_t sm,
                                     const struct byw_rsp *rsp)
{
    uint32_t n = LOCK_BEAT_BYTES / P_SECTORS;
    uint32_t first = rsp->served == BYW_SERVED_HIT ? b->hit_sector[sm] * n : 0;
    const uint8_t *got = (const uint8_t *)b->words[OUT_RSP_DATA] + sm * LOCK_BEAT_BYTES;

    lock_sms_same(b, OUT_RSP_ID, sm, rsp->id);
    lock_sms_same(b, OUT_RSP_SERVED, sm, rsp->served);
    lock_sms_same(b, OUT_RSP_ERROR, sm, rsp->error);
    if (rsp->data != NULL)
        lock_same_bytes(&b->l, "rsp_data_o", rsp->data + first, got + first,
                        rsp->served == BYW_SERVED_HIT ? n : LOCK_BEAT_BYTES);
}

/* Checks SM sm's outputs; `state` is the two-level unit's in this cycle (BYW_TL_STATES: none). */
static inline void lock_sms_compare(struct lock_sms *b, uint32_t sm, const struct byw_l1d_out *out,
                                    uint32_t state)
{
    const uint32_t hit_load = UINT32_C(1) << BYW_EV_LOAD | UINT32_C(1) << BYW_EV_HIT;
    uint32_t i;

    lock_sms_same(b, OUT_EVENTS, sm, out->events);
    lock_sms_same(b, OUT_POLICY_EVENTS, sm, out->policy_events);
    lock_sms_same(b, OUT_TWO_LEVEL, sm, state < BYW_TL_STATES ? 1U << state : 0);
    lock_sms_same(b, OUT_REQ_READY, sm, out->req_ready);
    lock_sms_same(b, OUT_RSP_VALID, sm, out->rsp_valid);
    lock_sms_same(b, OUT_MEM_REQ_VALID, sm, out->mem_req_valid);
    lock_sms_same(b, OUT_MEM_RSP_READY, sm, out->mem_rsp_ready);
    lock_sms_same(b, OUT_IDLE, sm, out->idle);
    if (out->rsp_valid)
        lock_sms_same_rsp(b, sm, &out->rsp);
    if (out->mem_req_valid)
        lock_sms_same_mem_req(b, sm, &out->mem_req);
    if ((out->events & hit_load) == hit_load)
        b->hit_sector[sm] = b->s2_sector[sm];
    for (i = 0; i < BYW_EV_COUNT; i++)
        b->met[i] += out->events >> i & 1;
    for (i = 0; i < BYW_PEV_COUNT; i++)
        b->policy_met[i] += out->policy_events >> i & 1;
    if (state < BYW_TL_STATES)
        b->states[state]++;
}

/* The parameters of the Verilog, with the default policy. */
static inline struct byw_config lock_sms_config(void)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.sm_count = P_SMS;
    c.port = lock_port();
#define RTL(parameter, when, field, key) c.field = P_##parameter;
#include "configs/byw_rtl_params.def"
#undef RTL
    return c;
}

static inline void lock_sms_random_mechanisms(struct lock *l, struct byw_config *c)
{
    c->tl_on = lock_chance(l, 60);
    c->tl_sample = 1 + lock_below(l, 200);
    c->tl_low =
        lock_chance(l, 25) ? 256 - lock_below(l, 16) : lock_below(l, lock_chance(l, 75) ? 60 : 257);
    c->tl_high = lock_chance(l, 50) ? 256 - lock_below(l, 40) : lock_below(l, 257);
    c->tl_occupancy = lock_below(l, 257);
    c->tl_occupancy = c->tl_occupancy * c->tl_occupancy / 256; /* mostly low: some are busy */
    c->tl_last = lock_below(l, 2);
    c->tl_min = lock_below(l, 6);
    c->tl_pending = lock_below(l, 2);
    c->tl_resample = lock_below(l, 4);
    c->tl_period = 1 + lock_below(l, 1000);
    c->pc_on = P_PC_PRED && lock_chance(l, 60);
    c->pc_duel = lock_chance(l, 50);
    c->pc_inv = lock_below(l, 2);
    c->pc_prior = lock_below(l, 2);
    c->pc_threshold = 1 + lock_below(l, (1U << P_PC_BITS) - 1);
    c->pc_init = lock_below(l, 1U << P_PC_BITS);
    c->pc_sample = lock_chance(l, 30) ? 0 : 1 + lock_below(l, 10);
    lock_rescues(l, 60, c);
}

/* With P_TRIAL: trials with the parameters of the Verilog, or no trials. */
#ifdef P_TRIAL
enum { LOCK_TRIAL = 1 };

static inline void lock_sms_set_trial(struct byw_config *c, bool on)
{
    static const struct {
        const char *key;
        uint32_t value;
    } keys[] = {
#define TRIAL(name, key, def, lowest, highest, meaning) {key, P_TRIAL_##name},
#include "configs/byw_trial_params.def"
#undef TRIAL
    };
    struct byw_diag diag;
    char text[16];

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        snprintf(text, sizeof(text), "%" PRIu32, keys[i].value);
        byw_config_set(c, keys[i].key, text, "test", &diag);
    }
    byw_config_set(c, "trial.enable", on ? "on" : "off", "test", &diag);
}
#else
enum { LOCK_TRIAL = 0 };

static inline void lock_sms_set_trial(struct byw_config *c, bool on)
{
    (void)c;
    (void)on;
}
#endif

/* SM sm's trial pulses are the growth of the mechanism's counters (`mech`: of all), which a reset
 * clears. */
static inline void lock_sms_compare_trials(struct lock_sms *b, uint32_t sm, const uint64_t *mech)
{
    const uint64_t *count = mech + byw_mech_counter_base(byw_mech_named("trial"));
    uint32_t i, want = 0;

    for (i = 0; i < BYW_TRIAL_EVENTS; i++) {
        want |= (uint32_t)(count[i] > b->tried[sm][i]) << i;
        b->trial_met[i] += count[i] > b->tried[sm][i];
        b->tried[sm][i] = count[i];
    }
    lock_sms_same(b, OUT_TRIAL_EVENTS, sm, want);
}

/* Any policy with any other mechanism, short windows. */
static inline struct byw_config lock_sms_random_config(struct lock *l)
{
    struct byw_config c = lock_sms_config();

    c.l1d_store_hit = lock_below(l, 2);
    c.policy_mode = lock_below(l, 2);
    if (P_ALLOC == BYW_ALLOC_ON_MISS && lock_chance(l, 70))
        c.policy_mode = BYW_MODE_DECOUPLED;
    else if (lock_chance(l, 50))
        c.policy_mode = BYW_MODE_BASE;
    c.byp_on_hit = lock_below(l, 3);
    c.dec_threshold = lock_below(l, 4);
    c.dec_cmp = lock_chance(l, 20);
    c.dec_lfu_all = lock_chance(l, 20);
    c.dec_rc_on_hit = lock_chance(l, 30);
    c.dec_age_alloc = lock_chance(l, 80);
    c.dec_age_evict = lock_chance(l, 80);
    c.dec_age_merge = lock_chance(l, 70);
    c.dec_store_rc = lock_chance(l, 30);
    c.dec_byp_rsfail = lock_chance(l, 30);
    c.dec_rc_init = lock_chance(l, 30);
    c.duel_on = lock_chance(l, 80);
    c.duel_interval = 20 + lock_below(l, 300);
    c.duel_hold = lock_chance(l, 40) ? 0 : lock_below(l, 600);
    c.duel_follow = lock_chance(l, 70);
    c.duel_compare = lock_below(l, 2);
    c.duel_margin = lock_below(l, 20);
    c.duel_min = lock_below(l, 8);
    c.duel_hyst = 1 + lock_below(l, 3);
    c.duel_byp_miss = lock_below(l, 2);
    c.duel_init = lock_below(l, 2);
    lock_sms_random_mechanisms(l, &c);
    return c;
}

/* Whether a run must contain this pulse. */
static inline bool lock_sms_expects(uint32_t pulse)
{
    if (pulse >= BYW_PEV_PC_ASK && pulse <= BYW_PEV_PC_MISPREDICT)
        return P_PC_PRED && (pulse != BYW_PEV_PC_OVERRULED || P_SETS >= 8);
    return true;
}

/* Events that a run must contain to prove anything about the mechanisms. */
static inline void lock_sms_check_met(struct lock_sms *b)
{
    static const char *const name[] = {
#define X(code, name, when) "times that the event was met: " name,
#include "policy/byw_policy_events.def"
#undef X
    };
    uint32_t i;

    if (b->l.cycles < 40000)
        return;
    for (i = 0; i < BYW_PEV_COUNT; i++)
        if (lock_sms_expects(i))
            lock_met(&b->l, name[i], b->policy_met[i]);
    for (i = 0; i < BYW_TL_STATES; i++)
        lock_met(&b->l, "cycles in a state of two-level", b->states[i]);
    for (i = 0; i < BYW_TRIAL_EVENTS && LOCK_TRIAL != 0; i++)
        lock_met(&b->l, "times that an event of trials was met", b->trial_met[i]);
    if (P_ORDER != 0 || P_STORE_IDS != 0)
        lock_met(&b->l, "cycles in which the order guard holds a request back",
                 b->met[BYW_EV_ORDER_WAIT]);
}

#endif
