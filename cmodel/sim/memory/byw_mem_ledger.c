/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_mem_ledger.h"

#include <stdlib.h>

#include "common/byw_array.h"
#include "common/byw_index.h"

enum { UNIT_LOG2 = 5 };

struct writer { /* the last writer of 32 bytes of memory */
    uint64_t unit;
    uint32_t entry; /* index plus one */
};

struct byw_mem_ledger {
    struct byw_mem_entry *entry;
    size_t count, room;
    struct byw_index by_pc;
    struct writer *writer;
    size_t writers, writer_room;
    struct byw_index by_unit;
    struct byw_mem_use rest;
    bool lost;
};

struct byw_mem_ledger *byw_mem_ledger_create(void)
{
    return calloc(1, sizeof(struct byw_mem_ledger));
}

void byw_mem_ledger_free(struct byw_mem_ledger *ledger)
{
    if (ledger == NULL)
        return;
    free(ledger->entry);
    byw_index_release(&ledger->by_pc);
    free(ledger->writer);
    byw_index_release(&ledger->by_unit);
    free(ledger);
}

size_t byw_mem_ledger_count(const struct byw_mem_ledger *ledger)
{
    return ledger->count;
}

const struct byw_mem_entry *byw_mem_ledger_entry(const struct byw_mem_ledger *ledger, size_t i)
{
    return &ledger->entry[i];
}

const struct byw_mem_use *byw_mem_ledger_rest(const struct byw_mem_ledger *ledger)
{
    return &ledger->rest;
}

bool byw_mem_ledger_lost(const struct byw_mem_ledger *ledger)
{
    return ledger->lost;
}

/* Index plus one of a PC's entry; 0: out of memory. */
static uint32_t entry_of(struct byw_mem_ledger *ledger, const struct byw_txn *txn)
{
    uint32_t hash = byw_hash(txn->pc), n;

    for (uint32_t at = 0; (n = byw_index_next(&ledger->by_pc, hash, &at)) != BYW_INDEX_END;)
        if (ledger->entry[n].pc == txn->pc)
            return n + 1;
    if (!BYW_ARRAY_ROOM(ledger->entry, ledger->room, ledger->count + 1) ||
        !byw_index_add(&ledger->by_pc, hash, (uint32_t)ledger->count)) {
        ledger->lost = true;
        return 0;
    }
    ledger->entry[ledger->count] = (struct byw_mem_entry){.pc = txn->pc, .kind = txn->kind};
    return (uint32_t)++ledger->count;
}

/* --- last writer of a line ---------------------------------------------------------------- */

/* NULL: nothing has written the unit. */
static struct writer *writer_of(const struct byw_mem_ledger *ledger, uint64_t unit)
{
    uint32_t hash = byw_hash(unit), n;

    for (uint32_t at = 0; (n = byw_index_next(&ledger->by_unit, hash, &at)) != BYW_INDEX_END;)
        if (ledger->writer[n].unit == unit)
            return &ledger->writer[n];
    return NULL;
}

static void wrote(struct byw_mem_ledger *ledger, const struct byw_txn *txn, uint32_t entry)
{
    uint64_t end = txn->addr + txn->bytes;

    for (uint64_t unit = txn->addr >> UNIT_LOG2; unit << UNIT_LOG2 < end; unit++) {
        struct writer *writer = writer_of(ledger, unit);

        if (writer != NULL) {
            writer->entry = entry;
            continue;
        }
        if (!BYW_ARRAY_ROOM(ledger->writer, ledger->writer_room, ledger->writers + 1) ||
            !byw_index_add(&ledger->by_unit, byw_hash(unit), (uint32_t)ledger->writers)) {
            ledger->lost = true;
            return;
        }
        ledger->writer[ledger->writers++] = (struct writer){unit, entry};
    }
}

/* The entry of the last writer of the first 32 bytes of a line that were written; 0: none were. */
static uint32_t last_writer(const struct byw_mem_ledger *ledger, const struct byw_txn *txn)
{
    uint64_t end = txn->addr + txn->bytes;

    for (uint64_t unit = txn->addr >> UNIT_LOG2; unit << UNIT_LOG2 < end; unit++) {
        const struct writer *writer = writer_of(ledger, unit);

        if (writer != NULL)
            return writer->entry;
    }
    return 0;
}

/* --- the memory side ---------------------------------------------------------------------- */

struct byw_mem_use *byw_mem_ledger_of(struct byw_mem_ledger *ledger, const struct byw_txn *txn)
{
    uint32_t entry = 0;

    if (txn->kind == BYW_TXN_WRITEBACK)
        entry = last_writer(ledger, txn);
    else if (txn->kind != BYW_TXN_INST)
        entry = entry_of(ledger, txn);
    return entry != 0 ? &ledger->entry[entry - 1].use : &ledger->rest;
}

void byw_mem_ledger_served(struct byw_mem_ledger *ledger, const struct byw_txn *txn,
                           const struct byw_level_stats *before,
                           const struct byw_level_stats *after)
{
    struct byw_level_stats *l2 = &byw_mem_ledger_of(ledger, txn)->l2;

    l2->reads += after->reads - before->reads;
    l2->writes += after->writes - before->writes;
    l2->atomics += after->atomics - before->atomics;
    l2->insts += after->insts - before->insts;
    l2->hits += after->hits - before->hits;
    l2->pending += after->pending - before->pending;
    l2->misses += after->misses - before->misses;
    l2->write_fetches += after->write_fetches - before->write_fetches;
    l2->writebacks += after->writebacks - before->writebacks;
    if ((txn->kind == BYW_TXN_WRITE || txn->kind == BYW_TXN_ATOMIC) &&
        after->writes + after->atomics > before->writes + before->atomics)
        wrote(ledger, txn, entry_of(ledger, txn));
}
