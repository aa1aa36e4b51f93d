/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_tensor.h - byway's layout of a tensor map (CUtensorMap): where a tensor is in memory, and
 * which box of it a bulk copy moves.  The driver writes it, or a kernel by tensormap.replace; bulk
 * copies read it (device/byw_cu_tensor.c).
 */
#ifndef BYW_CU_TENSOR_H
#define BYW_CU_TENSOR_H

#include <stdint.h>

#define BYW_CU_TENSOR_RANK 5
#define BYW_CU_TENSOR_BYTES 128 /* of a CUtensorMap */

/* Dimension 0 is contiguous.  All zero: an empty box. */
struct byw_cu_tensor {
    uint64_t address;
    uint64_t stride[BYW_CU_TENSOR_RANK]; /* bytes between neighbours of dimension d + 1 */
    uint32_t size[BYW_CU_TENSOR_RANK]; /* elements */
    uint16_t box[BYW_CU_TENSOR_RANK]; /* elements that a box spans */
    uint8_t step[BYW_CU_TENSOR_RANK]; /* between elements of the box; 0 means 1; unused for
                                         dimension 0 */
    uint8_t rank; /* number of dimensions - 1 */
    uint8_t type; /* as tensormap.replace numbers types */
    uint8_t swizzle; /* 0 none, 1 to 3: rows of 32, 64, 128 bytes */
    uint8_t interleave; /* must be 0 */
    uint8_t nan; /* elements outside of the tensor are NaN instead of 0 */
};

/* Bytes of an element of a type; 0: unknown. */
static inline uint32_t byw_cu_tensor_element(uint8_t type)
{
    /* u8 u16 u32 s32 u64 s64 f16 f32 f32.ftz f64 bf16 tf32 tf32.ftz */
    static const uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4};

    return type < sizeof(bytes) ? bytes[type] : 0;
}

#endif
