/* SPDX-License-Identifier: Apache-2.0
 *
 * t_csr - the register bus, step by step: what is refused while requests are in flight, the pulses
 * of commands and of new settings, and STATUS (rtl/doc/csr.md).
 */
#include "common/test.h"
#include "top/byw_csr.h"

struct rig {
    struct byw_csr csr;
    struct byw_csr_in in;
    struct byw_csr_out out; /* outputs of the cycle after the access */
};

static struct rig fresh(bool idle)
{
    struct rig r = {.in = {.idle = idle, .rsp_ready = true}};

    byw_csr_init(&r.csr, 2);
    return r;
}

/* One access; its pulses and response are in out. */
static void access_of(struct rig *r, bool write, uint32_t addr, uint32_t data)
{
    byw_csr_eval(&r->csr, &r->out);
    assert_true(r->out.req_ready);
    r->in.req_valid = true;
    r->in.req_write = write;
    r->in.req_addr = addr;
    r->in.req_data = data;
    byw_csr_tick(&r->csr, &r->in);
    r->in.req_valid = false;
    byw_csr_eval(&r->csr, &r->out);
    assert_true(r->out.rsp_valid);
    byw_csr_tick(&r->csr, &r->in);
}

static uint32_t read_of(struct rig *r, uint32_t addr)
{
    access_of(r, false, addr, 0);
    assert_false(r->out.rsp_error);
    return r->out.rsp_data;
}

static const uint32_t settings[] = {
    BYW_CSR_POLICY,           BYW_CSR_PC_PRED,          BYW_CSR_TWO_LEVEL,
    BYW_CSR_TWO_LEVEL_WINDOW, BYW_CSR_TWO_LEVEL_PERIOD, BYW_CSR_TWO_LEVEL_BOUND,
};
static const uint32_t dueling[] = {
    BYW_CSR_DUEL, BYW_CSR_DUEL_INTERVAL, BYW_CSR_DUEL_MIN, BYW_CSR_DUEL_HOLD, BYW_CSR_DUEL_SETTLE,
};

/* Settings of the L1s change only while all L1s are idle, and then restart them for one cycle. */
static void settings_need_idle_caches(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        struct rig r = fresh(false);
        uint32_t was = read_of(&r, settings[i]);

        access_of(&r, true, settings[i], was ^ 1);
        assert_true(r.out.rsp_error);
        assert_false(r.out.restart);
        assert_int_equal(read_of(&r, settings[i]), was);
        r.in.idle = true;
        access_of(&r, true, settings[i], was ^ 1);
        assert_false(r.out.rsp_error);
        assert_true(r.out.restart);
        assert_false(r.out.duel_restart || r.out.kernel_start || r.out.reset);
        assert_int_equal(read_of(&r, settings[i]), was ^ 1);
        assert_false(r.out.restart);
    }
}

/* Registers of dueling can be written at any time, and each write restarts dueling. */
static void settings_of_dueling_restart_it(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof(dueling) / sizeof(dueling[0]); i++) {
        struct rig r = fresh(false);
        uint32_t was = read_of(&r, dueling[i]);

        access_of(&r, true, dueling[i], was ^ 2);
        assert_false(r.out.rsp_error);
        assert_true(r.out.duel_restart);
        assert_false(r.out.restart || r.out.kernel_start || r.out.reset);
        assert_int_equal(read_of(&r, dueling[i]), was ^ 2);
        assert_false(r.out.duel_restart);
    }
}

/* Each bit of COMMAND starts its own action, for one cycle. RESET is an error while an L1 is not
 * idle, and then the other bits of that write have no effect, either. */
static void commands_start_what_they_name(void **state)
{
    enum { KERNEL = 1, DUEL = 2, RESET = 4 };

    (void)state;
    for (uint32_t idle = 0; idle < 2; idle++)
        for (uint32_t bits = 0; bits < 8; bits++) {
            struct rig r = fresh(idle != 0);
            bool fails = (bits & RESET) != 0 && idle == 0;

            access_of(&r, true, BYW_CSR_COMMAND, bits);
            assert_int_equal(r.out.rsp_error, fails);
            assert_int_equal(r.out.kernel_start, (bits & KERNEL) != 0 && !fails);
            assert_int_equal(r.out.duel_restart, (bits & DUEL) != 0 && !fails);
            assert_int_equal(r.out.reset, (bits & RESET) != 0 && !fails);
            assert_int_equal(read_of(&r, BYW_CSR_COMMAND), 0);
            assert_false(r.out.kernel_start || r.out.duel_restart || r.out.reset);
        }
}

/* STATUS: bit 0 idle, bit 1 the followers filter, bits 5..2 votes. */
static void status_shows_the_cluster(void **state)
{
    (void)state;
    for (uint32_t value = 0; value < 64; value++) {
        struct rig r = fresh((value & 1) != 0);

        r.in.duel_on = (value & 2) != 0;
        r.in.duel_votes = (uint8_t)(value >> 2);
        assert_int_equal(read_of(&r, BYW_CSR_STATUS), value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_need_idle_caches),
        cmocka_unit_test(settings_of_dueling_restart_it),
        cmocka_unit_test(commands_start_what_they_name),
        cmocka_unit_test(status_shows_the_cluster),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
