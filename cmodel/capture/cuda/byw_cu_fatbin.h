/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_fatbin.h - finds the PTX in what programs pass to the driver: PTX text or fat binaries,
 * compressed or not, with or without the wrapper that nvcc adds.
 */
#ifndef BYW_CU_FATBIN_H
#define BYW_CU_FATBIN_H

#include <stddef.h>

#include "common/byw_status.h"

/* The PTX of the highest architecture up to `target` (90 for sm_90), otherwise of the lowest above
 * it. *text is malloced and ends with NUL; NULL on an error.  room: size of the image in bytes; 0:
 * unknown, and its headers are trusted.  BYW_EFORMAT: damaged; BYW_EUNSUPPORTED: machine code
 * without PTX. */
enum byw_status byw_cu_find_ptx(const void *image, size_t room, unsigned target, char **text,
                                size_t *length, struct byw_diag *diag);

#endif
