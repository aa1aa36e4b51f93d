/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_nested.h - kernels that launch kernels (dynamic parallelism).
 *
 * What a grid launches, copies and fills on the device is a list, which runs once the grid has
 * ended: by block, and within a block in the order of the calls, each with what it launches itself;
 * then the launches into cudaStreamTailLaunch in the same way. No stream orders more than this, and
 * a grid never waits for one that it has launched. Copies and fills are not traced.
 */
#ifndef BYW_CU_NESTED_H
#define BYW_CU_NESTED_H

#include <stdbool.h>
#include <stddef.h>

/* A cudaLimit, which CUlimit shares; limits that mean nothing here are accepted.  False: the value
 * is out of range. */
bool byw_cu_set_limit(int limit, size_t value);
size_t byw_cu_limit(int limit);

#endif
