/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "capture/compile/byw_cl_scan.h"

#define FIXED_REGISTERS 4 /* addresses of parameters, stack pointer */

struct liveness {
    const struct byw_cl_scan *scan;
    LLVMTargetDataRef layout;
    size_t words; /* 64-bit words of a bit set with a bit for each node */
    uint64_t *in; /* live into a part, one set per part */
    uint64_t *live; /* values live at the start of a part, one set per part */
    uint32_t *bytes; /* size of each node's result; 0: none, or folded away */
};

static void set_bit(uint64_t *set, uint32_t n)
{
    set[n / 64] |= 1ull << (n % 64);
}

static void clear_bit(uint64_t *set, uint32_t n)
{
    set[n / 64] &= ~(1ull << (n % 64));
}

/* Folded instructions have no register: their operands live on in their place. */
static void need(struct liveness *l, LLVMValueRef value, uint64_t *set)
{
    uint32_t n = byw_cl_map_get(l->scan->map, value);

    if (n != UINT32_MAX && LLVMIsAInstruction(value) != NULL)
        set_bit(set, n);
}

static uint32_t result_bytes(const struct liveness *l, LLVMValueRef inst)
{
    LLVMTypeRef type = LLVMTypeOf(inst);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    uint32_t bytes;

    if (kind == LLVMVoidTypeKind || kind == LLVMLabelTypeKind || kind == LLVMTokenTypeKind)
        return 0;
    if (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1)
        return 0; /* predicates have separate registers */
    if (LLVMGetInstructionOpcode(inst) == LLVMAlloca)
        return 0;
    bytes = (uint32_t)LLVMStoreSizeOfType(l->layout, type);
    return (bytes + 3) / 4 * 4;
}

static uint32_t live_bytes(const struct liveness *l)
{
    uint32_t sum = 0;

    for (size_t w = 0; w < l->words; w++)
        for (uint64_t bits = l->live[w]; bits != 0; bits &= bits - 1)
            sum += l->bytes[w * 64 + (size_t)__builtin_ctzll(bits)];
    return sum;
}

/* Adds the values that successors need: their live-ins, and the inputs of their phis on this
 * edge. */
static void live_out(struct liveness *l, uint32_t part)
{
    const struct byw_cl_span *span = &l->scan->part[part];
    LLVMValueRef last = byw_cl_span_end(l->scan, part);
    unsigned count;

    memset(l->live, 0, l->words * sizeof(*l->live));
    if (span->goes_on) {
        memcpy(l->live, l->in + (part + 1) * l->words, l->words * sizeof(*l->live));
        return;
    }
    count = LLVMGetNumSuccessors(last);
    for (unsigned s = 0; s < count; s++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(last, s);
        uint32_t next = byw_cl_map_get(l->scan->map, to);

        for (size_t w = 0; w < l->words; w++)
            l->live[w] |= l->in[next * l->words + w];
        for (LLVMValueRef i = LLVMGetFirstInstruction(to); i && LLVMIsAPHINode(i);
             i = LLVMGetNextInstruction(i))
            for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
                if (LLVMGetIncomingBlock(i, k) == LLVMGetInstructionParent(last))
                    need(l, LLVMGetIncomingValue(i, k), l->live);
    }
}

/* Walks a part backwards; returns the largest number of live bytes in it. */
static uint32_t live_part(struct liveness *l, uint32_t part)
{
    const struct byw_cl_span *span = &l->scan->part[part];
    uint32_t most, now;

    live_out(l, part);
    most = live_bytes(l);
    now = most;
    for (uint32_t i = span->first + span->count; i-- > span->first;) {
        LLVMValueRef inst = l->scan->node[i].inst;
        int operands = LLVMGetNumOperands(inst);

        if (l->live[i / 64] >> (i % 64) & 1)
            now -= l->bytes[i];
        clear_bit(l->live, i);
        if (LLVMIsAPHINode(inst) != NULL)
            continue;
        for (int k = 0; k < operands; k++) {
            LLVMValueRef value = LLVMGetOperand(inst, (unsigned)k);
            uint32_t n = byw_cl_map_get(l->scan->map, value);

            if (n == UINT32_MAX || LLVMIsAInstruction(value) == NULL)
                continue;
            if ((l->live[n / 64] >> (n % 64) & 1) == 0)
                now += l->bytes[n];
            set_bit(l->live, n);
        }
        if (now > most)
            most = now;
    }
    return most;
}

uint32_t byw_cl_registers(const struct byw_cl_scan *scan, LLVMTargetDataRef layout)
{
    struct liveness l = {.scan = scan, .layout = layout, .words = (scan->nodes + 63u) / 64u};
    uint32_t most = 0;
    bool changed = true;

    l.in = calloc((scan->parts + 1u) * l.words, sizeof(*l.in));
    l.live = calloc(l.words, sizeof(*l.live));
    l.bytes = calloc(l.words * 64, sizeof(*l.bytes));
    if (l.in != NULL && l.live != NULL && l.bytes != NULL) {
        for (uint32_t i = 0; i < scan->nodes; i++)
            l.bytes[i] = result_bytes(&l, scan->node[i].inst);
        while (changed) {
            changed = false;
            for (uint32_t p = scan->parts; p-- > 0;) {
                uint32_t bytes = live_part(&l, p);
                uint64_t *in = l.in + p * l.words;

                most = bytes > most ? bytes : most;
                if (memcmp(in, l.live, l.words * sizeof(*in)) != 0) {
                    memcpy(in, l.live, l.words * sizeof(*in));
                    changed = true;
                }
            }
        }
    }
    free(l.in);
    free(l.live);
    free(l.bytes);
    return most == 0 ? 0 : most / 4 + FIXED_REGISTERS;
}
