/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of libcublas, which are traced like a program's own.  clang makes PTX of them when
 * byway is built (cuda.mk).
 */
#include "byw_cublas_shapes.h"

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define THREAD_X __nvvm_read_ptx_sreg_tid_x()
#define THREAD_Y __nvvm_read_ptx_sreg_tid_y()
#define BLOCK_X __nvvm_read_ptx_sreg_ctaid_x()
#define BLOCK_Y __nvvm_read_ptx_sreg_ctaid_y()
#define BLOCK_Z __nvvm_read_ptx_sreg_ctaid_z()
#define BLOCKS_X __nvvm_read_ptx_sreg_nctaid_x()
#define INDEX (BLOCK_X * REDUCE + THREAD_X)

extern "C" {
#define NAME(x) s##x
#define IN float
#define OUT float
#define SUM float
#define FULL 1
#include "byw_cublas_kernels.h"

#define NAME(x) d##x
#define IN double
#define OUT double
#define SUM double
#define FULL 1
#include "byw_cublas_kernels.h"

#define NAME(x) h##x
#define IN _Float16
#define OUT _Float16
#define SUM float
#define FULL 0
#include "byw_cublas_kernels.h"

#define NAME(x) hs##x /* halves to single precision */
#define IN _Float16
#define OUT float
#define SUM float
#define FULL 0
#include "byw_cublas_kernels.h"
}
