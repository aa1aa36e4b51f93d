/* SPDX-License-Identifier: Apache-2.0 */
#include "softgpu/asm/gpu_asm_names.h"

#include <string.h>

struct gpu_name *gpu_names_find(struct gpu_names *names, const char *text)
{
    uint32_t at = 2166136261U;
    const char *c;

    for (c = text; *c != '\0'; c++)
        at = (at ^ (uint8_t)*c) * 16777619U;
    for (at %= GPU_NAMES; names->slot[at].text[0] != '\0'; at = (at + 1) % GPU_NAMES)
        if (strcmp(names->slot[at].text, text) == 0)
            break;
    return &names->slot[at];
}

struct gpu_name *gpu_names_take(struct gpu_names *names, const char *text)
{
    struct gpu_name *name = gpu_names_find(names, text);

    if (name->text[0] != '\0')
        return name;
    if (names->count == GPU_NAMES / 2)
        return NULL;
    names->count++;
    memcpy(name->text, text, strlen(text) + 1);
    return name;
}
