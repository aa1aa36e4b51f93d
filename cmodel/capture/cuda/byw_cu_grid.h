/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_grid.h - one grid, without those that its kernel launches (byw_cu_nested.c).
 */
#ifndef BYW_CU_GRID_H
#define BYW_CU_GRID_H

#include "capture/cuda/byw_cu.h"
#include "capture/cuda/byw_cu_image.h"

/* byw_cu_launch() of this grid only; `runtime` answers its kernel's calls of CUDA's runtime. */
enum byw_cu_error byw_cu_launch_grid(struct byw_cu_function *function, const unsigned grid[3],
                                     const unsigned block[3], const unsigned cluster[3],
                                     size_t dynamic, void *const *args, byw_cu_runtime *runtime);
/* Whether a launch would be accepted. Compiles nothing, so that a kernel may ask. */
enum byw_cu_error byw_cu_check_launch(struct byw_cu_function *function, const unsigned grid[3],
                                      const unsigned block[3], size_t dynamic);
/* Whether byw_cu_attributes() and byw_cu_occupancy() need not compile the function. */
bool byw_cu_is_compiled(const struct byw_cu_function *function);
/* The kernel with that number (struct byw_cu_kernel); NULL: none. */
struct byw_cu_function *byw_cu_find_number(struct byw_cu_module *module, uint64_t number);

#endif
