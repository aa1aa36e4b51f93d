/* SPDX-License-Identifier: Apache-2.0 */
#include "softgpu/asm/gpu_isa.h"

#include <stddef.h>
#include <stdio.h>

static const struct gpu_instruction table[] = {
#define ISA(name, operation, form, what) {#name, operation, GPU_##form, what},
#include "softgpu/gpu_isa.def"
#undef ISA
    {NULL, 0, GPU_NONE, NULL},
};

const struct gpu_instruction *gpu_isa(uint32_t i)
{
    return &table[i];
}

static void upper(const char *name, char *text, size_t room)
{
    size_t i;

    for (i = 0; name[i] != '\0' && i + 1 < room; i++)
        text[i] = (char)(name[i] >= 'a' && name[i] <= 'z' ? name[i] - 'a' + 'A' : name[i]);
    text[i] = '\0';
}

void gpu_isa_print_vh(void)
{
    static const char *const ids[] = {
#define X(name) #name,
        GPU_ID_LIST(X)
#undef X
    };
    char text[32];
    uint32_t i;

    printf("// SPDX-License-Identifier: Apache-2.0\n//\n"
           "// byw_gpu_isa.vh - operations of the soft GPU.  Generated from gpu_isa.def (make "
           "softgpu-isa); not\n// edited.  Include it inside a module body.\n"
           "/* verilator lint_off UNUSED */\n");
    for (i = 0; table[i].name != NULL; i++) {
        upper(table[i].name, text, sizeof(text));
        printf("localparam [5:0] GPU_%s = 6'd%u;\n", text, (unsigned)table[i].operation);
    }
    for (i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        upper(ids[i], text, sizeof(text));
        printf("localparam [2:0] GPU_ID_%s = 3'd%u;\n", text, (unsigned)i);
    }
    printf("/* verilator lint_on UNUSED */\n");
}

static const char *operands(enum gpu_form form)
{
    switch (form) {
    case GPU_JUMP:
        return " target";
    case GPU_BRANCH:
        return " a, target";
    case GPU_ALU:
        return " d, a, b";
    case GPU_IMM:
        return " d, a, immediate";
    case GPU_UPPER:
        return " d, immediate";
    case GPU_ID:
        return " d, name";
    case GPU_PARAM:
        return " d, number";
    case GPU_LOAD:
    case GPU_STORE:
        return " d, offset(a)";
    case GPU_ATOMIC:
        return " d, b, (a)";
    case GPU_IF:
    case GPU_WHILE:
        return " a";
    case GPU_NONE:
    case GPU_ELSE:
    case GPU_END:
    case GPU_LOOP:
        break;
    }
    return "";
}

/* Escapes bars, which would end the table cell. */
static void print_cell(const char *text)
{
    for (; *text != '\0'; text++)
        printf("%s%c", *text == '|' ? "\\" : "", *text);
}

void gpu_isa_print_md(void)
{
    uint32_t i;

    printf("| operation | instruction | what it does |\n|---|---|---|\n");
    for (i = 0; table[i].name != NULL; i++) {
        printf("| %u | `%s%s` | ", (unsigned)table[i].operation, table[i].name,
               operands(table[i].form));
        print_cell(table[i].what);
        puts(" |");
    }
}
