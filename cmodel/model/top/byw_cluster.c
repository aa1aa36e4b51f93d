/* SPDX-License-Identifier: Apache-2.0 */
#include "top/byw_cluster.h"

#include <stdlib.h>
#include <string.h>

#include "policy/byw_cross_duel.h"
#include "policy/byw_sm_duel.h"
#include "top/byw_csr.h"
#include "top/byw_sm_l1.h"

/* The register bus and its state. */
struct bus {
    bool used;
    struct byw_csr csr;
    struct byw_csr_in in; /* inputs of this cycle */
    uint32_t reading; /* cycles since a counter read was requested */
    uint64_t value; /* the counter's value, valid from BYW_STATS_SAMPLE on */
    enum byw_status status; /* status of the last written settings */
    struct byw_diag diag;
};

struct byw_cluster {
    struct byw_config config; /* the configuration that the registers set */
    struct bus bus;
    struct byw_sm_duel duel;
    struct byw_cross_duel cross; /* used instead of `duel` if `crossover` */
    bool decoupled;
    bool dueling;
    bool crossover;
    bool with_data;
    struct byw_profile *profile; /* profile of a profile run, or NULL */
    uint32_t sm_count;
    const struct byw_l1d_ops *ops; /* implementation of every SM's cache */
    uint64_t cycles; /* clock edges taken */
    uint64_t *on_cycles; /* cycles with the filter on, per SM */
    struct byw_sm_l1 *sm;
};

enum byw_status byw_cluster_create(const struct byw_config *config, bool with_data,
                                   struct byw_cluster **cluster, struct byw_diag *diag)
{
    return byw_cluster_create_on(config, NULL, with_data, cluster, diag);
}

static void take_mode(struct byw_cluster *cluster)
{
    cluster->decoupled = cluster->config.policy_mode == BYW_MODE_DECOUPLED;
    cluster->dueling = cluster->decoupled && cluster->config.duel_on != 0;
    cluster->crossover = cluster->config.duel_rule == BYW_DUEL_CROSSOVER;
}

static void restart_duel(struct byw_cluster *cluster)
{
    byw_sm_duel_init(&cluster->duel, &cluster->config);
    byw_cross_duel_init(&cluster->cross, &cluster->config);
}

/* Caches of another implementation support only mechanisms that have hardware. */
static enum byw_status check_mechs(const struct byw_config *config, const struct byw_l1d_ops *ops,
                                   struct byw_diag *diag)
{
    const struct byw_mech *mech = byw_mech_without_rtl(config);
    const struct byw_repl_row *repl = byw_repl_row(config->l1d_repl);

    if (ops->mech_state == NULL && repl != NULL && repl->c_only)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "replacement %s (l1d.replacement) exists in the C model only; expected "
                            "--l1d c",
                            repl->name);
    if (ops->mech_state == NULL && config->l1d_atomic_keeps != 0)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "l1d.atomic_keeps = on exists in the C model only; expected --l1d c");
    if (ops->mech_state == NULL && config->l1d_stale_fills != 0)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "l1d.stale_fills = on exists in the C model only; expected --l1d c");
    if (ops->mech_state == NULL && config->l1d_store_miss != 0)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "l1d.store_miss = allocate exists in the C model only; expected "
                            "--l1d c");
    if (ops->mech_state != NULL || mech == NULL)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EUNSUPPORTED,
                        "mechanism %s (%s) exists in the C model only; expected --l1d c",
                        mech->name, mech->enable);
}

enum byw_status byw_cluster_create_on(const struct byw_config *config,
                                      const struct byw_l1d_ops *ops, bool with_data,
                                      struct byw_cluster **cluster, struct byw_diag *diag)
{
    struct byw_cluster *made = calloc(1, sizeof(*made));
    enum byw_status status;
    uint32_t i;

    if (made != NULL) {
        made->sm = calloc(config->sm_count, sizeof(made->sm[0]));
        made->on_cycles = calloc(config->sm_count, sizeof(made->on_cycles[0]));
    }
    if (made == NULL || made->sm == NULL || made->on_cycles == NULL) {
        byw_cluster_free(made);
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory for the L1 caches of %u SMs",
                            config->sm_count);
    }
    made->sm_count = config->sm_count;
    made->ops = ops != NULL ? ops : &byw_l1d_model;
    made->config = *config;
    made->with_data = with_data;
    byw_csr_init(&made->bus.csr, config->sm_count);
    byw_csr_from_config(&made->bus.csr, config);
    take_mode(made);
    restart_duel(made);
    status = check_mechs(config, made->ops, diag);
    for (i = 0; i < made->sm_count && status == BYW_OK; i++) {
        status = byw_sm_l1_init(&made->sm[i], config, made->ops, with_data, diag);
        if (status == BYW_OK)
            made->ops->set_filter(made->sm[i].l1d, byw_cluster_filter_on(made, i));
    }
    if (status != BYW_OK) {
        byw_cluster_free(made);
        return status;
    }
    *cluster = made;
    return BYW_OK;
}

void byw_cluster_free(struct byw_cluster *cluster)
{
    uint32_t i;

    if (cluster == NULL)
        return;
    for (i = 0; i < cluster->sm_count; i++)
        byw_sm_l1_release(&cluster->sm[i]);
    free(cluster->sm);
    free(cluster->on_cycles);
    free(cluster);
}

void byw_cluster_record(struct byw_cluster *cluster, uint32_t sm, struct byw_recorder *recorder)
{
    cluster->sm[sm].recorder = recorder;
}

void byw_cluster_profiled(struct byw_cluster *cluster, struct byw_profile *profile)
{
    cluster->profile = profile;
    for (uint32_t i = 0; i < cluster->sm_count; i++)
        if (cluster->sm[i].ops->profiled != NULL)
            cluster->sm[i].ops->profiled(cluster->sm[i].l1d, i, profile);
}

enum byw_status byw_cluster_reshape(struct byw_cluster *cluster, uint32_t sets, uint32_t ways,
                                    struct byw_diag *diag)
{
    enum byw_status status = BYW_OK;

    cluster->config.l1d_sets = sets;
    cluster->config.l1d_ways = ways;
    for (uint32_t i = 0; i < cluster->sm_count && status == BYW_OK; i++) {
        status = byw_sm_l1_reshape(&cluster->sm[i], &cluster->config, cluster->with_data, diag);
        if (status == BYW_OK)
            cluster->ops->set_filter(cluster->sm[i].l1d, byw_cluster_filter_on(cluster, i));
    }
    if (status == BYW_OK && cluster->profile != NULL)
        byw_cluster_profiled(cluster, cluster->profile);
    return status;
}

bool byw_cluster_filter_on(const struct byw_cluster *cluster, uint32_t sm)
{
    if (!cluster->dueling)
        return cluster->decoupled;
    if (cluster->crossover)
        return byw_cross_duel_filter(&cluster->cross, sm);
    return byw_sm_duel_filter(&cluster->duel, byw_sm_duel_role(sm));
}

/* Steps an L1 in a cycle in which the registers reset or restart it or start a kernel. */
static void step_with_pulse(struct byw_cluster *cluster, uint32_t sm, const struct byw_l1d_in *in,
                            struct byw_l1d_out *out)
{
    const struct byw_csr *csr = &cluster->bus.csr;
    struct byw_l1d_in with = *in;

    if (csr->reset) {
        byw_sm_l1_reset(&cluster->sm[sm], out);
        return;
    }
    if (!in->ctrl.kernel_start)
        with.ctrl.kernel_pc = csr->kernel_pc;
    with.ctrl.kernel_start = true;
    byw_sm_l1_step(&cluster->sm[sm], &with, byw_cluster_filter_on(cluster, sm), csr->restart, out);
}

void byw_cluster_sm(struct byw_cluster *cluster, uint32_t sm, const struct byw_l1d_in *in,
                    struct byw_l1d_out *out)
{
    struct bus *bus = &cluster->bus;

    if (bus->used && (bus->csr.kernel_start || bus->csr.restart || bus->csr.reset))
        step_with_pulse(cluster, sm, in, out);
    else
        byw_sm_l1_step(&cluster->sm[sm], in, byw_cluster_filter_on(cluster, sm), false, out);
    if (bus->used)
        bus->in.idle = bus->in.idle && out->idle;
    if (!cluster->dueling || out->events == 0)
        return;
    if (cluster->crossover)
        byw_cross_duel_count(&cluster->cross, sm, out->events);
    else if (sm < BYW_DUEL_LEADERS)
        byw_sm_duel_count(&cluster->duel, sm, out->events);
}

bool byw_cluster_counts_warps(const struct byw_cluster *cluster, uint32_t sm)
{
    return cluster->sm[sm].two_level.on;
}

void byw_cluster_warps(struct byw_cluster *cluster, uint32_t sm, uint32_t warps)
{
    cluster->sm[sm].active_warps = warps;
}

static bool duel_on(const struct byw_cluster *cluster)
{
    return cluster->crossover ? cluster->cross.on : cluster->duel.on;
}

/* Counts `cycles` cycles in which the roles do not change. */
static void count_roles(struct byw_cluster *cluster, uint64_t cycles)
{
    for (uint32_t sm = 0; sm < cluster->sm_count && cluster->dueling; sm++)
        cluster->on_cycles[sm] += byw_cluster_filter_on(cluster, sm) ? cycles : 0;
}

/* Passes up to `cycles` edges of dueling.  Returns those passed; *turns: a role may have
 * changed.  Roles change with the decision or when a sample, half or hold ends. */
static uint64_t duel(struct byw_cluster *cluster, uint64_t cycles, bool *turns)
{
    uint64_t left = byw_cluster_steady(cluster);
    uint64_t taken = cycles < left ? cycles : left;
    bool on = duel_on(cluster);

    count_roles(cluster, taken);
    if (cluster->crossover)
        byw_cross_duel_tick(&cluster->cross, (uint32_t)taken);
    else
        byw_sm_duel_tick(&cluster->duel, taken);
    *turns = duel_on(cluster) != on ||
             (cluster->crossover ? cluster->cross.cycle : cluster->duel.cycle) == 0;
    return taken;
}

/* Passes to each L1 whether its filter is on in the next cycle.  Call before that cycle. */
static void tell_filters(struct byw_cluster *cluster)
{
    uint32_t i;

    for (i = 0; i < cluster->sm_count; i++)
        cluster->ops->set_filter(cluster->sm[i].l1d, byw_cluster_filter_on(cluster, i));
}

uint64_t byw_cluster_steady(const struct byw_cluster *cluster)
{
    if (!cluster->dueling)
        return UINT64_MAX;
    return cluster->crossover ? byw_cross_duel_left(&cluster->cross)
                              : byw_sm_duel_left(&cluster->duel);
}

void byw_cluster_skip(struct byw_cluster *cluster, uint64_t cycles)
{
    bool turns;

    cluster->cycles += cycles;
    while (cluster->dueling && cycles != 0) {
        cycles -= duel(cluster, cycles, &turns);
        if (turns)
            tell_filters(cluster);
    }
}

enum byw_status byw_cluster_bus(struct byw_cluster *cluster, const struct byw_cluster_bus_in *in,
                                struct byw_cluster_bus_out *out, struct byw_diag *diag)
{
    struct bus *bus = &cluster->bus;
    uint32_t sm = bus->csr.counter_select >> BYW_CSR_COUNTER_SELECT_SM_LSB;
    bool exists = sm < cluster->sm_count;
    struct byw_csr_out csr;

    bus->used = true;
    bus->in = (struct byw_csr_in){
        .req_valid = in->req_valid,
        .req_write = in->req_write,
        .rsp_ready = in->rsp_ready,
        .req_addr = in->req_addr,
        .req_data = in->req_data,
        .idle = true, /* cleared below if an SM is not idle */
        .duel_on = duel_on(cluster),
        .duel_votes = (uint8_t)(cluster->crossover ? cluster->cross.votes : cluster->duel.votes),
        .count_valid = bus->csr.counting && (!exists || bus->reading == BYW_STATS_ANSWER),
    };
    if (bus->reading == BYW_STATS_SAMPLE)
        bus->value =
            byw_stats_counter(byw_cluster_stats(cluster, sm), bus->csr.counter_select & 0xFF);
    if (exists)
        bus->in.count_data = bus->value;
    byw_csr_eval(&bus->csr, &csr);
    *out = (struct byw_cluster_bus_out){
        .req_ready = csr.req_ready,
        .rsp_valid = csr.rsp_valid,
        .rsp_error = csr.rsp_error,
        .rsp_data = csr.rsp_data,
    };
    if (bus->status != BYW_OK)
        *diag = bus->diag;
    return bus->status;
}

static void clear_cycles(struct byw_cluster *cluster)
{
    cluster->cycles = 0;
    memset(cluster->on_cycles, 0, cluster->sm_count * sizeof(cluster->on_cycles[0]));
}

/* Applies new register values. */
static void take_settings(struct byw_cluster *cluster)
{
    struct bus *bus = &cluster->bus;
    struct byw_config config = cluster->config;
    uint32_t i;

    byw_csr_to_config(&bus->csr, &config);
    for (i = 0; i < cluster->sm_count; i++)
        cluster->sm[i].filter_on_before = byw_cluster_stats(cluster, i)->filter_on_cycles;
    clear_cycles(cluster);
    bus->status = BYW_OK;
    if (cluster->ops->configure == NULL)
        bus->status = byw_diag_set(&bus->diag, BYW_EUNSUPPORTED,
                                   "these L1 data caches cannot change their settings");
    for (i = 0; i < cluster->sm_count && bus->status == BYW_OK; i++) {
        struct byw_sm_l1 *sm = &cluster->sm[i];

        bus->status = cluster->ops->configure(sm->l1d, &config, &bus->diag);
        byw_two_level_configure(&sm->two_level, &config);
        sm->two_level.bound = bus->csr.two_level_bound;
    }
    if (bus->status == BYW_OK)
        cluster->config = config;
    take_mode(cluster);
}

/* The clock edge of dueling and of the register bus. */
static void tick_bus(struct byw_cluster *cluster)
{
    struct bus *bus = &cluster->bus;
    struct byw_csr *csr = &bus->csr;
    uint32_t sm = csr->counter_select >> BYW_CSR_COUNTER_SELECT_SM_LSB;
    bool restart = csr->duel_restart || csr->reset || !cluster->dueling;
    bool reads = csr->counting && sm < cluster->sm_count && bus->reading < BYW_STATS_ANSWER;
    bool turns = false;

    bus->reading = reads ? bus->reading + 1 : 0;
    cluster->cycles++;
    if (!restart) {
        duel(cluster, 1, &turns);
    } else {
        count_roles(cluster, 1);
        restart_duel(cluster);
    }
    if (csr->reset)
        clear_cycles(cluster);
    byw_csr_tick(csr, &bus->in);
    if (csr->restart || csr->duel_restart)
        take_settings(cluster);
    if (turns) /* only now, because new settings may cancel this change */
        tell_filters(cluster);
}

void byw_cluster_tick(struct byw_cluster *cluster)
{
    if (cluster->bus.used)
        tick_bus(cluster);
    else
        byw_cluster_skip(cluster, 1);
}

bool byw_cluster_queues(const struct byw_cluster *cluster, uint32_t sm)
{
    return cluster->sm[sm].queues;
}

bool byw_cluster_takes(const struct byw_cluster *cluster, uint32_t sm, bool said)
{
    const struct byw_sm_l1 *l1 = &cluster->sm[sm];

    if (l1->queues)
        return true;
    return l1->ops->takes == NULL ? said : l1->ops->takes(l1->l1d);
}

void byw_cluster_expect(const struct byw_cluster *cluster, uint32_t sm, uint32_t id)
{
    if (cluster->ops == &byw_l1d_model)
        byw_l1d_expect(cluster->sm[sm].l1d, id);
}

bool byw_cluster_asleep(const struct byw_cluster *cluster, uint32_t sm, bool mem_req_ready)
{
    const struct byw_sm_l1 *l1 = &cluster->sm[sm];
    bool filter_on = byw_cluster_filter_on(cluster, sm);
    enum byw_event held, other;

    if (!byw_sm_l1_asleep(l1, mem_req_ready, filter_on, &held))
        return false;
    if (held == BYW_EV_COUNT || !cluster->dueling ||
        (!cluster->crossover && byw_sm_duel_fixed(&cluster->duel, byw_sm_duel_role(sm))))
        return true;
    /* The filter may be switched while the L1 sleeps, so its refusal must not depend on the
     * filter. */
    return byw_sm_l1_asleep(l1, mem_req_ready, !filter_on, &other) && other == held;
}

void byw_cluster_sleep(struct byw_cluster *cluster, uint32_t sm, uint64_t cycles)
{
    enum byw_event held;

    /* Only the decision matters here: mem_req_ready was low or the queue is empty, otherwise the
     * caller would not have let the L1 sleep. */
    cluster->ops->asleep(cluster->sm[sm].l1d, false, byw_cluster_filter_on(cluster, sm), &held);
    byw_sm_l1_sleep(&cluster->sm[sm], held, cycles);
}

const struct byw_l1_stats *byw_cluster_stats(const struct byw_cluster *cluster, uint32_t sm)
{
    struct byw_sm_l1 *of = &cluster->sm[sm];
    uint64_t on;

    if (cluster->dueling)
        on = cluster->on_cycles[sm];
    else
        on = byw_cluster_filter_on(cluster, sm) ? cluster->cycles : 0;
    of->stats.filter_on_cycles = of->filter_on_before + on;
    byw_sm_l1_count_mechs(of);
    return &of->stats;
}

enum byw_two_level_state byw_cluster_two_level(const struct byw_cluster *cluster, uint32_t sm)
{
    const struct byw_two_level *tl = &cluster->sm[sm].two_level;
    bool works = tl->on && !cluster->bus.csr.restart && !cluster->bus.csr.reset;

    return works ? byw_two_level_state(tl) : BYW_TL_STATES;
}

const struct byw_l1d *byw_cluster_l1d(const struct byw_cluster *cluster, uint32_t sm)
{
    return cluster->sm[sm].l1d;
}
