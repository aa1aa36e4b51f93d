/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/byw_trace_info.h"

#include <stdlib.h>
#include <string.h>

#define UNITS_MAX 128 /* 64 lanes whose bytes may straddle two lines */

/* Open addressing; 0 marks a free slot, so line numbers are kept plus one. */
struct line_set {
    uint64_t *slot;
    size_t mask, count;
};

/* Distinct lines or sectors of one access. */
struct units {
    uint64_t number[UNITS_MAX];
    uint32_t count;
};

static size_t line_slot(const struct line_set *set, uint64_t key)
{
    size_t i = (size_t)((key * 0x9e3779b97f4a7c15ull) >> 20) & set->mask;

    while (set->slot[i] != 0 && set->slot[i] != key)
        i = (i + 1) & set->mask;
    return i;
}

static bool grow_set(struct line_set *set)
{
    size_t room = (set->slot == NULL) ? 4096 : (set->mask + 1) * 2;
    struct line_set next = {.slot = calloc(room, sizeof(*next.slot)), .mask = room - 1};

    if (next.slot == NULL)
        return false;
    next.count = set->count;
    for (size_t i = 0; set->slot != NULL && i <= set->mask; i++) {
        if (set->slot[i] != 0)
            next.slot[line_slot(&next, set->slot[i])] = set->slot[i];
    }
    free(set->slot);
    *set = next;
    return true;
}

static bool add_line(struct line_set *set, uint64_t line)
{
    size_t i;

    if ((set->slot == NULL || set->count * 2 > set->mask) && !grow_set(set))
        return false;
    i = line_slot(set, line + 1);
    set->count += set->slot[i] == 0;
    set->slot[i] = line + 1;
    return true;
}

static void add_unit(struct units *units, uint64_t number)
{
    for (uint32_t i = units->count; i > 0; i--) {
        if (units->number[i - 1] == number)
            return;
    }
    if (units->count < UNITS_MAX)
        units->number[units->count++] = number;
}

static bool is_cache_access(const struct byw_inst *inst)
{
    switch ((enum byw_class)inst->cls) {
    case BYW_CLASS_LOAD:
    case BYW_CLASS_STORE:
    case BYW_CLASS_ATOMIC:
    case BYW_CLASS_LOCAL_LOAD:
    case BYW_CLASS_LOCAL_STORE:
        return inst->form != BYW_FORM_NONE && inst->mask != 0;
    default:
        return false;
    }
}

static bool count_access(const struct byw_inst *inst, const struct byw_cta *cta,
                         struct byw_trace_counts *counts, struct line_set *lines)
{
    struct units line = {.count = 0}, sector = {.count = 0};
    uint32_t rank = 0;

    for (uint64_t rest = inst->mask; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        uint64_t first = byw_inst_address(inst, cta, lane, rank++);
        uint64_t last = first + inst->width - 1;

        add_unit(&line, first / BYW_TRACE_LINE_BYTES);
        add_unit(&line, last / BYW_TRACE_LINE_BYTES);
        add_unit(&sector, first / BYW_TRACE_SECTOR_BYTES);
        add_unit(&sector, last / BYW_TRACE_SECTOR_BYTES);
    }
    counts->accesses++;
    counts->lanes += rank;
    counts->lines += line.count;
    counts->sectors += sector.count;
    for (uint32_t i = 0; i < line.count; i++) {
        if (!add_line(lines, line.number[i]))
            return false;
    }
    return true;
}

static bool count_cta(const struct byw_cta *cta, struct byw_trace_counts *counts,
                      struct line_set *lines)
{
    counts->ctas++;
    counts->warps += cta->warp_count;
    for (uint32_t i = 0; i < cta->inst_count; i++) {
        const struct byw_inst *inst = &cta->inst[i];

        counts->warp_instructions += inst->count;
        counts->thread_instructions +=
            (uint64_t)inst->count * (uint64_t)__builtin_popcountll(inst->mask);
        counts->mix[inst->cls] += inst->count;
        if (is_cache_access(inst) && !count_access(inst, cta, counts, lines))
            return false;
        if (inst->cls == BYW_CLASS_SHARED_LOAD || inst->cls == BYW_CLASS_SHARED_STORE) {
            counts->shared_accesses++;
            counts->shared_passes += inst->degree;
        }
    }
    return true;
}

static void add_counts(struct byw_trace_counts *sum, const struct byw_trace_counts *more)
{
    sum->ctas += more->ctas;
    sum->warps += more->warps;
    sum->warp_instructions += more->warp_instructions;
    sum->thread_instructions += more->thread_instructions;
    for (unsigned c = 0; c < BYW_CLASS_COUNT; c++)
        sum->mix[c] += more->mix[c];
    sum->accesses += more->accesses;
    sum->lanes += more->lanes;
    sum->lines += more->lines;
    sum->sectors += more->sectors;
    sum->shared_accesses += more->shared_accesses;
    sum->shared_passes += more->shared_passes;
}

static struct byw_trace_launch *add_launch(struct byw_trace_info *info,
                                           const struct byw_kernel *kernel)
{
    struct byw_trace_launch *launch;
    bool seen = false;

    if (info->launch_count == info->launch_room) {
        uint32_t room = info->launch_room * 2 + 16;
        struct byw_trace_launch *moved = realloc(info->launch, room * sizeof(*moved));

        if (moved == NULL)
            return NULL;
        info->launch = moved;
        info->launch_room = room;
    }
    /* backwards: repeated launches are mostly near each other */
    for (uint32_t i = info->launch_count; i > 0 && !seen; i--)
        seen = info->launch[i - 1].kernel.code == kernel->code;
    info->kernels += !seen;
    launch = &info->launch[info->launch_count++];
    *launch = (struct byw_trace_launch){.kernel = *kernel};
    launch->kernel.site = NULL;
    return launch;
}

static enum byw_status read_launches(struct byw_trace *trace, struct byw_trace_info *info,
                                     struct line_set *lines, struct byw_diag *diag)
{
    const struct byw_kernel *kernel;
    struct byw_cta cta;
    enum byw_status st;

    byw_cta_init(&cta);
    while ((st = byw_trace_next_kernel(trace, &kernel, diag)) == BYW_OK) {
        struct byw_trace_launch *launch = add_launch(info, kernel);

        if (launch == NULL)
            break;
        while ((st = byw_trace_next_cta(trace, &cta, diag)) == BYW_OK) {
            if (!count_cta(&cta, &launch->counts, lines))
                break;
        }
        if (st != BYW_END)
            break;
        add_counts(&info->total, &launch->counts);
    }
    byw_cta_release(&cta);
    if (st == BYW_OK)
        return byw_diag_set(diag, BYW_ENOMEM, "no memory to count the trace's lines");
    return st == BYW_END ? BYW_OK : st;
}

enum byw_status byw_trace_info_read(const char *path, struct byw_trace_info *info,
                                    struct byw_diag *diag)
{
    struct line_set lines = {.slot = NULL};
    struct byw_trace *trace;
    enum byw_status st = byw_trace_open(path, &trace, diag);

    if (st != BYW_OK)
        return st;
    *info = (struct byw_trace_info){.kernels = 0};
    snprintf(info->path, sizeof(info->path), "%s", path);
    snprintf(info->format, sizeof(info->format), "%s", byw_trace_format(trace));
    st = read_launches(trace, info, &lines, diag);
    byw_trace_get_note(trace, &info->note);
    byw_trace_close(trace);
    info->footprint_lines = lines.count;
    free(lines.slot);
    if (st != BYW_OK)
        byw_trace_info_release(info);
    return st;
}

void byw_trace_info_release(struct byw_trace_info *info)
{
    free(info->launch);
    info->launch = NULL;
    info->launch_count = info->launch_room = 0;
}

double byw_trace_info_bytes_per_access(const struct byw_trace_info *info)
{
    uint64_t accesses = info->total.accesses + info->total.shared_accesses;

    return accesses == 0 ? 0 : (double)info->note.file_bytes / (double)accesses;
}

enum byw_status byw_trace_check(const char *path, struct byw_trace_counts *total,
                                struct byw_diag *diag)
{
    struct byw_trace_info info;
    enum byw_status st = byw_trace_info_read(path, &info, diag);

    if (st != BYW_OK)
        return st;
    if (total != NULL)
        *total = info.total;
    byw_trace_info_release(&info);
    return BYW_OK;
}
