/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_opencl.h - OpenCL C by the path of CUDA programs: the PTX that clang makes of it is what
 * runs, so that its blocks are those of the machine code.
 */
#ifndef BYW_CU_OPENCL_H
#define BYW_CU_OPENCL_H

#include "capture/compile/byw_cl_workshop.h"

/* From w->ptx and w->bitcode to w->host, as byw_cl_transform() with a log does. BYW_EUNSUPPORTED:
 * the PTX cannot run, and diag says why; use the bitcode. */
byw_cl_maker byw_cu_from_opencl;

#endif
