/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_mem_ledger.h"

#include <stdlib.h>

enum { ENTRIES = 64, WRITTEN = 4096, UNIT_LOG2 = 5 };

struct writer { /* of 32 bytes of memory */
    uint64_t unit; /* number of the unit plus one; 0: free */
    uint32_t entry;
};

struct byw_mem_ledger {
    struct byw_mem_entry *entry;
    uint32_t count, room;
    uint32_t *hash; /* by hash of the PC: index plus one; 2 * room places */
    struct writer *writer; /* by hash of the unit; at most half full */
    uint64_t written, writers; /* writers in use; places */
    struct byw_mem_use rest;
    bool lost;
};

struct byw_mem_ledger *byw_mem_ledger_create(void)
{
    struct byw_mem_ledger *ledger = calloc(1, sizeof(*ledger));

    if (ledger == NULL)
        return NULL;
    ledger->room = ENTRIES;
    ledger->writers = WRITTEN;
    ledger->entry = calloc(ledger->room, sizeof(*ledger->entry));
    ledger->hash = calloc(2 * ledger->room, sizeof(*ledger->hash));
    ledger->writer = calloc(ledger->writers, sizeof(*ledger->writer));
    if (ledger->entry == NULL || ledger->hash == NULL || ledger->writer == NULL) {
        byw_mem_ledger_free(ledger);
        return NULL;
    }
    return ledger;
}

void byw_mem_ledger_free(struct byw_mem_ledger *ledger)
{
    if (ledger == NULL)
        return;
    free(ledger->entry);
    free(ledger->hash);
    free(ledger->writer);
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

/* --- entries ------------------------------------------------------------------------------ */

static uint64_t mixed(uint64_t key)
{
    return (key * UINT64_C(0x9e3779b97f4a7c15)) >> 20;
}

static uint32_t *place_of(const struct byw_mem_ledger *ledger, uint32_t pc)
{
    uint32_t mask = 2 * ledger->room - 1, i = (uint32_t)mixed(pc) & mask;

    while (ledger->hash[i] != 0 && ledger->entry[ledger->hash[i] - 1].pc != pc)
        i = (i + 1) & mask;
    return &ledger->hash[i];
}

static bool grow_entries(struct byw_mem_ledger *ledger)
{
    uint32_t room = 2 * ledger->room;
    struct byw_mem_entry *entry = realloc(ledger->entry, room * sizeof(*entry));
    uint32_t *hash;

    if (entry == NULL)
        return false;
    ledger->entry = entry;
    hash = calloc(2 * room, sizeof(*hash));
    if (hash == NULL)
        return false;
    free(ledger->hash);
    ledger->hash = hash;
    ledger->room = room;
    for (uint32_t i = 0; i < ledger->count; i++)
        *place_of(ledger, ledger->entry[i].pc) = i + 1;
    return true;
}

/* Index plus one of a PC's entry; 0: out of memory. */
static uint32_t entry_of(struct byw_mem_ledger *ledger, const struct byw_txn *txn)
{
    uint32_t *place = place_of(ledger, txn->pc);

    if (*place != 0)
        return *place;
    if (ledger->count == ledger->room) {
        if (!grow_entries(ledger)) {
            ledger->lost = true;
            return 0;
        }
        place = place_of(ledger, txn->pc);
    }
    ledger->entry[ledger->count] = (struct byw_mem_entry){.pc = txn->pc, .kind = txn->kind};
    *place = ++ledger->count;
    return *place;
}

/* --- last writer of a line ---------------------------------------------------------------- */

static struct writer *writer_of(const struct byw_mem_ledger *ledger, uint64_t unit)
{
    uint64_t mask = ledger->writers - 1, i = mixed(unit) & mask;

    while (ledger->writer[i].unit != 0 && ledger->writer[i].unit != unit + 1)
        i = (i + 1) & mask;
    return &ledger->writer[i];
}

static bool grow_writers(struct byw_mem_ledger *ledger)
{
    struct byw_mem_ledger grown = *ledger;

    grown.writers = 2 * ledger->writers;
    grown.writer = calloc(grown.writers, sizeof(*grown.writer));
    if (grown.writer == NULL)
        return false;
    for (uint64_t i = 0; i < ledger->writers; i++)
        if (ledger->writer[i].unit != 0)
            *writer_of(&grown, ledger->writer[i].unit - 1) = ledger->writer[i];
    free(ledger->writer);
    *ledger = grown;
    return true;
}

static void wrote(struct byw_mem_ledger *ledger, const struct byw_txn *txn, uint32_t entry)
{
    uint64_t end = txn->addr + txn->bytes;

    for (uint64_t unit = txn->addr >> UNIT_LOG2; unit << UNIT_LOG2 < end; unit++) {
        struct writer *writer;

        if (2 * ledger->written >= ledger->writers && !grow_writers(ledger)) {
            ledger->lost = true;
            return;
        }
        writer = writer_of(ledger, unit);
        ledger->written += writer->unit == 0;
        *writer = (struct writer){unit + 1, entry};
    }
}

/* The entry of the last writer of a line's first part that has one; 0: none. */
static uint32_t last_writer(const struct byw_mem_ledger *ledger, const struct byw_txn *txn)
{
    uint64_t end = txn->addr + txn->bytes;

    for (uint64_t unit = txn->addr >> UNIT_LOG2; unit << UNIT_LOG2 < end; unit++) {
        const struct writer *writer = writer_of(ledger, unit);

        if (writer->unit != 0)
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
