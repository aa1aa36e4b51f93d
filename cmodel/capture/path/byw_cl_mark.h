/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_mark.h - marks: with machine code, the IR of PTX has a call of BYW_CL_MARK_CALL(mark) at
 * the start of each basic block of the PTX and before each instruction that has a guard (not a
 * branch); columns of debug positions are numbers of PTX instructions - the number of the first one
 * with code + 1.
 */
#ifndef BYW_CL_MARK_H
#define BYW_CL_MARK_H

#define BYW_CL_MARK_CALL "byw_cl_mark"
#define BYW_CL_MARK_BLOCK(number) (2 * (number))
#define BYW_CL_MARK_GUARDED(number) (2 * (number) + 1)
#define BYW_CL_MARKS 65535u /* largest column that LLVM keeps */

#endif
