/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu_memory.h - the memory behind the soft GPU: bytes, and the requests that wait for them. A
 * request is performed when its answer is offered, after a random time: requests for one line in
 * the order of arrival, all others in any order.
 */
#ifndef GPU_MEMORY_H
#define GPU_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_rng.h"
#include "l1d/byw_l1d_ports.h"

enum { GPU_MEMORY_WAITING = 64 };

struct gpu_memory {
    uint8_t *bytes;
    uint32_t size; /* a power of two */
    uint32_t line_bytes;
    uint32_t latency, spread; /* cycles: at least latency, less than latency + spread */
    bool any_order; /* requests for one line, too, in any order; write-backs are answered (ORDER of
                       the cache) */
    uint32_t error_in; /* answers have an error after this many; 0: never */
    struct byw_rng *rng;
    uint64_t cycle;
    uint32_t count;
    struct {
        struct byw_mem_req req;
        uint64_t due;
        uint8_t data[BYW_LINE_MAX];
    } waiting[GPU_MEMORY_WAITING]; /* oldest first */
    bool offered;
    struct byw_mem_rsp rsp; /* the offered response */
    uint8_t rsp_data[BYW_LINE_MAX];
};

/* All bytes are 0. False if memory runs out. */
bool gpu_memory_init(struct gpu_memory *memory, uint32_t size, uint32_t line_bytes,
                     struct byw_rng *rng);
void gpu_memory_release(struct gpu_memory *memory);

/* Once per cycle, first: the offered answer, or NULL. */
const struct byw_mem_rsp *gpu_memory_offer(struct gpu_memory *memory);

/* Whether it can accept a request in this cycle. */
bool gpu_memory_ready(const struct gpu_memory *memory);

/* Call at the end of a cycle.  _take: a request arrived.  _taken: the offered answer was taken. */
void gpu_memory_take(struct gpu_memory *memory, const struct byw_mem_req *req);
void gpu_memory_taken(struct gpu_memory *memory);

#endif
