/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "trace/bwt/byw_trace_bwt_machine.h"
#include "trace/bwt/byw_trace_bwt_write.h"
#include "trace/bwt/byw_trace_windows.h"

#define DEFAULT_LEVEL 9 /* a few percent slower than 6, and smaller for regular traces */
#define BLOCK_RAW_TARGET (1u << 20) /* a CTA block is closed when it reaches this size */

static void writer_free(struct byw_trace_writer *w)
{
    byw_bwt_press_free(w->press);
    byw_bwt_pack_free(w->pack);
    byw_bytes_release(&w->raw);
    byw_bytes_release(&w->stored);
    byw_bytes_release(&w->site_text);
    byw_intern_release(&w->sites);
    byw_intern_release(&w->machines);
    for (uint32_t i = 0; i < w->prefix_count; i++)
        byw_bytes_release(&w->prefix[i].raw);
    free(w->path);
    free(w);
}

static void put_file_header(struct byw_trace_writer *w)
{
    struct byw_bytes head = {.data = NULL};

    byw_bytes_put(&head, BYW_BWT_MAGIC, BYW_BWT_MAGIC_BYTES);
    byw_bytes_put_u32(&head, w->machine ? BYW_BWT_VERSION_MACHINE : BYW_BWT_VERSION);
    if (!head.failed)
        byw_bytes_put_u32(&head, (uint32_t)XXH64(head.data, head.size, 0));
    w->failed = head.failed;
    if (!head.failed)
        w->bytes = fwrite(head.data, 1, head.size, byw_file_stream(w->file));
    byw_bytes_release(&head);
}

static enum byw_status create(const char *path, int level, bool machine,
                              struct byw_trace_writer **writer, struct byw_diag *diag)
{
    struct byw_trace_writer *w = calloc(1, sizeof(*w));
    enum byw_status st;

    if (level == 0)
        level = DEFAULT_LEVEL;
    if (w != NULL) {
        w->path = strdup(path);
        w->machine = machine;
        w->pack = byw_bwt_pack_create(true, machine);
        w->press = byw_bwt_press_create(level);
    }
    if (w == NULL || w->path == NULL || w->pack == NULL || w->press == NULL) {
        if (w != NULL)
            writer_free(w);
        return byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory while writing the trace", path);
    }
    if (level < ZSTD_minCLevel() || level > ZSTD_maxCLevel()) {
        writer_free(w);
        return byw_diag_set(diag, BYW_EINVAL, "%s: compression level %d; expected %d to %d", path,
                            level, ZSTD_minCLevel(), ZSTD_maxCLevel());
    }
    st = byw_file_create(path, &w->file, diag);
    if (st != BYW_OK) {
        writer_free(w);
        return st;
    }
    /* Unbuffered: a forked child must not write buffered data again when it exits. */
    setvbuf(byw_file_stream(w->file), NULL, _IONBF, 0);
    put_file_header(w);
    *writer = w;
    return BYW_OK;
}

enum byw_status byw_trace_create(const char *path, int level, struct byw_trace_writer **writer,
                                 struct byw_diag *diag)
{
    return create(path, level, false, writer, diag);
}

enum byw_status byw_trace_create_machine(const char *path, int level,
                                         struct byw_trace_writer **writer, struct byw_diag *diag)
{
    return create(path, level, true, writer, diag);
}

/* --- parts of long CTAs: P blocks --------------------------------------------------------- */

/* Number of records from `first` on, up to `count`, that take at most `room` bytes; at least one.
 * *bytes: their size. */
static uint32_t fitting(const struct byw_inst *first, uint32_t count, uint64_t room,
                        uint64_t *bytes)
{
    uint32_t n = 0;

    *bytes = 0;
    while (n < count) {
        uint64_t more = byw_inst_bytes(&first[n]);

        if (n != 0 && *bytes + more > room)
            break;
        *bytes += more;
        n++;
    }
    return n;
}

/* Writes a part that is not too large. */
static enum byw_status put(struct byw_trace_writer *w, const struct byw_cta *part,
                           uint32_t first_warp, bool last, struct byw_diag *diag)
{
    struct byw_bytes content = {.data = NULL};
    struct byw_diag why = {.text = ""};
    enum byw_status st = byw_bwt_pack_add(w->pack, part, &why);

    if (st != BYW_OK)
        return byw_bwt_write_fail(w, st, why.text, diag);
    st = byw_bwt_pack_finish(w->pack, &content);
    w->raw.size = 0;
    byw_bytes_put_number(&w->raw, first_warp);
    byw_bytes_put_number(&w->raw, w->part.warps);
    byw_bytes_put(&w->raw, content.data, content.size);
    byw_bytes_release(&content);
    if (st != BYW_OK)
        return byw_bwt_write_no_memory(w, diag);
    st = byw_bwt_write_records(w, BYW_BWT_PART, last, diag);
    byw_bwt_pack_clear(w->pack, &w->kernel);
    return st;
}

static enum byw_status close_part(struct byw_trace_writer *w, struct byw_diag *diag)
{
    struct byw_cta none = {.inst = NULL};

    if (!w->part.open)
        return BYW_OK;
    w->part.open = false;
    memcpy(none.id, w->part.id, sizeof(none.id));
    return put(w, &none, 0, true, diag);
}

/* Splits a part into parts of at most BYW_PART_BYTES. */
static enum byw_status cut(struct byw_trace_writer *w, const struct byw_cta *part,
                           uint32_t first_warp, bool last, struct byw_diag *diag)
{
    struct byw_warp_trace *warp = calloc((size_t)part->warp_count + 1, sizeof(*warp));
    struct byw_cta view = *part;
    uint64_t sum = 0, bytes;
    uint32_t from = 0, done = 0; /* first warp of the view; records before it */
    enum byw_status st = BYW_OK;

    if (warp == NULL)
        return byw_bwt_write_no_memory(w, diag);
    view.warp = warp;
    view.warp_count = view.inst_count = view.path_count = 0;
    for (uint32_t i = 0; i < part->warp_count && st == BYW_OK; i++) {
        uint32_t left = part->warp[i].count;

        do {
            uint32_t n = fitting(part->inst + done + view.inst_count, left,
                                 sum < BYW_PART_BYTES ? BYW_PART_BYTES - sum : 0, &bytes);

            warp[view.warp_count++] = (struct byw_warp_trace){
                .first = view.inst_count, .count = n, .why = BYW_PATH_PARTS};
            view.inst_count += n;
            sum += bytes;
            left -= n;
            if (left == 0)
                break;
            st = put(w, &view, first_warp + from, false, diag);
            done += view.inst_count;
            view.inst = part->inst + done;
            view.warp_count = view.inst_count = 0;
            sum = 0;
            from = i;
        } while (st == BYW_OK);
    }
    if (st == BYW_OK)
        st = put(w, &view, first_warp + from, last, diag);
    free(warp);
    return st;
}

/* The fault in a part; NULL if there is none. */
static const char *part_fault(const struct byw_trace_writer *w, const struct byw_cta *part,
                              uint32_t first_warp, uint32_t warps)
{
    uint32_t expected = 0;

    if (w->part.open && w->part.warps != warps)
        return "a part whose CTA has a different number of warps";
    if (warps == 0 || warps > BYW_BWT_CTA_WARP_MAX || part->warp_count > warps ||
        first_warp > warps - part->warp_count)
        return "a part has more warps than its CTA";
    for (uint32_t i = 0; i < part->warp_count; i++) {
        if (part->warp[i].first != expected || part->warp[i].count > part->inst_count - expected)
            return "its warps' records are not consecutive";
        expected += part->warp[i].count;
    }
    return expected == part->inst_count ? NULL : "it has records that belong to no warp";
}

/* --- launches and CTAs -------------------------------------------------------------------- */

static enum byw_status flush(struct byw_trace_writer *w, struct byw_diag *diag)
{
    uint32_t ctas = byw_bwt_pack_ctas(w->pack);
    enum byw_status st = close_part(w, diag);

    if (st != BYW_OK || ctas == 0)
        return st;
    st = byw_bwt_pack_finish(w->pack, &w->raw);
    if (st == BYW_EINVAL)
        return byw_bwt_write_fail(w, st, "one CTA needs more than 128 MB", diag);
    if (st != BYW_OK)
        return byw_bwt_write_no_memory(w, diag);
    st = byw_bwt_write_records(w, BYW_BWT_CTAS, ctas, diag);
    byw_bwt_pack_clear(w->pack, &w->kernel);
    if (st == BYW_OK)
        byw_bwt_write_seal(w, false);
    return st;
}

enum byw_status byw_trace_flush(struct byw_trace_writer *writer, bool complete,
                                struct byw_diag *diag)
{
    enum byw_status st = writer->in_kernel ? flush(writer, diag) : BYW_OK;

    if (st == BYW_OK && !writer->failed)
        byw_bwt_write_seal(writer, complete);
    return st;
}

static bool put_sites(struct byw_trace_writer *w, const struct byw_kernel *kernel)
{
    struct byw_bytes *text = &w->site_text;
    uint32_t number;
    bool is_new;

    if (kernel->site_count == 0 || kernel->site == NULL) {
        byw_bytes_put_number(&w->raw, 0);
        return true;
    }
    text->size = 0;
    byw_bytes_put_number(text, kernel->site_count);
    for (uint32_t i = 0; i < kernel->site_count; i++) {
        const struct byw_site *site = &kernel->site[i];

        byw_bytes_put_number(text, site->pc);
        byw_bytes_put_number(text, site->line);
        byw_bytes_put_number(text, site->block);
        byw_bytes_put_number(text, byw_zigzag((uint64_t)(int64_t)site->argument));
        byw_bytes_put_u8(text, (uint8_t)(site->cls | site->flags << BYW_BWT_FLAG_SHIFT));
        byw_bytes_put_u8(text, site->width);
    }
    if (text->failed || !byw_intern_add(&w->sites, text->data, text->size, &number, &is_new))
        return false;
    byw_bytes_put_number(&w->raw, is_new ? 1 : 2 + (uint64_t)number);
    if (is_new) {
        byw_bytes_put(&w->raw, text->data, text->size);
        w->site_total += kernel->site_count;
    }
    return true;
}

/* The launch's machine code, or why there is none. */
static bool put_machine(struct byw_trace_writer *w, const struct byw_kernel *kernel)
{
    struct byw_bytes *text = &w->site_text;
    size_t length = kernel->machine_why == NULL ? 0 : strnlen(kernel->machine_why, BYW_BWT_WHY_MAX);
    uint32_t number;
    bool is_new;

    if (kernel->machine == NULL) {
        byw_bytes_put_number(&w->raw, 0);
        byw_bytes_put_u8(&w->raw, (uint8_t)length);
        byw_bytes_put(&w->raw, kernel->machine_why, length);
        return true;
    }
    text->size = 0;
    byw_bwt_machine_put(text, kernel);
    if (text->failed || !byw_intern_add(&w->machines, text->data, text->size, &number, &is_new))
        return false;
    byw_bytes_put_number(&w->raw, is_new ? 1 : 2 + (uint64_t)number);
    if (is_new) {
        byw_bytes_put(&w->raw, text->data, text->size);
        w->machine_total += kernel->machine->count;
    }
    return true;
}

/* A number of registers as the trace keeps it, in 16 bits. */
static uint32_t saturated(uint32_t registers)
{
    return registers < UINT16_MAX ? registers : UINT16_MAX;
}

enum byw_status byw_trace_kernel(struct byw_trace_writer *writer, const struct byw_kernel *kernel,
                                 struct byw_diag *diag)
{
    struct byw_trace_writer *w = writer;
    const char *fault = byw_trace_kernel_fault(kernel);
    size_t length = strnlen(kernel->name, sizeof(kernel->name) - 1);
    enum byw_status st;

    if (w->failed)
        return byw_bwt_write_fail(w, BYW_EIO, "an earlier write failed", diag);
    if (fault != NULL || w->launches >= UINT32_MAX)
        return byw_bwt_write_fail(w, BYW_EINVAL, fault != NULL ? fault : "too many launches", diag);
    st = w->in_kernel ? flush(w, diag) : BYW_OK;
    if (st != BYW_OK)
        return st;
    w->raw.size = 0;
    byw_bytes_put_u8(&w->raw, (uint8_t)length);
    byw_bytes_put(&w->raw, kernel->name, length);
    byw_bytes_put_number(&w->raw, kernel->code);
    for (unsigned d = 0; d < 3; d++)
        byw_bytes_put_number(&w->raw, kernel->grid[d]);
    for (unsigned d = 0; d < 3; d++)
        byw_bytes_put_number(&w->raw, kernel->block[d]);
    byw_bytes_put_number(&w->raw, kernel->shared_bytes);
    byw_bytes_put_number(&w->raw, saturated(kernel->registers) |
                                      saturated(kernel->compiled_registers) << 16);
    byw_bytes_put_number(&w->raw, kernel->warp_size);
    if (!put_sites(w, kernel) || (w->machine && !put_machine(w, kernel)))
        return byw_bwt_write_no_memory(w, diag);
    if (w->machine_total > BYW_BWT_MACHINE_MAX)
        return byw_bwt_write_fail(w, BYW_EINVAL,
                                  "the trace has more than 2^20 machine instructions", diag);
    if (w->site_total > BYW_SITES_MAX)
        return byw_bwt_write_fail(w, BYW_EINVAL, "the trace has more than 2^20 static accesses",
                                  diag);
    st = byw_bwt_write_block(w, BYW_BWT_KERNEL, (uint32_t)w->launches, NULL, diag);
    if (st != BYW_OK)
        return st;
    w->kernel = *kernel;
    w->kernel.site = NULL;
    w->kernel.machine = NULL;
    w->kernel.site_number = NULL;
    w->kernel.machine_why = NULL;
    w->launches++;
    w->earlier_ctas = w->ctas;
    w->in_kernel = true;
    w->first_block = true;
    byw_bwt_pack_clear(w->pack, kernel);
    return BYW_OK;
}

enum byw_status byw_trace_cta_part(struct byw_trace_writer *writer, const struct byw_cta *part,
                                   uint32_t first_warp, uint32_t warps, bool last,
                                   struct byw_diag *diag)
{
    struct byw_trace_writer *w = writer;
    const char *fault = part_fault(w, part, first_warp, warps);
    enum byw_status st = BYW_OK;

    if (w->failed)
        return byw_bwt_write_fail(w, BYW_EIO, "an earlier write failed", diag);
    if (!w->in_kernel)
        return byw_bwt_write_fail(w, BYW_EINVAL, "a CTA before the first launch", diag);
    if (fault != NULL)
        return byw_bwt_write_fail(w, BYW_EINVAL, fault, diag);
    if (!w->part.open || memcmp(w->part.id, part->id, sizeof(part->id)) != 0) {
        st = flush(w, diag);
        w->part = (struct byw_bwt_write_long){.open = true, .warps = warps};
        memcpy(w->part.id, part->id, sizeof(part->id));
        w->ctas++;
    }
    w->records += part->inst_count;
    for (uint32_t i = 0; i < part->inst_count; i++)
        w->instructions += part->inst[i].count;
    if (st == BYW_OK)
        st = cut(w, part, first_warp, last, diag);
    w->part.open = !last;
    if (st == BYW_OK && last)
        byw_bwt_write_seal(w, false);
    return st;
}

enum byw_status byw_trace_cta(struct byw_trace_writer *writer, const struct byw_cta *cta,
                              struct byw_diag *diag)
{
    struct byw_trace_writer *w = writer;
    struct byw_diag why = {.text = ""};
    enum byw_status st;

    if (w->failed)
        return byw_bwt_write_fail(w, BYW_EIO, "an earlier write failed", diag);
    if (!w->in_kernel)
        return byw_bwt_write_fail(w, BYW_EINVAL, "a CTA before the first launch", diag);
    if (byw_cta_bytes(cta) > BYW_PART_BYTES)
        return byw_trace_cta_part(w, cta, 0, cta->warp_count, true, diag);
    st = close_part(w, diag);
    if (st != BYW_OK)
        return st;
    st = byw_bwt_pack_add(w->pack, cta, &why);
    if (st != BYW_OK)
        return byw_bwt_write_fail(w, st, why.text, diag);
    w->ctas++;
    w->records += cta->inst_count;
    for (uint32_t i = 0; i < cta->inst_count; i++)
        w->instructions += cta->inst[i].count;
    if (byw_bwt_pack_bytes(w->pack) >= BLOCK_RAW_TARGET)
        return flush(w, diag);
    return BYW_OK;
}

enum byw_status byw_trace_finish(struct byw_trace_writer *writer, struct byw_diag *diag)
{
    struct byw_trace_writer *w = writer;
    enum byw_status st = BYW_OK;

    if (w->failed)
        st = byw_bwt_write_fail(w, BYW_EIO, "an earlier write failed", diag);
    if (st == BYW_OK && w->in_kernel)
        st = flush(w, diag);
    if (st == BYW_OK) {
        w->raw.size = 0;
        byw_bytes_put_u64(&w->raw, w->launches);
        byw_bytes_put_u64(&w->raw, w->ctas);
        byw_bytes_put_u64(&w->raw, w->records);
        byw_bytes_put_u64(&w->raw, w->instructions);
        st = byw_bwt_write_block(w, BYW_BWT_END, 0, NULL, diag);
    }
    if (st == BYW_OK)
        st = byw_file_commit(w->file, diag);
    else
        byw_file_discard(w->file);
    writer_free(w);
    return st;
}

void byw_trace_abandon(struct byw_trace_writer *writer)
{
    if (writer == NULL)
        return;
    byw_file_discard(writer->file);
    writer_free(writer);
}
