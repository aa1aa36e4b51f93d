/* SPDX-License-Identifier: Apache-2.0
 * Lanes of a sub-group that act together: ballots and their masks, clustered reductions, and votes,
 * reductions and scans of the active lanes, in branches and loops that some lanes have left.
 * Not for PoCL, whose sub-groups have other sizes: the host works the results out. */
#include "corpus.h"
#define TEXT(...) #__VA_ARGS__
static const char src[] = TEXT(
    kernel void ballots(global const int *a, global uint *o) {
        int i = get_global_id(0), n = get_global_size(0);
        uint4 odd = sub_group_ballot(a[i] & 1);
        o[i] = odd.x;
        o[n + i] = odd.y + odd.z + odd.w;
        o[2 * n + i] = sub_group_ballot_bit_count(odd);
        o[3 * n + i] =
            sub_group_ballot_exclusive_scan(odd) * 100 + sub_group_ballot_inclusive_scan(odd);
        o[4 * n + i] = sub_group_inverse_ballot(odd) * 10 + sub_group_ballot_bit_extract(odd, 3);
        o[5 * n + i] = get_sub_group_lt_mask().x ^ get_sub_group_ge_mask().x;
        o[6 * n + i] = get_sub_group_eq_mask().x + get_sub_group_gt_mask().x;
        o[7 * n + i] =
            odd.x != 0 ? sub_group_ballot_find_lsb(odd) * 100 + sub_group_ballot_find_msb(odd) : 7;
    } kernel void clusters(global const int *a, global uint *o) {
        int i = get_global_id(0), n = get_global_size(0), x = a[i];
        o[i] = sub_group_clustered_reduce_add(x, 4u);
        o[n + i] = (uint)sub_group_clustered_reduce_max((float)x, 8u);
        o[2 * n + i] = sub_group_clustered_reduce_xor((uint)x, 16u);
        o[3 * n + i] = sub_group_clustered_reduce_min(x, 1u);
    } kernel void parted(global const int *a, global uint *o) {
        int i = get_global_id(0), n = get_global_size(0), x = a[i], k = 0;
        if (x % 3 == 0) {
            o[i] = sub_group_ballot(1).x;
            o[n + i] = sub_group_non_uniform_reduce_add(x);
            o[2 * n + i] = sub_group_non_uniform_scan_exclusive_add(x);
            o[3 * n + i] = sub_group_elect() * 2 + sub_group_non_uniform_all(x % 3 == 0);
            o[4 * n + i] = sub_group_broadcast_first(x);
        } else {
            o[i] = sub_group_ballot(x % 3 == 1).x;
            o[n + i] = sub_group_non_uniform_reduce_max((long)x);
            o[2 * n + i] = sub_group_non_uniform_scan_inclusive_min(x);
            o[3 * n + i] = sub_group_elect() * 2 + sub_group_non_uniform_any(x == 1000);
            o[4 * n + i] =
                sub_group_non_uniform_all_equal(x) + 10 * sub_group_non_uniform_all_equal(x >= 0);
        }
        o[5 * n + i] = 0;
        while (k <= x % 5)
            o[5 * n + i] += sub_group_ballot_bit_count(sub_group_ballot(1)) << 6 * k++;
    });
enum { N = 128, W = 32 };
static int a[N], wrong;
static cl_uint o[8 * N];
static void expect(const char *what, int part, int i, long long value)
{
    if (o[part * N + i] != (cl_uint)value && wrong++ < 6)
        printf("%s %d of item %d: %x, not %x\n", what, part, i, o[part * N + i], (cl_uint)value);
}
static int count(cl_uint m)
{
    int bits = 0;
    for (; m != 0; m &= m - 1)
        bits++;
    return bits;
}
static void run(struct bench *b, const char *name, cl_mem in, cl_mem out)
{
    cl_kernel k = kernel(b, name);
    arg(k, 0, sizeof(in), &in);
    arg(k, 1, sizeof(out), &out);
    run1(b, k, N, 64);
    fetch(b, out, sizeof(o), o);
}
static void check_ballots(int first)
{
    cl_uint odd = 0;
    int low = 32, high = -1;
    for (int l = 0; l < W; l++)
        if (a[first + l] & 1) {
            odd |= 1u << l;
            low = l < low ? l : low;
            high = l;
        }
    for (int l = 0; l < W; l++) {
        int i = first + l;
        cl_uint below = (1u << l) - 1;
        expect("ballot", 0, i, odd);
        expect("ballot", 1, i, 0);
        expect("ballot", 2, i, count(odd));
        expect("ballot", 3, i, count(odd & below) * 100 + count(odd & (below << 1 | 1)));
        expect("ballot", 4, i, (odd >> l & 1) * 10 + (odd >> 3 & 1));
        expect("ballot", 5, i, 0xffffffffu);
        expect("ballot", 6, i, (1u << l) + ~(below << 1 | 1));
        expect("ballot", 7, i, odd != 0 ? low * 100 + high : 7);
    }
}
static void check_clusters(int i)
{
    int sum = 0, high = -1, bits = 0;
    for (int l = i / 4 * 4; l < i / 4 * 4 + 4; l++)
        sum += a[l];
    for (int l = i / 8 * 8; l < i / 8 * 8 + 8; l++)
        high = a[l] > high ? a[l] : high;
    for (int l = i / 16 * 16; l < i / 16 * 16 + 16; l++)
        bits ^= a[l];
    expect("cluster", 0, i, sum);
    expect("cluster", 1, i, high);
    expect("cluster", 2, i, bits);
    expect("cluster", 3, i, a[i]);
}
static void check_parted(int first)
{
    int sum = 0, before = 0, high = -1, low = 1 << 20, lead[2] = {-1, -1}, equal = 1;
    cl_uint mask[3] = {0, 0, 0};
    for (int l = 0; l < W; l++) {
        int x = a[first + l], other = x % 3 != 0;
        mask[x % 3] |= 1u << l;
        if (lead[other] < 0)
            lead[other] = l;
        sum += other ? 0 : x;
        high = other && x > high ? x : high;
        equal &= !other || x == a[first + lead[1]];
    }
    for (int l = 0; l < W; l++) {
        int i = first + l, x = a[i], other = x % 3 != 0;
        cl_uint loops = 0;
        for (int k = 0; k <= x % 5; k++) {
            int there = 0;
            for (int m = 0; m < W; m++)
                there += a[first + m] % 5 >= k;
            loops += (cl_uint)there << 6 * k;
        }
        low = other && x < low ? x : low;
        expect("parted", 0, i, other ? mask[1] : mask[0]);
        expect("parted", 1, i, other ? high : sum);
        expect("parted", 2, i, other ? low : before);
        expect("parted", 3, i, (l == lead[other]) * 2 + !other);
        expect("parted", 4, i, other ? equal + 10 : a[first + lead[0]]);
        expect("parted", 5, i, loops);
        before += other ? 0 : x;
    }
}
int main(void)
{
    struct bench b = open_bench(src, "-cl-std=CL3.0", 0);
    cl_mem in, out = buffer(&b, sizeof(o), NULL);
    for (int i = 0; i < N; i++)
        a[i] = (i * 37 + 11) % 101;
    in = buffer(&b, sizeof(a), a);
    run(&b, "ballots", in, out);
    for (int i = 0; i < N; i += W)
        check_ballots(i);
    run(&b, "clusters", in, out);
    for (int i = 0; i < N; i++)
        check_clusters(i);
    run(&b, "parted", in, out);
    for (int i = 0; i < N; i += W)
        check_parted(i);
    printf("lanes: %d wrong\n", wrong);
    return 0;
}
