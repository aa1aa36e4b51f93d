/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/byw_memsys_parts.h"

#include <inttypes.h>
#include <stdio.h>

/* One law: two sums that must be equal. */
struct law {
    const char *left_name, *right_name;
    uint64_t left, right;
};

static enum byw_status check_laws(const struct law *law, size_t count, struct byw_diag *diag)
{
    for (size_t i = 0; i < count; i++)
        if (law[i].left != law[i].right)
            return byw_diag_set(diag, BYW_ECHECK,
                                "memory system: %s is %" PRIu64 ", expected %s, %" PRIu64,
                                law[i].left_name, law[i].left, law[i].right_name, law[i].right);
    return BYW_OK;
}

/* SM requests inside that have not been put on the reply crossbar. */
static uint64_t unanswered(const struct byw_memsys *memsys)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < memsys->pool.touched; i++) {
        const struct byw_packet *packet = &memsys->pool.packet[i];

        count += packet->place != BYW_AT_FREE && packet->place != BYW_AT_RSP_IN &&
                 packet->place != BYW_AT_RSP_OUT && packet->origin == BYW_ORIGIN_SM;
    }
    return count;
}

enum byw_status byw_memsys_check(const struct byw_memsys *memsys, struct byw_diag *diag)
{
    const struct byw_mem_stats *s = &memsys->stats;
    uint64_t line_atoms = memsys->config.l2_line / memsys->config.dram_atom;
    uint64_t accepted = s->l2_reads + s->l2_writes + s->l2_atomics + s->l2_insts;
    const struct law always[] = {
        {"hits + pending + misses", "accepted L2 accesses",
         s->l2_hits + s->l2_pending + s->l2_misses, accepted},
        {"write hits + write misses", "accepted writes", s->l2_write_hits + s->l2_write_misses,
         s->l2_writes},
        {"L2 fail cycles", "their sum over reasons", s->l2_fail_cycles,
         s->l2_fail_line + s->l2_fail_queue + s->l2_fail_mshr + s->l2_fail_merge},
        {"replies + posted writes + requests inside", "requests pushed",
         s->replies + s->posted + unanswered(memsys), s->requests},
        {"activates", "precharges + open rows", s->dram_activates,
         s->dram_precharges + byw_memsys_open_rows(memsys)},
    };
    const struct law at_rest[] = {
        {"accepted L2 accesses", "requests pushed", accepted, s->requests},
        {"DRAM read atoms", "those of fetched lines", s->dram_reads, s->l2_misses * line_atoms},
        {"DRAM write atoms", "those of write-backs and missed writes", s->dram_writes,
         s->l2_writebacks * line_atoms + s->l2_write_atoms},
        {"DRAM bus cycles", "those of all atoms", s->dram_busy,
         (s->dram_reads + s->dram_writes) * memsys->config.dram_burst},
    };
    enum byw_status status = check_laws(always, sizeof(always) / sizeof(always[0]), diag);

    if (status == BYW_OK && byw_memsys_empty(memsys))
        status = check_laws(at_rest, sizeof(at_rest) / sizeof(at_rest[0]), diag);
    return status;
}

uint64_t byw_memsys_open_rows(const struct byw_memsys *memsys)
{
    uint64_t open = 0;

    for (uint32_t c = 0; c < memsys->config.dram_channels; c++)
        for (uint32_t b = 0; b < memsys->config.dram_banks; b++)
            open += memsys->channel[c].dram.bank[b].open;
    return open;
}

void byw_memsys_describe(const struct byw_memsys *memsys, char *text, size_t room)
{
    static const char *const place[] = {
#define X(code, words) [code] = words,
        BYW_PLACE_LIST(X)
#undef X
    };
    static const char *const kind[] = {"read", "write", "atomic", "instruction fetch",
                                       "write-back"};
    const struct byw_packet *oldest = NULL;

    for (uint32_t i = 0; i < memsys->pool.touched; i++) {
        const struct byw_packet *packet = &memsys->pool.packet[i];

        if (packet->place != BYW_AT_FREE && (oldest == NULL || packet->born < oldest->born))
            oldest = packet;
    }
    if (oldest == NULL) {
        snprintf(text, room, "the memory system is empty");
        return;
    }
    snprintf(text, room,
             "the oldest of %" PRIu32 " requests below the L1s is a %s of %u bytes at 0x%" PRIx64
             " from SM %u, %" PRIu64 " cycles old, in %s, slice %u",
             memsys->pool.in_use, kind[oldest->txn.kind], (unsigned)oldest->txn.bytes,
             oldest->txn.addr, (unsigned)oldest->txn.sm, memsys->cycle - oldest->born,
             place[oldest->place], (unsigned)oldest->slice);
}
