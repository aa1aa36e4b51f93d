/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_toolkit.h - where programs of NVIDIA's CUDA toolkit are: nvcc, ptxas, nvdisasm.
 *
 * $CUDA_HOME/bin, else PATH (for nvcc after /usr/local/cuda/bin, as ever), else
 * /usr/local/cuda/bin, else the toolkit of `make deps-cuda` beside byway and its libraries
 * (cuda/bin).
 */
#ifndef BYW_TOOLKIT_H
#define BYW_TOOLKIT_H

#include <limits.h>
#include <stdbool.h>

/* Finds a program; false: it is in none of these places. */
bool byw_toolkit_find(const char *name, char path[PATH_MAX]);

#endif
