/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/export/byw_trace_convert.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/byw_file.h"
#include "trace/bwt/byw_trace_writer.h"
#include "trace/file/byw_trace.h"

const char *const *byw_trace_convert_formats(void)
{
    static const char *const names[] = {"bwt", "accelsim", "csv", "oracle", NULL};

    return names;
}

static enum byw_status convert(struct byw_trace *trace, const char *to, const char *format,
                               const struct byw_trace_convert_options *options,
                               struct byw_diag *diag)
{
    static const struct byw_trace_convert_options usual = {
        .streams = {.sms = BYW_STREAM_SMS, .ctas = BYW_STREAM_CTAS}};

    if (strcmp(format, "bwt") == 0)
        return byw_trace_to_bwt(trace, to, diag);
    if (strcmp(format, "accelsim") == 0)
        return byw_trace_to_accelsim(trace, to, options != NULL ? options->tracer : 0, diag);
    if (strcmp(format, "csv") == 0)
        return byw_trace_to_csv(trace, to, diag);
    return byw_trace_to_oracle(trace, to, options != NULL ? options : &usual, diag);
}

enum byw_status byw_trace_convert(const char *from, const char *to, const char *format,
                                  const struct byw_trace_convert_options *options,
                                  struct byw_diag *diag)
{
    const char *const *known = byw_trace_convert_formats();
    struct byw_trace *trace;
    enum byw_status st;

    while (*known != NULL && strcmp(*known, format) != 0)
        known++;
    if (*known == NULL)
        return byw_diag_set(diag, BYW_ENOENT,
                            "%s: unknown trace format; expected bwt, accelsim, csv or oracle",
                            format);
    st = byw_trace_open(from, &trace, diag);
    if (st != BYW_OK)
        return st;
    st = convert(trace, to, format, options, diag);
    byw_trace_close(trace);
    return st;
}

static enum byw_status copy_trace(struct byw_trace *trace, struct byw_trace_writer *writer,
                                  struct byw_cta *cta, struct byw_diag *diag)
{
    const struct byw_kernel *kernel;
    enum byw_status st;

    while ((st = byw_trace_next_kernel(trace, &kernel, diag)) == BYW_OK) {
        st = byw_trace_kernel(writer, kernel, diag);
        if (st != BYW_OK)
            return st;
        while ((st = byw_trace_next_cta(trace, cta, diag)) == BYW_OK) {
            st = byw_trace_cta(writer, cta, diag);
            if (st != BYW_OK)
                return st;
        }
        if (st != BYW_END)
            return st;
    }
    return st == BYW_END ? BYW_OK : st;
}

enum byw_status byw_trace_to_bwt(struct byw_trace *trace, const char *path, struct byw_diag *diag)
{
    struct byw_trace_writer *writer;
    struct byw_cta cta;
    enum byw_status st = byw_trace_keeps_machine(trace)
                             ? byw_trace_create_machine(path, 0, &writer, diag)
                             : byw_trace_create(path, 0, &writer, diag);

    if (st != BYW_OK)
        return st;
    byw_cta_init(&cta);
    st = copy_trace(trace, writer, &cta, diag);
    byw_cta_release(&cta);
    if (st != BYW_OK) {
        byw_trace_abandon(writer);
        return st;
    }
    return byw_trace_finish(writer, diag);
}

static void csv_cta(FILE *out, const struct byw_kernel *kernel, const struct byw_cta *cta)
{
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        const struct byw_warp_trace *warp = &cta->warp[w];

        for (uint32_t i = 0; i < warp->count; i++) {
            const struct byw_inst *inst = &cta->inst[warp->first + i];
            uint32_t rank = 0;

            if (inst->form == BYW_FORM_NONE)
                continue;
            fprintf(out,
                    "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",0x%" PRIx32
                    ",%s,%u,0x%" PRIx64 ",%u,",
                    kernel->launch + 1, cta->id[0], cta->id[1], cta->id[2], w, inst->pc,
                    byw_class_name((enum byw_class)inst->cls), inst->width, inst->mask,
                    inst->degree);
            for (uint64_t rest = inst->mask; rest != 0; rest &= rest - 1, rank++) {
                uint32_t lane = (uint32_t)__builtin_ctzll(rest);

                fprintf(out, rank == 0 ? "0x%" PRIx64 : " 0x%" PRIx64,
                        byw_inst_address(inst, cta, lane, rank));
            }
            fputc('\n', out);
        }
    }
}

enum byw_status byw_trace_to_csv(struct byw_trace *trace, const char *path, struct byw_diag *diag)
{
    const struct byw_kernel *kernel;
    struct byw_file *file;
    struct byw_cta cta;
    enum byw_status st = byw_file_create(path, &file, diag);

    if (st != BYW_OK)
        return st;
    byw_cta_init(&cta);
    fprintf(byw_file_stream(file),
            "launch,cta_x,cta_y,cta_z,warp,pc,class,width,mask,degree,addresses\n");
    while ((st = byw_trace_next_kernel(trace, &kernel, diag)) == BYW_OK) {
        while ((st = byw_trace_next_cta(trace, &cta, diag)) == BYW_OK)
            csv_cta(byw_file_stream(file), kernel, &cta);
        if (st != BYW_END)
            break;
    }
    byw_cta_release(&cta);
    if (st != BYW_END) {
        byw_file_discard(file);
        return st;
    }
    return byw_file_commit(file, diag);
}
