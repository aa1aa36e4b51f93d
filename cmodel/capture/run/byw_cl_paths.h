/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_paths.h - from the marked parts that a warp ran to the paths of its lanes through the
 * machine code.
 *
 * Lanes that ran the same parts share a path.  A path is searched once for each sequence of parts
 * of a kernel (byw_cl_walk.h) and then remembered.
 */
#ifndef BYW_CL_PATHS_H
#define BYW_CL_PATHS_H

#include <stdbool.h>

#include "capture/run/byw_cl_code.h"
#include "capture/run/byw_cl_merge.h"
#include "common/byw_status.h"

struct byw_cl_paths;

/* NULL: the kernel has no machine code, or memory ran out. */
struct byw_cl_paths *byw_cl_paths_create(const struct byw_cl_code *code);
void byw_cl_paths_free(struct byw_cl_paths *paths);

/* Whether these paths belong to a kernel with this code. */
bool byw_cl_paths_are_of(const struct byw_cl_paths *paths, const struct byw_cl_code *code);

/* Number of a CTA to which paths will be added. */
uint64_t byw_cl_paths_begin(struct byw_cl_paths *paths);

/* Adds the paths of the warp's lanes to the CTA, for its last warp. A warp has none if one of its
 * lanes has none. */
enum byw_status byw_cl_paths_add(struct byw_cl_paths *paths, const struct byw_cl_warp *warp,
                                 struct byw_cta *cta, uint64_t number);

#endif
