/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver API: arrays, texture and surface objects, copies of up to three dimensions, and copies
 * between devices, of which there is one.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cu_driver.h"

/* CUDA_ARRAY_DESCRIPTOR, CUDA_ARRAY3D_DESCRIPTOR. */
struct flat {
    size_t width, height;
    int format;
    unsigned channels;
};
struct deep {
    size_t width, height, depth;
    int format;
    unsigned channels, flags;
};

/* CUarray_format: kind (byw_cu_channels) and bits. */
static const struct {
    int format, kind, bits;
} formats[] = {{0x01, 1, 8},  {0x02, 1, 16}, {0x03, 1, 32}, {0x08, 0, 8},
               {0x09, 0, 16}, {0x0a, 0, 32}, {0x10, 2, 16}, {0x20, 2, 32}};
#define FORMATS (sizeof(formats) / sizeof(formats[0]))

static bool read_format(int format, unsigned count, struct byw_cu_channels *channels)
{
    memset(channels, 0, sizeof(*channels));
    for (size_t i = 0; i < FORMATS && (count == 1 || count == 2 || count == 4); i++) {
        if (formats[i].format != format)
            continue;
        channels->kind = formats[i].kind;
        for (unsigned c = 0; c < count; c++)
            channels->bits[c] = formats[i].bits;
        return true;
    }
    return false;
}

CU(cuArray3DCreate_v2, CUarray *array, const struct deep *d)
{
    struct byw_cu_channels channels;

    if (!read_format(d->format, d->channels, &channels))
        return BYW_CU_INVALID_VALUE;
    return byw_cu_array_create(&channels, (struct byw_cu_extent){d->width, d->height, d->depth},
                               d->flags, array);
}

CU(cuArrayCreate_v2, CUarray *array, const struct flat *d)
{
    const struct deep deep = {d->width, d->height, 0, d->format, d->channels, 0};

    return cuArray3DCreate_v2(array, &deep);
}

CU(cuArrayDestroy, CUarray array)
{
    byw_cu_array_free(array);
    return BYW_CU_OK;
}

CU(cuArray3DGetDescriptor_v2, struct deep *d, CUarray array)
{
    if (array == NULL)
        return BYW_CU_INVALID_HANDLE;
    *d = (struct deep){array->extent.width, array->extent.height, array->extent.depth, 0, 0,
                       array->flags};
    for (unsigned c = 0; c < 4; c++)
        d->channels += array->channels.bits[c] != 0;
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i].kind == array->channels.kind && formats[i].bits == array->channels.bits[0])
            d->format = formats[i].format;
    return BYW_CU_OK;
}

CU(cuArrayGetDescriptor_v2, struct flat *d, CUarray array)
{
    struct deep deep;
    CUresult error = cuArray3DGetDescriptor_v2(&deep, array);

    if (error == BYW_CU_OK)
        *d = (struct flat){deep.width, deep.height, deep.format, deep.channels};
    return error;
}

/* --- textures and surfaces ----------------------------------------------------------------------
 */

enum { RESOURCE_ARRAY = 0, RESOURCE_LINEAR = 2, RESOURCE_PITCH = 3 };
struct resource {
    int type;
    union {
        CUarray array;
        struct {
            CUdeviceptr data;
            int format;
            unsigned channels;
            size_t size[3]; /* linear: bytes; pitch: width, height, pitch */
        } memory;
        int reserved[32];
    } of;
    unsigned flags;
};
enum { READ_AS_INTEGER = 1, NORMALIZED = 2, SRGB = 16 };
struct sampling {
    int address[3], filter;
    unsigned flags, anisotropy;
    int mip_filter;
    float mip_level[3], border[4];
};

static bool read_resource(const struct resource *r, struct byw_cl_image *image)
{
    void *data = (void *)(uintptr_t)r->of.memory.data;
    const size_t *size = r->of.memory.size;
    struct byw_cu_extent extent = {size[0], 1, 1};
    struct byw_cu_channels channels;

    if (r->type == RESOURCE_ARRAY && r->of.array != NULL) {
        *image = byw_cu_image_of_array(r->of.array);
        return true;
    }
    if ((r->type != RESOURCE_LINEAR && r->type != RESOURCE_PITCH) ||
        !read_format(r->of.memory.format, r->of.memory.channels, &channels))
        return false;
    if (r->type == RESOURCE_LINEAR)
        extent.width /= byw_cu_texel_bytes(&channels);
    else
        extent.height = size[1];
    *image = byw_cu_image_of_memory(data, &channels, extent,
                                    r->type == RESOURCE_LINEAR ? size[0] : size[2]);
    return true;
}

CU(cuTexObjectCreate, uint64_t *object, const struct resource *resource,
   const struct sampling *sampling, const void *view)
{
    struct byw_cu_sampling how = {.linear = sampling->filter != 0,
                                  .normalized = (sampling->flags & NORMALIZED) != 0,
                                  .to_float = (sampling->flags & READ_AS_INTEGER) == 0};
    struct byw_cl_image image;

    memcpy(how.address, sampling->address, sizeof(how.address));
    memcpy(how.border, sampling->border, sizeof(how.border));
    if (view != NULL || (sampling->flags & SRGB) != 0 || !read_resource(resource, &image))
        return BYW_CU_NOT_SUPPORTED;
    *object = (uint64_t)(uintptr_t)byw_cu_texture_create(&image, &how);
    return *object != 0 ? BYW_CU_OK : BYW_CU_NO_MEMORY;
}

CU(cuTexObjectDestroy, uint64_t object)
{
    free((void *)(uintptr_t)object);
    return BYW_CU_OK;
}

CU(cuSurfObjectCreate, uint64_t *object, const struct resource *resource)
{
    static const struct sampling plain = {.flags = READ_AS_INTEGER};

    return cuTexObjectCreate(object, resource, &plain, NULL);
}

CU(cuSurfObjectDestroy, uint64_t object)
{
    return cuTexObjectDestroy(object);
}

/* --- copies -------------------------------------------------------------------------------------
 */

static struct byw_cu_side side_of(const struct byw_cu_copy_side *s, size_t height)
{
    unsigned char *data = s->type == 1 ? s->host : (unsigned char *)(uintptr_t)s->device;
    size_t slice = s->pitch * (s->height != 0 ? s->height : height);

    if (s->type == 3)
        return byw_cu_side_of_array(s->array, s->x, s->y, s->z);
    return (struct byw_cu_side){data + s->z * slice + s->y * s->pitch + s->x, s->pitch, slice};
}

struct byw_cu_box byw_cu_box_of(const struct byw_cu_copy *copy)
{
    return (struct byw_cu_box){side_of(&copy->from, copy->height),
                               side_of(&copy->to, copy->height),
                               {copy->width, copy->height, copy->depth}};
}

CU(cuMemcpy3DAsync_v2, const struct byw_cu_copy *copy, CUstream stream)
{
    const struct byw_cu_box box = byw_cu_box_of(copy);

    return byw_cu_stream_copy(stream, &box);
}
CU_ALIAS(cuMemcpy3DPeerAsync, cuMemcpy3DAsync_v2);

CU(cuMemcpy3D_v2, const struct byw_cu_copy *copy)
{
    return cuMemcpy3DAsync_v2(copy, NULL);
}
CU_ALIAS(cuMemcpy3DPeer, cuMemcpy3D_v2);

/* CUDA_MEMCPY2D */
struct flat_side {
    size_t x, y;
    int type;
    void *host;
    CUdeviceptr device;
    CUarray array;
    size_t pitch;
};
struct flat_copy {
    struct flat_side from, to;
    size_t width, height;
};

static struct byw_cu_copy_side deep_side(const struct flat_side *s)
{
    return (struct byw_cu_copy_side){.x = s->x,
                                     .y = s->y,
                                     .type = s->type,
                                     .host = s->host,
                                     .device = s->device,
                                     .array = s->array,
                                     .pitch = s->pitch};
}

CU(cuMemcpy2DAsync_v2, const struct flat_copy *copy, CUstream stream)
{
    const struct byw_cu_copy deep = {deep_side(&copy->from), deep_side(&copy->to), copy->width,
                                     copy->height, 1};

    return cuMemcpy3DAsync_v2(&deep, stream);
}

CU(cuMemcpy2D_v2, const struct flat_copy *copy)
{
    return cuMemcpy2DAsync_v2(copy, NULL);
}
CU_ALIAS(cuMemcpy2DUnaligned_v2, cuMemcpy2D_v2);

static CUresult copy_line(struct byw_cu_side to, struct byw_cu_side from, size_t size,
                          CUstream stream)
{
    const struct byw_cu_box box = {from, to, {size, 1, 1}};

    return byw_cu_stream_copy(stream, &box);
}

static struct byw_cu_side at(const void *data)
{
    return (struct byw_cu_side){(unsigned char *)(uintptr_t)data, 0, 0};
}

static struct byw_cu_side in(CUarray array, size_t offset)
{
    return byw_cu_side_of_array(array, offset, 0, 0);
}

CU(cuMemcpyHtoAAsync_v2, CUarray to, size_t offset, const void *from, size_t size, CUstream stream)
{
    return copy_line(in(to, offset), at(from), size, stream);
}

CU(cuMemcpyHtoA_v2, CUarray to, size_t offset, const void *from, size_t size)
{
    return cuMemcpyHtoAAsync_v2(to, offset, from, size, NULL);
}

CU(cuMemcpyAtoHAsync_v2, void *to, CUarray from, size_t offset, size_t size, CUstream stream)
{
    return copy_line(at(to), in(from, offset), size, stream);
}

CU(cuMemcpyAtoH_v2, void *to, CUarray from, size_t offset, size_t size)
{
    return cuMemcpyAtoHAsync_v2(to, from, offset, size, NULL);
}

CU(cuMemcpyDtoA_v2, CUarray to, size_t offset, CUdeviceptr from, size_t size)
{
    return copy_line(in(to, offset), at((void *)(uintptr_t)from), size, NULL);
}

CU(cuMemcpyAtoD_v2, CUdeviceptr to, CUarray from, size_t offset, size_t size)
{
    return copy_line(at((void *)(uintptr_t)to), in(from, offset), size, NULL);
}

CU(cuMemcpyAtoA_v2, CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t size)
{
    return copy_line(in(to, to_offset), in(from, from_offset), size, NULL);
}

CU(cuMemcpyPeerAsync, CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
   CUcontext from_context, size_t size, CUstream stream)
{
    (void)to_context, (void)from_context;
    return copy_line(at((void *)(uintptr_t)to), at((void *)(uintptr_t)from), size, stream);
}

CU(cuMemcpyPeer, CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
   size_t size)
{
    return cuMemcpyPeerAsync(to, to_context, from, from_context, size, NULL);
}

/* There is no second device whose memory could be reached. */
CU(cuCtxEnablePeerAccess, CUcontext peer, unsigned flags)
{
    (void)peer, (void)flags;
    return BYW_CU_INVALID_DEVICE;
}

CU(cuCtxDisablePeerAccess, CUcontext peer)
{
    (void)peer;
    return BYW_CU_PEER_NOT_ENABLED;
}

CU(cuDeviceGetP2PAttribute, int *value, int attribute, CUdevice from, CUdevice to)
{
    (void)attribute, (void)from, (void)to;
    *value = 0;
    return BYW_CU_INVALID_DEVICE; /* a device is no peer of itself */
}
