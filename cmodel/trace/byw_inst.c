/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/byw_inst.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"

#define BANKS 32
#define BANK_BYTES 4
#define LANES_MAX 64
#define GRID_CTAS_MAX (1ull << 48)
#define BLOCK_THREADS_MAX (1ull << 22)

static const struct {
    const char *name;
    bool is_memory;
} class_info[] = {
#define X(code, name, is_memory) [code] = {name, is_memory},
    BYW_CLASS_LIST(X)
#undef X
};

const char *byw_class_name(enum byw_class cls)
{
    return ((unsigned)cls < BYW_CLASS_COUNT) ? class_info[cls].name : "unknown";
}

bool byw_class_is_memory(enum byw_class cls)
{
    return (unsigned)cls < BYW_CLASS_COUNT && class_info[cls].is_memory;
}

void byw_cta_init(struct byw_cta *cta)
{
    *cta = (struct byw_cta){.warp = NULL};
}

void byw_cta_release_records(struct byw_cta *cta)
{
    free(cta->warp);
    free(cta->inst);
    free(cta->addr);
    free(cta->lanes);
    free(cta->path);
    free(cta->bit);
    byw_cta_init(cta);
}

/* Replaces an array without content by one with room for `count` elements. */
static void *reserve(void *array, uint32_t count, size_t *room, size_t size)
{
    void *made;

    if (count <= *room || count > SIZE_MAX / size)
        return array;
    made = malloc(count * size);
    if (made == NULL)
        return array;
    free(array);
    *room = count;
    return made;
}

void byw_cta_reserve(struct byw_cta *cta, const struct byw_cta *like)
{
    cta->warp = reserve(cta->warp, like->warp_count, &cta->warp_room, sizeof(*cta->warp));
    cta->inst = reserve(cta->inst, like->inst_count, &cta->inst_room, sizeof(*cta->inst));
    cta->addr = reserve(cta->addr, like->addr_count, &cta->addr_room, sizeof(*cta->addr));
}

/* Room for `more` elements after `count`, and for one at least. */
#define ROOM(array, room, count, more)                                                             \
    ((more) <= UINT32_MAX - (count) &&                                                             \
     BYW_ARRAY_ROOM(array, room, (size_t)(count) + ((more) != 0 ? (more) : 1)))

struct byw_warp_trace *byw_cta_add_warp(struct byw_cta *cta)
{
    struct byw_warp_trace *warp;

    if (!ROOM(cta->warp, cta->warp_room, cta->warp_count, 1u))
        return NULL;
    warp = &cta->warp[cta->warp_count++];
    *warp = (struct byw_warp_trace){.first = cta->inst_count};
    return warp;
}

struct byw_inst *byw_cta_add_insts(struct byw_cta *cta, uint32_t count)
{
    struct byw_inst *inst;

    if (cta->warp_count == 0 || !ROOM(cta->inst, cta->inst_room, cta->inst_count, count))
        return NULL;
    cta->warp[cta->warp_count - 1].count += count;
    inst = &cta->inst[cta->inst_count];
    cta->inst_count += count;
    return inst;
}

struct byw_inst *byw_cta_add_inst(struct byw_cta *cta)
{
    struct byw_inst *inst = byw_cta_add_insts(cta, 1);

    if (inst != NULL)
        *inst = (struct byw_inst){.count = 1};
    return inst;
}

uint64_t *byw_cta_add_addr(struct byw_cta *cta, uint32_t count)
{
    uint64_t *addr;

    if (!ROOM(cta->addr, cta->addr_room, cta->addr_count, count))
        return NULL;
    addr = &cta->addr[cta->addr_count];
    cta->addr_count += count;
    return addr;
}

const char *byw_path_why_text(enum byw_path_why why)
{
    static const char *const text[] = {
#define X(code, text) text,
        BYW_PATH_WHY_LIST(X)
#undef X
    };

    return text[why];
}

bool byw_cta_add_path(struct byw_cta *cta, const uint8_t *bit, uint32_t bits)
{
    uint32_t bytes = bits / 8 + (bits % 8 != 0);

    if (!ROOM(cta->path, cta->path_room, cta->path_count, 1u) ||
        !ROOM(cta->bit, cta->bit_room, cta->bit_count, bytes))
        return false;
    cta->path[cta->path_count++] = (struct byw_path){cta->bit_count, bits};
    if (bytes != 0)
        memcpy(cta->bit + cta->bit_count, bit, bytes);
    cta->bit_count += bytes;
    return true;
}

bool byw_cta_add_lanes(struct byw_cta *cta, uint64_t mask, uint32_t path)
{
    struct byw_warp_trace *warp;

    if (cta->warp_count == 0 || !ROOM(cta->lanes, cta->lanes_room, cta->lanes_count, 1u))
        return false;
    warp = &cta->warp[cta->warp_count - 1];
    if (warp->lanes == 0)
        warp->first_lanes = cta->lanes_count;
    warp->lanes++;
    cta->lanes[cta->lanes_count++] = (struct byw_lanes){mask, path};
    return true;
}

bool byw_cta_append(struct byw_cta *cta, const struct byw_inst *inst, uint32_t count,
                    const uint64_t *addr)
{
    struct byw_inst *copy = byw_cta_add_insts(cta, count);

    if (copy == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t lanes = (uint32_t)__builtin_popcountll(inst[i].mask);
        uint64_t *list;

        copy[i] = inst[i];
        if (inst[i].form != BYW_FORM_LIST)
            continue;
        copy[i].list = cta->addr_count;
        list = byw_cta_add_addr(cta, lanes);
        if (list == NULL)
            return false;
        memcpy(list, addr + inst[i].list, lanes * sizeof(*list));
    }
    return true;
}

static void add_word(uint64_t *words, uint32_t *count, uint64_t word)
{
    for (uint32_t i = 0; i < *count; i++) {
        if (words[i] == word)
            return;
    }
    words[(*count)++] = word;
}

uint32_t byw_shared_degree(const struct byw_inst *inst, const struct byw_cta *cta)
{
    uint64_t words[BANKS][LANES_MAX]; /* a lane accesses a bank at most once: 16 bytes, 4 banks */
    uint32_t count[BANKS] = {0};
    uint32_t per_lane = (inst->width + BANK_BYTES - 1u) / BANK_BYTES;
    uint32_t rank = 0, degree = 1;

    if (per_lane > 4)
        per_lane = 4;

    if (inst->form == BYW_FORM_NONE)
        return 1;
    for (uint32_t lane = 0; lane < LANES_MAX && (inst->mask >> lane) != 0; lane++) {
        uint64_t word;

        if (((inst->mask >> lane) & 1) == 0)
            continue;
        word = byw_inst_address(inst, cta, lane, rank++) / BANK_BYTES;
        for (uint32_t w = 0; w < per_lane; w++) {
            uint32_t bank = (uint32_t)((word + w) % BANKS);

            add_word(words[bank], &count[bank], word + w);
            if (count[bank] > degree)
                degree = count[bank];
        }
    }
    return degree;
}

static bool is_width(uint8_t width)
{
    return width == 1 || width == 2 || width == 4 || width == 8 || width == 16;
}

/* Classes whose instructions can be merged into runs. */
static bool may_run(uint8_t cls)
{
    return !byw_class_is_memory((enum byw_class)cls) && cls != BYW_CLASS_BARRIER &&
           cls != BYW_CLASS_EXIT;
}

const char *byw_trace_inst_fault(const struct byw_inst *inst, uint32_t warp_size)
{
    if (inst->cls >= BYW_CLASS_COUNT)
        return "an unknown instruction class";
    if (inst->form > BYW_FORM_LIST)
        return "an unknown address form";
    if (inst->count == 0 || (inst->count > 1 && !may_run(inst->cls)))
        return "a run of 0, or a run of accesses, barriers or exits";
    if (warp_size < 64 && inst->mask >> warp_size != 0)
        return "an active lane beyond the warp";
    if (inst->width != 0 && !is_width(inst->width))
        return "a width that is not 0, 1, 2, 4, 8 or 16";
    if (inst->form == BYW_FORM_NONE)
        return NULL;
    if (!byw_class_is_memory((enum byw_class)inst->cls) && inst->cls != BYW_CLASS_CONST_LOAD)
        return "addresses on an instruction that accesses no memory";
    if (inst->width == 0)
        return "addresses without a width";
    if (inst->form == BYW_FORM_LIST && inst->mask == 0)
        return "an address list without active lanes";
    return NULL;
}

const char *byw_trace_kernel_fault(const struct byw_kernel *kernel)
{
    const uint32_t *g = kernel->grid, *b = kernel->block;

    if (memchr(kernel->name, '\0', sizeof(kernel->name)) == NULL)
        return "the kernel's name is not terminated";
    if (g[0] == 0 || g[1] == 0 || g[2] == 0 || g[0] > GRID_CTAS_MAX / g[1] ||
        (uint64_t)g[0] * g[1] > GRID_CTAS_MAX / g[2])
        return "the grid is empty or has more than 2^48 CTAs";
    if (b[0] == 0 || b[1] == 0 || b[2] == 0 || b[0] > BLOCK_THREADS_MAX / b[1] ||
        (uint64_t)b[0] * b[1] > BLOCK_THREADS_MAX / b[2])
        return "the block is empty or has more than 2^22 threads";
    if (kernel->warp_size != 32 && kernel->warp_size != 64)
        return "the warp size is neither 32 nor 64";
    if (kernel->site_count > BYW_SITES_MAX)
        return "the kernel has more than 2^20 static accesses";
    for (uint32_t i = 0; kernel->site != NULL && i < kernel->site_count; i++) {
        if (kernel->site[i].cls >= BYW_CLASS_COUNT)
            return "a static access has an unknown instruction class";
    }
    return NULL;
}
