/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/file/byw_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/byw_path.h"
#include "trace/bwt/byw_trace_windows.h"
#include "trace/byw_trace_format.h"
#include "trace/file/byw_trace_machine.h"

#define PROBE_BYTES 4096

static const struct format {
    bool (*probe)(const uint8_t *data, size_t size);
    enum byw_status (*open)(struct byw_source *source, struct byw_trace **trace,
                            struct byw_diag *diag);
} formats[] = {
    {byw_trace_bwt_probe, byw_trace_bwt_open},
    {byw_trace_accelsim_probe, byw_trace_accelsim_open},
};

static enum byw_status open_file(const char *path, struct byw_trace **trace, struct byw_diag *diag)
{
    struct byw_source *source;
    const uint8_t *data;
    size_t size;
    enum byw_status st = byw_source_open(path, &source, diag);

    if (st != BYW_OK)
        return st;
    st = byw_source_peek(source, PROBE_BYTES, &data, &size, diag);
    for (size_t i = 0; st == BYW_OK && i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (formats[i].probe(data, size))
            return formats[i].open(source, trace, diag);
    }
    byw_source_close(source);
    if (st != BYW_OK)
        return st;
    return byw_diag_set(diag, BYW_EFORMAT,
                        "%s: byte 0: not a trace; expected a BWT1 file, an Accel-Sim kernelslist.g "
                        "or an Accel-Sim .traceg file",
                        path);
}

enum byw_status byw_trace_open(const char *path, struct byw_trace **trace, struct byw_diag *diag)
{
    struct stat info;
    enum byw_status st;
    char *list;
    size_t room;

    if (!byw_path_is_folder(path))
        return open_file(path, trace, diag);
    room = strlen(path) + sizeof("/kernelslist.g");
    list = malloc(room);
    if (list == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory while opening it", path);
    snprintf(list, room, "%s/kernelslist.g", path);
    if (stat(list, &info) != 0)
        st = byw_diag_set(diag, BYW_ENOENT,
                          "%s: the folder has no kernelslist.g; expected an Accel-Sim trace folder",
                          path);
    else
        st = open_file(list, trace, diag);
    free(list);
    return st;
}

void byw_trace_close(struct byw_trace *trace)
{
    struct byw_window_file *file;

    if (trace == NULL)
        return;
    file = trace->window_file;
    byw_cta_release(&trace->spare);
    byw_cta_release(&trace->ptx);
    byw_machine_reader_free(trace->machine_reader);
    trace->ops->close(trace); /* also frees windows of a CTA that was not read completely */
    byw_window_file_close(file);
}

void byw_trace_use_windows(struct byw_trace *trace)
{
    trace->windows = true;
}

bool byw_trace_keeps_machine(const struct byw_trace *trace)
{
    return trace->keeps_machine;
}

void byw_trace_use_machine(struct byw_trace *trace)
{
    trace->machine = true;
}

const char *byw_trace_format(const struct byw_trace *trace)
{
    return trace->ops->name;
}

void byw_trace_get_note(const struct byw_trace *trace, struct byw_trace_note *note)
{
    *note = (struct byw_trace_note){.unknown_opcodes = 0};
    if (trace->ops->note != NULL)
        trace->ops->note(trace, note);
}

static enum byw_status remember(struct byw_trace *trace, enum byw_status st, struct byw_diag *diag)
{
    if (st == BYW_ENOMEM)
        byw_no_memory(diag, "reading the trace");
    if (st != BYW_OK && st != BYW_END)
        trace->failed = st;
    return st;
}

enum byw_status byw_trace_next_kernel(struct byw_trace *trace, const struct byw_kernel **kernel,
                                      struct byw_diag *diag)
{
    enum byw_status st;

    if (trace->failed != BYW_OK)
        return byw_diag_set(diag, trace->failed, "the trace could not be read to this point");
    byw_machine_reader_free(trace->machine_reader);
    trace->machine_reader = NULL;
    st = remember(trace, trace->ops->next_kernel(trace, kernel, diag), diag);
    trace->kernel = st == BYW_OK ? *kernel : NULL;
    return st;
}

/* Replaces a long CTA's records by windows. */
static enum byw_status cut(struct byw_trace *trace, struct byw_cta *cta, struct byw_diag *diag)
{
    struct byw_cta whole = *cta;
    enum byw_status st;

    byw_cta_init(cta);
    memcpy(cta->id, whole.id, sizeof(cta->id));
    cta->machine = whole.machine;
    st = byw_windows_begin(&trace->window_file, trace->kernel, whole.warp_count, cta, diag);
    if (st == BYW_OK)
        st = byw_windows_add(cta->windows, &whole, 0, diag);
    byw_cta_clear(&whole);
    trace->spare = whole;
    return st;
}

/* Replaces a CTA's records by machine instructions. A CTA that would be too long stays. */
static enum byw_status expand(struct byw_trace *trace, struct byw_cta *cta, struct byw_diag *diag)
{
    struct byw_cta ptx = *cta;
    struct byw_diag why = {""};
    enum byw_status st;

    if (trace->machine_reader == NULL)
        trace->machine_reader = byw_machine_reader_create(trace->kernel);
    if (trace->machine_reader == NULL)
        return BYW_ENOMEM;
    *cta = trace->ptx;
    trace->ptx = ptx;
    st = byw_machine_expand(trace->machine_reader, &trace->ptx, cta, &why);
    if (st == BYW_EFORMAT)
        return byw_diag_set(diag, st, "launch %u: CTA %u,%u,%u: %s", trace->kernel->launch + 1,
                            ptx.id[0], ptx.id[1], ptx.id[2], why.text);
    if (st != BYW_EUNSUPPORTED)
        return st;
    ptx = *cta;
    *cta = trace->ptx;
    trace->ptx = ptx;
    return BYW_OK;
}

enum byw_status byw_trace_next_cta(struct byw_trace *trace, struct byw_cta *cta,
                                   struct byw_diag *diag)
{
    enum byw_status st;

    if (trace->failed != BYW_OK)
        return byw_diag_set(diag, trace->failed, "the trace could not be read to this point");
    if (cta->inst_room < trace->spare.inst_room) {
        byw_cta_release(cta);
        *cta = trace->spare;
        byw_cta_init(&trace->spare);
    }
    st = trace->ops->next_cta(trace, cta, diag);
    if (st == BYW_OK && trace->machine && trace->kernel->machine != NULL && cta->windows == NULL &&
        !cta->machine && byw_machine_has_paths(cta))
        st = expand(trace, cta, diag);
    if (st == BYW_OK && trace->windows && cta->windows == NULL && byw_cta_is_long(cta))
        st = cut(trace, cta, diag);
    return remember(trace, st, diag);
}

/* Reads and discards CTAs. */
static enum byw_status drop_ctas(struct byw_trace *trace, uint64_t count, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;
    struct byw_cta cta;

    byw_cta_init(&cta);
    while (st == BYW_OK && count-- != 0)
        st = trace->ops->next_cta(trace, &cta, diag);
    byw_cta_release(&cta);
    return st;
}

enum byw_status byw_trace_pass_ctas(struct byw_trace *trace, uint64_t count, struct byw_diag *diag)
{
    if (trace->failed != BYW_OK)
        return byw_diag_set(diag, trace->failed, "the trace could not be read to this point");
    return remember(trace,
                    trace->ops->pass_ctas != NULL ? trace->ops->pass_ctas(trace, count, diag)
                                                  : drop_ctas(trace, count, diag),
                    diag);
}
