/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/gpu/byw_stall_book.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"
#include "sim/sm/byw_sm.h"

struct byw_stall_book {
    struct byw_stall_kernel *kernel;
    size_t count, room;
    size_t last; /* kernel of the last launch */
};

struct byw_stall_book *byw_stall_book_create(void)
{
    return calloc(1, sizeof(struct byw_stall_book));
}

void byw_stall_book_free(struct byw_stall_book *book)
{
    for (size_t i = 0; book != NULL && i < book->count; i++) {
        free((void *)book->kernel[i].machine.inst);
        byw_stall_sums_release(&book->kernel[i].sums);
    }
    if (book != NULL)
        free(book->kernel);
    free(book);
}

/* Copies the machine-code table into the kernel's entry; false: out of memory. */
static bool copy_machine(struct byw_stall_kernel *k, const struct byw_machine *machine)
{
    struct byw_machine_inst *inst = malloc(machine->count * sizeof(*inst) + 1);

    if (inst == NULL || byw_stall_sums_begin(&k->sums, machine->count) != BYW_OK) {
        free(inst);
        return false;
    }
    memcpy(inst, machine->inst, machine->count * sizeof(*inst));
    k->machine = *machine;
    k->machine.inst = inst;
    return true;
}

static enum byw_limit limit_of(const struct byw_config *config, const struct byw_kernel *kernel,
                               const struct byw_stall_kernel *k)
{
    uint64_t threads = (uint64_t)kernel->block[0] * kernel->block[1] * kernel->block[2];
    uint64_t grid = (uint64_t)kernel->grid[0] * kernel->grid[1] * kernel->grid[2];
    uint64_t warps = (threads + kernel->warp_size - 1) / kernel->warp_size;
    uint32_t shared = byw_sm_cta_shared(config, kernel), more = k->ctas + 1;

    if (grid < (uint64_t)k->ctas * config->sm_count)
        return BYW_LIMIT_GRID;
    if (more > config->sm_ctas)
        return BYW_LIMIT_CTAS;
    if (more * warps > config->sm_warps || more * warps * kernel->warp_size > config->sm_threads)
        return BYW_LIMIT_WARPS;
    if (shared != 0 && more > config->sm_shared_bytes / shared)
        return BYW_LIMIT_SHARED;
    return BYW_LIMIT_REGISTERS;
}

const char *byw_limit_name(enum byw_limit limit)
{
    static const char *const name[] = {"ctas", "warps", "registers", "shared", "grid"};

    return name[limit];
}

/* The kernel's entry, which is added if it is new; NULL: out of memory. */
static struct byw_stall_kernel *entry_of(struct byw_stall_book *book,
                                         const struct byw_config *config,
                                         const struct byw_kernel *kernel)
{
    const struct byw_machine *machine = config->machine_code != 0 ? kernel->machine : NULL;
    struct byw_stall_kernel *k;

    /* The same code number does not imply the same table: a damaged or foreign file may
     * disagree. */
    for (book->last = 0; book->last < book->count; book->last++)
        if (book->kernel[book->last].code == kernel->code &&
            book->kernel[book->last].machine.count == (machine != NULL ? machine->count : 0))
            return &book->kernel[book->last];
    if (!BYW_ARRAY_ROOM(book->kernel, book->room, book->count + 1))
        return NULL;
    k = &book->kernel[book->count];
    *k = (struct byw_stall_kernel){.code = kernel->code,
                                   .first = kernel->launch,
                                   .warp_size = kernel->warp_size,
                                   .shared_bytes = kernel->shared_bytes,
                                   .ctas = byw_sm_occupancy(config, kernel),
                                   .warps_most = config->sm_warps};
    memcpy(k->name, kernel->name, sizeof(k->name));
    memcpy(k->grid, kernel->grid, sizeof(k->grid));
    memcpy(k->block, kernel->block, sizeof(k->block));
    k->registers = kernel->compiled_registers != 0 ? kernel->compiled_registers : kernel->registers;
    k->limit = limit_of(config, kernel, k);
    if (machine != NULL && !copy_machine(k, machine))
        return NULL;
    book->count++;
    return k;
}

enum byw_status byw_stall_book_launch(struct byw_stall_book *book, const struct byw_config *config,
                                      const struct byw_kernel *kernel,
                                      const struct byw_gpu_kernel *counters)
{
    struct byw_stall_kernel *k = entry_of(book, config, kernel);

    if (k == NULL)
        return BYW_ENOMEM;
    k->launches++;
    k->cycles += counters->cycles;
    k->warp_instructions += counters->warp_instructions;
    k->machine_instructions += counters->machine_instructions;
    return BYW_OK;
}

void byw_stall_book_sm(struct byw_stall_book *book, const struct byw_stall_sums *sums)
{
    byw_stall_sums_add(&book->kernel[book->last].sums, sums);
}

size_t byw_stall_book_count(const struct byw_stall_book *book)
{
    return book->count;
}

const struct byw_stall_kernel *byw_stall_book_kernel(const struct byw_stall_book *book, size_t i)
{
    return &book->kernel[i];
}
