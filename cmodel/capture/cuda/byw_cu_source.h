/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_source.h - the .cu file that PTX was made from, for `byway advise --patch`: keeps a copy
 * in the folder BYWAY_SOURCES and compiles a changed copy there in its place.
 */
#ifndef BYW_CU_SOURCE_H
#define BYW_CU_SOURCE_H

#include <stddef.h>

/* Replaces *text, which is freed, by the PTX of the changed source if there is one; nvcc makes it
 * (byw_nvcc.h), with the words of BYWAY_NVCC_OPTIONS.  PTX without line numbers of a readable file
 * is unchanged.  Messages go to stderr. */
void byw_cu_source_instead(char **text, size_t *length, unsigned target);

#endif
