/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_accelsim.c - Reader of Accel-Sim traces: kernelslist.g with its kernel files, or one
 * kernel file.  A kernel file has a header of `-key = value` lines and then, for each CTA,
 *
 *     #BEGIN_TB / thread block = x,y,z / { warp = n / insts = n / n instruction lines } / #END_TB
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/byw_array.h"
#include "trace/accelsim/byw_cta_set.h"
#include "trace/accelsim/byw_lines.h"
#include "trace/accelsim/byw_spill.h"
#include "trace/accelsim/byw_traceg.h"
#include "trace/bwt/byw_trace_bwt.h"
#include "trace/byw_trace_format.h"

#define LAUNCHES_MAX (1u << 20)
#define REGISTERS_MAX 256u /* registers per thread: 255, allocated in groups of eight */

struct entry {
    char *path;
};

struct accelsim {
    struct byw_trace trace;
    char *list; /* kernelslist.g; NULL: a single kernel file */
    struct entry *entry; /* kernel files in launch order */
    uint32_t entry_count, next_entry;
    size_t entry_room;
    struct byw_lines lines; /* the kernel file being read, if any */
    bool in_cta; /* #BEGIN_TB has been read, #END_TB has not */
    uint64_t ctas; /* CTAs of this launch read so far */
    struct byw_cta_set seen; /* the CTAs of this launch so far */
    uint32_t version;
    struct byw_kernel kernel;
    struct byw_intern names; /* kernel names; the number is byw_kernel.code */
    struct byw_traceg *parser; /* large; NULL before the first kernel */
    struct byw_spill spill; /* state of the CTA being read */
    uint64_t file_bytes;
};

static enum byw_status set_name(struct accelsim *t, struct byw_scan rest, struct byw_diag *diag)
{
    size_t length = (size_t)(rest.end - rest.at), cut;
    bool is_new;

    if (length == 0 || memchr(rest.at, '\0', length) != NULL)
        return byw_lines_expected(&t->lines, diag, "expected the kernel's name");
    cut = length < sizeof(t->kernel.name) ? length : sizeof(t->kernel.name) - 1;
    memcpy(t->kernel.name, rest.at, cut);
    t->kernel.name[cut] = '\0';
    if (!byw_intern_add(&t->names, rest.at, length, &t->kernel.code, &is_new))
        return BYW_ENOMEM;
    return BYW_OK;
}

/* Reads one `-key = value` line; ignores keys that do not matter to a simulator. */
static enum byw_status header_line(struct accelsim *t, const struct byw_line *line,
                                   struct byw_diag *diag)
{
    struct byw_kernel *k = &t->kernel;
    struct byw_scan rest;
    uint32_t flag = 0;

    if (byw_line_starts(line, "-kernel name = ", &rest))
        return set_name(t, rest, diag);
    if (byw_line_starts(line, "-grid dim = ", &rest) && !byw_scan_triple(&rest, k->grid))
        return byw_lines_expected(&t->lines, diag, "expected -grid dim = (x,y,z)");
    if (byw_line_starts(line, "-block dim = ", &rest) && !byw_scan_triple(&rest, k->block))
        return byw_lines_expected(&t->lines, diag, "expected -block dim = (x,y,z)");
    if (byw_line_starts(line, "-shmem = ", &rest) && !byw_scan_u32(&rest, &k->shared_bytes))
        return byw_lines_expected(&t->lines, diag, "expected -shmem = and a number of bytes");
    if (byw_line_starts(line, "-nregs = ", &rest) &&
        (!byw_scan_u32(&rest, &k->registers) || k->registers > REGISTERS_MAX))
        return byw_lines_expected(&t->lines, diag, "expected -nregs = 0 to %u", REGISTERS_MAX);
    if (byw_line_starts(line, "-shmem base_addr = ", &rest) &&
        !byw_scan_hex(&rest, &t->parser->shared_base))
        return byw_lines_expected(&t->lines, diag,
                                  "expected -shmem base_addr = and an address in hex");
    if (byw_line_starts(line, "-local mem base_addr = ", &rest) &&
        !byw_scan_hex(&rest, &t->parser->local_base))
        return byw_lines_expected(&t->lines, diag,
                                  "expected -local mem base_addr = and an address in hex");
    if (byw_line_starts(line, "-accelsim tracer version = ", &rest) &&
        (!byw_scan_u32(&rest, &t->version) || t->version > 5))
        return byw_lines_expected(&t->lines, diag, "expected -accelsim tracer version = 0 to 5");
    if (byw_line_starts(line, "-enable lineinfo = ", &rest)) {
        if (!byw_scan_u32(&rest, &flag) || flag > 1)
            return byw_lines_expected(&t->lines, diag, "expected -enable lineinfo = 0 or 1");
        t->parser->line_info = flag == 1;
    }
    return BYW_OK;
}

static void close_kernel(struct accelsim *t)
{
    byw_lines_close(&t->lines);
    t->in_cta = false;
}

static enum byw_status read_header(struct accelsim *t, struct byw_diag *diag)
{
    struct byw_kernel *k = &t->kernel;
    const char *fault;
    struct byw_scan rest;
    struct byw_line line;
    enum byw_status st;

    *k = (struct byw_kernel){.launch = t->next_entry - 1, .warp_size = BYW_TRACEG_LANES};
    t->version = 0; /* the first tracers wrote no version */
    t->parser->line_info = false;
    t->parser->shared_base = t->parser->local_base = 0;
    for (;;) {
        st = byw_lines_next(&t->lines, &line, diag);
        if (st == BYW_END)
            return byw_lines_expected(&t->lines, diag,
                                      "the file ends in the header; expected #BEGIN_TB");
        if (st != BYW_OK)
            return st;
        if (byw_line_starts(&line, "#BEGIN_TB", &rest))
            break;
        if (line.length == 0 || line.text[0] == '#')
            continue;
        if (line.text[0] != '-')
            return byw_lines_expected(&t->lines, diag,
                                      "expected a header line (-key = value) or #BEGIN_TB");
        st = header_line(t, &line, diag);
        if (st != BYW_OK)
            return st;
    }
    t->in_cta = true;
    t->ctas = 0;
    t->parser->prefix = t->version < 3;
    byw_traceg_start_kernel(t->parser);
    if (k->name[0] == '\0')
        return byw_lines_expected(&t->lines, diag, "expected -kernel name = in the header above");
    fault = byw_trace_kernel_fault(k);
    if (fault != NULL)
        return byw_lines_expected(&t->lines, diag,
                                  "expected -grid dim and -block dim in the header above, but %s",
                                  fault);
    byw_cta_set_start(&t->seen, k->grid);
    return BYW_OK;
}

static enum byw_status open_entry(struct accelsim *t, struct byw_diag *diag)
{
    struct byw_source *source;
    enum byw_status st = byw_source_open(t->entry[t->next_entry].path, &source, diag);

    if (st == BYW_OK)
        byw_lines_open(&t->lines, source);
    return st;
}

/* A kernel file without a list has been open since its format was detected: a pipe can be opened
 * only once. */
static enum byw_status accelsim_next_kernel(struct byw_trace *trace,
                                            const struct byw_kernel **kernel, struct byw_diag *diag)
{
    struct accelsim *t = (struct accelsim *)trace;
    enum byw_status st;

    if (t->next_entry > 0)
        close_kernel(t);
    if (t->next_entry == t->entry_count)
        return BYW_END;
    if (t->parser == NULL)
        t->parser = calloc(1, sizeof(*t->parser));
    if (t->parser == NULL)
        return BYW_ENOMEM;
    st = t->lines.source == NULL ? open_entry(t, diag) : BYW_OK;
    if (st != BYW_OK)
        return st;
    t->next_entry++;
    t->file_bytes += byw_source_file_bytes(t->lines.source);
    *kernel = &t->kernel;
    return read_header(t, diag);
}

static enum byw_status read_cta_id(struct accelsim *t, struct byw_scan rest, struct byw_cta *cta,
                                   struct byw_diag *diag)
{
    const uint32_t *grid = t->kernel.grid;
    bool again;

    if (!byw_scan_triple(&rest, cta->id))
        return byw_lines_expected(&t->lines, diag, "expected thread block = x,y,z");
    if (cta->id[0] >= grid[0] || cta->id[1] >= grid[1] || cta->id[2] >= grid[2])
        return byw_lines_expected(&t->lines, diag, "expected a CTA inside the grid %u,%u,%u",
                                  grid[0], grid[1], grid[2]);
    if (!byw_cta_set_add(&t->seen, cta->id, &again))
        return BYW_ENOMEM;
    if (again)
        return byw_lines_expected(&t->lines, diag, "expected each CTA once; %u,%u,%u is repeated",
                                  cta->id[0], cta->id[1], cta->id[2]);
    return BYW_OK;
}

/* Warps come in ascending order; those that executed nothing may be missing. */
static enum byw_status start_warp(struct accelsim *t, struct byw_scan rest, struct byw_cta *cta,
                                  struct byw_diag *diag)
{
    const uint32_t *block = t->kernel.block;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    uint64_t warps = (threads + BYW_TRACEG_LANES - 1) / BYW_TRACEG_LANES;
    uint32_t number, next = t->spill.first_warp + cta->warp_count;

    if (!byw_scan_u32(&rest, &number) || number < next || number >= warps)
        return byw_lines_expected(&t->lines, diag, "expected warp = %u to %llu", next,
                                  (unsigned long long)warps - 1);
    while (t->spill.first_warp + cta->warp_count <= number) {
        if (byw_cta_add_warp(cta) == NULL)
            return BYW_ENOMEM;
    }
    byw_traceg_start_warp(t->parser);
    return BYW_OK;
}

/* The instruction lines of one warp: the hot loop of text reading. */
static enum byw_status read_insts(struct accelsim *t, uint32_t count, struct byw_cta *cta,
                                  struct byw_diag *diag)
{
    struct byw_line line;

    for (uint32_t i = 0, lines; i < count; i += lines) {
        enum byw_status st = byw_spill(&t->spill, &t->trace, &t->kernel, t->parser, cta, diag);
        uint32_t room = BYW_BWT_CTA_INST_MAX - cta->inst_count, left = count - i;
        const char *fault;
        size_t bytes;

        if (st != BYW_OK)
            return st;
        bytes = byw_traceg_again(t->parser, t->lines.at, t->lines.end, left < room ? left : room,
                                 cta, &lines);
        if (bytes != 0) {
            t->lines.at += bytes;
            t->lines.number += lines;
            continue;
        }
        lines = 1;
        st = byw_lines_next(&t->lines, &line, diag);
        if (st == BYW_END || (st == BYW_OK && line.length == 0)) {
            return byw_lines_expected(&t->lines, diag, "expected %u more instructions of this warp",
                                      count - i);
        }
        if (st != BYW_OK)
            return st;
        if (cta->inst_count >= BYW_BWT_CTA_INST_MAX)
            return byw_lines_expected(&t->lines, diag,
                                      "expected a CTA of at most 2^24 warp instructions");
        if (cta->addr_count > BYW_BWT_CTA_ADDR_MAX - BYW_TRACEG_LANES)
            return byw_lines_expected(&t->lines, diag,
                                      "expected a CTA of at most 2^25 irregular addresses");
        fault = byw_traceg_line(t->parser, line.text, line.length, cta);
        if (fault != NULL)
            return byw_lines_expected(&t->lines, diag, "%s", fault);
        if (t->lines.at[-1] == '\n')
            byw_traceg_whole(t->parser, line.text, (size_t)(t->lines.at - line.text));
    }
    return BYW_OK;
}

static enum byw_status missing_cta(const struct accelsim *t, struct byw_diag *diag)
{
    const uint32_t *g = t->kernel.grid;
    uint32_t id[3];

    byw_cta_set_missing(&t->seen, id);
    return byw_lines_expected(&t->lines, diag,
                              "the file ends after %llu CTAs; expected the grid's %u x %u x %u, "
                              "but %u,%u,%u is missing",
                              (unsigned long long)t->ctas, g[0], g[1], g[2], id[0], id[1], id[2]);
}

/* Moves the reader past the next #BEGIN_TB; BYW_END at a regular end of the launch. */
static enum byw_status find_cta(struct accelsim *t, struct byw_diag *diag)
{
    const uint32_t *g = t->kernel.grid;
    struct byw_scan rest;
    struct byw_line line;

    while (!t->in_cta) {
        enum byw_status st = byw_lines_next(&t->lines, &line, diag);

        if (st == BYW_END && t->ctas != (uint64_t)g[0] * g[1] * g[2])
            return missing_cta(t, diag);
        if (st != BYW_OK)
            return st;
        if (byw_line_starts(&line, "#BEGIN_TB", &rest))
            t->in_cta = true;
        else if (line.length != 0 && line.text[0] != '#')
            return byw_lines_expected(&t->lines, diag, "expected #BEGIN_TB or the end of the file");
    }
    if (t->ctas == (uint64_t)g[0] * g[1] * g[2])
        return byw_lines_expected(&t->lines, diag,
                                  "expected no more CTAs than the grid's %u x %u x %u", g[0], g[1],
                                  g[2]);
    return BYW_OK;
}

static enum byw_status cta_line(struct accelsim *t, const struct byw_line *line,
                                struct byw_cta *cta, bool *have_id, struct byw_diag *diag)
{
    struct byw_scan rest;
    uint32_t count;

    if (line->length == 0 || line->text[0] == '#')
        return BYW_OK;
    if (!*have_id) {
        if (!byw_line_starts(line, "thread block = ", &rest))
            return byw_lines_expected(&t->lines, diag, "expected thread block = x,y,z");
        *have_id = true;
        return read_cta_id(t, rest, cta, diag);
    }
    if (byw_line_starts(line, "warp = ", &rest))
        return start_warp(t, rest, cta, diag);
    if (cta->warp_count != 0 && t->parser->position == 0 &&
        byw_line_starts(line, "insts = ", &rest)) {
        if (!byw_scan_u32(&rest, &count))
            return byw_lines_expected(&t->lines, diag, "expected insts = and a number");
        return read_insts(t, count, cta, diag);
    }
    return byw_lines_expected(&t->lines, diag, "expected warp = n, its insts = n, or #END_TB");
}

static enum byw_status accelsim_next_cta(struct byw_trace *trace, struct byw_cta *cta,
                                         struct byw_diag *diag)
{
    struct accelsim *t = (struct accelsim *)trace;
    bool have_id = false;
    struct byw_scan rest;
    struct byw_line line;
    enum byw_status st;

    byw_cta_clear(cta);
    byw_spill_drop(&t->spill);
    if (t->lines.source == NULL)
        return BYW_END;
    st = find_cta(t, diag);
    if (st != BYW_OK)
        return st;
    for (;;) {
        st = byw_lines_next(&t->lines, &line, diag);
        if (st == BYW_END)
            return byw_lines_expected(&t->lines, diag,
                                      "the file ends inside a CTA; expected #END_TB");
        if (st != BYW_OK)
            return st;
        if (byw_line_starts(&line, "#END_TB", &rest))
            break;
        if (byw_line_starts(&line, "#BEGIN_TB", &rest))
            return byw_lines_expected(&t->lines, diag, "expected #END_TB before the next CTA");
        st = cta_line(t, &line, cta, &have_id, diag);
        if (st != BYW_OK)
            return st;
    }
    if (!have_id)
        return byw_lines_expected(&t->lines, diag, "expected thread block = x,y,z before #END_TB");
    t->in_cta = false;
    t->ctas++;
    return byw_spill_end(&t->spill, t->parser, cta, diag);
}

static void accelsim_note(const struct byw_trace *trace, struct byw_trace_note *note)
{
    const struct accelsim *t = (const struct accelsim *)trace;

    note->file_bytes = t->file_bytes;
    if (t->parser == NULL)
        return;
    note->unknown_opcodes = t->parser->unknown;
    memcpy(note->first_opcode, t->parser->first_unknown, sizeof(note->first_opcode));
}

static void accelsim_close(struct byw_trace *trace)
{
    struct accelsim *t = (struct accelsim *)trace;

    close_kernel(t);
    for (uint32_t i = 0; i < t->entry_count; i++)
        free(t->entry[i].path);
    free(t->entry);
    free(t->list);
    byw_intern_release(&t->names);
    byw_spill_drop(&t->spill);
    if (t->parser != NULL)
        byw_traceg_release(t->parser);
    free(t->parser);
    byw_cta_set_release(&t->seen);
    free(t);
}

static enum byw_status add_entry(struct accelsim *t, const char *path)
{
    char *copy;

    if (!BYW_ARRAY_ROOM(t->entry, t->entry_room, t->entry_count + 1u))
        return BYW_ENOMEM;
    copy = strdup(path);
    if (copy == NULL)
        return BYW_ENOMEM;
    t->entry[t->entry_count++].path = copy;
    return BYW_OK;
}

/* Reads the whole list before the first launch, so that a missing file is reported at once. */
static enum byw_status read_list(struct accelsim *t, struct byw_diag *diag)
{
    char path[4096];
    struct byw_scan rest;
    struct byw_line line;
    enum byw_status st;

    while ((st = byw_lines_next(&t->lines, &line, diag)) == BYW_OK) {
        if (line.length == 0 || line.text[0] == '#' || byw_line_starts(&line, "Memcpy", &rest) ||
            byw_line_starts(&line, "nccl", &rest))
            continue;
        if (memmem(line.text, line.length, ".traceg", 7) == NULL || line.length >= 2048)
            return byw_lines_expected(&t->lines, diag,
                                      "expected a kernel file (kernel-N.traceg) or a Memcpy line");
        if (t->entry_count == LAUNCHES_MAX)
            return byw_lines_expected(&t->lines, diag, "expected at most 2^20 launches");
        if (!byw_source_beside(byw_source_path(t->lines.source), line.text, line.length, path,
                               sizeof(path)))
            return byw_lines_expected(&t->lines, diag,
                                      "expected the file %.*s next to the list, but it is missing",
                                      (int)line.length, line.text);
        st = add_entry(t, path);
        if (st != BYW_OK)
            return st;
    }
    if (st != BYW_END)
        return st;
    if (t->entry_count == 0)
        return byw_lines_expected(&t->lines, diag, "expected at least one kernel file in the list");
    t->file_bytes = byw_source_file_bytes(t->lines.source);
    t->list = strdup(byw_source_path(t->lines.source));
    close_kernel(t);
    return t->list != NULL ? BYW_OK : BYW_ENOMEM;
}

const char *byw_trace_accelsim_file(const struct byw_trace *trace, uint32_t number)
{
    const struct accelsim *t = (const struct accelsim *)trace;

    if (trace->ops->next_kernel != accelsim_next_kernel)
        return NULL;
    if (t->list != NULL && number-- == 0)
        return t->list;
    return number < t->entry_count ? t->entry[number].path : NULL;
}

enum byw_status byw_trace_accelsim_open(struct byw_source *source, struct byw_trace **trace,
                                        struct byw_diag *diag)
{
    static const struct byw_trace_ops ops = {"accelsim", accelsim_next_kernel, accelsim_next_cta,
                                             NULL,       accelsim_note,        accelsim_close};
    struct accelsim *t = calloc(1, sizeof(*t));
    const uint8_t *data;
    enum byw_status st;
    size_t size;

    if (t == NULL) {
        byw_source_close(source);
        return byw_no_memory(diag, "reading the trace");
    }
    t->trace.ops = &ops;
    byw_lines_open(&t->lines, source);
    st = byw_source_peek(source, 4096, &data, &size, diag);
    if (st == BYW_OK && byw_trace_accelsim_is_kernel(data, size))
        st = add_entry(t, byw_source_path(source));
    else if (st == BYW_OK)
        st = read_list(t, diag);
    if (st == BYW_ENOMEM)
        byw_no_memory(diag, "reading the trace");
    if (st != BYW_OK) {
        accelsim_close(&t->trace);
        return st;
    }
    *trace = &t->trace;
    return BYW_OK;
}
