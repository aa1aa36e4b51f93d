/* SPDX-License-Identifier: Apache-2.0 */
#include "study/advise/byw_advise.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"
#include "sim/sm/byw_load_advice.h"
#include "study/advise/byw_advise_state.h"
#include "study/job/byw_provenance.h"
#include "study/job/byw_setup.h"
#include "trace/byw_kernel_name.h"
#include "trace/file/byw_trace_sum.h"

/* --- kernels and loads ---------------------------------------------------------------------- */

static uint32_t kernel_of(const struct byw_advise *a, const char *name)
{
    uint32_t i = 0;

    while (i < a->kernels && strcmp(a->kernel[i].name, name) != 0)
        i++;
    return i;
}

static enum byw_status add_kernel(struct byw_advise *a, const struct byw_kernel *kernel,
                                  struct byw_diag *diag)
{
    const char *name = kernel->name;
    uint32_t i = kernel_of(a, name);

    if (name[0] == '\0' || name[strcspn(name, " \t\r\n#*")] != '\0')
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "%s: kernel '%s' cannot be named in an advice file; expected a name "
                            "without blanks, # and *",
                            a->job->trace, name);
    if (i == a->kernels) {
        if (!BYW_ARRAY_ROOM(a->kernel, a->kernel_room, a->kernels + 1))
            return byw_no_memory(diag, "the advice");
        a->kernel[a->kernels] = (struct byw_advise_kernel){.stamp = byw_load_stamp(kernel)};
        strcpy(a->kernel[a->kernels++].name, name);
    } else if (a->kernel[i].stamp != byw_load_stamp(kernel)) {
        /* if a kernel has several versions of its code, the file cannot say which one it means */
        a->kernel[i].stamp = 0;
    }
    a->kernel[i].launches++;
    return BYW_OK;
}

/* Adds to each load what only the trace's tables contain. */
static void note_tables(struct byw_advise *a, const struct byw_kernel *kernel)
{
    for (uint32_t s = 0; s < kernel->site_count; s++)
        for (uint32_t i = 0; i < a->loads; i++)
            if (a->load[i].pc == kernel->site[s].pc &&
                strcmp(a->kernel[a->load[i].kernel].name, kernel->name) == 0) {
                a->load[i].block = kernel->site[s].block;
                a->load[i].built_in = (kernel->site[s].flags & BYW_SITE_BUILT_IN) != 0;
            }
}

/* Reads the launches, but not their CTAs. */
static enum byw_status read_kernels(struct byw_advise *a, bool tables, struct byw_diag *diag)
{
    const struct byw_kernel *kernel;
    struct byw_trace *trace;
    enum byw_status st = byw_trace_open(a->job->trace, &trace, diag);

    if (st != BYW_OK)
        return st;
    while (st == BYW_OK) {
        st = byw_trace_next_kernel(trace, &kernel, diag);
        if (st == BYW_OK && !byw_advise_wants(a, kernel))
            continue;
        if (st == BYW_OK && tables)
            note_tables(a, kernel);
        else if (st == BYW_OK)
            st = add_kernel(a, kernel, diag);
    }
    byw_trace_close(trace);
    return st == BYW_END ? BYW_OK : st;
}

static int by_place(const void *left, const void *right)
{
    const struct byw_advise_load *x = left, *y = right;

    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->argument != y->argument)
        return x->argument < y->argument ? -1 : 1;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* Merges loads with the same PC: they differ in width, or in the version of the kernel's code. */
static void unite(struct byw_advise *a)
{
    uint32_t kept = 0;

    qsort(a->load, a->loads, sizeof(*a->load), by_place);
    for (uint32_t i = 0; i < a->loads; i++) {
        struct byw_advise_load *last = kept == 0 ? NULL : &a->load[kept - 1];

        if (last != NULL && last->kernel == a->load[i].kernel && last->pc == a->load[i].pc) {
            last->accesses += a->load[i].accesses;
            last->lanes += a->load[i].lanes;
            last->lines += a->load[i].lines;
        } else {
            a->load[kept++] = a->load[i];
        }
    }
    a->loads = kept;
}

/* Whether a launch that is simulated executes the site. */
static bool is_run(const struct byw_advise *a, const struct byw_site_counts *site)
{
    for (uint32_t i = 0; i < a->launches; i++)
        if (a->info.launch[a->launch[i]].kernel.code == site->code)
            return true;
    return false;
}

static enum byw_status take_loads(struct byw_advise *a, struct byw_diag *diag)
{
    a->load = calloc(a->info.sites.count + 1, sizeof(*a->load));
    if (a->load == NULL)
        return byw_no_memory(diag, "the advice");
    for (uint32_t i = 0; i < a->info.sites.count; i++) {
        const struct byw_site_counts *site = &a->info.sites.site[i];

        if (site->cls != BYW_CLASS_LOAD || site->accesses == 0 || !is_run(a, site))
            continue;
        a->load[a->loads++] = (struct byw_advise_load){
            .kernel = kernel_of(a, a->info.launch[site->launch].kernel.name),
            .pc = site->pc,
            .line = site->line,
            .argument = site->argument,
            .width = site->width,
            .accesses = site->accesses,
            .lanes = site->lanes,
            .lines = site->lines,
        };
    }
    unite(a);
    return BYW_OK;
}

/* Drops loads of built-in functions; BYW_EUNSUPPORTED if no other load remains. */
static enum byw_status drop_built_in(struct byw_advise *a, struct byw_diag *diag)
{
    uint32_t kept = 0, all = a->loads;

    for (uint32_t i = 0; i < all; i++)
        if (!a->load[i].built_in)
            a->load[kept++] = a->load[i];
    a->loads = kept;
    if (kept != 0)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EUNSUPPORTED, "%s: there is no global load to advise on%s",
                        a->job->trace,
                        all != 0 ? "; reads of images and vload_half cannot carry a hint" : "");
}

/* Whether loads i - 1 and i belong to the same place. */
static bool same_place(const struct byw_advise *a, uint32_t i)
{
    const struct byw_advise_load *x = &a->load[i - 1], *y = &a->load[i];

    return !a->options->by_load && x->kernel == y->kernel && x->line != 0 && x->line == y->line &&
           x->argument == y->argument;
}

static enum byw_status make_places(struct byw_advise *a, struct byw_diag *diag)
{
    a->place = calloc(a->loads, sizeof(*a->place));
    if (a->place == NULL)
        return byw_no_memory(diag, "the advice");
    for (uint32_t i = 0; i < a->loads; i++) {
        struct byw_advise_kernel *kernel = &a->kernel[a->load[i].kernel];

        if (i == 0 || !same_place(a, i)) {
            if (kernel->places++ == 0)
                kernel->first = a->places;
            a->place[a->places++] =
                (struct byw_advise_place){.kernel = a->load[i].kernel, .first = i};
        }
        a->load[i].place = a->places - 1;
        a->place[a->places - 1].count++;
    }
    return BYW_OK;
}

static enum byw_status list_launches(struct byw_advise *a, struct byw_diag *diag)
{
    const struct byw_job_options *how = a->options->how;

    a->launch = calloc(a->info.launch_count + 1, sizeof(*a->launch));
    if (a->launch == NULL)
        return byw_no_memory(diag, "the advice");
    for (uint32_t i = 0; i < a->info.launch_count; i++)
        if (byw_advise_wants(a, &a->info.launch[i].kernel))
            a->launch[a->launches++] = i;
    for (size_t i = 0; i < how->launch_ranges; i++)
        if (how->launches[i].first >= a->info.launch_count)
            return byw_diag_set(diag, BYW_EINVAL,
                                "--launches has launch %u, but the trace has %u; expected numbers "
                                "from 1 to %u",
                                how->launches[i].first + 1, a->info.launch_count,
                                a->info.launch_count);
    if (a->launches == 0 && how->kernels != NULL)
        return byw_diag_set(diag, BYW_EINVAL,
                            "%s: no launch has a kernel that matches '%s'; byway trace info lists "
                            "the kernels, and --launches selects by number",
                            a->job->trace, byw_kernel_pick_text(how->kernels));
    return BYW_OK;
}

enum byw_status byw_advise_loads(struct byw_advise *a, struct byw_diag *diag)
{
    enum byw_status st = byw_trace_info_read(a->job->trace, NULL, &a->info, diag);

    if (st == BYW_OK)
        st = list_launches(a, diag);
    if (st == BYW_OK)
        st = read_kernels(a, false, diag);
    if (st == BYW_OK)
        st = take_loads(a, diag);
    if (st == BYW_OK)
        st = read_kernels(a, true, diag);
    if (st == BYW_OK)
        st = drop_built_in(a, diag);
    if (st == BYW_OK)
        st = make_places(a, diag);
    return st;
}

/* --- the whole ------------------------------------------------------------------------------ */

static void release(struct byw_advise *a)
{
    for (uint32_t k = 0; k < a->kernels; k++) {
        struct byw_advise_kernel *kernel = &a->kernel[k];

        for (size_t i = 0; i < kernel->count; i++) {
            free(kernel->tried[i].key);
            free(kernel->tried[i].of_run);
        }
        for (size_t i = 0; i < kernel->proposals; i++)
            free(kernel->proposed[i]);
        free(kernel->tried);
        free(kernel->proposed);
        free(kernel->chosen);
    }
    free(a->kernel);
    free(a->place);
    free(a->load);
    free(a->launch);
    free(a->sum);
    for (uint32_t r = 0; r < a->repeat; r++) {
        json_decref(a->base[r]);
        json_decref(a->advised[r]);
    }
    json_decref(a->mpache);
    json_decref(a->sweep);
    json_decref(a->schemes);
    byw_advise_source_release(&a->source);
    byw_trace_info_release(&a->info);
}

/* The checksum of a trace, if runs are stored; otherwise *sum stays NULL. */
static enum byw_status sum_of(const struct byw_advise *a, const char *trace, char **sum,
                              struct byw_diag *diag)
{
    *sum = NULL;
    if (a->options->store == NULL)
        return BYW_OK;
    *sum = calloc(1, BYW_TRACE_SUM_ROOM);
    return *sum != NULL ? byw_trace_sum(trace, *sum, diag) : byw_no_memory(diag, "the advice");
}

/* The effect of the advice on each kernel of another input. */
static json_t *also_kernels(const struct byw_advise *a, json_t *const *before, json_t *const *after)
{
    json_t *list = json_array();

    for (uint32_t k = 0; list != NULL && k < a->kernels; k++) {
        char title[BYW_KERNEL_NAME_ROOM];
        json_t *kernel;

        if (strcmp(a->kernel[k].chosen, a->kernel[k].tried[0].key) == 0)
            continue;
        byw_kernel_name(a->kernel[k].name, title);
        kernel = json_pack("{s:s, s:s}", "name", a->kernel[k].name, "title", title);
        byw_advise_put_cycles(kernel, before, after, a->repeat, a->kernel[k].name);
        json_array_append_new(list, kernel);
    }
    return list;
}

/* Tries the advice on another trace of the program. */
static enum byw_status try_also(const struct byw_advise *a, const char *path, json_t *list,
                                struct byw_diag *diag)
{
    const char **key = calloc(2 * (size_t)a->kernels, sizeof(*key));
    json_t *result[2 * BYW_REPEAT_MOST] = {NULL};
    char *sum = NULL;
    enum byw_status st =
        key != NULL ? sum_of(a, path, &sum, diag) : byw_no_memory(diag, "the advice");

    for (uint32_t k = 0; key != NULL && k < a->kernels; k++) {
        key[k] = a->kernel[k].tried[0].key;
        key[a->kernels + k] = a->kernel[k].chosen;
    }
    if (st == BYW_OK)
        st = byw_advise_run_on(a, path, sum, key, 2, false, result, diag);
    if (st == BYW_OK) {
        json_t *const *after = result + a->repeat;
        json_t *entry;
        char name[256];

        byw_setup_name(path, name, sizeof(name));
        entry = json_pack("{s:s}", "trace", name);
        byw_advise_put_cycles(entry, result, after, a->repeat, NULL);
        json_object_set_new(entry, "kernels", also_kernels(a, result, after));
        json_array_append_new(list, entry);
    }
    for (uint32_t r = 0; r < 2 * a->repeat; r++)
        json_decref(result[r]);
    free(sum);
    free(key);
    return st;
}

/* Checks that the other traces can be opened, so that the user learns it before the search. */
static enum byw_status find_also(const struct byw_advise_options *options, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < options->also_count; i++) {
        struct byw_trace *trace = NULL;

        st = byw_trace_open(options->also[i], &trace, diag);
        byw_trace_close(trace);
    }
    return st;
}

enum byw_status byw_advise(const struct byw_job *job, const struct byw_advise_options *options,
                           json_t **report, struct byw_diag *diag)
{
    struct byw_advise a = {.job = job,
                           .options = options,
                           .how = *options->how,
                           .repeat = options->repeat > 1 ? options->repeat : 1};
    json_t *also = json_array();
    enum byw_status st = find_also(options, diag);

    if (st == BYW_OK)
        st = sum_of(&a, job->trace, &a.sum, diag);
    *report = NULL;
    a.how.progress = options->how->progress != NULL ? byw_advise_show : NULL;
    a.how.progress_ctx = &a;
    if (st == BYW_OK)
        st = byw_advise_loads(&a, diag);
    for (size_t i = 0; st == BYW_OK && i < options->sources; i++)
        st = byw_advise_source_read(&a.source, options->source[i], diag);
    if (st == BYW_OK)
        st = options->mpache != NULL ? byw_advise_mpache(&a, diag) : byw_advise_search(&a, diag);
    for (size_t i = 0; st == BYW_OK && i < options->also_count; i++)
        st = try_also(&a, options->also[i], also, diag);
    if (st == BYW_OK && options->how->stop != NULL && *options->how->stop != 0)
        st = byw_diag_set(diag, BYW_ESTUCK, "interrupted; there is no advice yet");
    if (st == BYW_OK || a.stopped) {
        *report = byw_advise_json(&a);
        if (*report == NULL || json_object_set(*report, "also", also) != 0)
            st = byw_no_memory(diag, "the advice");
        if (a.mpache != NULL)
            json_object_set(*report, "mpache", a.mpache);
        if (a.sweep != NULL)
            json_object_set(*report, "sweep", a.sweep);
        if (a.schemes != NULL)
            json_object_set(*report, "schemes", a.schemes);
        if (options->how->command != NULL)
            json_object_set_new(*report, "provenance",
                                byw_provenance_json(options->how->command, options->how->commit,
                                                    job->trace, a.sum));
    }
    json_decref(also);
    release(&a);
    return st;
}
