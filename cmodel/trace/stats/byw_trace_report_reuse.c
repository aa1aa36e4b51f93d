/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "trace/byw_kernel_name.h"
#include "trace/stats/byw_trace_report.h"

enum { BAR_ROOM = 30 }; /* characters of a bar of 100 % */

static void row(FILE *out, const char *label, uint64_t number, double share)
{
    static const char bar[] = "##############################";
    int length = (int)(share * BAR_ROOM + 0.5);

    _Static_assert(sizeof(bar) == BAR_ROOM + 1, "the longest bar");
    fprintf(out, "%-13s %14" PRIu64 " %7.2f%%%s%.*s\n", label, number, 100 * share,
            length > 0 ? " " : "", length, bar);
}

/* "4-7", or ">= 2048" for the last bin. */
static void bin_label(char label[48], uint32_t bin, uint32_t bins)
{
    uint64_t first = byw_reuse_bin_start(bin), last = byw_reuse_bin_start(bin + 1) - 1;

    if (bin + 1 == bins)
        snprintf(label, 48, ">= %" PRIu64, first);
    else if (first == last)
        snprintf(label, 48, "%" PRIu64, first);
    else
        snprintf(label, 48, "%" PRIu64 "-%" PRIu64, first, last);
}

static void print_counts(const struct byw_reuse_counts *r, FILE *out)
{
    static const char *const label[BYW_REUSE_COUNTS] = {"once", "twice", "3 times", ">= 4 times"};

    fprintf(out, "\n%-13s %14s %8s\n", "referenced", "lines", "share");
    for (uint32_t i = 0; i < BYW_REUSE_COUNTS; i++)
        row(out, label[i], r->by_count[i], byw_ratio(r->by_count[i], r->lines));
    fprintf(out, "\n%-13s %14s %8s\n", "request is", "requests", "share");
    row(out, "no reuse", r->by_count[0], byw_ratio(r->by_count[0], r->requests));
    row(out, "first of some", r->lines - r->by_count[0],
        byw_ratio(r->lines - r->by_count[0], r->requests));
    row(out, "reuse", r->requests - r->lines, byw_ratio(r->requests - r->lines, r->requests));
}

static void print_distances(const struct byw_reuse_counts *r, FILE *out)
{
    uint64_t again = r->requests - r->lines;

    fprintf(out, "\n%-13s %14s %8s   requests between two to the same line\n", "distance",
            "re-references", "share");
    for (uint32_t i = 0; i < BYW_DISTANCE_BINS; i++) {
        char label[48];

        bin_label(label, i, BYW_DISTANCE_BINS);
        row(out, label, r->distance[i], byw_ratio(r->distance[i], again));
    }
}

/* Each bin ends below a power of two, so the running sum is the hit rate of an LRU cache. */
static void print_stack(const struct byw_reuse_counts *r, FILE *out)
{
    uint64_t again = r->requests - r->lines, hits = 0;
    uint32_t used = BYW_STACK_BINS;

    while (used > 1 && r->stack[used - 1] == 0)
        used--;
    fprintf(out, "\n%-13s %14s %8s %9s   distinct lines between two requests to the same line\n",
            "stack", "re-references", "share", "LRU hits");
    for (uint32_t i = 0; i < used; i++) {
        char label[48];

        bin_label(label, i, BYW_STACK_BINS);
        hits += r->stack[i];
        fprintf(out, "%-13s %14" PRIu64 " %7.2f%% %8.2f%%", label, r->stack[i],
                100 * byw_ratio(r->stack[i], again), 100 * byw_ratio(hits, r->requests));
        if (i + 1 < BYW_STACK_BINS)
            fprintf(out, " with %" PRIu64 " line%s\n", byw_reuse_bin_start(i + 1),
                    i == 0 ? "" : "s");
        else
            fputs(" without limit\n", out);
    }
}

void byw_trace_report_reuse(const struct byw_trace_info *info, FILE *out)
{
    const struct byw_reuse_counts *r = &info->reuse;

    fprintf(out,
            "\nreuse in each SM's stream of line requests, summed over %" PRIu32
            " SMs: CTAs are assigned\nround robin, up to %" PRIu32
            " at a time; their warps take turns; without timing\n",
            info->streams.sms, info->streams.ctas);
    fprintf(out, "requests, lines      %" PRIu64 ", %" PRIu64 " (a line counts in each SM)\n",
            r->requests, r->lines);
    print_counts(r, out);
    print_distances(r, out);
    print_stack(r, out);
}

static const char *kernel_name(const struct byw_trace_info *info,
                               const struct byw_site_counts *site)
{
    return info->launch[site->launch].kernel.name;
}

void byw_trace_info_print_sites(const struct byw_trace_info *info,
                                const struct byw_trace_shown *shown, FILE *out)
{
    const struct byw_sites *s = &info->sites;

    fprintf(out, "%-24s %10s %6s %4s %-11s %5s %12s %8s %8s %8s\n", "kernel", "pc", "line", "arg",
            "class", "width", "accesses", "lanes", "lines", "sectors");
    for (uint32_t i = 0; i < s->count; i++) {
        const struct byw_site_counts *site = &s->site[i];
        char pc[16], line[16] = "-", argument[16] = "-", kernel[25];
        char whole[BYW_KERNEL_NAME_ROOM];

        if (!byw_kernel_pick_has(shown->kernels, kernel_name(info, site)))
            continue;
        snprintf(pc, sizeof(pc), "0x%" PRIx32, site->pc);
        if (site->line != 0)
            snprintf(line, sizeof(line), "%" PRIu32, site->line);
        if (site->argument >= 0)
            snprintf(argument, sizeof(argument), "%" PRId32, site->argument);
        byw_kernel_name(kernel_name(info, site), whole);
        byw_text_printable(whole, kernel, sizeof(kernel));
        fprintf(out, "%-24s %10s %6s %4s %-11s %5u %12" PRIu64 " %8.2f %8.2f %8.2f\n", kernel, pc,
                line, argument, byw_class_name((enum byw_class)site->cls), site->width,
                site->accesses, byw_ratio(site->lanes, site->accesses),
                byw_ratio(site->lines, site->accesses), byw_ratio(site->sectors, site->accesses));
    }
    if (s->rest.accesses != 0)
        fprintf(out, "%-24s %54" PRIu64 " %8.2f %8.2f %8.2f\n", "all other sites", s->rest.accesses,
                byw_ratio(s->rest.lanes, s->rest.accesses),
                byw_ratio(s->rest.lines, s->rest.accesses),
                byw_ratio(s->rest.sectors, s->rest.accesses));
    fputs("lanes, lines (128 bytes) and sectors (32 bytes) are per access\n", out);
}

static json_t *bins_json(const uint64_t *count, uint32_t bins)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < bins; i++)
        json_array_append_new(array,
                              json_pack("{sI sI}", "from", (json_int_t)byw_reuse_bin_start(i),
                                        "count", (json_int_t)count[i]));
    return array;
}

json_t *byw_trace_report_reuse_json(const struct byw_trace_info *info)
{
    const struct byw_reuse_counts *r = &info->reuse;

    return json_pack("{sI sI sI sI s[IIII] so so}", "sms", (json_int_t)info->streams.sms,
                     "ctas_per_sm", (json_int_t)info->streams.ctas, "requests",
                     (json_int_t)r->requests, "lines", (json_int_t)r->lines, "lines_by_references",
                     (json_int_t)r->by_count[0], (json_int_t)r->by_count[1],
                     (json_int_t)r->by_count[2], (json_int_t)r->by_count[3], "distance",
                     bins_json(r->distance, BYW_DISTANCE_BINS), "stack_distance",
                     bins_json(r->stack, BYW_STACK_BINS));
}

static json_t *site_json(const struct byw_trace_info *info, const struct byw_site_counts *site)
{
    char name[BYW_TRACE_NAME_TEXT], title[BYW_TRACE_NAME_TEXT], whole[BYW_KERNEL_NAME_ROOM];

    byw_text_printable(kernel_name(info, site), name, sizeof(name));
    byw_kernel_name(kernel_name(info, site), whole);
    byw_text_printable(whole, title, sizeof(title));
    return json_pack("{ss ss sI sI sI sI ss sI sI sI sI sI}", "kernel", name, "kernel_name", title,
                     "code", (json_int_t)site->code, "pc", (json_int_t)site->pc, "line",
                     (json_int_t)site->line, "argument", (json_int_t)site->argument, "class",
                     byw_class_name((enum byw_class)site->cls), "width", (json_int_t)site->width,
                     "accesses", (json_int_t)site->accesses, "lanes", (json_int_t)site->lanes,
                     "lines", (json_int_t)site->lines, "sectors", (json_int_t)site->sectors);
}

json_t *byw_trace_report_sites_json(const struct byw_trace_info *info,
                                    const struct byw_trace_shown *shown)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < info->sites.count; i++)
        if (byw_kernel_pick_has(shown->kernels, kernel_name(info, &info->sites.site[i])))
            json_array_append_new(array, site_json(info, &info->sites.site[i]));
    return array;
}
