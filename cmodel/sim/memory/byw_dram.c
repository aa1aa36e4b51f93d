/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_dram.h"

#include <string.h>

#include "common/byw_rng.h"
#include "sim/memory/byw_mem_ledger.h"

static uint32_t minus(uint32_t a, uint32_t b)
{
    return a > b ? a - b : 0;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* All ones if the time `at` has been reached.  Branch-free, because the outcome is
 * unpredictable. */
static uint64_t come(uint64_t at, uint64_t now)
{
    return -(uint64_t)(at <= now);
}

static struct byw_dram_timing timing(const struct byw_config *config)
{
    uint32_t burst = config->dram_burst;
    bool groups = config->dram_group_timing != 0;

    return (struct byw_dram_timing){
        .ccd = config->t_ccd,
        .ccdl = groups ? config->t_ccdl : config->t_ccd,
        .rrd = config->t_rrd,
        .rc = config->t_rc,
        .rcd = config->t_rcd,
        .rcdwr = minus(config->t_rcd, config->t_wl + 1),
        .ras = config->t_ras,
        .rp = config->t_rp,
        .rtw = minus(config->t_cl + burst + 2, config->t_wl),
        .wtr = config->t_wl + burst + config->t_cdlr,
        .wtp = config->t_wl + burst + config->t_wr,
        .rtp = groups || burst > config->t_rtpl ? burst : config->t_rtpl,
        .rtpl = groups ? config->t_rtpl : 0,
        .cl = config->t_cl,
        .wl = config->t_wl,
        .burst = burst,
        .rfc = config->t_rfc,
    };
}

/* Noise moves the phase of refresh. */
static uint64_t first_refresh(const struct byw_config *config)
{
    struct byw_rng rng;

    if (config->t_refi == 0)
        return UINT64_MAX;
    if (config->noise_seed == 0)
        return config->t_refi;
    byw_rng_init(&rng, config->noise_seed);
    return config->t_refi - byw_rng_below(&rng, config->t_refi);
}

void byw_dram_init(struct byw_dram *dram, const struct byw_config *config,
                   struct byw_packet_pool *pool, struct byw_mem_stats *stats)
{
    uint32_t per_group = config->dram_banks / config->dram_groups;

    memset(dram, 0, sizeof(*dram));
    dram->pool = pool;
    dram->stats = stats;
    dram->t = timing(config);
    dram->banks = config->dram_banks;
    dram->groups = config->dram_groups;
    for (uint32_t b = 0; b < dram->banks; b++) {
        bool low = config->dram_group_index == BYW_GROUP_LOW;

        dram->group_of[b] = (uint8_t)(low ? b % dram->groups : b / per_group);
        dram->group_banks[dram->group_of[b]] |= UINT64_C(1) << b;
    }
    dram->armed_next = UINT64_MAX;
    dram->in_order = config->dram_sched == BYW_DRAM_FCFS;
    dram->queue_limit = dram->in_order ? config->dram_fcfs_queue : config->dram_queue;
    dram->return_limit = config->dram_return;
    dram->dual_bus = config->dram_dual_bus != 0;
    dram->refresh_interval = config->t_refi;
    dram->refresh_at = first_refresh(config);
    for (uint32_t b = 0; b < dram->banks; b++) {
        dram->bank[b].request = BYW_NO_PACKET;
        byw_fifo_init(&dram->bank[b].waiting, BYW_AT_DRAM_QUEUE);
    }
    byw_fifo_init(&dram->arrived, BYW_AT_DRAM_QUEUE);
    byw_fifo_init(&dram->data, BYW_AT_DRAM_DATA);
    byw_fifo_init(&dram->returned, BYW_AT_DRAM_RETURN);
    dram->data_at = dram->wake = UINT64_MAX;
}

void byw_dram_push(struct byw_dram *dram, uint32_t packet, uint64_t now)
{
    uint32_t b = dram->pool->packet[packet].bank;

    byw_fifo_push(dram->pool, dram->in_order ? &dram->arrived : &dram->bank[b].waiting, packet);
    dram->waiting |= (uint64_t)!dram->in_order << b;
    dram->queued++;
    if (dram->wake > now + 1)
        dram->wake = now + 1;
}

/* Data that has arrived leaves, one packet per cycle, unless the return queue is full. */
static uint32_t finish_data(struct byw_dram *dram, uint64_t now)
{
    uint32_t p = dram->data.head;

    if (dram->data_at > now || dram->returned.count >= dram->return_limit)
        return BYW_NO_PACKET;
    byw_fifo_pop(dram->pool, &dram->data);
    dram->data_at = UINT64_MAX;
    if (dram->data.count > 0)
        dram->data_at = dram->pool->packet[dram->data.head].ready;
    if (!byw_packet_returns(&dram->pool->packet[p]))
        return p;
    byw_fifo_push(dram->pool, &dram->returned, p);
    return BYW_NO_PACKET;
}

/* Sets the next command for bank b's request and the earliest time at which the bank itself allows
 * it. */
static void arm(struct byw_dram *dram, uint32_t b, uint64_t now)
{
    struct byw_dram_bank *bank = &dram->bank[b];
    const struct byw_packet *packet = &dram->pool->packet[bank->request];
    uint64_t bit = UINT64_C(1) << b, at;

    if (!bank->open) {
        bank->command = BYW_DRAM_ACTIVATE;
        at = bank->activate_at;
    } else if (bank->row != packet->row) {
        bank->command = BYW_DRAM_PRECHARGE;
        at = bank->precharge_at;
    } else if (byw_packet_writes(packet)) {
        bank->command = BYW_DRAM_WRITE;
        at = bank->write_at;
    } else {
        bank->command = BYW_DRAM_READ;
        at = bank->read_at;
    }
    if (at <= now) {
        dram->due[bank->command] |= bit;
        return;
    }
    dram->armed |= bit;
    bank->armed_until = at;
    if (at < dram->armed_next)
        dram->armed_next = at;
}

/* Moves armed banks whose time has come to `due`. */
static void release(struct byw_dram *dram, uint64_t now)
{
    uint64_t next = UINT64_MAX;

    for (uint64_t left = dram->armed; left != 0; left &= left - 1) {
        uint32_t b = (uint32_t)__builtin_ctzll(left);
        const struct byw_dram_bank *bank = &dram->bank[b];

        uint64_t due = come(bank->armed_until, now), bit = due & UINT64_C(1) << b;

        dram->armed &= ~bit;
        dram->due[bank->command] |= bit;
        next = sooner(next, bank->armed_until | due);
    }
    dram->armed_next = next;
}

static void start(struct byw_dram *dram, uint32_t b, uint32_t p, uint64_t now)
{
    struct byw_dram_bank *bank = &dram->bank[b];
    struct byw_packet *packet = &dram->pool->packet[p];

    byw_packet_move(dram->pool, p, BYW_AT_DRAM_BANK);
    bank->request = p;
    dram->serving |= UINT64_C(1) << b;
    dram->queued--;
    dram->turn = (dram->turn + 1 < dram->banks) ? dram->turn + 1 : 0;
    dram->stats->dram_requests++;
    dram->stats->dram_row_hits += bank->open && bank->row == packet->row;
    if (dram->ledger != NULL && bank->open && bank->row == packet->row)
        byw_mem_ledger_of(dram->ledger, &packet->txn)->dram_row_hits++;
    arm(dram, b, now);
}

/* The first bank of a set at or after `turn`. */
static uint32_t in_turn(const struct byw_dram *dram, uint64_t set)
{
    uint64_t from = set & (UINT64_MAX << dram->turn);

    return (uint32_t)__builtin_ctzll(from != 0 ? from : set);
}

/* The packet of a bank's queue that FR-FCFS serves next. */
static uint32_t pick(struct byw_dram *dram, struct byw_dram_bank *bank)
{
    uint32_t before = BYW_NO_PACKET;

    for (uint32_t p = bank->waiting.head; p != BYW_NO_PACKET; p = dram->pool->packet[p].next) {
        if (dram->pool->packet[p].row == bank->row)
            return byw_fifo_remove(dram->pool, &bank->waiting, before);
        before = p;
    }
    return byw_fifo_pop(dram->pool, &bank->waiting);
}

/* Hands one request to an idle bank. */
static void schedule(struct byw_dram *dram, uint64_t now)
{
    uint64_t able;

    if (dram->in_order) {
        if (dram->arrived.count > 0) {
            uint32_t b = dram->pool->packet[dram->arrived.head].bank;

            if (!((dram->serving >> b) & 1))
                start(dram, b, byw_fifo_pop(dram->pool, &dram->arrived), now);
        }
        return;
    }
    able = dram->waiting & ~dram->serving;
    if (able != 0) {
        uint32_t b = in_turn(dram, able);

        start(dram, b, pick(dram, &dram->bank[b]), now);
        if (dram->bank[b].waiting.count == 0)
            dram->waiting &= ~(UINT64_C(1) << b);
    }
}

/* Sends bank b's row command. The next search for a command begins at the bank after it. */
static void row_command(struct byw_dram *dram, uint32_t b, uint64_t now)
{
    struct byw_dram_bank *bank = &dram->bank[b];

    dram->due[bank->command] &= ~(UINT64_C(1) << b);
    dram->turn = (b + 1 < dram->banks) ? b + 1 : 0;
    if (bank->command == BYW_DRAM_PRECHARGE) {
        bank->open = false;
        bank->activate_at = later(bank->activate_at, now + dram->t.rp);
        dram->stats->dram_precharges++;
    } else {
        bank->open = true;
        bank->row = dram->pool->packet[bank->request].row;
        bank->activate_at = later(bank->activate_at, now + dram->t.rc);
        bank->precharge_at = later(bank->precharge_at, now + dram->t.ras);
        bank->read_at = now + dram->t.rcd;
        bank->write_at = now + dram->t.rcdwr;
        dram->activate_at = now + dram->t.rrd;
        dram->stats->dram_activates++;
        if (dram->ledger != NULL)
            byw_mem_ledger_of(dram->ledger, &dram->pool->packet[bank->request].txn)
                ->dram_activates++;
    }
    arm(dram, b, now);
}

/* Sends a column command for bank b's request.  After the request's last atom the bank is idle. */
static void column_command(struct byw_dram *dram, uint32_t b, uint64_t now)
{
    struct byw_dram_bank *bank = &dram->bank[b];
    uint32_t group = dram->group_of[b];
    uint32_t p = bank->request;
    struct byw_packet *packet = &dram->pool->packet[p];
    bool write = bank->command == BYW_DRAM_WRITE;

    dram->column_at = now + dram->t.ccd;
    dram->group_column_at[group] = now + dram->t.ccdl;
    if (write) {
        dram->read_at = now + dram->t.wtr;
        bank->precharge_at = later(bank->precharge_at, now + dram->t.wtp);
        dram->stats->dram_writes++;
    } else {
        dram->write_at = now + dram->t.rtw;
        bank->precharge_at = later(bank->precharge_at, now + dram->t.rtp);
        dram->group_precharge_at[group] = now + dram->t.rtpl;
        dram->stats->dram_reads++;
    }
    dram->stats->dram_busy += dram->t.burst;
    if (dram->ledger != NULL)
        byw_mem_ledger_atoms(dram->ledger, &packet->txn, write, 1);
    if (--packet->atoms > 0)
        return;
    packet->ready = now + (write ? dram->t.wl : dram->t.cl);
    if (dram->data.count == 0)
        dram->data_at = packet->ready;
    byw_fifo_push(dram->pool, &dram->data, p);
    bank->request = BYW_NO_PACKET;
    dram->serving &= ~(UINT64_C(1) << b);
    dram->due[bank->command] &= ~(UINT64_C(1) << b);
}

/* A data bus that cannot deliver accepts no more column commands. */
static bool stalled(const struct byw_dram *dram, uint64_t now)
{
    return dram->data_at <= now && dram->returned.count >= dram->return_limit;
}

/* Banks of the groups whose time in at[] has not been reached. */
static uint64_t held(const struct byw_dram *dram, const uint64_t *at, uint64_t now)
{
    uint64_t banks = 0;

    for (uint32_t g = 0; g < dram->groups; g++)
        banks |= dram->group_banks[g] & ~come(at[g], now);
    return banks;
}

/* The due banks to which the channel can send a column command now; _row_ready: a row command. */
static uint64_t column_ready(const struct byw_dram *dram, uint64_t now)
{
    uint64_t ready = ((dram->due[BYW_DRAM_READ] & come(dram->read_at, now)) |
                      (dram->due[BYW_DRAM_WRITE] & come(dram->write_at, now))) &
                     come(dram->column_at, now);

    if (ready == 0 || stalled(dram, now))
        return 0;
    return ready & ~held(dram, dram->group_column_at, now);
}

static uint64_t row_ready(const struct byw_dram *dram, uint64_t now)
{
    uint64_t ready = dram->due[BYW_DRAM_PRECHARGE];

    if (ready != 0)
        ready &= ~held(dram, dram->group_precharge_at, now);
    return ready | (dram->due[BYW_DRAM_ACTIVATE] & come(dram->activate_at, now));
}

/* All ones (UINT64_MAX, never) if the set has no bank. */
static uint64_t never(uint64_t banks)
{
    return -(uint64_t)(banks == 0);
}

/* A lower bound, above `now`, on the next cycle in which a command can be sent. */
static uint64_t next_command(const struct byw_dram *dram, uint64_t now)
{
    uint64_t next = dram->armed_next;

    next = sooner(next, later(dram->column_at, dram->read_at) | never(dram->due[BYW_DRAM_READ]));
    next = sooner(next, later(dram->column_at, dram->write_at) | never(dram->due[BYW_DRAM_WRITE]));
    next = sooner(next, dram->activate_at | never(dram->due[BYW_DRAM_ACTIVATE]));
    next &= never(dram->due[BYW_DRAM_PRECHARGE]);
    return later(next, now + 1);
}

/* Performs the refreshes that are due: closes the rows until the last refresh has finished. */
static void refresh(struct byw_dram *dram, uint64_t now)
{
    uint64_t missed = (now - dram->refresh_at) / dram->refresh_interval;
    uint64_t at = dram->refresh_at + missed * dram->refresh_interval;
    bool in_time = missed == 0, open = false; /* a missed refresh closed the rows long ago */

    dram->refresh_at = at + dram->refresh_interval;
    dram->stats->dram_refreshes += missed + 1;
    for (uint32_t b = 0; b < dram->banks; b++) {
        struct byw_dram_bank *bank = &dram->bank[b];

        if (!bank->open)
            continue;
        if (in_time)
            at = later(at, later(bank->precharge_at, dram->group_precharge_at[dram->group_of[b]]));
        bank->open = false;
        open = in_time;
        dram->stats->dram_precharges++;
    }
    at += (open ? dram->t.rp : 0) + dram->t.rfc;
    memset(dram->due, 0, sizeof(dram->due));
    dram->armed = 0;
    dram->armed_next = UINT64_MAX;
    for (uint32_t b = 0; b < dram->banks; b++) {
        dram->bank[b].activate_at = later(dram->bank[b].activate_at, at);
        if ((dram->serving >> b) & 1)
            arm(dram, b, now);
    }
}

/* Sends this cycle's commands, examining banks from `turn` on: the first column command, and the
 * first row command if it comes earlier in that order or has its own bus. */
static void send_commands(struct byw_dram *dram, uint64_t now)
{
    uint64_t columns, rows, both;
    uint32_t b;

    if (now >= dram->armed_next)
        release(dram, now);
    columns = column_ready(dram, now);
    rows = row_ready(dram, now);
    both = columns | rows;
    if (both == 0)
        return;
    b = in_turn(dram, dram->dual_bus && rows != 0 ? rows : both);
    if ((columns >> b) & 1) {
        column_command(dram, b, now);
        return;
    }
    if (columns != 0) {
        uint32_t c = in_turn(dram, columns);

        row_command(dram, b, now);
        column_command(dram, c, now);
    } else {
        row_command(dram, b, now);
    }
}

/* Whether schedule() has work in the next cycle. */
static bool must_schedule(const struct byw_dram *dram)
{
    if (dram->in_order)
        return dram->arrived.count > 0 &&
               !((dram->serving >> dram->pool->packet[dram->arrived.head].bank) & 1);
    return (dram->waiting & ~dram->serving) != 0;
}

uint32_t byw_dram_cycle(struct byw_dram *dram, uint64_t now)
{
    uint32_t done;

    if (now < dram->wake)
        return BYW_NO_PACKET;
    if (now >= dram->refresh_at)
        refresh(dram, now);
    done = finish_data(dram, now);
    schedule(dram, now);
    send_commands(dram, now);
    dram->wake = must_schedule(dram) ? now + 1 : next_command(dram, now);
    if ((dram->queued > 0 || dram->serving != 0) && dram->wake > dram->refresh_at)
        dram->wake = dram->refresh_at;
    dram->wake = sooner(dram->wake, later(now + 1, dram->data_at));
    return done;
}

bool byw_dram_empty(const struct byw_dram *dram)
{
    return dram->queued == 0 && dram->serving == 0 && dram->data.count + dram->returned.count == 0;
}
