/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_toolkit.h - where programs of NVIDIA's CUDA toolkit are: nvcc, ptxas, nvdisasm.
 *
 * Looked for in this order: $CUDA_HOME/bin; PATH; /usr/local/cuda/bin; the toolkit of `make
 * deps-cuda` beside byway and its libraries (cuda/bin). For nvcc, /usr/local/cuda/bin comes before
 * PATH.
 */
#ifndef BYW_TOOLKIT_H
#define BYW_TOOLKIT_H

#include <limits.h>
#include <stdbool.h>

/* Finds a program; false: it is in none of these places. */
bool byw_toolkit_find(const char *name, char path[PATH_MAX]);

#endif
