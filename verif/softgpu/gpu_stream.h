/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu_stream.h - all inputs and outputs at the ports of the soft GPU's cache, cycle by cycle. Kept
 * in memory, written to and read from a file.
 */
#ifndef GPU_STREAM_H
#define GPU_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_config.h"
#include "l1d/byw_l1d_ports.h"

/* One cycle. Data pointers of in and out point into the arrays, or are NULL if no transfer is
 * offered. */
struct gpu_cycle {
    struct byw_l1d_in in;
    struct byw_l1d_out out;
    uint32_t two_level; /* bits BYW_TL_* */
    bool restart;
    bool count_req, count_valid; /* a counter is requested; its value is valid */
    uint8_t count_sel;
    uint64_t count_data;
    uint8_t data[4][BYW_LINE_MAX]; /* bytes of req, mem_rsp, rsp and mem_req */
};

struct gpu_stream {
    struct byw_config config; /* geometry and settings */
    uint64_t cycles;
    uint8_t *bytes;
    size_t size, room;
    size_t at; /* the position at which gpu_stream_get() continues */
};

void gpu_stream_init(struct gpu_stream *stream, const struct byw_config *config);
void gpu_stream_release(struct gpu_stream *stream);

/* Appends a cycle; ends the program if memory runs out. */
void gpu_stream_put(struct gpu_stream *stream, const struct gpu_cycle *cycle);

/* The next cycle, starting with the first; false after the last, or if the bytes are no stream. */
bool gpu_stream_get(struct gpu_stream *stream, struct gpu_cycle *cycle);

/* A file holds the stream and the settings that are not fixed by its program. False with a sentence
 * on stderr. config of gpu_stream_read(): the geometry that the program was built for. */
bool gpu_stream_write(const struct gpu_stream *stream, const char *path);
bool gpu_stream_read(struct gpu_stream *stream, const struct byw_config *config, const char *path);

#endif
