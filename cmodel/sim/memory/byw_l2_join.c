/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_l2_join.h"

#include <stdlib.h>
#include <string.h>

struct byw_l2_join *byw_l2_join_create(const struct byw_config *config, const struct byw_gpcs *gpcs)
{
    struct byw_l2_join *join = calloc(1, sizeof(*join));

    if (join == NULL)
        return NULL;
    join->gpcs = gpcs;
    join->cycles = config->l2_join_cycles;
    join->sharers = config->l2_join_reads;
    if (config->l2_join_misses == 0)
        return join;
    join->flight = calloc(config->l2_mshrs, (size_t)gpcs->count * BYW_L2_JOIN_PARTS);
    if (join->flight == NULL) {
        free(join);
        return NULL;
    }
    return join;
}

void byw_l2_join_free(struct byw_l2_join *join)
{
    if (join != NULL)
        free(join->flight);
    free(join);
}

bool byw_l2_joins(struct byw_l2_join *join, const struct byw_txn *txn, uint64_t now)
{
    uint8_t gpc = join->gpcs->of[txn->sm];

    if (txn->kind != BYW_TXN_READ)
        return false;
    for (uint32_t i = 0; i < join->count; i++) {
        struct byw_l2_read *read = &join->read[(join->last - i) % BYW_L2_JOIN_READS];

        if (read->since + join->cycles < now) {
            join->count = i;
            break;
        }
        if (read->addr == txn->addr && read->bytes == txn->bytes && read->gpc == gpc &&
            read->sharers < join->sharers) {
            read->sharers++;
            return true;
        }
    }
    join->last++;
    if (join->count < BYW_L2_JOIN_READS)
        join->count++;
    join->read[join->last % BYW_L2_JOIN_READS] = (struct byw_l2_read){
        .addr = txn->addr, .since = now, .bytes = txn->bytes, .gpc = gpc, .sharers = 1};
    return false;
}

/* The counter of a read's GPC and part in an MSHR. */
static uint8_t *sharers_of(const struct byw_l2_join *join, uint32_t m, const struct byw_txn *txn)
{
    uint32_t part = txn->bytes > 32 ? 2 : (uint32_t)(txn->addr >> 5 & 1);
    uint32_t gpc = join->gpcs->of[txn->sm];

    return &join->flight[(m * join->gpcs->count + gpc) * BYW_L2_JOIN_PARTS + part];
}

void byw_l2_join_fetch(struct byw_l2_join *join, uint32_t m, const struct byw_txn *txn)
{
    size_t row = (size_t)join->gpcs->count * BYW_L2_JOIN_PARTS;

    if (join->flight == NULL)
        return;
    memset(&join->flight[m * row], 0, row);
    if (txn->kind == BYW_TXN_READ)
        *sharers_of(join, m, txn) = 1;
}

bool byw_l2_joins_fetch(struct byw_l2_join *join, uint32_t m, const struct byw_txn *txn,
                        bool joined)
{
    uint8_t *sharers;

    if (join->flight == NULL || txn->kind != BYW_TXN_READ)
        return joined;
    sharers = sharers_of(join, m, txn);
    if (*sharers == 0 || (*sharers >= join->sharers && !joined)) {
        *sharers = 1;
        return joined;
    }
    if (*sharers < join->sharers)
        ++*sharers;
    return true;
}
