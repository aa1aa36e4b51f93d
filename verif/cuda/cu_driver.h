/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_driver.h - the calls of the CUDA driver that tests make, so that they need no toolkit.
 */
#ifndef CU_DRIVER_H
#define CU_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef unsigned long long CUdeviceptr;
int cuInit(unsigned flags);
int cuModuleLoad(CUmodule *module, const char *path);
int cuModuleLoadData(CUmodule *module, const void *image);
int cuModuleUnload(CUmodule module);
int cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
int cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *size, CUmodule module, const char *name);
int cuMemAlloc_v2(CUdeviceptr *address, size_t size);
int cuMemFree_v2(CUdeviceptr address);
int cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t size);
int cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t size);
int cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address, const uint64_t *size,
                           const uint64_t *stride, const uint32_t *box, const uint32_t *step,
                           int interleave, int swizzle, int promotion, int fill);
int cuFuncSetAttribute(CUfunction function, int attribute, int value);
int cuLaunchCooperativeKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz,
                              unsigned bx, unsigned by, unsigned bz, unsigned dynamic, void *stream,
                              void **params);
int cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                   unsigned by, unsigned bz, unsigned dynamic, void *stream, void **params,
                   void **extra);
/* CUlaunchConfig; attribute 4: the blocks of a cluster. */
struct cu_attribute {
    int id;
    unsigned pad, value[16];
};
struct cu_launch {
    unsigned grid[3], block[3], dynamic;
    void *stream;
    const struct cu_attribute *attributes;
    unsigned count;
};
int cuLaunchKernelEx(const struct cu_launch *launch, CUfunction function, void **params,
                     void **extra);
#ifdef __cplusplus
}
#endif

#endif
