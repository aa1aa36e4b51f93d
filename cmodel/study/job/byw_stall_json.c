/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_stall_json.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_text.h"
#include "trace/byw_kernel_name.h"

static void put(json_t *object, const char *name, uint64_t value)
{
    if (value != 0)
        json_object_set_new(object, name, json_integer((json_int_t)value));
}

/* The causes that are not 0, from the first one. */
static json_t *causes_json(const uint64_t cycles[BYW_STALLS], enum byw_stall from)
{
    json_t *object = json_object();

    for (unsigned c = from; c < BYW_STALLS; c++)
        put(object, byw_stall_name((enum byw_stall)c), cycles[c]);
    return object;
}

static void add_rows(uint64_t sum[BYW_STALLS], const struct byw_stall_sums *sums)
{
    for (uint32_t i = 0; i < sums->count; i++)
        for (unsigned c = 0; c < BYW_STALLS; c++)
            sum[c] += sums->row[i].cycles[c];
}

static uint64_t total(const uint64_t cycles[BYW_STALLS])
{
    uint64_t sum = 0;

    for (unsigned c = 0; c < BYW_STALLS; c++)
        sum += cycles[c];
    return sum;
}

/* --- an instruction --------------------------------------------------------------------------- */

static int by_cycles(const void *a, const void *b)
{
    const struct byw_stall_wait *x = a, *y = b;

    if (x->cycles != y->cycles)
        return x->cycles > y->cycles ? -1 : 1;
    if (x->on != y->on)
        return x->on < y->on ? -1 : 1;
    return x->cause < y->cause ? -1 : 1;
}

static json_t *waits_json(const struct byw_stall_sums *sums, uint32_t at)
{
    json_t *list = json_array();
    size_t count = 0;
    struct byw_stall_wait *wait;

    for (uint32_t i = sums->first[at]; i != UINT32_MAX; i = sums->wait[i].next)
        count++;
    wait = malloc(count * sizeof(*wait) + 1);
    if (wait == NULL || list == NULL) {
        free(wait);
        json_decref(list);
        return NULL;
    }
    count = 0;
    for (uint32_t i = sums->first[at]; i != UINT32_MAX; i = sums->wait[i].next)
        wait[count++] = sums->wait[i];
    qsort(wait, count, sizeof(*wait), by_cycles);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:I, s:s, s:I}", "index", (json_int_t)wait[i].on,
                                              "cause", byw_stall_name(wait[i].cause), "cycles",
                                              (json_int_t)wait[i].cycles));
    free(wait);
    return list;
}

static void put_code(json_t *json, const struct byw_machine_inst *inst)
{
    char sets[16] = "";

    put(json, "ptx", inst->line);
    put(json, "source", inst->source);
    put(json, "stall", inst->stall);
    if (inst->write_barrier < BYW_MACHINE_BARRIERS)
        snprintf(sets, sizeof(sets), "w%u", inst->write_barrier);
    if (inst->read_barrier < BYW_MACHINE_BARRIERS)
        snprintf(sets + strlen(sets), sizeof(sets) - strlen(sets), "%sr%u",
                 sets[0] != '\0' ? " " : "", inst->read_barrier);
    if (sets[0] != '\0')
        json_object_set_new(json, "sets", json_string(sets));
    put(json, "waits", inst->wait);
    if (inst->target != BYW_MACHINE_NO_TARGET)
        json_object_set_new(json, "target", json_integer((json_int_t)inst->target));
    if (!byw_machine_op_has_barrier((enum byw_machine_op)inst->op))
        put(json, "bytes", inst->width);
    if ((inst->flags & BYW_MACHINE_PREDICATED) != 0)
        json_object_set_new(json, "predicated", json_true());
}

static void put_memory(json_t *json, const struct byw_stall_row *row)
{
    put(json, "requests", row->requests);
    put(json, "sectors", row->sectors);
    put(json, "hits", row->hits);
    put(json, "fills", row->fills);
    put(json, "bypasses", row->bypasses);
    put(json, "by_l1", row->by_l1);
    put(json, "by_l2", row->by_l2);
    put(json, "by_dram", row->by_dram);
}

static json_t *inst_json(const struct byw_stall_kernel *k, uint32_t i)
{
    const struct byw_machine_inst *inst = &k->machine.inst[i];
    const struct byw_stall_row *row = &k->sums.row[i];
    enum byw_machine_op op = (enum byw_machine_op)inst->op;
    json_t *json =
        json_pack("{s:I, s:s, s:s}", "index", (json_int_t)i, "op", byw_machine_op_name(op), "unit",
                  byw_machine_unit_name(byw_machine_op_unit(op)));

    if (json == NULL)
        return NULL;
    put_code(json, inst);
    put(json, "issued", row->cycles[BYW_STALL_ISSUED]);
    put(json, "threads", row->threads);
    if (total(row->cycles) != row->cycles[BYW_STALL_ISSUED])
        json_object_set_new(json, "cycles", causes_json(row->cycles, BYW_STALL_SCHEDULE));
    if (k->sums.first[i] != UINT32_MAX)
        json_object_set_new(json, "waits_for", waits_json(&k->sums, i));
    put_memory(json, row);
    return json;
}

/* --- a kernel --------------------------------------------------------------------------------- */

static json_t *shape_json(const uint32_t shape[3])
{
    return json_pack("[I, I, I]", (json_int_t)shape[0], (json_int_t)shape[1], (json_int_t)shape[2]);
}

static json_t *name_json(const char *name)
{
    char text[BYW_TEXT_GROWTH * 128];

    byw_text_printable(name, text, sizeof(text));
    return json_string(text);
}

static bool put_instructions(json_t *json, const struct byw_stall_kernel *k)
{
    json_t *list = json_array();
    bool good = list != NULL;

    for (uint32_t i = 0, n = byw_machine_used(&k->machine); good && i < n; i++)
        good = json_array_append_new(list, inst_json(k, i)) == 0;
    return json_object_set_new(json, "instructions", list) == 0 && good;
}

json_t *byw_stall_kernel_json(const struct byw_stall_kernel *k)
{
    char title[BYW_KERNEL_NAME_ROOM];
    uint64_t cycles[BYW_STALLS] = {0};
    uint64_t threads = (uint64_t)k->block[0] * k->block[1] * k->block[2];
    uint64_t warps = (threads + k->warp_size - 1) / k->warp_size;
    json_t *json =
        json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:s}",
                  "kernel", name_json(k->name), "first_launch", (json_int_t)k->first + 1,
                  "launches", (json_int_t)k->launches, "cycles", (json_int_t)k->cycles,
                  "warp_instructions", (json_int_t)k->warp_instructions, "machine_instructions",
                  (json_int_t)k->machine_instructions, "grid", shape_json(k->grid), "block",
                  shape_json(k->block), "warp_size", (json_int_t)k->warp_size, "shared_bytes",
                  (json_int_t)k->shared_bytes, "registers", (json_int_t)k->registers, "ctas_per_sm",
                  (json_int_t)k->ctas, "warps_per_sm", (json_int_t)(k->ctas * warps), "warps_most",
                  (json_int_t)k->warps_most, "limit", byw_limit_name(k->limit));
    bool good = json != NULL;

    add_rows(cycles, &k->sums);
    byw_kernel_name(k->name, title);
    good =
        good && json_object_set_new(json, "title", name_json(title)) == 0 &&
        json_object_set_new(json, "arch", json_integer((json_int_t)k->machine.arch)) == 0 &&
        json_object_set_new(json, "warp_cycles", json_integer((json_int_t)total(cycles))) == 0 &&
        json_object_set_new(json, "cycles_by_cause", causes_json(cycles, BYW_STALL_ISSUED)) == 0 &&
        json_object_set_new(json, "complete", json_boolean(!k->sums.lost)) == 0 &&
        put_instructions(json, k);
    if (!good)
        json_decref(json);
    return good ? json : NULL;
}

json_t *byw_stall_causes_json(void)
{
    json_t *causes = json_object();

    for (unsigned c = 0; c < BYW_STALLS; c++)
        json_object_set_new(causes, byw_stall_name((enum byw_stall)c),
                            json_string(byw_stall_about((enum byw_stall)c)));
    return causes;
}

json_t *byw_stall_json(const struct byw_stall_book *book)
{
    json_t *causes = byw_stall_causes_json(), *kernels = json_array();
    bool good = causes != NULL && kernels != NULL;

    for (size_t i = 0; good && i < byw_stall_book_count(book); i++)
        good = json_array_append_new(kernels,
                                     byw_stall_kernel_json(byw_stall_book_kernel(book, i))) == 0;
    if (good)
        return json_pack("{s:o, s:o}", "causes", causes, "kernels", kernels);
    json_decref(causes);
    json_decref(kernels);
    return NULL;
}

json_t *byw_stall_sums_json(const struct byw_stall_book *book)
{
    uint64_t cycles[BYW_STALLS] = {0};
    json_t *json;

    for (size_t i = 0; i < byw_stall_book_count(book); i++)
        add_rows(cycles, &byw_stall_book_kernel(book, i)->sums);
    json = causes_json(cycles, BYW_STALL_ISSUED);
    if (json != NULL)
        json_object_set_new(json, "warp_cycles", json_integer((json_int_t)total(cycles)));
    return json;
}
