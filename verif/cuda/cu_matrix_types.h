/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_matrix_types.h - element types of matrices, for tests of products.
 */
#ifndef CU_MATRIX_TYPES_H
#define CU_MATRIX_TYPES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct type {
    const char *name;
    unsigned bits;
    bool is_signed, is_real;
};
static const struct type types[] = {
    {"f16", 16, true, true}, {"bf16", 16, true, true}, {"tf32", 32, true, true},
    {"f64", 64, true, true}, {"s8", 8, true, false},   {"u8", 8, false, false},
    {"s4", 4, true, false},  {"u4", 4, false, false},  {"b1", 1, false, false},
    {"f32", 32, true, true}, {"s32", 32, true, false}, {"e4m3", 8, true, true},
    {"e5m2", 8, true, true}};
enum { F16, BF16, TF32, F64, S8, U8, S4, U4, B1, F32, S32, E4M3, E5M2 };

/* The bits of a small whole number. */
static inline uint64_t encode(const struct type *t, int v)
{
    union {
        float f;
        uint32_t u;
    } f = {(float)v};
    union {
        double d;
        uint64_t u;
    } d = {v};
    uint32_t sign = f.u >> 31, exponent = (f.u >> 23 & 255) - 127;

    if (!t->is_real)
        return (uint64_t)(int64_t)v & (((uint64_t)1 << t->bits) - 1);
    if (t->bits == 64)
        return d.u;
    if (t->bits == 32)
        return f.u;
    if (strcmp(t->name, "bf16") == 0)
        return f.u >> 16;
    if (v == 0)
        return 0;
    if (strcmp(t->name, "e4m3") == 0)
        return sign << 7 | (exponent + 7) << 3 | (f.u >> 20 & 7);
    if (strcmp(t->name, "e5m2") == 0)
        return sign << 7 | (exponent + 15) << 2 | (f.u >> 21 & 3);
    return sign << 15 | (exponent + 15) << 10 | (f.u >> 13 & 1023);
}

#endif
