/* SPDX-License-Identifier: Apache-2.0
 *
 * Macros of the build options with the short names that programs like, which must mean nothing to
 * what the compiler includes ahead of the program: images, half loads, built-in functions.
 */
#include "corpus.h"

static const char *src =
    "kernel void k(read_only image2d_t source, sampler_t s, global half *h, global float *out)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    float4 texel = read_imagef(source, s, (int2)(i, 0));\n"
    "    vstore_half(texel.x, i, h);\n"
    "    out[i] = depth * 1000 + m * 100 + N * 10 + vload_half(i, h) + HALF + ON;\n"
    "#line 40 \"elsewhere.cl\"\n"
    "    out[i] += __LINE__ * 10000;\n"
    "}\n";

int main(void)
{
    struct bench b = open_bench(src,
                                "-D depth=3 -Dm=4 -DN=5 -Dtexels=6 -Dcount=7 -D ON "
                                "-DHALF=1 -Dbits=8 -Dwrap=9 -Draw=2",
                                0);
    const cl_image_format format = {CL_R, CL_FLOAT};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 1};
    float texel[8], out[8];
    cl_int code;
    cl_mem image, half = buffer(&b, 16, NULL), mem = buffer(&b, sizeof(out), NULL);
    cl_sampler sampler;
    cl_kernel k = kernel(&b, "k");

    for (int i = 0; i < 8; i++)
        texel[i] = 0.25f * (float)i;
    image = clCreateImage(b.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc, texel,
                          &code);
    must(code, "clCreateImage");
    sampler = clCreateSampler(b.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code);
    must(code, "clCreateSampler");
    arg(k, 0, sizeof(image), &image);
    arg(k, 1, sizeof(sampler), &sampler);
    arg(k, 2, sizeof(half), &half);
    arg(k, 3, sizeof(mem), &mem);
    run1(&b, k, 8, 0);
    fetch(&b, mem, sizeof(out), out);
    for (int i = 0; i < 8; i++)
        printf(" %g", out[i]);
    printf("\n");
    clReleaseSampler(sampler);
    clReleaseMemObject(image);
    clReleaseMemObject(half);
    clReleaseMemObject(mem);
    clReleaseKernel(k);
    close_bench(&b);
    return 0;
}
