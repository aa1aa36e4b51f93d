/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_nvcc.h - the nvcc that byway runs.
 */
#ifndef BYW_NVCC_H
#define BYW_NVCC_H

#define BYW_NVCC_ENV "BYWAY_NVCC"

/* The nvcc named by BYWAY_NVCC, otherwise the one in /usr/local/cuda, otherwise "nvcc", which is
 * searched on PATH and may not exist. */
const char *byw_nvcc_find(void);

#endif
