/* SPDX-License-Identifier: Apache-2.0
 *
 * Runtime API: arrays, texture and surface objects, copies of up to three dimensions.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cudart_copy.h"

typedef struct byw_cu_array *cudaArray_t;

BYW_CUDART(struct byw_cu_channels) cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
struct byw_cu_channels cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
    return (struct byw_cu_channels){{x, y, z, w}, kind};
}

BYW_CUDART(cudaError_t)
cudaMalloc3DArray(cudaArray_t *array, const struct byw_cu_channels *channels,
                  struct byw_cu_extent extent, unsigned flags);
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct byw_cu_channels *channels,
                              struct byw_cu_extent extent, unsigned flags)
{
    return byw_cudart_error(byw_cu_array_create(channels, extent, flags, array));
}

BYW_CUDART(cudaError_t)
cudaMallocArray(cudaArray_t *array, const struct byw_cu_channels *channels, size_t width,
                size_t height, unsigned flags);
cudaError_t cudaMallocArray(cudaArray_t *array, const struct byw_cu_channels *channels,
                            size_t width, size_t height, unsigned flags)
{
    return cudaMalloc3DArray(array, channels, (struct byw_cu_extent){width, height, 0},
                             flags & ~BYW_CU_LAYERED);
}

BYW_CUDART(cudaError_t) cudaFreeArray(cudaArray_t array);
cudaError_t cudaFreeArray(cudaArray_t array)
{
    byw_cu_array_free(array);
    return 0;
}

BYW_CUDART(cudaError_t)
cudaArrayGetInfo(struct byw_cu_channels *channels, struct byw_cu_extent *extent, unsigned *flags,
                 cudaArray_t array);
cudaError_t cudaArrayGetInfo(struct byw_cu_channels *channels, struct byw_cu_extent *extent,
                             unsigned *flags, cudaArray_t array)
{
    if (array == NULL)
        return byw_cudart_error(BYW_CU_INVALID_HANDLE);
    if (channels != NULL)
        *channels = array->channels;
    if (extent != NULL)
        *extent = array->extent;
    if (flags != NULL)
        *flags = array->flags;
    return 0;
}

BYW_CUDART(cudaError_t) cudaGetChannelDesc(struct byw_cu_channels *channels, cudaArray_t array);
cudaError_t cudaGetChannelDesc(struct byw_cu_channels *channels, cudaArray_t array)
{
    return cudaArrayGetInfo(channels, NULL, NULL, array);
}

cudaError_t byw_cudart_copy(const struct byw_cu_box *box, cudaStream_t stream)
{
    return byw_cudart_error(byw_cu_stream_copy(stream, box));
}

static bool fits(const struct byw_cu_array *a, size_t x, size_t y, size_t width, size_t height)
{
    return a != NULL && x + width <= a->row && (y + height) * a->row <= a->slice;
}

static cudaError_t copy(struct byw_cu_side to, struct byw_cu_side from, size_t width, size_t height,
                        cudaStream_t stream)
{
    const struct byw_cu_box box = {from, to, {width, height, 1}};

    return byw_cudart_copy(&box, stream);
}

static struct byw_cu_side memory(const void *data, size_t pitch)
{
    return (struct byw_cu_side){(unsigned char *)(uintptr_t)data, pitch, 0};
}

BYW_CUDART(cudaError_t)
cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                         size_t width, size_t height, int kind, cudaStream_t stream);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height, int kind,
                                     cudaStream_t stream)
{
    (void)kind;
    if (!fits(to, x, y, width, height))
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    return copy(byw_cu_side_of_array(to, x, y, 0), memory(from, pitch), width, height, stream);
}

BYW_CUDART(cudaError_t)
cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                    size_t width, size_t height, int kind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, int kind)
{
    return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, NULL);
}

BYW_CUDART(cudaError_t)
cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t size, int kind,
                       cudaStream_t stream);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                   size_t size, int kind, cudaStream_t stream)
{
    (void)kind;
    if (to == NULL || y * to->row + x + size > to->slice)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    return copy(byw_cu_side_of_array(to, x, y, 0), memory(from, size), size, 1, stream);
}

BYW_CUDART(cudaError_t)
cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size, int kind);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size,
                              int kind)
{
    return cudaMemcpyToArrayAsync(to, x, y, from, size, kind, NULL);
}

BYW_CUDART(cudaError_t)
cudaMemcpyFromArrayAsync(void *to, cudaArray_t from, size_t x, size_t y, size_t size, int kind,
                         cudaStream_t stream);
cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_t from, size_t x, size_t y, size_t size,
                                     int kind, cudaStream_t stream)
{
    (void)kind;
    if (from == NULL || y * from->row + x + size > from->slice)
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    return copy(memory(to, size), byw_cu_side_of_array(from, x, y, 0), size, 1, stream);
}

BYW_CUDART(cudaError_t)
cudaMemcpyFromArray(void *to, cudaArray_t from, size_t x, size_t y, size_t size, int kind);
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_t from, size_t x, size_t y, size_t size,
                                int kind)
{
    return cudaMemcpyFromArrayAsync(to, from, x, y, size, kind, NULL);
}

BYW_CUDART(cudaError_t)
cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y,
                           size_t width, size_t height, int kind, cudaStream_t stream);
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y,
                                       size_t width, size_t height, int kind, cudaStream_t stream)
{
    (void)kind;
    if (!fits(from, x, y, width, height))
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    return copy(memory(to, pitch), byw_cu_side_of_array(from, x, y, 0), width, height, stream);
}

BYW_CUDART(cudaError_t)
cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y, size_t width,
                      size_t height, int kind);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y,
                                  size_t width, size_t height, int kind)
{
    return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, NULL);
}

BYW_CUDART(cudaError_t)
cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from, size_t from_x,
                         size_t from_y, size_t width, size_t height, int kind);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     int kind)
{
    (void)kind;
    if (!fits(from, from_x, from_y, width, height) || !fits(to, to_x, to_y, width, height))
        return byw_cudart_error(BYW_CU_INVALID_VALUE);
    return copy(byw_cu_side_of_array(to, to_x, to_y, 0),
                byw_cu_side_of_array(from, from_x, from_y, 0), width, height, NULL);
}

/* The rows of one end of a copy. Its x counts bytes in linear memory and texels in an array. */
static struct byw_cu_side side_of(const struct byw_cudart_end *e)
{
    struct byw_cu_side side = {e->data, e->pitch, e->pitch * e->height};

    if (e->array != NULL)
        return byw_cu_side_of_array(e->array, e->x * byw_cu_texel_bytes(&e->array->channels), e->y,
                                    e->z);
    side.data += e->z * side.slice + e->y * side.row + e->x;
    return side;
}

struct byw_cu_box byw_cudart_box(const struct byw_cudart_copy *copy)
{
    const struct byw_cu_array *array = copy->from.array != NULL ? copy->from.array : copy->to.array;
    struct byw_cu_box box = {side_of(&copy->from), side_of(&copy->to), copy->extent};

    box.extent.width *= array != NULL ? byw_cu_texel_bytes(&array->channels) : 1;
    return box;
}

BYW_CUDART(cudaError_t) cudaMemcpy3DAsync(const struct byw_cudart_copy *copy, cudaStream_t stream);
cudaError_t cudaMemcpy3DAsync(const struct byw_cudart_copy *copied, cudaStream_t stream)
{
    const struct byw_cu_box box = byw_cudart_box(copied);

    return byw_cudart_copy(&box, stream);
}

BYW_CUDART(cudaError_t) cudaMemcpy3D(const struct byw_cudart_copy *copy);
cudaError_t cudaMemcpy3D(const struct byw_cudart_copy *copied)
{
    return cudaMemcpy3DAsync(copied, NULL);
}

/* cudaMemcpy3DPeerParms: each end with its device. */
struct peer_copy {
    struct byw_cudart_end from;
    int from_device;
    struct byw_cudart_end to;
    int to_device;
    struct byw_cu_extent extent;
};

BYW_CUDART(cudaError_t) cudaMemcpy3DPeerAsync(const struct peer_copy *copy, cudaStream_t stream);
cudaError_t cudaMemcpy3DPeerAsync(const struct peer_copy *peer, cudaStream_t stream)
{
    const struct byw_cudart_copy plain = {peer->from, peer->to, peer->extent, 3};

    return cudaMemcpy3DAsync(&plain, stream);
}

BYW_CUDART(cudaError_t) cudaMemcpy3DPeer(const struct peer_copy *copy);
cudaError_t cudaMemcpy3DPeer(const struct peer_copy *peer)
{
    return cudaMemcpy3DPeerAsync(peer, NULL);
}

enum { RESOURCE_ARRAY = 0, RESOURCE_LINEAR = 2, RESOURCE_PITCH = 3 };
struct resource {
    int type;
    union {
        cudaArray_t array;
        struct {
            void *data;
            struct byw_cu_channels channels;
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
    const struct byw_cu_channels *c = &r->of.memory.channels;
    const size_t *size = r->of.memory.size;
    struct byw_cu_extent extent = {0, 1, 1};

    if (r->type == RESOURCE_ARRAY ? r->of.array == NULL : byw_cu_texel_bytes(c) == 0)
        return false;
    switch (r->type) {
    case RESOURCE_ARRAY:
        *image = byw_cu_image_of_array(r->of.array);
        return true;
    case RESOURCE_LINEAR:
        extent.width = size[0] / byw_cu_texel_bytes(c);
        *image = byw_cu_image_of_memory(r->of.memory.data, c, extent, size[0]);
        return true;
    case RESOURCE_PITCH:
        extent.width = size[0];
        extent.height = size[1];
        *image = byw_cu_image_of_memory(r->of.memory.data, c, extent, size[2]);
        return true;
    default:
        return false;
    }
}

BYW_CUDART(cudaError_t)
cudaCreateTextureObject(uint64_t *object, const struct resource *resource,
                        const struct sampling *sampling, const void *view);
cudaError_t cudaCreateTextureObject(uint64_t *object, const struct resource *resource,
                                    const struct sampling *sampling, const void *view)
{
    struct byw_cu_sampling how = {.linear = sampling->filter != 0,
                                  .normalized = sampling->normalized != 0,
                                  .to_float = sampling->read == 1};
    struct byw_cl_image image;

    memcpy(how.address, sampling->address, sizeof(how.address));
    memcpy(how.border, sampling->border, sizeof(how.border));
    if (view != NULL || sampling->srgb != 0 || !read_resource(resource, &image))
        return byw_cudart_error(BYW_CU_NOT_SUPPORTED);
    *object = (uint64_t)(uintptr_t)byw_cu_texture_create(&image, &how);
    return *object != 0 ? 0 : byw_cudart_error(BYW_CU_NO_MEMORY);
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
