/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_curand_shapes.h - what the kernels of byw_curand.cu and their callers agree on.
 */
#ifndef BYW_CURAND_SHAPES_H
#define BYW_CURAND_SHAPES_H

#define BLOCK 256 /* threads */
#define STREAMS 4096 /* generators of XORWOW, each 2^67 numbers behind the one before */
#define STATE 6 /* words of one: five that shift, and a count; of MRG32k3a two times three */
#define MRG_STREAMS 81920 /* of MRG32k3a, each 2^76 numbers behind the one before */
#define MRG_FIRST 4294967087u /* its primes and factors */
#define MRG_SECOND 4294944443u
#define MRG_A12 1403580u
#define MRG_A13 810728u /* less */
#define MRG_A21 527612u
#define MRG_A23 1370589u /* less */
#define SUBSEQUENCES 65536 /* of Philox, each of which gives four numbers in turn */

/* What is made of the numbers. */
#define BITS 0
#define UNIFORM 1 /* (0, 1], float */
#define UNIFORM_DOUBLE 2
#define NORMAL 3 /* float, in pairs */
#define LOG_NORMAL 4

#endif
