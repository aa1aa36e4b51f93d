/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_addrmap_hash.h"

#include <assert.h>
#include <string.h>

static const uint32_t polynomials[BYW_IPOLY_DEGREE_MAX + 1] = {
    1,     0x3,   0x7,   0xb,    0x13,   0x25,   0x43,   0x83,    0x11b,
    0x211, 0x409, 0x805, 0x1053, 0x201b, 0x4443, 0x8003, 0x1100b,
};

uint32_t byw_ipoly_polynomial(uint32_t degree)
{
    assert(degree >= 1 && degree <= BYW_IPOLY_DEGREE_MAX);
    return polynomials[degree];
}

void byw_ipoly_init(struct byw_ipoly *ipoly, uint32_t degree)
{
    uint32_t power = 1; /* x^i mod the polynomial */

    memset(ipoly, 0, sizeof(*ipoly));
    if (degree == 0)
        return;
    for (uint32_t i = 0; i < 64; i++) {
        for (uint32_t value = 0; value < 256; value++)
            if ((value >> (i % 8)) & 1)
                ipoly->table[i / 8][value] ^= (uint16_t)power;
        power <<= 1;
        if ((power >> degree) & 1)
            power ^= byw_ipoly_polynomial(degree);
    }
}
