/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_wl_bf16.h - 16-bit floating-point numbers of the machine-learning workloads.
 *
 * bfloat16 is the upper half of a float. Half precision: only zero and normal numbers.
 */
#ifndef BYW_WL_BF16_H
#define BYW_WL_BF16_H

#include "byw_wl.h"

#include <string.h>

/* To the nearest, ties to even. */
static inline uint16_t byw_wl_to_bf16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static inline float byw_wl_from_bf16(uint16_t bf16)
{
    uint32_t bits = (uint32_t)bf16 << 16;
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline float byw_wl_from_half(uint16_t half)
{
    uint32_t bits = (uint32_t)(half & 0x8000) << 16;
    float value;
    if ((half & 0x7c00) != 0)
        bits |= ((uint32_t)(half & 0x7fff) << 13) + ((127u - 15u) << 23);
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* Random numbers from [low, high): host memory that lives until _end. */
static inline uint16_t *byw_wl_bf16s(struct byw_wl *wl, size_t count, float low, float high)
{
    uint16_t *number = byw_wl_alloc(wl, count, sizeof(*number));
    for (size_t i = 0; i < count; i++)
        number[i] = byw_wl_to_bf16(byw_wl_uniform(wl, low, high));
    return number;
}

/* Creates a device buffer from bfloat16 numbers; init NULL: without content. */
static inline cl_mem byw_wl_bf16_buffer(struct byw_wl *wl, size_t count, const uint16_t *init)
{
    return byw_wl_buffer(wl, count * sizeof(*init), init);
}

/* Reads bfloat16 numbers and compares them with `want`: the last bit may differ. */
static inline void byw_wl_check_bf16(struct byw_wl *wl, const char *array, cl_mem from,
                                     const float *want, size_t count, float absolute)
{
    uint16_t *number = byw_wl_alloc(wl, count, sizeof(*number));
    float *got = byw_wl_floats(wl, count);
    byw_wl_read(wl, from, count * sizeof(*number), number);
    for (size_t i = 0; i < count; i++)
        got[i] = byw_wl_from_bf16(number[i]);
    byw_wl_check_f32(wl, array, got, want, count, 1.0f / 128, absolute);
}

#endif
