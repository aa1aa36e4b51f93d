/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_curand_shapes.h - constants shared by the kernels of byw_curand.cu and their callers.
 */
#ifndef BYW_CURAND_SHAPES_H
#define BYW_CURAND_SHAPES_H

#define BLOCK 256 /* threads */
#define STREAMS 4096 /* streams of XORWOW, 2^67 numbers apart */
#define STATE                                                                                      \
    6 /* words of a stream of XORWOW: five that shift, and a count; of MRG32k3a: two times         \
         three */
#define MRG_STREAMS 81920 /* of MRG32k3a, 2^76 numbers apart */
#define MRG_FIRST 4294967087u /* its primes and factors; those of A13 and A23 are subtracted */
#define MRG_SECOND 4294944443u
#define MRG_A12 1403580u
#define MRG_A13 810728u
#define MRG_A21 527612u
#define MRG_A23 1370589u
#define SUBSEQUENCES 65536 /* of Philox; each gives four numbers at a time */

/* Distributions of the numbers. */
#define BITS 0
#define UNIFORM 1 /* (0, 1], float */
#define UNIFORM_DOUBLE 2
#define NORMAL 3 /* float, in pairs */
#define LOG_NORMAL 4
#define NORMAL_DOUBLE 5 /* in pairs */
#define LOG_NORMAL_DOUBLE 6

#endif
