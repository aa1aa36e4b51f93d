/* SPDX-License-Identifier: Apache-2.0
 * Error codes of calls with wrong arguments. */
#include "corpus.h"
static const char src[] =
    "kernel void f(global int *a, int n, local int *l) { a[get_global_id(0)] = n; }\n";
#define SHOW(call) printf("%d %s\n", (int)(call), #call)
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    cl_int code;
    size_t ten = 10, three = 3, huge = 1 << 20;
    int n = 1;
    char text[64];
    cl_mem m = buffer(&b, 400, NULL);
    cl_kernel k = kernel(&b, "f");
    SHOW(clGetDeviceIDs(b.platform, CL_DEVICE_TYPE_ALL, 0, NULL, NULL));
    SHOW(clGetPlatformIDs(0, NULL, NULL));
    SHOW(clGetPlatformInfo(b.platform, 0x9999, 64, text, NULL));
    SHOW(clGetPlatformInfo(b.platform, CL_PLATFORM_NAME, 1, text, NULL));
    clCreateBuffer(b.context, 0, 0, NULL, &code), SHOW(code);
    clCreateBuffer(b.context, CL_MEM_COPY_HOST_PTR, 16, NULL, &code), SHOW(code);
    clCreateBuffer(b.context, 0, 16, text, &code), SHOW(code);
    clCreateKernel(b.program, "none", &code), SHOW(code);
    SHOW(clSetKernelArg(k, 9, 4, &n));
    SHOW(clSetKernelArg(k, 1, 8, &n));
    SHOW(clSetKernelArg(k, 2, 0, NULL));
    SHOW(clSetKernelArg(k, 1, 4, NULL));
    SHOW(clEnqueueNDRangeKernel(b.queue, k, 1, NULL, &ten, NULL, 0, NULL, NULL));
    arg(k, 0, sizeof(m), &m);
    arg(k, 1, 4, &n);
    arg(k, 2, 64, NULL);
    SHOW(clEnqueueNDRangeKernel(b.queue, k, 0, NULL, &ten, NULL, 0, NULL, NULL));
    SHOW(clEnqueueNDRangeKernel(b.queue, k, 4, NULL, &ten, NULL, 0, NULL, NULL));
    SHOW(clEnqueueNDRangeKernel(b.queue, k, 1, NULL, &ten, &three, 0, NULL, NULL));
    SHOW(clEnqueueNDRangeKernel(b.queue, k, 1, NULL, &huge, &huge, 0, NULL, NULL) < 0);
    run1(&b, k, ten, 0);
    SHOW(clEnqueueReadBuffer(b.queue, m, CL_TRUE, 0, 401, text, 0, NULL, NULL));
    SHOW(clEnqueueReadBuffer(b.queue, m, CL_TRUE, 0, 4, NULL, 0, NULL, NULL));
    SHOW(clEnqueueCopyBuffer(b.queue, m, m, 0, 8, 16, 0, NULL, NULL));
    SHOW(clEnqueueFillBuffer(b.queue, m, text, 3, 0, 30, 0, NULL, NULL));
    SHOW(clWaitForEvents(0, NULL));
    SHOW(clEnqueueReadBuffer(b.queue, m, CL_TRUE, 0, 4, text, 1, NULL, NULL));
    SHOW(clGetKernelInfo(k, 0x9999, 0, NULL, NULL));
    SHOW(clBuildProgram(b.program, 1, NULL, NULL, NULL, NULL));
    clCreateProgramWithSource(b.context, 0, NULL, NULL, &code), SHOW(code);
    clCreateContext(NULL, 0, NULL, NULL, NULL, &code), SHOW(code);
    const char *broken = "kernel void f( {";
    cl_program p = clCreateProgramWithSource(b.context, 1, &broken, NULL, &code);
    SHOW(clBuildProgram(p, 0, NULL, NULL, NULL, NULL));
    clCreateKernel(p, "f", &code), SHOW(code);
    cl_build_status status;
    SHOW(
        clGetProgramBuildInfo(p, b.device, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status, NULL));
    printf("%d\n", status);
    SHOW(clRetainMemObject(m));
    SHOW(clReleaseMemObject(m));
    return 0;
}
