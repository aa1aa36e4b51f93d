/* SPDX-License-Identifier: Apache-2.0 */
#include "l1d/byw_miss_queue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum byw_status byw_miss_queue_init(struct byw_miss_queue *q, uint32_t miss_depth,
                                    uint32_t bypass_depth, uint32_t beat_bytes, bool with_data)
{
    *q = (struct byw_miss_queue){
        .depth = {miss_depth, bypass_depth},
        .size = miss_depth + bypass_depth,
        .beat_bytes = beat_bytes,
    };
    q->entry = calloc(q->size, sizeof(q->entry[0]));
    if (with_data)
        q->data = calloc(q->size, beat_bytes);
    if (q->entry != NULL && (q->data != NULL || !with_data))
        return BYW_OK;
    byw_miss_queue_release(q);
    return BYW_ENOMEM;
}

void byw_miss_queue_release(struct byw_miss_queue *q)
{
    free(q->entry);
    free(q->data);
    *q = (struct byw_miss_queue){0};
}

void byw_miss_queue_clear(struct byw_miss_queue *q)
{
    q->level[BYW_POOL_MISS] = 0;
    q->level[BYW_POOL_BYPASS] = 0;
    q->head = 0;
    q->count = 0;
}

void byw_miss_queue_push(struct byw_miss_queue *q, const struct byw_mem_req *req)
{
    enum byw_pool pool = req->bypass ? BYW_POOL_BYPASS : BYW_POOL_MISS;
    uint32_t at = q->head + q->count;

    assert(byw_miss_queue_room(q, pool));
    if (at >= q->size)
        at -= q->size;
    q->entry[at] = *req;
    q->entry[at].data = NULL;
    if (q->data != NULL && req->data != NULL) {
        uint8_t *copy = q->data + (size_t)at * q->beat_bytes;

        memcpy(copy, req->data, q->beat_bytes);
        q->entry[at].data = copy;
    }
    q->level[pool]++;
    q->count++;
}

void byw_miss_queue_pop(struct byw_miss_queue *q)
{
    assert(q->count != 0);
    q->level[q->entry[q->head].bypass ? BYW_POOL_BYPASS : BYW_POOL_MISS]--;
    q->count--;
    q->head++;
    if (q->head == q->size)
        q->head = 0;
}
