/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_source.h - the .cu file that PTX was made from, for `byway advise --patch`: keeps a copy
 * in the folder BYWAY_SOURCES and compiles a changed copy there in its place.
 */
#ifndef BYW_CU_SOURCE_H
#define BYW_CU_SOURCE_H

#include <stddef.h>

/* If there is a changed source, replaces *text (and frees it) with the source's PTX, which nvcc
 * (byw_nvcc.h) generates with the options in BYWAY_NVCC_OPTIONS.  PTX without line numbers of a
 * readable file remains unchanged.  Messages go to stderr. */
void byw_cu_source_instead(char **text, size_t *length, unsigned target);

#endif
