/* SPDX-License-Identifier: Apache-2.0
 *
 * When the cluster's registers report idle: every L1 of every SM, and nothing else
 * (rtl/doc/cluster.md, csr.md).
 */
#include "top/byw_csr.h"
#include "top/cluster_rig.h"

/* One cycle of the cluster with a request on the bus; at most one. */
struct bus_use {
    bool used, write;
    uint32_t addr, data;
};

/* One cycle in which only SM `sm` may offer a request; false until it is accepted. */
static bool cycle(struct rig *rig, uint32_t busy, const struct byw_req *req,
                  const struct bus_use *use, struct byw_cluster_bus_out *out)
{
    struct byw_cluster_bus_in bus = {.rsp_ready = true};
    struct byw_diag diag;
    bool accepted = false;
    uint32_t sm;

    if (use != NULL) {
        bus.req_valid = use->used;
        bus.req_write = use->write;
        bus.req_addr = use->addr;
        bus.req_data = use->data;
    }
    assert_int_equal(byw_cluster_bus(rig->cluster, &bus, out, &diag), BYW_OK);
    for (sm = 0; sm < SMS; sm++) {
        rig->host[sm]->cycle = rig->cycle;
        if (host_cycle(rig->host[sm], sm == busy ? req : NULL))
            accepted = true;
    }
    byw_cluster_tick(rig->cluster);
    rig->cycle++;
    return accepted;
}

/* One access over the bus; returns the data, *error the error flag. */
static uint32_t access_bus(struct rig *rig, bool write, uint32_t addr, uint32_t data, bool *error)
{
    struct bus_use use = {.used = true, .write = write, .addr = addr, .data = data};
    struct byw_cluster_bus_out out;
    uint32_t i;

    do
        cycle(rig, SMS, NULL, &use, &out);
    while (!out.req_ready);
    for (i = 0; i < 20; i++) {
        cycle(rig, SMS, NULL, NULL, &out);
        if (out.rsp_valid) {
            *error = out.rsp_error;
            return out.rsp_data;
        }
    }
    fail_msg("the bus gives no answer");
    return 0;
}

/* While a load of any one SM is in flight, STATUS.IDLE is 0, a setting cannot be written and RESET
 * is refused; without one all three are possible. */
static void one_busy_sm_of_any_number_makes_the_cluster_busy(void **state)
{
    struct byw_config c;
    uint32_t busy; /* SMS: none */

    (void)state;
    byw_config_defaults(&c);
    c.sm_count = SMS;
    for (busy = 0; busy <= SMS; busy++) {
        struct rig *rig = rig_new(&c, false, 1);
        struct byw_cluster_bus_out out;
        struct byw_req req = {.line = 5, .bytes = host_mask(0, 4)};
        uint32_t sm, policy, status;
        bool error;

        for (sm = 0; sm < SMS; sm++)
            rig->host[sm]->latency = 2000;
        policy = access_bus(rig, false, BYW_CSR_POLICY, 0, &error);
        if (busy < SMS) {
            req.id = host_free_id(rig->host[busy]);
            while (!cycle(rig, busy, &req, NULL, &out))
                ;
        }
        status = access_bus(rig, false, BYW_CSR_STATUS, 0, &error);
        assert_int_equal(status >> BYW_CSR_STATUS_IDLE_LSB & 1, busy == SMS);
        access_bus(rig, true, BYW_CSR_POLICY, policy ^ 1, &error);
        assert_int_equal(error, busy < SMS);
        assert_int_equal(access_bus(rig, false, BYW_CSR_POLICY, 0, &error),
                         busy < SMS ? policy : policy ^ 1);
        access_bus(rig, true, BYW_CSR_COMMAND, 1u << 2, &error); /* RESET */
        assert_int_equal(error, busy < SMS);
        rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_busy_sm_of_any_number_makes_the_cluster_busy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
