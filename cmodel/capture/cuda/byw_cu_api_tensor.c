/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver API: tensor maps, in byway's layout.
 */
#include <string.h>

#include "capture/cuda/byw_cu_driver.h"
#include "capture/cuda/byw_cu_tensor.h"

#define BOX_MOST 256u /* elements of a dimension */
#define STEP_MOST 8u
#define PIECE 16u /* bytes: addresses, strides and rows of a box are multiples of it */
#define SWIZZLES 4u

/* CUtensorMapDataType in the order of tensormap.replace. */
static const uint8_t types[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 8, 11, 12};

/* Arguments of cuTensorMapEncodeTiled() that describe one dimension each. */
struct shape {
    const uint64_t *size, *stride;
    const uint32_t *box, *step;
};

static bool read_dimension(struct byw_cu_tensor *m, const struct shape *from, uint32_t d)
{
    uint64_t stride = d == 0 ? 0 : from->stride[d - 1];

    if (from->size[d] == 0 || from->size[d] > 1ull << 32 || from->box[d] == 0 ||
        from->box[d] > BOX_MOST || from->step[d] == 0 || from->step[d] > STEP_MOST ||
        stride % PIECE != 0 || stride >= 1ull << 40)
        return false;
    m->size[d] = from->size[d] > UINT32_MAX ? UINT32_MAX : (uint32_t)from->size[d];
    m->box[d] = (uint16_t)from->box[d];
    m->step[d] = d == 0 ? 1 : (uint8_t)from->step[d];
    if (d != 0)
        m->stride[d - 1] = stride;
    return true;
}

/* Whether hardware can copy the box: address and row length are multiples of 16 bytes, and a
 * swizzled row fits its pattern. */
static bool is_whole(const struct byw_cu_tensor *m)
{
    uint32_t row = m->box[0] * byw_cu_tensor_element(m->type);

    return row % PIECE == 0 && m->address % PIECE == 0 &&
           (m->swizzle == 0 || row <= PIECE << m->swizzle);
}

CU(cuTensorMapEncodeTiled, void *map, unsigned type, unsigned rank, void *address,
   const uint64_t *size, const uint64_t *stride, const uint32_t *box, const uint32_t *step,
   unsigned interleave, unsigned swizzle, unsigned promotion, unsigned fill)
{
    const struct shape shape = {size, stride, box, step};
    struct byw_cu_tensor m = {.address = (uint64_t)(uintptr_t)address};

    (void)promotion; /* what the L2 fetches at a time */
    if (interleave != 0 || swizzle >= SWIZZLES || type >= sizeof(types)) {
        byw_cu_say(
            "cuTensorMapEncodeTiled: byway does not support interleaved tensors, elements "
            "smaller than a byte, or swizzles other than 32, 64 and 128 bytes in pieces of 16");
        return BYW_CU_NOT_SUPPORTED;
    }
    if (map == NULL || rank == 0 || rank > BYW_CU_TENSOR_RANK || size == NULL || box == NULL ||
        step == NULL || (rank > 1 && stride == NULL) || fill > 1)
        return BYW_CU_INVALID_VALUE;
    m.rank = (uint8_t)(rank - 1);
    m.type = types[type];
    m.swizzle = (uint8_t)swizzle;
    m.nan = (uint8_t)fill;
    for (uint32_t d = 0; d < rank; d++)
        if (!read_dimension(&m, &shape, d))
            return BYW_CU_INVALID_VALUE;
    if (!is_whole(&m))
        return BYW_CU_INVALID_VALUE;
    memset(map, 0, BYW_CU_TENSOR_BYTES);
    memcpy(map, &m, sizeof(m));
    return BYW_CU_OK;
}

CU(cuTensorMapReplaceAddress, void *map, void *address)
{
    uint64_t value = (uint64_t)(uintptr_t)address;

    if (map == NULL || value % PIECE != 0)
        return BYW_CU_INVALID_VALUE;
    memcpy(map, &value, sizeof(value)); /* the first field */
    return BYW_CU_OK;
}

CU(cuTensorMapEncodeIm2col, void *map)
{
    (void)map;
    byw_cu_say("cuTensorMapEncodeIm2col: byway supports tiled tensor maps only");
    return BYW_CU_NOT_SUPPORTED;
}
CU_ALIAS(cuTensorMapEncodeIm2colWide, cuTensorMapEncodeIm2col);
