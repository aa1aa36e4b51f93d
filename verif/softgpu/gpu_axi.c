/* SPDX-License-Identifier: Apache-2.0 */
#include "softgpu/gpu_axi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PORTS(X)                                                                                   \
    X(AWVALID, "axi_awvalid_o")                                                                    \
    X(AWREADY, "axi_awready_i")                                                                    \
    X(AWID, "axi_awid_o")                                                                          \
    X(AWADDR, "axi_awaddr_o")                                                                      \
    X(AWLEN, "axi_awlen_o")                                                                        \
    X(AWSIZE, "axi_awsize_o")                                                                      \
    X(WVALID, "axi_wvalid_o")                                                                      \
    X(WREADY, "axi_wready_i")                                                                      \
    X(WDATA, "axi_wdata_o")                                                                        \
    X(WSTRB, "axi_wstrb_o")                                                                        \
    X(WLAST, "axi_wlast_o")                                                                        \
    X(BVALID, "axi_bvalid_i")                                                                      \
    X(BREADY, "axi_bready_o")                                                                      \
    X(BID, "axi_bid_i")                                                                            \
    X(BRESP, "axi_bresp_i")                                                                        \
    X(ARVALID, "axi_arvalid_o")                                                                    \
    X(ARREADY, "axi_arready_i")                                                                    \
    X(ARID, "axi_arid_o")                                                                          \
    X(ARADDR, "axi_araddr_o")                                                                      \
    X(ARLEN, "axi_arlen_o")                                                                        \
    X(ARSIZE, "axi_arsize_o")                                                                      \
    X(RVALID, "axi_rvalid_i")                                                                      \
    X(RREADY, "axi_rready_o")                                                                      \
    X(RID, "axi_rid_i")                                                                            \
    X(RDATA, "axi_rdata_i")                                                                        \
    X(RRESP, "axi_rresp_i")                                                                        \
    X(RLAST, "axi_rlast_i")

enum {
#define X(code, name) code,
    PORTS(X)
#undef X
        PORT_COUNT
};
_Static_assert((int)PORT_COUNT <= (int)GPU_AXI_PORTS, "room for the ports");

static void put(struct gpu_axi *axi, int port, uint64_t value)
{
    dut_put(axi->dut, axi->port[port], value);
}

static uint64_t get(const struct gpu_axi *axi, int port)
{
    return dut_get(axi->dut, axi->port[port]);
}

static bool moves(const struct gpu_axi *axi, int valid, int ready)
{
    return get(axi, valid) != 0 && get(axi, ready) != 0;
}

static void need(bool kept, const char *rule)
{
    if (kept)
        return;
    printf("# AXI4: %s\n", rule);
    exit(1);
}

void gpu_axi_init(struct gpu_axi *axi, struct dut *dut, struct gpu_memory *memory,
                  uint32_t data_bytes)
{
    static const char *const name[] = {
#define X(code, port) port,
        PORTS(X)
#undef X
    };
    uint32_t i;

    *axi = (struct gpu_axi){.dut = dut, .memory = memory, .data_bytes = data_bytes, .ready = 70};
    for (i = 0; i < PORT_COUNT; i++) {
        axi->port[i] = dut_port(dut, name[i]);
        if (name[i][strlen(name[i]) - 1] == 'i')
            put(axi, (int)i, 0);
    }
}

void gpu_axi_drive(struct gpu_axi *axi)
{
    const struct byw_mem_rsp *rsp = gpu_memory_offer(axi->memory);
    bool room = axi->memory->count + 1 < GPU_MEMORY_WAITING;
    bool write = rsp != NULL && axi->id[rsp->id].write;

    put(axi, ARREADY, room && byw_rng_below(axi->memory->rng, 100) < axi->ready);
    put(axi, AWREADY, !axi->have_aw && room && byw_rng_below(axi->memory->rng, 100) < axi->ready);
    put(axi, WREADY, !axi->have_w && byw_rng_below(axi->memory->rng, 100) < axi->ready);
    put(axi, BVALID, write);
    put(axi, RVALID, rsp != NULL && !write);
    if (rsp == NULL)
        return;
    put(axi, BID, rsp->id);
    put(axi, RID, rsp->id);
    put(axi, BRESP, rsp->error ? 2 : 0);
    put(axi, RRESP, rsp->error ? 2 : 0);
    put(axi, RLAST, axi->r_beat + 1 == axi->id[rsp->id].count);
    if (!write)
        dut_put_bytes(axi->dut, axi->port[RDATA],
                      rsp->data + (axi->id[rsp->id].first + axi->r_beat) * axi->data_bytes,
                      axi->data_bytes);
}

/* The burst of an address channel, converted to lines; its data stays NULL. */
static struct byw_mem_req burst(struct gpu_axi *axi, uint32_t id, uint64_t addr, uint32_t len,
                                uint32_t size, bool write)
{
    uint32_t line = axi->memory->line_bytes, first = (uint32_t)(addr % line) / axi->data_bytes;

    need(!axi->id[id].busy, "two bursts of one id");
    need(1U << size == axi->data_bytes && addr % axi->data_bytes == 0, "beats of another size");
    need(first + len + 1 <= line / axi->data_bytes, "a burst leaves its line");
    axi->id[id].busy = true;
    axi->id[id].write = write;
    axi->id[id].first = first;
    axi->id[id].count = len + 1;
    return (struct byw_mem_req){.line = addr / line,
                                .id = id,
                                .kind = write ? BYW_MEM_STORE : BYW_MEM_FILL,
                                .write = write};
}

static void beat(struct gpu_axi *axi)
{
    need(axi->beats < axi->memory->line_bytes / axi->data_bytes, "more beats than a line has");
    dut_get_bytes(axi->dut, axi->port[WDATA], axi->beat_data + axi->beats * axi->data_bytes,
                  axi->data_bytes);
    axi->strobes[axi->beats++] = (uint32_t)get(axi, WSTRB);
    axi->have_w = get(axi, WLAST) != 0;
}

/* A write has its address and all its beats: performs it. */
static void whole_write(struct gpu_axi *axi)
{
    uint32_t i, first = axi->id[axi->aw_id].first * axi->data_bytes;

    need(axi->beats == axi->id[axi->aw_id].count, "another number of beats than the address said");
    memcpy(axi->write_data + first, axi->beat_data, axi->beats * axi->data_bytes);
    for (i = 0; i < axi->beats * axi->data_bytes; i++)
        if ((axi->strobes[i / axi->data_bytes] >> i % axi->data_bytes & 1) != 0)
            axi->write.bytes.w[(first + i) / 64] |= UINT64_C(1) << (first + i) % 64;
    axi->write.data = axi->write_data;
    gpu_memory_take(axi->memory, &axi->write);
    axi->have_aw = axi->have_w = false;
    axi->beats = 0;
}

void gpu_axi_look(struct gpu_axi *axi)
{
    uint32_t id = axi->memory->rsp.id;

    if (moves(axi, BVALID, BREADY) ||
        (moves(axi, RVALID, RREADY) && ++axi->r_beat == axi->id[id].count)) {
        axi->r_beat = 0;
        axi->id[id].busy = false;
        gpu_memory_taken(axi->memory);
    }
    if (moves(axi, ARVALID, ARREADY)) {
        struct byw_mem_req req =
            burst(axi, (uint32_t)get(axi, ARID), get(axi, ARADDR), (uint32_t)get(axi, ARLEN),
                  (uint32_t)get(axi, ARSIZE), false);

        gpu_memory_take(axi->memory, &req);
    }
    if (moves(axi, AWVALID, AWREADY)) {
        axi->aw_id = (uint32_t)get(axi, AWID);
        axi->write = burst(axi, axi->aw_id, get(axi, AWADDR), (uint32_t)get(axi, AWLEN),
                           (uint32_t)get(axi, AWSIZE), true);
        axi->have_aw = true;
    }
    if (moves(axi, WVALID, WREADY))
        beat(axi);
    if (axi->have_aw && axi->have_w)
        whole_write(axi);
}
