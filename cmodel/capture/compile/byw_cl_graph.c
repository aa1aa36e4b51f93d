/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "capture/compile/byw_cl_loops.h"

enum byw_status byw_cl_graph_build(LLVMValueRef function, struct byw_cl_graph *graph)
{
    uint32_t count = LLVMCountBasicBlocks(function);

    graph->function = function;
    graph->blocks = count;
    graph->block = calloc(count + 1u, sizeof(LLVMBasicBlockRef));
    graph->index = byw_cl_map_create(count + 1u);
    if (graph->block == NULL || graph->index == NULL)
        return BYW_ENOMEM;
    LLVMGetBasicBlocks(function, graph->block);
    for (uint32_t i = 0; i < count; i++)
        byw_cl_map_set(graph->index, graph->block[i], i);
    return BYW_OK;
}

void byw_cl_graph_release(struct byw_cl_graph *graph)
{
    free(graph->block);
    byw_cl_map_free(graph->index);
    graph->block = NULL;
    graph->index = NULL;
}

uint32_t byw_cl_graph_number(const struct byw_cl_graph *graph, LLVMBasicBlockRef block)
{
    return byw_cl_map_get(graph->index, block);
}

unsigned byw_cl_graph_successors(const struct byw_cl_graph *graph, uint32_t block)
{
    return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(graph->block[block]));
}

uint32_t byw_cl_graph_successor(const struct byw_cl_graph *graph, uint32_t block, unsigned which)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(graph->block[block]);

    return byw_cl_graph_number(graph, LLVMGetSuccessor(end, which));
}

/* The head moves into the new block, so that references to the following code stay valid. */
LLVMBasicBlockRef byw_cl_graph_split(const struct byw_cl_graph *graph, LLVMValueRef before)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(before);
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(graph->function));
    LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(context, block, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMValueRef inst;

    for (uint32_t i = 0; i < graph->blocks; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(graph->block[i]);

        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
            if (LLVMGetSuccessor(end, s) == block)
                LLVMSetSuccessor(end, s, head);
    }
    LLVMPositionBuilderAtEnd(b, head);
    while ((inst = LLVMGetFirstInstruction(block)) != before) {
        LLVMInstructionRemoveFromParent(inst);
        LLVMInsertIntoBuilder(b, inst);
    }
    LLVMBuildBr(b, block);
    LLVMDisposeBuilder(b);
    return head;
}

bool byw_cl_is_bare(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);

    while (i != NULL && LLVMIsAPHINode(i) != NULL)
        i = LLVMGetNextInstruction(i);
    return i != NULL && LLVMIsAReturnInst(i) != NULL;
}
