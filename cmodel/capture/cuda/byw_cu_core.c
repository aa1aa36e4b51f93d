/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules, kernels, variables and launches, on the process of the capture (byw_cl_process.c).
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cu.h"
#include "capture/cuda/byw_cu_compile.h"
#include "capture/cuda/byw_cu_fatbin.h"
#include "capture/cuda/byw_cu_grid.h"
#include "capture/cuda/byw_cu_source.h"
#include "capture/run/byw_cl_print.h"
#include "capture/run/byw_cl_process.h"

/* Page size of a GPU. Programs that read slightly past the end of a buffer work on a GPU, so they
 * must work here. */
#define PAGE (2u << 20)
#define WORKSPACE 4096u /* bytes */
#define WORDS_MOST 64u /* arguments of one printf */
#define CLUSTER_PORTABLE 8u /* blocks of a cluster, unless a program asks for more */
#define GPC_SMS                                                                                    \
    16u /* SMs that hold a cluster: an estimate, since it differs between individual GPUs */

/* A module with more bytes of PTX is split: each kernel is compiled separately on first use.
 * Libraries have thousands of kernels, and a program uses only a few. */
#define WHOLE_MOST (256u << 10)

struct code {
    struct byw_cu_binary main;
    struct byw_cu_binary plain; /* the same without the log, compiled when a launch needs it */
    bool tried; /* whether compiling `plain` has been tried */
};

struct byw_cu_function {
    struct byw_cu_module *module;
    struct code own; /* if the module is split */
    const char *name;
    const struct byw_cl_export_kernel *kernel; /* NULL: cannot run, or not compiled yet */
    const char *why; /* why it cannot run */
    unsigned most_threads;
    const struct byw_cu_kernel *declared; /* in the module's image */
    bool large_clusters; /* allowed by the program */
    unsigned cluster[3]; /* of its last launch */
    unsigned dynamic_most, dynamic_align;
    unsigned shared, dynamic; /* bytes of its last launch */
    byw_cu_runtime *runtime; /* of its last launch */
    unsigned params;
    const struct byw_cu_param *param;
};

struct byw_cu_module {
    struct code code; /* of all kernels; of none if the module is split */
    bool split;
    char *text; /* PTX */
    size_t length;
    struct byw_cu_function *function;
    uint32_t functions;
    unsigned target; /* of the PTX: 90 for sm_90 */
    void **variable; /* memory of each variable, by its number; NULL: no memory */
    void *workspace;
};

/* Bytes of device memory in use by the whole process; the arena is process-wide, too. */
static _Atomic size_t taken;
static _Atomic int broken; /* a kernel has failed with this error */

void byw_cu_say(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    fputs("byway: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
}

enum byw_cu_error byw_cu_broken(void)
{
    return (enum byw_cu_error)broken;
}

uint64_t byw_cu_now(void)
{
    return byw_cl_now();
}

void *byw_cu_take(size_t size)
{
    void *memory;

    if (size > byw_cu_device()->memory || taken + size > byw_cu_device()->memory)
        return NULL;
    size = (size / PAGE + 1) * PAGE;
    memory = byw_cl_arena_take(size);
    if (memory != NULL)
        taken += size;
    return memory;
}

enum byw_cu_error byw_cu_take_again(void *memory, size_t size)
{
    if (byw_cl_arena_size(memory) != 0)
        return BYW_CU_OK;
    size = (size / PAGE + 1) * PAGE;
    if (!byw_cl_arena_retake(memory, size))
        return BYW_CU_NO_MEMORY;
    taken += size;
    return BYW_CU_OK;
}

enum byw_cu_error byw_cu_give(void *memory)
{
    size_t size;

    if (memory == NULL)
        return BYW_CU_OK;
    size = byw_cl_arena_size(memory);
    if (size == 0)
        return BYW_CU_INVALID_VALUE;
    byw_cu_forget(memory);
    byw_cl_arena_give(memory, size);
    taken -= size > taken ? taken : size;
    return BYW_CU_OK;
}

size_t byw_cu_taken(void)
{
    return taken;
}

bool byw_cu_find_memory(const void *address, void **base, size_t *size)
{
    uint64_t at, bytes, value = (uint64_t)(uintptr_t)address;

    if (!byw_cl_arena_nearest(value, &at, &bytes) || value < at || value >= at + bytes)
        return false;
    *base = (void *)(uintptr_t)at;
    *size = bytes;
    return true;
}

void *byw_cu_take_as(enum byw_cu_memory kind, size_t size, unsigned flags)
{
    void *memory = byw_cu_take(size);

    if (memory != NULL && !byw_cu_mark(memory, kind, size, flags)) {
        byw_cu_give(memory);
        return NULL;
    }
    return memory;
}

enum byw_cu_memory byw_cu_memory_of(const void *address, void **base, size_t *size)
{
    enum byw_cu_memory kind = byw_cu_marked(address, base, size);

    if (kind == BYW_CU_UNKNOWN && byw_cu_find_memory(address, base, size))
        return BYW_CU_DEVICE;
    return kind;
}

/* Bytes of the argument that a conversion consumes; 0: none. */
static unsigned argument_size(const char *at, const char **end)
{
    size_t length = 1 + strspn(at + 1, "-+ #0123456789.");
    unsigned bytes = 4;

    for (at += length; *at == 'l' || *at == 'z' || *at == 'j' || *at == 't'; at++)
        bytes = 8;
    at += strspn(at, "h");
    *end = *at == '\0' ? at : at + 1;
    if (strchr("fFeEgGaAsp", *at) != NULL)
        return 8;
    return *at == '%' ? 0 : bytes;
}

/* vprintf of a kernel: arguments packed as in memory, each at a multiple of its size.  Its
 * output stays in order with the program's own output through stdio. */
static int print(const char *format, const void *args)
{
    const unsigned char *from = args;
    uint64_t word[WORDS_MOST] = {0};
    size_t offset = 0;
    uint32_t count = 0;

    for (const char *at = strchr(format, '%'); at != NULL && *at != '\0' && count < WORDS_MOST;) {
        const char *end;
        unsigned size = argument_size(at, &end);

        if (size != 0) {
            offset = (offset + size - 1) / size * size;
            memcpy(&word[count++], from + offset, size);
            offset += size;
        }
        at = strchr(end, '%');
    }
    fflush(stdout);
    return byw_cl_print(format, word) == 0 ? (int)count : -1;
}

/* Ends the launch; all later ones fail, as on a GPU. file NULL: a limit of byway was reached, which
 * a GPU does not have. */
static void fail(const char *message, const char *file, unsigned line, const char *function)
{
    if (message == NULL)
        byw_cu_say("a kernel executed trap");
    else if (file == NULL)
        byw_cu_say("%s", message);
    else
        byw_cu_say("%s:%u: %s: assertion `%s' failed in a kernel", file, line, function, message);
    fflush(stdout);
    if (message != NULL && file == NULL)
        exit(EXIT_FAILURE);
    broken = message == NULL ? BYW_CU_LAUNCH_FAILED : BYW_CU_ASSERT;
    byw_cl_end_launch();
}

static void overflow(const char *function, uint64_t depth, uint64_t bytes)
{
    byw_cu_say("function %s: calls nest %llu deep, which needs more stack than a thread has (%llu "
               "bytes); cudaDeviceSetLimit(cudaLimitStackSize, BYTES) before the kernel is loaded "
               "gives more",
               function, (unsigned long long)depth, (unsigned long long)bytes);
    fflush(stdout);
    exit(EXIT_FAILURE);
}

static void *take_heap(uint64_t size)
{
    return byw_cu_take(size);
}

static void give_heap(void *memory)
{
    byw_cu_give(memory);
}

static const void *at_offset(const struct byw_cu_image *image, uint32_t offset)
{
    return (const unsigned char *)image + offset;
}

/* Allocates memory for the variables, and fills the table of their addresses. */
static enum byw_cu_error place_variables(struct byw_cu_module *m)
{
    const struct byw_cu_image *image = m->code.main.image;
    const struct byw_cu_variable *v = at_offset(image, image->variable_at);

    m->variable = calloc(image->variables + 1u, sizeof(*m->variable));
    if (m->variable == NULL)
        return BYW_CU_NO_MEMORY;
    for (uint32_t i = 0; i < image->variables; i++) {
        if (v[i].size == 0)
            continue;
        m->variable[i] = byw_cu_take(v[i].size);
        if (m->variable[i] == NULL)
            return BYW_CU_NO_MEMORY;
        if (v[i].init_at != 0)
            memcpy(m->variable[i], at_offset(image, v[i].init_at), v[i].size);
    }
    return BYW_CU_OK;
}

/* Passes the addresses of variables and of callable functions to the code. A kernel of a split
 * module has the module's variables in their order, but not other kernels' shared ones, which have
 * no address. */
static void fill_in(const struct byw_cu_module *m, const struct byw_cu_binary *binary)
{
    const struct byw_cu_image *whole = m->code.main.image, *image = binary->image;
    const struct byw_cu_variable *all = at_offset(whole, whole->variable_at);
    const struct byw_cu_variable *v = at_offset(image, image->variable_at);

    for (uint32_t i = 0, n = 0; i < image->variables; i++) {
        while (v[i].size > 0 && n < whole->variables && all[n].size == 0)
            n++;
        if (v[i].size > 0 && n < whole->variables)
            binary->table[i] = (uint64_t)(uintptr_t)m->variable[n++];
    }
    if (binary->hooks != NULL)
        *binary->hooks = (struct byw_cu_hooks){.print = print,
                                               .fail = fail,
                                               .overflow = overflow,
                                               .take = take_heap,
                                               .give = give_heap,
                                               .workspace = (uint64_t)(uintptr_t)m->workspace};
}

/* Writes the addresses that initial values contain. */
static void write_addresses(struct byw_cu_module *m)
{
    const struct byw_cu_image *image = m->code.main.image;
    const struct byw_cu_variable *v = at_offset(image, image->variable_at);
    const struct byw_cu_address *a = at_offset(image, image->address_at);

    for (uint32_t i = 0; i < image->variables; i++)
        for (uint32_t k = v[i].first_address; k < v[i].first_address + v[i].addresses; k++) {
            uint64_t value = (uint64_t)a[k].add;

            if (a[k].variable < image->variables)
                value += (uint64_t)(uintptr_t)m->variable[a[k].variable];
            value >>= a[k].shift;
            memcpy((unsigned char *)m->variable[i] + a[k].offset, &value,
                   a[k].bytes < 8 ? a[k].bytes : 8);
        }
}

static unsigned default_dynamic(unsigned shared)
{
    unsigned most = byw_cu_device()->shared_per_block;

    return shared < most ? most - shared : 0;
}

/* Finds a kernel in a binary's image: its code, or the reason why it has none. */
static void bind(struct byw_cu_function *f, const struct byw_cu_binary *b)
{
    const struct byw_cu_kernel *k = at_offset(b->image, b->image->kernel_at);
    const struct byw_cu_missing *missing = at_offset(b->image, b->image->missing_at);

    for (uint32_t i = 0; i < b->image->kernels; i++)
        if (k[i].index < byw_cl_binary_export(b->binary)->kernels &&
            strcmp(at_offset(b->image, k[i].name_at), f->name) == 0)
            f->kernel = byw_cl_binary_kernel(b->binary, k[i].index);
    for (uint32_t e = 0; e < b->image->missing; e++)
        if (strcmp(at_offset(b->image, missing[e].name_at), f->name) == 0)
            f->why = at_offset(b->image, missing[e].why_at);
    if (f->kernel != NULL)
        f->dynamic_most = default_dynamic(f->kernel->code->shared_bytes);
    f->dynamic_align = b->image->dynamic_align;
}

/* Lists every kernel of the module, whether it can run or not. */
static enum byw_cu_error list_functions(struct byw_cu_module *m)
{
    const struct byw_cu_image *image = m->code.main.image;
    const struct byw_cu_kernel *k = at_offset(image, image->kernel_at);

    m->function = calloc(image->kernels + 1u, sizeof(*m->function));
    if (m->function == NULL)
        return BYW_CU_NO_MEMORY;
    m->functions = image->kernels;
    for (uint32_t i = 0; i < image->kernels; i++) {
        m->function[i] = (struct byw_cu_function){.module = m,
                                                  .name = at_offset(image, k[i].name_at),
                                                  .most_threads = k[i].most_threads,
                                                  .declared = &k[i],
                                                  .params = k[i].params,
                                                  .param = at_offset(image, k[i].param_at)};
        if (!m->split)
            bind(&m->function[i], &m->code.main);
    }
    return BYW_CU_OK;
}

/* Completes a binary that was loaded. Code that calls the driver has hooks and needs a
 * workspace. */
static void finish(struct byw_cu_module *m, const struct byw_cu_binary *b)
{
    if (b->hooks != NULL && m->workspace == NULL)
        m->workspace = byw_cu_take(WORKSPACE);
    fill_in(m, b);
}

/* Compiles a kernel of a split module, once. */
static void compile_own(struct byw_cu_function *f)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct byw_cu_module *m = f->module;
    struct byw_diag diag = {{0}};

    if (!m->split)
        return;
    pthread_mutex_lock(&lock);
    if (f->kernel == NULL && f->why == NULL) {
        enum byw_status status =
            byw_cu_compile(m->text, m->length, f->name, byw_cl_tracing(), &f->own.main, &diag);

        if (status == BYW_OK) {
            bind(f, &f->own.main);
            finish(m, &f->own.main);
        } else {
            byw_cu_say("%s", diag.text);
            byw_cl_refuse(diag.text, status == BYW_EIO);
            f->why = "it could not be compiled";
        }
    }
    pthread_mutex_unlock(&lock);
}

/* The architecture of the PTX. Programs choose block sizes by it: CUB uses the sizes for the
 * architecture that the PTX was compiled for. */
static unsigned target_of(const char *text)
{
    static const char directive[] = ".target sm_";
    const char *at = strstr(text, directive);

    return at == NULL ? 0 : (unsigned)strtoul(at + strlen(directive), NULL, 10);
}

static enum byw_cu_error error_of(enum byw_status status)
{
    return status == BYW_OK             ? BYW_CU_OK
           : status == BYW_ENOMEM       ? BYW_CU_NO_MEMORY
           : status == BYW_EUNSUPPORTED ? BYW_CU_NO_BINARY
                                        : BYW_CU_INVALID_PTX;
}

enum byw_cu_error byw_cu_load(const void *image, struct byw_cu_module **module)
{
    return byw_cu_load_sized(image, 0, module);
}

enum byw_cu_error byw_cu_load_sized(const void *image, size_t size, struct byw_cu_module **module)
{
    const struct byw_cu_device *device = byw_cu_device();
    struct byw_cu_module *m = calloc(1, sizeof(*m));
    struct byw_diag diag = {{0}};
    enum byw_status status;
    enum byw_cu_error error;

    if (m == NULL)
        return BYW_CU_NO_MEMORY;
    status = byw_cu_find_ptx(image, size, 10 * device->major + device->minor, &m->text, &m->length,
                             &diag);
    if (status == BYW_OK) {
        m->target = target_of(m->text);
        byw_cu_source_instead(&m->text, &m->length, m->target);
        m->split = m->length > WHOLE_MOST;
        status = byw_cu_compile(m->text, m->length, m->split ? "" : NULL,
                                byw_cl_tracing() && !m->split, &m->code.main, &diag);
    }
    if (status != BYW_OK) {
        byw_cu_say("%s", diag.text);
        byw_cl_refuse(diag.text, status == BYW_EIO);
    }
    error = error_of(status);
    if (error == BYW_CU_OK)
        error = place_variables(m);
    if (error == BYW_CU_OK)
        error = list_functions(m);
    if (error != BYW_CU_OK) {
        byw_cu_unload(m);
        return error;
    }
    write_addresses(m);
    finish(m, &m->code.main);
    *module = m;
    return BYW_CU_OK;
}

static void free_code(struct code *code)
{
    byw_cu_binary_free(&code->main);
    byw_cu_binary_free(&code->plain);
}

void byw_cu_unload(struct byw_cu_module *m)
{
    if (m == NULL)
        return;
    for (uint32_t i = 0; m->variable != NULL && i < m->code.main.image->variables; i++)
        byw_cu_give(m->variable[i]);
    byw_cu_give(m->workspace);
    free(m->variable);
    for (uint32_t i = 0; i < m->functions; i++)
        free_code(&m->function[i].own);
    free(m->function);
    free_code(&m->code);
    free(m->text);
    free(m);
}

enum byw_cu_error byw_cu_find_function(struct byw_cu_module *m, const char *name,
                                       struct byw_cu_function **function)
{
    for (uint32_t i = 0; i < m->functions; i++)
        if (strcmp(m->function[i].name, name) == 0) {
            *function = &m->function[i];
            return BYW_CU_OK;
        }
    return BYW_CU_NOT_FOUND;
}

enum byw_cu_error byw_cu_find_variable(struct byw_cu_module *m, const char *name, void **address,
                                       size_t *size)
{
    const struct byw_cu_image *image = m->code.main.image;
    const struct byw_cu_variable *v = at_offset(image, image->variable_at);

    for (uint32_t i = 0; i < image->variables; i++)
        if (m->variable[i] != NULL && strcmp(at_offset(image, v[i].name_at), name) == 0) {
            *address = m->variable[i];
            *size = v[i].size;
            return BYW_CU_OK;
        }
    return BYW_CU_NOT_FOUND;
}

struct byw_cu_function *byw_cu_find_number(struct byw_cu_module *m, uint64_t number)
{
    for (uint32_t i = 0; i < m->functions; i++)
        if (m->function[i].declared->number == number)
            return &m->function[i];
    return NULL;
}

bool byw_cu_is_compiled(const struct byw_cu_function *f)
{
    return f->kernel != NULL || !f->module->split;
}

struct byw_cu_attributes byw_cu_attributes(struct byw_cu_function *f)
{
    struct byw_cu_attributes a = {.most_threads = 1024, .target = f->module->target};

    compile_own(f);
    a.dynamic_most = f->dynamic_most;
    if (f->most_threads != 0 && f->most_threads < a.most_threads)
        a.most_threads = f->most_threads;
    memcpy(a.cluster, f->declared->cluster, sizeof(a.cluster));
    a.clustered = f->declared->clustered != 0 || a.cluster[0] != 0;
    a.large_clusters = f->large_clusters;
    if (f->kernel == NULL)
        return a;
    a.shared_bytes = f->kernel->code->shared_bytes;
    a.local_bytes = f->kernel->code->private_bytes;
    a.registers = f->kernel->code->registers;
    a.parameters = f->params;
    return a;
}

struct byw_cu_function *byw_cu_function(struct byw_cu_module *m, unsigned n)
{
    return n < m->functions ? &m->function[n] : NULL;
}

struct byw_cu_module *byw_cu_function_module(const struct byw_cu_function *f)
{
    return f->module;
}

const char *byw_cu_function_name(const struct byw_cu_function *f)
{
    return f->name;
}

enum byw_cu_error byw_cu_allow_dynamic(struct byw_cu_function *f, unsigned bytes)
{
    unsigned fixed;

    compile_own(f);
    fixed = f->kernel == NULL ? 0 : f->kernel->code->shared_bytes;
    if (bytes + fixed > byw_cu_device()->shared_optin)
        return BYW_CU_INVALID_VALUE;
    f->dynamic_most = bytes;
    return BYW_CU_OK;
}

size_t byw_cu_parameter(const struct byw_cu_function *f, unsigned n, size_t *offset)
{
    if (n >= f->params)
        return 0;
    if (offset != NULL)
        *offset = f->param[n].offset;
    return f->param[n].size;
}

static unsigned shared_of(const struct byw_cu_function *f, size_t dynamic)
{
    unsigned fixed = f->kernel == NULL ? 0 : f->kernel->code->shared_bytes;

    if (dynamic == 0)
        return fixed;
    return (fixed + f->dynamic_align - 1) / f->dynamic_align * f->dynamic_align + (unsigned)dynamic;
}

enum byw_cu_error byw_cu_check_launch(struct byw_cu_function *f, const unsigned grid[3],
                                      const unsigned block[3], size_t dynamic)
{
    static const unsigned grid_most[3] = {INT32_MAX, 65535, 65535};
    static const unsigned block_most[3] = {1024, 1024, 64};
    uint64_t threads = 1;

    for (int d = 0; d < 3; d++) {
        if (grid[d] == 0 || grid[d] > grid_most[d] || block[d] == 0 || block[d] > block_most[d])
            return BYW_CU_INVALID_CONFIGURATION;
        threads *= block[d];
    }
    if (threads > 1024 || (f->most_threads != 0 && threads > f->most_threads))
        return BYW_CU_INVALID_CONFIGURATION;
    if (f->kernel == NULL) /* not compiled yet */
        return dynamic > byw_cu_device()->shared_per_block ? BYW_CU_INVALID_VALUE : BYW_CU_OK;
    if (f->kernel->code->shared_bytes > byw_cu_device()->shared_optin)
        return BYW_CU_INVALID_VALUE;
    return dynamic > f->dynamic_most ? BYW_CU_INVALID_VALUE : BYW_CU_OK;
}

/* The code that contains a kernel. */
static struct code *code_of(struct byw_cu_function *f)
{
    return f->module->split ? &f->own : &f->module->code;
}

/* Passes a launch's properties to its code. */
static void tell_code(const struct byw_cu_function *f, const struct byw_cu_binary *b)
{
    if (b->hooks == NULL)
        return;
    b->hooks->shared = f->shared;
    b->hooks->dynamic = f->dynamic;
    b->hooks->runtime = f->runtime;
    memcpy(b->hooks->cluster, f->cluster, sizeof(f->cluster));
}

/* The same code without the log; compiled when first needed. */
static void find_plain(void *context, struct byw_cl_launch *plain)
{
    struct byw_cu_function *f = context;
    struct byw_cu_module *m = f->module;
    struct code *code = code_of(f);
    const struct byw_cl_export *export = byw_cl_binary_export(code->main.binary);
    struct byw_diag diag = {{0}};
    uint32_t index = 0;

    if (!code->tried && byw_cu_compile(m->text, m->length, m->split ? f->name : NULL, false,
                                       &code->plain, &diag) != BYW_OK)
        byw_cu_say("%s", diag.text);
    else if (!code->tried)
        fill_in(m, &code->plain);
    code->tried = true;
    if (code->plain.binary == NULL)
        return;
    tell_code(f, &code->plain);
    while (index < export->kernels && byw_cl_binary_kernel(code->main.binary, index) != f->kernel)
        index++;
    plain->program = byw_cl_binary_export(code->plain.binary);
    plain->kernel = byw_cl_binary_kernel(code->plain.binary, index);
}

void byw_cu_skip_launch(const char *kernel, const char *why)
{
    char text[512];

    snprintf(text, sizeof(text), "kernel %.200s cannot run: %.250s", kernel, why);
    byw_cu_say("%s", text);
    byw_cl_skip_launch(text);
}

/* Blocks that an SM holds; the limit by registers is left out, because their number is an estimate
 * where NVIDIA's assembler is missing. */
static unsigned blocks_per_sm(const struct byw_cu_function *f, unsigned threads, size_t dynamic)
{
    const struct byw_cu_device *d = byw_cu_device();
    unsigned blocks = d->blocks_per_sm, shared = shared_of(f, dynamic) + 1024; /* + the system's */

    threads = (threads + 31) / 32 * 32;
    blocks = d->threads_per_sm / threads < blocks ? d->threads_per_sm / threads : blocks;
    return d->shared_per_sm / shared < blocks ? d->shared_per_sm / shared : blocks;
}

bool byw_cu_fits(struct byw_cu_function *f, const unsigned grid[3], const unsigned block[3],
                 size_t dynamic)
{
    compile_own(f);
    return f->kernel == NULL || block[0] * block[1] * block[2] == 0 ||
           (uint64_t)grid[0] * grid[1] * grid[2] <=
               (uint64_t)blocks_per_sm(f, block[0] * block[1] * block[2], dynamic) *
                   byw_cu_device()->sms;
}

void byw_cu_allow_large_clusters(struct byw_cu_function *f, bool allow)
{
    f->large_clusters = allow;
}

unsigned byw_cu_cluster_most(struct byw_cu_function *f)
{
    unsigned most = f->large_clusters ? BYW_CL_CLUSTER_MOST : CLUSTER_PORTABLE;
    unsigned declared = f->declared->most_blocks;

    if (byw_cu_device()->major < 9)
        return 1;
    return declared != 0 && declared < most ? declared : most;
}

/* The blocks of a launch's clusters, zeros for none. */
static enum byw_cu_error choose_cluster(struct byw_cu_function *f, const unsigned grid[3],
                                        const unsigned *asked, unsigned cluster[3])
{
    const struct byw_cu_kernel *k = f->declared;
    unsigned blocks;

    if (asked == NULL || asked[0] == 0)
        asked = k->cluster;
    if (asked[0] == 0 && k->clustered)
        return BYW_CU_INVALID_CLUSTER;
    memset(cluster, 0, 3 * sizeof(*cluster));
    if (asked[0] == 0)
        return BYW_CU_OK;
    for (int d = 0; d < 3; d++) {
        cluster[d] = asked[d] == 0 ? 1 : asked[d];
        if (cluster[d] > BYW_CL_CLUSTER_MOST || grid[d] % cluster[d] != 0 ||
            (k->cluster[0] != 0 && cluster[d] != (k->cluster[d] == 0 ? 1 : k->cluster[d])))
            return BYW_CU_INVALID_CLUSTER;
    }
    blocks = cluster[0] * cluster[1] * cluster[2];
    return blocks > byw_cu_cluster_most(f) ? BYW_CU_INVALID_CLUSTER : BYW_CU_OK;
}

enum byw_cu_error byw_cu_launch_grid(struct byw_cu_function *f, const unsigned grid[3],
                                     const unsigned block[3], const unsigned cluster[3],
                                     size_t dynamic, void *const *args, byw_cu_runtime *runtime)
{
    struct byw_cl_launch launch = {.args = args, .work_dim = 3};
    enum byw_cu_error error;

    if (broken != 0)
        return byw_cu_broken();
    compile_own(f);
    if (f->kernel == NULL) {
        byw_cu_skip_launch(f->name, f->why != NULL ? f->why : "it does not exist");
        return BYW_CU_NOT_SUPPORTED;
    }
    error = byw_cu_check_launch(f, grid, block, dynamic);
    if (error == BYW_CU_OK)
        error = choose_cluster(f, grid, cluster, f->cluster);
    if (error != BYW_CU_OK)
        return error;
    launch.program = byw_cl_binary_export(code_of(f)->main.binary);
    launch.kernel = f->kernel;
    for (int d = 0; d < 3; d++) {
        launch.grid[d] = grid[d];
        launch.block[d] = launch.last[d] = block[d];
        launch.cluster[d] = f->cluster[d];
    }
    launch.shared_bytes = shared_of(f, dynamic);
    launch.resident =
        (uint64_t)blocks_per_sm(f, block[0] * block[1] * block[2], dynamic) * byw_cu_device()->sms;
    f->shared = launch.shared_bytes;
    f->dynamic = (unsigned)dynamic;
    f->runtime = runtime;
    tell_code(f, &code_of(f)->main);
    if (byw_cl_execute(&launch, find_plain, f))
        return BYW_CU_OK;
    return broken != 0 ? BYW_CU_OK : BYW_CU_LAUNCH_FAILED; /* launches report only earlier errors */
}

void byw_cu_find_cluster(const struct byw_cu_attribute *list, unsigned count, unsigned cluster[3])
{
    memset(cluster, 0, 3 * sizeof(*cluster));
    for (unsigned i = 0; i < count; i++)
        if (list[i].id == BYW_CU_ATTRIBUTE_CLUSTER)
            memcpy(cluster, &list[i].value[1], 3 * sizeof(*cluster));
}

enum byw_cu_error byw_cu_cluster_occupancy(struct byw_cu_function *f, const unsigned block[3],
                                           const unsigned cluster[3], size_t dynamic, int *clusters)
{
    unsigned size[3], threads = block[0] * block[1] * block[2],
                      gpcs = byw_cu_device()->sms / GPC_SMS;
    enum byw_cu_error error;

    compile_own(f);
    *clusters = 0;
    if (f->kernel == NULL || threads == 0 || cluster[0] == 0)
        return BYW_CU_INVALID_VALUE;
    error = choose_cluster(f, cluster, cluster, size);
    if (error == BYW_CU_OK)
        *clusters = (int)(byw_cu_occupancy(f, threads, dynamic) * GPC_SMS /
                          (size[0] * size[1] * size[2]) * gpcs);
    return error;
}

unsigned byw_cu_occupancy(struct byw_cu_function *f, unsigned threads, size_t dynamic)
{
    unsigned blocks, registers;

    compile_own(f);
    if (threads == 0)
        return 0;
    blocks = blocks_per_sm(f, threads, dynamic);
    if (f->kernel == NULL) /* its launch says why it cannot run; a program may divide by this */
        return blocks;
    registers = f->kernel->code->compiled_registers != 0 ? f->kernel->code->compiled_registers
                                                         : f->kernel->code->registers;
    registers = (registers + 7) / 8 * 8 * ((threads + 31) / 32 * 32);
    return registers != 0 && 65536 / registers < blocks ? 65536 / registers : blocks;
}
