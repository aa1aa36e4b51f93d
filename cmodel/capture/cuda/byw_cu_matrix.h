/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_matrix.h - products of matrices in the registers of a warp (wmma, mma), for the compiler
 * (byw_ptx_matrix.c) and for the library (device/byw_cu_matrix.c).
 *
 * A line is a row of A or a column of B. A register holds a piece of a line: `pack` neighbouring
 * elements along k. Lane 4 * i + j has lines i, i + 8 ..., and of each line the pieces j, j + 4 ...
 * Consecutive registers of A go through the lines first, those of B through the pieces first.
 * A result consists of blocks of 8 x 8. A lane has two neighbours in row i of each block, in
 * columns 2 * j and 2 * j + 1; consecutive blocks go through the rows first.  The PTX ISA defines
 * this for mma, and leaves it open for wmma.
 *
 * Sparse products (mma.sp): A has half the elements of each row, and metadata says which: two of
 * four; for tf32 one of two; for 4-bit types two pairs of four pairs.
 */
#ifndef BYW_CU_MATRIX_H
#define BYW_CU_MATRIX_H

/* X(identifier, name in PTX, bits) */
#define BYW_CU_MATRIX_TYPES(X)                                                                     \
    X(F16, "f16", 16)                                                                              \
    X(BF16, "bf16", 16)                                                                            \
    X(TF32, "tf32", 32)                                                                            \
    X(F64, "f64", 64)                                                                              \
    X(E4M3, "e4m3", 8)                                                                             \
    X(E5M2, "e5m2", 8)                                                                             \
    X(S8, "s8", 8)                                                                                 \
    X(U8, "u8", 8)                                                                                 \
    X(S4, "s4", 4)                                                                                 \
    X(U4, "u4", 4)                                                                                 \
    X(B1, "b1", 1)                                                                                 \
    X(F32, "f32", 32)                                                                              \
    X(S32, "s32", 32)
enum byw_cu_matrix_type {
#define X(id, name, bits) BYW_CU_MATRIX_##id,
    BYW_CU_MATRIX_TYPES(X)
#undef X
        BYW_CU_MATRIX_TYPE_COUNT
};

/* form: the types of A, B, the result and C. clamps: .satfinite. both: bits are combined by `and`
 * instead of `xor`. SPARSE adds the number that selects the lanes that hold metadata. */
#define BYW_CU_MATRIX_FORM(a, b, d, c, clamps, both)                                               \
    ((a) | (b) << 4 | (d) << 8 | (clamps) << 12 | (both) << 13 | (c) << 16)
#define BYW_CU_MATRIX_SPARSE(selector) (1u << 14 | (selector) << 20)
#define BYW_CU_MATRIX_METADATA 7u /* index of the metadata among the registers of A */
/* shape: columns of A, and blocks of eight lines of A and of B */
#define BYW_CU_MATRIX_SHAPE(k, rows, columns) ((k) | (rows) << 16 | (columns) << 24)
#define BYW_CU_MATRIX_REGISTERS 8u /* of A or B, at most */

#endif
