/* SPDX-License-Identifier: Apache-2.0
 *
 * Seals: how a BWT file can be ended before its writer finishes.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "trace/bwt/byw_trace_bwt_write.h"

enum { TOTALS_BYTES = BYW_TRACE_END_BYTES - BYW_BWT_BLOCK_BYTES };

static void put_u64(unsigned char *to, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

void byw_bwt_write_seal(const struct byw_trace_writer *w, bool complete)
{
    struct byw_trace_seal seal = {.bytes = w->bytes,
                                  .launches = w->launches,
                                  .ctas = w->ctas,
                                  .last_ctas = w->ctas - w->earlier_ctas,
                                  .complete = complete};
    unsigned char *totals = seal.end + BYW_BWT_BLOCK_BYTES;
    struct byw_bwt_block block = {
        .type = BYW_BWT_END, .sequence = w->sequence, .stored = TOTALS_BYTES, .raw = TOTALS_BYTES};

    if (w->sealed == NULL)
        return;
    put_u64(totals, w->launches);
    put_u64(totals + 8, w->ctas);
    put_u64(totals + 16, w->records);
    put_u64(totals + 24, w->instructions);
    block.hash = XXH64(totals, TOTALS_BYTES, 0);
    byw_bwt_block_put(&block, seal.end);
    w->sealed(w->seal_context, &seal);
}

void byw_trace_on_seal(struct byw_trace_writer *writer,
                       void (*sealed)(void *context, const struct byw_trace_seal *seal),
                       void *context)
{
    writer->sealed = sealed;
    writer->seal_context = context;
}

int byw_trace_descriptor(const struct byw_trace_writer *writer)
{
    int fd = fileno(byw_file_stream(writer->file));
    struct stat info;

    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? fd : -1;
}

enum byw_status byw_trace_end_at(int fd, const struct byw_trace_seal *seal, const char *path,
                                 struct byw_diag *diag)
{
    struct byw_file *file;
    enum byw_status st;

    if (ftruncate(fd, (off_t)seal->bytes) != 0 ||
        pwrite(fd, seal->end, sizeof(seal->end), (off_t)seal->bytes) != (ssize_t)sizeof(seal->end))
        return byw_diag_set(diag, BYW_EIO, "%s: the end of the trace cannot be written (%s)", path,
                            strerror(errno));
    st = byw_file_adopt(path, fd, &file, diag);
    return st == BYW_OK ? byw_file_commit(file, diag) : st;
}
