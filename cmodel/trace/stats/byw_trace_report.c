/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "trace/byw_kernel_name.h"
#include "trace/byw_launch_range.h"
#include "trace/stats/byw_trace_report.h"

bool byw_shows_launch(const struct byw_trace_shown *shown, const struct byw_kernel *kernel)
{
    const struct byw_launch_ranges *launches = shown->launches;

    return (launches == NULL || launches->count == 0 ||
            byw_launch_ranges_have(launches->range, launches->count, kernel->launch)) &&
           byw_kernel_pick_has(shown->kernels, kernel->name);
}

static void print_totals(const struct byw_trace_info *info, FILE *out)
{
    const struct byw_trace_counts *t = &info->total;

    char path[BYW_TEXT_GROWTH * sizeof(info->path)];

    byw_text_printable(info->path, path, sizeof(path));
    fprintf(out, "trace                %s\n", path);
    fprintf(out, "format               %s, %" PRIu64 " bytes\n", info->format,
            info->note.file_bytes);
    fprintf(out, "kernels, launches    %" PRIu32 ", %" PRIu32 "\n", info->kernels,
            info->launch_count);
    fprintf(out, "CTAs, warps          %" PRIu64 ", %" PRIu64 "\n", t->ctas, t->warps);
    fprintf(out, "warp instructions    %" PRIu64 "\n", t->warp_instructions);
    fprintf(out, "thread instructions  %" PRIu64 " (%.2f per warp instruction)\n",
            t->thread_instructions, byw_ratio(t->thread_instructions, t->warp_instructions));
    fprintf(out, "cache accesses       %" PRIu64 "\n", t->accesses);
    fprintf(out, "  lanes per access   %.2f\n", byw_ratio(t->lanes, t->accesses));
    fprintf(out, "  lines per access   %.2f (128 bytes)\n", byw_ratio(t->lines, t->accesses));
    fprintf(out, "  sectors per access %.2f (32 bytes)\n", byw_ratio(t->sectors, t->accesses));
    fprintf(out, "  footprint          %" PRIu64 " lines, %.1f KB\n", info->footprint_lines,
            (double)info->footprint_lines * BYW_TRACE_LINE_BYTES / 1024);
    fprintf(out, "scratchpad accesses  %" PRIu64 " (%.2f passes each)\n", t->shared_accesses,
            byw_ratio(t->shared_passes, t->shared_accesses));
    fprintf(out, "bytes per access     %.3f in the file\n", byw_trace_info_bytes_per_access(info));
    if (info->note.unknown_opcodes != 0)
        fprintf(out, "unknown opcodes      %" PRIu64 ", counted as int; the first is %s\n",
                info->note.unknown_opcodes, info->note.first_opcode);
}

static void print_mix(const struct byw_trace_counts *t, FILE *out)
{
    fprintf(out, "\n%-14s %14s %8s\n", "class", "instructions", "share");
    for (unsigned c = 0; c < BYW_CLASS_COUNT; c++) {
        if (t->mix[c] != 0)
            fprintf(out, "%-14s %14" PRIu64 " %7.2f%%\n", byw_class_name((enum byw_class)c),
                    t->mix[c], 100 * byw_ratio(t->mix[c], t->warp_instructions));
    }
}

/* Sums the launches of the same code as launch `first`, which is the first of them. */
static struct byw_trace_launch sum_walks(const struct byw_trace_info *info, uint32_t first)
{
    struct byw_trace_launch sum = info->launch[first];

    for (uint32_t i = first + 1; i < info->launch_count; i++)
        if (info->launch[i].kernel.code == sum.kernel.code) {
            sum.counts.warps += info->launch[i].counts.warps;
            for (unsigned w = 0; w < BYW_PATH_WHYS; w++)
                sum.walks[w] += info->launch[i].walks[w];
        }
    return sum;
}

static bool is_first(const struct byw_trace_info *info, uint32_t launch)
{
    for (uint32_t i = launch; i > 0; i--)
        if (info->launch[i - 1].kernel.code == info->launch[launch].kernel.code)
            return false;
    return true;
}

/* Share of each kernel's warps whose path through the machine code is known. */
static void print_walks(const struct byw_trace_info *info, const struct byw_trace_shown *shown,
                        FILE *out)
{
    uint32_t printed = 0;
    bool any = false;

    for (uint32_t i = 0; i < info->launch_count; i++)
        any |= info->launch[i].machine != 0 || info->launch[i].machine_why[0] != '\0';
    if (!any)
        return;
    fprintf(out, "\n%-32s %12s %8s\n", "machine code of kernel", "instructions", "warps");
    for (uint32_t i = 0; i < info->launch_count; i++) {
        struct byw_trace_launch sum;
        char whole[BYW_KERNEL_NAME_ROOM], name[33];
        char why[BYW_TEXT_GROWTH * sizeof(sum.machine_why)];

        if (!is_first(info, i) || !byw_kernel_pick_has(shown->kernels, info->launch[i].kernel.name))
            continue;
        if (shown->rows != 0 && printed++ >= shown->rows)
            continue;
        sum = sum_walks(info, i);
        byw_kernel_name(sum.kernel.name, whole);
        byw_text_printable(whole, name, sizeof(name));
        byw_text_printable(sum.machine_why, why, sizeof(why));
        fprintf(out, "%-32s %12" PRIu32 " %7.2f%%%s%s\n", name, sum.machine,
                sum.machine == 0 ? 0 : 100 * byw_ratio(sum.walks[BYW_PATH_KNOWN], sum.counts.warps),
                why[0] == '\0' ? "" : "  none: ", why);
        for (unsigned w = BYW_PATH_KNOWN + 1; sum.machine != 0 && w < BYW_PATH_WHYS; w++)
            if (sum.walks[w] != 0)
                fprintf(out, "%54s  %7.2f%%: %s\n", "",
                        100 * byw_ratio(sum.walks[w], sum.counts.warps),
                        byw_path_why_text((enum byw_path_why)w));
    }
}

static void print_launches(const struct byw_trace_info *info, const struct byw_trace_shown *shown,
                           FILE *out)
{
    uint64_t rest = 0;
    uint32_t printed = 0, more = 0;

    fprintf(out, "\n%6s %-24s %-14s %-12s %8s %12s %10s %10s\n", "launch", "kernel", "grid",
            "block", "CTAs", "instructions", "accesses", "lines");
    for (uint32_t i = 0; i < info->launch_count; i++) {
        const struct byw_trace_launch *l = &info->launch[i];
        const struct byw_kernel *k = &l->kernel;
        char grid[40], block[40], whole[BYW_KERNEL_NAME_ROOM], name[25];

        if (!byw_shows_launch(shown, k))
            continue;
        if (shown->rows != 0 && printed++ >= shown->rows) {
            rest += l->counts.warp_instructions;
            more++;
            continue;
        }
        snprintf(grid, sizeof(grid), "%ux%ux%u", k->grid[0], k->grid[1], k->grid[2]);
        snprintf(block, sizeof(block), "%ux%ux%u", k->block[0], k->block[1], k->block[2]);
        byw_kernel_name(k->name, whole);
        byw_text_printable(whole, name, sizeof(name));
        fprintf(out,
                "%6" PRIu32 " %-24s %-14s %-12s %8" PRIu64 " %12" PRIu64 " %10" PRIu64 " %10" PRIu64
                "\n",
                k->launch + 1, name, grid, block, l->counts.ctas, l->counts.warp_instructions,
                l->counts.accesses, l->counts.lines);
    }
    if (more != 0)
        fprintf(out, "   ... %" PRIu32 " more launches with %" PRIu64 " instructions\n", more,
                rest);
}

void byw_trace_info_print(const struct byw_trace_info *info, const struct byw_trace_shown *shown,
                          FILE *out)
{
    print_totals(info, out);
    print_mix(&info->total, out);
    if (info->streams.sms != 0)
        byw_trace_report_reuse(info, out);
    print_launches(info, shown, out);
    print_walks(info, shown, out);
}

static json_t *counts_json(const struct byw_trace_counts *t)
{
    json_t *mix = json_object();

    for (unsigned c = 0; c < BYW_CLASS_COUNT; c++)
        json_object_set_new(mix, byw_class_name((enum byw_class)c),
                            json_integer((json_int_t)t->mix[c]));
    return json_pack("{sI sI sI sI so sI sI sI sI sI sI}", "ctas", (json_int_t)t->ctas, "warps",
                     (json_int_t)t->warps, "warp_instructions", (json_int_t)t->warp_instructions,
                     "thread_instructions", (json_int_t)t->thread_instructions, "mix", mix,
                     "accesses", (json_int_t)t->accesses, "lanes", (json_int_t)t->lanes, "lines",
                     (json_int_t)t->lines, "sectors", (json_int_t)t->sectors, "shared_accesses",
                     (json_int_t)t->shared_accesses, "shared_passes", (json_int_t)t->shared_passes);
}

static json_t *launch_json(const struct byw_trace_launch *launch)
{
    const struct byw_kernel *k = &launch->kernel;
    char name[BYW_TRACE_NAME_TEXT], why[BYW_TEXT_GROWTH * sizeof(launch->machine_why)];
    char whole[BYW_KERNEL_NAME_ROOM], title[BYW_TRACE_NAME_TEXT];

    byw_text_printable(k->name, name, sizeof(name));
    byw_kernel_name(k->name, whole);
    byw_text_printable(whole, title, sizeof(title));
    byw_text_printable(launch->machine_why, why, sizeof(why));
    return json_pack(
        "{sI ss ss sI s[III] s[III] sI sI sI sI sI sI ss so}", "launch", (json_int_t)k->launch + 1,
        "kernel", name, "kernel_name", title, "code", (json_int_t)k->code, "grid",
        (json_int_t)k->grid[0], (json_int_t)k->grid[1], (json_int_t)k->grid[2], "block",
        (json_int_t)k->block[0], (json_int_t)k->block[1], (json_int_t)k->block[2], "shared_bytes",
        (json_int_t)k->shared_bytes, "registers", (json_int_t)k->registers, "compiled_registers",
        (json_int_t)k->compiled_registers, "warp_size", (json_int_t)k->warp_size,
        "machine_instructions", (json_int_t)launch->machine, "machine_warps",
        (json_int_t)(launch->machine == 0 ? 0 : launch->walks[BYW_PATH_KNOWN]), "machine_why", why,
        "counts", counts_json(&launch->counts));
}

enum byw_status byw_trace_info_json(const struct byw_trace_info *info,
                                    const struct byw_trace_shown *shown, FILE *out)
{
    json_t *launches = json_array();
    char path[BYW_TEXT_GROWTH * sizeof(info->path)];
    json_t *root;
    int failed;

    byw_text_printable(info->path, path, sizeof(path));
    for (uint32_t i = 0; i < info->launch_count; i++)
        if (byw_shows_launch(shown, &info->launch[i].kernel))
            json_array_append_new(launches, launch_json(&info->launch[i]));
    root = json_pack("{ss ss ss sI sI sI so sI sf sI so so sI so}", "schema", "byway-trace-info-1",
                     "trace", path, "format", info->format, "file_bytes",
                     (json_int_t)info->note.file_bytes, "kernels", (json_int_t)info->kernels,
                     "launches", (json_int_t)info->launch_count, "total", counts_json(&info->total),
                     "footprint_lines", (json_int_t)info->footprint_lines, "bytes_per_access",
                     byw_trace_info_bytes_per_access(info), "unknown_opcodes",
                     (json_int_t)info->note.unknown_opcodes, "reuse",
                     info->streams.sms != 0 ? byw_trace_report_reuse_json(info) : json_null(),
                     "sites", byw_trace_report_sites_json(info, shown), "other_site_accesses",
                     (json_int_t)info->sites.rest.accesses, "per_launch", launches);
    if (root == NULL)
        return BYW_ENOMEM;
    failed = json_dumpf(root, out, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    json_decref(root);
    if (failed != 0 || fputc('\n', out) == EOF)
        return BYW_EIO;
    return BYW_OK;
}
