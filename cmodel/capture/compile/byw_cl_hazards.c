/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores to scratchpad that may overwrite what other warps have yet to read: a load since the last
 * barrier reads, in another warp, what the store writes.  A GPU's warps advance together, so that
 * such programs work there; warps must take turns at these stores (byw_cl_group.c).
 *
 * Addresses and the branches that guard an access are evaluated for every work-item of sample
 * groups, over the first iterations of counting loops.  Accesses whose addresses depend on more
 * than work-item numbers, the group's size and such counters are not judged.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/compile/byw_cl_scan.h"

#define DEPTH 24 /* operations followed back from an address or condition */
#define POINTERS 4 /* nested loops that advance one pointer, at most */
#define ITEMS 256u
#define WARP 32u
#define TRIPS 3u
#define BYTES 0x40000u /* of scratchpad */
#define LOADS_MOST 512u /* per kernel; with more, it is not judged */
#define STORES_MOST 512u
#define SHAPES 2u /* shapes of sample groups, at most */
#define NOWHERE UINT32_MAX
#define RESULTS 4096u /* entries in the table of results; a power of two */

/* A stored result: what a value evaluates to for the sample with this stamp. Code uses a value in
 * many places, so that evaluating it again for each of them would take exponential time. */
struct result {
    LLVMValueRef value;
    int64_t is;
    uint64_t stamp;
    int depth; /* the limit on depth with which it was evaluated */
};

struct sample {
    int64_t id[3], size[3];
    int64_t trip; /* iteration of counting loops */
    uint64_t stamp; /* unique to each sample */
    struct result *results;
};

/* Where each work-item accesses scratchpad, for each shape and iteration; NOWHERE: not known, or
 * not below BYTES, or the work-item does not get there. */
struct places {
    uint32_t offset[SHAPES][TRIPS][ITEMS];
    bool known;
};

struct access {
    LLVMValueRef inst, base, pointer;
    int64_t bytes;
    LLVMBasicBlockRef block;
};

struct search {
    LLVMTargetDataRef layout;
    struct access *load; /* all loads, in IR order */
    uint32_t loads, stores, blocks;
    size_t words; /* 64-bit words of a bit set with a bit for each load */
    uint64_t *in; /* per block: loads since the last barrier, on entry */
    uint64_t *live;
    LLVMBasicBlockRef
        *before; /* per block: its only predecessor apart from back edges; NULL: several */
    struct byw_cl_map *number; /* of blocks; of loads */
    struct byw_cl_map *hazards; /* the result: the stores that are hazards */
    uint8_t *readers; /* per byte of scratchpad: one bit for each warp that reads it */
    struct places *places; /* of the loads; then of the store that is judged */
    struct result *results;
    uint64_t stamp;
    int dimensions; /* of the work-item numbers that the kernel reads */
    bool found;
};

static bool evaluate(LLVMValueRef value, const struct sample *at, int depth, int64_t *result);

static int64_t narrow(LLVMValueRef value, int64_t result)
{
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));

    return bits >= 64 ? result : (int64_t)((uint64_t)result << (64 - bits)) >> (64 - bits);
}

static int64_t zero_extended(LLVMValueRef value, int64_t result)
{
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));

    return bits >= 64 ? result : (int64_t)((uint64_t)result & ((1ull << bits) - 1));
}

static bool evaluate_call(LLVMValueRef call, const struct sample *at, int64_t *result)
{
    const char *name = byw_cl_callee(call);
    uint64_t dimension;

    if (name == NULL || LLVMGetNumArgOperands(call) != 1 ||
        LLVMIsAConstantInt(LLVMGetOperand(call, 0)) == NULL)
        return false;
    dimension = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
    if (dimension > 2)
        return false;
    if (strcmp(name, "_Z12get_local_idj") == 0)
        *result = at->id[dimension];
    else if (strcmp(name, "_Z14get_local_sizej") == 0)
        *result = at->size[dimension];
    else
        return false;
    return true;
}

/* A loop's counter: start + trip * step. */
static bool evaluate_counter(LLVMValueRef phi, const struct sample *at, int depth, int64_t *result)
{
    if (LLVMCountIncoming(phi) != 2)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        int64_t start, step;

        if (LLVMIsAInstruction(next) == NULL || LLVMGetInstructionOpcode(next) != LLVMAdd ||
            LLVMGetOperand(next, 0) != phi)
            continue;
        if (!evaluate(LLVMGetIncomingValue(phi, 1 - i), at, depth - 1, &start) ||
            !evaluate(LLVMGetOperand(next, 1), at, depth - 1, &step))
            return false;
        *result = start + at->trip * step;
        return true;
    }
    return false;
}

static bool compare(LLVMValueRef test, int64_t a, int64_t b, int64_t *result)
{
    uint64_t ua = (uint64_t)zero_extended(LLVMGetOperand(test, 0), a);
    uint64_t ub = (uint64_t)zero_extended(LLVMGetOperand(test, 0), b);

    switch (LLVMGetICmpPredicate(test)) {
    case LLVMIntEQ:
        *result = a == b;
        break;
    case LLVMIntNE:
        *result = a != b;
        break;
    case LLVMIntUGT:
        *result = ua > ub;
        break;
    case LLVMIntUGE:
        *result = ua >= ub;
        break;
    case LLVMIntULT:
        *result = ua < ub;
        break;
    case LLVMIntULE:
        *result = ua <= ub;
        break;
    case LLVMIntSGT:
        *result = a > b;
        break;
    case LLVMIntSGE:
        *result = a >= b;
        break;
    case LLVMIntSLT:
        *result = a < b;
        break;
    default:
        *result = a <= b;
        break;
    }
    return true;
}

static bool divide(LLVMOpcode op, LLVMValueRef value, int64_t a, int64_t b, int64_t *result)
{
    uint64_t ua = (uint64_t)zero_extended(value, a), ub = (uint64_t)zero_extended(value, b);

    if (b == 0 || b == -1)
        return false;
    *result = op == LLVMUDiv   ? (int64_t)(ua / ub)
              : op == LLVMURem ? (int64_t)(ua % ub)
              : op == LLVMSDiv ? a / b
                               : a % b;
    return true;
}

static bool combine(LLVMValueRef value, int64_t a, int64_t b, int64_t *result)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    bool shift = op == LLVMShl || op == LLVMLShr || op == LLVMAShr;

    if (shift && ub > 63)
        return false;
    switch (op) {
    case LLVMAdd:
        *result = (int64_t)(ua + ub);
        break;
    case LLVMSub:
        *result = (int64_t)(ua - ub);
        break;
    case LLVMMul:
        *result = (int64_t)(ua * ub);
        break;
    case LLVMShl:
        *result = (int64_t)(ua << ub);
        break;
    case LLVMLShr:
        *result = (int64_t)((uint64_t)zero_extended(value, a) >> ub);
        break;
    case LLVMAShr:
        *result = a >> ub;
        break;
    case LLVMAnd:
        *result = a & b;
        break;
    case LLVMOr:
        *result = a | b;
        break;
    case LLVMXor:
        *result = a ^ b;
        break;
    case LLVMICmp:
        return compare(value, a, b, result);
    default:
        return divide(op, value, a, b, result);
    }
    return true;
}

static bool is_integer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64;
}

static bool evaluate_operation(LLVMValueRef value, const struct sample *at, int depth,
                               int64_t *result)
{
    LLVMValueRef first = LLVMGetNumOperands(value) == 0 ? NULL : LLVMGetOperand(value, 0);
    int64_t a, b;

    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMCall:
        return evaluate_call(value, at, result);
    case LLVMPHI:
        return evaluate_counter(value, at, depth, result);
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMFreeze:
        if (!evaluate(first, at, depth - 1, &a))
            return false;
        *result = LLVMGetInstructionOpcode(value) == LLVMZExt ? zero_extended(first, a) : a;
        return true;
    case LLVMSelect:
        return evaluate(first, at, depth - 1, &a) &&
               evaluate(LLVMGetOperand(value, a != 0 ? 1 : 2), at, depth - 1, result);
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMICmp:
    case LLVMUDiv:
    case LLVMURem:
    case LLVMSDiv:
    case LLVMSRem:
        return evaluate(first, at, depth - 1, &a) &&
               evaluate(LLVMGetOperand(value, 1), at, depth - 1, &b) &&
               combine(value, a, b, result);
    default:
        return false;
    }
}

static struct result *result_of(LLVMValueRef value, const struct sample *at)
{
    uintptr_t bits = (uintptr_t)value;

    return &at->results[(bits >> 4 ^ bits >> 15) & (RESULTS - 1)];
}

/* The value that a work-item computes, sign-extended; false: it depends on something else. */
static bool evaluate(LLVMValueRef value, const struct sample *at, int depth, int64_t *result)
{
    struct result *known;

    if (depth <= 0 || !is_integer(value))
        return false;
    if (LLVMIsAConstantInt(value) != NULL) {
        *result = narrow(value, LLVMConstIntGetSExtValue(value));
        return true;
    }
    known = result_of(value, at);
    if (known->value == value && known->stamp == at->stamp && known->depth <= depth) {
        *result = known->is;
        return true;
    }
    if (LLVMIsAInstruction(value) == NULL || !evaluate_operation(value, at, depth, result))
        return false;
    *result = narrow(value, *result);
    *known = (struct result){value, *result, at->stamp, depth};
    return true;
}

/* Whether a work-item runs a block, as far as the branches before it can be evaluated. */
static bool is_run(const struct search *s, LLVMBasicBlockRef block, const struct sample *at)
{
    for (int i = 0; i < DEPTH; i++) {
        LLVMBasicBlockRef before = s->before[byw_cl_map_get(s->number, block)];
        LLVMValueRef end;
        int64_t test;

        if (before == NULL)
            return true;
        end = LLVMGetBasicBlockTerminator(before);
        if (LLVMIsABranchInst(end) != NULL && LLVMIsConditional(end) &&
            LLVMGetSuccessor(end, 0) != LLVMGetSuccessor(end, 1) &&
            evaluate(LLVMGetCondition(end), at, DEPTH, &test) &&
            (LLVMGetSuccessor(end, 0) == block) != (test != 0))
            return false;
        block = before;
    }
    return true;
}

static bool locate(const struct search *s, LLVMValueRef pointer, LLVMValueRef base,
                   const struct sample *at, int depth, uint64_t *offset);

/* A pointer that a loop advances: start + trip * step. */
static bool locate_counter(const struct search *s, LLVMValueRef phi, LLVMValueRef base,
                           const struct sample *at, int depth, uint64_t *offset)
{
    if (LLVMIsAPHINode(phi) == NULL || LLVMCountIncoming(phi) != 2)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t start, step;

        if (locate(s, LLVMGetIncomingValue(phi, i), phi, at, depth - 1, &step) &&
            locate(s, LLVMGetIncomingValue(phi, 1 - i), base, at, depth - 1, &start)) {
            *offset = start + (uint64_t)at->trip * step;
            return true;
        }
    }
    return false;
}

/* Offset of a pointer from its base; false: unknown. */
static bool locate(const struct search *s, LLVMValueRef pointer, LLVMValueRef base,
                   const struct sample *at, int depth, uint64_t *offset)
{
    struct byw_cl_address address;
    uint64_t start = 0;

    if (depth <= 0)
        return false;
    byw_cl_address_read(pointer, s->layout, &address);
    if (address.root != base && !locate_counter(s, address.root, base, at, depth, &start))
        return false;
    *offset = start + address.offset;
    for (uint32_t i = 0; i < address.terms; i++) {
        int64_t index;

        if (!evaluate(address.index[i], at, DEPTH, &index))
            return false;
        *offset += address.scale[i] * (uint64_t)index;
    }
    return true;
}

/* Returns the number of shapes of sample groups; *first: the index of the first one. */
static unsigned shapes_of(const struct search *s, unsigned *first)
{
    *first = s->dimensions == 1 ? 0 : s->dimensions == 2 ? 1 : 3;
    return s->dimensions == 2 ? 2 : 1;
}

static uint32_t place(const struct search *s, const struct access *a, const struct sample *at)
{
    uint64_t offset;

    if (!locate(s, a->pointer, a->base, at, POINTERS, &offset) || offset > BYTES - 16 ||
        !is_run(s, a->block, at))
        return NOWHERE;
    return (uint32_t)offset;
}

static void find_places(struct search *s, const struct access *a, struct places *places)
{
    static const int64_t sizes[][3] = {{ITEMS, 1, 1}, {32, 8, 1}, {16, 16, 1}, {8, 8, 4}};
    struct sample at = {.results = s->results};
    unsigned first, shapes = shapes_of(s, &first);

    for (unsigned k = 0; k < shapes; k++)
        for (uint32_t trip = 0; trip < TRIPS; trip++)
            for (uint32_t i = 0; i < ITEMS; i++) {
                memcpy(at.size, sizes[first + k], sizeof(at.size));
                at.id[0] = i % at.size[0];
                at.id[1] = i / at.size[0] % at.size[1];
                at.id[2] = i / at.size[0] / at.size[1];
                at.trip = trip;
                at.stamp = ++s->stamp;
                places->offset[k][trip][i] = place(s, a, &at);
            }
    places->known = true;
}

/* Marks the bytes that each warp reads (mark), checks whether another warp writes them (check), or
 * clears the marks (clear). */
enum pass { PASS_MARK, PASS_CHECK, PASS_CLEAR };
static bool pass_over(const struct search *s, const struct access *a, const uint32_t *offset,
                      enum pass pass)
{
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint8_t own = (uint8_t)(1u << i / WARP);

        if (offset[i] == NOWHERE)
            continue;
        for (int64_t b = 0; b < a->bytes && b < 16; b++) {
            uint8_t *readers = &s->readers[offset[i] + (uint64_t)b];

            if (pass == PASS_MARK)
                *readers |= own;
            else if (pass == PASS_CLEAR)
                *readers = 0;
            else if ((*readers & ~own) != 0)
                return true;
        }
    }
    return false;
}

/* Whether a store may overwrite what the load of this number reads. */
static bool is_overwritten(struct search *s, uint32_t number, const struct access *store)
{
    const struct access *load = &s->load[number];
    struct places *of_load = &s->places[number], *of_store = &s->places[s->loads];
    unsigned first, shapes = shapes_of(s, &first);
    bool found = false;

    if (load->base == NULL || load->base != store->base)
        return false;
    if (!of_load->known)
        find_places(s, load, of_load);
    if (!of_store->known)
        find_places(s, store, of_store);
    for (unsigned k = 0; k < shapes && !found; k++)
        for (uint32_t trip = 0; trip < TRIPS && !found; trip++) {
            pass_over(s, load, of_load->offset[k][trip], PASS_MARK);
            found = pass_over(s, store, of_store->offset[k][trip], PASS_CHECK);
            pass_over(s, load, of_load->offset[k][trip], PASS_CLEAR);
        }
    return found;
}

static bool read_access(const struct search *s, LLVMValueRef inst, struct access *access)
{
    int64_t bytes;
    LLVMValueRef pointer = byw_cl_scratchpad_access(inst, s->layout, &bytes);

    /* leave *access alone: it may be past the end of the array, which has room for accesses only */
    if (pointer == NULL)
        return false;
    *access = (struct access){.inst = inst,
                              .base = byw_cl_base(pointer),
                              .pointer = pointer,
                              .bytes = bytes,
                              .block = LLVMGetInstructionParent(inst)};
    return true;
}

static void judge(struct search *s, const struct access *store)
{
    s->places[s->loads].known = false;
    for (uint32_t i = 0; i < s->loads; i++)
        if ((s->live[i / 64] >> (i % 64) & 1) && is_overwritten(s, i, store)) {
            byw_cl_map_set(s->hazards, store->inst, 1);
            s->found = true;
            return;
        }
}

/* Propagates s->live through a block and, if asked to, judges the block's stores. */
static void walk(struct search *s, LLVMBasicBlockRef block, bool judges)
{
    struct access access;

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (byw_cl_is_ordering(i))
            memset(s->live, 0, s->words * sizeof(*s->live));
        if (!read_access(s, i, &access))
            continue;
        if (LLVMGetInstructionOpcode(i) == LLVMLoad) {
            uint32_t n = byw_cl_map_get(s->number, i);
            s->live[n / 64] |= 1ull << (n % 64);
        } else if (judges) {
            judge(s, &access);
        }
    }
}

/* Adds the loads live at the end of each block to its successors, until nothing changes; then
 * judges the stores. */
static void flow(struct search *s, LLVMValueRef function)
{
    size_t bytes = s->words * sizeof(*s->live);
    bool last = false;

    for (bool changed = true; changed || !last;) {
        last = !changed;
        changed = false;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
             b = LLVMGetNextBasicBlock(b)) {
            memcpy(s->live, s->in + byw_cl_map_get(s->number, b) * s->words, bytes);
            walk(s, b, last);
            changed |= byw_cl_flow_on(b, s->number, s->live, s->in, s->words);
        }
    }
}

/* Counts accesses and blocks, and finds how many dimensions the kernel has. */
static void count(struct search *s, LLVMValueRef function)
{
    struct access access;

    s->dimensions = 1;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        s->blocks++;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const char *name = LLVMIsACallInst(i) != NULL ? byw_cl_callee(i) : NULL;

            if (name != NULL && strcmp(name, "_Z12get_local_idj") == 0 &&
                LLVMIsAConstantInt(LLVMGetOperand(i, 0)) != NULL &&
                (int)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)) >= s->dimensions)
                s->dimensions = (int)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)) + 1;
            if (!read_access(s, i, &access))
                continue;
            s->loads += LLVMGetInstructionOpcode(i) == LLVMLoad;
            s->stores += LLVMGetInstructionOpcode(i) == LLVMStore;
        }
    }
}

/* Numbers the loads and blocks, and finds each block's predecessor. */
static void number(struct search *s, LLVMValueRef function)
{
    uint32_t blocks = 0, loads = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        byw_cl_map_set(s->number, b, blocks++);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMGetInstructionOpcode(i) == LLVMLoad && read_access(s, i, &s->load[loads]))
                byw_cl_map_set(s->number, i, loads++);
    }
    byw_cl_find_before(function, s->number, true, s->before);
}

struct byw_cl_map *byw_cl_hazards_find(LLVMValueRef function, LLVMTargetDataRef layout)
{
    struct search s = {.layout = layout};

    count(&s, function);
    if (s.loads == 0 || s.stores == 0 || s.loads > LOADS_MOST || s.stores > STORES_MOST)
        return NULL;
    s.words = (s.loads + 63u) / 64u;
    s.load = calloc(s.loads, sizeof(*s.load));
    s.number = byw_cl_map_create((size_t)s.loads + s.blocks);
    s.hazards = byw_cl_map_create(s.stores);
    s.before = calloc(s.blocks, sizeof(LLVMBasicBlockRef));
    s.in = calloc((s.blocks + (size_t)1) * s.words, sizeof(*s.in));
    s.readers = calloc(BYTES, 1);
    s.places = calloc(s.loads + (size_t)1, sizeof(*s.places));
    s.results = calloc(RESULTS, sizeof(*s.results));
    if (s.places != NULL && s.results != NULL && s.load != NULL && s.number != NULL &&
        s.hazards != NULL && s.before != NULL && s.in != NULL && s.readers != NULL) {
        s.live = s.in + s.blocks * s.words;
        number(&s, function);
        flow(&s, function);
    }
    free(s.load);
    free(s.before);
    free(s.in);
    free(s.readers);
    free(s.places);
    free(s.results);
    byw_cl_map_free(s.number);
    if (s.found)
        return s.hazards;
    byw_cl_map_free(s.hazards);
    return NULL;
}
