/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_hot_lines.h"

#include <stdlib.h>
#include <string.h>

/* Cycles for which the instructions of one line waited. */
struct sum {
    uint64_t cause[BYW_STALLS];
    struct on {
        uint32_t index;
        uint64_t cycles;
    } * on;
    size_t count;
};

enum byw_stall byw_hot_cause(const char *name)
{
    unsigned c = 0;

    while (c < BYW_STALLS && strcmp(byw_stall_name((enum byw_stall)c), name) != 0)
        c++;
    return (enum byw_stall)c;
}

const char *byw_hot_kind_name(enum byw_hot_kind kind)
{
    static const char *const name[] = {"line", "PTX instruction", "machine instruction"};

    return name[kind];
}

static uint32_t number_of(const json_t *inst, const char *name)
{
    return (uint32_t)json_integer_value(json_object_get(inst, name));
}

static enum byw_hot_kind kind_of(const json_t *list)
{
    bool ptx = false;

    for (size_t i = 0; i < json_array_size(list); i++) {
        if (number_of(json_array_get(list, i), "source") != 0)
            return BYW_HOT_SOURCE;
        ptx = ptx || number_of(json_array_get(list, i), "ptx") != 0;
    }
    return ptx ? BYW_HOT_PTX : BYW_HOT_MACHINE;
}

static uint32_t line_of(const json_t *inst, enum byw_hot_kind kind)
{
    static const char *const name[] = {"source", "ptx", "index"};

    return number_of(inst, name[kind]);
}

static bool add_wait(struct sum *sum, const json_t *wait)
{
    uint32_t index = number_of(wait, "index");
    size_t i = 0;
    struct on *more;

    while (i < sum->count && sum->on[i].index != index)
        i++;
    if (i == sum->count) {
        more = realloc(sum->on, (sum->count + 1) * sizeof(*more));
        if (more == NULL)
            return false;
        sum->on = more;
        sum->on[sum->count++] = (struct on){.index = index};
    }
    sum->on[i].cycles += (uint64_t)json_integer_value(json_object_get(wait, "cycles"));
    return true;
}

static bool add_inst(struct sum *sum, const json_t *inst)
{
    const json_t *list = json_object_get(inst, "waits_for");
    const char *name;
    json_t *value;
    bool good = true;

    json_object_foreach(json_object_get(inst, "cycles"), name, value)
    {
        enum byw_stall cause = byw_hot_cause(name);

        if (cause != BYW_STALLS)
            sum->cause[cause] += (uint64_t)json_integer_value(value);
    }
    for (size_t i = 0; good && i < json_array_size(list); i++)
        good = add_wait(sum, json_array_get(list, i));
    return good;
}

/* The source line whose instructions' waits are in `sum`; the caller sets its number. */
static struct byw_hot_line conclude(const struct sum *sum, const json_t *list,
                                    enum byw_hot_kind kind)
{
    struct byw_hot_line line = {.cause = BYW_STALL_SCHEDULE};

    for (unsigned c = BYW_STALL_ISSUED + 1; c < BYW_STALLS; c++) {
        line.cycles += sum->cause[c];
        if (sum->cause[c] > line.cause_cycles) {
            line.cause = (enum byw_stall)c;
            line.cause_cycles = sum->cause[c];
        }
    }
    for (size_t i = 0; i < sum->count; i++)
        if (sum->on[i].cycles > line.on_cycles) {
            const json_t *on = json_array_get(list, sum->on[i].index);

            line.on_cycles = sum->on[i].cycles;
            line.on_index = sum->on[i].index;
            line.on_line = line_of(on, kind);
            line.on_op = json_string_value(json_object_get(on, "op"));
        }
    return line;
}

static int by_cycles(const void *a, const void *b)
{
    const struct byw_hot_line *x = a, *y = b;

    if (x->cycles != y->cycles)
        return x->cycles > y->cycles ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

enum byw_status byw_hot_lines_find(const json_t *kernel, struct byw_hot_lines *lines)
{
    const json_t *list = json_object_get(kernel, "instructions");
    uint32_t most = 0;
    struct sum *sum;
    bool good;

    *lines = (struct byw_hot_lines){
        .kind = kind_of(list),
        .warp_cycles = (uint64_t)json_integer_value(json_object_get(kernel, "warp_cycles"))};
    for (size_t i = 0; i < json_array_size(list); i++) {
        uint32_t line = line_of(json_array_get(list, i), lines->kind);

        most = line > most ? line : most;
    }
    sum = calloc((size_t)most + 1, sizeof(*sum));
    lines->line = calloc((size_t)most + 1, sizeof(*lines->line));
    good = sum != NULL && lines->line != NULL;
    for (size_t i = 0; good && i < json_array_size(list); i++) {
        const json_t *inst = json_array_get(list, i);

        good = add_inst(&sum[line_of(inst, lines->kind)], inst);
    }
    for (uint32_t n = 0; good && n <= most; n++) {
        struct byw_hot_line line = conclude(&sum[n], list, lines->kind);

        line.line = n;
        if (line.cycles != 0)
            lines->line[lines->count++] = line;
    }
    for (uint32_t n = 0; sum != NULL && n <= most; n++)
        free(sum[n].on);
    free(sum);
    if (good && lines->count > 1)
        qsort(lines->line, lines->count, sizeof(*lines->line), by_cycles);
    if (!good)
        byw_hot_lines_release(lines);
    return good ? BYW_OK : BYW_ENOMEM;
}

void byw_hot_lines_release(struct byw_hot_lines *lines)
{
    free(lines->line);
    lines->line = NULL;
    lines->count = 0;
}
