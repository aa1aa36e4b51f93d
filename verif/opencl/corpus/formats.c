/* SPDX-License-Identifier: Apache-2.0
 * Every image format that OpenCL 1.2 demands, read and written by the matching calls; addressing
 * modes at the borders; float and integer coordinates; host access with pitches. */
#include "corpus.h"
static const char src[] =
    "constant sampler_t none = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | "
    "CLK_FILTER_NEAREST;\n"
    "kernel void copyf(read_only image2d_t i, write_only image2d_t o) { int2 c = "
    "(int2)(get_global_id(0), get_global_id(1)); write_imagef(o, c, read_imagef(i, none, c).wzyx); "
    "}\n"
    "kernel void copyi(read_only image2d_t i, write_only image2d_t o) { int2 c = "
    "(int2)(get_global_id(0), get_global_id(1)); write_imagei(o, c, read_imagei(i, none, c).yxwz); "
    "}\n"
    "kernel void copyu(read_only image2d_t i, write_only image2d_t o) { int2 c = "
    "(int2)(get_global_id(0), get_global_id(1)); write_imageui(o, c, read_imageui(i, none, "
    "c).yxwz); }\n"
    "kernel void border(read_only image2d_t i, sampler_t s, global float4 *o) { int x = "
    "get_global_id(0); o[x] = read_imagef(i, s, (float2)(x * 0.5f - 2.0f, 1.25f)); }\n"
    "kernel void size(read_only image2d_t i, global int *o) { o[0] = get_image_width(i); o[1] = "
    "get_image_height(i); o[2] = get_image_dim(i).y;\n"
    "  o[3] = get_image_channel_order(i) == CLK_RGBA; o[4] = get_image_channel_data_type(i) == "
    "CLK_FLOAT; }\n";
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    static const struct {
        cl_channel_order order;
        cl_channel_type type;
        int bytes;
        const char *k;
    } list[] = {{CL_RGBA, CL_UNORM_INT8, 4, "copyf"},     {CL_RGBA, CL_UNORM_INT16, 8, "copyf"},
                {CL_RGBA, CL_SIGNED_INT8, 4, "copyi"},    {CL_RGBA, CL_SIGNED_INT16, 8, "copyi"},
                {CL_RGBA, CL_SIGNED_INT32, 16, "copyi"},  {CL_RGBA, CL_UNSIGNED_INT8, 4, "copyu"},
                {CL_RGBA, CL_UNSIGNED_INT16, 8, "copyu"}, {CL_RGBA, CL_UNSIGNED_INT32, 16, "copyu"},
                {CL_RGBA, CL_FLOAT, 16, "copyf"},         {CL_BGRA, CL_UNORM_INT8, 4, "copyf"}};
    unsigned char data[16 * 64], back[16 * 64];
    size_t origin[3] = {0, 0, 0}, region[3] = {8, 8, 1}, global[2] = {8, 8};
    cl_int code;
    for (unsigned f = 0; f < sizeof(list) / sizeof(list[0]); f++) {
        size_t size = 64 * (size_t)list[f].bytes;
        cl_image_format format = {list[f].order, list[f].type};
        cl_image_desc desc = {
            .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
        for (size_t i = 0; i < size; i++)
            data[i] = (unsigned char)(i * 73 + f);
        if (list[f].type == CL_FLOAT)
            for (int i = 0; i < 256; i++)
                ((float *)data)[i] = i * 0.25f - 3;
        cl_mem in = clCreateImage(b.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                                  &desc, data, &code);
        must(code, "in");
        cl_mem out = clCreateImage(b.context, CL_MEM_WRITE_ONLY, &format, &desc, NULL, &code);
        must(code, "out");
        cl_kernel k = kernel(&b, list[f].k);
        arg(k, 0, sizeof(in), &in);
        arg(k, 1, sizeof(out), &out);
        must(clEnqueueNDRangeKernel(b.queue, k, 2, NULL, global, NULL, 0, NULL, NULL), "run");
        must(clEnqueueReadImage(b.queue, out, CL_TRUE, origin, region, 0, 0, back, 0, NULL, NULL),
             "read");
        printf("%x %x %s %08x\n", list[f].order, list[f].type, list[f].k, hash_of(back, size));
        clReleaseMemObject(in);
        clReleaseMemObject(out);
        clReleaseKernel(k);
    }
    float texel[64][4];
    for (int i = 0; i < 256; i++)
        texel[i / 4][i % 4] = (float)i;
    cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = 8,
                          .image_height = 4,
                          .image_row_pitch = 16 * 16};
    cl_mem im = clCreateImage(b.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc,
                              texel, &code);
    must(code, "pitch");
    cl_mem o = buffer(&b, 24 * 16, NULL);
    cl_addressing_mode modes[] = {CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP_TO_EDGE};
    cl_filter_mode filters[] = {CL_FILTER_NEAREST, CL_FILTER_LINEAR};
    cl_kernel k = kernel(&b, "border");
    for (int i = 0; i < 4; i++) {
        float v[24][4];
        cl_sampler s = clCreateSampler(b.context, CL_FALSE, modes[i & 1], filters[i / 2], &code);
        must(code, "sampler");
        arg(k, 0, sizeof(im), &im);
        arg(k, 1, sizeof(s), &s);
        arg(k, 2, sizeof(o), &o);
        run1(&b, k, 24, 0);
        fetch(&b, o, sizeof(v), v);
        for (int j = 0; j < 24; j++)
            printf("%.2f ", v[j][0] + v[j][3]);
        printf("\n");
        clReleaseSampler(s);
    }
    int five[5];
    k = kernel(&b, "size");
    arg(k, 0, sizeof(im), &im);
    arg(k, 1, sizeof(o), &o);
    run1(&b, k, 1, 0);
    fetch(&b, o, 20, five);
    print_ints("size", five, 5);
    return 0;
}
