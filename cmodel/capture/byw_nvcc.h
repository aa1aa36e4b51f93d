/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_nvcc.h - the nvcc that byway runs.
 */
#ifndef BYW_NVCC_H
#define BYW_NVCC_H

#include <limits.h>

#define BYW_NVCC_ENV "BYWAY_NVCC"

/* The nvcc named by BYWAY_NVCC, otherwise that of byw_toolkit.h, otherwise "nvcc", which may not
 * exist. */
void byw_nvcc_find(char path[PATH_MAX]);

#endif
