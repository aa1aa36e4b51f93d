/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/stats/byw_trace_info.h"
#include "trace/byw_machine.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"

/* Open addressing; 0 marks a free slot, so line numbers are stored plus one. */
struct line_set {
    uint64_t *slot;
    size_t mask, count;
};

/* The results of one pass over a trace. */
struct survey {
    struct byw_trace_info *info;
    struct line_set lines;
    struct byw_sm_stream *stream; /* NULL: reuse is not counted */
    struct byw_reuse **reuse; /* by SM: reuse of its lines */
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

static void count_access(const struct byw_access *access, struct byw_trace_counts *counts)
{
    counts->accesses++;
    counts->lanes += access->lanes;
    counts->lines += access->lines;
    counts->sectors += access->sectors;
}

static void count_inst(const struct byw_inst *inst, struct byw_trace_counts *counts)
{
    counts->warp_instructions += inst->count;
    counts->thread_instructions +=
        (uint64_t)inst->count * (uint64_t)__builtin_popcountll(inst->mask);
    counts->mix[inst->cls] += inst->count;
    if (inst->cls == BYW_CLASS_SHARED_LOAD || inst->cls == BYW_CLASS_SHARED_STORE) {
        counts->shared_accesses++;
        counts->shared_passes += inst->degree;
    }
}

static bool look_at(struct survey *s, const struct byw_kernel *kernel, uint32_t warp,
                    const struct byw_inst *inst, const struct byw_cta *cta)
{
    uint32_t launch = s->info->launch_count - 1;
    struct byw_access access;

    byw_access_of(inst, cta, &access);
    count_access(&access, &s->info->launch[launch].counts);
    for (uint32_t i = 0; i < access.lines; i++) {
        if (!add_line(&s->lines, access.line[i]))
            return false;
    }
    return byw_sites_count(&s->info->sites, kernel, launch, inst, &access) &&
           (s->stream == NULL || byw_sm_stream_access(s->stream, warp, &access));
}

static enum byw_path_why walk_of(const struct byw_warp_trace *warp)
{
    return warp->lanes == 0 && warp->why == BYW_PATH_KNOWN ? BYW_PATH_NONE
                                                           : (enum byw_path_why)warp->why;
}

static bool count_cta(struct survey *s, const struct byw_kernel *kernel, const struct byw_cta *cta)
{
    struct byw_trace_counts *counts = &s->info->launch[s->info->launch_count - 1].counts;

    counts->ctas++;
    counts->warps += cta->warp_count;
    for (uint32_t w = 0; w < cta->warp_count; w++)
        s->info->launch[s->info->launch_count - 1].walks[walk_of(&cta->warp[w])]++;
    if (s->stream != NULL && !byw_sm_stream_cta(s->stream, cta))
        return false;
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        const struct byw_inst *inst = cta->inst + cta->warp[w].first;

        for (uint32_t i = 0; i < cta->warp[w].count; i++) {
            count_inst(&inst[i], counts);
            if (byw_access_is_cached(&inst[i]) && !look_at(s, kernel, w, &inst[i], cta))
                return false;
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

static bool add_launch(struct byw_trace_info *info, const struct byw_kernel *kernel)
{
    struct byw_trace_launch *launch;
    bool seen = false;

    if (!BYW_ARRAY_ROOM(info->launch, info->launch_room, info->launch_count + 1u))
        return false;
    /* backwards: repeated launches are mostly close together */
    for (uint32_t i = info->launch_count; i > 0 && !seen; i--)
        seen = info->launch[i - 1].kernel.code == kernel->code;
    info->kernels += !seen;
    launch = &info->launch[info->launch_count++];
    *launch = (struct byw_trace_launch){.kernel = *kernel};
    launch->kernel.site = NULL;
    launch->kernel.machine = NULL;
    launch->kernel.site_number = NULL;
    launch->kernel.machine_why = NULL;
    if (kernel->machine != NULL)
        launch->machine = kernel->machine->count;
    if (kernel->machine_why != NULL)
        snprintf(launch->machine_why, sizeof(launch->machine_why), "%s", kernel->machine_why);
    return true;
}

/* If a loop ends with BYW_OK, memory ran out. */
static enum byw_status read_launches(struct survey *s, struct byw_trace *trace,
                                     struct byw_diag *diag)
{
    struct byw_trace_info *info = s->info;
    const struct byw_kernel *kernel;
    struct byw_cta cta;
    enum byw_status st;

    byw_cta_init(&cta);
    while ((st = byw_trace_next_kernel(trace, &kernel, diag)) == BYW_OK) {
        if (!add_launch(info, kernel) || (s->stream != NULL && !byw_sm_stream_launch(s->stream)))
            break;
        while ((st = byw_trace_next_cta(trace, &cta, diag)) == BYW_OK) {
            if (!count_cta(s, kernel, &cta))
                break;
        }
        if (st != BYW_END)
            break;
        add_counts(&info->total, &info->launch[info->launch_count - 1].counts);
    }
    byw_cta_release(&cta);
    if (st == BYW_END && s->stream != NULL && !byw_sm_stream_finish(s->stream))
        st = BYW_OK;
    if (st == BYW_OK)
        return byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory while counting the trace's lines",
                            info->path);
    return st == BYW_END ? BYW_OK : st;
}

static bool refer(void *ctx, uint32_t sm, const uint64_t *line, uint32_t count)
{
    struct survey *s = ctx;

    for (uint32_t i = 0; i < count; i++) {
        if (!byw_reuse_reference(s->reuse[sm], line[i]))
            return false;
    }
    return true;
}

static void survey_release(struct survey *s)
{
    for (uint32_t i = 0; s->reuse != NULL && i < s->info->streams.sms; i++)
        byw_reuse_free(s->reuse[i]);
    free(s->reuse);
    byw_sm_stream_free(s->stream);
    free(s->lines.slot);
}

static enum byw_status count_reuse(struct survey *s, struct byw_diag *diag)
{
    uint32_t sms = s->info->streams.sms;
    const struct byw_sm_stream_sink sink = {.access = refer, .ctx = s};
    enum byw_status st;

    st = byw_sm_stream_create(&s->info->streams, &sink, &s->stream, diag);
    if (st != BYW_OK)
        return st;
    s->reuse = calloc(sms, sizeof(struct byw_reuse *));
    for (uint32_t i = 0; s->reuse != NULL && i < sms; i++) {
        s->reuse[i] = byw_reuse_create();
        if (s->reuse[i] == NULL)
            break;
    }
    if (s->reuse == NULL || s->reuse[sms - 1] == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory while counting the reuse in %u SMs",
                            sms);
    return BYW_OK;
}

enum byw_status byw_trace_info_read(const char *path, const struct byw_sm_stream_options *streams,
                                    struct byw_trace_info *info, struct byw_diag *diag)
{
    struct byw_trace *trace;
    struct survey survey;
    enum byw_status st = byw_trace_open(path, &trace, diag);

    if (st != BYW_OK)
        return st;
    *info = (struct byw_trace_info){.kernels = 0};
    if (streams != NULL)
        info->streams = *streams;
    snprintf(info->path, sizeof(info->path), "%s", path);
    snprintf(info->format, sizeof(info->format), "%s", byw_trace_format(trace));
    survey = (struct survey){.info = info};
    st = streams != NULL ? count_reuse(&survey, diag) : BYW_OK;
    if (st == BYW_OK)
        st = read_launches(&survey, trace, diag);
    byw_trace_get_note(trace, &info->note);
    byw_trace_close(trace);
    info->footprint_lines = survey.lines.count;
    for (uint32_t i = 0; st == BYW_OK && i < info->streams.sms; i++)
        byw_reuse_add(survey.reuse[i], &info->reuse);
    byw_sites_sort(&info->sites);
    survey_release(&survey);
    if (st != BYW_OK)
        byw_trace_info_release(info);
    return st;
}

void byw_trace_info_release(struct byw_trace_info *info)
{
    free(info->launch);
    info->launch = NULL;
    info->launch_count = 0;
    info->launch_room = 0;
    byw_sites_release(&info->sites);
}

double byw_trace_info_bytes_per_access(const struct byw_trace_info *info)
{
    uint64_t accesses = info->total.accesses + info->total.shared_accesses;

    return accesses == 0 ? 0 : (double)info->note.file_bytes / (double)accesses;
}

/* Walks through machine code must fit it. */
static enum byw_status check_walks(const char *path, struct byw_diag *diag)
{
    const struct byw_kernel *kernel;
    struct byw_trace *trace;
    struct byw_cta cta;
    enum byw_status st = byw_trace_open(path, &trace, diag);

    if (st != BYW_OK || !byw_trace_keeps_machine(trace)) {
        if (st == BYW_OK)
            byw_trace_close(trace);
        return st;
    }
    byw_trace_use_machine(trace);
    byw_cta_init(&cta);
    while ((st = byw_trace_next_kernel(trace, &kernel, diag)) == BYW_OK) {
        while ((st = byw_trace_next_cta(trace, &cta, diag)) == BYW_OK)
            continue;
        if (st != BYW_END)
            break;
    }
    byw_cta_release(&cta);
    byw_trace_close(trace);
    return st == BYW_END ? BYW_OK : st;
}

enum byw_status byw_trace_check(const char *path, struct byw_trace_counts *total,
                                struct byw_diag *diag)
{
    struct byw_trace_info info;
    enum byw_status st = byw_trace_info_read(path, NULL, &info, diag);

    if (st == BYW_OK) {
        st = check_walks(path, diag);
        if (st != BYW_OK)
            byw_trace_info_release(&info);
    }

    if (st != BYW_OK)
        return st;
    if (total != NULL)
        *total = info.total;
    byw_trace_info_release(&info);
    return BYW_OK;
}
