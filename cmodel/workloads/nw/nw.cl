/* SPDX-License-Identifier: Apache-2.0
 *
 * Needleman-Wunsch global alignment, by tiles of 16 x 16 cells along anti-diagonals.
 *
 * score and similarity are (n + 1) x (n + 1); the row pitch of n + 1 words is what makes rows start
 * at every alignment.  One group of 16 work-items fills one tile: it copies the tile's similarity
 * and its north and west borders into local memory, sweeps the tile's own anti-diagonals with a
 * barrier after each, and writes the tile back.  Tiles of one block diagonal are independent, so
 * each launch fills one diagonal.
 */
#define TILE 16

static int best_of(int diagonal, int west, int north)
{
    return max(diagonal, max(west, north));
}

static void fill_tile(__global const int *similarity, __global int *score,
                      __local int cell[TILE + 1][TILE + 1], __local int match[TILE][TILE],
                      int pitch, int penalty, int tile_x, int tile_y)
{
    int t = get_local_id(0);
    int corner = pitch * TILE * tile_y + TILE * tile_x;

    for (int row = 0; row < TILE; row++)
        match[row][t] = similarity[corner + (row + 1) * pitch + t + 1];
    if (t == 0)
        cell[0][0] = score[corner];
    cell[t + 1][0] = score[corner + (t + 1) * pitch];
    cell[0][t + 1] = score[corner + t + 1];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int d = 0; d < TILE; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            cell[y][x] = best_of(cell[y - 1][x - 1] + match[y - 1][x - 1], cell[y][x - 1] - penalty,
                                 cell[y - 1][x] - penalty);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int d = TILE - 2; d >= 0; d--) {
        if (t <= d) {
            int x = t + TILE - d, y = TILE - t;
            cell[y][x] = best_of(cell[y - 1][x - 1] + match[y - 1][x - 1], cell[y][x - 1] - penalty,
                                 cell[y - 1][x] - penalty);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int row = 0; row < TILE; row++)
        score[corner + (row + 1) * pitch + t + 1] = cell[row + 1][t + 1];
}

/* The diagonals that grow: number `diagonal`, where 1 is the corner tile. */
__kernel void nw_grow(__global const int *similarity, __global int *score, int pitch, int penalty,
                      int diagonal)
{
    __local int cell[TILE + 1][TILE + 1];
    __local int match[TILE][TILE];
    int group = get_group_id(0);
    fill_tile(similarity, score, cell, match, pitch, penalty, group, diagonal - 1 - group);
}

/* The diagonals that shrink; `diagonal` tiles are left, `width` tiles make a row. */
__kernel void nw_shrink(__global const int *similarity, __global int *score, int pitch, int penalty,
                        int diagonal, int width)
{
    __local int cell[TILE + 1][TILE + 1];
    __local int match[TILE][TILE];
    int group = get_group_id(0);
    fill_tile(similarity, score, cell, match, pitch, penalty, group + width - diagonal,
              width - 1 - group);
}

/* The same sweep with the tile left in global memory: a cell reads its three neighbours and its
 * similarity from there, once each, and nothing is copied. */
static void fill_tile_in_place(__global const int *similarity, __global int *score, int pitch,
                               int penalty, int tile_x, int tile_y)
{
    int t = get_local_id(0);
    int corner = pitch * TILE * tile_y + TILE * tile_x;

    for (int d = 0; d < 2 * TILE - 1; d++) {
        int row = d < TILE ? d - t : TILE - 1 - t, column = d - row;
        if (row >= 0 && column >= 0 && column < TILE) {
            int at = corner + (row + 1) * pitch + column + 1;
            score[at] = best_of(score[at - pitch - 1] + similarity[at], score[at - 1] - penalty,
                                score[at - pitch] - penalty);
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

__kernel void nw_grow_in_place(__global const int *similarity, __global int *score, int pitch,
                               int penalty, int diagonal)
{
    int group = get_group_id(0);
    fill_tile_in_place(similarity, score, pitch, penalty, group, diagonal - 1 - group);
}

__kernel void nw_shrink_in_place(__global const int *similarity, __global int *score, int pitch,
                                 int penalty, int diagonal, int width)
{
    int group = get_group_id(0);
    fill_tile_in_place(similarity, score, pitch, penalty, group + width - diagonal,
                       width - 1 - group);
}
