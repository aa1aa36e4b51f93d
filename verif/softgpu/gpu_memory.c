/* SPDX-License-Identifier: Apache-2.0 */
#include "softgpu/gpu_memory.h"

#include <stdlib.h>
#include <string.h>

bool gpu_memory_init(struct gpu_memory *memory, uint32_t size, uint32_t line_bytes,
                     struct byw_rng *rng)
{
    *memory = (struct gpu_memory){
        .bytes = calloc(size, 1),
        .size = size,
        .line_bytes = line_bytes,
        .latency = 10,
        .spread = 30,
        .rng = rng,
    };
    return memory->bytes != NULL;
}

void gpu_memory_release(struct gpu_memory *memory)
{
    free(memory->bytes);
    memory->bytes = NULL;
}

static uint8_t *line_at(const struct gpu_memory *memory, uint64_t line)
{
    return memory->bytes + (line * memory->line_bytes & (memory->size - 1));
}

static bool has(const struct byw_mem_req *req, uint32_t byte)
{
    return (req->bytes.w[byte / 64] >> byte % 64 & 1) != 0;
}

/* The result of an atomic on a word. */
static uint32_t result(uint32_t func, uint32_t old, uint32_t with)
{
    switch (func) {
    case 0:
        return old + with;
    case 1:
        return with;
    case 2:
        return (int32_t)with < (int32_t)old ? with : old;
    default:
        return (int32_t)with > (int32_t)old ? with : old;
    }
}

/* Applies an atomic to the words whose bytes are all in the mask. */
static void atomic(uint8_t *line, const struct byw_mem_req *req, const uint8_t *data, uint32_t n)
{
    uint32_t i, a, b;

    for (i = 0; i < n; i += 4) {
        if (!has(req, i) || !has(req, i + 1) || !has(req, i + 2) || !has(req, i + 3))
            continue;
        memcpy(&a, line + i, 4);
        memcpy(&b, data + i, 4);
        a = result(req->func, a, b);
        memcpy(line + i, &a, 4);
    }
}

/* Performs the waiting request i, whose answer is the old bytes. */
static void perform(struct gpu_memory *memory, uint32_t i)
{
    const struct byw_mem_req *req = &memory->waiting[i].req;
    const uint8_t *data = memory->waiting[i].data;
    uint8_t *line = line_at(memory, req->line);
    uint32_t b;

    memcpy(memory->rsp_data, line, memory->line_bytes);
    if (req->atomic)
        atomic(line, req, data, memory->line_bytes);
    for (b = 0; req->write && !req->atomic && b < memory->line_bytes; b++)
        if (has(req, b))
            line[b] = data[b];
}

static bool first_of_line(const struct gpu_memory *memory, uint32_t i)
{
    uint32_t j;

    for (j = 0; j < i; j++)
        if (memory->waiting[j].req.line == memory->waiting[i].req.line)
            return false;
    return true;
}

static void forget(struct gpu_memory *memory, uint32_t i)
{
    memory->count--;
    memmove(&memory->waiting[i], &memory->waiting[i + 1],
            (memory->count - i) * sizeof(memory->waiting[0]));
}

const struct byw_mem_rsp *gpu_memory_offer(struct gpu_memory *memory)
{
    uint32_t start, k;

    memory->cycle++;
    if (memory->offered)
        return &memory->rsp;
    if (memory->count == 0)
        return NULL;
    start = byw_rng_below(memory->rng, memory->count);
    for (k = 0; k < memory->count; k++) {
        uint32_t i = (start + k) % memory->count;
        const struct byw_mem_req *req = &memory->waiting[i].req;

        if (memory->waiting[i].due > memory->cycle ||
            (!memory->any_order && !first_of_line(memory, i)))
            continue;
        perform(memory, i);
        memory->rsp = (struct byw_mem_rsp){
            .data = memory->rsp_data,
            .id = req->id,
            .kind = req->kind,
            .error = memory->error_in != 0 && --memory->error_in == 0,
            .mispredict = req->predicted && byw_rng_below(memory->rng, 4) == 0,
        };
        memory->offered = req->kind != BYW_MEM_WRITEBACK || memory->any_order;
        forget(memory, i);
        return memory->offered ? &memory->rsp : NULL;
    }
    return NULL;
}

bool gpu_memory_ready(const struct gpu_memory *memory)
{
    return memory->count < GPU_MEMORY_WAITING;
}

void gpu_memory_take(struct gpu_memory *memory, const struct byw_mem_req *req)
{
    memory->waiting[memory->count].req = *req;
    memory->waiting[memory->count].due =
        memory->cycle + memory->latency + byw_rng_below(memory->rng, memory->spread);
    if (req->data != NULL)
        memcpy(memory->waiting[memory->count].data, req->data, memory->line_bytes);
    memory->count++;
}

void gpu_memory_taken(struct gpu_memory *memory)
{
    memory->offered = false;
}
