/* SPDX-License-Identifier: Apache-2.0
 * Handles that are NULL or of another kind, in nearly every call: all answer an error, none
 * crashes. (PoCL 3.1 does crash, so the expected output is the stored one.) */
#include "corpus.h"
static int calls, refused;
static void no(cl_int code)
{
    calls++;
    refused += code != CL_SUCCESS;
}
static void null(void *object)
{
    calls++;
    refused += object == NULL;
}
int main(void)
{
    struct bench b = open_bench("kernel void f(global int *a, int n) { a[0] = n; }", NULL, 0);
    cl_int code;
    cl_mem m = buffer(&b, 64, NULL);
    cl_kernel k = kernel(&b, "f");
    size_t one = 1, o[3] = {0}, r[3] = {1, 1, 1};
    char t[64];
    void *wrong[] = {NULL, m, k, b.queue, b.context, b.program};
    for (int i = 0; i < 6; i++) {
        void *w = wrong[i];
        if (w != b.context) {
            null(clCreateCommandQueue(w, b.device, 0, &code));
            null(clCreateBuffer(w, 0, 4, NULL, &code));
            const char *s = "";
            null(clCreateProgramWithSource(w, 1, &s, NULL, &code));
            null(clCreateUserEvent(w, &code));
            null(clCreateSampler(w, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &code));
            no(clRetainContext(w));
            no(clReleaseContext(w));
            no(clGetContextInfo(w, CL_CONTEXT_NUM_DEVICES, 64, t, NULL));
        }
        if (w != b.queue) {
            no(clFinish(w));
            no(clFlush(w));
            no(clRetainCommandQueue(w));
            no(clReleaseCommandQueue(w));
            no(clGetCommandQueueInfo(w, CL_QUEUE_CONTEXT, 64, t, NULL));
            no(clEnqueueReadBuffer(w, m, CL_TRUE, 0, 4, t, 0, NULL, NULL));
            no(clEnqueueWriteBuffer(w, m, CL_TRUE, 0, 4, t, 0, NULL, NULL));
            no(clEnqueueCopyBuffer(w, m, m, 0, 8, 4, 0, NULL, NULL));
            no(clEnqueueFillBuffer(w, m, t, 4, 0, 4, 0, NULL, NULL));
            no(clEnqueueNDRangeKernel(w, k, 1, NULL, &one, NULL, 0, NULL, NULL));
            no(clEnqueueTask(w, k, 0, NULL, NULL));
            no(clEnqueueMarkerWithWaitList(w, 0, NULL, NULL));
            no(clEnqueueBarrierWithWaitList(w, 0, NULL, NULL));
            null(clEnqueueMapBuffer(w, m, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &code));
            no(clEnqueueUnmapMemObject(w, m, t, 0, NULL, NULL));
        }
        if (w != m) {
            no(clRetainMemObject(w));
            no(clReleaseMemObject(w));
            no(clGetMemObjectInfo(w, CL_MEM_SIZE, 64, t, NULL));
            no(clEnqueueReadBuffer(b.queue, w, CL_TRUE, 0, 4, t, 0, NULL, NULL));
            no(clEnqueueWriteBuffer(b.queue, w, CL_TRUE, 0, 4, t, 0, NULL, NULL));
            no(clEnqueueCopyBuffer(b.queue, w, m, 0, 0, 4, 0, NULL, NULL));
            no(clEnqueueFillBuffer(b.queue, w, t, 4, 0, 4, 0, NULL, NULL));
            no(clEnqueueReadImage(b.queue, w, CL_TRUE, o, r, 0, 0, t, 0, NULL, NULL));
            cl_buffer_region g = {0, 4};
            null(clCreateSubBuffer(w, 0, CL_BUFFER_CREATE_TYPE_REGION, &g, &code));
            no(clSetMemObjectDestructorCallback(w, NULL, NULL));
        }
        if (w != k) {
            no(clRetainKernel(w));
            no(clReleaseKernel(w));
            no(clSetKernelArg(w, 0, sizeof(m), &m));
            no(clGetKernelInfo(w, CL_KERNEL_NUM_ARGS, 64, t, NULL));
            no(clGetKernelWorkGroupInfo(w, b.device, CL_KERNEL_WORK_GROUP_SIZE, 64, t, NULL));
            no(clEnqueueNDRangeKernel(b.queue, w, 1, NULL, &one, NULL, 0, NULL, NULL));
        }
        if (w != b.program) {
            no(clRetainProgram(w));
            no(clReleaseProgram(w));
            no(clBuildProgram(w, 0, NULL, "", NULL, NULL));
            no(clGetProgramInfo(w, CL_PROGRAM_NUM_DEVICES, 64, t, NULL));
            no(clGetProgramBuildInfo(w, b.device, CL_PROGRAM_BUILD_STATUS, 64, t, NULL));
            null(clCreateKernel(w, "f", &code));
            no(clCreateKernelsInProgram(w, 0, NULL, NULL));
        }
        no(clRetainEvent(w));
        no(clReleaseEvent(w));
        no(clGetEventInfo(w, CL_EVENT_COMMAND_TYPE, 64, t, NULL));
        no(clSetUserEventStatus(w, CL_COMPLETE));
        cl_event e = w;
        no(clWaitForEvents(1, &e));
        no(clRetainSampler(w));
        no(clReleaseSampler(w));
    }
    arg(k, 0, sizeof(m), &m);
    no(clEnqueueNDRangeKernel(b.queue, k, 1, NULL, &one, NULL, 0, NULL,
                              NULL)); /* an argument is missing */
    no(clEnqueueReadBuffer(b.queue, m, CL_TRUE, 60, 8, t, 0, NULL, NULL));
    no(clEnqueueWriteBuffer(b.queue, m, CL_TRUE, (size_t)-4, 8, t, 0, NULL, NULL));
    no(clEnqueueCopyBuffer(b.queue, m, m, 0, 60, 8, 0, NULL, NULL));
    no(clSetKernelArg(k, 1, 4, NULL));
    no(clSetKernelArg(k, 7, 4, t));
    no(clBuildProgram(b.program, 0, NULL, "", NULL, NULL)); /* has a kernel */
    int n = 3;
    arg(k, 1, 4, &n);
    run1(&b, k, 1, 1);
    fetch(&b, m, 4, &n);
    printf("%d calls, %d refused, %d\n", calls, refused, n);
    return 0;
}
