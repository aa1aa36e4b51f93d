// SPDX-License-Identifier: Apache-2.0
// The C++ wrapper with exceptions: functors, copies by iterator, maps, events, a build error.
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <algorithm>
#include <cstdio>
#include <numeric>

static const char source[] = R"CLC(
kernel void saxpy(float a, global const float *x, global float *y) {
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
kernel void sums(global const int *in, global int *out, local int *t) {
    uint l = get_local_id(0), n = get_local_size(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = n / 2; s; s >>= 1) {
        if (l < s) t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (!l) out[get_group_id(0)] = t[0];
}
)CLC";

int main()
{
    try {
        std::vector<cl::Platform> platforms;
        cl::Platform::get(&platforms);
        std::vector<cl::Device> devices;
        platforms[0].getDevices(CL_DEVICE_TYPE_ALL, &devices);
        cl::Context context(devices[0]);
        cl::CommandQueue queue(context, devices[0], CL_QUEUE_PROFILING_ENABLE);
        cl::Program program(context, source);
        program.build("-cl-mad-enable");
        auto saxpy = cl::KernelFunctor<float, cl::Buffer, cl::Buffer>(program, "saxpy");
        std::vector<float> x(1000), y(1000, 1.0f);
        std::iota(x.begin(), x.end(), 0.0f);
        cl::Buffer dx(context, x.begin(), x.end(), true), dy(context, y.begin(), y.end(), false);
        cl::Event done = saxpy(cl::EnqueueArgs(queue, cl::NDRange(1000)), 0.5f, dx, dy);
        done.wait();
        cl::copy(queue, dy, y.begin(), y.end());
        printf("%.1f %.1f %d\n", y[10], y[999],
               done.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() == CL_COMPLETE);
        printf("%d\n", done.getProfilingInfo<CL_PROFILING_COMMAND_END>() >=
                           done.getProfilingInfo<CL_PROFILING_COMMAND_START>());
        std::vector<int> v(512);
        std::iota(v.begin(), v.end(), 1);
        cl::Buffer in(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 4 * v.size(), v.data());
        cl::Buffer out(context, CL_MEM_WRITE_ONLY, 4 * 8);
        cl::Kernel sums(program, "sums");
        sums.setArg(0, in);
        sums.setArg(1, out);
        sums.setArg(2, cl::Local(64 * 4));
        queue.enqueueNDRangeKernel(sums, cl::NullRange, cl::NDRange(512), cl::NDRange(64));
        int *p = static_cast<int *>(queue.enqueueMapBuffer(out, CL_TRUE, CL_MAP_READ, 0, 32));
        for (int i = 0; i < 8; i++)
            printf("%d ", p[i]);
        printf("\n");
        queue.enqueueUnmapMemObject(out, p);
        queue.enqueueFillBuffer(out, 7, 0, 32);
        std::vector<int> w(8);
        queue.enqueueReadBuffer(out, CL_TRUE, 0, 32, w.data());
        printf("%d\n", std::accumulate(w.begin(), w.end(), 0));
        printf("%s %zu\n", sums.getInfo<CL_KERNEL_FUNCTION_NAME>().c_str(),
               (size_t)sums.getInfo<CL_KERNEL_NUM_ARGS>());
        cl::size_type most = sums.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(devices[0]);
        printf("%d\n", most >= 64);
        std::vector<cl::Kernel> all;
        program.createKernels(&all);
        printf("%zu kernels\n", all.size());
        cl::ImageFormat format(CL_RGBA, CL_FLOAT);
        cl::Image2D image(context, CL_MEM_READ_WRITE, format, 16, 16);
        printf("%zu %zu\n", image.getImageInfo<CL_IMAGE_WIDTH>(),
               image.getImageInfo<CL_IMAGE_ROW_PITCH>());
        cl::Program broken(context, "kernel void f(global int *a) { a[0] = undefined_name; }");
        broken.build();
    } catch (const cl::BuildError &e) {
        printf("build error %d, log %s\n", e.err(),
               e.getBuildLog()[0].second.find("undefined_name") != std::string::npos ? "names it"
                                                                                     : "?");
    } catch (const cl::Error &e) {
        printf("%s %d\n", e.what(), e.err());
    }
    try {
        cl::Buffer none(cl::Context::getDefault(), CL_MEM_READ_WRITE, 0);
    } catch (const cl::Error &e) {
        printf("%s %d\n", e.what(), e.err());
    }
    return 0;
}
