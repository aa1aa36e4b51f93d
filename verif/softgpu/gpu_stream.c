/* SPDX-License-Identifier: Apache-2.0 */
#include "softgpu/gpu_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "top/byw_csr.h"

static const char MAGIC[8] = {'B', 'Y', 'W', 'S', 'T', 'R', 'M', '2'};

/* One traversal of a cycle serves reading and writing. */
struct walk {
    struct gpu_stream *stream;
    bool write, bad;
};

static void bytes(struct walk *w, void *at, size_t n)
{
    struct gpu_stream *s = w->stream;

    if (!w->write) {
        if (s->size - s->at < n) {
            w->bad = true;
            memset(at, 0, n);
            return;
        }
        memcpy(at, s->bytes + s->at, n);
        s->at += n;
        return;
    }
    if (s->room - s->size < n) {
        s->room = 2 * s->room + n + 65536;
        s->bytes = realloc(s->bytes, s->room);
        if (s->bytes == NULL) {
            fprintf(stderr, "out of memory for a stream\n");
            exit(2);
        }
    }
    memcpy(s->bytes + s->size, at, n);
    s->size += n;
}

#define FIELD(x) bytes(w, &(x), sizeof(x))

static void line(struct walk *w, const uint8_t **data, uint8_t *at)
{
    uint8_t has = *data != NULL;

    FIELD(has);
    *data = has != 0 ? at : NULL;
    if (has != 0)
        bytes(w, at, w->stream->config.l1d_line);
}

static void requests(struct walk *w, struct gpu_cycle *c)
{
    if (c->in.req_valid) {
        FIELD(c->in.req.line);
        FIELD(c->in.req.bytes);
        FIELD(c->in.req.pc);
        FIELD(c->in.req.id);
        FIELD(c->in.req.op);
        FIELD(c->in.req.hint);
        FIELD(c->in.req.func);
        line(w, &c->in.req.data, c->data[0]);
    }
    if (c->in.mem_rsp_valid) {
        FIELD(c->in.mem_rsp.id);
        FIELD(c->in.mem_rsp.kind);
        FIELD(c->in.mem_rsp.error);
        FIELD(c->in.mem_rsp.mispredict);
        line(w, &c->in.mem_rsp.data, c->data[1]);
    }
}

static void answers(struct walk *w, struct gpu_cycle *c)
{
    if (c->out.rsp_valid) {
        FIELD(c->out.rsp.id);
        FIELD(c->out.rsp.served);
        FIELD(c->out.rsp.error);
        line(w, &c->out.rsp.data, c->data[2]);
    }
    if (c->out.mem_req_valid) {
        FIELD(c->out.mem_req.line);
        FIELD(c->out.mem_req.bytes);
        FIELD(c->out.mem_req.pc);
        FIELD(c->out.mem_req.id);
        FIELD(c->out.mem_req.kind);
        FIELD(c->out.mem_req.write);
        FIELD(c->out.mem_req.bypass);
        FIELD(c->out.mem_req.atomic);
        FIELD(c->out.mem_req.predicted);
        FIELD(c->out.mem_req.func);
        line(w, &c->out.mem_req.data, c->data[3]);
    }
}

static void controls(struct walk *w, struct gpu_cycle *c)
{
    FIELD(c->in.ctrl.active_warps);
    FIELD(c->in.ctrl.filter_on);
    FIELD(c->two_level);
    FIELD(c->out.events);
    FIELD(c->out.policy_events);
    FIELD(c->out.pc_counter);
    if (c->in.ctrl.kernel_start)
        FIELD(c->in.ctrl.kernel_pc);
    if (c->count_req)
        FIELD(c->count_sel);
    if (c->count_valid)
        FIELD(c->count_data);
}

static void cycle_of(struct walk *w, struct gpu_cycle *c)
{
    bool *const flag[] = {
        &c->in.req_valid,
        &c->in.rsp_ready,
        &c->in.mem_req_ready,
        &c->in.mem_rsp_valid,
        &c->in.rst,
        &c->in.ctrl.kernel_start,
        &c->in.ctrl.cta_placed,
        &c->restart,
        &c->out.req_ready,
        &c->out.rsp_valid,
        &c->out.mem_req_valid,
        &c->out.mem_rsp_ready,
        &c->out.idle,
        &c->count_req,
        &c->count_valid,
    };
    uint16_t flags = 0;
    size_t i;

    for (i = 0; i < sizeof(flag) / sizeof(flag[0]); i++)
        flags = (uint16_t)(flags | (unsigned)*flag[i] << i);
    FIELD(flags);
    for (i = 0; i < sizeof(flag) / sizeof(flag[0]); i++)
        *flag[i] = (flags >> i & 1) != 0;
    controls(w, c);
    requests(w, c);
    answers(w, c);
}

void gpu_stream_init(struct gpu_stream *stream, const struct byw_config *config)
{
    *stream = (struct gpu_stream){.config = *config};
}

void gpu_stream_release(struct gpu_stream *stream)
{
    free(stream->bytes);
    *stream = (struct gpu_stream){0};
}

void gpu_stream_put(struct gpu_stream *stream, const struct gpu_cycle *cycle)
{
    struct walk w = {.stream = stream, .write = true};
    struct gpu_cycle copy = *cycle;

    /* line() copies the bytes from the arrays. */
    if (copy.in.req.data != NULL)
        memcpy(copy.data[0], cycle->in.req.data, stream->config.l1d_line);
    if (copy.in.mem_rsp.data != NULL)
        memcpy(copy.data[1], cycle->in.mem_rsp.data, stream->config.l1d_line);
    if (copy.out.rsp.data != NULL)
        memcpy(copy.data[2], cycle->out.rsp.data, stream->config.l1d_line);
    if (copy.out.mem_req.data != NULL)
        memcpy(copy.data[3], cycle->out.mem_req.data, stream->config.l1d_line);
    cycle_of(&w, &copy);
    stream->cycles++;
}

bool gpu_stream_get(struct gpu_stream *stream, struct gpu_cycle *cycle)
{
    struct walk w = {.stream = stream};

    if (stream->at == stream->size)
        return false;
    *cycle = (struct gpu_cycle){0};
    cycle_of(&w, cycle);
    return !w.bad;
}

/* The registers express the policy's settings; the geometry is the program's. */
static uint32_t *settings(struct byw_csr *csr, uint32_t i)
{
    uint32_t *const at[] = {
        &csr->policy,           &csr->pc_pred,          &csr->two_level,
        &csr->two_level_window, &csr->two_level_period, &csr->two_level_bound,
    };

    return i < sizeof(at) / sizeof(at[0]) ? at[i] : NULL;
}

/* The model must get only the inputs that the cache got: a stream with changed bytes is refused. */
static uint64_t sum_of(const struct gpu_stream *stream)
{
    return XXH64(stream->bytes, stream->size, stream->cycles);
}

bool gpu_stream_write(const struct gpu_stream *stream, const char *path)
{
    FILE *file = fopen(path, "wb");
    uint64_t size = stream->size, sum = sum_of(stream);
    struct byw_csr csr;
    uint32_t i;
    bool good;

    if (file == NULL) {
        fprintf(stderr, "%s: cannot be written\n", path);
        return false;
    }
    byw_csr_init(&csr, 1);
    byw_csr_from_config(&csr, &stream->config);
    fwrite(MAGIC, 1, sizeof(MAGIC), file);
    for (i = 0; settings(&csr, i) != NULL; i++)
        fwrite(settings(&csr, i), sizeof(uint32_t), 1, file);
    fwrite(&stream->config.l1d_line, sizeof(stream->config.l1d_line), 1, file);
    fwrite(&stream->cycles, sizeof(stream->cycles), 1, file);
    fwrite(&size, sizeof(size), 1, file);
    fwrite(stream->bytes, 1, stream->size, file);
    fwrite(&sum, sizeof(sum), 1, file);
    good = ferror(file) == 0;
    good = fclose(file) == 0 && good;
    if (!good)
        fprintf(stderr, "%s: cannot be written whole\n", path);
    return good;
}

static bool refuse(FILE *file, const char *path, const char *what)
{
    fprintf(stderr, "%s: %s\n", path, what);
    if (file != NULL)
        fclose(file);
    return false;
}

bool gpu_stream_read(struct gpu_stream *stream, const struct byw_config *config, const char *path)
{
    FILE *file = fopen(path, "rb");
    char magic[sizeof(MAGIC)];
    uint32_t i, line_bytes;
    struct byw_csr csr;
    uint64_t size, sum;

    gpu_stream_init(stream, config);
    if (file == NULL)
        return refuse(file, path, "cannot be read");
    if (fread(magic, 1, sizeof(magic), file) != sizeof(magic) ||
        memcmp(magic, MAGIC, sizeof(magic)) != 0)
        return refuse(file, path, "expected a stream of the soft GPU");
    byw_csr_init(&csr, 1);
    byw_csr_from_config(&csr, config);
    for (i = 0; settings(&csr, i) != NULL; i++)
        if (fread(settings(&csr, i), sizeof(uint32_t), 1, file) != 1)
            return refuse(file, path, "ends within its settings");
    byw_csr_to_config(&csr, &stream->config);
    if (fread(&line_bytes, sizeof(line_bytes), 1, file) != 1 ||
        fread(&stream->cycles, sizeof(stream->cycles), 1, file) != 1 ||
        fread(&size, sizeof(size), 1, file) != 1 || size > (uint64_t)1 << 36)
        return refuse(file, path, "ends within its lengths");
    if (line_bytes != config->l1d_line)
        return refuse(file, path, "recorded with lines of another length");
    stream->bytes = malloc(size != 0 ? size : 1);
    stream->size = stream->room = size;
    if (stream->bytes == NULL || fread(stream->bytes, 1, size, file) != size) {
        gpu_stream_release(stream);
        return refuse(file, path, "ends within its cycles");
    }
    if (fread(&sum, sizeof(sum), 1, file) != 1 || sum != sum_of(stream)) {
        gpu_stream_release(stream);
        return refuse(file, path, "its bytes are not those that were written");
    }
    fclose(file);
    return true;
}
