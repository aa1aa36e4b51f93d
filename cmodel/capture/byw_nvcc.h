/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_nvcc.h - the nvcc that byway runs.
 */
#ifndef BYW_NVCC_H
#define BYW_NVCC_H

#define BYW_NVCC_ENV "BYWAY_NVCC"

/* That of BYWAY_NVCC, else of /usr/local/cuda, else "nvcc", for PATH; it need not be there. */
const char *byw_nvcc_find(void);

#endif
