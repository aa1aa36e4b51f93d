/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_memside.h"

#include <inttypes.h>
#include <stdio.h>

/* One law: two sums that must be equal. */
struct law {
    const char *left_name, *right_name;
    uint64_t left, right;
};

static enum byw_status check_laws(const char *where, const struct law *law, size_t count,
                                  struct byw_diag *diag)
{
    for (size_t i = 0; i < count; i++)
        if (law[i].left != law[i].right)
            return byw_diag_set(diag, BYW_ECHECK, "%s: %s is %" PRIu64 ", expected %s, %" PRIu64,
                                where, law[i].left_name, law[i].left, law[i].right_name,
                                law[i].right);
    return BYW_OK;
}

#define CHECK_LAWS(where, laws, diag)                                                              \
    check_laws(where, laws, sizeof(laws) / sizeof((laws)[0]), diag)

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

static enum byw_status check_level(const char *name, const struct byw_level_stats *s, bool at_rest,
                                   struct byw_diag *diag)
{
    uint64_t accesses = s->reads + s->writes + s->atomics + s->insts;
    const struct law always[] = {
        {"hits + pending + misses", "accesses", s->hits + s->pending + s->misses, accesses},
        {"misses", "those that fetch + those that need not", s->misses, s->fetched + s->unfetched},
        {"write hits + write misses", "writes", s->write_hits + s->write_misses, s->writes},
        {"fail cycles", "their sum over reasons", s->fail_cycles,
         s->fail_line + s->fail_queue + s->fail_mshr + s->fail_merge + s->fail_rinse},
    };
    const struct law resting[] = {
        {"accesses", "requests from above and their further parts", accesses,
         s->requests + s->parts},
    };
    enum byw_status status = CHECK_LAWS(name, always, diag);

    return (status == BYW_OK && at_rest) ? CHECK_LAWS(name, resting, diag) : status;
}

/* The requests that a level has sent to the one below. */
static uint64_t sent_down(const struct byw_level_stats *s)
{
    return s->fetched + s->sent_on + s->writebacks;
}

/* Every level received what the level above sent, and DRAM performed what the lowest level
 * requested. */
static enum byw_status check_rest(const struct byw_memsys *memsys, struct byw_diag *diag)
{
    const struct byw_mem_stats *s = &memsys->stats;
    const struct byw_level_stats *lowest = memsys->l3 != NULL ? &s->l3 : &s->l2;
    const struct byw_l2 *slice = memsys->l3 != NULL ? memsys->l3 : memsys->slice;
    const struct law laws[] = {
        {"requests at the first level", "requests pushed",
         memsys->gl1 != NULL ? s->gl1.requests : s->l2.requests, s->requests},
        {"requests at the L2", "those of the level above", s->l2.requests,
         memsys->gl1 != NULL ? sent_down(&s->gl1) : s->requests},
        {"requests at the L3", "those of the L2", s->l3.requests,
         memsys->l3 != NULL ? sent_down(&s->l2) : 0},
        {"DRAM read atoms", "those of fetched sectors", s->dram_reads,
         lowest->fetched * slice->sector_atoms},
        {"DRAM write atoms", "those of write-backs and missed writes", s->dram_writes,
         lowest->writeback_atoms + lowest->write_atoms},
        {"DRAM bus cycles", "those of all atoms", s->dram_busy,
         (s->dram_reads + s->dram_writes) * memsys->config.dram_burst},
    };

    return CHECK_LAWS("memory system", laws, diag);
}

/* DRAM rows that are open now, over all channels. */
static uint64_t open_rows(const struct byw_memsys *memsys)
{
    uint64_t open = 0;

    for (uint32_t c = 0; c < memsys->config.dram_channels; c++)
        for (uint32_t b = 0; b < memsys->config.dram_banks; b++)
            open += memsys->channel[c].dram.bank[b].open;
    return open;
}

enum byw_status byw_memsys_check(const struct byw_memsys *memsys, struct byw_diag *diag)
{
    const struct byw_mem_stats *s = &memsys->stats;
    bool at_rest = byw_memsys_empty(memsys);
    const struct law always[] = {
        {"replies + posted writes + requests inside", "requests pushed",
         s->replies + s->posted + unanswered(memsys), s->requests},
        {"activates", "precharges + open rows", s->dram_activates,
         s->dram_precharges + open_rows(memsys)},
    };
    enum byw_status status = CHECK_LAWS("memory system", always, diag);

    if (status == BYW_OK)
        status = check_level("GL1", &s->gl1, at_rest, diag);
    if (status == BYW_OK)
        status = check_level("L2", &s->l2, at_rest, diag);
    if (status == BYW_OK)
        status = check_level("L3", &s->l3, at_rest, diag);
    return (status == BYW_OK && at_rest) ? check_rest(memsys, diag) : status;
}

static const char *const place_name[] = {
#define X(code, words) [code] = words,
    BYW_PLACE_LIST(X)
#undef X
};

/* The places where a packet has been, oldest first. */
static void say_path(const struct byw_packet *packet, char *text, size_t room)
{
    size_t used = 0;

    text[0] = '\0';
    for (int shift = 55; shift >= 0; shift -= 5) {
        uint32_t place = packet->path >> shift & 31;

        if (place != BYW_AT_FREE && used < room)
            used += (size_t)snprintf(text + used, room - used, "%s%s",
                                     used == 0 ? ", after " : ", then ", place_name[place]);
    }
}

void byw_memsys_describe(const struct byw_memsys *memsys, char *text, size_t room)
{
    static const char *const kind[] = {"read", "write", "atomic", "instruction fetch",
                                       "write-back"};
    const struct byw_packet *oldest = NULL;
    char path[400];

    for (uint32_t i = 0; i < memsys->pool.touched; i++) {
        const struct byw_packet *packet = &memsys->pool.packet[i];

        if (packet->place != BYW_AT_FREE && (oldest == NULL || packet->born < oldest->born))
            oldest = packet;
    }
    if (oldest == NULL) {
        snprintf(text, room, "the memory system is empty");
        return;
    }
    say_path(oldest, path, sizeof(path));
    snprintf(text, room,
             "the oldest of %" PRIu32 " requests below the L1s is a %s of %u bytes at 0x%" PRIx64
             " from SM %u, %" PRIu64 " cycles old, for %" PRIu64 " cycles in %s, slice %u%s",
             memsys->pool.in_use, kind[oldest->txn.kind], (unsigned)oldest->txn.bytes,
             oldest->txn.addr, (unsigned)oldest->txn.sm, memsys->cycle - oldest->born,
             memsys->cycle - oldest->entered, place_name[oldest->place], (unsigned)oldest->slice,
             path);
}
