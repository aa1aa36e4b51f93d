/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays, texture and surface objects.  A handle is the address of a struct byw_cudart_texture,
 * whose image kernels read as in OpenCL C (byw_cl_prelude.cl).
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cudart.h"
#include "capture/run/byw_cl_code.h"

struct channels {
    int bits[4];
    int kind; /* 0 signed, 1 unsigned, 2 floating */
};
struct extent {
    size_t width, height, depth;
};

struct byw_cudart_texture {
    struct byw_cl_image image; /* first: kernels get its address */
    uint32_t sampler; /* encoded as in OpenCL C */
};

typedef struct byw_cudart_array {
    struct channels channels;
    struct extent extent;
    bool layered;
    unsigned char *data;
    size_t row, slice; /* bytes */
} * cudaArray_t;

static uint32_t texel_bytes(const struct channels *c)
{
    return (uint32_t)(c->bits[0] + c->bits[1] + c->bits[2] + c->bits[3]) / 8;
}

/* cl_channel_order and cl_channel_type. */
static uint32_t order_of(const struct channels *c)
{
    return c->bits[1] == 0 ? 0x10b0 : c->bits[2] == 0 ? 0x10b2 : 0x10b5;
}

static uint32_t type_of(const struct channels *c, bool normalized)
{
    uint32_t size = c->bits[0] == 8 ? 0 : c->bits[0] == 16 ? 1 : 2;

    if (c->kind == 2)
        return c->bits[0] == 16 ? 0x10dd : 0x10de;
    if (normalized && size < 2)
        return (c->kind == 0 ? 0x10d0 : 0x10d2) + size;
    return (c->kind == 0 ? 0x10d7 : 0x10da) + size;
}

static struct byw_cl_image image_of(void *data, const struct channels *c, struct extent extent,
                                    size_t row, size_t slice)
{
    struct byw_cl_image image = {.data = (uint64_t)(uintptr_t)data,
                                 .row = row,
                                 .slice = slice,
                                 .order = order_of(c),
                                 .type = type_of(c, false),
                                 .bytes = texel_bytes(c)};

    image.size[0] = (int32_t)extent.width;
    image.size[1] = extent.height == 0 ? 1 : (int32_t)extent.height;
    image.size[2] = extent.depth == 0 ? 1 : (int32_t)extent.depth;
    return image;
}

static struct byw_cl_image image_of_array(const struct byw_cudart_array *a)
{
    struct byw_cl_image image = image_of(a->data, &a->channels, a->extent, a->row, a->slice);

    if (a->layered) {
        image.layers = image.size[2];
        image.size[2] = 1;
    }
    return image;
}

BYW_CUDART(struct channels) cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
struct channels cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
    return (struct channels){{x, y, z, w}, kind};
}

BYW_CUDART(cudaError_t)
cudaMalloc3DArray(cudaArray_t *array, const struct channels *channels, struct extent extent,
                  unsigned flags);
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct channels *channels,
                              struct extent extent, unsigned flags)
{
    struct byw_cudart_array *a = calloc(1, sizeof(*a));
    size_t rows = extent.height == 0 ? 1 : extent.height;

    if (a == NULL)
        return byw_cudart_error(BYW_CU_NO_MEMORY);
    a->channels = *channels;
    a->extent = extent;
    a->layered = (flags & 1) != 0;
    a->row = extent.width * texel_bytes(channels);
    a->slice = a->row * rows;
    a->data = byw_cu_take(a->slice * (extent.depth == 0 ? 1 : extent.depth));
    *array = a;
    if (a->data != NULL)
        return 0;
    free(a);
    return byw_cudart_error(BYW_CU_NO_MEMORY);
}

BYW_CUDART(cudaError_t)
cudaMallocArray(cudaArray_t *array, const struct channels *channels, size_t width, size_t height,
                unsigned flags);
cudaError_t cudaMallocArray(cudaArray_t *array, const struct channels *channels, size_t width,
                            size_t height, unsigned flags)
{
    return cudaMalloc3DArray(array, channels, (struct extent){width, height, 0}, flags & ~1u);
}

BYW_CUDART(cudaError_t) cudaFreeArray(cudaArray_t array);
cudaError_t cudaFreeArray(cudaArray_t array)
{
    if (array != NULL)
        byw_cu_give(array->data);
    free(array);
    return 0;
}

static cudaError_t copy_rows(unsigned char *to, size_t to_row, const unsigned char *from,
                             size_t from_row, size_t width, size_t height)
{
    for (size_t y = 0; y < height; y++)
        memmove(to + y * to_row, from + y * from_row, width);
    return 0;
}

BYW_CUDART(cudaError_t)
cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                    size_t width, size_t height, int kind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, int kind)
{
    (void)kind;
    if (to == NULL || x + width > to->row || (y + height) * to->row > to->slice)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    return copy_rows(to->data + y * to->row + x, to->row, from, pitch, width, height);
}

BYW_CUDART(cudaError_t)
cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size, int kind);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size,
                              int kind)
{
    (void)kind;
    if (to == NULL || y * to->row + x + size > to->slice)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    memmove(to->data + y * to->row + x, from, size);
    return 0;
}

BYW_CUDART(cudaError_t)
cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y, size_t width,
                      size_t height, int kind);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y,
                                  size_t width, size_t height, int kind)
{
    (void)kind;
    if (from == NULL || x + width > from->row || (y + height) * from->row > from->slice)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    return copy_rows(to, pitch, from->data + y * from->row + x, from->row, width, height);
}

struct end {
    cudaArray_t array;
    size_t x, y, z;
    unsigned char *data;
    size_t pitch, width, height;
};
struct copy_3d {
    struct end from, to;
    struct extent extent;
    int kind;
};

/* Address at which row y of slice z of one end begins. */
static unsigned char *row_of(const struct end *e, size_t y, size_t z)
{
    if (e->array != NULL)
        return e->array->data + (e->z + z) * e->array->slice + (e->y + y) * e->array->row +
               e->x * texel_bytes(&e->array->channels);
    return e->data + ((e->z + z) * e->height + e->y + y) * e->pitch + e->x;
}

BYW_CUDART(cudaError_t) cudaMemcpy3D(const struct copy_3d *copy);
cudaError_t cudaMemcpy3D(const struct copy_3d *copy)
{
    const struct byw_cudart_array *array =
        copy->from.array != NULL ? copy->from.array : copy->to.array;
    size_t width = copy->extent.width * (array != NULL ? texel_bytes(&array->channels) : 1);

    for (size_t z = 0; z < copy->extent.depth; z++)
        for (size_t y = 0; y < copy->extent.height; y++)
            memmove(row_of(&copy->to, y, z), row_of(&copy->from, y, z), width);
    return 0;
}

enum { RESOURCE_ARRAY = 0, RESOURCE_LINEAR = 2, RESOURCE_PITCH = 3 };
struct resource {
    int type;
    union {
        cudaArray_t array;
        struct {
            void *data;
            struct channels channels;
            size_t size[3]; /* linear: bytes; pitch: width, height, pitch */
        } memory;
        int reserved[32];
    } of;
    unsigned flags;
};
struct sampling {
    int address[3], filter, read, srgb;
    float border[4];
    int normalized;
};

static bool read_resource(const struct resource *r, struct byw_cl_image *image)
{
    const struct channels *c = &r->of.memory.channels;
    const size_t *size = r->of.memory.size;
    struct extent extent = {0, 1, 1};

    switch (r->type) {
    case RESOURCE_ARRAY:
        *image = image_of_array(r->of.array);
        return true;
    case RESOURCE_LINEAR:
        extent.width = size[0] / texel_bytes(c);
        *image = image_of(r->of.memory.data, c, extent, size[0], size[0]);
        return true;
    case RESOURCE_PITCH:
        extent.width = size[0];
        extent.height = size[1];
        *image = image_of(r->of.memory.data, c, extent, size[2], size[2] * size[1]);
        return true;
    default:
        return false;
    }
}

/* Kinds of addressing: wrap, clamp, mirror, border. */
static uint32_t sampler_of(const struct sampling *s)
{
    static const uint32_t modes[] = {3, 1, 4, 2};
    uint32_t mode = modes[s->address[0] & 3];

    if (!s->normalized && (mode == 3 || mode == 4))
        mode = 1; /* as the hardware does */
    return (s->normalized ? 1u : 0u) | mode << 1 | (s->filter ? 0x20u : 0x10u);
}

BYW_CUDART(cudaError_t)
cudaCreateTextureObject(uint64_t *object, const struct resource *resource,
                        const struct sampling *sampling, const void *view);
cudaError_t cudaCreateTextureObject(uint64_t *object, const struct resource *resource,
                                    const struct sampling *sampling, const void *view)
{
    struct byw_cudart_texture *t = calloc(1, sizeof(*t));

    (void)view;
    if (t == NULL)
        return byw_cudart_error(BYW_CU_NO_MEMORY);
    if (!read_resource(resource, &t->image)) {
        free(t);
        return byw_cudart_error(BYW_CU_NOT_SUPPORTED);
    }
    if (sampling->read == 1 && t->image.type >= 0x10d7 && t->image.type < 0x10dd)
        t->image.type -= t->image.type >= 0x10da ? 8u : 7u;
    t->sampler = sampler_of(sampling);
    *object = (uint64_t)(uintptr_t)t;
    return 0;
}

BYW_CUDART(cudaError_t) cudaDestroyTextureObject(uint64_t object);
cudaError_t cudaDestroyTextureObject(uint64_t object)
{
    free((void *)(uintptr_t)object);
    return 0;
}

BYW_CUDART(cudaError_t) cudaCreateSurfaceObject(uint64_t *object, const struct resource *resource);
cudaError_t cudaCreateSurfaceObject(uint64_t *object, const struct resource *resource)
{
    static const struct sampling plain = {.filter = 0};

    return cudaCreateTextureObject(object, resource, &plain, NULL);
}

BYW_CUDART(cudaError_t) cudaDestroySurfaceObject(uint64_t object);
cudaError_t cudaDestroySurfaceObject(uint64_t object)
{
    return cudaDestroyTextureObject(object);
}
