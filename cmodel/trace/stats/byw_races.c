/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/stats/byw_races.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_text.h"
#include "trace/byw_kernel_name.h"
#include "trace/file/byw_trace.h"

#define BYTES 0x40000u /* bytes of scratchpad that are checked */
#define FOUND_MOST 64u /* pairs kept per launch */
#define WARPS_MOST 64u

/* Accesses to one byte since the last barrier: warps counted from 1; 0: none. */
struct byte {
    uint32_t stamp; /* number of the interval between barriers */
    uint8_t writer, reader, other; /* `reader` and `other` are different warps */
    uint32_t writer_line, reader_line, other_line;
};

/* Summary of the accesses to a byte of global memory since the last barrier. */
struct cell {
    uint64_t address;
    uint32_t stamp; /* interval between barriers; of another interval: the cell is free */
    uint32_t line; /* source line of the write */
    uint8_t writer; /* the writing warp, counted from 1 */
    bool ordered; /* atomic or volatile accesses may order the others */
};

struct race {
    uint32_t first, second; /* lines; in scratchpad in the order of the warps */
    uint64_t low, high; /* first and last byte of the race */
    bool first_writes, second_writes, global;
};

struct races {
    struct byte *byte;
    struct cell *cell; /* open addressing: from the hash of the address up to a free one */
    size_t cells, used;
    bool failed; /* memory ran out */
    uint32_t stamp, count;
    const struct byw_kernel *kernel;
    struct race race[FOUND_MOST];
};

static const struct byw_site *site_of(const struct byw_kernel *kernel, uint32_t pc)
{
    for (uint32_t i = 0; kernel->site != NULL && i < kernel->site_count; i++)
        if (kernel->site[i].pc == pc)
            return &kernel->site[i];
    return NULL;
}

static void note_in(struct races *r, bool global, uint64_t at, uint32_t first, bool first_writes,
                    uint32_t second, bool second_writes)
{
    struct race *race = r->race;
    struct race *end = race + r->count;

    while (race < end &&
           (race->first != first || race->second != second || race->first_writes != first_writes ||
            race->second_writes != second_writes || race->global != global))
        race++;
    if (race == end) {
        if (r->count == FOUND_MOST)
            return;
        r->count++;
        *race = (struct race){.first = first,
                              .second = second,
                              .low = at,
                              .high = at,
                              .first_writes = first_writes,
                              .second_writes = second_writes,
                              .global = global};
    }
    race->low = at < race->low ? at : race->low;
    race->high = at > race->high ? at : race->high;
}

static void note(struct races *r, uint32_t offset, uint32_t first, bool first_writes,
                 uint32_t second, bool second_writes)
{
    note_in(r, false, offset, first, first_writes, second, second_writes);
}

static void touch(struct races *r, uint32_t offset, uint8_t warp, uint32_t line, bool writes)
{
    struct byte *b = &r->byte[offset];

    if (b->stamp != r->stamp)
        *b = (struct byte){.stamp = r->stamp};
    if (b->writer != 0 && b->writer != warp)
        note(r, offset, b->writer_line, true, line, writes);
    if (writes && b->reader != 0 && b->reader != warp)
        note(r, offset, b->reader_line, false, line, true);
    else if (writes && b->other != 0 && b->other != warp)
        note(r, offset, b->other_line, false, line, true);
    if (writes) {
        b->writer = warp;
        b->writer_line = line;
    } else if (b->reader == 0 || b->reader == warp) {
        b->reader = warp;
        b->reader_line = line;
    } else {
        b->other = warp;
        b->other_line = line;
    }
}

static bool is_shared(const struct byw_inst *inst)
{
    return inst->cls == BYW_CLASS_SHARED_LOAD || inst->cls == BYW_CLASS_SHARED_STORE;
}

static void touch_all(struct races *r, const struct byw_cta *cta, const struct byw_inst *inst,
                      uint32_t warp)
{
    const struct byw_site *site = site_of(r->kernel, inst->pc);
    uint32_t line = site == NULL ? 0 : site->line, n = 0;

    for (uint32_t l = 0; l < 64 && inst->mask >> l != 0; l++) {
        uint64_t address;

        if ((inst->mask >> l & 1) == 0)
            continue;
        address = byw_inst_address(inst, cta, l, n++);
        for (uint32_t k = 0; k < inst->width && address + k < BYTES; k++)
            touch(r, (uint32_t)address + k, (uint8_t)(warp + 1), line,
                  inst->cls == BYW_CLASS_SHARED_STORE);
    }
}

/* --- global memory ------------------------------------------------------------------------- */

/* The cell of an address, or the free one where it belongs. */
static struct cell *find_cell(const struct races *r, uint64_t address)
{
    size_t i = (size_t)(address * 0x9e3779b97f4a7c15ull >> 20) & (r->cells - 1);

    while (r->cell[i].stamp == r->stamp && r->cell[i].address != address)
        i = (i + 1) & (r->cells - 1);
    return &r->cell[i];
}

static bool grow_cells(struct races *r)
{
    struct cell *old = r->cell;
    size_t count = r->cells;

    r->cell = calloc(count == 0 ? 4096 : 2 * count, sizeof(*r->cell));
    if (r->cell == NULL) {
        r->cell = old;
        return false;
    }
    r->cells = count == 0 ? 4096 : 2 * count;
    for (size_t i = 0; i < count; i++)
        if (old[i].stamp == r->stamp)
            *find_cell(r, old[i].address) = old[i];
    free(old);
    return true;
}

enum step { ORDERED, WRITES, READS };

static void touch_cell(struct races *r, uint64_t address, uint8_t warp, uint32_t line,
                       enum step step)
{
    struct cell *c;

    if (step != READS && 2 * r->used >= r->cells && !grow_cells(r)) {
        r->failed = true;
        return;
    }
    c = find_cell(r, address);
    if (c->stamp != r->stamp && step == READS)
        return;
    if (c->stamp != r->stamp) {
        *c = (struct cell){.address = address, .stamp = r->stamp};
        r->used++;
    }
    c->ordered |= step == ORDERED;
    if (c->ordered)
        return;
    if (step == READS && c->writer != 0 && c->writer != warp)
        note_in(r, true, address, c->line, true, line, false);
    else if (step == WRITES && c->writer != 0 && c->writer != warp && c->line != line)
        note_in(r, true, address, c->line, true, line, true);
    if (step == WRITES) {
        c->writer = warp;
        c->line = line;
    }
}

/* The step to which an access to global memory belongs; false: the record is not such an access. */
static bool step_of(const struct byw_inst *inst, const struct byw_site *site, enum step *step)
{
    if (inst->cls != BYW_CLASS_LOAD && inst->cls != BYW_CLASS_STORE &&
        inst->cls != BYW_CLASS_ATOMIC)
        return false;
    *step = inst->cls == BYW_CLASS_STORE ? WRITES : READS;
    if (inst->cls == BYW_CLASS_ATOMIC || site == NULL || site->cls == BYW_CLASS_ATOMIC ||
        (site->flags & BYW_SITE_VOLATILE) != 0)
        *step = ORDERED;
    return true;
}

/* One step of the records of a warp from `at` up to the next barrier. */
static void touch_global(struct races *r, const struct byw_cta *cta, uint32_t w, uint32_t at,
                         enum step step)
{
    const struct byw_inst *inst = cta->inst + cta->warp[w].first;

    for (; at < cta->warp[w].count && inst[at].cls != BYW_CLASS_BARRIER && !r->failed; at++) {
        const struct byw_site *site = site_of(r->kernel, inst[at].pc);
        enum step own;
        uint32_t n = 0;

        if (!step_of(&inst[at], site, &own) || own != step || inst[at].form == BYW_FORM_NONE)
            continue;
        for (uint32_t l = 0; l < 64 && inst[at].mask >> l != 0; l++) {
            uint64_t address;

            if ((inst[at].mask >> l & 1) == 0)
                continue;
            address = byw_inst_address(&inst[at], cta, l, n++);
            for (uint32_t k = 0; k < inst[at].width; k++)
                touch_cell(r, address + k, (uint8_t)(w + 1), site == NULL ? 0 : site->line, step);
        }
    }
}

/* Atomic and volatile accesses first: other accesses to their bytes do not count as races. Reads
 * last, so that only written bytes have cells. */
static void judge_global(struct races *r, const struct byw_cta *cta, const uint32_t *at)
{
    r->used = 0;
    if (r->cells == 0 && !grow_cells(r)) {
        r->failed = true;
        return;
    }
    for (int step = ORDERED; step <= READS; step++)
        for (uint32_t w = 0; w < cta->warp_count; w++)
            touch_global(r, cta, w, at[w], (enum step)step);
}

/* --- CTAs ---------------------------------------------------------------------------------- */

/* Whether the CTA can be judged: it is not in windows and all its warps reach equally many
 * barriers. *plain: no access to scratchpad is atomic or volatile. */
static bool is_judged(const struct races *r, const struct byw_cta *cta, bool *plain)
{
    uint32_t barriers = 0;

    *plain = true;
    if (cta->windows != NULL || cta->warp_count > WARPS_MOST)
        return false;
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        const struct byw_inst *inst = cta->inst + cta->warp[w].first;
        uint32_t own = 0;

        for (uint32_t i = 0; i < cta->warp[w].count; i++, inst++) {
            own += inst->cls == BYW_CLASS_BARRIER;
            if (is_shared(inst)) {
                const struct byw_site *site = site_of(r->kernel, inst->pc);

                if (site == NULL || site->cls == BYW_CLASS_ATOMIC ||
                    (site->flags & BYW_SITE_VOLATILE) != 0)
                    *plain = false;
            }
        }
        if (w != 0 && own != barriers)
            return false;
        barriers = own;
    }
    return true;
}

static void judge(struct races *r, const struct byw_cta *cta, bool scratchpad)
{
    uint32_t at[WARPS_MOST] = {0};
    bool more = true;

    while (more) {
        more = false;
        r->stamp++;
        judge_global(r, cta, at);
        for (uint32_t w = 0; w < cta->warp_count; w++) {
            const struct byw_inst *inst = cta->inst + cta->warp[w].first;

            for (; at[w] < cta->warp[w].count && inst[at[w]].cls != BYW_CLASS_BARRIER; at[w]++)
                if (scratchpad && is_shared(&inst[at[w]]))
                    touch_all(r, cta, &inst[at[w]], w);
            at[w]++;
            more |= at[w] < cta->warp[w].count;
        }
    }
}

#define PAIR                                                                                       \
    "race in kernel %s: line %" PRIu32 " %s and line %" PRIu32 " %s in another warp, bytes "
#define SCRATCHPAD PAIR "%" PRIu64 " to %" PRIu64 " of scratchpad, without a barrier in between\n"
#define GLOBAL                                                                                     \
    PAIR "0x%" PRIx64 " to 0x%" PRIx64 " of global memory, without a barrier in between\n"

static void print(const struct races *r, FILE *out)
{
    char whole[BYW_KERNEL_NAME_ROOM], name[BYW_TEXT_GROWTH * BYW_KERNEL_NAME_ROOM];

    byw_kernel_name(r->kernel->name, whole);
    byw_text_printable(whole, name, sizeof(name));
    for (uint32_t i = 0; i < r->count; i++) {
        const struct race *race = &r->race[i];

        fprintf(out, race->global ? GLOBAL : SCRATCHPAD, name, race->first,
                race->first_writes ? "writes" : "reads", race->second,
                race->second_writes ? "writes" : "reads", race->low, race->high);
    }
}

enum byw_status byw_races_print(const char *path, FILE *out, unsigned *races, unsigned *unjudged,
                                struct byw_diag *diag)
{
    struct races r = {.byte = calloc(BYTES, sizeof(struct byte))};
    struct byw_trace *trace = NULL;
    struct byw_cta cta;
    enum byw_status status =
        r.byte == NULL ? byw_no_memory(diag, "races") : byw_trace_open(path, &trace, diag);

    *races = *unjudged = 0;
    byw_cta_init(&cta);
    while (status == BYW_OK && (status = byw_trace_next_kernel(trace, &r.kernel, diag)) == BYW_OK) {
        bool judged = true;

        r.count = 0;
        while ((status = byw_trace_next_cta(trace, &cta, diag)) == BYW_OK) {
            bool plain, good = is_judged(&r, &cta, &plain);

            judged &= good && plain;
            if (good)
                judge(&r, &cta, plain);
            if (r.failed) {
                status = byw_no_memory(diag, "races");
                break;
            }
        }
        print(&r, out);
        *races += r.count;
        *unjudged += !judged;
        if (status == BYW_END)
            status = BYW_OK;
    }
    if (trace != NULL)
        byw_trace_close(trace);
    byw_cta_release(&cta);
    free(r.byte);
    free(r.cell);
    return status == BYW_END ? BYW_OK : status;
}
