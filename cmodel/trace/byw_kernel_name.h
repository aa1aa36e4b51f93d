/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_kernel_name.h - names of kernels as their programmers write them.
 */
#ifndef BYW_KERNEL_NAME_H
#define BYW_KERNEL_NAME_H

#include <stddef.h>

enum { BYW_KERNEL_NAME_ROOM = 128 }; /* bytes of a name, as in struct byw_kernel */

/* For readers: the name of a C++ symbol without its parameters and without blanks, "add" for
 * "_Z3addPfi", "ns::sum<256u,float>" for a template.  Overloaded kernels get equal names, so
 * programs compare symbols.  Other names are copied, and all are truncated to the room. */
void byw_kernel_name(const char *symbol, char text[BYW_KERNEL_NAME_ROOM]);

/* Copies a name; of one with more than `width` characters, the middle is replaced by "...". */
void byw_kernel_name_fit(const char *name, size_t width, char text[BYW_KERNEL_NAME_ROOM]);

/* The name of a kernel in a trace: its symbol. A symbol that does not fit, for example that of
 * nested templates, could not be demangled if it were truncated. It is replaced by the start of its
 * C++ name and a hash of the symbol: "cub::DeviceScanKernel<cub::Poli~0123abcd". */
void byw_kernel_symbol(const char *symbol, char text[BYW_KERNEL_NAME_ROOM]);

#endif
