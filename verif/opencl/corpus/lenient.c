/* SPDX-License-Identifier: Apache-2.0
 *
 * Sloppy programs that PoCL accepts: vectors of three given as three numbers, structs without
 * their padding, launches and transfers of nothing, argument names nobody asked the compiler for.
 */
#include "corpus.h"

static const char *src =
    "typedef struct { float scale; int bias; } imageSpec;\n"
    "typedef struct { long big; char small; } padded;\n"
    "kernel void blend(global float *out, imageSpec image, float3 v, padded p, global imageSpec "
    "*list)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    out[i] = v.y * image.scale + image.bias + p.small + (float)p.big * i + list[i & 1].bias;\n"
    "}\n"
    "kernel void fill(global int *out, int value) { out[get_global_id(0)] = value; }\n";

struct image_spec {
    float scale;
    int bias;
};

#pragma pack(push, 1)
struct packed {
    cl_long big;
    char small;
};
#pragma pack(pop)

static void mixed(struct bench *b)
{
    struct image_spec spec = {2.0f, 3}, list[2] = {{0.0f, 10}, {0.0f, 20}};
    struct packed packed = {100, 5};
    float v[3] = {1.0f, 4.0f, 9.0f}, out[8];
    cl_mem mem = buffer(b, sizeof(out), NULL), specs = buffer(b, sizeof(list), list);
    cl_kernel k = kernel(b, "blend");
    char text[64] = "";

    arg(k, 0, sizeof(mem), &mem);
    arg(k, 1, sizeof(spec), &spec);
    arg(k, 2, sizeof(v), v);
    arg(k, 3, sizeof(packed), &packed);
    arg(k, 4, sizeof(specs), &specs);
    run1(b, k, 8, 4);
    fetch(b, mem, sizeof(out), out);
    for (int i = 0; i < 8; i++)
        printf(" %g", out[i]);
    printf("\nwrong size of a float3: %d\n", clSetKernelArg(k, 2, 8, v));
    must(clGetKernelArgInfo(k, 2, CL_KERNEL_ARG_NAME, sizeof(text), text, NULL), "name");
    printf("argument 2 is %s\n", text);
    clReleaseMemObject(mem);
    clReleaseMemObject(specs);
    clReleaseKernel(k);
}

static void nothing(struct bench *b)
{
    int value = 7, out[4] = {1, 2, 3, 4};
    size_t none = 0, two[2] = {4, 0};
    cl_mem mem = buffer(b, sizeof(out), out), other = buffer(b, sizeof(out), out);
    cl_kernel k = kernel(b, "fill");
    cl_event event;
    cl_int status = -1;

    arg(k, 0, sizeof(mem), &mem);
    arg(k, 1, sizeof(value), &value);
    must(clEnqueueNDRangeKernel(b->queue, k, 1, NULL, &none, NULL, 0, NULL, &event), "none");
    must(clWaitForEvents(1, &event), "clWaitForEvents");
    must(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL),
         "status");
    printf("a launch of nothing: %s\n", status == CL_COMPLETE ? "complete" : "not complete");
    must(clEnqueueNDRangeKernel(b->queue, k, 2, NULL, two, NULL, 0, NULL, NULL), "a flat one");
    must(clEnqueueReadBuffer(b->queue, mem, CL_TRUE, 4, 0, out, 0, NULL, NULL), "read");
    must(clEnqueueWriteBuffer(b->queue, mem, CL_TRUE, 16, 0, out, 0, NULL, NULL), "write");
    fetch(b, mem, sizeof(out), out);
    print_ints("unchanged", out, 4);
    clReleaseEvent(event);
    clReleaseKernel(k);
    clReleaseMemObject(mem);
    clReleaseMemObject(other);
}

static void refused_unmap(struct bench *b)
{
    cl_mem mem = buffer(b, 64, NULL);
    cl_event missing = NULL;
    cl_int code;
    void *p = clEnqueueMapBuffer(b->queue, mem, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, NULL, NULL, &code);

    must(code, "clEnqueueMapBuffer");
    printf("unmap after no event: %d\n",
           clEnqueueUnmapMemObject(b->queue, mem, p, 1, &missing, NULL));
    printf("unmap: %d\n", clEnqueueUnmapMemObject(b->queue, mem, p, 0, NULL, NULL));
    clReleaseMemObject(mem);
}

int main(void)
{
    struct bench b = open_bench(src, NULL, 0);

    mixed(&b);
    nothing(&b);
    refused_unmap(&b);
    close_bench(&b);
    return 0;
}
