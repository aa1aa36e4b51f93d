/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_mark.h - marks, which relate executions of PTX to machine code.
 *
 * If machine code is wanted, the IR of PTX has a call of BYW_CL_MARK_CALL(mark)
 *   - at the start of each basic block of the PTX,
 *   - before each instruction that has a guard and is no branch,
 *   - where a division or root has operands for which its machine code calls a function: one mark
 *     for each way through that function (byw_slow_ways.def).
 * The column of a debug position is the number of a PTX instruction, counted from 1 at the first
 * one with code.
 */
#ifndef BYW_CL_MARK_H
#define BYW_CL_MARK_H

#define BYW_CL_MARK_CALL "byw_cl_mark"
#define BYW_CL_MARK_KINDS 64u
#define BYW_CL_MARK_BLOCK(number) (BYW_CL_MARK_KINDS * (number))
#define BYW_CL_MARK_GUARDED(number) (BYW_CL_MARK_KINDS * (number) + 1)
#define BYW_CL_MARK_SLOW(number, way) (BYW_CL_MARK_KINDS * (number) + 1 + (way)) /* way: from 1 */
#define BYW_CL_MARK_NUMBER(mark) ((mark) / BYW_CL_MARK_KINDS)
#define BYW_CL_MARK_IS_GUARDED(mark) ((mark) % BYW_CL_MARK_KINDS == 1)
#define BYW_CL_MARK_WAY(mark) /* 0: not a mark of a way */                                         \
    ((mark) % BYW_CL_MARK_KINDS < 2 ? 0 : (mark) % BYW_CL_MARK_KINDS - 1)
#define BYW_CL_MARKS 65535u /* largest column that LLVM keeps */

#endif
