/* SPDX-License-Identifier: Apache-2.0
 *
 * Which events drop the dirty bytes of a line and which write them back: requests, kernel start,
 * reset, and register writes (rtl/doc/l1d.md).
 */
#include "l1d/contract_rig.h"
#include "top/byw_cluster.h"
#include "top/byw_csr_map.h"

/* Applies one event to a line with dirty bytes; a flush then shows whether the line is still
 * dirty. */
static void each_event_drops_or_writes_back_dirty_bytes(void **state)
{
    static const struct {
        const char *what;
        uint8_t op, hint;
        bool kernel_start, reset;
        uint32_t written, left_dirty; /* write-backs by the event, and by the flush after it */
    } row[] = {
        {"nothing", BYW_OP_LOAD, BYW_HINT_NONE, false, false, 0, 1},
        {"invalidate", BYW_OP_INVALIDATE, BYW_HINT_NONE, false, false, 0, 0},
        {"kernel start", BYW_OP_LOAD, BYW_HINT_NONE, true, false, 0, 0},
        {"reset", BYW_OP_LOAD, BYW_HINT_NONE, false, true, 0, 0},
        {"flush", BYW_OP_FLUSH, BYW_HINT_NONE, false, false, 1, 0},
        {"store, write-evict", BYW_OP_STORE, BYW_HINT_NONE, false, false, 1, 0},
        {"atomic", BYW_OP_ATOMIC, BYW_HINT_NONE, false, false, 1, 0},
        {"volatile load", BYW_OP_LOAD, BYW_HINT_VOLATILE, false, false, 1, 0},
        {"local store", BYW_OP_LOCAL_STORE, BYW_HINT_NONE, false, false, 0, 1},
    };
    struct byw_byte_mask all = host_mask(0, HOST_WHOLE);
    uint32_t sent[4];
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct host *h = make(row[i].what, BYW_STORE_EVICT);
        struct byw_l1d_in reset = {.rst = true};

        host_do(h, BYW_OP_LOCAL_LOAD, 1, BYW_HINT_NONE);
        do_bytes(h, BYW_OP_LOCAL_STORE, BYW_HINT_NONE, &all, sent);
        sent[BYW_MEM_WRITEBACK] = 0;
        if (row[i].reset) {
            byw_l1d_tick(h->l1d, &reset);
        } else if (row[i].kernel_start) {
            h->kernel_start = true;
            host_cycle(h, NULL);
        } else {
            do_bytes(h, row[i].op, row[i].hint, &all, sent);
        }
        if (sent[BYW_MEM_WRITEBACK] != row[i].written)
            host_fail(h, row[i].what);
        do_bytes(h, BYW_OP_FLUSH, BYW_HINT_NONE, &all, sent);
        if (sent[BYW_MEM_WRITEBACK] != row[i].left_dirty)
            host_fail(h, row[i].what);
        host_free(h);
    }
}

/* One cycle of a cluster of one SM with its bus. */
static void bus_cycle(struct byw_cluster *cluster, const struct byw_cluster_bus_in *bus,
                      const struct byw_l1d_in *in, struct byw_l1d_out *out)
{
    struct byw_cluster_bus_out bus_out;
    struct byw_diag diag;

    assert_int_equal(byw_cluster_bus(cluster, bus, &bus_out, &diag), BYW_OK);
    byw_cluster_sm(cluster, 0, in, out);
    byw_cluster_tick(cluster);
}

/* Sends requests to line 1 of a cluster one after the other; returns the writes that left. */
static uint32_t cluster_do(struct byw_cluster *cluster, uint8_t op)
{
    static const struct byw_cluster_bus_in no_bus = {.rsp_ready = true};
    uint8_t data[HOST_WHOLE] = {1};
    struct byw_l1d_in in = {.req_valid = true, .rsp_ready = true, .mem_req_ready = true};
    struct byw_l1d_out out;
    uint32_t n, writes = 0;

    in.req = (struct byw_req){.op = op, .line = 1, .bytes = host_mask(0, HOST_WHOLE), .data = data};
    for (n = 0; n < 400; n++) {
        bus_cycle(cluster, &no_bus, &in, &out);
        in.req_valid = false;
        in.mem_rsp_valid = out.mem_req_valid && out.mem_req.kind != BYW_MEM_WRITEBACK;
        in.mem_rsp =
            (struct byw_mem_rsp){.data = data, .id = out.mem_req.id, .kind = out.mem_req.kind};
        writes += out.mem_req_valid && out.mem_req.write;
    }
    return writes;
}

/* A write to POLICY, PC_PRED or TWO_LEVEL* and COMMAND.KERNEL_START drop dirty lines; one to DUEL
 * or KERNEL_PC does not. */
static void new_settings_drop_dirty_bytes(void **state)
{
    static const struct {
        uint32_t addr, data, left_dirty;
    } row[] = {
        {BYW_CSR_POLICY, BYW_CSR_POLICY_RESET, 0},
        {BYW_CSR_PC_PRED, BYW_CSR_PC_PRED_RESET, 0},
        {BYW_CSR_TWO_LEVEL, BYW_CSR_TWO_LEVEL_RESET, 0},
        {BYW_CSR_TWO_LEVEL_WINDOW, BYW_CSR_TWO_LEVEL_WINDOW_RESET, 0},
        {BYW_CSR_COMMAND, 1U << BYW_CSR_COMMAND_KERNEL_START_LSB, 0},
        {BYW_CSR_COMMAND, 1U << BYW_CSR_COMMAND_RESET_LSB, 0},
        {BYW_CSR_COMMAND, 1U << BYW_CSR_COMMAND_DUEL_RESTART_LSB, 1},
        {BYW_CSR_DUEL, BYW_CSR_DUEL_RESET, 1},
        {BYW_CSR_KERNEL_PC, 7, 1},
    };
    struct byw_config c;
    struct byw_diag diag;
    size_t i;

    (void)state;
    byw_config_defaults(&c);
    c.sm_count = 1;
    for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct byw_cluster_bus_in write = {.req_valid = true, .req_write = true, .rsp_ready = true};
        struct byw_l1d_in none = {.rsp_ready = true, .mem_req_ready = true};
        struct byw_cluster *cluster;
        struct byw_l1d_out out;
        uint32_t n;

        assert_int_equal(byw_cluster_create(&c, true, &cluster, &diag), BYW_OK);
        cluster_do(cluster, BYW_OP_LOCAL_LOAD);
        assert_int_equal(cluster_do(cluster, BYW_OP_LOCAL_STORE), 0);
        write.req_addr = row[i].addr;
        write.req_data = row[i].data;
        for (n = 0; n < 8; n++) {
            bus_cycle(cluster, &write, &none, &out);
            write.req_valid = false;
        }
        if (cluster_do(cluster, BYW_OP_FLUSH) != row[i].left_dirty)
            fail_msg("register %#x: the dirty line is %s", row[i].addr,
                     row[i].left_dirty ? "gone" : "still there");
        byw_cluster_free(cluster);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_event_drops_or_writes_back_dirty_bytes),
        cmocka_unit_test(new_settings_drop_dirty_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
