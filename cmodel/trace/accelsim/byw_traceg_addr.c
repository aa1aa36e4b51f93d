/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_traceg_addr.c - The addresses of a line, in the three modes.
 */
#include <string.h>

#include "trace/accelsim/byw_traceg.h"

#define WINDOW_BYTES (1ull << 24) /* size of the shared and the local window */

/* Converts addresses that are linear in the lane number to a stride. */
static bool find_stride(uint64_t mask, const uint64_t *addr, uint32_t count, struct byw_inst *inst)
{
    uint32_t first = (uint32_t)__builtin_ctzll(mask), rank = 1;
    uint64_t rest = mask & (mask - 1);
    int64_t span, stride = 0;

    if (rest != 0) {
        uint32_t last = (uint32_t)__builtin_ctzll(rest);

        span = (int64_t)(addr[1] - addr[0]);
        stride = span / (int64_t)(last - first);
        if (stride * (int64_t)(last - first) != span || stride > INT32_MAX || stride < INT32_MIN)
            return false;
    }
    for (; rank < count; rank++, rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(rest);

        if (addr[rank] - addr[0] != (uint64_t)(stride * (int64_t)(lane - first)))
            return false;
    }
    inst->form = BYW_FORM_STRIDE;
    inst->stride = (int32_t)stride;
    inst->base = addr[0] - (uint64_t)(stride * (int64_t)first);
    return true;
}

static const char *scan_list(struct byw_scan *scan, uint64_t *addr, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!byw_scan_hex(scan, &addr[i]))
            return "expected one address in hex per active lane";
    }
    return NULL;
}

/* Reads a step in its usual form: a blank, an optional minus, fewer than eight digits, a blank.
 * False: it has another form and has not been read. */
static inline bool scan_step(struct byw_scan *scan, int64_t *step)
{
    const char *at = scan->at;
    uint64_t word, other;
    uint32_t digits;
    bool negative;

    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || scan->end - at < 10 || at[0] != ' ')
        return false;
    negative = at[1] == '-';
    at += 1 + negative;
    memcpy(&word, at, sizeof(word));
    word ^= 0x3030303030303030u; /* converts digits to their values */
    other = (word | (word + 0x7676767676767676u)) & 0x8080808080808080u; /* bytes above 9 */
    if (other == 0)
        return false;
    digits = (uint32_t)__builtin_ctzll(other) / 8;
    if (digits == 0 || at[digits] != ' ')
        return false;
    word <<= 64 - 8 * digits; /* leading zeros; the first digit is in the lowest byte */
    word = (word & 0x0f000f000f000f00u) >> 8 | (word & 0x000f000f000f000fu) << 8;
    word = (word & 0x00ff00ff00ff00ffu) + 10 * (word >> 8 & 0x00ff00ff00ff00ffu);
    word = (word >> 16 & 0x0000ffff0000ffffu) + 100 * (word & 0x0000ffff0000ffffu);
    word = (word >> 32) + 10000 * (word & 0xffffffffu);
    *step = negative ? -(int64_t)word : (int64_t)word;
    scan->at = at + digits;
    return true;
}

/* Reads a base address and a step per lane, which form a stride unless the step is too wide. */
static const char *scan_stride(struct byw_scan *scan, struct byw_inst *inst, uint64_t *addr)
{
    uint64_t base, rest = inst->mask;
    int64_t stride;
    uint32_t rank = 0, first = (rest != 0) ? (uint32_t)__builtin_ctzll(rest) : 0;

    if (!byw_scan_hex(scan, &base) || !byw_scan_decimal(scan, &stride))
        return "expected a base address in hex and a stride";
    addr[0] = base;
    if ((rest & (rest - 1)) == 0)
        stride = 0;
    if (stride >= INT32_MIN && stride <= INT32_MAX) {
        inst->form = BYW_FORM_STRIDE;
        inst->stride = (int32_t)stride;
        inst->base = base - (uint64_t)(stride * (int64_t)first);
        return NULL;
    }
    for (; rest != 0; rest &= rest - 1)
        addr[rank++] = base + (uint64_t)stride * ((uint64_t)__builtin_ctzll(rest) - first);
    return NULL;
}

static const char *scan_deltas(struct byw_scan *scan, uint64_t *addr, uint32_t count)
{
    uint64_t base;

    if (!byw_scan_hex(scan, &base))
        return "expected a base address in hex";
    if (count != 0)
        addr[0] = base;
    for (uint32_t i = 1; i < count; i++) {
        int64_t delta;

        if (!scan_step(scan, &delta) && !byw_scan_decimal(scan, &delta))
            return "expected a step for each active lane but the first";
        addr[i] = addr[i - 1] + (uint64_t)delta;
    }
    return NULL;
}

/* A generic access belongs to the window that contains its first active lane's address. */
static uint8_t generic_class(const struct byw_traceg *p, uint8_t cls, uint64_t addr)
{
    bool shared = p->shared_base != 0 && addr - p->shared_base < WINDOW_BYTES;
    bool local = p->local_base != 0 && addr - p->local_base < WINDOW_BYTES;

    if (shared)
        return cls == BYW_CLASS_STORE ? BYW_CLASS_SHARED_STORE : BYW_CLASS_SHARED_LOAD;
    if (local && cls == BYW_CLASS_LOAD)
        return BYW_CLASS_LOCAL_LOAD;
    if (local && cls == BYW_CLASS_STORE)
        return BYW_CLASS_LOCAL_STORE;
    return cls;
}

const char *byw_traceg_addresses(struct byw_traceg *p, struct byw_scan *scan,
                                 const struct byw_traceg_inst *says, struct byw_inst *inst,
                                 struct byw_cta *cta)
{
    uint64_t addr[BYW_TRACEG_LANES];
    uint32_t count = (uint32_t)__builtin_popcountll(inst->mask);
    const char *fault;
    uint64_t *pool;

    fault = (says->mode == 0)   ? scan_list(scan, addr, count)
            : (says->mode == 1) ? scan_stride(scan, inst, addr)
                                : scan_deltas(scan, addr, count);
    if (fault != NULL)
        return fault;
    if (count == 0 || says->space == BYW_SASS_NONE) {
        *inst = says->inst;
        return NULL;
    }
    if (says->space == BYW_SASS_GENERIC)
        inst->cls = generic_class(p, inst->cls, addr[0]);
    if (inst->form == BYW_FORM_STRIDE || find_stride(inst->mask, addr, count, inst))
        return NULL;
    inst->form = BYW_FORM_LIST;
    inst->list = cta->addr_count;
    pool = byw_cta_add_addr(cta, count);
    if (pool == NULL)
        return "expected a CTA that fits in memory";
    memcpy(pool, addr, count * sizeof(addr[0]));
    return NULL;
}
