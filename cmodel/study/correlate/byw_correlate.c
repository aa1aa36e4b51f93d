/* SPDX-License-Identifier: Apache-2.0 */
#include "study/correlate/byw_correlate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/byw_array.h"
#include "record/byw_request.h"
#include "study/job/byw_workload.h"
#include "study/store/byw_kept.h"

enum { RUN_NAME_ROOM = 200, GPU_SECTOR = 32 /* bytes of a sector, as the profiler counts */ };

/* A launch of a trace. */
struct launch {
    char kernel[128];
    uint32_t grid[3], block[3];
};

struct source {
    char path[BYW_PATH_ROOM];
    char name[64]; /* name of the workload or program */
    const char *size;
    char sum[BYW_TRACE_SUM_ROOM];
    struct launch *launch;
    size_t launches, room;
};

struct run {
    size_t source;
    struct byw_launch_range range;
    enum byw_gpu_variant variant;
    enum byw_correlate_mode mode;
    char name[RUN_NAME_ROOM];
    json_t *result;
};

struct byw_correlate {
    struct byw_correlate_options options;
    struct byw_config config[BYW_CORRELATE_MODES];
    char *config_text[BYW_CORRELATE_MODES];
    char machine[64], policy[64];
    struct byw_load_advice *advice[BYW_GPU_VARIANTS];
    struct byw_correlate_launch *launch;
    size_t count;
    struct source *source;
    size_t sources, source_room;
    struct run *run;
    size_t runs;
};

/* --- rows ------------------------------------------------------------------------------------- */

static bool in_list(const char *list, const char *word)
{
    const size_t length = strlen(word);

    for (; *list != '\0'; list += strcspn(list, ",") + (list[strcspn(list, ",")] == ','))
        if (strcspn(list, ",") == length && strncmp(list, word, length) == 0)
            return true;
    return false;
}

/* The size of the row's input: from --size, the row, or a part of the file's name
 * ("opencl_large.csv"). */
static const char *size_of(const struct byw_correlate *c, const struct byw_gpu_row *row)
{
    static const char *const sizes[] = {"small", "large", "paper"};
    const char *slash = strrchr(row->file, '/');

    if (c->options.size != NULL)
        return c->options.size;
    if (row->size[0] != '\0')
        return row->size;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        if (strstr(slash != NULL ? slash : row->file, sizes[i]) != NULL)
            return sizes[i];
    return sizes[0];
}

static void take_rows(struct byw_correlate *c, const struct byw_gpu_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct byw_gpu_row *row = &table->row[i];
        struct byw_correlate_launch *launch = &c->launch[c->count];

        if (!c->options.variant[row->variant] ||
            (c->options.programs != NULL && !in_list(c->options.programs, row->program)))
            continue;
        *launch = (struct byw_correlate_launch){
            .row = row, .size = size_of(c, row), .base = SIZE_MAX, .job = SIZE_MAX};
        for (size_t m = 0; m < BYW_GPU_METRICS; m++)
            launch->mode[BYW_CORRELATE_OWN][m] = launch->mode[BYW_CORRELATE_PTX][m] = NAN;
        launch->value = launch->mode[BYW_CORRELATE_OWN];
        c->count++;
    }
}

/* --- variants --------------------------------------------------------------------------------- */

static enum byw_status make_advice(struct byw_correlate *c, struct byw_diag *diag)
{
    static const uint8_t hint[BYW_GPU_VARIANTS] = {
        [BYW_GPU_CG] = BYW_HINT_VOLATILE, [BYW_GPU_NA] = BYW_HINT_BYPASS};

    for (size_t v = 0; v < BYW_GPU_VARIANTS; v++) {
        if (hint[v] == BYW_HINT_NONE)
            continue;
        c->advice[v] = byw_load_advice_empty();
        if (c->advice[v] == NULL || !byw_load_advice_add_all(c->advice[v], hint[v]))
            return byw_no_memory(diag, "the launches");
    }
    return BYW_OK;
}

enum byw_status byw_correlate_create(const struct byw_correlate_options *options,
                                     const struct byw_gpu_table *table, struct byw_correlate **made,
                                     struct byw_diag *diag)
{
    struct byw_correlate *c = calloc(1, sizeof(*c));
    enum byw_status st = BYW_OK;

    *made = c;
    if (c == NULL)
        return byw_no_memory(diag, "the launches");
    c->options = *options;
    byw_setup_name(options->machine, c->machine, sizeof(c->machine));
    byw_setup_name(options->policy, c->policy, sizeof(c->policy));
    st = byw_setup_config(options->places, options->machine, options->policy, options->settings,
                          options->setting_count, &c->config[BYW_CORRELATE_OWN], diag);
    if (st == BYW_OK && options->both && c->config[BYW_CORRELATE_OWN].machine_code == 0)
        st = byw_diag_set(diag, BYW_EINVAL,
                          "--both: machine %s does not time machine code; expected one with "
                          "sm.machine_code = on, such as h200",
                          c->machine);
    if (st == BYW_OK) {
        c->config[BYW_CORRELATE_PTX] = c->config[BYW_CORRELATE_OWN];
        c->config[BYW_CORRELATE_PTX].machine_code = 0;
        for (size_t m = 0; m < BYW_CORRELATE_MODES; m++)
            c->config_text[m] = byw_kept_config(&c->config[m]);
        c->launch = calloc(table->count + 1, sizeof(*c->launch));
        c->run = calloc(BYW_CORRELATE_MODES * table->count + 1, sizeof(*c->run));
        st = c->config_text[0] == NULL || c->config_text[1] == NULL || c->launch == NULL ||
                     c->run == NULL
                 ? byw_no_memory(diag, "the launches")
                 : make_advice(c, diag);
    }
    if (st != BYW_OK)
        return st;
    take_rows(c, table);
    return c->count > 0 ? BYW_OK
                        : byw_diag_set(diag, BYW_EINVAL,
                                       "no row of the table is selected; expected programs and "
                                       "variants that it contains");
}

void byw_correlate_free(struct byw_correlate *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->sources; i++)
        free(c->source[i].launch);
    for (size_t i = 0; i < c->runs; i++)
        json_decref(c->run[i].result);
    for (size_t v = 0; v < BYW_GPU_VARIANTS; v++)
        byw_load_advice_free(c->advice[v]);
    free(c->source);
    free(c->run);
    free(c->launch);
    for (size_t m = 0; m < BYW_CORRELATE_MODES; m++)
        free(c->config_text[m]);
    free(c);
}

/* --- traces ----------------------------------------------------------------------------------- */

/* Whether the table's `program` is this workload of the registry. */
static bool is_program(const struct byw_workload *about, const char *program)
{
    return strcmp(about->name, program) == 0 || strcmp(about->program, program) == 0;
}

/* How many launches of the program, from the first one, rows of this size need; 0: all. */
static uint32_t launches_of(const struct byw_correlate *c, const struct byw_workload *about,
                            const char *size)
{
    uint32_t most = 0;

    for (size_t i = 0; i < c->count; i++) {
        const struct byw_gpu_row *row = c->launch[i].row;

        if (strcmp(c->launch[i].size, size) != 0 || !is_program(about, row->program))
            continue;
        if (row->launch == 0)
            return 0;
        if (row->launch > most)
            most = row->launch;
    }
    return most;
}

/* Whether rows before i have the same program and size. */
static bool seen_before(const struct byw_correlate *c, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (strcmp(c->launch[j].size, c->launch[i].size) == 0 &&
            strcmp(c->launch[j].row->program, c->launch[i].row->program) == 0)
            return true;
    return false;
}

bool byw_correlate_wants(const struct byw_correlate *c, size_t i, struct byw_correlate_want *want)
{
    for (size_t k = 0; k < c->count; k++) {
        if (seen_before(c, k))
            continue;
        for (size_t w = 0; w < byw_workload_count(); w++) {
            const struct byw_workload about = byw_workload(w);

            if (!is_program(&about, c->launch[k].row->program) || i-- > 0)
                continue;
            want->workload = about.name;
            want->size = c->launch[k].size;
            want->launches = launches_of(c, &about, want->size);
            snprintf(want->path, sizeof(want->path), "%.*s/%s/%s.bwt", BYW_PATH_ROOM - 128,
                     c->options.folder, want->size, about.name);
            return true;
        }
    }
    return false;
}

static enum byw_status add_launch(struct source *source, const struct byw_kernel *kernel,
                                  struct byw_diag *diag)
{
    struct launch *launch;

    if (!BYW_ARRAY_ROOM(source->launch, source->room, source->launches + 1))
        return byw_no_memory(diag, "the launches");
    launch = &source->launch[source->launches++];
    byw_gpu_kernel_name(kernel->name, launch->kernel, sizeof(launch->kernel));
    memcpy(launch->grid, kernel->grid, sizeof(launch->grid));
    memcpy(launch->block, kernel->block, sizeof(launch->block));
    return BYW_OK;
}

static enum byw_status read_launches(struct source *source, struct byw_diag *diag)
{
    const struct byw_kernel *kernel;
    struct byw_trace *trace = NULL;
    enum byw_status st = byw_trace_open(source->path, &trace, diag);

    if (st != BYW_OK)
        return st;
    while ((st = byw_trace_next_kernel(trace, &kernel, diag)) == BYW_OK)
        if ((st = add_launch(source, kernel, diag)) != BYW_OK)
            break;
    byw_trace_close(trace);
    return st == BYW_END ? byw_trace_sum(source->path, source->sum, diag) : st;
}

/* Adds a trace unless it is already listed; *index: its index. */
static enum byw_status add_source(struct byw_correlate *c, const char *path, const char *name,
                                  const char *size, struct byw_diag *diag)
{
    struct source *source;

    for (size_t i = 0; i < c->sources; i++)
        if (strcmp(c->source[i].path, path) == 0)
            return BYW_OK;
    if (!BYW_ARRAY_ROOM(c->source, c->source_room, c->sources + 1))
        return byw_no_memory(diag, "the launches");
    source = &c->source[c->sources++];
    *source = (struct source){.size = size};
    snprintf(source->path, sizeof(source->path), "%s", path);
    snprintf(source->name, sizeof(source->name), "%s", name);
    return read_launches(source, diag);
}

/* folder/SIZE/NAME.bwt or folder/NAME.bwt, if there is one. */
static enum byw_status look_for(struct byw_correlate *c, const char *name, const char *size,
                                struct byw_diag *diag)
{
    char path[2][BYW_PATH_ROOM];

    snprintf(path[0], sizeof(path[0]), "%.*s/%.32s/%.64s.bwt", BYW_PATH_ROOM - 128,
             c->options.folder, size, name);
    snprintf(path[1], sizeof(path[1]), "%.*s/%.64s.bwt", BYW_PATH_ROOM - 128, c->options.folder,
             name);
    for (size_t i = 0; i < 2; i++)
        if (access(path[i], R_OK) == 0)
            return add_source(c, path[i], name, size, diag);
    return BYW_OK;
}

static enum byw_status find_sources(struct byw_correlate *c, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    if (c->options.trace != NULL)
        return add_source(c, c->options.trace, c->launch[0].row->program, c->launch[0].size, diag);
    for (size_t i = 0; st == BYW_OK && i < c->count; i++) {
        const char *program = c->launch[i].row->program;

        if (seen_before(c, i))
            continue;
        for (size_t w = 0; st == BYW_OK && w < byw_workload_count(); w++) {
            const struct byw_workload about = byw_workload(w);

            if (is_program(&about, program))
                st = look_for(c, about.name, c->launch[i].size, diag);
        }
        if (st == BYW_OK) /* the user's own program may have the name of a workload's folder */
            st = look_for(c, program, c->launch[i].size, diag);
    }
    return st;
}

/* --- matching --------------------------------------------------------------------------------- */

static bool same_shape(const uint32_t table[3], const uint32_t trace[3])
{
    return table[0] == 0 || memcmp(table, trace, 3 * sizeof(*table)) == 0;
}

/* Number of the row's launch in a trace, from 0; false: the trace does not have it. */
static bool find_launch(const struct source *source, const struct byw_gpu_row *row,
                        uint32_t *number)
{
    uint32_t nth = 0;

    for (uint32_t i = 0; i < source->launches; i++) {
        const struct launch *launch = &source->launch[i];

        if (strcmp(launch->kernel, row->kernel) != 0)
            continue;
        nth++;
        if (row->launch != 0 ? row->launch != i + 1 : row->nth != nth)
            continue;
        *number = i;
        return same_shape(row->grid, launch->grid) && same_shape(row->block, launch->block);
    }
    return false;
}

static bool is_source_of(const struct byw_correlate *c, const struct source *source,
                         const struct byw_correlate_launch *launch)
{
    struct byw_workload about;

    if (c->options.trace != NULL)
        return true;
    if (strcmp(source->size, launch->size) != 0)
        return false;
    return strcmp(source->name, launch->row->program) == 0 ||
           (byw_workload_find(source->name, &about) && is_program(&about, launch->row->program));
}

/* Number of earlier rows that look the same as this launch in the table; they belong to other
 * traces. */
static size_t doubles_before(const struct byw_correlate *c, size_t i)
{
    const struct byw_gpu_row *a = c->launch[i].row;
    size_t count = 0;

    for (size_t j = 0; j < i; j++) {
        const struct byw_gpu_row *b = c->launch[j].row;

        count += a->file == b->file && a->variant == b->variant && a->launch == b->launch &&
                 a->nth == b->nth && strcmp(a->kernel, b->kernel) == 0 &&
                 strcmp(a->program, b->program) == 0 && strcmp(a->arguments, b->arguments) == 0 &&
                 memcmp(a->grid, b->grid, sizeof(a->grid)) == 0;
    }
    return count;
}

static size_t add_run(struct byw_correlate *c, size_t source, uint32_t launch,
                      enum byw_gpu_variant variant, enum byw_correlate_mode mode)
{
    struct run *run;

    for (size_t i = 0; i < c->runs; i++)
        if (c->run[i].source == source && c->run[i].range.first == launch &&
            c->run[i].variant == variant && c->run[i].mode == mode)
            return i;
    run = &c->run[c->runs];
    *run =
        (struct run){.source = source, .range = {launch, launch}, .variant = variant, .mode = mode};
    snprintf(run->name, sizeof(run->name), "%s/%s launch %u %s%s", c->source[source].size,
             c->source[source].name, launch + 1, byw_gpu_variant_name(variant),
             mode == BYW_CORRELATE_PTX ? " by PTX" : "");
    return c->runs++;
}

static void match(struct byw_correlate *c, size_t i)
{
    struct byw_correlate_launch *launch = &c->launch[i];
    size_t skip = doubles_before(c, i), candidates = 0;

    for (size_t s = 0; s < c->sources; s++) {
        uint32_t number;

        if (!is_source_of(c, &c->source[s], launch))
            continue;
        candidates++;
        if (!find_launch(&c->source[s], launch->row, &number) || skip-- > 0)
            continue;
        launch->trace = c->source[s].path;
        launch->workload = c->source[s].name;
        launch->launch = number;
        launch->job = add_run(c, s, number, launch->row->variant, BYW_CORRELATE_OWN);
        if (c->options.both) /* the PTX run gets the index after launch->job, or exists already */
            add_run(c, s, number, launch->row->variant, BYW_CORRELATE_PTX);
        return;
    }
    if (candidates == 0)
        snprintf(launch->why, sizeof(launch->why), "no trace of %.100s", launch->row->program);
    else
        snprintf(launch->why, sizeof(launch->why),
                 "no launch of the trace is %.100s launch %u, grid %ux%ux%u, block %ux%ux%u",
                 launch->row->kernel,
                 launch->row->launch != 0 ? launch->row->launch : launch->row->nth,
                 launch->row->grid[0], launch->row->grid[1], launch->row->grid[2],
                 launch->row->block[0], launch->row->block[1], launch->row->block[2]);
}

/* Finds the launch that a variant is compared with: the same one, measured as compiled, in the same
 * file. */
static void find_base(struct byw_correlate *c, size_t i)
{
    struct byw_correlate_launch *launch = &c->launch[i];

    for (size_t j = 0; launch->trace != NULL && j < c->count; j++) {
        const struct byw_correlate_launch *other = &c->launch[j];

        if (other->row->variant == BYW_GPU_CA && other->trace == launch->trace &&
            other->launch == launch->launch && other->row->file == launch->row->file)
            launch->base = j;
    }
}

enum byw_status byw_correlate_prepare(struct byw_correlate *c, struct byw_diag *diag)
{
    enum byw_status st = find_sources(c, diag);

    if (st != BYW_OK)
        return st;
    for (size_t i = 0; i < c->count; i++)
        match(c, i);
    for (size_t i = 0; i < c->count; i++)
        find_base(c, i);
    if (c->runs == 0)
        return byw_diag_set(diag, BYW_ENOENT,
                            "no launch of the table has a trace (the first: %s); expected "
                            "%s/SIZE/PROGRAM.bwt, or a program to capture",
                            c->launch[0].why, c->options.folder);
    return BYW_OK;
}

/* --- runs ------------------------------------------------------------------------------------- */

/* The simulator's counters in the profiler's terms.  A hit on a sector in flight is a hit, and
 * bypassed loads that share an answer read once.  An L1D requests one sector at a time; sectors of
 * the L2 may be larger. Atomics, each of which is one request, and loads from local memory do not
 * count as reads. The L1D does not distinguish local from global loads, so its misses are divided
 * between them in proportion to the requested sectors. */
static void take_result(const struct byw_correlate *c, double value[BYW_GPU_METRICS],
                        const json_t *result)
{
    static const struct {
        enum byw_gpu_metric metric;
        const char *path;
    } same[] = {
        {BYW_GPU_CYCLES, "cycles"},
        {BYW_GPU_WARP_INSTRUCTIONS, "counts.warp_instructions"},
        {BYW_GPU_THREAD_INSTRUCTIONS, "counts.thread_instructions"},
        {BYW_GPU_LOADS, "counts.load.instructions"},
        {BYW_GPU_STORES, "counts.store.instructions"},
        {BYW_GPU_LOAD_SECTORS, "counts.load.sectors"},
        {BYW_GPU_STORE_SECTORS, "counts.store.sectors"},
    };
    const struct byw_config *config = &c->config[BYW_CORRELATE_OWN];
    const double sector = (double)config->l1d_line / (double)config->l1d_sectors / GPU_SECTOR;
    const double atom = (double)config->dram_atom / GPU_SECTOR;
    const double loads = byw_result_number(result, "counts.load.sectors");
    const double local = byw_result_number(result, "counts.local_load.sectors");
    const double share = loads > 0.0 ? loads / (loads + local) : 0.0;
    const double missed =
        (byw_result_number(result, "l1d.mem_reads") - byw_result_number(result, "l1d.atomics")) *
        sector * share;
    const double shared = byw_result_number(result, "coalescer.bypass_joins") * sector +
                          byw_result_number(result, "l2.joined_bytes") / GPU_SECTOR;

    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
        value[same[i].metric] = byw_result_number(result, same[i].path);
    if (byw_result_number(result, "machine_instructions") > 0.0) /* else: the trace's count */
        value[BYW_GPU_WARP_INSTRUCTIONS] = byw_result_number(result, "warp_instructions");
    value[BYW_GPU_TIME] = value[BYW_GPU_CYCLES] / (double)config->core_mhz;
    value[BYW_GPU_SHARED] = byw_result_number(result, "counts.shared_load.instructions") +
                            byw_result_number(result, "counts.shared_store.instructions");
    value[BYW_GPU_LOAD_HIT_SECTORS] = loads > missed ? loads - missed : 0.0;
    value[BYW_GPU_L2_READ_SECTORS] = missed - shared * share;
    value[BYW_GPU_L2_WRITE_SECTORS] = (byw_result_number(result, "l1d.mem_writes") -
                                       byw_result_number(result, "coalescer.merged_stores")) *
                                      sector;
    value[BYW_GPU_DRAM_READ_SECTORS] = byw_result_number(result, "dram.reads") * atom;
    value[BYW_GPU_DRAM_WRITE_SECTORS] = byw_result_number(result, "dram.writes") * atom;
}

/* The results of a launch: its run, and that by PTX, which comes next. */
static void take_launch(struct byw_correlate *c, struct byw_correlate_launch *launch,
                        const char *lacking)
{
    const json_t *own = c->run[launch->job].result;
    const json_t *ptx = c->options.both ? c->run[launch->job + 1].result : NULL;
    const char *refused = own != NULL ? byw_result_refused(own) : NULL;

    if (refused == NULL && ptx != NULL)
        refused = byw_result_refused(ptx);
    if (own == NULL || (c->options.both && ptx == NULL) || refused != NULL) {
        snprintf(launch->why, sizeof(launch->why), "%.250s", refused != NULL ? refused : lacking);
        launch->job = SIZE_MAX;
        return;
    }
    take_result(c, launch->mode[BYW_CORRELATE_OWN], own);
    if (ptx != NULL)
        take_result(c, launch->mode[BYW_CORRELATE_PTX], ptx);
    launch->result = own;
    launch->machine = byw_result_number(own, "machine_instructions") > 0.0;
}

static void take_results(struct byw_correlate *c, const char *lacking)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->launch[i].job != SIZE_MAX)
            take_launch(c, &c->launch[i], lacking);
}

bool byw_correlate_both(const struct byw_correlate *c)
{
    return c->options.both;
}

void byw_correlate_use(struct byw_correlate *c, enum byw_correlate_mode mode)
{
    for (size_t i = 0; i < c->count; i++)
        c->launch[i].value = c->launch[i].mode[mode];
}

/* The jobs of all runs, and the total number of their warp instructions. */
static enum byw_status make_jobs(const struct byw_correlate *c, struct byw_job *job,
                                 byw_kept_id *id, double *expected, struct byw_diag *diag)
{
    for (size_t i = 0; i < c->runs; i++) {
        const struct run *run = &c->run[i];
        const struct source *source = &c->source[run->source];
        char more[64];

        job[i] = (struct byw_job){.workload = run->name,
                                  .trace = source->path,
                                  .machine = c->machine,
                                  .policy = c->policy,
                                  .config = &c->config[run->mode],
                                  .advice = c->advice[run->variant],
                                  .trace_sum = source->sum,
                                  .only = &run->range,
                                  .counts = true};
        snprintf(more, sizeof(more), "launch %u %s, stall_sums\n", run->range.first + 1,
                 byw_gpu_variant_name(run->variant));
        if (!byw_kept_name(&job[i], c->config_text[run->mode], more, id[i]))
            return byw_no_memory(diag, "the launches");
    }
    *expected = 0.0;
    for (size_t i = 0; i < c->count; i++)
        if (c->launch[i].job != SIZE_MAX &&
            !isnan(c->launch[i].row->value[BYW_GPU_WARP_INSTRUCTIONS]))
            *expected +=
                (c->options.both ? 2.0 : 1.0) * c->launch[i].row->value[BYW_GPU_WARP_INSTRUCTIONS];
    return BYW_OK;
}

enum byw_status byw_correlate_run(struct byw_correlate *c, struct byw_store *store,
                                  unsigned workers, const struct byw_job_options *how,
                                  struct byw_diag *diag)
{
    struct byw_job_options options = *how;
    struct byw_job *job = calloc(c->runs + 1, sizeof(*job));
    byw_kept_id *id = calloc(c->runs + 1, sizeof(*id));
    json_t **results = calloc(c->runs + 1, sizeof(json_t *));
    enum byw_status st = job != NULL && id != NULL && results != NULL
                             ? make_jobs(c, job, id, &options.expected, diag)
                             : byw_no_memory(diag, "the launches");

    options.gaps = options.stall_sums = true;
    options.lists = BYW_LISTS_NONE;
    if (st == BYW_OK)
        st = byw_kept_run(store, job, (const byw_kept_id *)id, c->runs, workers, &options, results,
                          diag);
    if (st != BYW_OK && how->stop != NULL && *how->stop != 0)
        for (size_t i = 0; i < c->runs; i++)
            (void)byw_store_find(store, id[i], &results[i], NULL);
    for (size_t i = 0; results != NULL && i < c->runs; i++)
        c->run[i].result = results[i];
    if (results != NULL)
        take_results(c, st == BYW_OK ? "no result" : "not simulated yet");
    free(job);
    free(id);
    free(results);
    return st;
}

size_t byw_correlate_count(const struct byw_correlate *c)
{
    return c->count;
}

const struct byw_correlate_launch *byw_correlate_launch(const struct byw_correlate *c, size_t i)
{
    return &c->launch[i];
}

const struct byw_config *byw_correlate_config(const struct byw_correlate *c)
{
    return &c->config[BYW_CORRELATE_OWN];
}

const char *byw_correlate_machine(const struct byw_correlate *c)
{
    return c->machine;
}
