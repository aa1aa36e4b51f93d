/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/cuda/byw_cu_texture.h"

#include <stdlib.h>
#include <string.h>

/* cl_channel_order and cl_channel_type. */
static uint32_t order_of(const struct byw_cu_channels *c)
{
    return c->bits[1] == 0 ? 0x10b0 : c->bits[2] == 0 ? 0x10b2 : 0x10b5;
}

static uint32_t type_of(const struct byw_cu_channels *c)
{
    uint32_t size = c->bits[0] == 8 ? 0 : c->bits[0] == 16 ? 1 : 2;

    if (c->kind == 2)
        return c->bits[0] == 16 ? 0x10dd : 0x10de;
    return (c->kind == 0 ? 0x10d7 : 0x10da) + size;
}

static size_t at_least_one(size_t n)
{
    return n == 0 ? 1 : n;
}

struct byw_cl_image byw_cu_image_of_memory(void *data, const struct byw_cu_channels *c,
                                           struct byw_cu_extent extent, size_t row)
{
    struct byw_cl_image image = {.data = (uint64_t)(uintptr_t)data,
                                 .row = row,
                                 .slice = row * at_least_one(extent.height),
                                 .order = order_of(c),
                                 .type = type_of(c),
                                 .bytes = byw_cu_texel_bytes(c)};

    image.size[0] = (int32_t)extent.width;
    image.size[1] = (int32_t)at_least_one(extent.height);
    image.size[2] = (int32_t)at_least_one(extent.depth);
    return image;
}

struct byw_cl_image byw_cu_image_of_array(const struct byw_cu_array *a)
{
    struct byw_cl_image image = byw_cu_image_of_memory(a->data, &a->channels, a->extent, a->row);

    if ((a->flags & (BYW_CU_LAYERED | BYW_CU_CUBE)) != 0) {
        image.layers = image.size[2];
        image.size[2] = 1;
    }
    return image;
}

enum byw_cu_error byw_cu_array_create(const struct byw_cu_channels *channels,
                                      struct byw_cu_extent extent, unsigned flags,
                                      struct byw_cu_array **array)
{
    struct byw_cu_array *a = calloc(1, sizeof(*a));

    if (a == NULL)
        return BYW_CU_NO_MEMORY;
    a->channels = *channels;
    a->extent = extent;
    a->flags = flags;
    a->row = extent.width * byw_cu_texel_bytes(channels);
    a->slice = a->row * at_least_one(extent.height);
    if (a->row == 0) {
        free(a);
        return BYW_CU_INVALID_VALUE;
    }
    a->data = byw_cu_take(a->slice * at_least_one(extent.depth));
    *array = a;
    if (a->data != NULL)
        return BYW_CU_OK;
    free(a);
    return BYW_CU_NO_MEMORY;
}

void byw_cu_array_free(struct byw_cu_array *array)
{
    if (array != NULL)
        byw_cu_give(array->data);
    free(array);
}

#define BORDER 2u

static uint32_t mode_of(const struct byw_cu_sampling *s, unsigned dimension)
{
    static const uint32_t modes[] = {3, 1, 4, BORDER};
    uint32_t mode = modes[s->address[dimension] & 3];

    return !s->normalized && (mode == 3 || mode == 4) ? 1 : mode; /* as the hardware does */
}

static uint32_t sampler_of(const struct byw_cu_sampling *s)
{
    return (s->normalized ? 1u : 0u) | mode_of(s, 0) << 1 | (s->linear ? 0x20u : 0x10u) |
           mode_of(s, 1) << 8 | mode_of(s, 2) << 12;
}

static void say_lacks(const struct byw_cl_image *image, const struct byw_cu_sampling *s)
{
    bool border = false, color = false;

    for (unsigned d = 0; d < 3; d++)
        border |= image->size[d] > 1 && mode_of(s, d) == BORDER;
    for (unsigned i = 0; i < 4 && border; i++)
        color |= s->border[i] != 0;
    if (color)
        byw_cu_say("a texture has a border that is not 0, which is not supported: 0 is used");
}

struct byw_cu_texture *byw_cu_texture_create(const struct byw_cl_image *image,
                                             const struct byw_cu_sampling *sampling)
{
    struct byw_cu_texture *t = calloc(1, sizeof(*t));

    if (t == NULL)
        return NULL;
    t->image = *image;
    if (sampling->to_float && image->type >= 0x10d7 && image->type < 0x10dd)
        t->image.type -= image->type >= 0x10da ? 8u : 7u;
    t->sampler = sampler_of(sampling);
    say_lacks(image, sampling);
    return t;
}

struct byw_cu_side byw_cu_side_of_array(const struct byw_cu_array *a, size_t x, size_t y, size_t z)
{
    return (struct byw_cu_side){a->data + z * a->slice + y * a->row + x, a->row, a->slice};
}

void byw_cu_copy_box(const struct byw_cu_box *box)
{
    for (size_t z = 0; z < box->extent.depth; z++)
        for (size_t y = 0; y < box->extent.height; y++)
            memmove(box->to.data + z * box->to.slice + y * box->to.row,
                    box->from.data + z * box->from.slice + y * box->from.row, box->extent.width);
}
