/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_trace.c - trace readers on hostile input: no crash, no violation of the rules of byw_inst.h,
 * no more memory than the input justifies.
 *
 * The first byte selects how the rest is used: as a trace file; as a BWT1 file whose checksums are
 * repaired first, so that damage gets past them; as the raw bytes of a CTA block; or as the text of
 * an Accel-Sim kernel file after a good header. With libFuzzer:
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined -Icmodel -Icmodel/model ...
 * verif/trace/fuzz_trace.c
 *
 * t_trace_fuzz.c runs the same function on fixed mutations in every `make test`.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include "trace/bwt/byw_trace_bwt.h"
#include "trace/bwt/byw_trace_windows.h"
#include "trace/bwt/byw_trace_writer.h"
#include "trace/file/byw_trace.h"

enum fuzz_way { FUZZ_FILE, FUZZ_REPAIRED, FUZZ_RAW, FUZZ_TEXT, FUZZ_WAYS };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_put_u32(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

/* Repairs the checksums of a damaged BWT1 file, block by block while its length fields are
 * valid. */
static void fuzz_repair(uint8_t *data, size_t size)
{
    size_t at = BYW_BWT_HEADER_BYTES;

    if (size < at)
        return;
    fuzz_put_u32(data + 12, (uint32_t)XXH64(data, 12, 0));
    while (size - at >= BYW_BWT_BLOCK_BYTES) {
        uint8_t *head = data + at;
        size_t stored = byw_load_u32(head + 8);
        size_t left = size - at - BYW_BWT_BLOCK_BYTES;
        uint64_t hash;

        if (stored > left)
            stored = left;
        hash = XXH64(head + BYW_BWT_BLOCK_BYTES, stored, 0);
        fuzz_put_u32(head + 24, (uint32_t)hash);
        fuzz_put_u32(head + 28, (uint32_t)(hash >> 32));
        fuzz_put_u32(head + 32, (uint32_t)XXH64(head, 32, 0));
        at += BYW_BWT_BLOCK_BYTES + stored;
    }
}

/* The guarantees for users of a CTA. */
static void fuzz_check_cta(const struct byw_kernel *kernel, const struct byw_cta *cta)
{
    uint32_t next = 0;

    for (unsigned d = 0; d < 3; d++) {
        if (cta->id[d] >= kernel->grid[d])
            abort();
    }
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        if (cta->warp[w].first != next)
            abort();
        next += cta->warp[w].count;
    }
    if (next != cta->inst_count)
        abort();
    for (uint32_t i = 0; i < cta->inst_count; i++) {
        const struct byw_inst *inst = &cta->inst[i];

        if (byw_trace_inst_fault(inst, kernel->warp_size) != NULL)
            abort();
        if (inst->form == BYW_FORM_LIST &&
            (uint64_t)inst->list + (uint64_t)__builtin_popcountll(inst->mask) > cta->addr_count)
            abort();
    }
}

/* Takes all windows of a long CTA; their content must obey the rules, too. */
static void fuzz_windows(const struct byw_kernel *kernel, const struct byw_cta *cta)
{
    struct byw_cta window;
    struct byw_diag diag;

    byw_cta_init(&window);
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        bool more = true;

        while (more) {
            if (byw_windows_next(cta->windows, w, 0, &window, &more, &diag) != BYW_OK)
                abort();
            fuzz_check_cta(kernel, &window);
        }
    }
    byw_cta_release(&window);
}

static void fuzz_read(const char *path, bool windows, bool machine)
{
    const struct byw_kernel *kernel;
    struct byw_trace *trace;
    struct byw_diag diag = {.text = ""};
    struct byw_cta cta;
    uint32_t launches = 0;
    enum byw_status st = byw_trace_open(path, &trace, &diag);

    if (st != BYW_OK) {
        if (diag.text[0] == '\0')
            abort();
        return;
    }
    if (windows)
        byw_trace_use_windows(trace);
    if (machine)
        byw_trace_use_machine(trace);
    byw_cta_init(&cta);
    while ((st = byw_trace_next_kernel(trace, &kernel, &diag)) == BYW_OK) {
        if (byw_trace_kernel_fault(kernel) != NULL || kernel->launch != launches++)
            abort();
        /* every third launch is left early, to test skipping as well */
        for (uint32_t n = 0; launches % 3 != 0 || n < 2; n++) {
            st = byw_trace_next_cta(trace, &cta, &diag);
            if (st != BYW_OK)
                break;
            if (cta.windows != NULL)
                fuzz_windows(kernel, &cta);
            else
                fuzz_check_cta(kernel, &cta);
        }
        if (st != BYW_OK && st != BYW_END)
            break;
    }
    if (st != BYW_END && diag.text[0] == '\0')
        abort();
    byw_cta_release(&cta);
    byw_trace_close(trace);
}

static void fuzz_file(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    char path[64];

    if (fd < 0)
        return;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (size == 0 || write(fd, data, size) == (ssize_t)size)
        for (int machine = 0; machine < 2; machine++) /* as PTX, then by machine code */
            fuzz_read(path, size % 2 != 0, machine != 0);
    close(fd);
}

static void fuzz_raw(const uint8_t *data, size_t size)
{
    const struct byw_kernel kernel = {
        .name = "k", .grid = {7, 5, 3}, .block = {64, 1, 1}, .warp_size = 32};
    struct byw_bwt_unpack *unpack = byw_bwt_unpack_create(BYW_BWT_VERSION, true);
    struct byw_diag diag;
    struct byw_cta cta;

    byw_cta_init(&cta);
    if (unpack != NULL && byw_bwt_unpack_start(unpack, &kernel, data, size, 64, &diag) == BYW_OK) {
        while (byw_bwt_unpack_next(unpack, &cta, &diag) == BYW_OK)
            fuzz_check_cta(&kernel, &cta);
    }
    byw_cta_release(&cta);
    byw_bwt_unpack_free(unpack);
}

static void fuzz_text(const uint8_t *data, size_t size)
{
    static const char header[] = "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n"
                                 "-shmem base_addr = 0x7f5000000000\n"
                                 "-accelsim tracer version = 5\n"
                                 "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n";
    uint8_t *text = malloc(sizeof(header) + size);

    if (text == NULL)
        return;
    memcpy(text, header, sizeof(header) - 1);
    memcpy(text + sizeof(header) - 1, data, size);
    fuzz_file(text, sizeof(header) - 1 + size);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy;

    if (size == 0)
        return 0;
    copy = malloc(size); /* exactly as long as the input, so that reads beyond it are detected */
    if (copy == NULL)
        return 0;
    memcpy(copy, data + 1, size - 1);
    switch ((enum fuzz_way)(data[0] % FUZZ_WAYS)) {
    case FUZZ_REPAIRED:
        fuzz_repair(copy, size - 1);
        fuzz_file(copy, size - 1);
        break;
    case FUZZ_RAW:
        copy = realloc(copy, size > 1 ? size - 1 : 1);
        if (copy != NULL)
            fuzz_raw(copy, size - 1);
        break;
    case FUZZ_TEXT:
        fuzz_text(copy, size - 1);
        break;
    default:
        fuzz_file(copy, size - 1);
        break;
    }
    free(copy);
    return 0;
}
