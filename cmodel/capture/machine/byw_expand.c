/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/machine/byw_expand.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/machine/byw_ptxas.h"
#include "common/byw_array.h"

#define NEVER UINT32_MAX
#define CALLS 3u /* depth of calls, at most */
#define COPIES 3u /* of an operation in the longer kernel */

static const struct {
    const char *opcode, *type;
    unsigned operands;
    bool mixed;
} operations[] = {
#define X(opcode, type, operands, mixed) {opcode, type, operands, mixed},
#include "capture/machine/byw_expansions.def"
#undef X
};

enum { OPERATIONS = sizeof(operations) / sizeof(operations[0]) };

/* Instructions in the order of execution. */
struct way {
    uint32_t *at;
    size_t steps, room;
};

struct text {
    char *at;
    size_t length, room;
    bool no_memory;
};

static void put(struct text *t, const char *word)
{
    size_t length = strlen(word);

    if (t->no_memory || !BYW_ARRAY_ROOM(t->at, t->room, t->length + length + 1)) {
        t->no_memory = true;
        return;
    }
    memcpy(t->at + t->length, word, length + 1);
    t->length += length;
}

/* A kernel that applies operation `o` n times to its own result. */
static void put_kernel(struct text *t, unsigned o, unsigned n)
{
    const char *type = operations[o].type;
    unsigned bytes = strstr(type, "64") != NULL ? 8 : 4;
    char line[160];

    snprintf(line, sizeof(line),
             ".visible .entry k%u_%u(.param .u64 p)\n{\n.reg .b64 %%a;\n.reg .%s %%r, %%b<8>;\n", o,
             n, type);
    put(t, line);
    put(t, "ld.param.u64 %a, [p];\ncvta.to.global.u64 %a, %a;\n");
    for (unsigned i = 0; i < 2 * COPIES; i++) {
        snprintf(line, sizeof(line), "ld.volatile.global.%s %%b%u, [%%a+%u];\n", type, i,
                 i * bytes);
        put(t, line);
    }
    snprintf(line, sizeof(line), "ld.volatile.global.%s %%r, [%%a+%u];\n", type, 64u);
    put(t, line);
    for (unsigned i = 0; i < n; i++) {
        snprintf(line, sizeof(line),
                 operations[o].operands == 2 ? "%s %%r, %%r, %%b%u;\n" : "%s %%r, %%r;\n",
                 operations[o].opcode, 2 * i);
        put(t, line);
        snprintf(line, sizeof(line), "xor.%s %%r, %%r, %%b%u;\n", type, 2 * i + 1);
        if (operations[o].mixed)
            put(t, line);
    }
    snprintf(line, sizeof(line), "st.volatile.global.%s [%%a], %%r;\nret;\n}\n", type);
    put(t, line);
}

/* Cycles until the write barrier of a kind of instruction clears (Accel-Sim, microbenchmarks).
 * Loads get a long time, so that all operands have arrived. */
static uint32_t latency(const struct byw_machine_inst *inst)
{
    switch (inst->op) {
    case BYW_MACHINE_MUFU:
        return 22;
    case BYW_MACHINE_CONVERT:
    case BYW_MACHINE_BITS:
        return 16;
    case BYW_MACHINE_CONST_LOAD:
        return 32;
    case BYW_MACHINE_LOAD:
        return 600;
    default:
        return 12;
    }
}

/* Adds the instructions of a path, given in order, to its cost. */
static void add_way(const struct byw_machine *m, const uint32_t *way, uint32_t steps,
                    struct byw_expansion *cost)
{
    uint64_t now = 0, clear[BYW_MACHINE_BARRIERS] = {0};

    for (uint32_t s = 0; s < steps; s++) {
        const struct byw_machine_inst *inst = &m->inst[way[s]];

        for (unsigned b = 0; b < BYW_MACHINE_BARRIERS; b++)
            if ((inst->wait >> b & 1) != 0 && clear[b] > now)
                now = clear[b];
        if (inst->write_barrier != BYW_MACHINE_NO_BARRIER)
            clear[inst->write_barrier] = now + latency(inst);
        if (inst->read_barrier != BYW_MACHINE_NO_BARRIER)
            clear[inst->read_barrier] = now + 12;
        now += inst->stall > 0 ? inst->stall : 1;
        cost->instructions++;
        cost->of_unit[byw_machine_op_unit(inst->op)]++;
    }
    cost->cycles = (uint32_t)now;
}

/* The possible successors of an instruction: the next one, and its target. A call has only the next
 * one. */
static unsigned followers(const struct byw_machine *m, uint32_t i, uint32_t to[2])
{
    const struct byw_machine_inst *inst = &m->inst[i];
    bool conditional = (inst->flags & BYW_MACHINE_CONDITIONAL) != 0;
    unsigned count = 0;

    if ((inst->op != BYW_MACHINE_BRANCH && inst->op != BYW_MACHINE_EXIT &&
         inst->op != BYW_MACHINE_RETURN && inst->op != BYW_MACHINE_INDIRECT) ||
        conditional)
        to[count++] = i + 1;
    if (inst->op == BYW_MACHINE_BRANCH && inst->target != BYW_MACHINE_NO_TARGET &&
        (inst->flags & BYW_MACHINE_NEVER) == 0)
        to[count++] = inst->target;
    return count;
}

static bool has_call(const struct byw_machine_inst *inst)
{
    return inst->op == BYW_MACHINE_CALL && inst->target != BYW_MACHINE_NO_TARGET;
}

static bool find_way(const struct byw_machine *m, uint32_t start, unsigned depth, struct way *way);

/* Shortest length of an instruction: 1, plus that of the function that it calls. */
static uint32_t step_length(const struct byw_machine *m, uint32_t i, unsigned depth)
{
    struct way inner = {0};
    uint32_t length = 1;

    if (has_call(&m->inst[i])) {
        length = depth > 0 && find_way(m, m->inst[i].target, depth - 1, &inner)
                     ? 1 + (uint32_t)inner.steps
                     : NEVER;
        free(inner.at);
    }
    return length;
}

/* Shortest path lengths from `start` up to and including each instruction, by relaxing in rounds.
 * Returns the nearest end: an exit or return. */
static uint32_t relax(const struct byw_machine *m, uint32_t start, unsigned depth, uint32_t *length,
                      uint32_t *from)
{
    uint32_t end = NEVER, to[2];
    bool changed = true;

    length[start] = 1;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < m->count; i++) {
            unsigned count = length[i] != NEVER ? followers(m, i, to) : 0;

            if (length[i] != NEVER && count == 0 && m->inst[i].op != BYW_MACHINE_INDIRECT &&
                (end == NEVER || length[i] < length[end]))
                end = i;
            for (unsigned k = 0; k < count; k++) {
                uint32_t step = to[k] < m->count ? step_length(m, to[k], depth) : NEVER;

                if (step == NEVER || length[i] + step >= length[to[k]])
                    continue;
                length[to[k]] = length[i] + step;
                from[to[k]] = i;
                changed = true;
            }
        }
    }
    return end;
}

/* Adds a path from its end to its start, with the paths through called functions. */
static bool add_backwards(const struct byw_machine *m, const uint32_t *from, uint32_t i,
                          unsigned depth, struct way *way)
{
    struct way inner = {0};
    bool good;

    if (from[i] != NEVER && !add_backwards(m, from, from[i], depth, way))
        return false;
    good = BYW_ARRAY_ROOM(way->at, way->room, way->steps + 1);
    if (good)
        way->at[way->steps++] = i;
    if (good && has_call(&m->inst[i])) {
        good = find_way(m, m->inst[i].target, depth - 1, &inner) &&
               BYW_ARRAY_ROOM(way->at, way->room, way->steps + inner.steps);
        for (size_t s = 0; good && s < inner.steps; s++)
            way->at[way->steps++] = inner.at[s];
        free(inner.at);
    }
    return good;
}

/* The shortest path from `start` to an exit or return. */
static bool find_way(const struct byw_machine *m, uint32_t start, unsigned depth, struct way *way)
{
    uint32_t *length = malloc(2 * (size_t)m->count * sizeof(*length)), *from, end;
    bool good = false;

    if (length == NULL)
        return false;
    from = length + m->count;
    for (uint32_t i = 0; i < m->count; i++)
        length[i] = from[i] = NEVER;
    end = relax(m, start, depth, length, from);
    if (end != NEVER)
        good = add_backwards(m, from, end, depth, way);
    free(length);
    return good;
}

bool byw_expand_walk(const struct byw_machine *m, struct byw_expansion *cost)
{
    struct way way = {0};
    bool good = find_way(m, 0, CALLS, &way);

    if (good)
        add_way(m, way.at, (uint32_t)way.steps, cost);
    free(way.at);
    return good;
}

static uint32_t less(uint32_t a, uint32_t b)
{
    return a > b ? a - b : 0;
}

/* The cost of one operation: that of the longer kernel minus that of the shorter one. */
static bool subtract(const struct byw_cubin *cubin, unsigned o, struct byw_expansion *result)
{
    struct byw_expansion cost[2] = {{0}};
    unsigned mixed = operations[o].mixed ? 2 : 0; /* instructions of a 64-bit exclusive or */

    for (unsigned k = 0; k < 2; k++) {
        const struct byw_cubin_code *code;
        char name[32];

        snprintf(name, sizeof(name), "k%u_%u", o, COPIES - 1 + k);
        code = byw_cubin_kernel(cubin, name);
        if (code == NULL || !byw_expand_walk(&code->machine, &cost[k]))
            return false;
    }
    *result = (struct byw_expansion){.operation = operations[o].opcode,
                                     .instructions =
                                         less(cost[1].instructions, cost[0].instructions + mixed),
                                     .cycles = less(cost[1].cycles, cost[0].cycles + 2 * mixed)};
    for (unsigned u = 0; u < BYW_MACHINE_UNIT_COUNT; u++)
        result->of_unit[u] =
            less(cost[1].of_unit[u], cost[0].of_unit[u] + (u == BYW_MACHINE_UNIT_ALU ? mixed : 0));
    return true;
}

enum byw_status byw_expand_measure(uint32_t arch, const char *folder, struct byw_expansion **list,
                                   uint32_t *count, struct byw_diag *diag)
{
    struct byw_numbering numbered = {0};
    struct byw_cubin cubin = {0};
    struct text text = {0};
    enum byw_status status;
    char head[80];

    *list = calloc(OPERATIONS, sizeof(**list));
    *count = 0;
    snprintf(head, sizeof(head), ".version 7.0\n.target sm_%" PRIu32 "\n.address_size 64\n",
             arch < 80 ? arch : 80);
    put(&text, head);
    for (unsigned o = 0; o < OPERATIONS; o++) {
        put_kernel(&text, o, COPIES - 1);
        put_kernel(&text, o, COPIES);
    }
    if (*list == NULL || text.no_memory)
        status = byw_no_memory(diag, "the table of operations");
    else
        status = byw_numbering_make(text.at, text.length, arch, &numbered, diag);
    if (status == BYW_OK)
        status = byw_ptxas_machine(&numbered, NULL, folder, &cubin, diag);
    for (unsigned o = 0; status == BYW_OK && o < OPERATIONS; o++)
        if (subtract(&cubin, o, &(*list)[*count]))
            ++*count;
        else
            status = byw_diag_set(diag, BYW_EFORMAT, "%s: no path through its machine code",
                                  operations[o].opcode);
    byw_cubin_free(&cubin);
    byw_numbering_free(&numbered);
    free(text.at);
    return status;
}
