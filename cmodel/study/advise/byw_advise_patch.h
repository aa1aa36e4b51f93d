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
    uint32_t changed, left; /* places with a written hint, and places where none can be written */
};

/* Adds the member "patched" to each place with advice, and "unsaid" if the place's language has no
 * such load. compute: the machine's compute capability (byw_advise_written()). Errors: BYW_ENOMEM.
 * Release the patch even after an error. */
enum byw_status byw_advise_patch(json_t *report, const struct byw_advise_source *source,
                                 uint32_t compute, struct byw_advise_patch *patch);
void byw_advise_patch_release(struct byw_advise_patch *patch);

/* A unified diff from the old to the changed texts, whose files are 1.cl, 2.cl ... or those of a
 * CUDA program in this folder. Both `patch -p0` and `git apply` (which drops the first component,
 * ".") accept it. */
void byw_advise_diff(FILE *out, const struct byw_advise_source *source,
                     const struct byw_advise_patch *patch);

#endif
