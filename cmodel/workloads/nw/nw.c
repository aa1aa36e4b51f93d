/* SPDX-License-Identifier: Apache-2.0
 *
 * nw.c - Needleman-Wunsch global alignment of two random protein-like sequences.
 *
 * 2 * (n / 16) - 1 launches; launch i covers the block anti-diagonal i.  With --launches A-B only
 * these launches run on the device and the host computes the others, so that a trace contains the
 * wide diagonals of a large problem without its many narrow ones. --scratchpad 0 leaves the tiles
 * in global memory, as in the study of the PC-based predictor.
 */
#include "byw_wl.h"
#include "workloads/nw_cl.h"

enum { TILE = 16, LETTERS = 24 };

static const struct byw_wl_option options[] = {
    {"n", "letters of each sequence", {64, 2048, 2048}, 16, 8192, 16},
    {"penalty", "cost of a gap", {10, 10, 10}, 1, 1000, 1},
    {"scratchpad", "1: tiles in local memory, 0: in global memory", {1, 1, 1}, 0, 1, 1},
    {"first", "first launch that runs on the device, from 1", {1, 127, 1}, 1, 1023, 1},
    {"last", "last launch that runs on the device", {1023, 129, 1023}, 1, 1023, 1},
};
static const struct byw_wl_about about = {
    "nw", "Needleman-Wunsch sequence alignment by 16 x 16 tiles", byw_wl_source, options,
    sizeof options / sizeof options[0]};

struct problem {
    int n, pitch, penalty, width; /* width: tiles in a row */
    int *similarity;
};

/* A substitution matrix like BLOSUM: symmetric, high on the diagonal, mostly negative off it;
 * its values do not affect addresses. */
static void make_problem(struct byw_wl *wl, struct problem *p, int *score)
{
    int substitution[LETTERS][LETTERS];
    for (int i = 0; i < LETTERS; i++)
        for (int j = 0; j <= i; j++)
            substitution[i][j] = substitution[j][i] =
                i == j ? 4 + (int)byw_wl_below(wl, 8) : (int)byw_wl_below(wl, 8) - 4;
    int *a = byw_wl_ints(wl, (size_t)p->n + 1), *b = byw_wl_ints(wl, (size_t)p->n + 1);
    for (int i = 1; i <= p->n; i++) {
        a[i] = (int)byw_wl_below(wl, LETTERS);
        b[i] = (int)byw_wl_below(wl, LETTERS);
    }
    for (int y = 1; y <= p->n; y++)
        for (int x = 1; x <= p->n; x++)
            p->similarity[y * p->pitch + x] = substitution[a[y]][b[x]];
    for (int i = 1; i <= p->n; i++)
        score[i * p->pitch] = score[i] = -i * p->penalty;
}

static void host_cells(const struct problem *p, int *score, int x0, int y0, int side)
{
    for (int y = y0; y < y0 + side; y++) {
        for (int x = x0; x < x0 + side; x++) {
            int at = y * p->pitch + x;
            int best = score[at - p->pitch - 1] + p->similarity[at];
            int west = score[at - 1] - p->penalty, north = score[at - p->pitch] - p->penalty;
            best = best > west ? best : west;
            score[at] = best > north ? best : north;
        }
    }
}

static void host_launch(const struct problem *p, int *score, int launch)
{
    for (int x = 0; x < p->width; x++) {
        int y = launch - 1 - x;
        if (y >= 0 && y < p->width)
            host_cells(p, score, x * TILE + 1, y * TILE + 1, TILE);
    }
}

static void device_launches(struct byw_wl *wl, const struct problem *p, cl_mem score, int first,
                            int last)
{
    size_t cells = (size_t)p->pitch * (size_t)p->pitch;
    cl_mem similarity = byw_wl_buffer(wl, cells * sizeof(int), p->similarity);
    bool scratchpad = byw_wl_get(wl, "scratchpad") != 0;
    cl_kernel grow = byw_wl_kernel(wl, scratchpad ? "nw_grow" : "nw_grow_in_place");
    cl_kernel shrink = byw_wl_kernel(wl, scratchpad ? "nw_shrink" : "nw_shrink_in_place");
    for (int launch = first; launch <= last; launch++) {
        int tiles = launch <= p->width ? launch : 2 * p->width - launch;
        if (launch <= p->width)
            byw_wl_args(wl, grow, "mmiii", similarity, score, p->pitch, p->penalty, tiles);
        else
            byw_wl_args(wl, shrink, "mmiiii", similarity, score, p->pitch, p->penalty, tiles,
                        p->width);
        byw_wl_launch(wl, launch <= p->width ? grow : shrink, (size_t)tiles, TILE);
    }
}

int main(int argc, char **argv)
{
    struct byw_wl wl;
    byw_wl_begin(&wl, &about, argc, argv);
    struct problem p = {.n = byw_wl_get_int(&wl, "n"), .penalty = byw_wl_get_int(&wl, "penalty")};
    p.pitch = p.n + 1;
    p.width = p.n / TILE;
    int total = 2 * p.width - 1;
    int first = byw_wl_get_int(&wl, "first"), last = byw_wl_get_int(&wl, "last");
    last = last < total ? last : total;

    size_t cells = (size_t)p.pitch * (size_t)p.pitch;
    p.similarity = byw_wl_ints(&wl, cells);
    int *got = byw_wl_ints(&wl, cells), *want = byw_wl_ints(&wl, cells);
    make_problem(&wl, &p, got);
    for (size_t i = 0; i < cells; i++)
        want[i] = got[i];

    for (int launch = 1; launch < first && launch <= total; launch++)
        host_launch(&p, got, launch);
    cl_mem score = byw_wl_buffer(&wl, cells * sizeof(int), got);
    device_launches(&wl, &p, score, first, last);
    byw_wl_read(&wl, score, cells * sizeof(int), got);
    for (int launch = last + 1; launch <= total; launch++)
        host_launch(&p, got, launch);

    host_cells(&p, want, 1, 1, p.n);
    byw_wl_check_i32(&wl, "score", got, want, cells);
    return byw_wl_end(&wl);
}
