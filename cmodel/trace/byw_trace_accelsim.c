/* SPDX-License-Identifier: Apache-2.0
 *
 * Reader of Accel-Sim traces: kernelslist.g with its kernel files, or one kernel file.  A kernel
 * file is a header of `-key = value` lines and then, for each CTA,
 *
 *     #BEGIN_TB / thread block = x,y,z / { warp = n / insts = n / n instruction lines } / #END_TB
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "trace/byw_trace_bwt.h"
#include "trace/byw_trace_format.h"
#include "trace/byw_traceg.h"

#define LAUNCHES_MAX (1u << 20)

struct entry {
    char *path;
};

struct accelsim {
    struct byw_trace trace;
    struct entry *entry; /* kernel files in launch order */
    uint32_t entry_count, entry_room, next_entry;
    struct byw_source *source; /* the kernel file being read, or NULL */
    uint64_t line_number;
    size_t line_bytes; /* of the line in hand, taken from the source before the next */
    bool in_cta; /* #BEGIN_TB is read, #END_TB is not */
    uint64_t ctas; /* of this launch so far */
    uint32_t version;
    struct byw_kernel kernel;
    struct byw_intern names; /* kernel names; the number is byw_kernel.code */
    struct byw_traceg parser;
    uint64_t file_bytes;
};

struct line {
    const char *text;
    size_t length;
};

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static enum byw_status
expected(const struct accelsim *t, struct byw_diag *diag, const char *format, ...)
{
    char what[256];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    return byw_diag_set(diag, BYW_EFORMAT, "%s:%llu: %s", byw_source_path(t->source),
                        (unsigned long long)t->line_number, what);
}

/* The next line without its newline; BYW_END at the end of the file. */
static enum byw_status next_line(struct accelsim *t, struct line *line, struct byw_diag *diag)
{
    const uint8_t *data, *newline;
    size_t size, need = 1;
    enum byw_status st;

    byw_source_take(t->source, t->line_bytes);
    t->line_bytes = 0;
    for (;;) {
        st = byw_source_peek(t->source, need, &data, &size, diag);
        if (st != BYW_OK)
            return st;
        newline = (size != 0) ? memchr(data, '\n', size) : NULL;
        if (newline != NULL || size < need)
            break;
        if (size == BYW_SOURCE_WINDOW)
            return expected(t, diag, "expected a line shorter than 256 KB");
        need = size + 1;
    }
    if (size == 0)
        return BYW_END;
    t->line_number++;
    line->text = (const char *)data;
    line->length = (newline != NULL) ? (size_t)(newline - data) : size;
    t->line_bytes = line->length + (newline != NULL);
    while (line->length > 0 &&
           (line->text[line->length - 1] == '\r' || line->text[line->length - 1] == ' '))
        line->length--;
    return BYW_OK;
}

/* If the line starts with `word`, steps over it. */
static bool starts(const struct line *line, const char *word, struct byw_scan *rest)
{
    size_t length = strlen(word);

    if (line->length < length || memcmp(line->text, word, length) != 0)
        return false;
    *rest = (struct byw_scan){.at = line->text + length, .end = line->text + line->length};
    return true;
}

static bool scan_triple(struct byw_scan *scan, uint32_t value[3])
{
    for (unsigned d = 0; d < 3; d++) {
        while (scan->at < scan->end && strchr(" (,", *scan->at) != NULL)
            scan->at++;
        if (!byw_scan_u32(scan, &value[d]))
            return false;
    }
    return true;
}

static enum byw_status set_name(struct accelsim *t, struct byw_scan rest, struct byw_diag *diag)
{
    size_t length = (size_t)(rest.end - rest.at), cut;
    bool is_new;

    if (length == 0 || memchr(rest.at, '\0', length) != NULL)
        return expected(t, diag, "expected the kernel's name");
    cut = length < sizeof(t->kernel.name) ? length : sizeof(t->kernel.name) - 1;
    memcpy(t->kernel.name, rest.at, cut);
    t->kernel.name[cut] = '\0';
    if (!byw_intern_add(&t->names, rest.at, length, &t->kernel.code, &is_new))
        return BYW_ENOMEM;
    return BYW_OK;
}

/* One `-key = value` line; keys that say nothing to a simulator are passed over. */
static enum byw_status header_line(struct accelsim *t, const struct line *line,
                                   struct byw_diag *diag)
{
    struct byw_kernel *k = &t->kernel;
    struct byw_scan rest;
    uint32_t flag = 0;

    if (starts(line, "-kernel name = ", &rest))
        return set_name(t, rest, diag);
    if (starts(line, "-grid dim = ", &rest) && !scan_triple(&rest, k->grid))
        return expected(t, diag, "expected -grid dim = (x,y,z)");
    if (starts(line, "-block dim = ", &rest) && !scan_triple(&rest, k->block))
        return expected(t, diag, "expected -block dim = (x,y,z)");
    if (starts(line, "-shmem = ", &rest) && !byw_scan_u32(&rest, &k->shared_bytes))
        return expected(t, diag, "expected -shmem = and a number of bytes");
    if (starts(line, "-nregs = ", &rest) && !byw_scan_u32(&rest, &k->registers))
        return expected(t, diag, "expected -nregs = and a number of registers");
    if (starts(line, "-shmem base_addr = ", &rest) && !byw_scan_hex(&rest, &t->parser.shared_base))
        return expected(t, diag, "expected -shmem base_addr = and an address in hex");
    if (starts(line, "-local mem base_addr = ", &rest) &&
        !byw_scan_hex(&rest, &t->parser.local_base))
        return expected(t, diag, "expected -local mem base_addr = and an address in hex");
    if (starts(line, "-accelsim tracer version = ", &rest) &&
        (!byw_scan_u32(&rest, &t->version) || t->version > 5))
        return expected(t, diag, "expected -accelsim tracer version = 0 to 5");
    if (starts(line, "-enable lineinfo = ", &rest)) {
        if (!byw_scan_u32(&rest, &flag) || flag > 1)
            return expected(t, diag, "expected -enable lineinfo = 0 or 1");
        t->parser.line_info = flag == 1;
    }
    return BYW_OK;
}

static void close_kernel(struct accelsim *t)
{
    byw_source_close(t->source);
    t->source = NULL;
    t->line_bytes = 0;
    t->line_number = 0;
    t->in_cta = false;
}

static enum byw_status read_header(struct accelsim *t, struct byw_diag *diag)
{
    struct byw_kernel *k = &t->kernel;
    const char *fault;
    struct byw_scan rest;
    struct line line;
    enum byw_status st;

    *k = (struct byw_kernel){.launch = t->next_entry - 1, .warp_size = BYW_TRACEG_LANES};
    t->version = 0; /* the first tracers wrote none */
    t->parser.line_info = false;
    t->parser.shared_base = t->parser.local_base = 0;
    for (;;) {
        st = next_line(t, &line, diag);
        if (st == BYW_END)
            return expected(t, diag, "the file ends in the header; expected #BEGIN_TB");
        if (st != BYW_OK)
            return st;
        if (starts(&line, "#BEGIN_TB", &rest))
            break;
        if (line.length == 0 || line.text[0] == '#')
            continue;
        if (line.text[0] != '-')
            return expected(t, diag, "expected a header line (-key = value) or #BEGIN_TB");
        st = header_line(t, &line, diag);
        if (st != BYW_OK)
            return st;
    }
    t->in_cta = true;
    t->ctas = 0;
    t->parser.prefix = t->version < 3;
    if (k->name[0] == '\0')
        return expected(t, diag, "expected -kernel name = in the header above");
    fault = byw_trace_kernel_fault(k);
    if (fault != NULL)
        return expected(t, diag, "expected -grid dim and -block dim in the header above, but %s",
                        fault);
    return BYW_OK;
}

static enum byw_status accelsim_next_kernel(struct byw_trace *trace,
                                            const struct byw_kernel **kernel, struct byw_diag *diag)
{
    struct accelsim *t = (struct accelsim *)trace;
    enum byw_status st;

    close_kernel(t);
    if (t->next_entry == t->entry_count)
        return BYW_END;
    st = byw_source_open(t->entry[t->next_entry].path, &t->source, diag);
    if (st != BYW_OK)
        return st;
    t->next_entry++;
    t->file_bytes += byw_source_file_bytes(t->source);
    *kernel = &t->kernel;
    return read_header(t, diag);
}

static enum byw_status read_cta_id(struct accelsim *t, struct byw_scan rest, struct byw_cta *cta,
                                   struct byw_diag *diag)
{
    const uint32_t *grid = t->kernel.grid;

    if (!scan_triple(&rest, cta->id))
        return expected(t, diag, "expected thread block = x,y,z");
    if (cta->id[0] >= grid[0] || cta->id[1] >= grid[1] || cta->id[2] >= grid[2])
        return expected(t, diag, "expected a CTA inside the grid %u,%u,%u", grid[0], grid[1],
                        grid[2]);
    return BYW_OK;
}

/* Warps come in rising order; those that executed nothing may be left out. */
static enum byw_status start_warp(struct accelsim *t, struct byw_scan rest, struct byw_cta *cta,
                                  struct byw_diag *diag)
{
    const uint32_t *block = t->kernel.block;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    uint64_t warps = (threads + BYW_TRACEG_LANES - 1) / BYW_TRACEG_LANES;
    uint32_t number;

    if (!byw_scan_u32(&rest, &number) || number < cta->warp_count || number >= warps)
        return expected(t, diag, "expected warp = %u to %llu", cta->warp_count,
                        (unsigned long long)warps - 1);
    while (cta->warp_count <= number) {
        if (byw_cta_add_warp(cta) == NULL)
            return BYW_ENOMEM;
    }
    byw_traceg_start_warp(&t->parser);
    return BYW_OK;
}

/* The instruction lines of one warp: the hot loop of text reading. */
static enum byw_status read_insts(struct accelsim *t, uint32_t count, struct byw_cta *cta,
                                  struct byw_diag *diag)
{
    struct line line;

    for (uint32_t i = 0; i < count; i++) {
        const char *fault;
        enum byw_status st = next_line(t, &line, diag);

        if (st == BYW_END || (st == BYW_OK && line.length == 0)) {
            return expected(t, diag, "expected %u more instructions of this warp", count - i);
        }
        if (st != BYW_OK)
            return st;
        if (cta->inst_count >= BYW_BWT_CTA_INST_MAX)
            return expected(t, diag, "expected a CTA of at most 2^24 warp instructions");
        if (cta->addr_count > BYW_BWT_CTA_ADDR_MAX - BYW_TRACEG_LANES)
            return expected(t, diag, "expected a CTA of at most 2^25 irregular addresses");
        fault = byw_traceg_line(&t->parser, line.text, line.length, cta);
        if (fault != NULL)
            return expected(t, diag, "%s", fault);
    }
    return BYW_OK;
}

/* Positions the reader behind the next #BEGIN_TB; BYW_END at a clean end of the launch. */
static enum byw_status find_cta(struct accelsim *t, struct byw_diag *diag)
{
    const uint32_t *g = t->kernel.grid;
    struct byw_scan rest;
    struct line line;

    while (!t->in_cta) {
        enum byw_status st = next_line(t, &line, diag);

        if (st == BYW_END && t->ctas != (uint64_t)g[0] * g[1] * g[2])
            return expected(t, diag,
                            "the file ends after %llu CTAs; expected the grid's %u x %u x %u",
                            (unsigned long long)t->ctas, g[0], g[1], g[2]);
        if (st != BYW_OK)
            return st;
        if (starts(&line, "#BEGIN_TB", &rest))
            t->in_cta = true;
        else if (line.length != 0 && line.text[0] != '#')
            return expected(t, diag, "expected #BEGIN_TB or the end of the file");
    }
    if (t->ctas == (uint64_t)g[0] * g[1] * g[2])
        return expected(t, diag, "expected no more CTAs than the grid's %u x %u x %u", g[0], g[1],
                        g[2]);
    return BYW_OK;
}

static enum byw_status cta_line(struct accelsim *t, const struct line *line, struct byw_cta *cta,
                                bool *have_id, struct byw_diag *diag)
{
    struct byw_scan rest;
    uint32_t count;

    if (line->length == 0 || line->text[0] == '#')
        return BYW_OK;
    if (!*have_id) {
        if (!starts(line, "thread block = ", &rest))
            return expected(t, diag, "expected thread block = x,y,z");
        *have_id = true;
        return read_cta_id(t, rest, cta, diag);
    }
    if (starts(line, "warp = ", &rest))
        return start_warp(t, rest, cta, diag);
    if (cta->warp_count != 0 && t->parser.position == 0 && starts(line, "insts = ", &rest)) {
        if (!byw_scan_u32(&rest, &count))
            return expected(t, diag, "expected insts = and a number");
        return read_insts(t, count, cta, diag);
    }
    return expected(t, diag, "expected warp = n, its insts = n, or #END_TB");
}

static enum byw_status accelsim_next_cta(struct byw_trace *trace, struct byw_cta *cta,
                                         struct byw_diag *diag)
{
    struct accelsim *t = (struct accelsim *)trace;
    bool have_id = false;
    struct byw_scan rest;
    struct line line;
    enum byw_status st;

    byw_cta_clear(cta);
    if (t->source == NULL)
        return BYW_END;
    st = find_cta(t, diag);
    if (st != BYW_OK)
        return st;
    for (;;) {
        st = next_line(t, &line, diag);
        if (st == BYW_END)
            return expected(t, diag, "the file ends inside a CTA; expected #END_TB");
        if (st != BYW_OK)
            return st;
        if (starts(&line, "#END_TB", &rest))
            break;
        if (starts(&line, "#BEGIN_TB", &rest))
            return expected(t, diag, "expected #END_TB before the next CTA");
        st = cta_line(t, &line, cta, &have_id, diag);
        if (st != BYW_OK)
            return st;
    }
    if (!have_id)
        return expected(t, diag, "expected thread block = x,y,z before #END_TB");
    t->in_cta = false;
    t->ctas++;
    return BYW_OK;
}

static void accelsim_note(const struct byw_trace *trace, struct byw_trace_note *note)
{
    const struct accelsim *t = (const struct accelsim *)trace;

    note->unknown_opcodes = t->parser.unknown;
    memcpy(note->first_opcode, t->parser.first_unknown, sizeof(note->first_opcode));
    note->file_bytes = t->file_bytes;
}

static void accelsim_close(struct byw_trace *trace)
{
    struct accelsim *t = (struct accelsim *)trace;

    close_kernel(t);
    for (uint32_t i = 0; i < t->entry_count; i++)
        free(t->entry[i].path);
    free(t->entry);
    byw_intern_release(&t->names);
    byw_traceg_release(&t->parser);
    free(t);
}

static enum byw_status add_entry(struct accelsim *t, const char *path)
{
    char *copy;

    if (t->entry_count == t->entry_room) {
        uint32_t room = t->entry_room * 2 + 16;
        struct entry *moved = realloc(t->entry, room * sizeof(*moved));

        if (moved == NULL)
            return BYW_ENOMEM;
        t->entry = moved;
        t->entry_room = room;
    }
    copy = strdup(path);
    if (copy == NULL)
        return BYW_ENOMEM;
    t->entry[t->entry_count++].path = copy;
    return BYW_OK;
}

/* Finds the file that a list line names: beside the list, as written, or with a compression's
 * suffix added or taken away (lists are often written before their files are compressed). */
static bool find_file(const char *list, const struct line *name, char *path, size_t room)
{
    static const char *const suffix[] = {"", ".xz", ".zst"};
    const char *slash = strrchr(list, '/');
    int folder = (slash != NULL && name->text[0] != '/') ? (int)(slash - list + 1) : 0;
    size_t length = name->length;
    struct stat info;

    for (unsigned i = 0; i < 6; i++) {
        const char *tail = suffix[i % 3];

        if (i == 3) {
            const char *dot = memrchr(name->text, '.', length);

            if (dot == NULL)
                return false;
            length = (size_t)(dot - name->text);
        }
        if ((size_t)snprintf(path, room, "%.*s%.*s%s", folder, list, (int)length, name->text,
                             tail) < room &&
            stat(path, &info) == 0 && S_ISREG(info.st_mode))
            return true;
    }
    return false;
}

/* Reads the whole list before the first launch, so that a missing file is reported at once. */
static enum byw_status read_list(struct accelsim *t, struct byw_diag *diag)
{
    char path[4096];
    struct byw_scan rest;
    struct line line;
    enum byw_status st;

    while ((st = next_line(t, &line, diag)) == BYW_OK) {
        if (line.length == 0 || line.text[0] == '#' || starts(&line, "Memcpy", &rest) ||
            starts(&line, "nccl", &rest))
            continue;
        if (memmem(line.text, line.length, ".traceg", 7) == NULL || line.length >= 2048)
            return expected(t, diag, "expected a kernel file (kernel-N.traceg) or a Memcpy line");
        if (t->entry_count == LAUNCHES_MAX)
            return expected(t, diag, "expected at most 2^20 launches");
        if (!find_file(byw_source_path(t->source), &line, path, sizeof(path)))
            return expected(t, diag, "expected the file %.*s beside the list, but it is missing",
                            (int)line.length, line.text);
        st = add_entry(t, path);
        if (st != BYW_OK)
            return st;
    }
    if (st != BYW_END)
        return st;
    if (t->entry_count == 0)
        return expected(t, diag, "expected at least one kernel file in the list");
    t->file_bytes = byw_source_file_bytes(t->source);
    close_kernel(t);
    return BYW_OK;
}

/* First line that is neither blank nor a comment. */
static struct line first_line(const uint8_t *data, size_t size)
{
    struct line line = {.text = (const char *)data};
    const char *end = line.text + size;

    while (line.text < end) {
        const char *newline = memchr(line.text, '\n', (size_t)(end - line.text));

        line.length = (size_t)((newline != NULL ? newline : end) - line.text);
        if (line.length > 0 && strchr("#\r", line.text[0]) == NULL)
            return line;
        line.text += line.length + (newline != NULL);
    }
    line.length = 0;
    return line;
}

static bool is_kernel_file(const uint8_t *data, size_t size)
{
    struct line line = first_line(data, size);

    return line.length > 0 && line.text[0] == '-';
}

bool byw_trace_accelsim_probe(const uint8_t *data, size_t size)
{
    struct line line = first_line(data, size);
    struct byw_scan rest;

    return line.length > 0 &&
           (line.text[0] == '-' || starts(&line, "Memcpy", &rest) || starts(&line, "nccl", &rest) ||
            memmem(line.text, line.length, ".traceg", 7) != NULL);
}

enum byw_status byw_trace_accelsim_open(struct byw_source *source, struct byw_trace **trace,
                                        struct byw_diag *diag)
{
    static const struct byw_trace_ops ops = {"accelsim", accelsim_next_kernel, accelsim_next_cta,
                                             accelsim_note, accelsim_close};
    struct accelsim *t = calloc(1, sizeof(*t));
    const uint8_t *data;
    enum byw_status st;
    size_t size;

    if (t == NULL) {
        byw_source_close(source);
        return byw_diag_set(diag, BYW_ENOMEM, "no memory to read the trace");
    }
    t->trace.ops = &ops;
    t->source = source;
    byw_traceg_init(&t->parser);
    st = byw_source_peek(source, 4096, &data, &size, diag);
    if (st == BYW_OK && is_kernel_file(data, size)) {
        st = add_entry(t, byw_source_path(source));
        close_kernel(t);
    } else if (st == BYW_OK) {
        st = read_list(t, diag);
    }
    if (st == BYW_ENOMEM)
        byw_diag_set(diag, st, "no memory to read the trace");
    if (st != BYW_OK) {
        accelsim_close(&t->trace);
        return st;
    }
    *trace = &t->trace;
    return BYW_OK;
}
