/* SPDX-License-Identifier: Apache-2.0 */
#include "l1d/byw_fill.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum byw_status byw_fill_init(struct byw_fill *fill, uint32_t line_bytes, uint32_t beat_bytes,
                              bool staged, bool with_data)
{
    bool full = false;
    uint32_t i;

    *fill = (struct byw_fill){
        .buffers = staged ? BYW_FILL_BUFFERS_STAGED : BYW_FILL_BUFFERS,
        .staged = staged,
        .beat_bytes = beat_bytes,
        .beats = line_bytes / beat_bytes,
    };
    if (!with_data)
        return BYW_OK;
    for (i = 0; i < 2; i++) {
        fill->direct_data[i] = calloc(1, beat_bytes);
        full = full || fill->direct_data[i] == NULL;
    }
    for (i = 0; i < fill->buffers; i++) {
        fill->buffer[i].data = calloc(1, line_bytes);
        full = full || fill->buffer[i].data == NULL;
    }
    if (!full)
        return BYW_OK;
    byw_fill_release(fill);
    return BYW_ENOMEM;
}

void byw_fill_release(struct byw_fill *fill)
{
    uint32_t i;

    for (i = 0; i < 2; i++) {
        free(fill->direct_data[i]);
        fill->direct_data[i] = NULL;
    }
    for (i = 0; i < BYW_FILL_BUFFERS_STAGED; i++) {
        free(fill->buffer[i].data);
        fill->buffer[i].data = NULL;
    }
}

void byw_fill_clear(struct byw_fill *fill)
{
    fill->head = 0;
    fill->count = fill->ready = 0;
    fill->next_target = 0;
    fill->beat = 0;
    fill->failed = false;
    fill->f1 = fill->f2 = false;
    fill->direct_valid = false;
    fill->direct_bank = 0;
}

void byw_fill_accept(struct byw_fill *fill, const struct byw_mem_rsp *rsp)
{
    struct byw_fill_buffer *buffer =
        &fill->buffer[(fill->head + fill->count) & (fill->buffers - 1)];

    assert(byw_fill_room(fill) && !fill->f1);
    buffer->mshr = rsp->id;
    buffer->error = byw_fill_fails(fill, rsp);
    if (buffer->data != NULL && rsp->data != NULL)
        memcpy(buffer->data + (size_t)fill->beat * fill->beat_bytes, rsp->data, fill->beat_bytes);
    if (!byw_fill_ends(fill)) {
        fill->failed = buffer->error;
        fill->beat++;
        return;
    }
    fill->beat = 0;
    fill->failed = false;
    fill->count++;
    fill->ready += !fill->staged;
    fill->f1 = fill->staged;
}

void byw_fill_direct(struct byw_fill *fill, const struct byw_mem_rsp *rsp, uint32_t id)
{
    bool read = rsp->kind == BYW_MEM_BYPASS;
    uint8_t *data;

    fill->direct_bank ^= 1;
    data = read ? fill->direct_data[fill->direct_bank] : NULL;
    fill->direct_valid = true;
    fill->direct = (struct byw_rsp){
        .data = data,
        .id = id,
        .served = read ? BYW_SERVED_BYPASS : BYW_SERVED_STORE,
        .error = rsp->error,
    };
    if (data != NULL && rsp->data != NULL)
        memcpy(data, rsp->data, fill->beat_bytes);
}

void byw_fill_drain(struct byw_fill *fill, bool last)
{
    fill->next_target++;
    if (!last)
        return;
    fill->next_target = 0;
    fill->head = (fill->head + 1) & (fill->buffers - 1);
    fill->count--;
    fill->ready--;
}
