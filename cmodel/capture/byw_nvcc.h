/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_nvcc.h - the nvcc that byway runs.
 */
#ifndef BYW_NVCC_H
#define BYW_NVCC_H

#define BYW_NVCC_ENV "BYWAY_NVCC"

/* The nvcc of BYWAY_NVCC, otherwise of /usr/local/cuda, otherwise "nvcc", to be searched on PATH;
 * it need not be there. */
const char *byw_nvcc_find(void);

#endif
