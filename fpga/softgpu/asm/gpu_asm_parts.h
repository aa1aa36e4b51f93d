/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu_asm_parts.h - the state of the assembler, and code emission: words, if and loop blocks.  Part
 * of gpu_asm.
 */
#ifndef GPU_ASM_PARTS_H
#define GPU_ASM_PARTS_H

#include "softgpu/asm/gpu_asm.h"
#include "softgpu/asm/gpu_asm_names.h"
#include "softgpu/asm/gpu_isa.h"

/* An if or loop without its end. */
struct gpu_block {
    enum gpu_form form; /* IF, ELSE or LOOP: the last of its parts so far */
    uint32_t line; /* line of the if or loop */
    uint32_t start; /* LOOP: address of its first word */
    uint32_t open; /* word that jumps to this block's else or end; GPU_PROGRAM_MAX: none */
};

/* Words without a target are chained: the immediate of each is the index of the one before it,
 * counted from 1; 0 ends the chain. */
struct gpu_assembler {
    struct gpu_text text;
    struct gpu_names names;
    struct gpu_program program;
    uint32_t room;
    uint32_t depth;
    struct gpu_block block[GPU_DEPTH_MAX];
    struct {
        uint32_t word;
        struct gpu_name *label;
    } * use; /* uses of labels */
    uint32_t uses;
};

#define TRY(call)                                                                                  \
    do {                                                                                           \
        enum byw_status try_status = (call);                                                       \
        if (try_status != BYW_OK)                                                                  \
            return try_status;                                                                     \
    } while (0)

static inline uint32_t gpu_word(uint32_t operation, uint32_t d, uint32_t ra, uint32_t rb,
                                int64_t immediate)
{
    return operation << 26 | d << 21 | ra << 16 | rb << 11 | ((uint32_t)immediate & 0xffff);
}

/* Appends a word. */
enum byw_status gpu_emit(struct gpu_assembler *a, uint32_t word);

/* Sets the target of the word at `at` to `to`. */
static inline void gpu_aim(struct gpu_assembler *a, uint32_t at, uint32_t to)
{
    a->program.word[at] = (a->program.word[at] & ~UINT32_C(0xffff)) | to;
}

/* Call after emitting the word of an if or loop, of an else, of a while. gpu_block_end() emits the
 * end of a block. */
enum byw_status gpu_block_open(struct gpu_assembler *a, enum gpu_form form);
enum byw_status gpu_block_else(struct gpu_assembler *a);
enum byw_status gpu_block_while(struct gpu_assembler *a);
enum byw_status gpu_block_end(struct gpu_assembler *a);

/* Error if an if or loop is still open: names it. */
enum byw_status gpu_block_left(const struct gpu_assembler *a);

#endif
