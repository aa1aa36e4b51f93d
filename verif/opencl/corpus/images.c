/* SPDX-License-Identifier: Apache-2.0
 * 2-D images: samplers of every kind, formats, writes, queries, copies, fills and maps. */
#include "corpus.h"
static const char src[] =
    "constant sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
    "CLK_FILTER_NEAREST;\n"
    "kernel void blur(read_only image2d_t in, write_only image2d_t out) {\n"
    "  int2 p = (int2)(get_global_id(0), get_global_id(1)); float4 s = 0;\n"
    "  for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) s += read_imagef(in, "
    "near, p + (int2)(dx, dy));\n"
    "  write_imagef(out, p, s / 9.0f); }\n"
    "kernel void sample(read_only image2d_t in, sampler_t s, global float4 *o, float scale) {\n"
    "  int i = get_global_id(0); float2 at = (float2)(i * 0.37f - 2.3f, i * 0.23f - 1.1f) * "
    "scale;\n"
    "  o[i] = read_imagef(in, s, at); }\n"
    "kernel void ints(read_only image2d_t in, write_only image2d_t out, global int *size) {\n"
    "  int2 p = (int2)(get_global_id(0), get_global_id(1)); uint4 v = read_imageui(in, near, p);\n"
    "  write_imageui(out, p, v.yxwz + (uint4)(1)); if (p.x + p.y == 0) { size[0] = "
    "get_image_width(in);\n"
    "    size[1] = get_image_height(out); size[2] = get_image_dim(in).y; } }\n";
static cl_mem image(struct bench *b, cl_channel_order order, cl_channel_type type, const void *data)
{
    cl_image_format format = {order, type};
    cl_image_desc desc;
    cl_int code;
    memset(&desc, 0, sizeof(desc));
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = 16;
    desc.image_height = 12;
    cl_mem m = clCreateImage(b->context, data ? CL_MEM_COPY_HOST_PTR : CL_MEM_READ_WRITE, &format,
                             &desc, (void *)(size_t)data, &code);
    must(code, "clCreateImage");
    return m;
}
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    unsigned char pixels[16 * 12 * 4], got[16 * 12 * 4];
    float real[16 * 12 * 4], sampled[32 * 4];
    unsigned whole[16 * 12 * 4];
    int size[3];
    size_t origin[3] = {0, 0, 0}, region[3] = {16, 12, 1}, global[2] = {16, 12}, pitch, n;
    for (int i = 0; i < 16 * 12 * 4; i++) {
        pixels[i] = (unsigned char)(i * 7);
        real[i] = (float)(i % 31) * 0.25f;
        whole[i] = (unsigned)i * 3u;
    }
    cl_mem in = image(&b, CL_RGBA, CL_UNORM_INT8, pixels),
           out = image(&b, CL_RGBA, CL_UNORM_INT8, 0);
    cl_kernel k = kernel(&b, "blur");
    arg(k, 0, sizeof(in), &in);
    arg(k, 1, sizeof(out), &out);
    must(clEnqueueNDRangeKernel(b.queue, k, 2, NULL, global, NULL, 0, NULL, NULL), "blur");
    must(clEnqueueReadImage(b.queue, out, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL),
         "read");
    for (int i = 0; i < 64; i++)
        printf("%d ", got[i * 12]);
    printf("\n");
    cl_mem f = image(&b, CL_RGBA, CL_FLOAT, real), o = buffer(&b, sizeof(sampled), NULL);
    k = kernel(&b, "sample");
    arg(k, 0, sizeof(f), &f);
    arg(k, 2, sizeof(o), &o);
    for (int c = 0; c < 14; c++) {
        static const cl_addressing_mode modes[] = {CL_ADDRESS_CLAMP,  CL_ADDRESS_CLAMP_TO_EDGE,
                                                   CL_ADDRESS_CLAMP,  CL_ADDRESS_CLAMP_TO_EDGE,
                                                   CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT,
                                                   CL_ADDRESS_NONE};
        cl_int code;
        if (c >= 12) /* without an addressing mode, reads outside of the image are undefined */
            break;
        cl_sampler s = clCreateSampler(b.context, c / 2 >= 2, modes[c / 2],
                                       c & 1 ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &code);
        float scale = c / 2 >= 2 ? 0.21f : 2.3f;
        must(code, "clCreateSampler");
        arg(k, 1, sizeof(s), &s);
        arg(k, 3, sizeof(scale), &scale);
        run1(&b, k, 32, 32);
        fetch(&b, o, sizeof(sampled), sampled);
        printf("sampler %d:", c);
        for (int i = 0; i < 32; i++)
            printf(" %.2f", (double)sampled[4 * i + 1]);
        printf("\n");
        must(clReleaseSampler(s), "clReleaseSampler");
    }
    cl_mem u = image(&b, CL_RGBA, CL_UNSIGNED_INT32, whole),
           v = image(&b, CL_RGBA, CL_UNSIGNED_INT32, 0);
    cl_mem sizes = buffer(&b, sizeof(size), NULL);
    k = kernel(&b, "ints");
    arg(k, 0, sizeof(u), &u);
    arg(k, 1, sizeof(v), &v);
    arg(k, 2, sizeof(sizes), &sizes);
    must(clEnqueueNDRangeKernel(b.queue, k, 2, NULL, global, NULL, 0, NULL, NULL), "ints");
    fetch(&b, sizes, sizeof(size), size);
    print_ints("size", size, 3);
    cl_uint color[4] = {1, 2, 3, 4};
    size_t part[3] = {4, 3, 1}, at[3] = {2, 2, 0};
    must(clEnqueueFillImage(b.queue, v, color, at, part, 0, NULL, NULL), "fill");
    must(clEnqueueCopyImage(b.queue, u, v, origin, at, (size_t[3]){2, 1, 1}, 0, NULL, NULL),
         "copy");
    unsigned *map = (unsigned *)clEnqueueMapImage(b.queue, v, CL_TRUE, CL_MAP_READ, at, part,
                                                  &pitch, NULL, 0, NULL, NULL, NULL);
    for (size_t y = 0; y < 3; y++)
        for (size_t x = 0; x < 16; x++)
            printf("%u ", map[y * pitch / 4 + x]);
    printf("\n");
    must(clEnqueueUnmapMemObject(b.queue, v, map, 0, NULL, NULL), "unmap");
    must(clGetImageInfo(v, CL_IMAGE_ELEMENT_SIZE, sizeof(n), &n, NULL), "info");
    cl_mem flat = buffer(&b, 16 * 12 * 16, NULL);
    must(clEnqueueCopyImageToBuffer(b.queue, v, flat, origin, region, 0, 0, NULL, NULL),
         "to buffer");
    fetch(&b, flat, 16 * 12 * 16, whole);
    printf("%zu %u\n", n, hash_of(whole, sizeof(whole)));
    return 0;
}
