/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/stats/byw_races.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/byw_kernel_name.h"
#include "trace/file/byw_trace.h"

#define BYTES 0x40000u /* of scratchpad */
#define FOUND_MOST 64u /* pairs kept per launch */
#define WARPS_MOST 64u

/* Accesses to one byte since the last barrier: warps counted from 1; 0: none. */
struct byte {
    uint32_t stamp; /* of the interval */
    uint8_t writer, reader, other; /* two different readers */
    uint32_t writer_line, reader_line, other_line;
};

struct race {
    uint32_t first, second; /* lines, in the order of the warps */
    uint32_t low, high; /* bytes */
    bool first_writes, second_writes;
};

struct races {
    struct byte *byte;
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

static void note(struct races *r, uint32_t offset, uint32_t first, bool first_writes,
                 uint32_t second, bool second_writes)
{
    struct race *race = r->race;
    struct race *end = race + r->count;

    while (race < end &&
           (race->first != first || race->second != second || race->first_writes != first_writes ||
            race->second_writes != second_writes))
        race++;
    if (race == end) {
        if (r->count == FOUND_MOST)
            return;
        r->count++;
        *race = (struct race){.first = first,
                              .second = second,
                              .low = offset,
                              .high = offset,
                              .first_writes = first_writes,
                              .second_writes = second_writes};
    }
    race->low = offset < race->low ? offset : race->low;
    race->high = offset > race->high ? offset : race->high;
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
        address = inst->form == BYW_FORM_LIST
                      ? cta->addr[inst->list + n]
                      : inst->base + (uint64_t)((int64_t)inst->stride * (int64_t)l);
        n++;
        for (uint32_t k = 0; k < inst->width && address + k < BYTES; k++)
            touch(r, (uint32_t)address + k, (uint8_t)(warp + 1), line,
                  inst->cls == BYW_CLASS_SHARED_STORE);
    }
}

/* Whether all accesses to scratchpad are plain ones, and all warps reach equally many barriers. */
static bool is_judged(const struct races *r, const struct byw_cta *cta)
{
    uint32_t barriers = 0;

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
                    return false;
            }
        }
        if (w != 0 && own != barriers)
            return false;
        barriers = own;
    }
    return true;
}

static void judge(struct races *r, const struct byw_cta *cta)
{
    uint32_t at[WARPS_MOST] = {0};
    bool more = true;

    while (more) {
        more = false;
        r->stamp++;
        for (uint32_t w = 0; w < cta->warp_count; w++) {
            const struct byw_inst *inst = cta->inst + cta->warp[w].first;

            for (; at[w] < cta->warp[w].count && inst[at[w]].cls != BYW_CLASS_BARRIER; at[w]++)
                if (is_shared(&inst[at[w]]))
                    touch_all(r, cta, &inst[at[w]], w);
            at[w]++;
            more |= at[w] < cta->warp[w].count;
        }
    }
}

static void print(const struct races *r, FILE *out)
{
    char name[BYW_KERNEL_NAME_ROOM];

    byw_kernel_name(r->kernel->name, name);
    for (uint32_t i = 0; i < r->count; i++) {
        const struct race *race = &r->race[i];

        fprintf(out,
                "race in kernel %s: line %" PRIu32 " %s and line %" PRIu32 " %s in another warp, "
                "bytes %" PRIu32 " to %" PRIu32 " of scratchpad, without a barrier in between\n",
                name, race->first, race->first_writes ? "writes" : "reads", race->second,
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
            bool good = is_judged(&r, &cta);

            judged &= good;
            if (good)
                judge(&r, &cta);
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
    return status == BYW_END ? BYW_OK : status;
}
