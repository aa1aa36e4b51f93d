/* SPDX-License-Identifier: Apache-2.0 */
#include "study/advise/byw_advise_waits.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 0.01 /* share of a line that is worth a row */

/* Cycles for which instructions of line `at` waited for loads of line `on`. */
struct wait {
    uint32_t on, at;
    double cycles, l1, l2, dram;
};

struct waits {
    struct wait *wait;
    size_t count;
};

static double number_of(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text != NULL ? text : "";
}

static bool add_wait(struct waits *waits, uint32_t on, uint32_t at, const json_t *entry)
{
    const char *cause = text_of(entry, "cause");
    double cycles = number_of(entry, "cycles");
    size_t i = 0;
    struct wait *w;

    while (i < waits->count && (waits->wait[i].on != on || waits->wait[i].at != at))
        i++;
    if (i == waits->count) {
        w = realloc(waits->wait, (i + 1) * sizeof(*w));
        if (w == NULL)
            return false;
        waits->wait = w;
        w[waits->count++] = (struct wait){.on = on, .at = at};
    }
    w = &waits->wait[i];
    w->cycles += cycles;
    w->l1 += strcmp(cause, "l1") == 0 ? cycles : 0.0;
    w->l2 += strcmp(cause, "l2") == 0 ? cycles : 0.0;
    w->dram += strcmp(cause, "dram") == 0 ? cycles : 0.0;
    return true;
}

static bool collect(const json_t *kernel, struct waits *waits)
{
    const json_t *list = json_object_get(kernel, "instructions");
    bool good = true;

    for (size_t i = 0; good && i < json_array_size(list); i++) {
        const json_t *at = json_array_get(list, i), *for_list = json_object_get(at, "waits_for");

        for (size_t w = 0; good && w < json_array_size(for_list); w++) {
            const json_t *entry = json_array_get(for_list, w);
            const json_t *on = json_array_get(list, (size_t)number_of(entry, "index"));

            if (strcmp(text_of(on, "op"), "load") == 0 &&
                strcmp(text_of(entry, "cause"), "operands") != 0)
                good = add_wait(waits, (uint32_t)number_of(on, "source"),
                                (uint32_t)number_of(at, "source"), entry);
        }
    }
    return good;
}

static int by_cycles(const void *a, const void *b)
{
    const struct wait *x = a, *y = b;

    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? 1 : -1;
    if (x->on != y->on)
        return x->on < y->on ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* The sum over the lines that wait for loads of a line. */
static struct wait sum_of(const struct waits *waits, uint32_t on)
{
    struct wait sum = {.on = on};

    for (size_t i = 0; i < waits->count; i++) {
        const struct wait *w = &waits->wait[i];

        if (w->on != on)
            continue;
        sum.cycles += w->cycles;
        sum.l1 += w->l1;
        sum.l2 += w->l2;
        sum.dram += w->dram;
    }
    return sum;
}

static json_t *row_json(const struct waits *waits, const struct wait *sum, double all)
{
    json_t *at = json_array();

    for (size_t i = 0; i < waits->count; i++)
        if (waits->wait[i].on == sum->on)
            json_array_append_new(at, json_pack("{s:I, s:f}", "line", (json_int_t)waits->wait[i].at,
                                                "share", waits->wait[i].cycles / all));
    return json_pack("{s:I, s:f, s:f, s:f, s:f, s:o}", "line", (json_int_t)sum->on, "share",
                     sum->cycles / all, "l1", sum->l1 / all, "l2", sum->l2 / all, "dram",
                     sum->dram / all, "at", at);
}

static json_t *list_json(struct waits *waits, double all)
{
    struct waits lines = {.wait = calloc(waits->count + 1, sizeof(*lines.wait))};
    json_t *list = json_array();

    if (waits->count > 1)
        qsort(waits->wait, waits->count, sizeof(*waits->wait), by_cycles);
    for (size_t i = 0; lines.wait != NULL && i < waits->count; i++) {
        size_t j = 0;

        while (j < i && waits->wait[j].on != waits->wait[i].on)
            j++;
        if (j == i)
            lines.wait[lines.count++] = sum_of(waits, waits->wait[i].on);
    }
    if (lines.count > 1)
        qsort(lines.wait, lines.count, sizeof(*lines.wait), by_cycles);
    for (size_t i = 0; i < lines.count; i++)
        if (lines.wait[i].cycles >= LEAST * all)
            json_array_append_new(list, row_json(waits, &lines.wait[i], all));
    free(lines.wait);
    return list;
}

json_t *byw_advise_waits(const json_t *result, const char *kernel)
{
    const json_t *kernels = json_object_get(json_object_get(result, "stalls"), "kernels");
    struct waits waits = {.wait = NULL};
    double all = 0.0;
    bool good = true;
    json_t *list;

    for (size_t i = 0; good && i < json_array_size(kernels); i++) {
        const json_t *entry = json_array_get(kernels, i);

        if (strcmp(text_of(entry, "kernel"), kernel) != 0)
            continue;
        all += number_of(entry, "warp_cycles");
        good = collect(entry, &waits);
    }
    list = good && all > 0.0 ? list_json(&waits, all) : NULL;
    free(waits.wait);
    return list;
}
