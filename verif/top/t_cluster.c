/* SPDX-License-Identifier: Apache-2.0
 *
 * The cluster: its counters are those of its L1s; caches other than the C model refuse mechanisms
 * without hardware. Sleep is in t_cluster_sleep.c, dueling in t_cluster_duel.c.
 */
#include "l1d/byw_l1d_ops.h"
#include "top/byw_csr.h"
#include "top/cluster_rig.h"

static void cluster_counters_equal_those_of_its_l1s(void **state)
{
    struct byw_config c;
    struct rig *rig;
    uint32_t sm, e;

    (void)state;
    byw_config_defaults(&c);
    c.sm_count = SMS;
    c.policy_mode = BYW_MODE_DECOUPLED;
    c.l1d_mshrs = 2;
    rig = rig_new(&c, false, 9);
    rig_run(rig, 30000);
    for (sm = 0; sm < SMS; sm++) {
        const struct byw_l1_stats *stats = byw_cluster_stats(rig->cluster, sm);
        uint64_t fails = 0;

        host_check_counts(rig->host[sm]);
        for (e = 0; e < BYW_EV_COUNT; e++)
            assert_true(stats->ev[e] == rig->host[sm]->ev[e]);
        for (e = BYW_EV_FAIL_LINE; e <= BYW_EV_FAIL_ICNT; e++)
            fails += stats->ev[e];
        assert_true(stats->stall_cycles == fails && fails != 0);
        assert_true(stats->ev[BYW_EV_NEW_TAG] + stats->ev[BYW_EV_CANDIDATE] <=
                    stats->ev[BYW_EV_BYPASS]);
    }
    rig_free(rig);
}

/* Caches other than the C model (they have no counters for mechanisms in C) refuse a mechanism
 * without hardware, by name. */
static void other_implementations_reject_mechanisms_without_hardware(void **state)
{
    static const char *const of_c[][3] = {
        {"policy.use", "pdp", "mechanism pdp"},
        {"policy.use", "profiled", "mechanism profiled"},
        {"policy.use", "apcm_like", "mechanism apcm_like"},
        {"policy.use", "pemp_like", "mechanism pemp_like"},
        {"policy.use", "carb_like", "mechanism carb_like"},
        {"l1d.replacement", "brrip", "replacement brrip"},
        {"l1d.replacement", "drrip", "replacement drrip"},
        {"l1d.replacement", "ship", "replacement ship"},
        {"l1d.atomic_keeps", "on", "l1d.atomic_keeps = on"},
        {"l1d.stale_fills", "on", "l1d.stale_fills = on"},
    };
    struct byw_l1d_ops other = byw_l1d_model;

    (void)state;
    other.counters = NULL;
    other.mech_state = NULL;
    for (size_t i = 0; i < sizeof(of_c) / sizeof(of_c[0]); i++) {
        struct byw_cluster *cluster = NULL;
        struct byw_diag diag = {""};
        struct byw_config c;

        byw_config_defaults(&c);
        assert_int_equal(byw_config_set(&c, of_c[i][0], of_c[i][1], "", NULL), BYW_OK);
        assert_int_equal(byw_cluster_create_on(&c, &other, false, &cluster, &diag),
                         BYW_EUNSUPPORTED);
        assert_non_null(strstr(diag.text, of_c[i][2]));
        assert_int_equal(byw_cluster_create(&c, false, &cluster, &diag), BYW_OK);
        byw_cluster_free(cluster);
    }
}

/* A cycle of all SMs without requests, in which the bus may write a register (address 0: none). */
static void quiet_cycle(struct rig *rig, uint32_t address, uint32_t value)
{
    struct byw_cluster_bus_in bus = {.req_valid = address != 0,
                                     .req_write = true,
                                     .rsp_ready = true,
                                     .req_addr = (uint16_t)address,
                                     .req_data = value};
    struct byw_cluster_bus_out out;
    struct byw_diag diag;

    assert_int_equal(byw_cluster_bus(rig->cluster, &bus, &out, &diag), BYW_OK);
    for (uint32_t sm = 0; sm < SMS; sm++) {
        rig->host[sm]->cycle = rig->cycle;
        host_cycle(rig->host[sm], NULL);
    }
    byw_cluster_tick(rig->cluster);
    rig->cycle++;
}

/* Starts the kernel at `pc` over the bus and places a CTA of it if `cta`. Returns how often SM 0
 * knew a kernel until then. */
static uint64_t known_after(struct rig *rig, uint32_t pc, bool cta)
{
    quiet_cycle(rig, BYW_CSR_KERNEL_PC, pc);
    quiet_cycle(rig, 0, 0);
    quiet_cycle(rig, BYW_CSR_COMMAND, 1);
    for (uint32_t i = 0; i < 1000; i++) {
        rig->host[0]->cta_placed = cta && i == 100;
        quiet_cycle(rig, 0, 0);
    }
    return byw_cluster_stats(rig->cluster, 0)->policy[BYW_PEV_TL_KNOWN];
}

/* COMMAND.KERNEL_START starts the kernel of KERNEL_PC: the two-level bypass knows it again by that
 * PC, and no other. */
static void command_starts_the_kernel_of_its_register(void **state)
{
    struct byw_config c;
    struct rig *rig;

    (void)state;
    byw_config_defaults(&c);
    c.sm_count = SMS;
    c.tl_on = 1;
    c.tl_sample = 300;
    rig = rig_new(&c, false, 1);
    assert_int_equal(known_after(rig, 0x100, true), 0); /* its window ends with a decision */
    assert_int_equal(known_after(rig, 0x200, false), 0);
    assert_int_equal(known_after(rig, 0x100, false), 1);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_implementations_reject_mechanisms_without_hardware),
        cmocka_unit_test(cluster_counters_equal_those_of_its_l1s),
        cmocka_unit_test(command_starts_the_kernel_of_its_register),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
