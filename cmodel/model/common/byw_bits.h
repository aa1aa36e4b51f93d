/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_bits.h - pure helper functions on bit vectors.
 *
 * Widths are 0..64.  byw_ctz64() needs a non-zero argument.
 */
#ifndef BYW_BITS_H
#define BYW_BITS_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* The lowest `width` bits set. */
static inline uint64_t byw_mask64(uint32_t width)
{
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static inline uint64_t byw_bit64(uint32_t i)
{
    return UINT64_C(1) << i;
}

/* Index of the lowest set bit: the priority encoder of the RTL. */
static inline uint32_t byw_ctz64(uint64_t v)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(v);
#else
    uint32_t n = 0;

    for (; (v & 1) == 0; v >>= 1)
        n++;
    return n;
#endif
}

/* Compares the 16 bytes at `at` with `byte`: bit i of the result is set if byte i is equal. */
static inline uint32_t byw_bytes_like(const uint8_t *at, uint8_t byte)
{
#if defined(__SSE2__)
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);

    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)byte)));
#else
    uint32_t like = 0;

    for (uint32_t i = 0; i < 16; i++)
        like |= (uint32_t)(at[i] == byte) << i;
    return like;
#endif
}

/* Prefetches the line at `at` into the host's cache. */
static inline void byw_prefetch(const void *at)
{
#if defined(__GNUC__)
    __builtin_prefetch(at);
#else
    (void)at;
#endif
}

static inline uint32_t byw_popcount64(uint64_t v)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_popcountll(v);
#else
    uint32_t n = 0;

    for (; v != 0; v &= v - 1)
        n++;
    return n;
#endif
}

static inline bool byw_is_pow2(uint64_t v)
{
    return v != 0 && (v & (v - 1)) == 0;
}

/* Bits needed to number v items: 0 for 1, 5 for 32, 6 for 33. */
static inline uint32_t byw_clog2(uint64_t v)
{
    uint32_t n = 0;

    while (n < 64 && (UINT64_C(1) << n) < v)
        n++;
    return n;
}

#endif
