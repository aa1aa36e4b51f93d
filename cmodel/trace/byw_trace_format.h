/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_format.h - what a trace reader provides to byw_trace.c; not for users of traces.
 *
 * A format is one byw_trace_ops and one open function in the table of byw_trace.c.  Its own struct
 * starts with a struct byw_trace.
 */
#ifndef BYW_TRACE_FORMAT_H
#define BYW_TRACE_FORMAT_H

#include "trace/byw_source.h"
#include "trace/byw_trace.h"

struct byw_trace_ops {
    const char *name;
    enum byw_status (*next_kernel)(struct byw_trace *trace, const struct byw_kernel **kernel,
                                   struct byw_diag *diag);
    enum byw_status (*next_cta)(struct byw_trace *trace, struct byw_cta *cta,
                                struct byw_diag *diag);
    /* NULL: they are read and dropped */
    enum byw_status (*pass_ctas)(struct byw_trace *trace, uint64_t count, struct byw_diag *diag);
    void (*note)(const struct byw_trace *trace, struct byw_trace_note *note); /* may be NULL */
    void (*close)(struct byw_trace *trace);
};

struct byw_trace {
    const struct byw_trace_ops *ops;
    bool windows; /* long CTAs come as windows */
    struct byw_window_file *window_file; /* theirs; NULL before the first one */
    struct byw_cta spare; /* memory for the next CTA, after a long one */
    const struct byw_kernel *kernel; /* the launch in hand */
    enum byw_status failed; /* the first error; byw_trace.c reads no further after it */
};

/* Each takes over `source` (and closes it, also when it fails). */
enum byw_status byw_trace_bwt_open(struct byw_source *source, struct byw_trace **trace,
                                   struct byw_diag *diag);
enum byw_status byw_trace_accelsim_open(struct byw_source *source, struct byw_trace **trace,
                                        struct byw_diag *diag);

/* The files that an Accel-Sim trace is read from, the list first, from 0 on; NULL: there are no
 * more, or it is a trace of another kind. */
const char *byw_trace_accelsim_file(const struct byw_trace *trace, uint32_t number);

/* Whether the file's first bytes (decompressed) are of the format. */
bool byw_trace_bwt_probe(const uint8_t *data, size_t size);
bool byw_trace_accelsim_probe(const uint8_t *data, size_t size);
/* Of those, whether it is one kernel's file, not a list. */
bool byw_trace_accelsim_is_kernel(const uint8_t *data, size_t size);

/* Makes an empty CTA of `warps` warps one of windows; its id is set already. */
enum byw_status byw_trace_begin_windows(struct byw_trace *trace, const struct byw_kernel *kernel,
                                        uint32_t warps, struct byw_cta *cta, struct byw_diag *diag);

/* Checks a record against the rules of byw_inst.h; NULL when it keeps them, else what is wrong. */
const char *byw_trace_inst_fault(const struct byw_inst *inst, uint32_t warp_size);
const char *byw_trace_kernel_fault(const struct byw_kernel *kernel);

#endif
