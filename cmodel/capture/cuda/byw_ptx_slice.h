/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ptx_slice.h - the part of a module that one kernel needs.
 *
 * Modules of templates have hundreds of kernels, of which a program launches a few. The parser and
 * the assembler read a slice instead of megabytes of other kernels.
 */
#ifndef BYW_PTX_SLICE_H
#define BYW_PTX_SLICE_H

#include <stddef.h>

/* Returns the text of a module without the bodies of functions that a kernel does not reach; the
 * caller frees it. NULL without memory, if the module has no such kernel, or if its braces do not
 * match.
 *
 * Everything else is kept as it is and in its order: variables, also those declared in a body
 * (which then stays), prototypes, files, sections. What a kept body or the value of a variable
 * names is reached, whether it is called or its address is taken. */
char *byw_ptx_slice(const char *text, size_t length, const char *kernel, size_t *sliced);

#endif
