/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_fst_files.h - included before the first line of the FST writer (fstapi.c), whose files it
 * moves into memory: the writer maps its temporary files, which ends the program with SIGBUS on a
 * full disk, and does not report failed writes.
 */
#ifndef BYW_FST_FILES_H
#define BYW_FST_FILES_H

#include <stdio.h>

FILE *byw_fst_tmpfile(void);
FILE *byw_fst_fopen(const char *name, const char *mode);

#ifndef BYW_FST_FILES_HERE
#define tmpfile byw_fst_tmpfile
#define fopen byw_fst_fopen
#endif

#endif
