/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_counters.h"

static const char *const event_text[] = {
#define X(code, name, when) [code] = when,
#include "record/byw_events.def"
#undef X
};

enum { NO_EVENT = -1 };

struct row {
    struct byw_counter about;
    int event; /* the text is in event_text */
};

#define RUN(path, unit, value, when) {{BYW_SCOPE_RUN, path, unit, when}, NO_EVENT},
#define RUN_REAL RUN
#define L1(path, unit, value, when) {{BYW_SCOPE_L1, path, unit, when}, NO_EVENT},
#define L1_REAL L1
#define L1_EVENT(path, code) {{BYW_SCOPE_L1, path, "events", NULL}, code},
#define ENERGY(path, value, when) {{BYW_SCOPE_ENERGY, path, "nJ", when}, NO_EVENT},
#define COST(path, unit, value, when) {{BYW_SCOPE_COST, path, unit, when}, NO_EVENT},
#define SM(path, unit, value, when) {{BYW_SCOPE_SM, path, unit, when}, NO_EVENT},
#define KERNEL(path, unit, value, when) {{BYW_SCOPE_KERNEL, path, unit, when}, NO_EVENT},
#define KERNEL_REAL KERNEL
#define LOAD(path, unit, value, when) {{BYW_SCOPE_LOAD, path, unit, when}, NO_EVENT},
#define LOAD_REAL(path, value, when) {{BYW_SCOPE_LOAD, path, "nJ", when}, NO_EVENT},
static const struct row rows[] = {
#include "study/job/byw_counters.def"
};
#undef RUN
#undef RUN_REAL
#undef L1
#undef L1_REAL
#undef L1_EVENT
#undef ENERGY
#undef COST
#undef SM
#undef KERNEL
#undef KERNEL_REAL
#undef LOAD
#undef LOAD_REAL

enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]) };

size_t byw_counter_count(void)
{
    size_t count = ROW_COUNT;

    for (size_t m = 0; m < byw_mech_count(); m++)
        count += byw_mech(m)->counter_count;
    return count;
}

/* Counter i among the counters of mechanisms. */
static struct byw_counter mech_counter(size_t i)
{
    size_t m = 0;

    for (; i >= byw_mech(m)->counter_count; m++)
        i -= byw_mech(m)->counter_count;
    return (struct byw_counter){BYW_SCOPE_L1, byw_mech(m)->counters[i].path,
                                byw_mech(m)->counters[i].unit, byw_mech(m)->counters[i].when};
}

struct byw_counter byw_counter(size_t i)
{
    struct byw_counter about;

    if (i >= ROW_COUNT)
        return mech_counter(i - ROW_COUNT);
    about = rows[i].about;
    if (rows[i].event != NO_EVENT)
        about.when = event_text[rows[i].event];
    return about;
}

static double ratio(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0.0 : (double)part / (double)whole;
}

static uint64_t accesses(const struct byw_l1_stats *l1)
{
    return l1->ev[BYW_EV_LOAD] + l1->ev[BYW_EV_STORE] + l1->ev[BYW_EV_ATOMIC];
}

static uint64_t bypasses(const struct byw_l1_stats *l1)
{
    return l1->ev[BYW_EV_BYPASS] + l1->ev[BYW_EV_ATOMIC];
}

static double per_second(uint64_t events, const struct byw_cost *cost)
{
    return cost->seconds > 0.0 ? (double)events / cost->seconds : 0.0;
}

static void put_count(struct byw_counter_value *value, uint64_t count)
{
    value->set = true;
    value->count = count;
}

static void put_real(struct byw_counter_value *value, double ratio)
{
    value->set = true;
    value->real = true;
    value->ratio = ratio;
}

/* Fills one value per row of the table, in its order. */
#define COUNT_IF(have, value)                                                                      \
    if ((have) != NULL)                                                                            \
        put_count(v, value);                                                                       \
    v++;
#define REAL_IF(have, value)                                                                       \
    if ((have) != NULL)                                                                            \
        put_real(v, value);                                                                        \
    v++;
#define RUN(path, unit, value, when) COUNT_IF(r, value)
#define RUN_REAL(path, unit, value, when) REAL_IF(r, value)
#define L1(path, unit, value, when) COUNT_IF(l1, value)
#define L1_REAL(path, unit, value, when) REAL_IF(l1, value)
#define L1_EVENT(path, code) COUNT_IF(l1, l1->ev[code])
#define ENERGY(path, value, when) REAL_IF(e, value)
#define COST(path, unit, value, when) REAL_IF(cost, value)
#define SM(path, unit, value, when) COUNT_IF(sm, value)
#define KERNEL(path, unit, value, when) COUNT_IF(k, value)
#define KERNEL_REAL(path, unit, value, when) REAL_IF(k, value)
#define LOAD(path, unit, value, when) COUNT_IF(load, value)
#define LOAD_REAL(path, value, when) REAL_IF(load, value)

/* Counters of the mechanisms that the run uses. */
static void read_mechs(const struct byw_counter_source *source, struct byw_counter_value *v)
{
    size_t n = 0;

    if (source->l1 == NULL || source->config == NULL)
        return;
    for (size_t m = 0; m < byw_mech_count(); m++) {
        bool used = byw_mech(m)->counter_count != 0 && byw_mech_in_use(source->config, byw_mech(m));

        for (size_t i = 0; i < byw_mech(m)->counter_count; i++, n++)
            if (used)
                put_count(&v[n], source->l1->mech[n]);
    }
}

void byw_counters_read(const struct byw_counter_source *source, struct byw_counter_value *values)
{
    const struct byw_gpu_result *r = source->run;
    const struct byw_l1_stats *l1 = source->l1;
    const struct byw_energy *e = source->energy;
    const struct byw_cost *cost = source->cost;
    const struct byw_gpu_sm *sm = source->sm;
    const struct byw_gpu_kernel *k = source->kernel;
    const struct byw_load_use *load = source->load;
    struct byw_counter_value *v = values;

    for (size_t i = 0; i < byw_counter_count(); i++)
        values[i] = (struct byw_counter_value){0};
#include "study/job/byw_counters.def"
    read_mechs(source, v);
}
