/* SPDX-License-Identifier: Apache-2.0 */
#include "l1d/byw_fill.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum byw_status byw_fill_init(struct byw_fill *fill, uint32_t line_bytes, bool with_data)
{
    uint32_t i;

    *fill = (struct byw_fill){.line_bytes = line_bytes};
    if (!with_data)
        return BYW_OK;
    for (i = 0; i < BYW_FILL_BUFFERS; i++) {
        fill->buffer[i].data = calloc(1, line_bytes);
        fill->pass_data[i] = calloc(1, line_bytes);
        if (fill->buffer[i].data == NULL || fill->pass_data[i] == NULL) {
            byw_fill_release(fill);
            return BYW_ENOMEM;
        }
    }
    return BYW_OK;
}

void byw_fill_release(struct byw_fill *fill)
{
    uint32_t i;

    for (i = 0; i < BYW_FILL_BUFFERS; i++) {
        free(fill->pass_data[i]);
        fill->pass_data[i] = NULL;
        free(fill->buffer[i].data);
        fill->buffer[i].data = NULL;
    }
}

void byw_fill_clear(struct byw_fill *fill)
{
    fill->head = 0;
    fill->count = 0;
    fill->next_target = 0;
    fill->pass_valid = false;
    fill->pass_bank = 0;
}

void byw_fill_accept(struct byw_fill *fill, const struct byw_mem_rsp *rsp)
{
    struct byw_fill_buffer *buffer = &fill->buffer[(fill->head + fill->count) % BYW_FILL_BUFFERS];

    assert(fill->count < BYW_FILL_BUFFERS);
    buffer->mshr = rsp->id;
    buffer->error = rsp->error;
    if (buffer->data != NULL && rsp->data != NULL)
        memcpy(buffer->data, rsp->data, fill->line_bytes);
    fill->count++;
}

void byw_fill_pass(struct byw_fill *fill, const struct byw_mem_rsp *rsp, uint32_t id)
{
    bool read = rsp->kind == BYW_MEM_BYPASS;
    uint8_t *data;

    fill->pass_bank ^= 1;
    data = read ? fill->pass_data[fill->pass_bank] : NULL;
    fill->pass_valid = true;
    fill->pass = (struct byw_rsp){
        .data = data,
        .id = id,
        .served = read ? BYW_SERVED_BYPASS : BYW_SERVED_STORE,
        .error = rsp->error,
    };
    if (data != NULL && rsp->data != NULL)
        memcpy(data, rsp->data, fill->line_bytes);
}

void byw_fill_drain(struct byw_fill *fill, bool last)
{
    fill->next_target++;
    if (!last)
        return;
    fill->next_target = 0;
    fill->head = (fill->head + 1) % BYW_FILL_BUFFERS;
    fill->count--;
}
