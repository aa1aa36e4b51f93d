/* SPDX-License-Identifier: Apache-2.0
 *
 * B+ tree search: one group of 256 per query; the work-items compare the query with all keys of
 * a node at once, and the one whose key range holds it names the next node.
 *
 * Nodes lie in one array, level by level.  Unused keys are INT_MAX; an inner node's first key is
 * INT_MIN, so that exactly one work-item of the group finds its range.  The group's place in
 * the tree is kept in global memory, as the original program does.
 */
#define ORDER 256

struct node {
    int first; /* smallest key below, for the host */
    int child[ORDER + 1]; /* next node; in a leaf, number of the record */
    int key[ORDER + 1];
    int leaf;
    int used; /* keys in use */
};

__kernel void btree_find(__global const struct node *node, __global const int *record, int levels,
                         int nodes, __global int *place, __global int *next,
                         __global const int *query, __global int *answer)
{
    int t = get_local_id(0), q = get_group_id(0);
    for (int level = 1; level < levels; level++) {
        __global const struct node *here = &node[place[q]];
        if (here->key[t] <= query[q] && here->key[t + 1] > query[q]) {
            if (here->child[t] < nodes)
                next[q] = here->child[t];
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (t == 0)
            place[q] = next[q];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (node[place[q]].key[t] == query[q])
        answer[q] = record[node[place[q]].child[t]];
}

/* Number of the first record of the range [from, to] and how many there are; both bounds are
 * keys of the tree, and their two paths are walked together. */
__kernel void btree_range(__global const struct node *node, int levels, int nodes,
                          __global int *place, __global int *next, __global int *last_place,
                          __global int *last_next, __global const int *from, __global const int *to,
                          __global int *start, __global int *length)
{
    int t = get_local_id(0), q = get_group_id(0);
    for (int level = 1; level < levels; level++) {
        __global const struct node *low = &node[place[q]];
        __global const struct node *high = &node[last_place[q]];
        if (low->key[t] <= from[q] && low->key[t + 1] > from[q]) {
            if (low->child[t] < nodes)
                next[q] = low->child[t];
        }
        if (high->key[t] <= to[q] && high->key[t + 1] > to[q]) {
            if (high->child[t] < nodes)
                last_next[q] = high->child[t];
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (t == 0) {
            place[q] = next[q];
            last_place[q] = last_next[q];
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (node[place[q]].key[t] == from[q])
        start[q] = node[place[q]].child[t];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (node[last_place[q]].key[t] == to[q])
        length[q] = node[last_place[q]].child[t] - start[q] + 1;
}
