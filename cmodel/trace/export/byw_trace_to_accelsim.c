/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/byw_file.h"
#include "trace/accelsim/byw_traceg.h"
#include "trace/export/byw_trace_convert.h"
#include "trace/file/byw_trace.h"

#define PATH_ROOM 4096

/* A result that a later instruction needs. */
struct pending {
    uint64_t due; /* position of that instruction in its warp */
    uint8_t reg;
};

/* Registers of the warp being written: a min-heap of pending results, and the registers in use. */
struct registers {
    struct pending heap[BYW_TRACEG_REGS];
    uint32_t count;
    bool used[BYW_TRACEG_REGS];
};

struct export
{
    const char *folder;
    const struct byw_kernel *kernel;
    uint32_t tracer;
    FILE *out;
    struct registers regs;
    uint64_t position;
};

static const struct {
    const char *opcode;
    bool wide; /* takes a width modifier */
} opcodes[BYW_CLASS_COUNT] = {
    [BYW_CLASS_INT] = {"IADD3", false},       [BYW_CLASS_FP] = {"FFMA", false},
    [BYW_CLASS_SFU] = {"MUFU", false},        [BYW_CLASS_DP] = {"DFMA", false},
    [BYW_CLASS_BRANCH] = {"BRA", false},      [BYW_CLASS_BARRIER] = {"BAR.SYNC", false},
    [BYW_CLASS_CONST_LOAD] = {"LDC", true},   [BYW_CLASS_SHARED_LOAD] = {"LDS", true},
    [BYW_CLASS_SHARED_STORE] = {"STS", true}, [BYW_CLASS_LOAD] = {"LDG.E", true},
    [BYW_CLASS_STORE] = {"STG.E", true},      [BYW_CLASS_ATOMIC] = {"ATOMG.E.ADD", true},
    [BYW_CLASS_LOCAL_LOAD] = {"LDL", true},   [BYW_CLASS_LOCAL_STORE] = {"STL", true},
    [BYW_CLASS_EXIT] = {"EXIT", false},
};

static const char *width_modifier(uint8_t width)
{
    switch (width) {
    case 1:
        return ".U8";
    case 2:
        return ".U16";
    case 8:
        return ".64";
    case 16:
        return ".128";
    default:
        return "";
    }
}

static void push(struct registers *r, struct pending item)
{
    uint32_t i = r->count++;

    while (i > 0 && r->heap[(i - 1) / 2].due > item.due) {
        r->heap[i] = r->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    r->heap[i] = item;
    r->used[item.reg] = true;
}

static uint8_t pop(struct registers *r)
{
    uint8_t reg = r->heap[0].reg;
    struct pending last = r->heap[--r->count];
    uint32_t i = 0;

    for (;;) {
        uint32_t child = 2 * i + 1;

        if (child + 1 < r->count && r->heap[child + 1].due < r->heap[child].due)
            child++;
        if (child >= r->count || r->heap[child].due >= last.due)
            break;
        r->heap[i] = r->heap[child];
        i = child;
    }
    r->heap[i] = last;
    r->used[reg] = false;
    return reg;
}

/* Writes the operands of the instruction at e->position.  It reads every result that is due and
 * writes a free register if its own result is needed later. */
static bool put_operands(struct export *e, const char *opcode, const char *modifier, uint32_t use,
                         bool result_needed)
{
    struct registers *r = &e->regs;
    uint8_t source[BYW_TRACEG_REGS];
    uint32_t sources = 0, reg = 0;

    while (r->count > 0 && r->heap[0].due == e->position)
        source[sources++] = pop(r);
    if (result_needed) {
        while (reg < BYW_TRACEG_REGS && r->used[reg])
            reg++;
        if (reg == BYW_TRACEG_REGS || sources > BYW_TRACEG_OPERANDS)
            return false;
        push(r, (struct pending){.due = e->position + use, .reg = (uint8_t)reg});
        fprintf(e->out, "1 R%" PRIu32 " ", reg);
    } else {
        fputs("0 ", e->out);
    }
    fprintf(e->out, "%s%s %" PRIu32 " ", opcode, modifier, sources);
    for (uint32_t i = 0; i < sources; i++)
        fprintf(e->out, "R%u ", source[i]);
    e->position++;
    return sources <= BYW_TRACEG_OPERANDS;
}

/* Writes addresses in mode 1 if Accel-Sim can read them back completely (it stops at the first hole
 * of the mask), else in mode 2. */
static void put_addresses(struct export *e, const struct byw_inst *inst, const uint64_t *addr,
                          uint32_t lanes)
{
    uint64_t run = inst->mask == 0 ? 0 : inst->mask >> __builtin_ctzll(inst->mask);
    int64_t stride = (lanes > 1) ? (int64_t)(addr[1] - addr[0]) : 0;
    bool regular = (run & (run + 1)) == 0;

    for (uint32_t i = 2; i < lanes && regular; i++)
        regular = (int64_t)(addr[i] - addr[i - 1]) == stride;
    if (regular) {
        fprintf(e->out, "1 0x%" PRIx64 " %" PRId64 " ", lanes != 0 ? addr[0] : 0, stride);
        return;
    }
    fprintf(e->out, "2 0x%" PRIx64 " ", addr[0]);
    for (uint32_t i = 1; i < lanes; i++)
        fprintf(e->out, "%" PRId64 " ", (int64_t)(addr[i] - addr[i - 1]));
}

/* Addresses of the lanes.  A scratchpad access without addresses gets `degree` words of bank 0; the
 * other lanes share the first one. */
static uint32_t lane_addresses(const struct byw_inst *inst, const struct byw_cta *cta,
                               uint64_t addr[BYW_TRACEG_LANES])
{
    uint32_t rank = 0;

    for (uint64_t rest = inst->mask; rest != 0; rest &= rest - 1, rank++) {
        if (inst->form != BYW_FORM_NONE)
            addr[rank] = byw_inst_address(inst, cta, (uint32_t)__builtin_ctzll(rest), rank);
        else
            addr[rank] = (rank < inst->degree) ? 128u * rank : 0;
    }
    return rank;
}

static bool put_inst(struct export *e, const struct byw_inst *inst, const struct byw_cta *cta,
                     uint64_t warp_length)
{
    bool shared = inst->cls == BYW_CLASS_SHARED_LOAD || inst->cls == BYW_CLASS_SHARED_STORE;
    bool wide = opcodes[inst->cls].wide;
    const char *modifier = wide ? width_modifier(inst->width) : "";
    uint64_t addr[BYW_TRACEG_LANES];

    for (uint32_t n = 0; n < inst->count; n++) {
        /* a use beyond the warp's end does not count */
        bool needed = inst->use != 0 && e->position + inst->use < warp_length;

        fprintf(e->out, "%04" PRIx32 " %08" PRIx64 " ", inst->pc + n * BYW_INST_BYTES, inst->mask);
        if (!put_operands(e, opcodes[inst->cls].opcode, modifier, inst->use, needed))
            return false;
        if (wide && (inst->form != BYW_FORM_NONE || (shared && inst->mask != 0))) {
            uint32_t lanes = lane_addresses(inst, cta, addr);

            fprintf(e->out, "%u ", inst->width != 0 ? inst->width : 4u);
            put_addresses(e, inst, addr, lanes);
        } else {
            fputs("0 ", e->out);
        }
        fputs(e->tracer >= BYW_TRACEG_IMMEDIATE ? "0\n" : "\n", e->out);
    }
    return true;
}

static enum byw_status put_cta(struct export *e, const struct byw_cta *cta, struct byw_diag *diag)
{
    fprintf(e->out, "#BEGIN_TB\n\nthread block = %u,%u,%u\n", cta->id[0], cta->id[1], cta->id[2]);
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        const struct byw_inst *inst = cta->inst + cta->warp[w].first;
        uint64_t length = 0;

        for (uint32_t i = 0; i < cta->warp[w].count; i++)
            length += inst[i].count;
        fprintf(e->out, "\nwarp = %u\ninsts = %" PRIu64 "\n", w, length);
        memset(&e->regs, 0, sizeof(e->regs));
        e->position = 0;
        for (uint32_t i = 0; i < cta->warp[w].count; i++) {
            if (!put_inst(e, &inst[i], cta, length))
                return byw_diag_set(diag, BYW_EUNSUPPORTED,
                                    "%s: launch %u, CTA %u,%u,%u, warp %u: needs more than %u "
                                    "registers or %u operands to express its dependencies",
                                    e->folder, e->kernel->launch + 1, cta->id[0], cta->id[1],
                                    cta->id[2], w, BYW_TRACEG_REGS, BYW_TRACEG_OPERANDS);
        }
    }
    fputs("\n#END_TB\n\n", e->out);
    return BYW_OK;
}

static void put_header(FILE *out, const struct byw_kernel *k, uint32_t tracer)
{
    fputs("-kernel name = ", out);
    for (const char *c = k->name[0] != '\0' ? k->name : "kernel"; *c != '\0'; c++)
        fputc((unsigned char)*c < ' ' ? '_' : *c, out); /* keeps the name on one line */
    fprintf(out,
            "\n-kernel id = %u\n-grid dim = (%u,%u,%u)\n"
            "-block dim = (%u,%u,%u)\n-shmem = %u\n-nregs = %u\n-binary version = 70\n"
            "-cuda stream id = 0\n-shmem base_addr = 0x00007f5000000000\n"
            "-local mem base_addr = 0x00007f4e00000000\n-nvbit version = 1.5.5\n"
            "-accelsim tracer version = %u\n-enable lineinfo = 0\n\n"
            "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
            "mem_width [adrrescompress?] [mem_addresses]%s\n\n",
            k->launch + 1, k->grid[0], k->grid[1], k->grid[2], k->block[0], k->block[1],
            k->block[2], k->shared_bytes, k->registers, tracer,
            tracer >= BYW_TRACEG_IMMEDIATE ? " immediate" : "");
}

static enum byw_status put_kernel(struct byw_trace *trace, const struct byw_kernel *kernel,
                                  const char *folder, uint32_t tracer, struct byw_diag *diag)
{
    struct export e = {.folder = folder, .kernel = kernel, .tracer = tracer};
    struct byw_file *file;
    struct byw_cta cta;
    char path[PATH_ROOM];
    enum byw_status st;

    if (kernel->warp_size != BYW_TRACEG_LANES)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "%s: launch %u has warps of %u lanes; Accel-Sim traces need 32", folder,
                            kernel->launch + 1, kernel->warp_size);
    snprintf(path, sizeof(path), "%s/kernel-%u.traceg", folder, kernel->launch + 1);
    st = byw_file_create(path, &file, diag);
    if (st != BYW_OK)
        return st;
    e.out = byw_file_stream(file);
    put_header(e.out, kernel, tracer);
    byw_cta_init(&cta);
    while ((st = byw_trace_next_cta(trace, &cta, diag)) == BYW_OK) {
        st = put_cta(&e, &cta, diag);
        if (st != BYW_OK)
            break;
    }
    byw_cta_release(&cta);
    if (st == BYW_END)
        return byw_file_commit(file, diag);
    byw_file_discard(file);
    return st;
}

static enum byw_status put_list(const char *folder, uint32_t launches, struct byw_diag *diag)
{
    struct byw_file *file;
    char path[PATH_ROOM];
    enum byw_status st;

    snprintf(path, sizeof(path), "%s/kernelslist.g", folder);
    st = byw_file_create(path, &file, diag);
    if (st != BYW_OK)
        return st;
    for (uint32_t i = 1; i <= launches; i++)
        fprintf(byw_file_stream(file), "kernel-%u.traceg\n", i);
    return byw_file_commit(file, diag);
}

/* Creates a folder or accepts one without a trace; *made: it was created. */
static enum byw_status make_folder(const char *folder, bool *made, struct byw_diag *diag)
{
    char path[PATH_ROOM];

    *made = mkdir(folder, 0777) == 0;
    if (!*made && errno != EEXIST)
        return byw_diag_set(diag, BYW_EIO, "%s: cannot be created (%s); expected a writable folder",
                            folder, strerror(errno));
    if (strlen(folder) > sizeof(path) - 64)
        return byw_diag_set(diag, BYW_EINVAL, "%s: the name is too long", folder);
    snprintf(path, sizeof(path), "%s/kernelslist.g", folder);
    if (access(path, F_OK) == 0)
        return byw_diag_set(diag, BYW_EINVAL, "%s: already contains a trace; expected a new folder",
                            path);
    return BYW_OK;
}

enum byw_status byw_trace_to_accelsim(struct byw_trace *trace, const char *folder, uint32_t tracer,
                                      struct byw_diag *diag)
{
    const struct byw_kernel *kernel;
    uint32_t launches = 0;
    enum byw_status st;
    char path[PATH_ROOM];
    bool made;

    if (tracer == 0)
        tracer = BYW_TRACEG_NEWEST;
    if (tracer < BYW_TRACEG_OLDEST || tracer > BYW_TRACEG_NEWEST)
        return byw_diag_set(diag, BYW_EINVAL, "Accel-Sim tracer version %u; expected %u to %u",
                            tracer, BYW_TRACEG_OLDEST, BYW_TRACEG_NEWEST);
    st = make_folder(folder, &made, diag);
    if (st != BYW_OK)
        return st;
    while ((st = byw_trace_next_kernel(trace, &kernel, diag)) == BYW_OK) {
        st = put_kernel(trace, kernel, folder, tracer, diag);
        if (st != BYW_OK)
            break;
        launches++;
    }
    if (st == BYW_END && launches == 0)
        st = byw_diag_set(diag, BYW_EUNSUPPORTED,
                          "%s: the trace has no launches; Accel-Sim lists need at least one",
                          folder);
    if (st == BYW_END)
        st = put_list(folder, launches, diag);
    if (st == BYW_OK)
        return BYW_OK;
    for (uint32_t i = 1; i <= launches; i++) {
        snprintf(path, sizeof(path), "%s/kernel-%u.traceg", folder, i);
        unlink(path);
    }
    if (made)
        rmdir(folder);
    return st;
}
