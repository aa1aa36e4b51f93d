/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_format.h - the interface of a trace reader to byw_trace.c; not for users of traces.
 *
 * A format is one byw_trace_ops and one open function in the table of byw_trace.c.  The format's
 * own struct starts with a struct byw_trace.
 */
#ifndef BYW_TRACE_FORMAT_H
#define BYW_TRACE_FORMAT_H

#include "common/byw_status.h"
#include "trace/byw_inst.h"
#include "trace/byw_source.h"

struct byw_trace;

struct byw_trace_ops {
    const char *name;
    enum byw_status (*next_kernel)(struct byw_trace *trace, const struct byw_kernel **kernel,
                                   struct byw_diag *diag);
    enum byw_status (*next_cta)(struct byw_trace *trace, struct byw_cta *cta,
                                struct byw_diag *diag);
    /* NULL: CTAs are read and discarded */
    enum byw_status (*pass_ctas)(struct byw_trace *trace, uint64_t count, struct byw_diag *diag);
    void (*note)(const struct byw_trace *trace, struct byw_trace_note *note); /* may be NULL */
    void (*close)(struct byw_trace *trace);
};

struct byw_trace {
    const struct byw_trace_ops *ops;
    bool keeps_machine; /* the format of the file has machine code */
    bool machine; /* CTAs are delivered as machine code where possible */
    struct byw_machine_reader *machine_reader; /* NULL before the first CTA of a launch */
    struct byw_cta ptx; /* the CTA as it was read */
    bool windows; /* long CTAs are delivered as windows */
    struct byw_window_file *window_file; /* file of the windows; NULL before the first one */
    struct byw_cta spare; /* memory for the next CTA, after a long one */
    const struct byw_kernel *kernel; /* the current launch */
    enum byw_status failed; /* the first error; byw_trace.c stops reading after it */
};

/* Both functions take ownership of `source` and close it, even on failure. */
enum byw_status byw_trace_bwt_open(struct byw_source *source, struct byw_trace **trace,
                                   struct byw_diag *diag);
enum byw_status byw_trace_accelsim_open(struct byw_source *source, struct byw_trace **trace,
                                        struct byw_diag *diag);

/* The files of an Accel-Sim trace by number from 0, the list first; NULL: no more files, or a trace
 * of another format. */
const char *byw_trace_accelsim_file(const struct byw_trace *trace, uint32_t number);

/* Whether the first bytes of a file (decompressed) belong to this format. */
bool byw_trace_bwt_probe(const uint8_t *data, size_t size);
bool byw_trace_accelsim_probe(const uint8_t *data, size_t size);
/* For Accel-Sim: whether it is a single kernel's file, not a list. */
bool byw_trace_accelsim_is_kernel(const uint8_t *data, size_t size);

#endif
