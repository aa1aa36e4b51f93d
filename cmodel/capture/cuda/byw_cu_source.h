/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_source.h - the .cu file that PTX was made from, for `byway advise --patch`: a copy is kept
 * in the folder of BYWAY_SOURCES, and a changed copy there is compiled in its place.
 */
#ifndef BYW_CU_SOURCE_H
#define BYW_CU_SOURCE_H

#include <stddef.h>

/* Replaces *text, which is freed, by the PTX of the changed source if there is one; nvcc makes it
 * (byw_nvcc.h), with the words of BYWAY_NVCC_OPTIONS.  PTX without line numbers of a file that can
 * be read stays.  Messages go to stderr. */
void byw_cu_source_instead(char **text, size_t *length, unsigned target);

#endif
