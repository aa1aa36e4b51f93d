/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of a kernel: parts, slots, uses, sites.
 *
 * The first use of a result is found by following the value's users, through instructions that emit
 * nothing. A user later in the same part gives a static distance. Users elsewhere, and users beyond
 * a phi (which may belong to the next iteration), are entered into their part's use list; the
 * merger then counts up to that part's next run.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/compile/byw_cl_scan.h"
#include "capture/run/byw_cl_code.h"
#include "capture/run/byw_cl_flow.h"
#include "common/byw_array.h"

struct far_use {
    uint32_t part, load, position;
};

struct table {
    const struct byw_cl_scan *scan;
    struct byw_cl_part *part;
    struct byw_cl_slot *slot;
    struct byw_site *site;
    uint32_t *number; /* per site: the number of its PTX instruction */
    uint32_t *mark;
    struct far_use *far;
    uint32_t slots, sites, fars, loads, marks;
    size_t far_room, mark_room;
    uint32_t *last; /* per log word: 1 + the last slot that has it, possibly in an earlier part */
    uint32_t *seen; /* per node: 2 * number of the walk that visited it, + 1 if not beyond a phi */
    uint32_t walk;
    LLVMValueRef *stack;
    bool *behind_phi;
    uint32_t depth;
    bool short_of_memory, loops, waits;
};

/* Outcome of a walk over a value's users. */
struct reach {
    uint32_t near; /* distance to the first user in the part; 0: none */
    bool elsewhere; /* there are other users too */
};

static void add_far(struct table *t, uint32_t part, uint32_t load, uint32_t position)
{
    for (uint32_t i = t->fars; i-- > 0 && t->far[i].load == load;)
        if (t->far[i].part == part) {
            if (position < t->far[i].position)
                t->far[i].position = position;
            return;
        }
    if (!BYW_ARRAY_ROOM(t->far, t->far_room, t->fars + 1u)) {
        t->short_of_memory = true;
        return;
    }
    t->far[t->fars++] = (struct far_use){.part = part, .load = load, .position = position};
}

static void visit(struct table *t, LLVMValueRef value, bool phi)
{
    t->stack[t->depth] = value;
    t->behind_phi[t->depth++] = phi;
}

/* Whether a node needs its operands at a position in its part. */
static bool needs(const struct byw_cl_node *node)
{
    return node->kind != BYW_CL_FREE && node->kind != BYW_CL_EXIT_NODE;
}

/* Walks the users of node `from`, whose result is available after instruction `position`. If load
 * is not 0, users outside the part are entered into the use lists as load - 1. */
static struct reach walk(struct table *t, const struct byw_cl_node *from, uint32_t position,
                         uint32_t load)
{
    struct reach reach = {0, false};

    t->walk++;
    t->depth = 0;
    visit(t, from->inst, false);
    while (t->depth > 0) {
        LLVMValueRef value = t->stack[--t->depth];
        bool phi = t->behind_phi[t->depth];

        for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            uint32_t n = byw_cl_map_get(t->scan->map, user);
            const struct byw_cl_node *node;

            /* A direct use takes priority over one beyond a phi, so it is followed even if found
             * later. */
            if (n == UINT32_MAX || t->seen[n] >= 2 * t->walk + !phi)
                continue;
            node = &t->scan->node[n];
            t->seen[n] = 2 * t->walk + !phi;
            if (!needs(node)) {
                visit(t, user, phi || LLVMGetInstructionOpcode(user) == LLVMPHI);
            } else if (!phi && node->part == from->part && node->position > position) {
                uint32_t distance = node->position - position;

                if (reach.near == 0 || distance < reach.near)
                    reach.near = distance;
            } else {
                reach.elsewhere = true;
                if (load != 0)
                    add_far(t, node->part, load - 1, node->position);
            }
        }
    }
    return reach;
}

/* The `use` of the piece of a load at `position`; if no user is near, adds the load to the use
 * lists. */
static void load_use(struct table *t, const struct byw_cl_node *node, uint32_t position,
                     struct byw_cl_slot *slot)
{
    uint32_t far = t->fars;
    struct reach reach = walk(t, node, position, t->loads + 1);

    slot->proto.use = reach.near;
    if (reach.near == 0 && reach.elsewhere)
        slot->load = ++t->loads;
    else
        t->fars = far;
}

static struct byw_cl_slot *add_slot(struct table *t, uint8_t cls, uint32_t number, uint32_t count)
{
    struct byw_cl_slot *slot = &t->slot[t->slots++];

    memset(slot, 0, sizeof(*slot));
    slot->proto.cls = cls;
    slot->proto.pc = 8 * number;
    slot->proto.count = count;
    return slot;
}

static int32_t argument_of(const struct byw_cl_scan *scan, LLVMValueRef pointer)
{
    LLVMValueRef base = byw_cl_base(pointer);
    unsigned count = LLVMCountParams(scan->function);

    if (base == NULL || LLVMIsAArgument(base) == NULL)
        return -1;
    for (unsigned i = 0; i < count; i++)
        if (LLVMGetParam(scan->function, i) == base)
            return (int32_t)i;
    return -1;
}

static bool is_marked(LLVMValueRef inst, const char *name)
{
    LLVMContextRef context = LLVMGetModuleContext(
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst))));
    unsigned kind = LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));

    return LLVMGetMetadata(inst, kind) != NULL;
}

/* Properties of a load's code: BYW_SITE_*. */
static uint8_t flags_of(LLVMValueRef inst, LLVMValueRef pointer)
{
    uint8_t flags = 0;

    if (LLVMGetInstructionOpcode(inst) != LLVMLoad)
        return 0;
    if (LLVMGetVolatile(inst) || is_marked(inst, BYW_CL_MARK_CG))
        flags |= BYW_SITE_VOLATILE;
    else if (is_marked(inst, BYW_CL_MARK_NO_ALLOCATE))
        flags |= BYW_SITE_NO_ALLOCATE;
    else if (is_marked(inst, "nontemporal"))
        flags |= BYW_SITE_NONTEMPORAL;
    if (byw_cl_reads_constant_buffer(pointer) || is_marked(inst, BYW_CL_MARK_CONSTANT))
        flags |= BYW_SITE_CONSTANT;
    if (byw_cl_is_prelude(inst))
        flags |= BYW_SITE_BUILT_IN;
    return flags;
}

/* Whether an access may order others, or is ordered by itself: volatile or atomic. */
static bool is_ordered(LLVMValueRef inst)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);

    return (op != LLVMLoad && op != LLVMStore) || LLVMGetVolatile(inst) ||
           LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic;
}

static bool is_scratchpad(const struct byw_site *site)
{
    return site->cls == BYW_CLASS_SHARED_LOAD || site->cls == BYW_CLASS_SHARED_STORE;
}

/* In a kernel whose work-items wait for each other, waits order accesses as barriers do. */
static void order_all(struct table *t)
{
    for (uint32_t i = 0; i < t->sites; i++)
        if (is_scratchpad(&t->site[i]))
            t->site[i].flags = BYW_SITE_VOLATILE;
}

static void add_site(struct table *t, const struct byw_cl_node *node, LLVMValueRef pointer,
                     const struct byw_cl_slot *slot, uint8_t width)
{
    struct byw_site *site = &t->site[t->sites++];

    memset(site, 0, sizeof(*site));
    site->pc = slot->proto.pc;
    site->line = byw_cl_line(node->inst);
    site->block = t->scan->part[node->part].block;
    site->argument = argument_of(t->scan, pointer);
    site->cls = slot->proto.cls;
    site->width = width;
    site->flags = site->cls == BYW_CLASS_LOAD ? flags_of(node->inst, pointer) : 0;
    if (is_scratchpad(site) && node->kind != BYW_CL_COPY && is_ordered(node->inst))
        site->flags = BYW_SITE_VOLATILE;
    t->number[t->sites - 1] = byw_cl_number(node->inst);
}

static void add_mark(struct table *t, struct byw_cl_part *part, LLVMValueRef inst)
{
    uint32_t mark;

    if (!byw_cl_read_mark(inst, &mark))
        return;
    if (!BYW_ARRAY_ROOM(t->mark, t->mark_room, t->marks + 1u)) {
        t->short_of_memory = true;
        return;
    }
    t->mark[t->marks++] = mark;
    part->marks++;
}

/* Records the origin of a slot's address. */
static void set_word(struct table *t, const struct byw_cl_node *node, struct byw_cl_slot *slot,
                     uint32_t word)
{
    uint32_t index = (uint32_t)(slot - t->slot), last = t->last[word];

    slot->word = word;
    slot->twin = word != 0 && last > t->part[node->part].first_slot ? index + 1 - last : 0;
    t->last[word] = index + 1;
}

/* Adds the pieces of one access; the first piece is instruction `skip` of the node. */
static void add_pieces(struct table *t, const struct byw_cl_node *node, LLVMValueRef pointer,
                       uint8_t cls, uint32_t word, uint32_t skip, uint32_t ready)
{
    int32_t apart = pointer == node->source ? node->source_offset : node->offset;
    uint32_t width, offset;

    for (uint32_t i = 0; (width = byw_cl_piece(node->bytes, node->align, i, &offset)) != 0; i++) {
        struct byw_cl_slot *slot = add_slot(t, cls, node->number + skip + i, 1);

        slot->offset = apart + (int32_t)offset;
        set_word(t, node, slot, word);
        slot->proto.width = word == 0 ? 0 : (uint8_t)width;
        slot->proto.form = word == 0 ? BYW_FORM_NONE : BYW_FORM_STRIDE;
        if (ready != 0)
            slot->proto.use = ready;
        else if (cls != BYW_CLASS_STORE && cls != BYW_CLASS_SHARED_STORE &&
                 cls != BYW_CLASS_LOCAL_STORE)
            load_use(t, node, node->position + skip + i, slot);
        add_site(t, node, pointer, slot, (uint8_t)width);
    }
}

static void add_memory(struct table *t, const struct byw_cl_node *node)
{
    if (node->kind == BYW_CL_COPY && node->source != NULL) {
        uint32_t half = node->length / 2;

        add_pieces(t, node, node->source, node->source_cls, node->source_word, 0, half);
        add_pieces(t, node, node->pointer, node->cls, node->word, half, 0);
    } else if (node->kind == BYW_CL_RMW) {
        struct byw_cl_slot *modify;

        add_pieces(t, node, node->pointer, BYW_CLASS_SHARED_LOAD, node->word, 0, 1);
        modify = add_slot(t, BYW_CLASS_INT, node->number + 1, 1);
        modify->proto.use = 1;
        add_pieces(t, node, node->pointer, BYW_CLASS_SHARED_STORE, node->word, 2, 0);
    } else {
        add_pieces(t, node, node->pointer, node->cls, node->word, 0, 0);
    }
}

/* A run's `use`: the mean distance of its members to their first user in the part. A member used
 * only elsewhere counts with the distance to the part's end. */
struct mean {
    uint64_t sum, members;
};

static void add_to_mean(struct table *t, const struct byw_cl_node *node, struct mean *mean)
{
    struct reach reach = walk(t, node, node->position + node->length - 1, 0);
    uint32_t end = t->scan->part[node->part].length;

    if (reach.near != 0)
        mean->sum += reach.near;
    else if (reach.elsewhere)
        mean->sum += end - (node->position + node->length - 1);
    else
        return;
    mean->members++;
}

static void close_run(struct byw_cl_slot *slot, const struct mean *mean)
{
    uint64_t use = mean->members == 0 ? 0 : (mean->sum + mean->members / 2) / mean->members;

    slot->proto.use = mean->members != 0 && use == 0 ? 1 : (uint32_t)use;
}

/* Source line of a part: that of its barrier, otherwise that of its first instruction with a
 * line. */
static uint32_t line_of(const struct table *t, const struct byw_cl_span *span)
{
    uint32_t line = 0;

    if (span->barrier != 0)
        line = byw_cl_line(t->scan->node[span->first + span->count - 1].inst);
    for (uint32_t i = span->first; i < span->first + span->count && line == 0; i++)
        line = byw_cl_line(t->scan->node[i].inst);
    return line;
}

static void add_part(struct table *t, uint32_t index)
{
    const struct byw_cl_span *span = &t->scan->part[index];
    struct byw_cl_part *part = &t->part[index];
    struct byw_cl_slot *run = NULL;
    struct mean mean = {0, 0};

    part->first_slot = t->slots;
    part->words = span->words;
    part->length = span->length;
    part->barrier = span->barrier;
    part->line = line_of(t, span);
    part->first_mark = t->marks;
    for (uint32_t i = span->first; i < span->first + span->count; i++) {
        const struct byw_cl_node *node = &t->scan->node[i];

        add_mark(t, part, node->inst);
        if (node->kind == BYW_CL_RUN) {
            if (run == NULL || run->proto.cls != node->cls) {
                if (run != NULL)
                    close_run(run, &mean);
                run = add_slot(t, node->cls, node->number, 0);
                mean = (struct mean){0, 0};
            }
            run->proto.count += node->length;
            add_to_mean(t, node, &mean);
        } else if (node->pointer != NULL) {
            if (run != NULL)
                close_run(run, &mean);
            run = NULL;
            add_memory(t, node);
        }
    }
    if (run != NULL)
        close_run(run, &mean);
    part->slots = t->slots - part->first_slot;
}

/* Stores the successors of every part in compressed rows, then the merge order. */
static enum byw_status order_parts(struct table *t)
{
    const struct byw_cl_scan *scan = t->scan;
    uint32_t edges = 0, parts = scan->parts;
    uint32_t *memory, *first, *to, *order, *latch;
    enum byw_status status;

    for (uint32_t p = 0; p < parts; p++) {
        const struct byw_cl_span *span = &scan->part[p];
        LLVMValueRef last = byw_cl_span_end(scan, p);

        edges += span->goes_on ? 1 : LLVMGetNumSuccessors(last);
    }
    memory = calloc(3 * (size_t)parts + 1 + edges, sizeof(*memory));
    if (memory == NULL)
        return BYW_ENOMEM;
    first = memory;
    order = first + parts + 1;
    latch = order + parts;
    to = latch + parts;
    for (uint32_t p = 0; p < parts; p++) {
        const struct byw_cl_span *span = &scan->part[p];
        LLVMValueRef last = byw_cl_span_end(scan, p);
        unsigned count = span->goes_on ? 0 : LLVMGetNumSuccessors(last);

        first[p + 1] = first[p] + (span->goes_on ? 1 : count);
        if (span->goes_on)
            to[first[p]] = p + 1;
        for (unsigned s = 0; s < count; s++)
            to[first[p] + s] = byw_cl_map_get(scan->map, LLVMGetSuccessor(last, s));
    }
    status = byw_cl_flow_order(parts, first, to, order, latch);
    for (uint32_t p = 0; p < parts && status == BYW_OK; p++) {
        t->part[p].order = order[p];
        t->part[p].latch = latch[p];
        t->loops |= order[p] != latch[p];
    }
    t->waits = status == BYW_OK && byw_cl_find_waits(scan, t->part);
    free(memory);
    return status;
}

/* Sorts the use lists by part, and each in the order of the loads in the code. */
static struct byw_cl_use *sort_uses(struct table *t)
{
    struct byw_cl_use *use = calloc((size_t)t->fars + 1, sizeof(*use));
    uint32_t at = 0;

    if (use == NULL)
        return NULL;
    for (uint32_t i = 0; i < t->fars; i++)
        t->part[t->far[i].part].uses++;
    for (uint32_t p = 0; p < t->scan->parts; p++) {
        t->part[p].first_use = at;
        at += t->part[p].uses;
        t->part[p].uses = 0;
    }
    for (uint32_t i = 0; i < t->fars; i++) {
        struct byw_cl_part *part = &t->part[t->far[i].part];

        use[part->first_use + part->uses++] =
            (struct byw_cl_use){.load = t->far[i].load, .position = t->far[i].position};
    }
    return use;
}

/* A blob under construction; data is appended. */
struct pack {
    unsigned char *data;
    size_t size, room;
    bool short_of_memory;
};

static uint32_t put(struct pack *p, const void *data, size_t size)
{
    size_t at = (p->size + 7) & ~(size_t)7, end = (at + size + 7) & ~(size_t)7;

    if (!BYW_ARRAY_ROOM(p->data, p->room, end)) {
        p->short_of_memory = true;
        return 0;
    }
    memset(p->data + p->size, 0, end - p->size);
    if (size != 0)
        memcpy(p->data + at, data, size);
    p->size = end;
    return (uint32_t)at;
}

/* Appends the machine code, or the reason why there is none. */
static void put_machine(const struct table *t, const struct byw_cl_marks *marks,
                        struct byw_cl_code *code, struct pack *p)
{
    const struct byw_machine *machine = marks->machine;
    struct byw_cl_machine m = {.known = marks->count};

    code->mark_at = put(p, t->mark, t->marks * sizeof(*t->mark));
    if (machine == NULL) {
        code->why_at = put(p, marks->why, strlen(marks->why) + 1);
        return;
    }
    m.arch = machine->arch;
    m.registers = machine->registers;
    m.unknown = machine->unknown;
    m.count = machine->count;
    m.inst_at = put(p, machine->inst, machine->count * sizeof(*machine->inst));
    for (uint32_t i = 0; i < t->sites; i++)
        t->number[i] += t->number[i] != 0 ? marks->base - 1 : 0;
    m.number_at = put(p, t->number, t->sites * sizeof(*t->number));
    m.known_at = put(p, marks->known, marks->count * sizeof(*marks->known));
    code->machine_at = put(p, &m, sizeof(m));
}

static enum byw_status pack(const struct table *t, const struct byw_cl_use *use,
                            const struct byw_cl_table_params *params, void **blob, size_t *size)
{
    struct byw_cl_code code = {.version = BYW_CL_VERSION,
                               .identity = params->identity,
                               .shared_bytes = params->shared_bytes,
                               .private_bytes = params->private_bytes,
                               .registers = params->registers,
                               .compiled_registers = params->compiled_registers,
                               .barriers = t->scan->barriers,
                               .meets = t->scan->meets,
                               .turns = t->scan->turns,
                               .waits = t->waits,
                               .loops = t->loops,
                               .exit = t->scan->exit,
                               .loads = t->loads,
                               .args = params->args,
                               .parts = t->scan->parts,
                               .slots = t->slots,
                               .uses = t->fars,
                               .sites = t->sites};
    struct pack p = {0};

    memcpy(code.required, params->required, sizeof(code.required));
    strncpy(code.name, params->name, sizeof(code.name) - 1);
    put(&p, &code, sizeof(code));
    code.arg_at = put(&p, params->arg, code.args * sizeof(*params->arg));
    code.part_at = put(&p, t->part, code.parts * sizeof(*t->part));
    code.slot_at = put(&p, t->slot, code.slots * sizeof(*t->slot));
    code.use_at = put(&p, use, code.uses * sizeof(*use));
    code.site_at = put(&p, t->site, code.sites * sizeof(*t->site));
    if (params->marks != NULL)
        put_machine(t, params->marks, &code, &p);
    if (p.short_of_memory) {
        free(p.data);
        return BYW_ENOMEM;
    }
    memcpy(p.data, &code, sizeof(code));
    *blob = p.data;
    *size = p.size;
    return BYW_OK;
}

enum byw_status byw_cl_table_build(const struct byw_cl_scan *scan,
                                   const struct byw_cl_table_params *params, void **blob,
                                   size_t *size)
{
    struct table t = {.scan = scan};
    size_t nodes = scan->nodes, room = scan->instructions + (size_t)1;
    struct byw_cl_use *use = NULL;
    enum byw_status status = BYW_ENOMEM;

    t.part = calloc(scan->parts, sizeof(*t.part));
    t.slot = calloc(room, sizeof(*t.slot));
    t.site = calloc(room, sizeof(*t.site));
    t.number = calloc(room, sizeof(*t.number));
    t.last = calloc(2 * nodes + 1, sizeof(*t.last));
    t.seen = calloc(nodes, sizeof(*t.seen));
    t.stack = calloc(2 * nodes + 1, sizeof(LLVMValueRef));
    t.behind_phi = calloc(2 * nodes + 1, sizeof(*t.behind_phi));
    if (t.part && t.slot && t.site && t.number && t.last && t.seen && t.stack && t.behind_phi) {
        for (uint32_t p = 0; p < scan->parts; p++)
            add_part(&t, p);
        status = t.short_of_memory ? BYW_ENOMEM : order_parts(&t);
        if (t.waits)
            order_all(&t);
        if (status == BYW_OK && (use = sort_uses(&t)) != NULL)
            status = pack(&t, use, params, blob, size);
        else if (status == BYW_OK)
            status = BYW_ENOMEM;
    }
    free(use);
    free(t.far);
    free(t.part);
    free(t.slot);
    free(t.site);
    free(t.number);
    free(t.mark);
    free(t.last);
    free(t.seen);
    free(t.stack);
    free(t.behind_phi);
    return status;
}
