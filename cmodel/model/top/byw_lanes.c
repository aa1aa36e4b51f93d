/* SPDX-License-Identifier: Apache-2.0 */
#include "top/byw_lanes.h"

#include <stdlib.h>
#include <string.h>

enum byw_status byw_lanes_init(struct byw_lanes *ln, const struct byw_lanes_config *cfg)
{
    *ln = (struct byw_lanes){.cfg = *cfg};
    if (cfg->lanes == 0 || cfg->lanes > BYW_LANES_MAX || cfg->slots == 0 ||
        cfg->slots > BYW_LANES_SLOTS_MAX || cfg->line_bytes < 4 || cfg->line_bytes > BYW_LINE_MAX ||
        (cfg->line_bytes & (cfg->line_bytes - 1)) != 0)
        return BYW_EINVAL;
    ln->slot = calloc(cfg->slots, sizeof(ln->slot[0]));
    ln->busy = calloc(cfg->slots, sizeof(ln->busy[0]));
    if (ln->slot != NULL && ln->busy != NULL)
        return BYW_OK;
    byw_lanes_release(ln);
    return BYW_ENOMEM;
}

void byw_lanes_release(struct byw_lanes *ln)
{
    free(ln->slot);
    free(ln->busy);
    ln->slot = NULL;
    ln->busy = NULL;
}

void byw_lanes_clear(struct byw_lanes *ln)
{
    memset(ln->busy, 0, ln->cfg.slots * sizeof(ln->busy[0]));
    ln->used = 0;
    ln->held = false;
}

/* Byte b of the lane's word.  Right-aligned data start at the lowest byte that the lane writes. */
static uint8_t lane_byte(const struct byw_lanes_config *cfg, const struct byw_lanes_request *req,
                         uint32_t lane, uint32_t b)
{
    uint32_t first = 0;

    if (cfg->right)
        while ((req->bytes[lane] >> first & 1) == 0)
            first++;
    return (uint8_t)(req->data[lane] >> 8 * (b - first));
}

void byw_lanes_scatter(const struct byw_lanes_config *cfg, const struct byw_lanes_request *req,
                       bool mask[], uint8_t data[])
{
    uint32_t i, b;

    memset(mask, 0, cfg->line_bytes * sizeof(mask[0]));
    memset(data, 0, cfg->line_bytes);
    for (i = 0; i < cfg->lanes; i++)
        for (b = 0; b < 4 && (req->active >> i & 1) != 0; b++)
            if ((req->bytes[i] >> b & 1) != 0) {
                mask[req->word[i] * 4 + b] = true;
                data[req->word[i] * 4 + b] = lane_byte(cfg, req, i, b);
            }
}

void byw_lanes_gather(const struct byw_lanes_config *cfg, const struct byw_lanes_slot *slot,
                      const uint8_t line[], uint32_t word[])
{
    uint32_t i, b;

    for (i = 0; i < cfg->lanes; i++) {
        word[i] = 0;
        for (b = 0; b < 4 && slot->word[i] < cfg->line_bytes / 4; b++)
            word[i] |= (uint32_t)line[slot->word[i] * 4 + b] << 8 * b;
    }
}

uint32_t byw_lanes_next(const struct byw_lanes *ln)
{
    uint32_t n = 0;

    if (ln->held)
        return ln->held_slot;
    while (ln->busy[n])
        n++;
    return n;
}

void byw_lanes_hold(struct byw_lanes *ln)
{
    ln->held_slot = byw_lanes_next(ln);
    ln->held = true;
}

void byw_lanes_take(struct byw_lanes *ln, const struct byw_lanes_request *req)
{
    uint32_t n = byw_lanes_next(ln);

    ln->slot[n].active = req->active;
    ln->slot[n].tag = req->tag;
    memcpy(ln->slot[n].word, req->word, sizeof(ln->slot[n].word));
    ln->busy[n] = true;
    ln->used++;
    ln->held = false;
}

const struct byw_lanes_slot *byw_lanes_give(struct byw_lanes *ln, uint32_t slot)
{
    ln->busy[slot] = false;
    ln->used--;
    return &ln->slot[slot];
}
