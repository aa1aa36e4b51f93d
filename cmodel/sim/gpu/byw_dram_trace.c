/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/gpu/byw_dram_trace.h"

#include <inttypes.h>
#include <string.h>

#include "common/byw_file.h"

static const char *const formats[] = {"ramulator", "dramsim", NULL};

struct dram_trace {
    FILE *out;
    uint32_t atom_bytes;
    bool dramsim;
};

const char *const *byw_dram_trace_formats(void)
{
    return formats;
}

static void write_request(void *ctx, uint64_t dram_cycle, uint64_t addr, uint32_t bytes, bool write)
{
    const struct dram_trace *t = ctx;

    for (uint64_t at = addr; at < addr + bytes; at += t->atom_bytes) {
        if (t->dramsim)
            fprintf(t->out, "0x%" PRIx64 " %s %" PRIu64 "\n", at, write ? "WRITE" : "READ",
                    dram_cycle);
        else
            fprintf(t->out, "%s 0x%" PRIx64 "\n", write ? "ST" : "LD", at);
    }
}

static enum byw_status simulate(const char *from, struct dram_trace *t,
                                const struct byw_dram_trace_options *options, struct byw_diag *diag)
{
    const struct byw_mem_observer observer = {.request = write_request, .ctx = t};
    const struct byw_gpu_options gpu = {.progress = options->progress,
                                        .progress_ctx = options->progress_ctx,
                                        .dram = &observer,
                                        .stop = options->stop};
    struct byw_gpu_result *result = NULL;
    struct byw_trace *trace;
    enum byw_status st = byw_trace_open(from, &trace, diag);

    if (st != BYW_OK)
        return st;
    st = byw_gpu_run(options->config, trace, &gpu, &result, diag);
    byw_trace_close(trace);
    if (st == BYW_OK && result->partial)
        st = byw_diag_set(diag, BYW_EINVAL, "%s: interrupted; no file was written", from);
    byw_gpu_result_free(result);
    return st;
}

enum byw_status byw_dram_trace_write(const char *from, const char *to, const char *format,
                                     const struct byw_dram_trace_options *options,
                                     struct byw_diag *diag)
{
    struct dram_trace t = {.atom_bytes = options->config->dram_atom};
    struct byw_file *file;
    enum byw_status st;

    t.dramsim = strcmp(format, "dramsim") == 0;
    if (!t.dramsim && strcmp(format, "ramulator") != 0)
        return byw_diag_set(diag, BYW_ENOENT,
                            "%s: no such DRAM trace format; expected ramulator or dramsim", format);
    st = byw_file_create(to, &file, diag);
    if (st != BYW_OK)
        return st;
    t.out = byw_file_stream(file);
    st = simulate(from, &t, options, diag);
    if (st != BYW_OK) {
        byw_file_discard(file);
        return st;
    }
    return byw_file_commit(file, diag);
}
