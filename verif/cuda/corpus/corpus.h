/* SPDX-License-Identifier: Apache-2.0
 *
 * corpus.h - small CUDA programs, each in one file: nvcc compiles its kernels (make_ptx.sh keeps
 * the PTX next to it), g++ its host half, which checks them against plain C++ (../cu_corpus.cpp).
 */
#ifndef CORPUS_H
#define CORPUS_H

#ifdef __CUDACC__
#define KERNEL extern "C" __global__ void
#else
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../cu_driver.h"

/* Defines the check of one program: true when all its results are right. */
#define CHECK(name)                                                                                \
    static bool name(Program &p);                                                                  \
    static Registered registered_##name(#name, name);                                              \
    static bool name(Program &p)

class Program
{
  public:
    explicit Program(const std::string &path)
    {
        good = cuModuleLoad(&module, path.c_str()) == 0;
    }
    ~Program()
    {
        if (good)
            cuModuleUnload(module);
    }
    /* Runs a kernel; false when it cannot be run. */
    template <typename... A>
    bool run(const char *name, unsigned grid, unsigned block, unsigned shared, A... args)
    {
        unsigned g[3] = {grid, 1, 1}, b[3] = {block, 1, 1};
        return run3(name, g, b, shared, args...);
    }
    template <typename... A>
    bool run3(const char *name, const unsigned *g, const unsigned *b, unsigned shared, A... args)
    {
        CUfunction f;
        void *list[] = {(void *)&args..., nullptr};

        if (!good || cuModuleGetFunction(&f, module, name) != 0)
            return false;
        if (shared > 48 * 1024)
            cuFuncSetAttribute(f, 8, (int)shared);
        return cuLaunchKernel(f, g[0], g[1], g[2], b[0], b[1], b[2], shared, nullptr, list,
                              nullptr) == 0;
    }
    /* run() for a kernel whose blocks wait for each other. */
    template <typename... A>
    bool run_together(const char *name, unsigned grid, unsigned block, A... args)
    {
        CUfunction f;
        void *list[] = {(void *)&args..., nullptr};

        return good && cuModuleGetFunction(&f, module, name) == 0 &&
               cuLaunchCooperativeKernel(f, grid, 1, 1, block, 1, 1, 0, nullptr, list) == 0;
    }
    /* run() with clusters of several blocks. */
    template <typename... A>
    bool run_clusters(const char *name, unsigned grid, unsigned cluster, unsigned block,
                      unsigned shared, A... args)
    {
        const cu_attribute size = {4, 0, {cluster, 1, 1}};
        const cu_launch launch = {{grid, 1, 1}, {block, 1, 1}, shared, nullptr, &size, 1};
        CUfunction f;
        void *list[] = {(void *)&args..., nullptr};

        return good && cuModuleGetFunction(&f, module, name) == 0 &&
               cuLaunchKernelEx(&launch, f, list, nullptr) == 0;
    }
    /* run() with all parameters in one struct. */
    template <typename S> bool run_packed(const char *name, unsigned block, const S &all)
    {
        size_t size = sizeof(all);
        void *extra[] = {(void *)1, (void *)&all, (void *)2, &size, nullptr};
        CUfunction f;

        return good && cuModuleGetFunction(&f, module, name) == 0 &&
               cuLaunchKernel(f, 1, 1, 1, block, 1, 1, 0, nullptr, nullptr, extra) == 0;
    }
    template <typename T> bool set(const char *name, const std::vector<T> &value)
    {
        CUdeviceptr at;
        size_t size;
        return good && cuModuleGetGlobal_v2(&at, &size, module, name) == 0 &&
               size >= value.size() * sizeof(T) &&
               cuMemcpyHtoD_v2(at, value.data(), value.size() * sizeof(T)) == 0;
    }

  private:
    CUmodule module;
    bool good;
};

/* Memory of the device. */
template <typename T> class Buffer
{
  public:
    explicit Buffer(const std::vector<T> &v) : count(v.size())
    {
        cuMemAlloc_v2(&at, count * sizeof(T));
        cuMemcpyHtoD_v2(at, v.data(), count * sizeof(T));
    }
    explicit Buffer(size_t n, T value = T()) : Buffer(std::vector<T>(n, value))
    {
    }
    ~Buffer()
    {
        cuMemFree_v2(at);
    }
    std::vector<T> get() const
    {
        std::vector<T> v(count);
        cuMemcpyDtoH_v2(v.data(), at, count * sizeof(T));
        return v;
    }
    CUdeviceptr at;

  private:
    size_t count;
};

/* A parameter that describes a box of a tensor: CUtensorMap.  Sizes in elements, dimension 0 first;
 * strides in bytes, from dimension 1 on. */
struct alignas(64) TensorMap {
    enum Type { BYTES, WORDS = 2, HALVES = 6, FLOATS = 7 };
    TensorMap(Type type, CUdeviceptr at, const std::vector<uint64_t> &size,
              const std::vector<uint64_t> &stride, const std::vector<uint32_t> &box,
              int swizzle = 0, int nan = 0)
    {
        const std::vector<uint32_t> step(size.size(), 1);
        good =
            cuTensorMapEncodeTiled(bytes, type, (unsigned)size.size(), (void *)at, size.data(),
                                   stride.data(), box.data(), step.data(), 0, swizzle, 0, nan) == 0;
    }
    unsigned char bytes[128];
    bool good;
};

typedef bool (*Check)(Program &);
struct Registered {
    Registered(const char *name, Check check);
};

/* Pseudo-random numbers, the same in every run. */
inline uint32_t noise(uint32_t i)
{
    i = (i ^ 61) ^ (i >> 16);
    i *= 9;
    i ^= i >> 4;
    i *= 0x27d4eb2d;
    return i ^ i >> 15;
}
inline std::vector<float> floats(size_t n)
{
    std::vector<float> v(n);
    for (size_t i = 0; i < n; i++)
        v[i] = (float)(noise((uint32_t)i) % 2001) / 1000.0f - 1.0f;
    return v;
}
inline std::vector<int> ints(size_t n, int most)
{
    std::vector<int> v(n);
    for (size_t i = 0; i < n; i++)
        v[i] = (int)(noise((uint32_t)i) % (uint32_t)most);
    return v;
}
inline bool near(const std::vector<float> &a, const std::vector<float> &b, float relative)
{
    if (a.size() != b.size())
        return false;
    for (size_t i = 0; i < a.size(); i++)
        if (!(fabsf(a[i] - b[i]) <= relative * (1 + fabsf(b[i]))))
            return false;
    return true;
}
#endif

#endif
