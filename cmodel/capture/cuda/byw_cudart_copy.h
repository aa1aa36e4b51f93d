/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cudart_copy.h - copies of up to three dimensions of the runtime library.
 */
#ifndef BYW_CUDART_COPY_H
#define BYW_CUDART_COPY_H

#include "capture/cuda/byw_cu_texture.h"
#include "capture/cuda/byw_cudart.h"

/* cudaMemcpy3DParms */
struct byw_cudart_end {
    struct byw_cu_array *array; /* NULL: memory */
    size_t x, y, z;
    unsigned char *data;
    size_t pitch, width, height;
};
struct byw_cudart_copy {
    struct byw_cudart_end from, to;
    struct byw_cu_extent extent;
    int kind;
};
struct byw_cu_box byw_cudart_box(const struct byw_cudart_copy *copy);

/* Copies at once, or records the copy in the graph that the stream captures. */
cudaError_t byw_cudart_copy(const struct byw_cu_box *box, cudaStream_t stream);

#endif
