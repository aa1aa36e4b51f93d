/* SPDX-License-Identifier: Apache-2.0
 * Barriers in every place that all work-items can reach: in loops whose bounds are arguments, in
 * nested loops, on both sides of a branch, in a switch, before returns. Values and private arrays
 * that live across barriers, uniform and not; loops with and without the same number of iterations
 * for all work-items; groups of one to three dimensions. */
#include "corpus.h"
#define HEAD                                                                                       \
    "(global int *o, global const int *in, local int *s, int n, int m) {\n"                        \
    "  int l = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * "      \
    "get_local_id(2));\n"                                                                          \
    "  int g = get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * "      \
    "get_group_id(2));\n"                                                                          \
    "  int w = get_local_size(0) * get_local_size(1) * get_local_size(2), me = g * w + l;\n"
#define SYNC "barrier(CLK_LOCAL_MEM_FENCE);"
static const char src[] =
    "kernel void rounds" HEAD "  int v = in[me], first = 0;\n"
    "  for (int k = 0; k < n; k++) { s[l] = v + k; " SYNC
    " v = s[(l + k + 1) % w] * 3 + first; first += k; " SYNC " }\n"
    "  o[me] = v ^ first; }\n"
    "kernel void nested" HEAD "  int v = in[me];\n"
    "  for (int a = 0; a < n; a++) { int sum = 0; for (int b = 0; b <= a; b++) { s[l] = v; " SYNC
    " sum += s[(l * 5 + b) % w]; " SYNC " } if (a & 1) { s[l] = sum; " SYNC
    " sum = s[w - 1 - l]; " SYNC " } v = sum - a; }\n"
    "  o[me] = v; }\n"
    "kernel void sides" HEAD "  int v = in[me], a = 1, b = 2;\n  s[l] = v; " SYNC "\n"
    "  if (n > 3) { v = s[w - 1 - l]; " SYNC " s[l] = v * 2; } else { v = s[l ^ 1]; " SYNC
    " s[l] = -v; " SYNC " }\n"
    "  " SYNC "\n  switch (m) { case 0: v += s[0]; break; case 1: v += s[l]; " SYNC
    " s[l] = v; " SYNC " v -= s[w / 2]; break; default: v = 7; }\n"
    "  for (int k = 0; k < m + 2; k++) { int t = a; a = b; b = t + k; " SYNC " s[l] = a + l; " SYNC
    " v += s[w - 1 - l] * b; }\n"
    "  o[me] = v; }\n"
    "kernel void arrays" HEAD "  int p[8]; float4 f = (float4)(l, 1, 2, 3);\n"
    "  for (int k = 0; k < 8; k++) p[(k + l) & 7] = in[me] + k;\n"
    "  for (int k = 0; k < n; k++) { s[l] = p[(k * m + l) & 7]; " SYNC
    " p[k & 7] += s[(l + 1) % w]; f = f.yzwx + 1; " SYNC " }\n"
    "  int sum = (int)f.x; for (int k = 0; k < 8; k++) sum = sum * 31 + p[k]; o[me] = sum; }\n"
    "kernel void uneven_loops" HEAD "  int v = 0;\n"
    "  for (int k = 0; k < l % 7 + 1; k++) v += in[(me + k) % 256];\n  s[l] = v; " SYNC "\n"
    "  int sum = 0; for (int k = 0; k < w; k++) sum += s[k] * (k - l);\n  " SYNC "\n"
    "  if (l % 3 == 0) for (int k = 0; k < n; k++) { if ((sum >> k) & 1) continue; if (sum % 11 == "
    "3) break; sum = sum * 5 + k; }\n"
    "  s[l] = sum; " SYNC
    "\n  for (int d = w / 2; d > 0; d >>= 1) { if (l < d) s[l] += s[l + d]; " SYNC " }\n"
    "  o[me] = s[0] + sum; }\n"
    "kernel void returns" HEAD "  if (m > 5) { o[me] = -1; return; }\n  s[l] = in[me]; " SYNC "\n"
    "  int v = s[(l + 1) % w];\n  if (n == 0) { o[me] = v; return; }\n"
    "  do { " SYNC " s[l] = v; " SYNC
    " v += s[(l + n) % w]; if (n == 2) break; } while (--n > 0);\n"
    "  if (l < w / 2) { o[me] = v; return; }\n  o[me] = -v; }\n"
    "kernel void matrix" HEAD "  float acc = 0;\n"
    "  for (int t = 0; t < n; t++) { s[l] = in[(t * w + l) % 256]; " SYNC
    " for (int k = 0; k < 8; k++) acc += s[(l / 8 * 8 + k) % w] * 0.25f * (k + t); " SYNC " }\n"
    "  o[me] = (int)acc; }\n"
    "kernel void counts" HEAD "  if (l == 0) s[0] = 0; " SYNC "\n"
    "  for (int k = 0; k < n; k++) { if ((in[me] >> k) & 1) atomic_inc(&s[0]); " SYNC
    " if (l == 0 && k == m) s[0] += 1000; " SYNC " }\n"
    "  o[me] = s[0] + l; }\n";
int main(void)
{
    static const char *const names[] = {"rounds",       "nested",  "sides",  "arrays",
                                        "uneven_loops", "returns", "matrix", "counts"};
    static const size_t shape[3][2][3] = {
        {{256, 1, 1}, {64, 1, 1}}, {{32, 8, 1}, {8, 4, 1}}, {{8, 8, 4}, {4, 2, 2}}};
    struct bench b = open_bench(src, NULL, 0);
    int in[256], out[256], zero[256] = {0};
    for (int i = 0; i < 256; i++)
        in[i] = i * 7919 % 1009;
    cl_mem o = buffer(&b, sizeof(out), NULL), m = buffer(&b, sizeof(in), in);
    for (unsigned k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
        cl_kernel kern = kernel(&b, names[k]);
        printf("%s", names[k]);
        for (int s = 0; s < 3; s++)
            for (int v = 0; v < 3; v++) {
                const int counts[3][2] = {{5, 1}, {2, 0}, {0, 9}};
                arg(kern, 0, sizeof(o), &o);
                arg(kern, 1, sizeof(m), &m);
                arg(kern, 2, 64 * sizeof(int), NULL);
                arg(kern, 3, sizeof(int), &counts[v][0]);
                arg(kern, 4, sizeof(int), &counts[v][1]);
                must(
                    clEnqueueWriteBuffer(b.queue, o, CL_TRUE, 0, sizeof(zero), zero, 0, NULL, NULL),
                    "write");
                must(clEnqueueNDRangeKernel(b.queue, kern, 3, NULL, shape[s][0], shape[s][1], 0,
                                            NULL, NULL),
                     "launch");
                fetch(&b, o, sizeof(out), out);
                printf(" %08x", hash_of(out, sizeof(out)));
            }
        printf("\n");
    }
    return 0;
}
