/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_load_stats.h"

#include <stdlib.h>

#include "common/byw_array.h"
#include "common/byw_index.h"
#include "common/byw_text.h"
#include "record/byw_request.h"
#include "study/job/byw_result_json.h"

/* One static load. */
struct load {
    uint32_t kernel; /* index of the first launch of its code */
    uint32_t pc;
    uint64_t transactions, outcome[BYW_RSFAIL], reused;
    uint64_t fills;
    uint64_t refused[BYW_RSFAIL_COUNT]; /* cycles in which the load was refused, by reason */
};

struct stats {
    const struct byw_gpu_result *result;
    struct load *load;
    size_t count, room;
    struct byw_index loads; /* load[] by kernel and PC */
    struct touch { /* the last load of an SM from a sector */
        uint64_t sector;
        uint32_t load;
        uint32_t launch; /* ordinal of the kernel start before this load */
    } * touch;
    size_t touches, touch_room;
    struct byw_index sectors; /* touch[] by sector */
};

static void release(struct stats *s)
{
    free(s->load);
    free(s->touch);
    byw_index_release(&s->loads);
    byw_index_release(&s->sectors);
}

/* Index of a load, or BYW_INDEX_END if it is unknown. */
static uint32_t find_load(const struct stats *s, uint32_t kernel, uint32_t pc)
{
    uint32_t n;

    for (uint32_t at = 0;
         (n = byw_index_next(&s->loads, byw_hash2(kernel, pc), &at)) != BYW_INDEX_END;)
        if (s->load[n].kernel == kernel && s->load[n].pc == pc)
            break;
    return n;
}

/* Index of a load, which is added if it is new; BYW_INDEX_END: out of memory. */
static uint32_t load_of(struct stats *s, uint32_t kernel, uint32_t pc)
{
    uint32_t n = find_load(s, kernel, pc);

    if (n != BYW_INDEX_END)
        return n;
    if (!BYW_ARRAY_ROOM(s->load, s->room, s->count + 1) ||
        !byw_index_add(&s->loads, byw_hash2(kernel, pc), (uint32_t)s->count))
        return BYW_INDEX_END;
    s->load[s->count] = (struct load){.kernel = kernel, .pc = pc};
    return (uint32_t)s->count++;
}

/* A sector of a line as one number; lines have addresses of up to 48 bits. */
static uint64_t sector_of(const struct byw_record *r)
{
    return r->line | (uint64_t)r->sector << 56;
}

/* The last touch of a sector, which is added if new, with launch 0; NULL: out of memory. */
static struct touch *touch_of(struct stats *s, uint64_t sector)
{
    uint32_t hash = byw_hash(sector), n;

    for (uint32_t at = 0; (n = byw_index_next(&s->sectors, hash, &at)) != BYW_INDEX_END;)
        if (s->touch[n].sector == sector)
            return &s->touch[n];
    if (!BYW_ARRAY_ROOM(s->touch, s->touch_room, s->touches + 1) ||
        !byw_index_add(&s->sectors, hash, (uint32_t)s->touches))
        return NULL;
    s->touch[s->touches] = (struct touch){.sector = sector};
    return &s->touch[s->touches++];
}

/* Adds a load's refusals. `next`: the first refusal of its SM at or after the load. */
static void count_refusals(struct load *load, const struct byw_recorder *recorder, uint64_t entry,
                           uint64_t next)
{
    for (; next < recorder->refusals && recorder->refusal[next].entry == entry; next++)
        load->refused[recorder->refusal[next].reason] += recorder->refusal[next].cycles;
}

static bool count_load(struct stats *s, const struct byw_recorder *recorder, uint64_t entry,
                       uint64_t refusal, uint32_t kernel, uint32_t launch)
{
    const struct byw_record *r = &recorder->record[entry];
    uint32_t load = load_of(s, kernel, r->pc - s->result->kernel[kernel].code_at);
    struct touch *touch = touch_of(s, sector_of(r));

    if (load == BYW_INDEX_END || touch == NULL)
        return false;
    s->load[load].transactions++;
    s->load[load].outcome[r->outcome]++;
    count_refusals(&s->load[load], recorder, entry, refusal);
    if (touch->launch == launch)
        s->load[touch->load].reused++;
    *touch = (struct touch){sector_of(r), load, launch};
    return true;
}

/* Index of the first launch of this code; a run has few kernels, so a linear search suffices. */
static uint32_t kernel_of(const struct stats *s, uint32_t code)
{
    uint32_t i = 0;

    while (i + 1 < s->result->kernel_count && s->result->kernel[i].code != code)
        i++;
    return i;
}

/* Counts a fill, which belongs to the load that missed. */
static void count_fill(struct stats *s, const struct byw_recorder *recorder, uint64_t miss,
                       uint32_t kernel)
{
    const struct byw_record *r = &recorder->record[miss];
    uint32_t load = BYW_INDEX_END;

    if (r->op == BYW_OP_LOAD)
        load = find_load(s, kernel, r->pc - s->result->kernel[kernel].code_at);
    if (load != BYW_INDEX_END)
        s->load[load].fills++;
}

static bool count_sm(struct stats *s, const struct byw_recorder *recorder)
{
    uint32_t kernel = 0, launch = 1;
    uint64_t refusal = 0;

    if (recorder->lost)
        return false;
    s->touches = 0;
    byw_index_clear(&s->sectors);
    for (uint64_t i = 0; i < recorder->count; i++) {
        const struct byw_record *r = &recorder->record[i];

        while (refusal < recorder->refusals && recorder->refusal[refusal].entry < i)
            refusal++;
        if (r->op == BYW_RECORD_START) {
            kernel = kernel_of(s, r->pc);
            launch++;
        } else if (r->op == BYW_RECORD_FILL) {
            count_fill(s, recorder, r->line, kernel);
        } else if (r->op == BYW_OP_LOAD && !count_load(s, recorder, i, refusal, kernel, launch)) {
            return false;
        }
    }
    return true;
}

static int by_kernel_and_pc(const void *a, const void *b)
{
    const struct load *x = a, *y = b;

    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static json_t *refused_of(const struct load *load)
{
    static const char *const name[] = {
#define X(code, name) [code] = name,
        BYW_RSFAIL_LIST(X)
#undef X
    };
    json_t *refused = json_object();

    for (size_t i = 0; i < BYW_RSFAIL_COUNT; i++)
        json_object_set_new(refused, name[i], json_integer((json_int_t)load->refused[i]));
    return refused;
}

/* --- below the L1s ---------------------------------------------------------------------------- */

/* State while the lists are made: what is left of the run's totals becomes rest_accesses. */
struct books {
    const struct byw_config *config;
    const struct byw_gpu_result *result;
    const struct byw_mem_ledger *ledger;
    double tags; /* energy that one access takes in the tags, nJ */
    double l1_left; /* energy of the L1s that no load has been charged with so far, nJ */
};

static const struct byw_mem_entry *entry_of(const struct byw_mem_ledger *ledger, uint32_t pc)
{
    for (size_t i = 0; i < byw_mem_ledger_count(ledger); i++)
        if (byw_mem_ledger_entry(ledger, i)->pc == pc)
            return byw_mem_ledger_entry(ledger, i);
    return NULL;
}

static bool add_use(json_t *object, const struct books *b, const struct byw_mem_use *below,
                    double l1)
{
    struct byw_load_use use = {.below = *below, .energy.l1 = l1};
    struct byw_counter_source source = {.load = &use};

    byw_energy_below(b->config, below, &use.energy);
    use.energy.total = l1 + use.energy.icnt + use.energy.l2 + use.energy.dram;
    return byw_result_counters(object, &source);
}

static json_t *kernel_name(const struct byw_gpu_kernel *kernel)
{
    char name[BYW_TEXT_GROWTH * sizeof(kernel->name)];

    byw_text_printable(kernel->name, name, sizeof(name));
    return json_string(name);
}

static json_t *load_json(struct books *b, const struct load *l)
{
    static const struct byw_mem_use none;
    const struct byw_gpu_kernel *kernel = &b->result->kernel[l->kernel];
    const struct byw_mem_entry *entry = entry_of(b->ledger, kernel->code_at + l->pc);
    double l1 = (double)(l->outcome[BYW_HIT] + l->fills) * byw_energy_l1_data(b->config) +
                (double)l->transactions * b->tags;
    json_t *json = json_pack(
        "{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "kernel", kernel_name(kernel), "pc",
        (json_int_t)l->pc, "transactions", (json_int_t)l->transactions, "hits",
        (json_int_t)l->outcome[BYW_HIT], "hit_pending", (json_int_t)l->outcome[BYW_HIT_PENDING],
        "misses", (json_int_t)l->outcome[BYW_MISS], "bypasses", (json_int_t)l->outcome[BYW_BYPASS],
        "reused", (json_int_t)l->reused, "refused", refused_of(l));

    b->l1_left -= l1;
    if (json != NULL && !add_use(json, b, entry != NULL ? &entry->use : &none, l1)) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static bool append(json_t *list, json_t *entry)
{
    return entry != NULL && json_array_append_new(list, entry) == 0;
}

static json_t *loads_json(struct stats *s, struct books *b)
{
    json_t *list = json_array();

    if (s->count != 0)
        qsort(s->load, s->count, sizeof(*s->load), by_kernel_and_pc);
    for (size_t i = 0; list != NULL && i < s->count; i++)
        if (!append(list, load_json(b, &s->load[i]))) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static bool is_load(const struct stats *s, uint32_t pc)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->result->kernel[s->load[i].kernel].code_at + s->load[i].pc == pc)
            return true;
    return false;
}

/* The kernel whose code contains a PC, by its first launch. */
static const struct byw_gpu_kernel *kernel_at(const struct byw_gpu_result *result, uint32_t pc)
{
    const struct byw_gpu_kernel *found = NULL;

    for (uint32_t i = 0; i < result->kernel_count; i++)
        if (result->kernel[i].code_at <= pc &&
            (found == NULL || result->kernel[i].code_at > found->code_at))
            found = &result->kernel[i];
    return found;
}

/* Stores, atomics, and loads that are not global. */
static json_t *others_json(const struct stats *s, const struct books *b)
{
    static const char *const op[] = {[BYW_TXN_READ] = "load",
                                     [BYW_TXN_WRITE] = "store",
                                     [BYW_TXN_ATOMIC] = "atomic",
                                     [BYW_TXN_INST] = "fetch",
                                     [BYW_TXN_WRITEBACK] = "writeback"};
    json_t *list = json_array();

    for (size_t i = 0; list != NULL && i < byw_mem_ledger_count(b->ledger); i++) {
        const struct byw_mem_entry *e = byw_mem_ledger_entry(b->ledger, i);
        const struct byw_gpu_kernel *kernel = kernel_at(s->result, e->pc);
        json_t *json;

        if (is_load(s, e->pc) || kernel == NULL)
            continue;
        json = json_pack("{s:o, s:I, s:s}", "kernel", kernel_name(kernel), "pc",
                         (json_int_t)(e->pc - kernel->code_at), "op", op[e->kind]);
        if (json == NULL || !add_use(json, b, &e->use, 0.0) || json_array_append(list, json) != 0) {
            json_decref(list);
            list = NULL;
        }
        json_decref(json);
    }
    return list;
}

/* Traffic that no instruction requested. Lines sent by a flush or a rinse belong to no access. */
static struct byw_mem_use rest_of(const struct byw_gpu_result *result,
                                  const struct byw_mem_ledger *ledger)
{
    struct byw_mem_use rest = *byw_mem_ledger_rest(ledger);

    rest.l2.writebacks = result->mem.l2.writebacks;
    for (size_t i = 0; i < byw_mem_ledger_count(ledger); i++)
        rest.l2.writebacks -= byw_mem_ledger_entry(ledger, i)->use.l2.writebacks;
    return rest;
}

static struct books open_books(const struct byw_config *config, const struct byw_gpu_result *result,
                               const struct byw_mem_ledger *ledger)
{
    const uint64_t *ev = result->l1.ev;
    double accesses = (double)(ev[BYW_EV_LOAD] + ev[BYW_EV_STORE] + ev[BYW_EV_ATOMIC]);
    struct byw_energy energy;

    byw_energy_of(config, result, &energy);
    return (struct books){.config = config,
                          .result = result,
                          .ledger = ledger,
                          .tags = accesses > 0.0 ? energy.l1_tag / accesses : 0.0,
                          .l1_left = energy.l1};
}

enum byw_status byw_load_stats_add(json_t *json, const struct byw_config *config,
                                   const struct byw_gpu_result *result,
                                   const struct byw_recorder *recorders,
                                   const struct byw_mem_ledger *ledger)
{
    struct stats s = {.result = result};
    struct books b = open_books(config, result, ledger);
    struct byw_mem_use nobodys = rest_of(result, ledger);
    json_t *loads = NULL, *others = NULL, *rest = json_object();
    bool good = rest != NULL && !byw_mem_ledger_lost(ledger);

    for (uint32_t i = 0; good && i < result->sm_count; i++)
        good = count_sm(&s, &recorders[i]);
    if (good) {
        loads = loads_json(&s, &b);
        others = others_json(&s, &b);
        good = loads != NULL && others != NULL && add_use(rest, &b, &nobodys, b.l1_left) &&
               json_object_set(json, "loads", loads) == 0 &&
               json_object_set(json, "other_accesses", others) == 0 &&
               json_object_set(json, "rest_accesses", rest) == 0;
    }
    json_decref(loads);
    json_decref(others);
    json_decref(rest);
    release(&s);
    return good ? BYW_OK : BYW_ENOMEM;
}
