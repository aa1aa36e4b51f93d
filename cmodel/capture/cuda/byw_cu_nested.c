/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches, byw_cu_launch(), and the calls of CUDA's runtime in kernels.
 */
#include "capture/cuda/byw_cu_nested.h"

#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cu_compile.h"
#include "capture/cuda/byw_cu_grid.h"
#include "common/byw_array.h"
#include "common/byw_index.h"

#define DEPTH_MOST 24u /* of a grid below the host's */
#define CHUNK (1u << 20) /* bytes of parameters allocated at once */
#define PARAMS_MOST 32764u /* bytes of a kernel's parameters */
#define ALIGN 64u /* of a launch's parameters */
#define RUNTIME_VERSION 13000 /* told to kernels of CUDA 12, too */

/* Handles of streams on the device, and flags that CUDA wants. */
enum { TAIL_LAUNCH = 3, FIRST_HANDLE = 16, NON_BLOCKING = 1, UNTIMED = 2 };
enum { LIMIT_STACK = 0, LIMIT_SYNC_DEPTH = 3, LIMIT_PENDING = 4 };

#define CALL(name) CALL_##name
enum {
#define BYW_CU_DEVICE_CALL(name, words) CALL(name),
#include "capture/cuda/byw_cu_device_calls.def"
#undef BYW_CU_DEVICE_CALL
};

/* A copy or fill of `height` rows of `width` bytes; from NULL: fill with `value`. */
struct transfer {
    unsigned char *to;
    const unsigned char *from;
    size_t to_pitch, from_pitch, width, height;
    int value;
};

struct pending {
    struct byw_cu_function *function; /* NULL: a transfer */
    unsigned grid[3], block[3];
    size_t shared;
    unsigned char *params;
    struct transfer transfer;
    bool issued, tail;
    uint64_t by, order; /* the block that called, and the order of the calls */
};

/* The last error of a thread. */
struct failure {
    uint64_t block, thread;
    enum byw_cu_error error;
};

/* Memory of the parameters of launches below one of the host's. */
struct memory {
    unsigned char **chunk;
    size_t chunks, room;
    size_t used, at; /* bytes of the chunk in use, and its number */
    size_t outstanding; /* blocks of parameters in use */
    uint64_t number; /* of the last call or handle */
    bool told; /* a launch has failed, with a message */
};

/* What a running grid has launched. */
struct family {
    struct byw_cu_function *parent;
    struct memory *memory;
    unsigned depth;
    struct pending *item;
    size_t count, room;
    size_t next; /* the item to run */
    struct failure *failure;
    size_t failures, failure_room;
    struct byw_index index; /* of failures by thread */
};

static size_t pending_most = 2048; /* launches of one grid: a GPU's default */
static _Thread_local struct family *running;

bool byw_cu_set_limit(int limit, size_t value)
{
    if (limit == LIMIT_PENDING)
        pending_most = value;
    return limit != LIMIT_STACK || byw_cu_set_stack(value);
}

size_t byw_cu_limit(int limit)
{
    return limit == LIMIT_STACK        ? byw_cu_stack()
           : limit == LIMIT_SYNC_DEPTH ? 2
           : limit == LIMIT_PENDING    ? pending_most
                                       : 8u << 20; /* printf's buffer, heap */
}

static struct failure *find_failure(const struct family *f, uint64_t block, uint64_t thread)
{
    uint32_t n;

    for (uint32_t at = 0;
         (n = byw_index_next(&f->index, byw_hash2(block, thread), &at)) != BYW_INDEX_END;)
        if (f->failure[n].block == block && f->failure[n].thread == thread)
            return &f->failure[n];
    return NULL;
}

/* Keeps an error as the thread's last one and returns it. */
static uint64_t note(struct family *f, uint64_t block, uint64_t thread, enum byw_cu_error error)
{
    struct failure *old = error == BYW_CU_OK ? NULL : find_failure(f, block, thread);

    if (old != NULL) {
        old->error = error;
    } else if (error != BYW_CU_OK && BYW_ARRAY_ROOM(f->failure, f->failure_room, f->failures + 1) &&
               byw_index_add(&f->index, byw_hash2(block, thread), (uint32_t)f->failures)) {
        f->failure[f->failures++] = (struct failure){block, thread, error};
    }
    return error;
}

static uint64_t last_error(struct family *f, uint64_t block, uint64_t thread, bool forget)
{
    struct failure *found = find_failure(f, block, thread);
    enum byw_cu_error error = found == NULL ? BYW_CU_OK : found->error;

    if (found != NULL && forget)
        found->error = BYW_CU_OK;
    return error;
}

static size_t params_size(const struct byw_cu_function *function)
{
    size_t size = 0, offset, bytes;

    for (unsigned i = 0; (bytes = byw_cu_parameter(function, i, &offset)) != 0; i++)
        size = offset + bytes;
    return size;
}

static unsigned char *take_params(struct memory *m, size_t size)
{
    unsigned char *params;

    size = (size / ALIGN + 1) * ALIGN;
    if (m->outstanding == 0)
        m->used = m->at = 0;
    if (m->chunks != 0 && m->used + size > CHUNK) {
        m->at++;
        m->used = 0;
    }
    if (m->at == m->chunks) {
        if (!BYW_ARRAY_ROOM(m->chunk, m->room, m->chunks + 1))
            return NULL;
        m->chunk[m->chunks] = byw_cu_take(CHUNK);
        if (m->chunk[m->chunks] == NULL)
            return NULL;
        m->chunks++;
    }
    params = m->chunk[m->at] + m->used;
    m->used += size;
    m->outstanding++;
    return params;
}

static void give_memory(struct memory *m)
{
    for (size_t i = 0; i < m->chunks; i++)
        byw_cu_give(m->chunk[i]);
    free(m->chunk);
}

static void free_family(struct family *f)
{
    free(f->item);
    free(f->failure);
    byw_index_release(&f->index);
}

/* Whether one more launch is allowed; the first that is not is reported. */
static enum byw_cu_error may_launch(struct family *f)
{
    const char *name = byw_cu_function_name(f->parent);
    bool told = f->memory->told;

    if (f->depth >= DEPTH_MOST) {
        f->memory->told = true;
        if (!told)
            byw_cu_say("kernel %s, %u grids below the host's, launches another: the launch fails "
                       "as on a GPU (cudaErrorLaunchMaxDepthExceeded)",
                       name, f->depth);
        return BYW_CU_TOO_DEEP;
    }
    if (f->count < pending_most)
        return BYW_CU_OK;
    f->memory->told = true;
    if (!told)
        byw_cu_say("a grid of kernel %s launches more than %zu grids: further launches fail as on "
                   "a GPU (cudaErrorLaunchPendingCountExceeded); "
                   "cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, N) allows more",
                   name, pending_most);
    return BYW_CU_TOO_MANY;
}

static struct pending *add(struct family *f)
{
    if (!BYW_ARRAY_ROOM(f->item, f->room, f->count + 1))
        return NULL;
    f->item[f->count] = (struct pending){.function = NULL};
    return &f->item[f->count++];
}

/* Sets what a launch runs, from the words of a call. */
static enum byw_cu_error configure(const struct family *f, struct pending *p, uint64_t function,
                                   const uint64_t *size, uint64_t shared)
{
    p->function = byw_cu_find_number(byw_cu_function_module(f->parent), function);
    if (p->function == NULL)
        return BYW_CU_INVALID_FUNCTION;
    for (int d = 0; d < 3; d++) {
        p->grid[d] = (unsigned)size[d];
        p->block[d] = (unsigned)size[3 + d];
    }
    p->shared = shared;
    return byw_cu_check_launch(p->function, p->grid, p->block, shared);
}

/* Memory for the parameters of a launch; 0 on an error. size: NULL for the first version of the
 * call, which learns the kernel when it launches. */
static uint64_t reserve(struct family *f, uint64_t block, uint64_t thread, const uint64_t *word,
                        bool configured)
{
    struct pending p = {.function = NULL}, *kept;
    enum byw_cu_error error = may_launch(f);
    size_t bytes = configured ? 0 : word[1];

    if (error == BYW_CU_OK && configured)
        error = configure(f, &p, word[0], &word[1], word[7]);
    if (error == BYW_CU_OK && bytes > PARAMS_MOST)
        error = BYW_CU_INVALID_VALUE;
    if (error == BYW_CU_OK) {
        p.params = take_params(f->memory, configured ? params_size(p.function) : bytes);
        kept = p.params == NULL ? NULL : add(f);
        if (kept != NULL)
            *kept = p;
        error = kept == NULL ? BYW_CU_NO_MEMORY : BYW_CU_OK;
    }
    note(f, block, thread, error);
    return error == BYW_CU_OK ? (uint64_t)(uintptr_t)p.params : 0;
}

static struct pending *find_params(const struct family *f, uint64_t params)
{
    for (size_t i = f->count; i > 0; i--)
        if (f->item[i - 1].params != NULL && (uint64_t)(uintptr_t)f->item[i - 1].params == params &&
            !f->item[i - 1].issued)
            return &f->item[i - 1];
    return NULL;
}

static void issue(struct pending *p, struct family *f, uint64_t block, uint64_t stream)
{
    p->issued = true;
    p->tail = stream == TAIL_LAUNCH;
    p->by = block;
    p->order = ++f->memory->number;
}

/* LaunchDeviceV2(params, stream) */
static enum byw_cu_error launch(struct family *f, uint64_t block, const uint64_t *word)
{
    struct pending *p = find_params(f, word[0]);

    if (p == NULL || p->function == NULL)
        return BYW_CU_INVALID_VALUE;
    issue(p, f, block, word[1]);
    return BYW_CU_OK;
}

/* LaunchDevice(function, params, grid, block, shared, stream) */
static enum byw_cu_error launch_first(struct family *f, uint64_t block, const uint64_t *word)
{
    struct pending *p = find_params(f, word[1]);
    enum byw_cu_error error;

    if (p == NULL)
        return BYW_CU_INVALID_VALUE;
    error = configure(f, p, word[0], &word[2], word[8]);
    if (error == BYW_CU_OK)
        issue(p, f, block, word[9]);
    return error;
}

/* Whether bytes are memory of the device. */
static bool is_memory(const void *at, size_t pitch, size_t width, size_t height)
{
    size_t bytes, size = height == 0 ? 0 : (height - 1) * pitch + width;
    void *base;

    if (size == 0)
        return true;
    if (byw_cu_memory_of(at, &base, &bytes) == BYW_CU_UNKNOWN)
        return false;
    return size <= bytes - (size_t)((const unsigned char *)at - (const unsigned char *)base);
}

static bool is_within(const struct transfer *t)
{
    return is_memory(t->to, t->to_pitch, t->width, t->height) &&
           (t->from == NULL || is_memory(t->from, t->from_pitch, t->width, t->height));
}

static enum byw_cu_error move(struct family *f, uint64_t block, struct transfer t, uint64_t stream)
{
    bool rows =
        t.height < 2 || (t.to_pitch >= t.width && (t.from == NULL || t.from_pitch >= t.width));
    bool small = t.width <= UINT32_MAX && t.height <= UINT32_MAX && t.to_pitch <= UINT32_MAX &&
                 t.from_pitch <= UINT32_MAX;
    enum byw_cu_error error = may_launch(f);
    struct pending *p;

    if (error != BYW_CU_OK)
        return error;
    if (!small || !rows || !is_within(&t))
        return BYW_CU_INVALID_VALUE;
    p = add(f);
    if (p == NULL)
        return BYW_CU_NO_MEMORY;
    p->transfer = t;
    issue(p, f, block, stream);
    return BYW_CU_OK;
}

static void *pointer(uint64_t word)
{
    return (void *)(uintptr_t)word;
}

/* Answers copies and fills. */
static enum byw_cu_error transfer(struct family *f, uint32_t call, uint64_t block,
                                  const uint64_t *w)
{
    switch (call) {
    case CALL(MemcpyAsync):
        if (w[1] == 0 && w[2] != 0)
            return BYW_CU_INVALID_VALUE;
        return move(f, block, (struct transfer){pointer(w[0]), pointer(w[1]), 0, 0, w[2], 1, 0},
                    w[4]);
    case CALL(Memcpy2DAsync):
        if (w[2] == 0)
            return BYW_CU_INVALID_VALUE;
        return move(f, block,
                    (struct transfer){pointer(w[0]), pointer(w[2]), w[1], w[3], w[4], w[5], 0},
                    w[7]);
    case CALL(MemsetAsync):
        return move(f, block, (struct transfer){pointer(w[0]), NULL, 0, 0, w[2], 1, (int)w[1]},
                    w[3]);
    default: /* Memset2DAsync */
        return move(f, block,
                    (struct transfer){pointer(w[0]), NULL, w[1], 0, w[3], w[4], (int)w[2]}, w[5]);
    }
}

static enum byw_cu_error put_size(uint64_t to, size_t value)
{
    memcpy(pointer(to), &value, sizeof(value));
    return BYW_CU_OK;
}

static enum byw_cu_error put_int(uint64_t to, int value)
{
    memcpy(pointer(to), &value, sizeof(value));
    return BYW_CU_OK;
}

/* A new stream or event, whose flags must be `flags`. */
static enum byw_cu_error create(struct family *f, const uint64_t *word, unsigned flags)
{
    if ((unsigned)word[1] != flags)
        return BYW_CU_INVALID_VALUE;
    return put_size(word[0], FIRST_HANDLE + ++f->memory->number);
}

static enum byw_cu_error allocate(const uint64_t *word)
{
    void *memory = byw_cu_take(word[1]);

    put_size(word[0], (size_t)(uintptr_t)memory);
    return memory != NULL ? BYW_CU_OK : BYW_CU_NO_MEMORY;
}

/* The head of cudaFuncAttributes, which CUDA has not changed. */
struct attributes {
    size_t shared, constant, local;
    int most_threads, registers, ptx, binary, cache, dynamic_most, carveout;
};

/* The kernel of a question; nothing is compiled while a kernel runs. */
static enum byw_cu_error find_kernel(const struct family *f, uint64_t number,
                                     struct byw_cu_function **function)
{
    *function = byw_cu_find_number(byw_cu_function_module(f->parent), number);
    if (*function == NULL)
        return BYW_CU_INVALID_FUNCTION;
    if (byw_cu_is_compiled(*function))
        return BYW_CU_OK;
    byw_cu_say("kernel %s asks for properties of kernel %s, which is compiled when it is first "
               "launched",
               byw_cu_function_name(f->parent), byw_cu_function_name(*function));
    return BYW_CU_NOT_SUPPORTED;
}

static enum byw_cu_error describe(const struct family *f, const uint64_t *word)
{
    struct byw_cu_function *function;
    enum byw_cu_error error = find_kernel(f, word[1], &function);
    struct byw_cu_attributes a;
    struct attributes all;

    if (error != BYW_CU_OK)
        return error;
    a = byw_cu_attributes(function);
    all = (struct attributes){a.shared_bytes,      0,
                              a.local_bytes,       (int)a.most_threads,
                              (int)a.registers,    (int)a.target,
                              (int)a.target,       0,
                              (int)a.dynamic_most, -1};
    memcpy(pointer(word[0]), &all, sizeof(all));
    return BYW_CU_OK;
}

static enum byw_cu_error occupy(const struct family *f, const uint64_t *word)
{
    struct byw_cu_function *function;
    enum byw_cu_error error = find_kernel(f, word[1], &function);

    if (error != BYW_CU_OK)
        return error;
    return put_int(word[0], (int)byw_cu_occupancy(function, (unsigned)word[2], word[3]));
}

/* Answers questions. */
static enum byw_cu_error query(struct family *f, uint32_t call, const uint64_t *word)
{
    enum byw_cu_error error;
    int value;

    switch (call) {
    case CALL(GetDevice):
    case CALL(DeviceGetCacheConfig):
    case CALL(DeviceGetSharedMemConfig):
        return put_int(word[0], 0);
    case CALL(GetDeviceCount):
        return put_int(word[0], 1);
    case CALL(DeviceGetAttribute):
        error = byw_cu_device_attribute((int)word[1], &value);
        return error == BYW_CU_OK ? put_int(word[0], value) : error;
    case CALL(DeviceGetLimit):
        return put_size(word[0], byw_cu_limit((int)word[1]));
    case CALL(RuntimeGetVersion):
        return put_int(word[0], RUNTIME_VERSION);
    case CALL(FuncGetAttributes):
        return describe(f, word);
    case CALL(StreamCreateWithFlags):
        return create(f, word, NON_BLOCKING);
    case CALL(EventCreateWithFlags):
        return create(f, word, UNTIMED);
    case CALL(StreamDestroy):
    case CALL(EventDestroy):
    case CALL(StreamWaitEvent):
    case CALL(EventRecord):
    case CALL(EventRecordWithFlags):
        return word[0] < FIRST_HANDLE && (call == CALL(StreamDestroy) || call == CALL(EventDestroy))
                   ? BYW_CU_INVALID_HANDLE
                   : BYW_CU_OK;
    default: /* occupancy */
        return occupy(f, word);
    }
}

static uint64_t text(const char *known)
{
    return (uint64_t)(uintptr_t)(known != NULL ? known : "unrecognized error code");
}

/* A call of CUDA's runtime by a kernel; it may run on a small stack. */
static uint64_t answer(uint32_t call, uint64_t block, uint64_t thread, const uint64_t *word)
{
    struct family *f = running;

    switch (call) {
    case CALL(GetParameterBuffer):
        return reserve(f, block, thread, word, false);
    case CALL(GetParameterBufferV2):
        return reserve(f, block, thread, word, true);
    case CALL(LaunchDevice):
        return note(f, block, thread, launch_first(f, block, word));
    case CALL(LaunchDeviceV2):
        return note(f, block, thread, launch(f, block, word));
    case CALL(GetLastError):
        return last_error(f, block, thread, true);
    case CALL(PeekAtLastError):
        return last_error(f, block, thread, false);
    case CALL(GetErrorString):
        return text(byw_cu_error_text((int)word[0]));
    case CALL(GetErrorName):
        return text(byw_cu_error_name((int)word[0], true));
    case CALL(Malloc):
        return note(f, block, thread, allocate(word));
    case CALL(Free):
        return note(f, block, thread, byw_cu_give(pointer(word[0])));
    case CALL(MemcpyAsync):
    case CALL(Memcpy2DAsync):
    case CALL(MemsetAsync):
    case CALL(Memset2DAsync):
        return note(f, block, thread, transfer(f, call, block, word));
    default:
        return note(f, block, thread, query(f, call, word));
    }
}

/* Tail launches last; what was not launched after them. */
static int by_order(const void *a, const void *b)
{
    const struct pending *x = a, *y = b;

    if (x->issued != y->issued)
        return x->issued ? -1 : 1;
    if (x->tail != y->tail)
        return x->tail ? 1 : -1;
    if (x->by != y->by)
        return x->by < y->by ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Runs a grid and collects what it launches. */
static enum byw_cu_error run_grid(struct family *f, const unsigned grid[3], const unsigned block[3],
                                  const unsigned *cluster, size_t shared, void *const *args)
{
    struct family *outer = running;
    enum byw_cu_error error;

    running = f;
    error = byw_cu_launch_grid(f->parent, grid, block, cluster, shared, args, answer);
    running = outer;
    if (f->count > 1)
        qsort(f->item, f->count, sizeof(*f->item), by_order);
    return error;
}

static enum byw_cu_error run_transfer(const struct transfer *t)
{
    if (!is_within(t)) {
        byw_cu_say("a kernel has freed memory that it copies or fills on the device");
        return BYW_CU_LAUNCH_FAILED;
    }
    for (size_t row = 0; row < t->height; row++) {
        if (t->from != NULL)
            memmove(t->to + row * t->to_pitch, t->from + row * t->from_pitch, t->width);
        else
            memset(t->to + row * t->to_pitch, t->value, t->width);
    }
    return BYW_CU_OK;
}

/* Runs one item of a list; `child`: what it launches. */
static enum byw_cu_error run_item(const struct pending *p, struct family *child)
{
    enum byw_cu_error error;
    unsigned params = 0;
    size_t offset;
    void **args;

    if (p->params == NULL)
        return run_transfer(&p->transfer);
    child->memory->outstanding--;
    if (!p->issued)
        return BYW_CU_OK;
    while (byw_cu_parameter(p->function, params, NULL) != 0)
        params++;
    args = calloc(params + 1u, sizeof(*args));
    if (args == NULL)
        return BYW_CU_NO_MEMORY;
    for (unsigned i = 0; i < params; i++) {
        byw_cu_parameter(p->function, i, &offset);
        args[i] = p->params + offset;
    }
    child->memory->outstanding++;
    error = run_grid(child, p->grid, p->block, NULL, p->shared, args);
    child->memory->outstanding--;
    free(args);
    return error;
}

/* Lists whose items run; a list is freed when its last item has run, so that chains of launches
 * need no memory. */
struct stack {
    struct family *family;
    size_t count, room;
};

/* Takes ownership of the list; false: out of memory. */
static bool push(struct stack *s, struct family *f)
{
    if (f->count == 0 || !BYW_ARRAY_ROOM(s->family, s->room, s->count + 1)) {
        free_family(f);
        return f->count == 0;
    }
    s->family[s->count++] = *f;
    return true;
}

/* Runs a list, which it frees, and all that its grids launch. */
static enum byw_cu_error run_below(struct family *list)
{
    struct stack s = {.family = NULL};
    enum byw_cu_error first = push(&s, list) ? BYW_CU_OK : BYW_CU_NO_MEMORY;

    while (s.count != 0) {
        struct family *f = &s.family[s.count - 1];
        struct pending item = f->item[f->next++];
        struct family child = {
            .memory = f->memory, .parent = item.function, .depth = f->depth + !item.tail};
        enum byw_cu_error error;

        if (f->next == f->count) {
            free_family(f);
            s.count--;
        }
        error = run_item(&item, &child);
        if (!push(&s, &child) && error == BYW_CU_OK)
            error = BYW_CU_NO_MEMORY;
        first = first != BYW_CU_OK ? first : error;
    }
    free(s.family);
    return first;
}

enum byw_cu_error byw_cu_launch(struct byw_cu_function *function, const unsigned grid[3],
                                const unsigned block[3], const unsigned cluster[3], size_t dynamic,
                                void *const *args)
{
    struct memory memory = {.chunk = NULL};
    struct family family = {.parent = function, .memory = &memory};
    enum byw_cu_error error = run_grid(&family, grid, block, cluster, dynamic, args), below;

    below = run_below(&family);
    give_memory(&memory);
    return error != BYW_CU_OK ? error : below;
}
