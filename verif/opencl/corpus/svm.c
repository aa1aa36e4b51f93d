/* SPDX-License-Identifier: Apache-2.0
 * Shared virtual memory, coarse- and fine-grained: a list that host and kernels walk by its own
 * pointers, fills, copies, maps, events that follow each other, and what is refused. */
#define CORPUS_VERSION 200
#include "corpus.h"
#define TEXT(...) #__VA_ARGS__
static const char src[] = TEXT(
    typedef struct node {
        global struct node *next;
        int value;
    } node;
    kernel void sum(global node *list, global int *out) {
        int total = 0;
        for (global node *n = list; n; n = n->next)
            total += n->value;
        out[get_global_id(0)] = total + get_global_id(0);
    } kernel void turn(global node *list) {
        if (get_global_id(0) == 0)
            for (global node *n = list; n; n = n->next)
                n->value *= 2;
    } kernel void add(global int *a, global const int *b) {
        a[get_global_id(0)] += b[get_global_id(0)];
    });
struct node {
    struct node *next;
    int value;
};
static int freed;
static void CL_CALLBACK release(cl_command_queue queue, cl_uint count, void *list[], void *data)
{
    cl_context context;
    clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context), &context, NULL);
    for (cl_uint i = 0; i < count; i++)
        clSVMFree(context, list[i]);
    freed += (int)count + *(int *)data;
}
int main(void)
{
    struct bench b = open_bench(src, "-cl-std=CL2.0", 0);
    cl_device_svm_capabilities can = 0;
    cl_kernel k;
    cl_event event;
    must(clGetDeviceInfo(b.device, CL_DEVICE_SVM_CAPABILITIES, sizeof(can), &can, NULL), "SVM");
    printf("coarse %d\n", (can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0);
    for (int fine = 0; fine < 2; fine++) {
        cl_svm_mem_flags flags = CL_MEM_READ_WRITE | (fine ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0);
        struct node *list = clSVMAlloc(b.context, flags, 100 * sizeof(*list), 0);
        int *out = clSVMAlloc(b.context, flags, 64 * sizeof(int), 64), pattern = 7, add = 40;
        int *a = clSVMAlloc(b.context, flags, 64 * sizeof(int), 0), host[64];
        void *both[2];
        if (!fine)
            must(clEnqueueSVMMap(b.queue, CL_TRUE, CL_MAP_WRITE, list, 100 * sizeof(*list), 0, NULL,
                                 NULL),
                 "map");
        for (int i = 0; i < 100; i++)
            list[i].value = i, list[i].next = i + 3 < 100 ? &list[i + 3] : NULL;
        if (!fine)
            must(clEnqueueSVMUnmap(b.queue, list, 0, NULL, NULL), "unmap");
        k = kernel(&b, "turn");
        must(clSetKernelArgSVMPointer(k, 0, list), "arg");
        run1(&b, k, 8, 8);
        k = kernel(&b, "sum");
        must(clSetKernelArgSVMPointer(k, 0, list + 1), "arg");
        must(clSetKernelArgSVMPointer(k, 1, out), "arg");
        both[0] = list;
        must(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(void *), both), "info");
        run1(&b, k, 64, 16);
        must(clEnqueueSVMMemFill(b.queue, a, &pattern, sizeof(pattern), 64 * sizeof(int), 0, NULL,
                                 &event),
             "fill");
        k = kernel(&b, "add");
        must(clSetKernelArgSVMPointer(k, 0, a), "arg");
        must(clSetKernelArgSVMPointer(k, 1, out), "arg");
        run1(&b, k, 32, 32);
        must(clEnqueueSVMMemcpy(b.queue, CL_TRUE, host, a, sizeof(host), 1, &event, NULL), "copy");
        must(clEnqueueSVMMap(b.queue, CL_TRUE, CL_MAP_READ, out, 256, 0, NULL, NULL), "map");
        printf("sum %d %d, add %d %d %d, in list %d\n", out[0], out[63], host[0], host[31],
               host[63], list[7].value);
        must(clEnqueueSVMUnmap(b.queue, out, 0, NULL, NULL), "unmap");
        must(clFinish(b.queue), "finish");
        both[1] = out;
        must(clEnqueueSVMFree(b.queue, 2, both, release, &add, 0, NULL, NULL), "free");
        must(clFinish(b.queue), "finish");
        clSVMFree(b.context, a);
        printf("freed %d\n", freed);
    }
    printf("refused %d %d %d %d\n", clSVMAlloc(b.context, CL_MEM_READ_WRITE, 0, 0) == NULL,
           clSVMAlloc(b.context, CL_MEM_READ_WRITE, 64, 3) == NULL,
           clSetKernelArgSVMPointer(k, 9, NULL),
           clEnqueueSVMMap(b.queue, CL_TRUE, CL_MAP_READ, NULL, 4, 0, NULL, NULL));
    return 0;
}
