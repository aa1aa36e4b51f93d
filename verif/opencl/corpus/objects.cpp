// SPDX-License-Identifier: Apache-2.0
// C++ host with owning handles and templates: tiled matrix product with barriers, checked on the
// host.
#include "corpus.h"
#include <memory>
#include <string>
#include <vector>

template <typename T> struct Buffer {
    Buffer(bench &b, const std::vector<T> &v)
        : b(b), n(v.size()), mem(buffer(&b, n * sizeof(T), v.data()))
    {
    }
    ~Buffer()
    {
        clReleaseMemObject(mem);
    }
    std::vector<T> get()
    {
        std::vector<T> v(n);
        fetch(&b, mem, n * sizeof(T), v.data());
        return v;
    }
    bench &b;
    size_t n;
    cl_mem mem;
};

template <typename... Args>
static void call(bench &b, const std::string &name, std::vector<size_t> global,
                 std::vector<size_t> local, const Args &...args)
{
    std::unique_ptr<_cl_kernel, cl_int (*)(cl_kernel)> k(kernel(&b, name.c_str()), clReleaseKernel);
    cl_uint i = 0;
    (arg(k.get(), i++, sizeof(args), &args), ...);
    must(clEnqueueNDRangeKernel(b.queue, k.get(), (cl_uint)global.size(), nullptr, global.data(),
                                local.data(), 0, nullptr, nullptr),
         name.c_str());
}

int main()
{
    const char *source = R"CLC(
#define T 8
kernel void product(global const float *a, global const float *b, global float *c, int n) {
    local float x[T][T], y[T][T + 1];
    int i = get_global_id(1), j = get_global_id(0), li = get_local_id(1), lj = get_local_id(0);
    float s = 0;
    for (int t = 0; t < n / T; t++) {
        x[li][lj] = a[i * n + t * T + lj];
        y[li][lj] = b[(t * T + li) * n + j];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < T; k++)
            s += x[li][k] * y[k][lj];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[i * n + j] = s;
})CLC";
    const int n = 48;
    bench b = open_bench(source, "", 0);
    std::vector<float> x(n * n), y(n * n);
    for (int i = 0; i < n * n; i++) {
        x[i] = float(i % 7);
        y[i] = float(i % 5) - 2;
    }
    Buffer<float> mx(b, x), my(b, y), mc(b, std::vector<float>(n * n));
    call(b, "product", {n, n}, {8, 8}, mx.mem, my.mem, mc.mem, n);
    int wrong = 0;
    auto got = mc.get();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++)
                s += x[i * n + k] * y[k * n + j];
            wrong += s != got[i * n + j];
        }
    printf("wrong %d sum %g\n", wrong, double(got[0] + got[n * n - 1]));
    clReleaseProgram(b.program);
    clReleaseCommandQueue(b.queue);
    clReleaseContext(b.context);
}
