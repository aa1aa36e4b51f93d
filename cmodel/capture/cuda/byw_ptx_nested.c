/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of CUDA's runtime in kernels (byw_cu_device_calls.def): all become calls of one function of
 * the arithmetic library, with the number of the call, the calling thread and the arguments as
 * words of 64 bits.
 */
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"

#define WORDS 10u /* most arguments of a call */

static const struct {
    const char *name;
    uint32_t words;
} calls[] = {
#define BYW_CU_DEVICE_CALL(name, words) {#name, words},
#include "capture/cuda/byw_cu_device_calls.def"
#undef BYW_CU_DEVICE_CALL
};
#define CALLS (sizeof(calls) / sizeof(calls[0]))

/* The number of a call; CALLS: the function is none. */
static uint32_t number_of(const char *function)
{
    static const char *const prefixes[] = {"__cudaCDP2", "cuda"};
    static const char suffix[] = "_ptsz";

    for (size_t p = 0; p < sizeof(prefixes) / sizeof(prefixes[0]); p++) {
        size_t length = strlen(prefixes[p]);

        if (strncmp(function, prefixes[p], length) != 0)
            continue;
        for (uint32_t i = 0; i < CALLS; i++) {
            size_t own = strlen(calls[i].name);
            const char *rest = function + length + own;

            if (strncmp(function + length, calls[i].name, own) == 0 &&
                (*rest == '\0' || strcmp(rest, suffix) == 0))
                return i;
        }
    }
    return CALLS;
}

static uint32_t words_of(const struct byw_ptx_symbol *param)
{
    return param->array ? (uint32_t)(param->count * param->type.bits / 8 / 4) : 1;
}

/* Number of the block in the grid, or of the thread in the block: x fastest. */
static LLVMValueRef linear(struct byw_ptx_gen *g, const char *const at[3],
                           const char *const size[2])
{
    LLVMValueRef sum = NULL;

    for (int d = 2; d >= 0; d--) {
        LLVMValueRef own = byw_ptx_cast(g, byw_ptx_special(g, at[d]), g->i64, false);

        if (sum != NULL) {
            LLVMValueRef row = byw_ptx_cast(g, byw_ptx_special(g, size[d]), g->i64, false);

            own = LLVMBuildAdd(g->b, LLVMBuildMul(g->b, sum, row, ""), own, "");
        }
        sum = own;
    }
    return sum;
}

/* Appends the words of a parameter. */
static void add_words(struct byw_ptx_gen *g, const struct byw_ptx_symbol *param, LLVMValueRef place,
                      LLVMValueRef *args, uint32_t *count)
{
    if (!param->array) {
        LLVMTypeRef type = byw_ptx_llvm_type(g, param->type);

        args[(*count)++] = byw_ptx_cast(g, LLVMBuildLoad2(g->b, type, place, ""), g->i64, false);
        return;
    }
    for (uint32_t i = 0; i < words_of(param); i++) {
        LLVMValueRef index = LLVMConstInt(g->i32, i, 0);
        LLVMValueRef at = LLVMBuildGEP2(g->b, g->i32, place, &index, 1, "");

        args[(*count)++] = byw_ptx_cast(g, LLVMBuildLoad2(g->b, g->i32, at, ""), g->i64, false);
    }
}

bool byw_ptx_call_runtime(struct byw_ptx_gen *g, const struct byw_ptx_function *f,
                          LLVMValueRef *place)
{
    static const char *const block[] = {"%ctaid.x", "%ctaid.y", "%ctaid.z"};
    static const char *const blocks[] = {"%nctaid.x", "%nctaid.y"};
    static const char *const thread[] = {"%tid.x", "%tid.y", "%tid.z"};
    static const char *const threads[] = {"%ntid.x", "%ntid.y"};
    uint32_t number = number_of(f->name), words = 0, count = 0;
    LLVMValueRef args[3 + WORDS], value;

    for (uint32_t i = 0; i < f->params; i++)
        words += words_of(f->param[i]);
    if (number == CALLS || words != calls[number].words || words > WORDS || f->results != 1)
        return false;
    byw_ptx_hide(g, true);
    args[count++] = byw_ptx_number(g, number);
    args[count++] = linear(g, block, blocks);
    args[count++] = linear(g, thread, threads);
    for (uint32_t i = 0; i < f->params; i++)
        add_words(g, f->param[i], place[1 + i], args, &count);
    while (count < 3 + WORDS)
        args[count++] = LLVMConstInt(g->i64, 0, 0);
    byw_ptx_hide(g, false);
    value = byw_ptx_call_library(g, BYW_PTX_RUNTIME, args, count);
    LLVMBuildStore(g->b, byw_ptx_cast(g, value, byw_ptx_llvm_type(g, f->result[0]->type), false),
                   place[0]);
    return true;
}
