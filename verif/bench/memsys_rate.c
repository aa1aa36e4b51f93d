/* SPDX-License-Identifier: Apache-2.0
 *
 * memsys_rate.c - simulated core cycles per second of the memory system alone, by kind of load.
 *
 * Usage: memsys_rate [CYCLES]   (default 1000000 for each load, the default machine)
 * Every SM keeps up to 32 requests of 128 bytes in flight, one in eight a write.  Times are
 * processor time of this process.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/memory/byw_memsys.h"

enum { IN_FLIGHT = 32 };

static const struct load {
    const char *name;
    uint32_t lines; /* footprint; 0: nothing is sent */
    bool stream; /* ascending addresses, else random */
} loads[] = {
    {"idle", 0, false},
    {"L2 hits", 4096, false},
    {"DRAM, random", 1U << 20, false},
    {"DRAM, streams", 1U << 22, true},
};

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One SM's cycle: takes a reply, sends a request. */
static void sm_cycle(struct byw_memsys *memsys, const struct load *load, uint32_t sm,
                     uint32_t *in_flight, uint64_t *x, uint64_t *next)
{
    struct byw_txn txn = {.bytes = 128, .sm = (uint16_t)sm};

    if (byw_memsys_reply(memsys, sm) != NULL) {
        byw_memsys_pop(memsys, sm);
        in_flight[sm]--;
    }
    if (in_flight[sm] == IN_FLIGHT || !byw_memsys_ready(memsys, sm))
        return;
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    txn.addr = ((load->stream ? (*next)++ : *x >> 16) % load->lines) * 128;
    txn.kind = (*x % 8 == 0) ? BYW_TXN_WRITE : BYW_TXN_READ;
    byw_memsys_push(memsys, &txn);
    in_flight[sm]++;
}

static int run(const struct byw_config *config, const struct load *load, uint64_t cycles)
{
    struct byw_diag diag = {""};
    struct byw_memsys *memsys;
    const struct byw_mem_stats *stats;
    uint32_t *in_flight = calloc(config->sm_count, sizeof(*in_flight));
    uint64_t x = UINT64_C(88172645463325252), next = 0;
    double start;

    if (in_flight == NULL || byw_memsys_create(config, &memsys, &diag) != BYW_OK) {
        fprintf(stderr, "memsys_rate: %s\n", diag.text);
        free(in_flight);
        return 1;
    }
    start = seconds();
    for (uint64_t i = 0; i < cycles; i++) {
        for (uint32_t sm = 0; load->lines > 0 && sm < config->sm_count; sm++)
            sm_cycle(memsys, load, sm, in_flight, &x, &next);
        byw_memsys_tick(memsys);
    }
    stats = byw_memsys_stats(memsys);
    printf("%-14s %8.2f M cycles/s %8.3f replies/cycle, L2 miss rate %.2f, DRAM %.2f atoms/cycle\n",
           load->name, (double)cycles / (seconds() - start) / 1e6,
           (double)stats->replies / (double)cycles,
           (double)stats->l2.misses / (double)(stats->requests + 1),
           (double)(stats->dram_reads + stats->dram_writes) / (double)cycles);
    if (byw_memsys_check(memsys, &diag) != BYW_OK)
        fprintf(stderr, "memsys_rate: %s\n", diag.text);
    byw_memsys_free(memsys);
    free(in_flight);
    return 0;
}

int main(int argc, char **argv)
{
    uint64_t cycles = (argc > 1) ? strtoull(argv[1], NULL, 0) : 1000000;
    struct byw_config config;
    int bad = 0;

    byw_config_defaults(&config);
    for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++)
        bad |= run(&config, &loads[i], cycles);
    return bad;
}
