/* SPDX-License-Identifier: Apache-2.0
 *
 * Images and samplers. An image is stored like a buffer, row by row without gaps, so that its
 * texels have addresses for the cache; kernels reach it through struct byw_cl_image and
 * byw_cl_prelude.cl.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/opencl/byw_cl.h"

static const cl_channel_order orders[] = {CL_RGBA, CL_BGRA, CL_ARGB,      CL_RG,       CL_RA,
                                          CL_R,    CL_A,    CL_INTENSITY, CL_LUMINANCE};
static const cl_channel_type types[] = {CL_SNORM_INT8,     CL_SNORM_INT16,   CL_UNORM_INT8,
                                        CL_UNORM_INT16,    CL_SIGNED_INT8,   CL_SIGNED_INT16,
                                        CL_SIGNED_INT32,   CL_UNSIGNED_INT8, CL_UNSIGNED_INT16,
                                        CL_UNSIGNED_INT32, CL_HALF_FLOAT,    CL_FLOAT};
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static size_t channels(cl_channel_order order)
{
    switch (order) {
    case CL_RGBA:
    case CL_BGRA:
    case CL_ARGB:
        return 4;
    case CL_RG:
    case CL_RA:
        return 2;
    default:
        return 1;
    }
}

static size_t channel_bytes(cl_channel_type type)
{
    switch (type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
        return 1;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
        return 4;
    default:
        return 2;
    }
}

/* The combinations the specification allows. */
static bool is_known(cl_channel_order order, cl_channel_type type)
{
    bool known_order = false, known_type = false;
    const bool bytes = channel_bytes(type) == 1;
    const bool real = type == CL_SNORM_INT8 || type == CL_SNORM_INT16 || type == CL_UNORM_INT8 ||
                      type == CL_UNORM_INT16 || type == CL_HALF_FLOAT || type == CL_FLOAT;

    for (size_t i = 0; i < COUNT(orders); i++)
        known_order |= orders[i] == order;
    for (size_t i = 0; i < COUNT(types); i++)
        known_type |= types[i] == type;
    if (order == CL_BGRA || order == CL_ARGB)
        return known_type && bytes;
    if (order == CL_INTENSITY || order == CL_LUMINANCE)
        return known_type && real;
    return known_order && known_type;
}

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                  cl_uint room, cl_image_format *formats, cl_uint *found)
{
    cl_uint count = 0;

    (void)flags;
    if (!byw_cl_is(context, BYW_CL_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (type < CL_MEM_OBJECT_IMAGE2D || type > CL_MEM_OBJECT_IMAGE1D_BUFFER ||
        (room == 0 && formats != NULL))
        return CL_INVALID_VALUE;
    for (size_t o = 0; o < COUNT(orders); o++)
        for (size_t t = 0; t < COUNT(types); t++) {
            if (!is_known(orders[o], types[t]))
                continue;
            if (formats != NULL && count < room)
                formats[count] = (cl_image_format){orders[o], types[t]};
            count++;
        }
    if (found != NULL)
        *found = count;
    return CL_SUCCESS;
}

static bool in_range(size_t value, size_t most)
{
    return value >= 1 && value <= most;
}

/* Texels in every dimension, and layers; false if the descriptor is not supported. */
static bool read_shape(const cl_image_desc *desc, struct byw_cl_image *image)
{
    size_t side =
        desc->image_type == CL_MEM_OBJECT_IMAGE3D ? BYW_CL_IMAGE_SIDE_3D : BYW_CL_IMAGE_SIDE;
    bool two = desc->image_type == CL_MEM_OBJECT_IMAGE2D ||
               desc->image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
               desc->image_type == CL_MEM_OBJECT_IMAGE3D;
    bool layered = desc->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
                   desc->image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY;

    if (desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        side = 1u << 27;
    if (!in_range(desc->image_width, side) || (two && !in_range(desc->image_height, side)) ||
        (desc->image_type == CL_MEM_OBJECT_IMAGE3D && !in_range(desc->image_depth, side)) ||
        (layered && !in_range(desc->image_array_size, BYW_CL_IMAGE_LAYERS)))
        return false;
    image->size[0] = (int32_t)desc->image_width;
    image->size[1] = two ? (int32_t)desc->image_height : 1;
    image->size[2] = desc->image_type == CL_MEM_OBJECT_IMAGE3D ? (int32_t)desc->image_depth : 1;
    image->layers = layered ? (int32_t)desc->image_array_size : 0;
    return true;
}

struct byw_cl_rows byw_cl_host_rows(const struct _cl_mem *mem)
{
    const struct byw_cl_image *image = &mem->image;
    bool by_row = mem->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    struct byw_cl_rows r = {
        .row = mem->desc.image_row_pitch != 0 ? mem->desc.image_row_pitch : image->row,
        .slice = mem->desc.image_slice_pitch,
        .rows = by_row ? (size_t)image->layers : (size_t)image->size[1],
        .slices = image->layers != 0 && !by_row ? (size_t)image->layers : (size_t)image->size[2]};

    if (by_row && r.slice != 0)
        r.row = r.slice;
    if (r.slice == 0 || by_row)
        r.slice = r.row * r.rows;
    return r;
}

/* Copies the program's initial texels into the image. */
static void fill_in(cl_mem mem, const unsigned char *host)
{
    const struct byw_cl_image *image = &mem->image;
    struct byw_cl_rows r = byw_cl_host_rows(mem);

    for (size_t z = 0; z < r.slices; z++)
        for (size_t y = 0; y < r.rows; y++)
            memcpy(mem->data + z * image->slice + y * image->row, host + z * r.slice + y * r.row,
                   image->row);
}

static cl_int check_image(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                          const cl_image_desc *desc, const void *host)
{
    cl_int code;

    if (!byw_cl_is(context, BYW_CL_CONTEXT))
        return CL_INVALID_CONTEXT;
    code = byw_cl_check_flags(flags, host);
    if (code != CL_SUCCESS)
        return code;
    if (format == NULL)
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    if (desc == NULL || desc->image_type < CL_MEM_OBJECT_IMAGE2D ||
        desc->image_type > CL_MEM_OBJECT_IMAGE1D_BUFFER || desc->num_mip_levels != 0 ||
        desc->num_samples != 0 || (host == NULL && desc->image_row_pitch != 0))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    return is_known(format->image_channel_order, format->image_channel_data_type)
               ? CL_SUCCESS
               : CL_IMAGE_FORMAT_NOT_SUPPORTED;
}

cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                     const cl_image_desc *desc, void *host, cl_int *error)
{
    struct byw_cl_image image = {0};
    cl_int code = check_image(context, flags, format, desc, host);
    cl_mem mem;
    size_t rows, bytes;

    if (code != CL_SUCCESS)
        return byw_cl_error(error, code);
    if (!read_shape(desc, &image))
        return byw_cl_error(error, CL_INVALID_IMAGE_SIZE);
    image.order = format->image_channel_order;
    image.type = format->image_channel_data_type;
    image.bytes = (uint32_t)(channels(image.order) * channel_bytes(image.type));
    image.row = (uint64_t)image.size[0] * image.bytes;
    rows = (size_t)image.size[1] * (size_t)image.size[2];
    image.slice = image.row * (uint64_t)image.size[1];
    bytes = image.row * rows * (size_t)(image.layers == 0 ? 1 : image.layers);
    if (desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
        if (!byw_cl_is(desc->buffer, BYW_CL_MEM) || desc->buffer->size < bytes)
            return byw_cl_error(error, CL_INVALID_IMAGE_DESCRIPTOR);
        mem = clCreateSubBuffer(desc->buffer, flags, CL_BUFFER_CREATE_TYPE_REGION,
                                &(cl_buffer_region){0, bytes}, error);
    } else {
        mem = byw_cl_mem_create(context, flags, bytes, error);
    }
    if (mem == NULL)
        return NULL;
    mem->type = desc->image_type;
    mem->format = *format;
    mem->desc = *desc;
    mem->image = image;
    mem->image.data = (uint64_t)(uintptr_t)mem->data;
    if (host != NULL)
        fill_in(mem, host);
    if ((flags & CL_MEM_USE_HOST_PTR) != 0)
        mem->host = host;
    return mem;
}

cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                       size_t width, size_t height, size_t row, void *host, cl_int *error)
{
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = width,
                                .image_height = height,
                                .image_row_pitch = row};

    return clCreateImage(context, flags, format, &desc, host, error);
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                       size_t width, size_t height, size_t depth, size_t row, size_t slice,
                       void *host, cl_int *error)
{
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                .image_width = width,
                                .image_height = height,
                                .image_depth = depth,
                                .image_row_pitch = row,
                                .image_slice_pitch = slice};

    return clCreateImage(context, flags, format, &desc, host, error);
}

cl_int clGetImageInfo(cl_mem mem, cl_image_info name, size_t room, void *value, size_t *size_ret)
{
    const cl_uint none = 0;
    size_t number;

    if (!byw_cl_is(mem, BYW_CL_MEM) || mem->type == CL_MEM_OBJECT_BUFFER)
        return CL_INVALID_MEM_OBJECT;
    switch (name) {
    case CL_IMAGE_FORMAT:
        return byw_cl_info(&mem->format, sizeof(mem->format), room, value, size_ret);
    case CL_IMAGE_ELEMENT_SIZE:
        number = mem->image.bytes;
        break;
    case CL_IMAGE_ROW_PITCH:
        number = mem->image.row;
        break;
    case CL_IMAGE_SLICE_PITCH:
        number =
            mem->image.layers != 0 || mem->type == CL_MEM_OBJECT_IMAGE3D ? mem->image.slice : 0;
        break;
    case CL_IMAGE_WIDTH:
        number = mem->desc.image_width;
        break;
    case CL_IMAGE_HEIGHT:
        number = mem->image.size[1] > 1 || mem->desc.image_height ? mem->desc.image_height : 0;
        break;
    case CL_IMAGE_DEPTH:
        number = mem->type == CL_MEM_OBJECT_IMAGE3D ? mem->desc.image_depth : 0;
        break;
    case CL_IMAGE_ARRAY_SIZE:
        number = (size_t)mem->image.layers;
        break;
    case CL_IMAGE_BUFFER:
        return byw_cl_info(&mem->desc.buffer, sizeof(cl_mem), room, value, size_ret);
    case CL_IMAGE_NUM_MIP_LEVELS:
    case CL_IMAGE_NUM_SAMPLES:
        return byw_cl_info(&none, sizeof(none), room, value, size_ret);
    default:
        return CL_INVALID_VALUE;
    }
    return byw_cl_info(&number, sizeof(number), room, value, size_ret);
}

cl_sampler clCreateSampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                           cl_filter_mode filter, cl_int *error)
{
    cl_sampler sampler;

    if (!byw_cl_is(context, BYW_CL_CONTEXT))
        return byw_cl_error(error, CL_INVALID_CONTEXT);
    if (addressing < CL_ADDRESS_NONE || addressing > CL_ADDRESS_MIRRORED_REPEAT ||
        filter < CL_FILTER_NEAREST || filter > CL_FILTER_LINEAR || normalized > CL_TRUE)
        return byw_cl_error(error, CL_INVALID_VALUE);
    sampler = calloc(1, sizeof(*sampler));
    if (sampler == NULL)
        return byw_cl_error(error, CL_OUT_OF_HOST_MEMORY);
    byw_cl_object_init(&sampler->object, BYW_CL_SAMPLER);
    sampler->context = context;
    sampler->normalized = normalized;
    sampler->addressing = addressing;
    sampler->filter = filter;
    clRetainContext(context);
    byw_cl_error(error, CL_SUCCESS);
    return sampler;
}

/* Encodes the sampler as OpenCL C's CLK_... bits. */
cl_uint byw_cl_sampler_bits(cl_sampler sampler)
{
    return (sampler->normalized ? 1u : 0u) | (sampler->addressing - CL_ADDRESS_NONE) << 1 |
           (sampler->filter == CL_FILTER_LINEAR ? 0x20u : 0x10u);
}

cl_int clRetainSampler(cl_sampler sampler)
{
    return byw_cl_retain(sampler, BYW_CL_SAMPLER, CL_INVALID_SAMPLER);
}

cl_int clReleaseSampler(cl_sampler sampler)
{
    if (!byw_cl_is(sampler, BYW_CL_SAMPLER))
        return CL_INVALID_SAMPLER;
    if (byw_cl_drop(&sampler->object)) {
        clReleaseContext(sampler->context);
        free(sampler);
    }
    return CL_SUCCESS;
}

cl_int clGetSamplerInfo(cl_sampler sampler, cl_sampler_info name, size_t room, void *value,
                        size_t *size_ret)
{
    cl_uint number;

    if (!byw_cl_is(sampler, BYW_CL_SAMPLER))
        return CL_INVALID_SAMPLER;
    switch (name) {
    case CL_SAMPLER_REFERENCE_COUNT:
        number = atomic_load(&sampler->object.count);
        return byw_cl_info(&number, sizeof(number), room, value, size_ret);
    case CL_SAMPLER_CONTEXT:
        return byw_cl_info(&sampler->context, sizeof(cl_context), room, value, size_ret);
    case CL_SAMPLER_NORMALIZED_COORDS:
        return byw_cl_info(&sampler->normalized, sizeof(cl_bool), room, value, size_ret);
    case CL_SAMPLER_ADDRESSING_MODE:
        return byw_cl_info(&sampler->addressing, sizeof(cl_uint), room, value, size_ret);
    case CL_SAMPLER_FILTER_MODE:
        return byw_cl_info(&sampler->filter, sizeof(cl_uint), room, value, size_ret);
    case CL_SAMPLER_PROPERTIES:
        return byw_cl_info(sampler->list, sampler->listed * sizeof(*sampler->list), room, value,
                           size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}
