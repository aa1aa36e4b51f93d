/* SPDX-License-Identifier: Apache-2.0
 *
 * Places variables and dynamic shared memory once kernels have been scanned, and builds the
 * image.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cu_image.h"
#include "capture/cuda/byw_cu_job.h"
#include "capture/cuda/byw_ptx_gen.h"
#include "common/byw_array.h"

/* Smallest and largest alignment of dynamic shared memory, in bytes; swizzled boxes of tensors need
 * the largest. */
#define DYNAMIC_ALIGN 16u
#define DYNAMIC_ALIGN_MOST 1024u

/* The largest alignment that a declaration of dynamic shared memory asks for. */
static uint32_t dynamic_align(const struct byw_cu_job *job)
{
    uint32_t align = DYNAMIC_ALIGN;

    for (uint32_t i = 0; i < job->ptx.variables; i++) {
        const struct byw_ptx_symbol *v = job->ptx.variable[i];

        if (v->space == BYW_PTX_SHARED && (v->external || v->count == 0) && v->align > align)
            align = v->align;
    }
    return align < DYNAMIC_ALIGN_MOST ? align : DYNAMIC_ALIGN_MOST;
}

static uint32_t variable_of(const struct byw_cu_job *job, const char *name)
{
    for (uint32_t i = 0; i < job->ptx.variables; i++)
        if (job->ptx.variable[i]->space != BYW_PTX_SHARED &&
            strcmp(job->ptx.variable[i]->name, name) == 0)
            return i;
    return UINT32_MAX;
}

/* Loads the variable's address from the table. */
static LLVMValueRef load_address(struct byw_cl_module *m, LLVMBuilderRef b, LLVMValueRef table,
                                 LLVMValueRef call, uint32_t index)
{
    LLVMValueRef at = LLVMConstInt(m->word, index, 0), value;

    at = LLVMBuildInBoundsGEP2(b, m->word, table, &at, 1, "");
    value = LLVMBuildLoad2(b, m->word, at, "");
    return LLVMBuildIntToPtr(b, value, LLVMTypeOf(call), "");
}

static void lower_calls(struct byw_cu_job *job, struct byw_cl_unit *unit, LLVMValueRef table)
{
    struct byw_cl_module *m = &job->m;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    uint64_t align = dynamic_align(job);
    uint64_t dynamic = (unit->shared_bytes + align - 1) / align * align;

    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(unit->function); bb;
         bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef next;

        for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = next) {
            const char *name = LLVMIsACallInst(i) != NULL ? byw_cl_callee(i) : NULL;
            LLVMValueRef value;

            next = LLVMGetNextInstruction(i);
            if (name == NULL ||
                strncmp(name, BYW_PTX_VARIABLE_PREFIX, sizeof(BYW_PTX_VARIABLE_PREFIX) - 1) != 0)
                continue;
            LLVMPositionBuilderBefore(b, i);
            if (strcmp(name, BYW_PTX_DYNAMIC) == 0)
                value = LLVMConstIntToPtr(LLVMConstInt(m->word, BYW_CL_SHARED_BASE + dynamic, 0),
                                          LLVMTypeOf(i));
            else
                value = load_address(m, b, table, i,
                                     variable_of(job, name + sizeof(BYW_PTX_VARIABLE_PREFIX) - 1));
            LLVMReplaceAllUsesWith(i, value);
            LLVMInstructionEraseFromParent(i);
        }
    }
    LLVMDisposeBuilder(b);
}

void byw_cu_lowered(struct byw_cl_module *m)
{
    struct byw_cu_job *job = (struct byw_cu_job *)m;
    LLVMTypeRef type = LLVMArrayType(m->word, job->ptx.variables + 1u);
    LLVMValueRef table = LLVMAddGlobal(m->module, type, BYW_CU_TABLE_NAME), next;
    size_t length;

    LLVMSetInitializer(table, LLVMConstNull(type));
    for (uint32_t k = 0; k < m->units; k++)
        lower_calls(job, &m->unit[k], table);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f) == NULL &&
            strncmp(LLVMGetValueName2(f, &length), "byw_cu_at.", 10) == 0)
            LLVMDeleteFunction(f);
    }
}

/* The image grows at its end, so offsets stay valid. */
struct blob {
    unsigned char *data;
    size_t size, room;
    bool short_of_memory;
};

static uint32_t put(struct blob *blob, const void *data, size_t size)
{
    size_t at = (blob->size + 7) & ~(size_t)7;

    if (!BYW_ARRAY_ROOM(blob->data, blob->room, at + size)) {
        blob->short_of_memory = true;
        return 0;
    }
    if (at != blob->size)
        memset(blob->data + blob->size, 0, at - blob->size);
    if (size != 0)
        memcpy(blob->data + at, data, size);
    blob->size = at + size;
    return (uint32_t)at;
}

static uint32_t put_text(struct blob *blob, const char *text)
{
    return put(blob, text, strlen(text) + 1);
}

static uint64_t element_bytes(const struct byw_ptx_symbol *v)
{
    return (v->type.bits + 7u) / 8u;
}

static uint64_t size_of(const struct byw_ptx_symbol *v)
{
    return v->count * v->vector * element_bytes(v);
}

/* Bits of a number in the variable's type. */
uint64_t byw_cu_bits_of(const struct byw_ptx_operand *value, struct byw_ptx_type type)
{
    double number;
    float single;
    uint32_t word;
    uint64_t bits;

    if (value->kind == BYW_PTX_OP_DOUBLE && type.bits == 32) {
        memcpy(&number, &value->value, sizeof(number));
        single = (float)number;
        memcpy(&word, &single, sizeof(word));
        return word;
    }
    if (value->kind == BYW_PTX_OP_FLOAT && type.bits == 64) {
        word = (uint32_t)value->value;
        memcpy(&single, &word, sizeof(single));
        number = (double)single;
        memcpy(&bits, &number, sizeof(bits));
        return bits;
    }
    return value->value;
}

/* An address among the initial values; for bytes, the byte that the mask selects. */
static struct byw_cu_address address_of(const struct byw_cu_job *job,
                                        const struct byw_ptx_symbol *v, uint32_t index)
{
    const struct byw_ptx_operand *value = &v->init[index];
    struct byw_cu_address a = {.offset = index * element_bytes(v),
                               .add = value->offset,
                               .variable = UINT32_MAX,
                               .bytes = (uint32_t)element_bytes(v)};

    if (value->value != 0) /* a mask */
        a.shift = (uint32_t)__builtin_ctzll(value->value) / 8 * 8;
    if (value->symbol->kind == BYW_PTX_FUNCTION)
        a.add += (int64_t)byw_ptx_function_number(&job->ptx, value->symbol->function);
    else
        a.variable = variable_of(job, value->symbol->name);
    return a;
}

static void put_init(const struct byw_cu_job *job, struct blob *blob,
                     const struct byw_ptx_symbol *v, struct byw_cu_variable *out,
                     struct blob *addresses)
{
    uint64_t size = size_of(v), each = element_bytes(v);
    unsigned char *bytes = calloc(1, size + 8);

    if (bytes == NULL) {
        blob->short_of_memory = true;
        return;
    }
    out->first_address = (uint32_t)(addresses->size / sizeof(struct byw_cu_address));
    for (uint32_t i = 0; i < v->inits && (i + 1) * each <= size; i++) {
        uint64_t bits = byw_cu_bits_of(&v->init[i], v->type);

        if (v->init[i].kind == BYW_PTX_OP_NAME && v->init[i].symbol != NULL) {
            struct byw_cu_address a = address_of(job, v, i);

            put(addresses, &a, sizeof(a));
            out->addresses++;
        } else {
            memcpy(bytes + i * each, &bits, each < 8 ? each : 8);
        }
    }
    out->init_at = put(blob, bytes, size);
    free(bytes);
}

static void put_params(struct blob *blob, const struct byw_ptx_function *f,
                       struct byw_cu_kernel *kernel)
{
    struct byw_cu_param *list = calloc(f->params + 1u, sizeof(*list));
    uint32_t offset = 0;

    for (uint32_t i = 0; i < f->params && list != NULL; i++) {
        const struct byw_ptx_symbol *p = f->param[i];
        uint32_t align = p->align != 0 ? p->align : (uint32_t)element_bytes(p) * p->vector;

        offset = (offset + align - 1) / align * align;
        list[i] = (struct byw_cu_param){(uint32_t)size_of(p), offset};
        offset += list[i].size;
    }
    kernel->params = f->params;
    kernel->param_at = put(blob, list, f->params * sizeof(*list));
    blob->short_of_memory |= list == NULL;
    free(list);
}

static uint32_t index_of(const struct byw_cu_job *job, const char *name)
{
    size_t length;

    for (uint32_t k = 0; k < job->m.units; k++)
        if (strcmp(LLVMGetValueName2(job->m.unit[k].function, &length), name) == 0)
            return k;
    return UINT32_MAX;
}

static enum byw_status build_image(const struct byw_cu_job *job, void **image, size_t *size)
{
    struct byw_cu_image head = {.variables = job->ptx.variables, .missing = job->lefts};
    struct blob blob = {0}, addresses = {0};
    struct byw_cu_variable *v = calloc(job->ptx.variables + 1u, sizeof(*v));
    struct byw_cu_missing *missing = calloc(job->lefts + 1u, sizeof(*missing));
    struct byw_cu_kernel *kernel = calloc(job->ptx.functions + 1u, sizeof(*kernel));

    put(&blob, &head, sizeof(head));
    for (uint32_t i = 0; i < job->ptx.variables && v != NULL; i++) {
        const struct byw_ptx_symbol *from = job->ptx.variable[i];

        v[i].name_at = put_text(&blob, from->name);
        v[i].size = from->space == BYW_PTX_SHARED ? 0 : size_of(from);
        v[i].align = from->align;
        v[i].constant = from->space == BYW_PTX_CONST;
        v[i].external = from->external;
        if (from->inits != 0 && from->space != BYW_PTX_SHARED)
            put_init(job, &blob, from, &v[i], &addresses);
    }
    for (uint32_t i = 0; i < job->lefts && missing != NULL; i++) {
        missing[i].name_at = put_text(&blob, job->left[i].name);
        missing[i].why_at = put_text(&blob, job->left[i].why);
    }
    for (uint32_t i = 0; i < job->ptx.functions && kernel != NULL; i++) {
        const struct byw_ptx_function *f = job->ptx.function[i];

        if (!f->entry || !f->defined)
            continue;
        kernel[head.kernels].name_at = put_text(&blob, f->name);
        kernel[head.kernels].index = index_of(job, f->name);
        put_params(&blob, f, &kernel[head.kernels]);
        memcpy(kernel[head.kernels].cluster, f->cluster, sizeof(f->cluster));
        kernel[head.kernels].clustered = f->clustered;
        kernel[head.kernels].number = byw_ptx_function_number(&job->ptx, f);
        kernel[head.kernels].most_blocks = f->most_blocks;
        kernel[head.kernels++].most_threads = f->most[0] * f->most[1] * f->most[2];
    }
    head.dynamic_align = dynamic_align(job);
    head.addresses = (uint32_t)(addresses.size / sizeof(struct byw_cu_address));
    head.variable_at = put(&blob, v, job->ptx.variables * sizeof(*v));
    head.address_at = put(&blob, addresses.data, addresses.size);
    head.missing_at = put(&blob, missing, job->lefts * sizeof(*missing));
    head.kernel_at = put(&blob, kernel, head.kernels * sizeof(*kernel));
    if (!blob.short_of_memory)
        memcpy(blob.data, &head, sizeof(head));
    free(v);
    free(missing);
    free(kernel);
    free(addresses.data);
    *image = blob.data;
    *size = blob.size;
    return blob.short_of_memory || addresses.short_of_memory ? BYW_ENOMEM : BYW_OK;
}

void byw_cu_add_image(struct byw_cu_job *job)
{
    struct byw_cl_module *m = &job->m;
    void *image;
    size_t size;
    LLVMValueRef bytes, global;

    if (build_image(job, &image, &size) != BYW_OK)
        return;
    bytes = LLVMConstStringInContext(m->context, image, (unsigned)size, 1);
    global = LLVMAddGlobal(m->module, LLVMTypeOf(bytes), BYW_CU_IMAGE_NAME);
    LLVMSetInitializer(global, bytes);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetAlignment(global, 16);
    free(image);
    LLVMSetLinkage(LLVMGetNamedGlobal(m->module, BYW_CU_TABLE_NAME), LLVMExternalLinkage);
}
