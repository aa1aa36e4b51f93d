/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands on images: read, write, copy, fill, map.
 */
#include <string.h>

#include "capture/opencl/byw_cl.h"

/* Texels, rows and slices of an image; layers count as rows of 1-D and slices of 2-D arrays. */
static void extent(cl_mem mem, size_t size[3])
{
    for (int d = 0; d < 3; d++)
        size[d] = (size_t)mem->image.size[d];
    if (mem->type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
        size[1] = (size_t)mem->image.layers;
    if (mem->type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
        size[2] = (size_t)mem->image.layers;
}

/* The image's side of a copy; bytes[]: the region in bytes, rows and slices. */
static cl_int image_box(cl_mem mem, const size_t *origin, const size_t *region,
                        struct byw_cl_box *box, size_t bytes[3])
{
    size_t size[3];

    if (origin == NULL || region == NULL)
        return CL_INVALID_VALUE;
    extent(mem, size);
    for (int d = 0; d < 3; d++)
        if (region[d] == 0 || origin[d] > size[d] || region[d] > size[d] - origin[d])
            return CL_INVALID_VALUE;
    *box = (struct byw_cl_box){.data = mem->data,
                               .origin = {origin[0] * mem->image.bytes, origin[1], origin[2]},
                               .row = mem->image.row,
                               .slice = mem->image.slice};
    bytes[0] = region[0] * mem->image.bytes;
    bytes[1] = region[1];
    bytes[2] = region[2];
    return CL_SUCCESS;
}

/* The side in host memory, without gaps or with the given pitches. */
static cl_int plain_box(const void *data, size_t offset, size_t row, size_t slice,
                        const size_t bytes[3], struct byw_cl_box *box)
{
    if (data == NULL || (row != 0 && row < bytes[0]))
        return CL_INVALID_VALUE;
    *box = (struct byw_cl_box){.data = (unsigned char *)(uintptr_t)data,
                               .origin = {offset, 0, 0},
                               .row = row == 0 ? bytes[0] : row};
    box->slice = slice == 0 ? box->row * bytes[1] : slice;
    return CL_SUCCESS;
}

cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                          const size_t *origin, const size_t *region, size_t row, size_t slice,
                          void *host, cl_uint count, const cl_event *list, cl_event *event)
{
    struct byw_cl_box from, to;
    size_t bytes[3];
    cl_int code = byw_cl_check_host(queue, mem, true, false);

    if (code == CL_SUCCESS)
        code = image_box(mem, origin, region, &from, bytes);
    if (code == CL_SUCCESS)
        code = plain_box(host, 0, row, slice, bytes, &to);
    if (code != CL_SUCCESS)
        return code;
    return byw_cl_copy(queue, CL_COMMAND_READ_IMAGE, mem, NULL, &from, &to, bytes, blocking, count,
                       list, event);
}

cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                           const size_t *origin, const size_t *region, size_t row, size_t slice,
                           const void *host, cl_uint count, const cl_event *list, cl_event *event)
{
    struct byw_cl_box from, to;
    size_t bytes[3];
    cl_int code = byw_cl_check_host(queue, mem, true, true);

    if (code == CL_SUCCESS)
        code = image_box(mem, origin, region, &to, bytes);
    if (code == CL_SUCCESS)
        code = plain_box(host, 0, row, slice, bytes, &from);
    if (code != CL_SUCCESS)
        return code;
    return byw_cl_copy(queue, CL_COMMAND_WRITE_IMAGE, NULL, mem, &from, &to, bytes, blocking, count,
                       list, event);
}

cl_int clEnqueueCopyImage(cl_command_queue queue, cl_mem source, cl_mem target,
                          const size_t *source_origin, const size_t *target_origin,
                          const size_t *region, cl_uint count, const cl_event *list,
                          cl_event *event)
{
    struct byw_cl_box from, to;
    size_t bytes[3];
    cl_int code = byw_cl_check_mem(queue, source, true);

    if (code == CL_SUCCESS)
        code = byw_cl_check_mem(queue, target, true);
    if (code == CL_SUCCESS &&
        (source->image.order != target->image.order || source->image.type != target->image.type))
        code = CL_IMAGE_FORMAT_MISMATCH;
    if (code == CL_SUCCESS)
        code = image_box(source, source_origin, region, &from, bytes);
    if (code == CL_SUCCESS)
        code = image_box(target, target_origin, region, &to, bytes);
    if (code != CL_SUCCESS)
        return code;
    return byw_cl_copy(queue, CL_COMMAND_COPY_IMAGE, source, target, &from, &to, bytes, false,
                       count, list, event);
}

/* The two boxes of a copy between an image and a packed run of bytes in a buffer. */
static cl_int image_and_buffer(cl_command_queue queue, cl_mem image, cl_mem buffer,
                               const size_t *origin, const size_t *region, size_t offset,
                               struct byw_cl_box *of_image, struct byw_cl_box *of_buffer,
                               size_t bytes[3])
{
    cl_int code = byw_cl_check_mem(queue, image, true);

    if (code == CL_SUCCESS)
        code = byw_cl_check_mem(queue, buffer, false);
    if (code == CL_SUCCESS)
        code = image_box(image, origin, region, of_image, bytes);
    if (code == CL_SUCCESS && offset + bytes[0] * bytes[1] * bytes[2] > buffer->size)
        code = CL_INVALID_VALUE;
    if (code == CL_SUCCESS)
        code = plain_box(buffer->data, offset, 0, 0, bytes, of_buffer);
    return code;
}

cl_int clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image, cl_mem buffer,
                                  const size_t *origin, const size_t *region, size_t offset,
                                  cl_uint count, const cl_event *list, cl_event *event)
{
    struct byw_cl_box from, to;
    size_t bytes[3];
    cl_int code = image_and_buffer(queue, image, buffer, origin, region, offset, &from, &to, bytes);

    if (code != CL_SUCCESS)
        return code;
    return byw_cl_copy(queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, image, buffer, &from, &to, bytes,
                       false, count, list, event);
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem buffer, cl_mem image,
                                  size_t offset, const size_t *origin, const size_t *region,
                                  cl_uint count, const cl_event *list, cl_event *event)
{
    struct byw_cl_box from, to;
    size_t bytes[3];
    cl_int code = image_and_buffer(queue, image, buffer, origin, region, offset, &to, &from, bytes);

    if (code != CL_SUCCESS)
        return code;
    return byw_cl_copy(queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, buffer, image, &from, &to, bytes,
                       false, count, list, event);
}

/* Rounds to nearest even. */
static uint32_t to_half(float f)
{
    float size = f < 0 ? -f : f, scale = 0x1p-14f;
    uint32_t sign = f < 0 ? 0x8000u : 0, exponent = 1;
    float rounded;

    if (!(size < 65520.0f))
        return sign | (size >= 65520.0f ? 0x7c00u : 0x7e00u);
    for (; size >= 2 * scale; scale *= 2)
        exponent++;
    rounded = size / scale * 1024.0f; /* below 2048; adding 2^23 rounds it to an integer */
    rounded = rounded + 0x1p23f - 0x1p23f;
    return sign | (((exponent - 1) << 10) + (uint32_t)rounded);
}

/* Encodes a colour in the texel's format. */
static uint32_t encode(uint32_t type, float f, uint32_t bits)
{
    const float most = type == CL_UNORM_INT8    ? 255.0f
                       : type == CL_UNORM_INT16 ? 65535.0f
                       : type == CL_SNORM_INT8  ? 127.0f
                                                : 32767.0f;
    const float least = type == CL_SNORM_INT8 || type == CL_SNORM_INT16 ? -1.0f : 0.0f;

    switch (type) {
    case CL_UNORM_INT8:
    case CL_UNORM_INT16:
    case CL_SNORM_INT8:
    case CL_SNORM_INT16:
        f = f > 1.0f ? 1.0f : f > least ? f : least;
        return (uint32_t)(int32_t)(f * most + (f < 0 ? -0.5f : 0.5f));
    case CL_HALF_FLOAT:
        return to_half(f);
    default:
        return bits;
    }
}

static void make_texel(const struct byw_cl_image *image, const void *color, unsigned char texel[16])
{
    static const struct {
        cl_channel_order order;
        uint8_t from[4]; /* component each channel takes */
    } order[] = {{CL_BGRA, {2, 1, 0, 3}}, {CL_ARGB, {3, 0, 1, 2}}, {CL_RA, {0, 3}}, {CL_A, {3}}};
    uint8_t from[4] = {0, 1, 2, 3};
    uint32_t per_channel, count;
    float f[4];
    uint32_t bits[4];

    memcpy(f, color, sizeof(f));
    memcpy(bits, color, sizeof(bits));
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
        if (order[i].order == image->order)
            memcpy(from, order[i].from, sizeof(from));
    count = image->order == CL_RGBA || image->order == CL_BGRA || image->order == CL_ARGB ? 4
            : image->order == CL_RG || image->order == CL_RA                              ? 2
                                                                                          : 1;
    per_channel = image->bytes / count;
    for (uint32_t c = 0; c < count; c++) {
        uint32_t value = encode(image->type, f[from[c]], bits[from[c]]);

        memcpy(texel + c * per_channel, &value, per_channel); /* little-endian hosts only */
    }
}

struct fill {
    cl_mem mem;
    struct byw_cl_box box;
    size_t region[3];
    unsigned char texel[16];
};

static cl_int run_fill(void *data)
{
    const struct fill *f = data;
    size_t bytes = f->mem->image.bytes;

    byw_cl_pull(f->mem);
    for (size_t z = 0; z < f->region[2]; z++)
        for (size_t y = 0; y < f->region[1]; y++)
            for (size_t x = 0; x < f->region[0]; x += bytes)
                memcpy(f->box.data + (f->box.origin[2] + z) * f->box.slice +
                           (f->box.origin[1] + y) * f->box.row + f->box.origin[0] + x,
                       f->texel, bytes);
    byw_cl_push(f->mem);
    return CL_SUCCESS;
}

cl_int clEnqueueFillImage(cl_command_queue queue, cl_mem mem, const void *color,
                          const size_t *origin, const size_t *region, cl_uint count,
                          const cl_event *list, cl_event *event)
{
    struct fill fill = {.mem = mem};
    const struct byw_cl_task task = {.type = CL_COMMAND_FILL_IMAGE,
                                     .run = run_fill,
                                     .hold = byw_cl_hold_mem,
                                     .data = &fill,
                                     .size = sizeof(fill)};
    cl_int code = byw_cl_check_mem(queue, mem, true);

    if (code == CL_SUCCESS && color == NULL)
        code = CL_INVALID_VALUE;
    if (code == CL_SUCCESS)
        code = image_box(mem, origin, region, &fill.box, fill.region);
    if (code != CL_SUCCESS)
        return code;
    make_texel(&mem->image, color, fill.texel);
    return byw_cl_submit(queue, &task, count, list, event);
}

void *clEnqueueMapImage(cl_command_queue queue, cl_mem mem, cl_bool blocking, cl_map_flags flags,
                        const size_t *origin, const size_t *region, size_t *row, size_t *slice,
                        cl_uint count, const cl_event *list, cl_event *event, cl_int *error)
{
    struct byw_cl_mapping mapping = {mem, true};
    const struct byw_cl_task task = {.type = CL_COMMAND_MAP_IMAGE,
                                     .run = byw_cl_run_mapping,
                                     .hold = byw_cl_hold_mem,
                                     .data = &mapping,
                                     .size = sizeof(mapping),
                                     .blocking = blocking};
    struct byw_cl_rows rows;
    struct byw_cl_box box;
    size_t bytes[3];
    cl_int code = byw_cl_check_mem(queue, mem, true);

    if (code == CL_SUCCESS)
        code = image_box(mem, origin, region, &box, bytes);
    if (code == CL_SUCCESS && row == NULL)
        code = CL_INVALID_VALUE;
    if (code == CL_SUCCESS && !byw_cl_may_map(mem, flags))
        code = CL_INVALID_OPERATION;
    if (code == CL_SUCCESS)
        code = byw_cl_submit(queue, &task, count, list, event);
    byw_cl_error(error, code);
    if (code != CL_SUCCESS)
        return NULL;
    mem->maps++;
    if (mem->host != NULL) {
        rows = byw_cl_host_rows(mem);
        box.data = mem->host;
        box.row = rows.row;
        box.slice = rows.slice;
    }
    *row = box.row;
    if (slice != NULL)
        *slice = mem->type == CL_MEM_OBJECT_IMAGE1D_ARRAY                       ? box.row
                 : mem->image.layers != 0 || mem->type == CL_MEM_OBJECT_IMAGE3D ? box.slice
                                                                                : 0;
    return box.data + box.origin[2] * box.slice + box.origin[1] * box.row + box.origin[0];
}
