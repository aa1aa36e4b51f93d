/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cublas_shapes.h - constants shared by the kernels of byw_cublas.cu and their callers.
 */
#ifndef BYW_CUBLAS_SHAPES_H
#define BYW_CUBLAS_SHAPES_H

#define TILE 16 /* threads per block in x and y, of kernels over matrices */
#define REDUCE 256 /* threads per block, of kernels over vectors */

/* Kinds of a matrix; LOWER and UPPER also name parts of a result. */
#define LOWER 1
#define UPPER 2
#define SYMMETRIC 4
#define TRIANGLE 8
#define UNIT 16
#define E5M2 32 /* its elements of 8 bits have 5 bits of exponent, not 4 */

/* `trans` of a matrix, encoded as in cublasOperation_t. */
#define TRANSPOSED 1
#define ADJOINT 2

/* Functions applied to the elements of a product. */
#define RELU 1
#define GELU 2
#define FINISH 3 /* mask of RELU and GELU; TO_E5M2 may be added to them */
#define TO_E5M2 4 /* the result's 8-bit elements are E5M2 */

#endif
