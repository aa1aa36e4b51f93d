/* SPDX-License-Identifier: Apache-2.0
 *
 * softgpu-asm - assembles a program of the soft GPU.
 *
 *   softgpu-asm PROGRAM.s            words in hexadecimal, one per line (for $readmemh)
 *   softgpu-asm -l PROGRAM.s         address, word, source line
 *   softgpu-asm -t vh|md             the instruction set as Verilog constants or as a table
 * Exit 0; 2 for bad usage or a bad program.
 */
#include <stdio.h>
#include <string.h>

#include "softgpu/asm/gpu_asm.h"
#include "softgpu/asm/gpu_isa.h"

static int table(const char *form)
{
    if (strcmp(form, "vh") == 0)
        gpu_isa_print_vh();
    else if (strcmp(form, "md") == 0)
        gpu_isa_print_md();
    else
        return 2;
    return 0;
}

int main(int argc, char **argv)
{
    int listing = argc == 3 && strcmp(argv[1], "-l") == 0;
    struct gpu_program program;
    struct byw_diag diag;
    uint32_t i;

    if (argc == 3 && strcmp(argv[1], "-t") == 0 && table(argv[2]) == 0)
        return 0;
    if (argc != 2 + listing || argv[argc - 1][0] == '-') {
        fprintf(stderr, "usage: softgpu-asm [-l] PROGRAM.s | softgpu-asm -t vh|md\n");
        return 2;
    }
    if (gpu_assemble_file(argv[argc - 1], &program, &diag) != BYW_OK) {
        fprintf(stderr, "%s\n", diag.text);
        return 2;
    }
    for (i = 0; i < program.count; i++)
        if (listing)
            printf("%04x %08x line %u\n", (unsigned)i, (unsigned)program.word[i],
                   (unsigned)program.line[i]);
        else
            printf("%08x\n", (unsigned)program.word[i]);
    gpu_program_release(&program);
    return 0;
}
