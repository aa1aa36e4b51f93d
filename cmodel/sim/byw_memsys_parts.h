/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_memsys_parts.h - what the memory system is made of; for its own files and tests only.
 */
#ifndef BYW_MEMSYS_PARTS_H
#define BYW_MEMSYS_PARTS_H

#include "sim/byw_clock.h"
#include "sim/byw_dram_port.h"
#include "sim/byw_icnt.h"

enum { BYW_MEMSYS_LINE_MAX = 256 }; /* bytes; the widest L2 line */

struct byw_memsys {
    struct byw_config config;
    struct byw_addrmap map;
    struct byw_clock clock;
    struct byw_packet_pool pool;
    uint32_t sm_packets; /* packets in use from which SMs must wait */
    struct byw_icnt request, reply;
    struct byw_l2 *slice;
    struct byw_dram_port *channel;
    struct byw_bits slice_runs; /* slices with work now or at a known time */
    struct byw_bits slice_answers; /* slices with packets for the reply crossbar */
    struct byw_bits channel_runs; /* channels with packets */
    uint64_t cycle, l2_now, dram_now; /* edges so far, by domain */
    uint32_t phase; /* cycle modulo the clocks' period */
    uint32_t flits[BYW_MEMSYS_LINE_MAX + 1]; /* of a packet, by bytes of data */
    struct byw_mem_stats stats;
};

/* DRAM rows that are open now, over all channels. */
uint64_t byw_memsys_open_rows(const struct byw_memsys *memsys);

#endif
