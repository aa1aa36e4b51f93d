/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_bound.c - lists the loads of the trace, reads and writes the search's file (advice, with
 * every assignment tried as a comment), and searches.
 */
#include "study/advise/byw_bound.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"
#include "common/byw_file.h"
#include "record/byw_request.h"
#include "trace/stats/byw_trace_info.h"

enum { BATCH_MAX = 256 };

struct byw_bound_load {
    char kernel[128];
    uint32_t pc;
    uint64_t accesses;
};

/* An assignment is a text with one hexadecimal digit per four loads, the first load in the highest
 * bit; a set bit bypasses. */
struct byw_bound_try {
    char *key;
    uint64_t cycles;
};

struct byw_bound {
    const struct byw_job *job;
    const struct byw_bound_options *options;
    struct byw_bound_load *load;
    uint32_t loads, digits;
    struct byw_bound_try *tried; /* all assignments tried, in the order of the search */
    size_t count, room;
    char *best; /* the fastest assignment so far; NULL: none */
    uint64_t cycles;
    bool complete;
};

static bool is_set(const char *key, uint32_t load)
{
    char digit = key[load / 4];
    uint32_t value = (uint32_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);

    return (value >> (3 - load % 4) & 1) != 0;
}

static void toggle(char *key, uint32_t load)
{
    char digit = key[load / 4];
    uint32_t value = (uint32_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);

    key[load / 4] = "0123456789abcdef"[value ^ (8U >> load % 4)];
}

static uint32_t bypassed(const struct byw_bound *bound, const char *key)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < bound->loads; i++)
        n += is_set(key, i);
    return n;
}

static const struct byw_bound_try *find(const struct byw_bound *b, const char *key)
{
    for (size_t i = 0; i < b->count; i++)
        if (strcmp(b->tried[i].key, key) == 0)
            return &b->tried[i];
    return NULL;
}

static bool add(struct byw_bound *b, char *key, uint64_t cycles)
{
    if (!BYW_ARRAY_ROOM(b->tried, b->room, b->count + 1)) {
        free(key);
        return false;
    }
    b->tried[b->count++] = (struct byw_bound_try){key, cycles};
    if (b->best == NULL || cycles < b->cycles ||
        (cycles == b->cycles && bypassed(b, key) < bypassed(b, b->best))) {
        b->best = key;
        b->cycles = cycles;
    }
    return true;
}

/* --- loads ---------------------------------------------------------------------------------- */

static int by_kernel_and_pc(const void *a, const void *b)
{
    const struct byw_bound_load *x = a, *y = b;
    int order = strcmp(x->kernel, y->kernel);

    return order != 0 ? order : x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* Sorts the loads and merges those with the same name: they differ in width, or in the version of
 * the kernel's code. */
static void unite(struct byw_bound *b)
{
    uint32_t kept = 0;

    qsort(b->load, b->loads, sizeof(*b->load), by_kernel_and_pc);
    for (uint32_t i = 1; i < b->loads; i++) {
        if (by_kernel_and_pc(&b->load[kept], &b->load[i]) == 0)
            b->load[kept].accesses += b->load[i].accesses;
        else
            b->load[++kept] = b->load[i];
    }
    b->loads = b->loads == 0 ? 0 : kept + 1;
}

static enum byw_status take_loads(struct byw_bound *b, const struct byw_trace_info *info,
                                  struct byw_diag *diag)
{
    b->load = calloc(info->sites.count + 1, sizeof(*b->load));
    if (b->load == NULL)
        return byw_no_memory(diag, "the search");
    for (uint32_t i = 0; i < info->sites.count; i++) {
        const struct byw_site_counts *site = &info->sites.site[i];
        const char *name = info->launch[site->launch].kernel.name;
        struct byw_bound_load *load = &b->load[b->loads];

        if (site->cls != BYW_CLASS_LOAD || site->accesses == 0)
            continue;
        if (name[0] == '\0' || name[strcspn(name, " \t\r\n#*")] != '\0')
            return byw_diag_set(diag, BYW_EUNSUPPORTED,
                                "%s: kernel '%s' cannot be named in an advice file; expected a "
                                "name without blanks, # and *",
                                b->job->trace, name);
        strcpy(load->kernel, name);
        load->pc = site->pc;
        load->accesses = site->accesses;
        b->loads++;
    }
    unite(b);
    if (b->loads == 0)
        return byw_diag_set(diag, BYW_EUNSUPPORTED, "%s: there is no global load to advise on",
                            b->job->trace);
    return BYW_OK;
}

static enum byw_status find_loads(struct byw_bound *bound, struct byw_diag *diag)
{
    struct byw_trace_info info;
    enum byw_status st = byw_trace_info_read(bound->job->trace, NULL, &info, diag);

    if (st != BYW_OK)
        return st;
    st = take_loads(bound, &info, diag);
    byw_trace_info_release(&info);
    return st;
}

/* --- the file ------------------------------------------------------------------------------- */

enum { LINE_ROOM = 1024 }; /* longest line of an advice file */

static void mix(uint64_t *hash, const char *text)
{
    for (; *text != '\0'; text++)
        *hash = (*hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    *hash = (*hash ^ 0xff) * UINT64_C(0x100000001b3);
}

/* Identity of a search: every key of the configuration and every load. */
static void header(const struct byw_bound *b, char text[LINE_ROOM])
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    char word[BYW_CONFIG_TEXT];

    for (size_t i = 0; i < byw_param_count(); i++) {
        byw_config_text(b->job->config, i, word, sizeof(word));
        mix(&hash, word);
    }
    for (uint32_t i = 0; i < b->loads; i++) {
        snprintf(word, sizeof(word), "%u %" PRIu64, b->load[i].pc, b->load[i].accesses);
        mix(&hash, b->load[i].kernel);
        mix(&hash, word);
    }
    snprintf(text, LINE_ROOM, "# search of %u loads of %.200s on %.200s with %.200s, %016" PRIx64,
             b->loads, b->job->workload, b->job->machine, b->job->policy, hash);
}

/* Reads a line "# tried KEY CYCLES". */
static bool read_try(struct byw_bound *b, const char *line, struct byw_diag *diag)
{
    char key[LINE_ROOM] = "", *own;
    uint64_t cycles;

    if (sscanf(line, "# tried %1000s %" SCNu64, key, &cycles) != 2 || strlen(key) != b->digits ||
        key[strspn(key, "0123456789abcdef")] != '\0') {
        byw_diag_set(diag, BYW_EFORMAT,
                     "%s: '%.60s' is not an assignment of %u loads with its cycles",
                     b->options->path, line, b->loads);
        return false;
    }
    own = strdup(key);
    if (own != NULL && add(b, own, cycles))
        return true;
    byw_no_memory(diag, "the search");
    return false;
}

static enum byw_status read_file(struct byw_bound *bound, struct byw_diag *diag)
{
    char line[LINE_ROOM], own[LINE_ROOM];
    FILE *in = fopen(bound->options->path, "r");
    bool same = false, good = true;

    if (bound->digits > LINE_ROOM - 64)
        good = false;
    if (in == NULL && errno == ENOENT && good)
        return BYW_OK;
    if (in == NULL || !good) {
        if (in != NULL)
            fclose(in);
        return good ? byw_diag_set(diag, BYW_EIO, "%s: cannot be opened (%s)", bound->options->path,
                                   strerror(errno))
                    : byw_diag_set(diag, BYW_EUNSUPPORTED, "%s: %u loads are too many to search",
                                   bound->job->trace, bound->loads);
    }
    header(bound, own);
    while (good && fgets(line, sizeof(line), in) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        same = same || strcmp(line, own) == 0;
        if (same && strncmp(line, "# tried ", 8) == 0)
            good = read_try(bound, line, diag);
    }
    fclose(in);
    if (!good)
        return BYW_EFORMAT;
    if (same)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EFORMAT,
                        "%s: belongs to another search; expected the line '%s', or no such file",
                        bound->options->path, own);
}

static enum byw_status write_file(const struct byw_bound *bound, struct byw_diag *diag)
{
    struct byw_file *file;
    char own[LINE_ROOM];
    FILE *out;
    enum byw_status st = byw_file_create(bound->options->path, &file, diag);

    if (st != BYW_OK)
        return st;
    out = byw_file_stream(file);
    header(bound, own);
    fprintf(out,
            "# Advice for loads, found by `byway oracle --search`; `byway run --advice` obeys it.\n"
            "%s\n# best %" PRIu64 " cycles, %u loads bypass, %zu runs, %s\n",
            own, bound->cycles, bypassed(bound, bound->best), bound->count,
            bound->complete ? "complete" : "not complete");
    for (uint32_t i = 0; i < bound->loads; i++)
        if (is_set(bound->best, i))
            fprintf(out, "%s pc:0x%x bypass\n", bound->load[i].kernel, bound->load[i].pc);
    for (size_t i = 0; i < bound->count; i++)
        fprintf(out, "# tried %s %" PRIu64 "\n", bound->tried[i].key, bound->tried[i].cycles);
    return byw_file_commit(file, diag);
}

/* --- runs ----------------------------------------------------------------------------------- */

/* Assignments to try; NULL: none. */
struct batch {
    char **key;
    size_t count;
};

static struct byw_load_advice *advice_of(const struct byw_bound *b, const char *key)
{
    struct byw_load_advice *advice = byw_load_advice_empty();

    for (uint32_t i = 0; advice != NULL && i < b->loads; i++) {
        uint8_t hint = is_set(key, i) ? BYW_HINT_BYPASS : BYW_HINT_NONE;

        if (!byw_load_advice_add(advice, b->load[i].kernel, b->load[i].pc, hint)) {
            byw_load_advice_free(advice);
            return NULL;
        }
    }
    return advice;
}

/* Runs `count` assignments at once, at most BATCH_MAX. */
static enum byw_status run_some(struct byw_bound *b, char *const *key, size_t count,
                                struct byw_diag *diag)
{
    struct byw_job job[BATCH_MAX];
    json_t *result[BATCH_MAX] = {NULL};
    enum byw_status st = BYW_OK;
    size_t made = 0;

    for (; made < count && st == BYW_OK; made++) {
        job[made] = *b->job;
        job[made].advice = advice_of(b, key[made]);
        if (job[made].advice == NULL)
            st = byw_no_memory(diag, "the search");
    }
    if (st == BYW_OK)
        st = byw_jobs_run(job, count, b->options->workers, b->options->how, result, diag);
    for (size_t i = 0; i < made; i++)
        byw_load_advice_free(job[i].advice);
    for (size_t i = 0; st == BYW_OK && i < count; i++) {
        const char *why = byw_result_refused(result[i]);
        char *own = strdup(key[i]);

        if (why != NULL)
            st = byw_diag_set(diag, BYW_EUNSUPPORTED, "%s", why);
        else if (own == NULL || !add(b, own, (uint64_t)byw_result_number(result[i], "cycles")))
            st = byw_no_memory(diag, "the search");
    }
    for (size_t i = 0; i < count; i++)
        json_decref(result[i]);
    return st == BYW_OK ? write_file(b, diag) : st;
}

/* Runs the assignments that have not been tried, in order, up to the limit of runs. */
static enum byw_status run_batch(struct byw_bound *b, const struct batch *batch,
                                 struct byw_diag *diag)
{
    size_t most = b->options->workers < BATCH_MAX ? b->options->workers : BATCH_MAX;
    enum byw_status st = BYW_OK;
    size_t i = 0;

    while (st == BYW_OK && i < batch->count && b->count < b->options->most_runs) {
        char *some[BATCH_MAX];
        size_t n = 0;

        for (; i < batch->count && n < most && b->count + n < b->options->most_runs; i++)
            if (find(b, batch->key[i]) == NULL)
                some[n++] = batch->key[i];
        if (n != 0)
            st = run_some(b, some, n, diag);
    }
    return st;
}

static bool batch_init(struct batch *batch, size_t room)
{
    *batch = (struct batch){.key = calloc(room, sizeof(*batch->key))};
    return batch->key != NULL;
}

static void batch_free(struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        free(batch->key[i]);
    free(batch->key);
}

/* Adds a copy of an assignment; returns it. */
static char *batch_add(struct batch *batch, const char *key)
{
    char *copy = strdup(key);

    if (copy != NULL)
        batch->key[batch->count++] = copy;
    return copy;
}

/* --- the search ----------------------------------------------------------------------------- */

struct turn {
    uint32_t load;
    uint64_t cycles;
};

static int by_cycles(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;

    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? -1 : 1;
    return x->load < y->load ? -1 : x->load > y->load;
}

/* Tries every single flip of `at`; returns the flips that save cycles, the best first. */
static enum byw_status try_turns(struct byw_bound *b, const struct byw_bound_try *at,
                                 struct turn *turn, uint32_t *turns, struct byw_diag *diag)
{
    struct batch batch;
    uint64_t cycles = at->cycles;
    enum byw_status st = BYW_OK;

    *turns = 0;
    if (!batch_init(&batch, b->loads))
        return byw_no_memory(diag, "the search");
    for (uint32_t i = 0; st == BYW_OK && i < b->loads; i++) {
        char *key = batch_add(&batch, at->key);

        if (key == NULL)
            st = byw_no_memory(diag, "the search");
        else
            toggle(key, i);
    }
    if (st == BYW_OK)
        st = run_batch(b, &batch, diag);
    for (uint32_t i = 0; st == BYW_OK && i < b->loads; i++) {
        const struct byw_bound_try *of = find(b, batch.key[i]);

        if (of != NULL && of->cycles < cycles)
            turn[(*turns)++] = (struct turn){i, of->cycles};
    }
    qsort(turn, *turns, sizeof(*turn), by_cycles);
    batch_free(&batch);
    return st;
}

/* Makes all of these flips of `from` together, then the better half of them, and so on; *next: the
 * fastest of these assignments and that of the best single flip. */
static enum byw_status try_together(struct byw_bound *b, const char *from, const struct turn *turn,
                                    uint32_t turns, char **next, struct byw_diag *diag)
{
    struct batch batch;
    uint64_t least = UINT64_MAX;
    enum byw_status st = BYW_OK;

    if (!batch_init(&batch, 64))
        return byw_no_memory(diag, "the search");
    for (uint32_t n = turns; st == BYW_OK && n != 0; n /= 2) {
        char *key = batch_add(&batch, from);

        if (key == NULL)
            st = byw_no_memory(diag, "the search");
        for (uint32_t i = 0; st == BYW_OK && i < n; i++)
            toggle(key, turn[i].load);
    }
    if (st == BYW_OK)
        st = run_batch(b, &batch, diag);
    *next = NULL;
    for (size_t i = 0; st == BYW_OK && i < batch.count; i++) {
        const struct byw_bound_try *of = find(b, batch.key[i]);

        if (of != NULL && of->cycles < least) {
            least = of->cycles;
            free(*next);
            *next = strdup(of->key);
            if (*next == NULL)
                st = byw_no_memory(diag, "the search");
        }
    }
    batch_free(&batch);
    return st;
}

/* Climbs from one assignment to its local optimum; *top: reached within the allowed runs. */
static enum byw_status climb(struct byw_bound *b, const char *start, bool *top,
                             struct byw_diag *diag)
{
    struct turn *turn = calloc(b->loads, sizeof(*turn));
    char *key = strdup(start);
    enum byw_status st = turn != NULL && key != NULL ? BYW_OK : byw_no_memory(diag, "the search");

    *top = false;
    while (st == BYW_OK && b->count < b->options->most_runs) {
        const struct byw_bound_try at = {key, find(b, key)->cycles};
        uint32_t turns;
        char *next = NULL;

        st = try_turns(b, &at, turn, &turns, diag);
        if (st != BYW_OK || turns == 0)
            break;
        st = try_together(b, key, turn, turns, &next, diag);
        free(key);
        key = next;
    }
    if (st == BYW_OK) { /* at a local optimum every flip has been tried, and none helps */
        uint64_t cycles = find(b, key)->cycles;

        *top = true;
        for (uint32_t i = 0; *top && i < b->loads; i++) {
            const struct byw_bound_try *of;

            toggle(key, i);
            of = find(b, key);
            *top = of != NULL && of->cycles >= cycles;
            toggle(key, i);
        }
    }
    free(turn);
    free(key);
    return st;
}

static enum byw_status search(struct byw_bound *b, struct byw_diag *diag)
{
    struct batch ends;
    bool top[2] = {false, false};
    enum byw_status st;

    if (!batch_init(&ends, 2))
        return byw_no_memory(diag, "the search");
    for (uint32_t end = 0; end < 2; end++) {
        char *key = calloc(1, b->digits + 1);

        if (key == NULL) {
            batch_free(&ends);
            return byw_no_memory(diag, "the search");
        }
        memset(key, '0', b->digits);
        for (uint32_t i = 0; end == 1 && i < b->loads; i++)
            toggle(key, i);
        ends.key[ends.count++] = key;
    }
    st = run_batch(b, &ends, diag);
    for (uint32_t end = 0; end < 2 && st == BYW_OK && find(b, ends.key[end]) != NULL; end++)
        st = climb(b, ends.key[end], &top[end], diag);
    b->complete = top[0] && top[1];
    batch_free(&ends);
    return st == BYW_OK ? write_file(b, diag) : st;
}

/* --- the result ----------------------------------------------------------------------------- */

static uint64_t cycles_of_all(const struct byw_bound *b, bool bypass)
{
    for (size_t i = 0; i < b->count; i++)
        if (bypassed(b, b->tried[i].key) == (bypass ? b->loads : 0))
            return b->tried[i].cycles;
    return 0;
}

static json_t *result_of(const struct byw_bound *b)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:b}", "cycles", (json_int_t)b->cycles,
                     "keep_all", (json_int_t)cycles_of_all(b, false), "bypass_all",
                     (json_int_t)cycles_of_all(b, true), "loads", (json_int_t)b->loads, "bypassed",
                     (json_int_t)bypassed(b, b->best), "runs", (json_int_t)b->count, "complete",
                     b->complete);
}

enum byw_status byw_bound_search(const struct byw_job *job, const struct byw_bound_options *options,
                                 json_t **json, struct byw_diag *diag)
{
    struct byw_bound b = {.job = job, .options = options};
    enum byw_status st = find_loads(&b, diag);

    *json = NULL;
    b.digits = (b.loads + 3) / 4;
    if (st == BYW_OK)
        st = read_file(&b, diag);
    if (st == BYW_OK)
        st = search(&b, diag);
    if (st == BYW_ESTUCK)
        byw_diag_set(diag, BYW_ESTUCK,
                     "interrupted; %s has the assignments tried so far; run the same command again "
                     "to resume",
                     options->path);
    if (st == BYW_OK) {
        *json = result_of(&b);
        if (*json == NULL)
            st = byw_no_memory(diag, "the search");
    }
    for (size_t i = 0; i < b.count; i++)
        free(b.tried[i].key);
    free(b.tried);
    free(b.load);
    return st;
}
