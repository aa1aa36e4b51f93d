/* SPDX-License-Identifier: Apache-2.0
 *
 * The loads that a search is about, and its file: advice, with the search in its comments.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_file.h"
#include "study/advise/byw_bound_state.h"
#include "trace/stats/byw_trace_info.h"

/* --- loads ---------------------------------------------------------------------------------- */

static int by_kernel_and_pc(const void *a, const void *b)
{
    const struct byw_bound_load *x = a, *y = b;
    int order = strcmp(x->kernel, y->kernel);

    return order != 0 ? order : x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* Sorts, and adds up what has the same name: other widths, other code of the same kernel. */
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
        return byw_diag_set(diag, BYW_ENOMEM, "no memory for the search");
    for (uint32_t i = 0; i < info->sites.count; i++) {
        const struct byw_site_counts *site = &info->sites.site[i];
        const char *name = info->launch[site->launch].kernel.name;
        struct byw_bound_load *load = &b->load[b->loads];

        if (site->cls != BYW_CLASS_LOAD || site->accesses == 0)
            continue;
        if (name[0] == '\0' || name[strcspn(name, " \t\r\n#*")] != '\0')
            return byw_diag_set(diag, BYW_EUNSUPPORTED,
                                "%s: kernel '%s' cannot be named in a file of advice; expected a "
                                "name without blanks, # and *",
                                b->job->trace, name);
        strcpy(load->kernel, name);
        load->pc = site->pc;
        load->accesses = site->accesses;
        b->loads++;
    }
    unite(b);
    if (b->loads == 0)
        return byw_diag_set(diag, BYW_EUNSUPPORTED, "%s: there is no global load to advise",
                            b->job->trace);
    return BYW_OK;
}

enum byw_status byw_bound_loads(struct byw_bound *bound, struct byw_diag *diag)
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

enum { LINE_ROOM = 1024 }; /* as in a file of advice */

static void mix(uint64_t *hash, const char *text)
{
    for (; *text != '\0'; text++)
        *hash = (*hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    *hash = (*hash ^ 0xff) * UINT64_C(0x100000001b3);
}

/* What the search is about: every key of the configuration and every load. */
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

/* "# tried KEY CYCLES" */
static bool read_try(struct byw_bound *b, const char *line, struct byw_diag *diag)
{
    char key[LINE_ROOM] = "", *own;
    uint64_t cycles;

    if (sscanf(line, "# tried %1000s %" SCNu64, key, &cycles) != 2 || strlen(key) != b->digits ||
        key[strspn(key, "0123456789abcdef")] != '\0') {
        byw_diag_set(diag, BYW_EFORMAT, "%s: '%.60s' is no assignment of %u loads with its cycles",
                     b->options->path, line, b->loads);
        return false;
    }
    own = strdup(key);
    if (own != NULL && byw_bound_add(b, own, cycles))
        return true;
    byw_diag_set(diag, BYW_ENOMEM, "no memory for the search");
    return false;
}

enum byw_status byw_bound_read(struct byw_bound *bound, struct byw_diag *diag)
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
                        "%s: is not of this search; expected the line '%s', or no such file",
                        bound->options->path, own);
}

enum byw_status byw_bound_write(const struct byw_bound *bound, struct byw_diag *diag)
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
            own, bound->cycles, byw_bound_bypassed(bound, bound->best), bound->count,
            bound->complete ? "complete" : "not complete");
    for (uint32_t i = 0; i < bound->loads; i++)
        if (byw_bound_bit(bound->best, i))
            fprintf(out, "%s pc:0x%x bypass\n", bound->load[i].kernel, bound->load[i].pc);
    for (size_t i = 0; i < bound->count; i++)
        fprintf(out, "# tried %s %" PRIu64 "\n", bound->tried[i].key, bound->tried[i].cycles);
    return byw_file_commit(file, diag);
}
