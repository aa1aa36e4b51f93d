/* SPDX-License-Identifier: Apache-2.0 */
#include "comparator/byw_warp_fifos.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"

struct byw_warp_fifo_entry {
    struct byw_req req;
    uint64_t number; /* requests that entered before it */
    uint8_t data[BYW_LINE_MAX]; /* copy of the bytes at req.data */
};

void byw_warp_fifos_clear(struct byw_warp_fifos *f)
{
    f->filled = 0;
    f->entered = 0;
    f->waiting = 0;
    f->chosen = f->queues;
    memset(f->first, 0, f->queues * sizeof(*f->first));
    memset(f->count, 0, f->queues * sizeof(*f->count));
}

void byw_warp_fifos_release(struct byw_warp_fifos *f)
{
    free(f->first);
    free(f->count);
    free(f->entry);
    *f = (struct byw_warp_fifos){0};
}

enum byw_status byw_warp_fifos_init(struct byw_warp_fifos *f, const struct byw_mech_setup *setup,
                                    uint32_t queues, uint32_t depth)
{
    *f = (struct byw_warp_fifos){
        .queues = queues,
        .depth = depth,
        .line_bytes = setup->config->l1d_line,
        .first = calloc(queues, sizeof(*f->first)),
        .count = calloc(queues, sizeof(*f->count)),
        .entry = calloc((size_t)queues * depth, sizeof(*f->entry)),
    };
    if (f->first == NULL || f->count == NULL || f->entry == NULL)
        return BYW_ENOMEM;
    byw_warp_fifos_clear(f);
    return BYW_OK;
}

/* Entry `i` of FIFO q; 0 is the head. */
static struct byw_warp_fifo_entry *at(const struct byw_warp_fifos *f, uint32_t q, uint32_t i)
{
    return &f->entry[q * f->depth + (f->first[q] + i) % f->depth];
}

bool byw_warp_fifos_room(const struct byw_warp_fifos *f, const struct byw_req *req)
{
    return f->count[req->warp % f->queues] != f->depth;
}

void byw_warp_fifos_push(struct byw_warp_fifos *f, const struct byw_req *req)
{
    uint32_t q = req->warp % f->queues;
    struct byw_warp_fifo_entry *entry = at(f, q, f->count[q]++);

    entry->req = *req;
    entry->number = f->entered++;
    if (req->data != NULL) {
        memcpy(entry->data, req->data, f->line_bytes);
        entry->req.data = entry->data;
    }
    f->filled++;
    f->waiting |= byw_bit64(q);
}

const struct byw_req *byw_warp_fifos_choose(struct byw_warp_fifos *f)
{
    if (f->chosen == f->queues)
        f->chosen = byw_ctz64(f->waiting);
    return &at(f, f->chosen, 0)->req;
}

void byw_warp_fifos_pop(struct byw_warp_fifos *f)
{
    uint32_t q = f->chosen;

    f->first[q] = (f->first[q] + 1) % f->depth;
    if (--f->count[q] == 0)
        f->waiting &= ~byw_bit64(q);
    f->filled--;
    f->chosen = f->queues;
}

uint64_t byw_warp_fifos_number(const struct byw_warp_fifos *f)
{
    return at(f, f->chosen, 0)->number;
}

bool byw_warp_fifos_passes(const struct byw_warp_fifos *f)
{
    for (uint64_t left = f->waiting; left != 0; left &= left - 1)
        if (at(f, byw_ctz64(left), 0)->number < byw_warp_fifos_number(f))
            return true;
    return false;
}

uint64_t byw_warp_fifos_bits(uint32_t queues, uint32_t depth)
{
    return (uint64_t)queues * depth * 64;
}
