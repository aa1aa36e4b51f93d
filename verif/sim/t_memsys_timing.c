/* SPDX-License-Identifier: Apache-2.0
 *
 * t_memsys_timing.c - delays and queues between the parts of the memory system: each cycle of a
 * delay on a request's path adds a cycle to its trip, and no other delay does; replies wait for
 * room; credits; clocks.
 */
#include "memsys_presets.h"
#include "memsys_traffic.h"
#include "sim/timing_keys.h"

/* --- delays ------------------------------------------------------------------------------- */

/* Every level, one clock. */
static void tower(struct byw_config *c)
{
    preset_rdna2(c);
    c->icnt_mhz = c->core_mhz = c->l2_mhz = c->dram_mhz = 1000;
    c->icnt_eject = 3;
    c->l3_sectors = 1;
    c->l2_data = 2;
}

/* Ticks of a read served by the GL1 (1), the L2 (2), the L3 (3) or DRAM (4). */
static uint32_t trip(const struct byw_config *config, uint32_t by)
{
    struct byw_memsys *memsys = create(config);
    uint32_t ticks;

    round_trip(memsys, 0x10000, BYW_TXN_READ);
    if (by >= 2)
        byw_memsys_invalidate_gl1(memsys);
    if (by >= 3)
        byw_memsys_invalidate_l2(memsys);
    ticks = round_trip(memsys, by >= 4 ? 0x90000 : 0x10000, BYW_TXN_READ);
    assert_int_equal(memsys->stats.gl1.hits, by == 1);
    assert_int_equal(memsys->stats.l2.hits, by == 2);
    assert_int_equal(memsys->stats.l3.hits, by == 3);
    byw_memsys_free(memsys);
    return ticks;
}

/* The delay of a level lengthens the trips that reach it, with an ideal DRAM and with a real
 * one. */
static void trips_take_their_delays(void **state)
{
    static const struct {
        size_t offset;
        uint32_t from;
    } first[] = {{offsetof(struct byw_config, icnt_eject), 1},
                 {offsetof(struct byw_config, gl1_tags), 1},
                 {offsetof(struct byw_config, gl1_data), 1},
                 {offsetof(struct byw_config, l2_rop), 2},
                 {offsetof(struct byw_config, l2_data), 2},
                 {offsetof(struct byw_config, l3_tags), 3},
                 {offsetof(struct byw_config, l3_data), 3},
                 {offsetof(struct byw_config, dram_latency), 4}};
    static const uint32_t more[] = {1, 2, 50};
    uint32_t from = 0;

    for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
        if (((const struct timing_key *)*state)->offset == first[i].offset)
            from = first[i].from;
    assert_int_not_equal(from, 0);
    for (uint32_t n = 0; n < 8; n++) {
        uint32_t by = 1 + n % 4, ticks;
        struct byw_config config;

        tower(&config);
        config.dram_ideal = n / 4;
        ticks = trip(&config, by);
        for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
            struct byw_config slower = config;

            *timing_key(state, &slower) += more[i];
            assert_int_equal(trip(&slower, by), ticks + (by >= from ? more[i] : 0));
        }
    }
}

/* The trips, worked out by hand: crossbar 1, path to the tags, tags 1, their answer's delay + 1,
 * crossbar back 1, icnt.eject. */
static void trips_are_what_they_should_be(void **state)
{
    struct byw_config c;
    uint32_t gl1, l2, l3;

    (void)state;
    tower(&c);
    gl1 = 1 + c.gl1_tags + 1 + c.gl1_data + 1 + 1 + c.icnt_eject;
    /* In addition: queue down 1, crossbar 1, the L2's delays, crossbar 1; the answer to its fill
     * 1. */
    l2 = gl1 + 1 + 1 + c.l2_rop + 1 + c.l2_data + 1 + 1 + 1;
    /* In addition: queue down 1, the L3's delays; fill 1, its answer 1. */
    l3 = l2 + 1 + c.l3_tags + 1 + c.l3_data + 1 + 1 + 1;
    assert_int_equal(trip(&c, 1), gl1);
    assert_int_equal(trip(&c, 2), l2);
    assert_int_equal(trip(&c, 3), l3);
}

/* When two replies wait at one slice, the second leaves N cycles after the first if it has N
 * sectors. */
static void replies_take_a_cycle_per_sector(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 9; n++) {
        uint32_t bytes[2] = {32U << n % 3, 32U << n / 3}, at[2] = {0, 0};
        struct byw_config c;
        struct byw_memsys *memsys;

        preset_pascal(&c);
        c.l2_mhz = 4 * c.icnt_mhz; /* both are present before the first one's last sector leaves */
        memsys = create(&c);
        for (uint32_t round = 0; round < 2; round++) { /* misses, then hits */
            for (uint32_t sm = 0; sm < 2; sm++)
                push(memsys, sm, 0x10000, BYW_TXN_READ, round == 0 ? 128 : bytes[sm], sm);
            for (uint32_t i = 0; i < 1000; i++) {
                for (uint32_t sm = 0; sm < 2; sm++) {
                    if (byw_memsys_reply(memsys, sm) == NULL)
                        continue;
                    byw_memsys_pop(memsys, sm);
                    at[sm] = i;
                }
                byw_memsys_tick(memsys);
            }
        }
        assert_int_equal(at[1] - at[0], bytes[1] / 32);
        check(memsys);
        byw_memsys_free(memsys);
    }
}

/* --- what comes back ---------------------------------------------------------------------- */

/* The level whose queue towards the SMs has the probed key, with one slice or group. */
static struct byw_l2 *level_of(struct byw_memsys *memsys, void **state)
{
    const char *name = ((const struct timing_key *)*state)->name;

    if (strncmp(name, "gl1", 3) == 0)
        return memsys->gl1;
    return strncmp(name, "l3", 2) == 0 ? memsys->l3 : memsys->slice;
}

/* With the fill port closed, the queue holds as many packets as its key says; another one arrives
 * in the cycle after one leaves. From DRAM for the L3, from the L3 or DRAM for the L2, from the
 * crossbar for the GL1. */
static void queue_from_below_holds(void **state)
{
    for (uint32_t n = 0; n < 6; n++) {
        uint32_t room = 1 + n / 2 * 4, waited = 0;
        struct byw_config c;
        struct byw_memsys *memsys;
        struct byw_l2 *level;

        tower(&c);
        c.dram_channels = c.l2_slices = 1;
        c.l2_mshrs = c.l3_mshrs = c.gl1_mshrs = 64;
        c.l2_miss_queue = c.l2_dram_queue = c.l2_in_queue = c.l3_queue = c.gl1_queue = 32;
        c.dram_latency = 0;
        *timing_key(state, &c) = room;
        if (n % 2 != 0 && TIMING_KEY_IS(state, l2_dram_queue))
            c.gl1_on = c.l3_on = 0;
        memsys = create(&c);
        level = level_of(memsys, state);
        level->fill_free = UINT64_MAX;
        for (uint32_t id = 0; id < room + 3; id++) {
            while (!byw_memsys_ready(memsys, 0))
                byw_memsys_tick(memsys);
            push(memsys, 0, id * 128, BYW_TXN_READ, 128, id);
            byw_memsys_tick(memsys);
        }
        for (int i = 0; i < 2000; i++)
            byw_memsys_tick(memsys);
        assert_int_equal(level->from_dram.count, room);
        while (waited < 3) {
            byw_fifo_pop(&memsys->pool, &level->from_dram);
            byw_memsys_tick(memsys);
            assert_int_equal(level->from_dram.count, room);
            waited++;
        }
        byw_fifo_pop(&memsys->pool, &level->from_dram);
        byw_memsys_tick(memsys);
        assert_int_equal(level->from_dram.count, room - 1); /* no packet is left to arrive */
        byw_memsys_free(memsys);
    }
}

/* An SM waits while the packet pool is at the SMs' limit, and continues when a packet is freed. */
static void sm_packets_are_bounded(void **state)
{
    struct byw_config c;
    struct byw_memsys *memsys;

    (void)state;
    rig_config(&c);
    memsys = create(&c);
    memsys->sm_packets = 3;
    for (uint32_t sm = 0; sm < 3; sm++) {
        assert_true(byw_memsys_ready(memsys, 5));
        push(memsys, sm, 256 * sm, BYW_TXN_WRITEBACK, 32, sm); /* leaves by itself */
    }
    while (memsys->pool.in_use >= 3) {
        assert_false(byw_memsys_ready(memsys, 5));
        byw_memsys_tick(memsys);
        assert_true(memsys->cycle < 5000);
    }
    assert_true(byw_memsys_ready(memsys, 5));
    byw_memsys_free(memsys);
}

/* --- DRAM's credits ----------------------------------------------------------------------- */

static uint32_t towards_dram(const struct byw_memsys *memsys)
{
    uint32_t count = 0;

    for (uint32_t p = 0; p < memsys->pool.touched; p++) {
        uint8_t place = memsys->pool.packet[p].place;

        count += place >= BYW_AT_DRAM_DELAY && place <= BYW_AT_DRAM_RETURN;
    }
    return count;
}

/* Between a channel's slices and their queues from DRAM there may be dram.queue +
 * dram.return_queue - (slices - 1) packets plus one per slice; the next one starts in the cycle
 * in which one returns. */
static void credits_are_bounded(void **state)
{
    for (uint32_t n = 0; n < 6; n++) {
        uint32_t slices = 1U << n % 3, held = 0, most;
        struct byw_config c;
        struct byw_memsys *memsys;
        struct traffic t;

        rig_config(&c);
        c.icnt_mhz = c.l2_mhz = c.core_mhz = c.dram_mhz = 1000;
        c.dram_channels = 1;
        c.l2_slices = slices;
        c.l2_mshrs = 64;
        c.l2_miss_queue = c.l2_dram_queue = 64;
        c.dram_queue = 8;
        c.dram_return = 5;
        c.dram_latency = 400;
        *timing_key(state, &c) = 3 + n / 3 * 4;
        most = c.dram_queue + c.dram_return + 1;
        memsys = create(&c);
        traffic_init(&t, 1, 2000, 100000, 1);
        while (t.replies < 200) {
            uint32_t before = towards_dram(memsys), waiting = 0;

            take_replies(&t, memsys, c.sm_count);
            send_some(&t, memsys, c.sm_count);
            for (uint32_t s = 0; s < slices; s++)
                waiting += memsys->slice[s].to_dram.count > 0;
            byw_memsys_tick(memsys);
            assert_true(towards_dram(memsys) <= most);
            if (before == most && waiting == slices && !byw_dram_full(&memsys->channel[0].dram))
                assert_int_equal(towards_dram(memsys), most);
            held = held > before ? held : before;
        }
        assert_int_equal(held, most);
        traffic_end(&t);
        byw_memsys_free(memsys);
    }
}

/* The key lengthens a read that reaches DRAM by its value if the channel is odd; in an even channel
 * it has no effect. */
static void odd_channels_are_further(void **state)
{
    static const uint32_t more[] = {1, 2, 50};
    uint32_t odd = 0, even = 0;

    for (uint32_t n = 0; n < 32; n++) {
        uint64_t addr = 0x10000 + 256 * (n / 2);
        struct byw_config c;
        struct byw_memsys *memsys;
        uint32_t channel, ticks;

        tower(&c);
        c.dram_ideal = n % 2;
        memsys = create(&c);
        channel = byw_addrmap_channel(&memsys->map, addr);
        ticks = round_trip(memsys, addr, BYW_TXN_READ);
        byw_memsys_free(memsys);
        odd += channel % 2;
        even += channel % 2 == 0;
        for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
            *timing_key(state, &c) = more[i];
            memsys = create(&c);
            assert_int_equal(round_trip(memsys, addr, BYW_TXN_READ), ticks + channel % 2 * more[i]);
            byw_memsys_free(memsys);
        }
    }
    assert_true(odd != 0 && even != 0);
}

/* --- clocks ------------------------------------------------------------------------------- */

/* Edge j of a clock falls into core cycle j * core / f, not earlier and not later. */
static void edges_fall_in_their_cycle(void **state)
{
    static const uint32_t mhz[] = {1, 333, 500, 999, 1000, 1001, 1417, 2000, 3000};

    for (size_t i = 0; i < sizeof(mhz) / sizeof(mhz[0]); i++) {
        struct byw_config c = {.core_mhz = 1000, .icnt_mhz = 700, .l2_mhz = 1300, .dram_mhz = 924};
        uint64_t edges[BYW_CLOCKS] = {0};
        struct byw_clock clock;

        *timing_key(state, &c) = mhz[i];
        {
            const uint32_t f[BYW_CLOCKS] = {c.core_mhz, c.icnt_mhz, c.l2_mhz, c.dram_mhz};

            assert_int_equal(byw_clock_init(&clock, f), BYW_OK);
            for (uint64_t cycle = 0; cycle < 5000; cycle++) {
                uint32_t count;
                const uint8_t *step =
                    byw_clock_steps(&clock, (uint32_t)(cycle % clock.period), &count);

                for (uint32_t s = 0; s < count; s++)
                    for (uint32_t d = 0; d < BYW_CLOCKS; d++)
                        if (step[s] & (1U << d))
                            assert_int_equal(edges[d]++ * f[0] / f[d], cycle);
                for (uint32_t d = 0; d < BYW_CLOCKS; d++) /* every kind is covered */
                    assert_true(edges[d] * f[0] / f[d] > cycle);
            }
        }
        byw_clock_free(&clock);
    }
}

/* The crossbar moves packets at its own clock edges; slices and channels work at theirs. */
static void parts_work_at_their_edges(void **state)
{
    static const uint32_t mhz[] = {250, 500, 1000, 2000};

    for (size_t i = 0; i < sizeof(mhz) / sizeof(mhz[0]); i++) {
        struct byw_config c;
        struct byw_memsys *memsys;

        rig_config(&c);
        c.core_mhz = c.icnt_mhz = c.l2_mhz = c.dram_mhz = 1000;
        *timing_key(state, &c) = mhz[i];
        memsys = create(&c);
        for (uint64_t cycle = 1; cycle < 64; cycle++) {
            byw_memsys_tick(memsys);
            assert_int_equal(memsys->icnt_now, (cycle * c.icnt_mhz + 999) / 1000);
            assert_int_equal(memsys->l2_now, (cycle * c.l2_mhz + 999) / 1000);
            assert_int_equal(memsys->dram_now, (cycle * c.dram_mhz + 999) / 1000);
        }
        byw_memsys_free(memsys);
    }
}

int main(void)
{
#define MEMSYS TIMING_KEY
#define MEMSYS_BOUND TIMING_BOUND
    const struct CMUnitTest tests[] = {
#include "sim/timing_keys.def"
    };

    return cmocka_run_group_tests_name("memsys_timing", tests, NULL, NULL);
}
