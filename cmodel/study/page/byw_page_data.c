/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_page_data.c - the numbers of a page of runs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/compare/byw_compare.h"
#include "study/job/byw_words.h"
#include "study/page/byw_page_state.h"
#include "study/page/byw_palette.h"
#include "trace/byw_kernel_name.h"

/* Numbers of a run that the page has, in the order of its lists. */
static const char *const values[] = {"cycles",
                                     "ipc",
                                     "l1d.accesses",
                                     "l1d.loads",
                                     "l1d.stores",
                                     "l1d.store_hits",
                                     "l1d.atomics",
                                     "l1d.hits",
                                     "l1d.hit_pending",
                                     "l1d.misses",
                                     "l1d.bypasses",
                                     "l1d.fills",
                                     "l1d.evictions",
                                     "l1d.zero_reuse_evictions",
                                     "l1d.stall_cycles",
                                     "l1d.hit_rate_all",
                                     "l1d.hit_rate_cached",
                                     "l1d.reservation_fails.line",
                                     "l1d.reservation_fails.mshr",
                                     "l1d.reservation_fails.merge",
                                     "l1d.reservation_fails.miss_queue",
                                     "l1d.reservation_fails.icnt",
                                     "schedulers.issued",
                                     "schedulers.memory",
                                     "schedulers.scoreboard",
                                     "schedulers.unit",
                                     "schedulers.fetch",
                                     "schedulers.barrier",
                                     "schedulers.empty",
                                     "l2.reads",
                                     "l2.hits",
                                     "l2.misses",
                                     "dram.reads",
                                     "dram.writes",
                                     "dram.row_hits",
                                     "dram.activates",
                                     "energy.l1_nj",
                                     "energy.icnt_nj",
                                     "energy.l2_nj",
                                     "energy.dram_nj",
                                     "energy.total_nj"};

/* Numbers of each kernel. */
static const char *const kernel_values[] = {"cycles",
                                            "l1d.accesses",
                                            "l1d.hits",
                                            "l1d.bypasses",
                                            "l1d.reservation_fails.line",
                                            "l1d.reservation_fails.mshr",
                                            "l1d.reservation_fails.merge",
                                            "l1d.reservation_fails.miss_queue",
                                            "l1d.reservation_fails.icnt",
                                            "schedulers.memory",
                                            "schedulers.scoreboard",
                                            "l2.reads",
                                            "dram.reads",
                                            "dram.writes",
                                            "energy.total_nj"};

enum {
    VALUES = sizeof(values) / sizeof(values[0]),
    KERNEL_VALUES = sizeof(kernel_values) / sizeof(kernel_values[0]),
    KERNELS = 24,
};

json_t *byw_page_marks(const char *const *policy, size_t count)
{
    struct byw_mark *mark = calloc(count + 1, sizeof(*mark));
    json_t *all = json_array();

    if (mark != NULL)
        byw_palette_marks(policy, count, mark);
    for (size_t i = 0; mark != NULL && i < count; i++)
        json_array_append_new(all, json_pack("[i, i, i]", (int)mark[i].colour, (int)mark[i].look,
                                             (int)mark[i].number));
    free(mark);
    return all;
}

/* Marks of the series: variants of one policy have its colour. */
static json_t *marks(const struct byw_page *page)
{
    const char **name = calloc(page->series_count + 1, sizeof(*name));
    json_t *all;

    for (size_t i = 0; name != NULL && i < page->series_count; i++)
        name[i] = byw_result_text(page->series[i].first->result, "policy");
    all = name != NULL ? byw_page_marks(name, page->series_count) : json_array();
    free(name);
    return all;
}

static json_t *policies(const struct byw_page *page)
{
    json_t *all = json_array();

    for (size_t i = 0; i < page->series_count; i++) {
        const struct byw_page_series *s = &page->series[i];
        const char *space = strchr(s->key + strlen(s->first->policy), ' ');
        const char *about = json_string_value(byw_page_setting(s->first, "policy.about"));

        json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:s}", "t", s->title, "n",
                                             byw_result_text(s->first->result, "policy"), "s",
                                             space != NULL ? space : "", "a",
                                             about != NULL ? about : ""));
    }
    return all;
}

/* IPC of the first run of a mode on a machine; NaN: none. */
static double ipc_with(const struct byw_page *page, size_t machine, size_t load, const char *mode)
{
    for (size_t i = 0; i < page->count; i++) {
        const struct byw_page_entry *e = &page->entry[i];
        const char *its = json_string_value(byw_page_setting(e, "policy.mode"));

        if (e->machine == machine && e->load == load && its != NULL && strcmp(its, mode) == 0 &&
            byw_result_refused(e->result) == NULL)
            return byw_result_number(e->result, "ipc");
    }
    return NAN;
}

static enum byw_wclass class_here(const struct byw_page *page, size_t machine, size_t load)
{
    return byw_class_of(ipc_with(page, machine, load, "bypass_all") /
                        ipc_with(page, machine, load, "base"));
}

/* Whether the class of at least one workload was measured on a machine. */
static bool is_measured(const struct byw_page *page, size_t machine)
{
    for (size_t w = 0; w < page->loads; w++)
        if (class_here(page, machine, w) != BYW_WCLASS_NONE)
            return true;
    return false;
}

/* The basis of each machine's workload classes. */
static json_t *bases(const struct byw_page *page)
{
    json_t *all = json_array();

    for (size_t m = 0; m < page->machines; m++)
        json_array_append_new(all, json_string(byw_class_basis(is_measured(page, m))));
    return all;
}

static json_t *loads(const struct byw_page *page)
{
    json_t *all = json_array();

    for (size_t w = 0; w < page->loads; w++) {
        struct byw_workload known;
        bool found = byw_workload_find(page->load[w], &known);
        enum byw_wclass paper = found ? known.cls : BYW_WCLASS_NONE;
        json_t *shown = json_array();

        for (size_t m = 0; m < page->machines; m++)
            json_array_append_new(
                shown, json_string(
                           byw_wclass_name(is_measured(page, m) ? class_here(page, m, w) : paper)));
        json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:o}", "n", page->load[w], "c",
                                             byw_wclass_name(paper), "a", found ? known.what : "",
                                             "k", shown));
        if (page->linked)
            json_object_set_new(json_array_get(all, w), "p",
                                json_sprintf("%s.html", page->load[w]));
    }
    return all;
}

/* Whole numbers without their ".0". */
static json_t *number(double value)
{
    return value == rint(value) && fabs(value) < 1e15 ? json_integer((json_int_t)value)
                                                      : json_real(value);
}

/* Merges launches of one name: name, launches, and the sums of kernel_values. */
static json_t *kernels(const json_t *result)
{
    json_t *all = json_array();
    const json_t *one;
    size_t i;

    json_array_foreach(json_object_get(result, "per_kernel"), i, one)
    {
        const char *name = byw_result_text(one, "name");
        json_t *row = NULL;

        for (size_t k = 0; k < json_array_size(all) && row == NULL; k++)
            if (strcmp(json_string_value(json_array_get(json_array_get(all, k), 0)), name) == 0)
                row = json_array_get(all, k);
        if (row == NULL && json_array_size(all) == KERNELS)
            continue;
        if (row == NULL) {
            row = json_pack("[s, i]", name, 0);
            for (size_t k = 0; k < KERNEL_VALUES; k++)
                json_array_append_new(row, json_integer(0));
            json_array_append_new(all, row);
        }
        json_array_set_new(row, 1, json_integer(json_integer_value(json_array_get(row, 1)) + 1));
        for (size_t k = 0; k < KERNEL_VALUES; k++)
            json_array_set_new(row, k + 2,
                               number(rint(json_number_value(json_array_get(row, k + 2)) +
                                           byw_result_number(one, kernel_values[k]))));
    }
    return all;
}

/* Adds the names in C++ of the kernels in a list whose symbols are mangled. */
static void add_names(json_t *names, const json_t *list, const char *member)
{
    const json_t *one;
    size_t i;

    json_array_foreach(list, i, one)
    {
        const char *symbol = byw_result_text(one, member);
        char name[BYW_KERNEL_NAME_ROOM];

        byw_kernel_name(symbol, name);
        if (strcmp(symbol, name) != 0)
            json_object_set_new(names, symbol, json_string(name));
    }
}

static void add_names_of(json_t *names, const json_t *result)
{
    add_names(names, json_object_get(result, "per_kernel"), "name");
    add_names(names, json_object_get(result, "loads"), "kernel");
    add_names(names, json_object_get(result, "other_accesses"), "kernel");
}

/* Index of a run's provenance in the page's list. */
static json_t *origin(json_t *origins, const json_t *result)
{
    const json_t *from = json_object_get(result, "provenance");
    json_t *one =
        json_pack("{s:s, s:s, s:s, s:s}", "command", byw_result_text(from, "command"), "host",
                  byw_result_text(from, "host"), "version", byw_result_text(from, "version"),
                  "commit", byw_result_text(from, "commit"));
    size_t i;

    for (i = 0; i < json_array_size(origins); i++)
        if (json_equal(json_array_get(origins, i), one))
            break;
    if (i == json_array_size(origins))
        json_array_append(origins, one);
    json_decref(one);
    return json_integer((json_int_t)i);
}

static json_t *run_values(const json_t *result)
{
    json_t *list = json_array();

    for (size_t k = 0; k < VALUES; k++)
        json_array_append_new(list, number(byw_result_number(result, values[k])));
    return list;
}

/* A run's place in the charts; seed: 0 for a run without noise. */
static json_t *run_place(const struct byw_page_entry *e, json_int_t seed)
{
    json_t *one = json_pack("{s:I, s:I, s:I}", "m", (json_int_t)e->machine, "p",
                            (json_int_t)e->series, "w", (json_int_t)e->load);

    if (seed != 0)
        json_object_set_new(one, "n", json_integer(seed));
    return one;
}

/* The runs after the first one of a repeated result (byw_repeat.h). */
static void add_repeats(json_t *runs, const struct byw_page_entry *e, json_int_t seed)
{
    for (size_t k = 1; k < byw_repeat_count(e->result); k++) {
        json_t *one = run_place(e, seed + (json_int_t)k);

        json_object_set_new(one, "v", run_values(byw_repeat_run(e->result, k)));
        json_array_append_new(runs, one);
    }
}

static json_t *run(const struct byw_page *page, const struct byw_page_entry *e, json_int_t seed,
                   json_t *origins)
{
    json_t *one = run_place(e, seed);
    const char *refused = byw_result_refused(e->result), *id = byw_result_text(e->result, "run_id");
    const json_t *from = json_object_get(e->result, "provenance");

    if (refused != NULL)
        json_object_set_new(one, "refused", json_string(refused));
    else {
        json_object_set_new(one, "v", run_values(e->result));
        json_object_set_new(one, "k", kernels(e->result));
    }
    if (!page->linked && json_object_get(e->result, "timeline") != NULL)
        json_object_set(one, "tl", json_object_get(e->result, "timeline"));
    if (!page->linked && json_object_get(e->result, "loads") != NULL) {
        json_object_set(one, "ld", json_object_get(e->result, "loads"));
        json_object_set(one, "oa", json_object_get(e->result, "other_accesses"));
        json_object_set(one, "ra", json_object_get(e->result, "rest_accesses"));
    }
    if (id[0] != '\0')
        json_object_set_new(one, "id", json_string(id));
    if (from != NULL) {
        json_object_set_new(one, "o", origin(origins, e->result));
        json_object_set_new(one, "s", json_string(byw_result_text(from, "started")));
        json_object_set_new(one, "t", json_string(byw_result_text(from, "trace")));
    }
    return one;
}

/* Numbers of a machine that charts need, from its first run. */
static json_t *of_machines(const struct byw_page *page, const char *const *key, size_t keys)
{
    json_t *all = json_array();

    for (size_t m = 0; m < page->machines; m++) {
        size_t i = 0;
        json_int_t product = 1;

        while (i + 1 < page->count && page->entry[i].machine != m)
            i++;
        for (size_t k = 0; k < keys; k++)
            product *= json_integer_value(byw_page_setting(&page->entry[i], key[k]));
        json_array_append_new(all, json_integer(product));
    }
    return all;
}

static json_t *texts(const char *const *text, size_t count)
{
    json_t *all = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(all, json_string(text[i]));
    return all;
}

/* Counters in words, in the order of `values`. */
static json_t *words(void)
{
    json_t *all = json_array();

    for (size_t k = 0; k < VALUES; k++)
        json_array_append_new(all, json_string(byw_counter_word(values[k])));
    return all;
}

json_t *byw_page_data(const struct byw_page *page)
{
    static const char *const sms[] = {"sm.count"}, *const lines[] = {"l1d.sets", "l1d.ways"};
    json_t *runs = json_array(), *origins = json_array(), *names = json_object(), *all;

    for (size_t i = 0; i < page->count; i++) {
        const struct byw_page_entry *e = &page->entry[i];
        json_int_t seed = json_integer_value(byw_page_setting(e, BYW_PAGE_SEED));

        add_names_of(names, e->result);
        json_array_append_new(runs, run(page, e, seed, origins));
        add_repeats(runs, e, seed);
    }
    all = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "values",
                    texts(values, VALUES), "kernel", texts(kernel_values, KERNEL_VALUES), "words",
                    words(), "marks", marks(page), "bases", bases(page), "machines",
                    texts(page->machine, page->machines), "sms", of_machines(page, sms, 1), "lines",
                    of_machines(page, lines, 2), "policies", policies(page), "workloads",
                    loads(page), "runs", runs, "origins", origins, "names", names);
    if (page->alone)
        json_object_set_new(all, "alone", json_true());
    if (page->trace != NULL)
        json_object_set(all, "trace", (json_t *)page->trace);
    return all;
}
