/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_l2_join.h"

#include <stdlib.h>

struct byw_l2_join *byw_l2_join_create(const struct byw_config *config, const struct byw_gpcs *gpcs)
{
    struct byw_l2_join *join = calloc(1, sizeof(*join));

    if (join == NULL)
        return NULL;
    join->gpcs = gpcs;
    join->cycles = config->l2_join_cycles;
    join->sharers = config->l2_join_reads;
    return join;
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
