/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_clang.h - the clang and the OpenCL C library that compile kernels, looked up when they are
 * needed, so that an installed byway does not depend on the paths of the machine that built it.
 *
 * clang is $BYWAY_CLANG, else clang-V on PATH, else the one of LLVM's folder, else clang on PATH; V
 * is the version of LLVM that this byway was built with, whose bitcode clang must read.
 */
#ifndef BYW_CLANG_H
#define BYW_CLANG_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/byw_status.h"

/* The path, or name, of clang; it may not exist. */
void byw_clang_find(char path[PATH_MAX]);

/* Bitcode of OpenCL C's library for the generic target, or for NVIDIA's; NULL: none is installed.
 */
const char *byw_clang_library(bool nvidia);

/* The version of LLVM that this byway was built with; empty: without LLVM. */
const char *byw_clang_version(void);

/* Runs clang to check that it is clang, of the right version, and that the library exists.
 * BYW_ENOENT: one of these fails; the message says what to install or to set. text (may be NULL):
 * clang's own version. */
enum byw_status byw_clang_check(char text[128], struct byw_diag *diag);

/* Runs a program and stores what it prints (as much as fits); false: it cannot be run, or prints
 * nothing. */
bool byw_clang_ask(const char *const argv[], char *text, size_t room);

/* Finds a program on PATH; false: there is none. */
bool byw_clang_on_path(const char *name, char path[PATH_MAX]);

#endif
