/* SPDX-License-Identifier: Apache-2.0 */
#include "softgpu/asm/gpu_asm_parts.h"

#include <stdlib.h>

enum byw_status gpu_emit(struct gpu_assembler *a, uint32_t word)
{
    struct gpu_program *p = &a->program;

    if (p->count == GPU_PROGRAM_MAX)
        return gpu_text_wrong(&a->text, a->text.line, "a program has at most 65536 words", "");
    if (p->count == a->room) {
        uint32_t room = a->room == 0 ? 256 : 2 * a->room;
        void *word_at = realloc(p->word, room * sizeof(p->word[0]));
        void *line_at, *use_at;

        if (word_at != NULL)
            p->word = word_at;
        line_at = realloc(p->line, room * sizeof(p->line[0]));
        if (line_at != NULL)
            p->line = line_at;
        use_at = realloc(a->use, room * sizeof(a->use[0]));
        if (use_at != NULL)
            a->use = use_at;
        if (word_at == NULL || line_at == NULL || use_at == NULL)
            return byw_diag_set(a->text.diag, BYW_ENOMEM, "%s: out of memory", a->text.name);
        a->room = room;
    }
    p->line[p->count] = a->text.line;
    p->word[p->count++] = word;
    return BYW_OK;
}

enum byw_status gpu_block_open(struct gpu_assembler *a, enum gpu_form form)
{
    if (a->depth == GPU_DEPTH_MAX)
        return gpu_text_wrong(&a->text, a->text.line, "blocks are nested more than 64 deep", "");
    a->block[a->depth++] = (struct gpu_block){
        .form = form,
        .line = a->text.line,
        .start = a->program.count,
        .open = form == GPU_IF ? a->program.count - 1 : GPU_PROGRAM_MAX,
    };
    if (a->depth > a->program.depth)
        a->program.depth = a->depth;
    return BYW_OK;
}

/* An if jumps to its else, which activates the lanes that it dropped; an else jumps to its end. */
enum byw_status gpu_block_else(struct gpu_assembler *a)
{
    struct gpu_block *b = a->depth == 0 ? NULL : &a->block[a->depth - 1];

    if (b == NULL || b->form != GPU_IF)
        return gpu_text_wrong(&a->text, a->text.line, "expected an if before this else", "");
    gpu_aim(a, b->open, a->program.count - 1);
    b->form = GPU_ELSE;
    b->open = a->program.count - 1;
    return BYW_OK;
}

/* The end of a loop jumps back to its start; each while jumps to the end. */
enum byw_status gpu_block_end(struct gpu_assembler *a)
{
    struct gpu_block *b = a->depth == 0 ? NULL : &a->block[a->depth - 1];
    uint32_t at, before;

    if (b == NULL)
        return gpu_text_wrong(&a->text, a->text.line, "expected an if or loop before this end", "");
    if (b->form == GPU_LOOP)
        TRY(gpu_emit(a, gpu_word(GPU_OP_jmp, 0, 0, 0, b->start)));
    TRY(gpu_emit(a, gpu_word(GPU_OP_end, 0, 0, 0, 0)));
    for (at = b->open; at != GPU_PROGRAM_MAX; at = before) {
        before = b->form == GPU_LOOP && (a->program.word[at] & 0xffff) != 0
                     ? (a->program.word[at] & 0xffff) - 1
                     : GPU_PROGRAM_MAX;
        gpu_aim(a, at, a->program.count - 1);
    }
    a->depth--;
    return BYW_OK;
}

enum byw_status gpu_block_while(struct gpu_assembler *a)
{
    struct gpu_block *b = a->depth == 0 ? NULL : &a->block[a->depth - 1];

    if (b == NULL || b->form != GPU_LOOP)
        return gpu_text_wrong(&a->text, a->text.line,
                              "expected this while directly in a loop, not in an if", "");
    if (b->open != GPU_PROGRAM_MAX)
        gpu_aim(a, a->program.count - 1, b->open + 1);
    b->open = a->program.count - 1;
    return BYW_OK;
}

enum byw_status gpu_block_left(const struct gpu_assembler *a)
{
    const struct gpu_block *b;

    if (a->depth == 0)
        return BYW_OK;
    b = &a->block[a->depth - 1];
    return gpu_text_wrong(&a->text, b->line, "expected an end for this",
                          b->form == GPU_LOOP ? "loop" : "if");
}
