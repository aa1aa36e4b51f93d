/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/byw_path.h"
#include "study/papers/byw_originals.h"
#include "trace/file/byw_trace_sum.h"

static const struct byw_original originals[] = {
#define BYW_ORIGINAL(...) {__VA_ARGS__},
#include "study/papers/byw_originals.def"
#undef BYW_ORIGINAL
};

size_t byw_original_count(void)
{
    return sizeof(originals) / sizeof(originals[0]);
}

const struct byw_original *byw_original(size_t i)
{
    return &originals[i];
}

double byw_original_printed(const struct byw_papers *papers, const char *workload)
{
    for (size_t f = 0; f < papers->figures; f++) {
        const struct byw_figure *figure = &papers->figure[f];

        for (size_t p = 0; strcmp(figure->id, "000-T1n") == 0 && p < figure->column[0].points; p++)
            if (strcmp(figure->column[0].point[p].row, workload) == 0)
                return figure->column[0].point[p].value;
    }
    return 0.0;
}

uint64_t byw_originals_whole(const struct byw_original *list, size_t count, const char *sum)
{
    for (size_t i = 0; i < count; i++)
        if (sum[0] != '\0' && strcmp(list[i].sum, sum) == 0)
            return list[i].whole;
    return 0;
}

static enum byw_status compare(const struct byw_original *one, const char *folder,
                               struct byw_originals_found *found, struct byw_diag *diag)
{
    char path[BYW_PATH_ROOM], sum[BYW_TRACE_SUM_ROOM];
    struct byw_names *list = &found->missing;
    enum byw_status st = BYW_OK;

    if (snprintf(path, sizeof(path), "%s/%s.bwt", folder, one->workload) >= (int)sizeof(path))
        return byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", folder);
    found->expected++;
    if (access(path, F_OK) == 0) {
        st = byw_trace_sum(path, sum, diag);
        if (st == BYW_OK && strcmp(sum, one->sum) == 0) {
            found->equal++;
            return BYW_OK;
        }
        list = &found->differ;
    }
    if (st == BYW_OK && !byw_names_add(list, one->workload, strlen(one->workload)))
        st = byw_no_memory(diag, "the list of traces");
    return st;
}

enum byw_status byw_originals_check(const struct byw_original *list, size_t count,
                                    const char *folder, struct byw_originals_found *found,
                                    struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    *found = (struct byw_originals_found){.expected = 0};
    for (size_t i = 0; st == BYW_OK && i < count; i++)
        if (list[i].sum[0] != '\0')
            st = compare(&list[i], folder, found, diag);
    if (st != BYW_OK)
        byw_originals_release(found);
    return st;
}

void byw_originals_release(struct byw_originals_found *found)
{
    byw_names_free(&found->missing);
    byw_names_free(&found->differ);
}
