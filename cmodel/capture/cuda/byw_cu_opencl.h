/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_opencl.h - compiles OpenCL C like CUDA programs: host code is made from clang's PTX, from
 * which the machine code is made too, so that the basic blocks of both correspond.
 */
#ifndef BYW_CU_OPENCL_H
#define BYW_CU_OPENCL_H

#include "capture/compile/byw_cl_workshop.h"

/* From w->ptx and w->bitcode to w->host, as byw_cl_transform() with a log does. BYW_EUNSUPPORTED:
 * the PTX cannot run, and diag says why; use the bitcode. */
byw_cl_maker byw_cu_from_opencl;

#endif
