/* SPDX-License-Identifier: Apache-2.0
 * 1-D, 3-D, array and buffer images; formats of one and two channels. */
#include "corpus.h"
static const char src[] =
    "constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
    "CLK_FILTER_NEAREST;\n"
    "constant sampler_t lin = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
    "CLK_FILTER_LINEAR;\n"
    "kernel void f(read_only image1d_t a, read_only image3d_t b, read_only image2d_array_t c,\n"
    "              write_only image1d_t d, global float4 *o) {\n"
    "  int i = get_global_id(0); float4 v = read_imagef(a, s, i);\n"
    "  v += read_imagef(b, s, (int4)(i & 3, i >> 2 & 3, i >> 4, 0)) * 100.0f;\n"
    "  v += read_imagef(b, lin, (float4)(i * 0.1f, 1.7f, 0.9f, 0)) * 10000.0f;\n"
    "  v.z += read_imagei(c, s, (int4)(i & 3, 1, i & 1, 0)).x + get_image_depth(b) + "
    "(int)get_image_array_size(c);\n"
    "  write_imagef(d, i, v / 100000.0f); o[i] = v; }\n";
static cl_mem image(struct bench *b, cl_mem_object_type kind, cl_channel_order order,
                    cl_channel_type type, size_t w, size_t h, size_t d, const void *data)
{
    cl_image_format format = {order, type};
    cl_image_desc desc;
    cl_int code;
    memset(&desc, 0, sizeof(desc));
    desc.image_type = kind;
    desc.image_width = w;
    desc.image_height = h;
    desc.image_depth = kind == CL_MEM_OBJECT_IMAGE3D ? d : 0;
    desc.image_array_size = kind == CL_MEM_OBJECT_IMAGE2D_ARRAY ? d : 0;
    cl_mem m = clCreateImage(b->context,
                             data ? CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR : CL_MEM_WRITE_ONLY,
                             &format, &desc, (void *)(size_t)data, &code);
    must(code, "clCreateImage");
    return m;
}
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    float line[64], o[256];
    unsigned short volume[64];
    short layers[32];
    size_t origin[3] = {0, 0, 0}, region[3] = {64, 1, 1};
    for (int i = 0; i < 64; i++) {
        line[i] = (float)i;
        volume[i] = (unsigned short)(i * 1000);
        layers[i / 2] = (short)(i * -5);
    }
    cl_mem a = image(&b, CL_MEM_OBJECT_IMAGE1D, CL_R, CL_FLOAT, 64, 0, 0, line);
    cl_mem v = image(&b, CL_MEM_OBJECT_IMAGE3D, CL_R, CL_UNORM_INT16, 4, 4, 4, volume);
    cl_mem c = image(&b, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_R, CL_SIGNED_INT16, 4, 4, 2, layers);
    cl_mem d = image(&b, CL_MEM_OBJECT_IMAGE1D, CL_RG, CL_FLOAT, 64, 0, 0, NULL),
           out = buffer(&b, sizeof(o), 0);
    cl_kernel k = kernel(&b, "f");
    arg(k, 0, sizeof(a), &a);
    arg(k, 1, sizeof(v), &v);
    arg(k, 2, sizeof(c), &c);
    arg(k, 3, sizeof(d), &d);
    arg(k, 4, sizeof(out), &out);
    run1(&b, k, 64, 16);
    fetch(&b, out, sizeof(o), o);
    for (int i = 0; i < 64; i++)
        printf("%.1f %.1f %.1f\n", (double)o[4 * i], (double)o[4 * i + 2], (double)o[4 * i + 3]);
    must(clEnqueueReadImage(b.queue, d, CL_TRUE, origin, region, 0, 0, o, 0, NULL, NULL), "read");
    for (int i = 0; i < 128; i += 9)
        printf("%.4f ", (double)o[i]);
    printf("\n");
    return 0;
}
