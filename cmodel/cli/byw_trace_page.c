/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/byw_trace_page.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/byw_text.h"
#include "study/page/byw_sheet.h"
#include "trace/byw_kernel_name.h"
#include "trace/byw_kernel_pick.h"

enum { NAME_WIDTH = 40 };

static double ratio(uint64_t part, uint64_t whole)
{
    return whole == 0 ? NAN : (double)part / (double)whole;
}

static void sum(FILE *out, const char *what, double value, int decimals)
{
    byw_sheet_row(out);
    byw_sheet_text(out, what, NULL);
    byw_sheet_number(out, value, decimals, BYW_SHEET_NO_BAR);
}

static void totals(FILE *out, const struct byw_trace_info *info)
{
    const struct byw_trace_counts *t = &info->total;

    byw_sheet_table(out, "The whole trace", "quantity|value", 1);
    sum(out, "kernels", info->kernels, 0);
    sum(out, "launches", info->launch_count, 0);
    sum(out, "CTAs", (double)t->ctas, 0);
    sum(out, "warps", (double)t->warps, 0);
    sum(out, "warp instructions", (double)t->warp_instructions, 0);
    sum(out, "thread instructions per warp instruction",
        ratio(t->thread_instructions, t->warp_instructions), 2);
    sum(out, "cache accesses", (double)t->accesses, 0);
    sum(out, "lanes per access", ratio(t->lanes, t->accesses), 2);
    sum(out, "lines of 128 bytes per access", ratio(t->lines, t->accesses), 2);
    sum(out, "sectors of 32 bytes per access", ratio(t->sectors, t->accesses), 2);
    sum(out, "footprint, KB", (double)info->footprint_lines * BYW_TRACE_LINE_BYTES / 1024, 1);
    sum(out, "scratchpad accesses", (double)t->shared_accesses, 0);
    sum(out, "bytes of the file per access", byw_trace_info_bytes_per_access(info), 3);
    byw_sheet_table_end(out);
    byw_sheet_table(out, "Instructions by class", "class|instructions|share, %", 1);
    for (unsigned c = 0; c < BYW_CLASS_COUNT; c++) {
        if (t->mix[c] == 0)
            continue;
        byw_sheet_row(out);
        byw_sheet_text(out, byw_class_name((enum byw_class)c), NULL);
        byw_sheet_number(out, (double)t->mix[c], 0, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, 100.0 * ratio(t->mix[c], t->warp_instructions), 2,
                         ratio(t->mix[c], t->warp_instructions));
    }
    byw_sheet_table_end(out);
}

/* Prints a kernel's C++ name, shortened. The tooltip shows the whole name and the symbol. */
static void kernel_cell(FILE *out, const char *symbol)
{
    char name[BYW_KERNEL_NAME_ROOM], text[BYW_KERNEL_NAME_ROOM];
    char whole[2 * BYW_KERNEL_NAME_ROOM + 8];

    byw_kernel_name(symbol, name);
    byw_kernel_name_fit(name, NAME_WIDTH, text);
    if (strcmp(name, symbol) == 0)
        snprintf(whole, sizeof(whole), "%s", name);
    else
        snprintf(whole, sizeof(whole), "%s (%s)", name, symbol);
    byw_sheet_text(out, text, strcmp(text, symbol) == 0 ? NULL : whole);
}

static void launches(FILE *out, const struct byw_trace_info *info,
                     const struct byw_trace_shown *shown)
{
    char text[64];

    byw_sheet_table(out, "Launches",
                    "launch|kernel|grid|block|CTAs|warp instructions|accesses|lines per access|"
                    "machine instructions|warps with machine code, %",
                    4);
    for (uint32_t i = 0; i < info->launch_count; i++) {
        const struct byw_trace_launch *l = &info->launch[i];
        const struct byw_kernel *k = &l->kernel;

        if (!byw_shows_launch(shown, k))
            continue;
        byw_sheet_row(out);
        snprintf(text, sizeof(text), "%" PRIu32, k->launch + 1);
        byw_sheet_text(out, text, NULL);
        kernel_cell(out, k->name);
        snprintf(text, sizeof(text), "%ux%ux%u", k->grid[0], k->grid[1], k->grid[2]);
        byw_sheet_text(out, text, NULL);
        snprintf(text, sizeof(text), "%ux%ux%u", k->block[0], k->block[1], k->block[2]);
        byw_sheet_text(out, text, NULL);
        byw_sheet_number(out, (double)l->counts.ctas, 0, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, (double)l->counts.warp_instructions, 0,
                         ratio(l->counts.warp_instructions, info->total.warp_instructions));
        byw_sheet_number(out, (double)l->counts.accesses, 0, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, ratio(l->counts.lines, l->counts.accesses), 2, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, l->machine != 0 ? (double)l->machine : NAN, 0, BYW_SHEET_NO_BAR);
        byw_sheet_number(
            out, l->machine != 0 ? 100.0 * ratio(l->walks[BYW_PATH_KNOWN], l->counts.warps) : NAN,
            1, BYW_SHEET_NO_BAR);
    }
    byw_sheet_table_end(out);
}

static void sites(FILE *out, const struct byw_trace_info *info, const struct byw_trace_shown *shown)
{
    char text[16];

    byw_sheet_table(out, "Accesses in the code",
                    "kernel|class|PC|line|argument|bytes|accesses|lanes|lines|sectors", 3);
    for (uint32_t i = 0; i < info->sites.count; i++) {
        const struct byw_site_counts *s = &info->sites.site[i];
        const char *kernel = info->launch[s->launch].kernel.name;

        if (!byw_kernel_pick_has(shown->kernels, kernel))
            continue;
        byw_sheet_row(out);
        kernel_cell(out, kernel);
        byw_sheet_text(out, byw_class_name((enum byw_class)s->cls), NULL);
        snprintf(text, sizeof(text), "0x%" PRIx32, s->pc);
        byw_sheet_text(out, text, NULL);
        byw_sheet_number(out, s->line != 0 ? (double)s->line : NAN, 0, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, s->argument >= 0 ? (double)s->argument : NAN, 0, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, s->width, 0, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, (double)s->accesses, 0, ratio(s->accesses, info->total.accesses));
        byw_sheet_number(out, ratio(s->lanes, s->accesses), 2, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, ratio(s->lines, s->accesses), 2, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, ratio(s->sectors, s->accesses), 2, BYW_SHEET_NO_BAR);
    }
    byw_sheet_table_end(out);
    byw_sheet_note(out, "Lanes, lines of 128 bytes and sectors of 32 bytes are per access.");
}

void byw_trace_page(FILE *out, const struct byw_trace_info *info,
                    const struct byw_trace_shown *shown)
{
    char path[BYW_TEXT_GROWTH * sizeof(info->path)], about[sizeof(path) + 128];

    byw_text_printable(info->path, path, sizeof(path));
    snprintf(about, sizeof(about), "%s: format %s, %" PRIu64 " bytes.", path, info->format,
             info->note.file_bytes);
    byw_sheet_begin(out, "What a trace contains", about);
    totals(out, info);
    launches(out, info, shown);
    sites(out, info, shown);
    byw_sheet_end(out);
}
