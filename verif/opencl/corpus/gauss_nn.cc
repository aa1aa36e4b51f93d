// SPDX-License-Identifier: Apache-2.0
// C++98 host with global state: context from type, devices from the context, kernels from a file.
#include <CL/cl.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

static cl_context context = 0;
static cl_command_queue command_queue = 0;
static cl_device_id *devices = 0;
static cl_program program;

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cl_int rc = (call);                                                                        \
        if (rc != CL_SUCCESS) {                                                                    \
            std::cout << "ERROR: " #call " " << rc << std::endl;                                   \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

struct OpenCL_Exception {
    explicit OpenCL_Exception(const std::string &t) : text(t)
    {
    }
    std::string text;
};

static void init()
{
    cl_uint num_platforms = 0;
    CHECK(clGetPlatformIDs(0, NULL, &num_platforms));
    std::vector<cl_platform_id> platforms(num_platforms);
    CHECK(clGetPlatformIDs(num_platforms, &platforms[0], NULL));
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platforms[0],
                                          0};
    cl_device_type kinds[] = {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU};
    cl_int rc;
    for (int k = 0; k < 2 && !context; k++)
        context = clCreateContextFromType(properties, kinds[k], NULL, NULL, &rc);
    if (!context)
        throw OpenCL_Exception("no context");
    size_t size;
    CHECK(clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &size));
    devices = (cl_device_id *)malloc(size);
    CHECK(clGetContextInfo(context, CL_CONTEXT_DEVICES, size, devices, NULL));
    cl_int error;
    command_queue = clCreateCommandQueue(context, devices[0], 0, &error);
    CHECK(error);
}

static void load(const char *path, const char *options)
{
    std::ifstream file(path);
    if (!file)
        throw OpenCL_Exception(std::string("cannot open ") + path);
    std::stringstream text;
    text << file.rdbuf();
    std::string source = text.str();
    const char *slist[2] = {source.c_str(), 0};
    cl_int error;
    program = clCreateProgramWithSource(context, 1, slist, NULL, &error);
    CHECK(error);
    error = clBuildProgram(program, 0, NULL, options, NULL, NULL);
    static char log[65536];
    CHECK(clGetProgramBuildInfo(program, devices[0], CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL));
    if (error)
        throw OpenCL_Exception(log);
}

static void gauss(int n)
{
    std::vector<float> a(n * n), b(n), x(n), m(n * n, 0.0f);
    for (int i = 0; i < n; i++) {
        b[i] = float(i % 5 + 1);
        for (int j = 0; j < n; j++)
            a[i * n + j] = std::exp(-0.1f * std::abs(i - j)) * 10;
    }
    cl_int e;
    cl_mem da = clCreateBuffer(context, CL_MEM_READ_WRITE, 4 * n * n, NULL, &e);
    cl_mem db = clCreateBuffer(context, CL_MEM_READ_WRITE, 4 * n, NULL, &e);
    cl_mem dm = clCreateBuffer(context, CL_MEM_READ_WRITE, 4 * n * n, NULL, &e);
    cl_event w[3];
    CHECK(clEnqueueWriteBuffer(command_queue, da, 0, 0, 4 * n * n, &a[0], 0, NULL, &w[0]));
    CHECK(clEnqueueWriteBuffer(command_queue, db, 0, 0, 4 * n, &b[0], 1, &w[0], &w[1]));
    CHECK(clEnqueueWriteBuffer(command_queue, dm, 0, 0, 4 * n * n, &m[0], 2, w, &w[2]));
    clFinish(command_queue);
    cl_kernel f1 = clCreateKernel(program, "Fan1", &e), f2 = clCreateKernel(program, "Fan2", &e);
    for (int t = 0; t < n - 1; t++) {
        size_t g1[1] = {64}, g2[2] = {32, 32}, l2[2] = {8, 8};
        clSetKernelArg(f1, 0, sizeof(cl_mem), (void *)&dm);
        clSetKernelArg(f1, 1, sizeof(cl_mem), (void *)&da);
        clSetKernelArg(f1, 2, sizeof(int), (void *)&n);
        clSetKernelArg(f1, 3, sizeof(int), (void *)&t);
        CHECK(clEnqueueNDRangeKernel(command_queue, f1, 1, NULL, g1, NULL, 0, NULL, NULL));
        clSetKernelArg(f2, 0, sizeof(cl_mem), (void *)&dm);
        clSetKernelArg(f2, 1, sizeof(cl_mem), (void *)&da);
        clSetKernelArg(f2, 2, sizeof(cl_mem), (void *)&db);
        clSetKernelArg(f2, 3, sizeof(int), (void *)&n);
        clSetKernelArg(f2, 4, sizeof(int), (void *)&t);
        CHECK(clEnqueueNDRangeKernel(command_queue, f2, 2, NULL, g2, l2, 0, NULL, NULL));
    }
    CHECK(clEnqueueReadBuffer(command_queue, da, CL_TRUE, 0, 4 * n * n, &a[0], 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(command_queue, db, CL_TRUE, 0, 4 * n, &b[0], 0, NULL, NULL));
    for (int i = n - 1; i >= 0; i--) {
        x[i] = b[i];
        for (int j = i + 1; j < n; j++)
            x[i] -= a[i * n + j] * x[j];
        x[i] /= a[i * n + i];
    }
    for (int i = 0; i < n; i += 5)
        printf("%.2f ", x[i]);
    printf("\n");
    clReleaseMemObject(da), clReleaseMemObject(db), clReleaseMemObject(dm);
    clReleaseKernel(f1), clReleaseKernel(f2);
}

struct LatLong {
    float lat, lng;
};

static void nearest(int n)
{
    std::vector<LatLong> where(n);
    for (int i = 0; i < n; i++) {
        where[i].lat = float(i * 37 % 180);
        where[i].lng = float(i * 91 % 360);
    }
    cl_int e;
    cl_mem d = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, n * sizeof(LatLong),
                              &where[0], &e);
    CHECK(e);
    std::vector<float> far(n);
    cl_mem o = clCreateBuffer(context, CL_MEM_WRITE_ONLY, n * 4, 0, &e);
    cl_kernel k = clCreateKernel(program, "NearestNeighbor", &e);
    float lat = 30, lng = 90;
    clSetKernelArg(k, 0, sizeof(cl_mem), &d);
    clSetKernelArg(k, 1, sizeof(cl_mem), &o);
    clSetKernelArg(k, 2, sizeof(int), &n);
    clSetKernelArg(k, 3, sizeof(float), &lat);
    clSetKernelArg(k, 4, sizeof(float), &lng);
    size_t global = 1024;
    CHECK(clEnqueueNDRangeKernel(command_queue, k, 1, 0, &global, 0, 0, 0, 0));
    CHECK(clEnqueueReadBuffer(command_queue, o, 1, 0, 4 * n, &far[0], 0, 0, 0));
    int best = 0;
    for (int i = 1; i < n; i++)
        if (far[i] < far[best])
            best = i;
    printf("%d %.3f\n", best, far[best]);
    clReleaseMemObject(d), clReleaseMemObject(o), clReleaseKernel(k);
}

int main()
{
    try {
        init();
        load("inc/vecops.cl", "-DBLOCK=8 -Iinc");
        gauss(30);
        nearest(1000);
        load("inc/nothing.cl", "");
    } catch (const OpenCL_Exception &e) {
        std::cout << e.text << std::endl;
    }
    clReleaseProgram(program);
    clReleaseCommandQueue(command_queue);
    clReleaseContext(context);
    free(devices);
    return 0;
}
