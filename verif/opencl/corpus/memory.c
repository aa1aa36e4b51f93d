/* SPDX-License-Identifier: Apache-2.0
 * Buffers of every kind: host pointers, maps, sub-buffers, rectangles, fills, destructors. */
#include "corpus.h"
static const char src[] = "kernel void inc(global int *a, int n) { int i = get_global_id(0); if (i "
                          "< n) a[i] += i + 1; }\n";
static void CL_CALLBACK gone(cl_mem m, void *data)
{
    (void)m;
    ++*(int *)data;
}
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    static int host[256], copy[256], back[256];
    int n = 64, dead = 0;
    cl_int code;
    cl_uint count;
    size_t size;
    for (int i = 0; i < 256; i++)
        host[i] = copy[i] = i;
    cl_mem use = clCreateBuffer(b.context, CL_MEM_USE_HOST_PTR, sizeof(host), host, &code);
    must(code, "use");
    cl_mem alloc = clCreateBuffer(b.context, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR,
                                  sizeof(copy), copy, &code);
    must(code, "alloc");
    cl_buffer_region part = {256, 512};
    cl_mem sub =
        clCreateSubBuffer(alloc, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &part, &code);
    must(code, "sub");
    must(clSetMemObjectDestructorCallback(alloc, gone, &dead), "destructor");
    cl_kernel k = kernel(&b, "inc");
    arg(k, 0, sizeof(use), &use);
    arg(k, 1, sizeof(n), &n);
    run1(&b, k, 128, 0);
    arg(k, 0, sizeof(sub), &sub);
    run1(&b, k, 128, 0);
    int *map = (int *)clEnqueueMapBuffer(b.queue, use, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 64, 512,
                                         0, NULL, NULL, &code);
    must(code, "map");
    printf("%d %d\n", map[0], map == host + 16);
    map[1] = -5;
    must(clGetMemObjectInfo(use, CL_MEM_MAP_COUNT, sizeof(count), &count, NULL), "count");
    must(clEnqueueUnmapMemObject(b.queue, use, map, 0, NULL, NULL), "unmap");
    must(clEnqueueCopyBuffer(b.queue, use, alloc, 0, 512, 256, 0, NULL, NULL), "copy");
    fetch(&b, sub, 512, back);
    print_ints("sub", back, 100);
    size_t from[3] = {8, 1, 0}, to[3] = {0, 2, 0}, region[3] = {16, 3, 2};
    must(clEnqueueCopyBufferRect(b.queue, use, alloc, from, to, region, 32, 160, 64, 256, 0, NULL,
                                 NULL),
         "rect");
    memset(back, 0, sizeof(back));
    must(clEnqueueReadBufferRect(b.queue, alloc, CL_TRUE, to, from, region, 64, 256, 32, 160, back,
                                 0, NULL, NULL),
         "read");
    print_ints("rect", back, 80);
    must(clEnqueueWriteBufferRect(b.queue, alloc, CL_TRUE, from, to, region, 32, 160, 64, 256, host,
                                  0, NULL, NULL),
         "write");
    short pattern[2] = {7, -7};
    must(clEnqueueFillBuffer(b.queue, alloc, pattern, 4, 900, 100, 0, NULL, NULL), "fill");
    fetch(&b, alloc, sizeof(back), back);
    printf("%u %u\n", hash_of(back, sizeof(back)), count);
    must(clGetMemObjectInfo(sub, CL_MEM_OFFSET, sizeof(size), &size, NULL), "offset");
    cl_mem parent;
    must(clGetMemObjectInfo(sub, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(parent), &parent, NULL),
         "parent");
    printf("%zu %d\n", size, parent == alloc);
    must(clReleaseMemObject(alloc), "release");
    must(clReleaseKernel(k), "kernel");
    must(clReleaseMemObject(sub), "release");
    must(clFinish(b.queue), "finish");
    printf("dead %d\n", dead);
    return 0;
}
