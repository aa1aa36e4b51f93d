/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_rtl_l1d.c - the Verilated L1 of an SM, two-level included, as an implementation of struct
 * byw_l1d_ops.
 *
 * P_SETS and so on are the parameters that the Verilog was built with; a configuration with other
 * values is refused.
 *
 * Sleep is decided from the ports alone. A decision shows one cycle later as a response or a
 * request at the memory port, a write-back two cycles later. So after three cycles in a row without
 * a transfer at any port, with no request ahead of the decision point or the same refusal
 * throughout, only an input can change anything.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/byw_cli.h"
#include "common/byw_mech.h"
#include "l1d/byw_l1d_ops.h"
#include "policy/byw_bdu.h"
#include "policy/byw_pc_pred.h"
#include "policy/byw_trials.h"
#include "rtl_loop/byw_rtl_shim.h"
#include "top/byw_csr.h"

/* Cycles without a transfer after which the cache may sleep: reports that wait for the PC predictor
 * have been applied, and the last decision has become visible. */
enum { QUIET_CYCLES = BYW_PC_REPORTS + 3 };

/* Cycles after which a kernel start and a CTA placed after it have taken effect: the lookup of the
 * kernel, a verdict that delays it, and the placement. */
enum { SETTLE_CYCLES = BYW_BDU_LOOK * BYW_BDU_TABLE + 4 };

struct rtl_l1d {
    struct byw_rtl *rtl;
    bool two_level; /* two-level bypass is in use */
    bool periodic; /* the timer of two-level runs outside windows, too */
    bool tries; /* trials: time matters to them, so the cache never sleeps */
    uint64_t trial[BYW_TRIAL_EVENTS]; /* counts of the trials' events, which are the mechanism's
                                         counters */
    bool duels; /* the filter may be switched while the cache sleeps */
    uint8_t state; /* two-level state of the coming cycle, one bit of byw_two_level_state, or 0 */
    uint32_t unsettled; /* cycles that two-level may advance without pulses or a window */
    uint32_t undecided; /* requests accepted and not yet decided */
    uint32_t quiet; /* cycles in a row without a transfer, counted up to QUIET_CYCLES */
    uint32_t events; /* events of the last cycle */
    bool filter_seen; /* filter_on as the RTL saw it in the last cycle in which it was stepped */
    bool filter_next; /* filter_on as set by set_filter since then */
};

static struct rtl_l1d *mine(struct byw_l1d *l1d)
{
    return (struct rtl_l1d *)l1d;
}

/* --- configurations that the Verilog supports -------------------------------------------- */

enum { ALWAYS, FILTER, PREDICT }; /* values of `when` in byw_rtl_params.def */

struct built {
    const char *key, *parameter;
    uint32_t want, have;
};

static enum byw_status check_parameters(const struct byw_config *c, struct byw_diag *diag)
{
    const bool in_use[] = {[ALWAYS] = true,
                           [FILTER] = c->policy_mode == BYW_MODE_DECOUPLED,
                           [PREDICT] = c->pc_on != 0};
    const struct built list[] = {
#define RTL(parameter, when, field, key)                                                           \
    {key, #parameter, in_use[when] ? c->field : P_##parameter, P_##parameter},
#include "configs/byw_rtl_params.def"
#undef RTL
    };
    char text[512] = ""; /* RTL_PARAMS that the configuration needs, for the message */
    size_t n = 0, differ = 0, first = 0;

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        if (list[i].want == list[i].have)
            continue;
        first = differ++ == 0 ? i : first;
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s=%u", n == 0 ? "" : " ",
                              list[i].parameter, list[i].want);
    }
    if (c->l1d_beat != 0)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "--l1d rtl: the Verilated cache has whole lines, expected "
                            "l1d.beat_bytes = 0");
    if (differ != 0)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "--l1d rtl: the Verilated cache was built for %s = %u (%s) and the "
                            "configuration asks for %u; build it with: make rtl-sim "
                            "RTL_PARAMS=\"%s\"",
                            list[first].key, list[first].have, list[first].parameter,
                            list[first].want, text);
    return BYW_OK;
}

/* Checks that the RTL was built with the trial settings of the configuration: in RTL they are
 * parameters, not registers. */
static enum byw_status check_trial(const struct byw_config *c, struct byw_diag *diag)
{
    const struct byw_mech *trial = byw_mech_named("trial");
    const uint32_t *value = byw_mech_values(c, trial) + 1; /* the values after trial.enable */
    static const uint32_t have[] = {
#define TRIAL(name, key, def, lowest, highest, meaning) P_TRIAL_##name,
#include "configs/byw_trial_params.def"
#undef TRIAL
    };
    static const char *const parameter[] = {
#define TRIAL(name, key, def, lowest, highest, meaning) #name,
#include "configs/byw_trial_params.def"
#undef TRIAL
    };

    if (!byw_mech_in_use(c, trial))
        return BYW_OK;
    if (P_TRIAL == 0 || P_ALLOC != 0 || P_LOOK != 0)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "--l1d rtl: the Verilated cache was built without trials "
                            "(trial.enable); build it with: make rtl-sim RTL_PARAMS=\"TRIAL=1 "
                            "ALLOC=0 LOOK=0\"");
    for (size_t i = 0; i < sizeof(have) / sizeof(have[0]); i++)
        if (value[i] != have[i])
            return byw_diag_set(diag, BYW_EUNSUPPORTED,
                                "--l1d rtl: the Verilated cache was built for %s = %u and the "
                                "configuration asks for %u; build it with: make rtl-sim "
                                "RTL_PARAMS=\"TRIAL_%s=%u\"",
                                trial->keys[i + 1].key, have[i], value[i], parameter[i], value[i]);
    return BYW_OK;
}

/* --- the calls ---------------------------------------------------------------------------- */

static void rtl_free(struct byw_l1d *l1d)
{
    if (l1d != NULL)
        byw_rtl_free(mine(l1d)->rtl);
    free(l1d);
}

static void rtl_reset(struct rtl_l1d *r)
{
    const struct byw_rtl_in in = {.rst = true};
    struct byw_rtl_out out;

    byw_rtl_step(r->rtl, &in, &out); /* takes the settings */
    byw_rtl_step(r->rtl, &in, &out); /* resets with them */
    r->undecided = 0;
    r->quiet = 0; /* clearing the predictor takes some cycles */
    r->events = 0;
    r->unsettled = 0;
    r->state = r->two_level ? 1U << BYW_TL_CACHE : 0;
    r->filter_seen = r->filter_next = false;
    memset(r->trial, 0, sizeof(r->trial));
}

static struct byw_rtl *create_verilated(const struct byw_config *config)
{
    struct byw_rtl_settings settings;
    struct byw_csr csr;

    byw_csr_init(&csr, 1);
    byw_csr_from_config(&csr, config);
    settings = (struct byw_rtl_settings){
        .policy = csr.policy,
        .pc_pred = csr.pc_pred,
        .two_level = csr.two_level,
        .two_level_window = csr.two_level_window,
        .two_level_period = csr.two_level_period,
        .two_level_bound = csr.two_level_bound,
    };
    return byw_rtl_create(1, &settings);
}

static enum byw_status rtl_create(const struct byw_config *config, bool with_data,
                                  struct byw_l1d **l1d, struct byw_diag *diag)
{
    struct rtl_l1d *made;
    enum byw_status status = check_parameters(config, diag);

    if (status == BYW_OK)
        status = check_trial(config, diag);
    if (status != BYW_OK)
        return status;
    if (with_data)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "the Verilated cache is hosted without data; expected with_data false");
    made = calloc(1, sizeof(*made));
    if (made != NULL)
        made->rtl = create_verilated(config);
    if (made == NULL || made->rtl == NULL) {
        free(made);
        return byw_diag_set(diag, BYW_ENOMEM, "no memory for a Verilated L1 data cache");
    }
    made->two_level = config->tl_on != 0;
    made->periodic = made->two_level && config->tl_resample == BYW_BDU_PERIODIC;
    made->tries = byw_mech_in_use(config, byw_mech_named("trial"));
    made->duels = config->policy_mode == BYW_MODE_DECOUPLED && config->duel_on != 0;
    rtl_reset(made);
    *l1d = (struct byw_l1d *)made;
    return BYW_OK;
}

static void put(const struct byw_l1d_in *in, const struct byw_l1d_ctrl *ctrl, struct byw_rtl_in *to)
{
    to->filter_on = ctrl->filter_on;
    to->kernel_start = ctrl->kernel_start;
    to->kernel_pc = ctrl->kernel_pc;
    to->cta_placed = ctrl->cta_placed;
    to->active_warps = ctrl->active_warps;
    to->rsp_ready = in->rsp_ready;
    to->mem_req_ready = in->mem_req_ready;
    to->req_valid = in->req_valid;
    to->mem_rsp_valid = in->mem_rsp_valid;
    if (in->req_valid) {
        assert(in->req.line >> P_LINE_W == 0);
        to->req_op = in->req.op;
        to->req_line = in->req.line;
        to->req_bytes = in->req.bytes.w;
        to->req_pc = in->req.pc;
        to->req_id = in->req.id;
        to->req_hint = in->req.hint;
        to->req_warp = in->req.warp;
    }
    if (in->mem_rsp_valid) {
        to->mem_rsp_kind = in->mem_rsp.kind;
        to->mem_rsp_id = in->mem_rsp.id;
        to->mem_rsp_error = in->mem_rsp.error;
        to->mem_rsp_mispredict = in->mem_rsp.mispredict;
    }
}

static void get(const struct byw_rtl_out *from, struct byw_l1d_out *out)
{
    memset(out, 0, sizeof(*out));
    out->req_ready = from->req_ready;
    out->rsp_valid = from->rsp_valid;
    out->mem_req_valid = from->mem_req_valid;
    out->mem_rsp_ready = from->mem_rsp_ready;
    out->idle = from->idle;
    out->events = from->events;
    out->policy_events = from->policy_events;
    out->pc_counter = from->pc_counter;
    if (from->rsp_valid)
        out->rsp = (struct byw_rsp){
            .id = from->rsp_id, .served = from->rsp_served, .error = from->rsp_error};
    if (from->mem_req_valid)
        out->mem_req = (struct byw_mem_req){
            .line = from->mem_req_line,
            .bytes = {{from->mem_req_bytes[0], from->mem_req_bytes[1]}},
            .pc = from->mem_req_pc,
            .id = from->mem_req_id,
            .kind = from->mem_req_kind,
            .write = from->mem_req_write,
            .bypass = from->mem_req_bypass,
            .atomic = from->mem_req_atomic,
            .predicted = from->mem_req_predicted,
        };
}

static void watch(struct rtl_l1d *r, const struct byw_rtl_in *in, const struct byw_rtl_out *out)
{
    const uint32_t decided =
        UINT32_C(1) << BYW_EV_LOAD | UINT32_C(1) << BYW_EV_STORE | UINT32_C(1) << BYW_EV_ATOMIC;
    bool req_taken = in->req_valid && out->req_ready;
    bool moved = req_taken || out->rsp_valid || out->mem_req_valid || in->kernel_start ||
                 (in->mem_rsp_valid && out->mem_rsp_ready) || in->filter_on != r->filter_seen;

    r->undecided += req_taken;
    r->undecided -= (out->events & decided) != 0;
    r->undecided -= out->rsp_valid && in->rsp_ready && out->rsp_served == BYW_SERVED_DONE;
    if (moved || out->events != r->events)
        r->quiet = 0;
    else if (r->quiet < QUIET_CYCLES)
        r->quiet++;
    r->events = out->events;
    r->filter_seen = r->filter_next = in->filter_on;
}

/* Updates the state after a cycle with these pulses. The verdict of a window follows in the cycle
 * after it. */
static void settle(struct rtl_l1d *r, bool pulses)
{
    if (pulses)
        r->unsettled = SETTLE_CYCLES;
    else if (r->unsettled != 0)
        r->unsettled--;
    if (r->state == 1U << BYW_TL_SAMPLE && r->unsettled < 2)
        r->unsettled = 2;
}

static void rtl_step(struct byw_l1d *l1d, const struct byw_l1d_in *in,
                     const struct byw_l1d_ctrl *ctrl, struct byw_l1d_out *out)
{
    struct rtl_l1d *r = mine(l1d);
    struct byw_rtl_in ports = {0};
    struct byw_rtl_out seen = {0};

    if (in->rst) {
        memset(out, 0, sizeof(*out));
        rtl_reset(r);
        return;
    }
    put(in, ctrl, &ports);
    byw_rtl_step(r->rtl, &ports, &seen);
    get(&seen, out);
    watch(r, &ports, &seen);
    for (size_t i = 0; seen.trial_events >> i != 0; i++)
        r->trial[i] += seen.trial_events >> i & 1;
    r->state = seen.next_state;
    settle(r, ports.kernel_start || ports.cta_placed);
}

/* A cycle of sleep, in which the RTL still has the previous value of set_filter. */
static uint32_t idle_cycle(struct rtl_l1d *r, uint32_t warps)
{
    const struct byw_rtl_in in = {
        .filter_on = r->filter_next, .rsp_ready = true, .active_warps = (uint8_t)warps};
    struct byw_rtl_out out;

    byw_rtl_step(r->rtl, &in, &out);
    r->filter_seen = r->filter_next;
    r->state = out.next_state;
    settle(r, false);
    return out.policy_events;
}

static enum byw_two_level_state rtl_two_level(const struct byw_l1d *l1d)
{
    const struct rtl_l1d *r = (const struct rtl_l1d *)l1d;

    return r->state == 0 ? BYW_TL_CACHE : (enum byw_two_level_state)byw_ctz64(r->state);
}

/* Outside windows the two-level unit changes only if it is periodic, so it need not be stepped. */
static bool timer_runs(const struct rtl_l1d *r)
{
    return r->two_level && (r->periodic || r->unsettled != 0);
}

static uint64_t rtl_skip_two_level(struct byw_l1d *l1d, uint32_t warps, uint64_t cycles,
                                   uint32_t *pulses)
{
    struct rtl_l1d *r = mine(l1d);
    uint8_t state = r->state;
    uint64_t taken = 0;

    *pulses = 0;
    if (!timer_runs(r))
        return cycles;
    while (taken < cycles && *pulses == 0 && r->state == state && timer_runs(r)) {
        *pulses = idle_cycle(r, warps);
        taken++;
    }
    return taken;
}

/* The RTL sees a new filter_on in its next cycle. If it slept from one change to the next, that
 * cycle is made up for here: switching off drops the candidates even if the filter is on again
 * later. Two-level's timer does not run then (rtl_asleep). */
static void rtl_set_filter(struct byw_l1d *l1d, bool filter_on)
{
    struct rtl_l1d *r = mine(l1d);

    if (filter_on != r->filter_next && r->filter_next != r->filter_seen)
        idle_cycle(r, 0);
    r->filter_next = filter_on;
}

static bool rtl_asleep(const struct byw_l1d *l1d, bool mem_req_ready, bool filter_on,
                       enum byw_event *held)
{
    const struct rtl_l1d *r = (const struct rtl_l1d *)l1d;

    (void)mem_req_ready; /* unused: with a request at the memory port the cache counts as awake */
    *held = BYW_EV_COUNT;
    if (r->tries || r->quiet < QUIET_CYCLES || (r->duels && timer_runs(r)))
        return false;
    if (r->events == 0)
        return r->undecided == 0;
    *held = (enum byw_event)byw_ctz64(r->events);
    /* After a change of the filter, the RTL must step a cycle to show what it refuses. */
    return *held >= BYW_EV_FAIL_LINE && *held <= BYW_EV_FAIL_ICNT &&
           r->events == UINT32_C(1) << *held && filter_on == r->filter_seen;
}

static void rtl_counters(const struct byw_l1d *l1d, uint64_t *counters)
{
    const struct rtl_l1d *r = (const struct rtl_l1d *)l1d;

    memset(counters, 0, BYW_MECH_COUNTERS * sizeof(counters[0]));
    memcpy(counters + byw_mech_counter_base(byw_mech_named("trial")), r->trial, sizeof(r->trial));
}

static const struct byw_l1d_ops rtl_l1d = {
    .create = rtl_create,
    .free = rtl_free,
    .step = rtl_step,
    .set_filter = rtl_set_filter,
    .asleep = rtl_asleep,
    .counters = rtl_counters,
    .skip_two_level = rtl_skip_two_level,
    .two_level = rtl_two_level,
};

const struct byw_l1d_ops *byw_cli_rtl_l1d(void)
{
    return &rtl_l1d;
}
