/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_addrmap_hash.h - IPOLY hashing: remainders of binary polynomials.
 *
 * B. R. Rau, "Pseudo-randomly interleaved memory", ISCA 1991: the bits of a block number are the
 * coefficients of a polynomial over GF(2).  The bank is its remainder by an irreducible polynomial
 * of degree log2(banks).  Any aligned power-of-two block of numbers, and any power-of-two stride,
 * spreads evenly over the banks.  For 8 to 256 banks, the polynomials are the usual ones (x^4 + x +
 * 1 for 16, x^5 + x^2 + 1 for 32, x^6 + x + 1 for 64).  All 64 bits of the number are hashed.
 *
 * The remainder is linear, so it is computed by one table lookup per byte.
 */
#ifndef BYW_ADDRMAP_HASH_H
#define BYW_ADDRMAP_HASH_H

#include <stdint.h>

enum { BYW_IPOLY_DEGREE_MAX = 16 };

struct byw_ipoly {
    uint16_t table[8][256]; /* remainder of byte b, indexed by the byte's value */
};

/* The polynomial of a degree, 1 to BYW_IPOLY_DEGREE_MAX: bit i = coefficient of x^i. */
uint32_t byw_ipoly_polynomial(uint32_t degree);

/* degree 0: every remainder is 0. */
void byw_ipoly_init(struct byw_ipoly *ipoly, uint32_t degree);

static inline uint32_t byw_ipoly_mod(const struct byw_ipoly *ipoly, uint64_t number)
{
    uint32_t rest = 0;

    for (uint32_t b = 0; number != 0; b++, number >>= 8)
        rest ^= ipoly->table[b][number & 255];
    return rest;
}

#endif
