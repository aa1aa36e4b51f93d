/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_texture.h - arrays, texture and surface objects of the driver and of the runtime, and
 * copies of up to three dimensions.
 */
#ifndef BYW_CU_TEXTURE_H
#define BYW_CU_TEXTURE_H

#include "capture/cuda/byw_cu.h"
#include "capture/run/byw_cl_code.h"

/* cudaChannelFormatDesc */
struct byw_cu_channels {
    int bits[4];
    int kind; /* 0 signed, 1 unsigned, 2 floating */
};
struct byw_cu_extent {
    size_t width, height, depth;
};
#define BYW_CU_LAYERED 1u /* flags of an array; the others change nothing here */
#define BYW_CU_CUBE 4u /* its six faces are layers */

/* A handle is the address of this; kernels read its image as in OpenCL C (byw_cl_prelude.cl). */
struct byw_cu_texture {
    struct byw_cl_image image; /* first: kernels get its address */
    uint32_t sampler; /* encoded as in OpenCL C; bits 8 and 12: the modes of y and z */
};

struct byw_cu_array {
    struct byw_cu_channels channels;
    struct byw_cu_extent extent;
    unsigned flags;
    unsigned char *data;
    size_t row, slice; /* bytes */
};

/* How a texture is read: cudaTextureDesc's first words. Kinds of addressing: wrap, clamp, mirror,
 * border. */
struct byw_cu_sampling {
    int address[3];
    bool linear, normalized;
    float border[4];
    bool to_float; /* integers are read as numbers from 0 or -1 to 1 */
};

static inline uint32_t byw_cu_texel_bytes(const struct byw_cu_channels *c)
{
    return (uint32_t)(c->bits[0] + c->bits[1] + c->bits[2] + c->bits[3]) / 8;
}

BYW_CU_API enum byw_cu_error byw_cu_array_create(const struct byw_cu_channels *channels,
                                                 struct byw_cu_extent extent, unsigned flags,
                                                 struct byw_cu_array **array);
BYW_CU_API void byw_cu_array_free(struct byw_cu_array *array); /* NULL is allowed */

BYW_CU_API struct byw_cl_image byw_cu_image_of_array(const struct byw_cu_array *array);
/* Rows of memory; height and depth may be 0. */
BYW_CU_API struct byw_cl_image byw_cu_image_of_memory(void *data, const struct byw_cu_channels *c,
                                                      struct byw_cu_extent extent, size_t row);
/* NULL: out of memory. Freed by free(). Reports settings that are not supported: addressing that
 * differs between dimensions, and a border that is not 0. */
BYW_CU_API struct byw_cu_texture *byw_cu_texture_create(const struct byw_cl_image *image,
                                                        const struct byw_cu_sampling *sampling);

/* A side of a copy: bytes, rows and slices. */
struct byw_cu_side {
    unsigned char *data;
    size_t row, slice;
};
/* The part of an array that begins at a byte of a row of a slice. */
BYW_CU_API struct byw_cu_side byw_cu_side_of_array(const struct byw_cu_array *array, size_t x,
                                                   size_t y, size_t z);
struct byw_cu_box {
    struct byw_cu_side from, to;
    struct byw_cu_extent extent; /* bytes, rows, slices */
};
BYW_CU_API void byw_cu_copy_box(const struct byw_cu_box *box);

#endif
