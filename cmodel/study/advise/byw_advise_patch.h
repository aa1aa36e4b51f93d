/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_advise_patch.h - advice written into OpenCL C or CUDA source: every expression of a place
 * gets its hint, in the form that byw_advise_in_place() gives.
 */
#ifndef BYW_ADVISE_PATCH_H
#define BYW_ADVISE_PATCH_H

#include <jansson.h>
#include <stdio.h>

#include "study/advise/byw_advise_source.h"

struct byw_advise_patch {
    char *text[BYW_ADVISE_TEXTS]; /* changed texts; NULL: unchanged */
    uint32_t changed, left; /* number of places: written, and impossible to write */
};

/* Adds to each place with advice the member "patched", and "unsaid" if its language has no such
 * load. compute: of the machine (byw_advise_written()). BYW_ENOMEM. Release the patch in any
 * case. */
enum byw_status byw_advise_patch(json_t *report, const struct byw_advise_source *source,
                                 uint32_t compute, struct byw_advise_patch *patch);
void byw_advise_patch_release(struct byw_advise_patch *patch);

/* The changed texts against the old ones, as a unified diff of files 1.cl, 2.cl ... or those of a
 * CUDA program in this folder: `patch -p0` and `git apply` (which drops the first component, ".")
 * both take it. */
void byw_advise_diff(FILE *out, const struct byw_advise_source *source,
                     const struct byw_advise_patch *patch);

#endif
