/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_l1d - byw_l1d.v against byw_l1d.c: every output of every cycle, all bytes, all events.
 *
 * Random traffic on all ports (lock_traffic.h), with kernel boundaries and changes of filter and
 * bypass mode while requests are in flight. Every few thousand cycles a reset interrupts the
 * traffic and the policy changes to a new mixture of all mechanisms. Before some resets, and at the
 * end of the run, the caches are examined: they are drained and flushed, and the memories behind
 * them must be equal; then every line that the C model holds is loaded from both, and every counter
 * of the PC predictor is read. Some examined caches then get their new policy by a kernel start
 * instead of the reset.  With PARITY, bits of the data and tag stores are flipped between cycles,
 * the same on both sides.
 */
#include "cosim/lock_cfg.h"
#include "cosim/lock_flip.h"
#include "cosim/lock_l1d.h"
#include "cosim/lock_memory.h"
#include "cosim/lock_port.h"
#include "cosim/lock_traffic.h"
#include "l1d/byw_l1d_state.h"
#include "policy/byw_policy_events.h"
#include "record/byw_set_duel.h"

enum { PARTS = P_SECTORS * LOCK_BEATS }; /* sectors or beats per line */
enum { USUAL_MODE = P_ALLOC == BYW_ALLOC_ON_FILL ? BYW_MODE_BASE : BYW_MODE_DECOUPLED };

/* Predictor thresholds and initial values; some counters exceed them and others do not. */
static void random_predictor(struct lock *l, struct byw_config *c)
{
    static const uint32_t samples[] = {0, 1, 2, 3, 8, 32, 1024};
    uint32_t max = (uint32_t)byw_mask64(P_PC_BITS);

    c->pc_on = P_PC_PRED && c->policy_mode != BYW_MODE_BYPASS_ALL && lock_chance(l, 60);
    c->pc_duel = P_SETS >= BYW_SET_DUEL_MIN_SETS && lock_chance(l, 50);
    c->pc_inv = lock_below(l, 2);
    c->pc_prior = lock_below(l, 2);
    c->pc_entries = P_PC_ENTRIES;
    c->pc_bits = P_PC_BITS;
    c->pc_shift = P_PC_SHIFT;
    c->pc_threshold = 1 + lock_below(l, lock_chance(l, 60) && max > 3 ? 3 : max);
    c->pc_init = lock_chance(l, 50) ? 0 : lock_below(l, max + 1);
    c->pc_sample = samples[lock_below(l, 7)];
}

/* The settings of one cache; its geometry follows from the parameters. */
static struct byw_config random_config(struct lock *l)
{
    struct byw_config c;

    byw_config_defaults(&c);
#define RTL(parameter, when, field, key) c.field = P_##parameter;
#include "configs/byw_rtl_params.def"
#undef RTL
    c.port = lock_port();
    c.l1d_store_hit = lock_below(l, 2);
    c.policy_mode = lock_chance(l, 70) ? USUAL_MODE : lock_below(l, 2);
    c.byp_on_hit = lock_below(l, 3);
    c.dec_threshold = lock_chance(l, 10) ? lock_below(l, 64) : lock_below(l, 4);
    c.dec_cmp = lock_chance(l, 20);
    c.dec_lfu_all = lock_chance(l, LOCK_BEATS > 1 ? 60 : 20);
    c.dec_rc_on_hit = lock_chance(l, 30);
    c.dec_age_alloc = lock_chance(l, 80);
    c.dec_age_evict = lock_chance(l, 80);
    c.dec_age_merge = lock_chance(l, 70);
    c.dec_store_rc = lock_chance(l, 30);
    c.dec_byp_rsfail = lock_chance(l, 30);
    c.dec_rc_init = lock_chance(l, 30);
    lock_rescues(l, 60, &c);
    random_predictor(l, &c);
    return c;
}

static const char *const event_name[BYW_EV_COUNT] = {
#define X(code, name, when) "times that the event was met: " name,
#include "record/byw_events.def"
#undef X
};

static const char *const pulse_name[BYW_PEV_COUNT] = {
#define X(code, name, when) "times that the pulse was met: " name,
#include "policy/byw_policy_events.def"
#undef X
};

/* All lines of a set can be in flight only if there are enough MSHRs. With allocate on fill no line
 * is ever in flight, and there is no locality filter. */
static bool can_happen(uint32_t event)
{
    bool on_miss = P_ALLOC == BYW_ALLOC_ON_MISS;

    switch (event) {
    case BYW_EV_FAIL_LINE:
        return on_miss && P_MSHRS >= P_DATA_WAYS;
    case BYW_EV_NEW_TAG:
    case BYW_EV_CANDIDATE:
    case BYW_EV_COMMIT:
        return on_miss;
    case BYW_EV_SECTOR_MISS:
        return P_SECTORS > 1;
    case BYW_EV_ORDER_WAIT:
        return P_ORDER != 0 || P_STORE_IDS != 0;
    default:
        return !(event == BYW_EV_FAIL_MSHR && P_MSHRS > 16);
    }
}

/* Two-level's pulses come from outside the cache; set dueling needs leader sets. */
static bool can_pulse(uint32_t pulse)
{
    if (!P_PC_PRED)
        return pulse == BYW_PEV_TL_BYPASS || pulse == BYW_PEV_STALL_BYPASS;
    if (pulse == BYW_PEV_PC_OVERRULED)
        return P_SETS >= BYW_SET_DUEL_MIN_SETS;
    return pulse >= BYW_PEV_TL_BYPASS;
}

struct test {
    struct lock l;
    struct ports p;
    struct traffic t;
    struct byw_l1d *l1d;
    struct byw_config config;
    struct lock_memory want, got; /* the memories behind the C model and behind the RTL */
    struct byw_l1d_out out;
    uint64_t met[BYW_EV_COUNT], pulses[BYW_PEV_COUNT];
    uint64_t looks, looked_at;
    uint64_t failed_hits, failed_tags, bad_write_backs; /* with PARITY; the last
                                                         * also counts fills not installed */
    struct byw_byte_mask hit; /* bytes of the load in the hit stage */
    struct byw_req script[TRAFFIC_SCRIPT];
};

/* Performs the requests that the RTL sends on the memory behind it. */
static void send_rtl(struct test *t)
{
    struct dut *d = t->l.dut;
    struct byw_byte_mask bytes = {{0, 0}};
    uint8_t data[BYW_LINE_MAX];

    if (!dut_get(d, t->p.mreq_valid) ||
        !(dut_get(d, t->p.mreq_write) || dut_get(d, t->p.mreq_atomic)))
        return;
    dut_get_bytes(d, t->p.mreq_bytes, bytes.w, sizeof(bytes.w));
    dut_get_bytes(d, t->p.mreq_data, data, LOCK_BEAT_BYTES);
    lock_memory_write(&t->got, dut_get(d, t->p.mreq_line) * LOCK_BEATS + dut_get(d, t->p.mreq_beat),
                      &bytes, data);
}

static void count(struct test *t)
{
    uint32_t i;

    for (i = 0; i < BYW_EV_COUNT; i++)
        t->met[i] += t->out.events >> i & 1;
    for (i = 0; t->out.policy_events != 0 && i < BYW_PEV_COUNT; i++)
        t->pulses[i] += t->out.policy_events >> i & 1;
    if ((t->out.parity & BYW_PARITY_HIT) != 0) {
        if (t->out.rsp.data != NULL)
            t->failed_hits++;
        else
            t->failed_tags++;
    }
    t->bad_write_backs += (t->out.parity & BYW_PARITY_WRITEBACK) != 0;
}

static void cycle(struct test *t)
{
    const uint32_t hit_load = 1U << BYW_EV_LOAD | 1U << BYW_EV_HIT;
    uint8_t data[BYW_LINE_MAX];
    uint32_t written;

    traffic_next(&t->l, &t->t);
    put_inputs(&t->l, &t->p, &t->t);
    dut_eval(t->l.dut);
    byw_l1d_eval(t->l1d, &t->t.in, &t->out);
    same_outputs(&t->l, &t->p, &t->out, &t->hit);
    count(t);
    if ((t->out.events & hit_load) == hit_load)
        t->hit = t->l1d->fetch[byw_l1d_s2(t->l1d)->sector];
    if (t->t.in.mem_req_ready)
        send_rtl(t);
    if (t->out.mem_req_valid && t->out.mem_req.data != NULL)
        t->out.mem_req.data = memcpy(data, t->out.mem_req.data, LOCK_BEAT_BYTES);
    written = lock_set_of_s2(t->l1d);
    byw_l1d_tick(t->l1d, &t->t.in);
    dut_tick(t->l.dut);
    lock_flip(&t->l, t->l1d, written);
    traffic_moved(&t->t, &t->out);
    t->l.cycle++;
}

/* Sends the scripted requests through both caches until nothing is in flight. */
static void run_script(struct test *t)
{
    uint64_t limit = t->l.cycle + 20 * TRAFFIC_SCRIPT + 20000;

    t->t.script_at = 0;
    do {
        cycle(t);
        if (t->l.cycle > limit)
            lock_fail(&t->l, "cycles until the cache is idle", 0, limit);
    } while (!traffic_script_done(&t->t, t->out.idle));
    t->t.script_end = 0;
}

static void add(struct test *t, uint8_t op, uint64_t line, uint32_t pc)
{
    t->script[t->t.script_end++] =
        (struct byw_req){.op = op, .line = line, .pc = pc, .id = t->t.script_end & 0xff};
}

/* Loads every line that the C model holds. */
static void add_lines(struct test *t)
{
    const struct byw_tag_store *tags = byw_l1d_tags(t->l1d);
    uint32_t i, j;

    for (i = 0; i < P_SETS; i++) {
        const struct byw_set *set = byw_tag_store_set(tags, i);

        for (j = 0; j < tags->geo.tag_ways * PARTS; j++) {
            const struct byw_tag *tag = &set->tag[j / PARTS];
            uint32_t sector = j % PARTS / LOCK_BEATS;

            if (tag->status != BYW_TAG_COMMITTED || (tag->sectors >> sector & 1) == 0)
                continue;
            add(t, BYW_OP_LOAD, byw_set_line(&tags->geo, i, tag->key), 0);
            t->script[t->t.script_end - 1].bytes = t->l1d->fetch[sector];
            t->script[t->t.script_end - 1].beat = (uint8_t)(j % LOCK_BEATS);
        }
    }
    t->looked_at += t->t.script_end;
}

/* Loads of lines that are probably absent, so that each predictor counter is read. */
static void add_counters(struct test *t)
{
    uint32_t i;

    for (i = 0; i < P_PC_ENTRIES; i++)
        add(t, BYW_OP_LOAD, byw_rng_next(&t->l.rng) & t->t.line_mask, i << P_PC_SHIFT);
}

static void look_through(struct test *t)
{
    const char *broken;

    t->t.scripted = true;
    run_script(t); /* no new requests, so that it drains */
    add(t, BYW_OP_FLUSH, 0, 0);
    run_script(t);
    lock_memory_same(&t->l, &t->want, &t->got);
    add_lines(t);
    run_script(t);
    if (t->config.pc_on != 0)
        add_counters(t);
    run_script(t);
    broken = byw_l1d_check(t->l1d);
    if (broken != NULL) {
        fprintf(stderr, "%s\n", broken);
        lock_fail(&t->l, "an invariant of the C model", 1, 0);
    }
    t->t.scripted = false;
    t->looks++;
}

static void put_settings(struct test *t)
{
    dut_put(t->l.dut, t->p.cfg, lock_cfg(&t->config));
    dut_put(t->l.dut, t->p.pc_cfg,
            lock_pc_cfg(&t->config) | !P_PC_PRED); /* omitted unit: no effect */
}

static void check(enum byw_status status, const struct byw_diag *diag)
{
    if (status == BYW_OK)
        return;
    fprintf(stderr, "%s\n", diag->text);
    exit(2);
}

/* New settings for idle caches, with the kernel start that must accompany them; the predictor keeps
 * what it has learned. */
static void reconfigure(struct test *t)
{
    struct byw_diag diag;

    t->config = random_config(&t->l);
    check(byw_l1d_configure(t->l1d, &t->config, &diag), &diag);
    put_settings(t);
    t->t.scripted = true;
    t->t.restarts = true;
    cycle(t);
    t->t.scripted = t->t.restarts = false;
}

/* A reset cycle on both sides, mostly with a new policy, for which the C model creates a new
 * cache. */
static void restart(struct test *t)
{
    struct byw_diag diag;

    t->t.in.rst = true;
    if (t->l1d != NULL && lock_chance(&t->l, 30)) {
        byw_l1d_tick(t->l1d, &t->t.in);
    } else {
        byw_l1d_free(t->l1d);
        t->config = random_config(&t->l);
        check(byw_l1d_create(&t->config, true, &t->l1d, &diag), &diag);
    }
    put_inputs(&t->l, &t->p, &t->t);
    put_settings(t);
    dut_eval(t->l.dut);
    dut_tick(t->l.dut);
    t->t.in.rst = false;
    traffic_forget(&t->t);
    lock_memory_clear(&t->want);
    lock_memory_clear(&t->got);
}

/* Changes the cache while it is idle: occasionally examines it first, then reconfigures or resets
 * it. */
static void change(struct test *t)
{
    bool looks = t->l1d != NULL && lock_chance(&t->l, 40);

    if (looks)
        look_through(t);
    if (looks && lock_chance(&t->l, 50))
        reconfigure(t);
    else
        restart(t);
}

static int finish(struct test *t)
{
    const struct lock *l = &t->l;
    uint32_t i;

    for (i = 0; i < BYW_EV_COUNT && l->cycles >= 250000; i++)
        if (can_happen(i))
            lock_met(l, event_name[i], t->met[i]);
    for (i = 0; i < BYW_PEV_COUNT && l->cycles >= 250000; i++)
        if (can_pulse(i))
            lock_met(l, pulse_name[i], t->pulses[i]);
    if (P_PARITY && l->cycles >= 250000)
        lock_met(l, "hits with wrong parity", t->failed_hits);
    if (P_PARITY && l->cycles >= 250000)
        lock_met(
            l, P_ALLOC == BYW_ALLOC_ON_MISS ? "write-backs of wrong bytes" : "fills not installed",
            t->bad_write_backs);
    if (P_PARITY && l->cycles >= 250000)
        lock_met(l, "requests to wrong tags", t->failed_tags);
    byw_l1d_free(t->l1d);
    lock_memory_release(&t->want);
    lock_memory_release(&t->got);
    return lock_pass(&t->l,
                     ", %" PRIu64 " requests, %" PRIu64 " answers, %" PRIu64 " hits, %" PRIu64
                     " bypasses (%" PRIu64 " by mode, %" PRIu64 " by PC, %" PRIu64
                     " by stall), %" PRIu64 " evictions, looked through %" PRIu64 " times",
                     t->t.accepted, t->t.answered, t->met[BYW_EV_HIT], t->met[BYW_EV_BYPASS],
                     t->pulses[BYW_PEV_TL_BYPASS], t->pulses[BYW_PEV_PC_BYPASS],
                     t->pulses[BYW_PEV_STALL_BYPASS], t->met[BYW_EV_EVICT], t->looks);
}

int main(int argc, char **argv)
{
    struct test *t = calloc(1, sizeof(*t));
    uint64_t next = 0;
    int result;

    if (t == NULL)
        return 2;
    t->l = lock_start(argc, argv, 320000);
    t->p = find_ports(t->l.dut);
    t->t.line_bytes = P_LINE_BYTES;
    t->t.beat_bytes = LOCK_BEAT_BYTES;
    t->t.beats = LOCK_BEATS;
    t->t.sector_bytes = P_LINE_BYTES / P_SECTORS;
    t->t.line_mask = byw_mask64(P_LINE_W);
    t->t.memory = &t->want;
    t->t.wb_acks = lock_port_wb_acks();
    t->t.fences = P_FENCE != 0;
    t->t.on_miss = P_ALLOC == BYW_ALLOC_ON_MISS;
    t->t.uncached = P_UNCACHED != 0;
    t->t.script = t->script;
    lock_memory_init(&t->want, LOCK_BEAT_BYTES);
    lock_memory_init(&t->got, LOCK_BEAT_BYTES);
    while (t->l.cycle < t->l.cycles) {
        if (t->l.cycle >= next) {
            change(t);
            next = t->l.cycle + 500 + lock_below(&t->l, 6000);
        }
        cycle(t);
    }
    look_through(t);
    result = finish(t);
    free(t);
    return result;
}
