/* SPDX-License-Identifier: Apache-2.0
 * Signal processing: an FFT through scratchpad, a FIR filter with taps in constant memory, Haar
 * wavelets, Walsh-Hadamard, a histogram, Sobel on bytes, Mandelbrot; results rounded to integers.
 */
#include "corpus.h"
static const char src[] =
    "kernel void fft(global float2 *x, local float2 *t) { int l = get_local_id(0), n = 2 * "
    "get_local_size(0); global float2 *p = x + get_group_id(0) * n;\n"
    "  for (int i = l; i < n; i += n / 2) { int r = 0; for (int k = 1, j = i; k < n; k <<= 1, j "
    ">>= 1) r = r << 1 | (j & 1); t[r] = p[i]; }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int s = 1; s < n; s <<= 1) { int j = (l / s) * 2 * s + l % s; float a = -M_PI_F * (l % "
    "s) / s, c = cos(a), d = sin(a); float2 u = t[j], v = t[j + s];\n"
    "    v = (float2)(v.x * c - v.y * d, v.x * d + v.y * c); t[j] = u + v; t[j + s] = u - v; "
    "barrier(CLK_LOCAL_MEM_FENCE); }\n"
    "  p[l] = t[l]; p[l + n / 2] = t[l + n / 2]; }\n"
    "kernel void fir(global const float *x, global float *y, constant float *taps, int n) { int i "
    "= get_global_id(0); float s = 0;\n"
    "  for (int k = 0; k < n; k++) s = mad(taps[k], i >= k ? x[i - k] : 0.0f, s); y[i] = s; }\n"
    "kernel void haar(global float *x, int n) { local float t[256]; int l = get_local_id(0); for "
    "(; n > 1; n >>= 1) { float a = 0, d = 0;\n"
    "    if (l < n / 2) { a = (x[2 * l] + x[2 * l + 1]) * 0.5f; d = (x[2 * l] - x[2 * l + 1]) * "
    "0.5f; }\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE); if (l < n / 2) { t[l] = a; x[n / 2 + l] = d; } "
    "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    if (l < n / 2) x[l] = t[l]; barrier(CLK_GLOBAL_MEM_FENCE); } }\n"
    "kernel void walsh(global int *x, uint step) { uint i = get_global_id(0), g = i % step + (i / "
    "step) * 2 * step; int a = x[g], b = x[g + step]; x[g] = a + b; x[g + step] = a - b; }\n"
    "kernel void hist(global const uchar4 *in, global uint *bins, local uchar *mine) { int l = "
    "get_local_id(0), n = get_local_size(0);\n"
    "  for (int i = 0; i < 32; i++) mine[i * n + l] = 0; uchar4 v = in[get_global_id(0)]; "
    "mine[(v.x >> 3) * n + l]++; mine[(v.y >> 3) * n + l]++; mine[(v.z >> 3) * n + l]++; mine[(v.w "
    ">> 3) * n + l]++;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE); if (l < 32) { uint s = 0; for (int i = 0; i < n; i++) s += "
    "mine[l * n + i]; atomic_add(&bins[l], s); } }\n"
    "kernel void sobel(global const uchar *in, global uchar *out) { int x = get_global_id(0), y = "
    "get_global_id(1), w = get_global_size(0), h = get_global_size(1); int gx = 0, gy = 0;\n"
    "  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) { global const uchar *p = in + y * w + x; gx "
    "= p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[w - 1];\n"
    "    gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[1 - w]; } out[y * w + x] "
    "= convert_uchar_sat(abs(gx) + abs(gy)); }\n"
    "kernel void mandel(global uint *o, float s) { int x = get_global_id(0), y = get_global_id(1); "
    "float cx = x * s - 2, cy = y * s - 1, a = 0, b = 0; uint n = 0;\n"
    "  while (a * a + b * b < 4 && n < 100) { float t = a * a - b * b + cx; b = 2 * a * b + cy; a "
    "= t; n++; } o[y * get_global_size(0) + x] = n; }\n";
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    static float f[512], g[512];
    static int v[512];
    static unsigned char pix[64 * 32], out[64 * 32];
    float taps[5] = {0.5f, 0.25f, 0.125f, 0.0625f, 0.0625f};
    int n = 5, two = 256;
    for (int i = 0; i < 512; i++)
        f[i] = (float)(i % 16 - 8), v[i] = i % 13;
    for (int i = 0; i < 2048; i++)
        pix[i] = (unsigned char)(i * i >> 4);
    cl_mem m = buffer(&b, sizeof(f), f), o = buffer(&b, sizeof(g), NULL),
           t = buffer(&b, sizeof(taps), taps);
    cl_kernel k = kernel(&b, "fft");
    arg(k, 0, sizeof(m), &m);
    arg(k, 1, 64 * 8, NULL);
    run1(&b, k, 128, 32);
    fetch(&b, m, sizeof(f), g);
    for (int i = 0; i < 512; i += 37)
        printf("%.1f ", g[i] + 1000);
    k = kernel(&b, "fir");
    cl_mem x = buffer(&b, sizeof(f), f);
    arg(k, 0, sizeof(x), &x);
    arg(k, 1, sizeof(o), &o);
    arg(k, 2, sizeof(t), &t);
    arg(k, 3, sizeof(n), &n);
    run1(&b, k, 512, 0);
    fetch(&b, o, sizeof(g), g);
    printf("\nfir %08x\n", hash_of(g, sizeof(g)));
    k = kernel(&b, "haar");
    arg(k, 0, sizeof(x), &x);
    arg(k, 1, sizeof(two), &two);
    run1(&b, k, 128, 128);
    fetch(&b, x, 1024, g);
    printf("haar %08x\n", hash_of(g, 1024));
    k = kernel(&b, "walsh");
    cl_mem w = buffer(&b, sizeof(v), v);
    arg(k, 0, sizeof(w), &w);
    for (unsigned s = 1; s < 512; s *= 2) {
        arg(k, 1, sizeof(s), &s);
        run1(&b, k, 256, 64);
    }
    fetch(&b, w, sizeof(v), v);
    printf("walsh %08x\n", hash_of(v, sizeof(v)));
    k = kernel(&b, "hist");
    unsigned bins[32] = {0};
    cl_mem p = buffer(&b, sizeof(pix), pix), q = buffer(&b, sizeof(out), NULL),
           h = buffer(&b, sizeof(bins), bins);
    arg(k, 0, sizeof(p), &p);
    arg(k, 1, sizeof(h), &h);
    arg(k, 2, 32 * 64, NULL);
    run1(&b, k, 512, 64);
    fetch(&b, h, sizeof(bins), bins);
    printf("hist %u %u %08x\n", bins[0], bins[31], hash_of(bins, sizeof(bins)));
    k = kernel(&b, "sobel");
    size_t size[2] = {64, 32};
    arg(k, 0, sizeof(p), &p);
    arg(k, 1, sizeof(q), &q);
    must(clEnqueueNDRangeKernel(b.queue, k, 2, NULL, size, NULL, 0, NULL, NULL), "sobel");
    fetch(&b, q, sizeof(out), out);
    printf("sobel %08x\n", hash_of(out, sizeof(out)));
    k = kernel(&b, "mandel");
    float s = 0.0625f;
    size_t small[2] = {32, 16};
    arg(k, 0, sizeof(w), &w);
    arg(k, 1, sizeof(s), &s);
    must(clEnqueueNDRangeKernel(b.queue, k, 2, NULL, small, NULL, 0, NULL, NULL), "mandel");
    fetch(&b, w, sizeof(v), v);
    printf("mandel %d %08x\n", v[100], hash_of(v, sizeof(v)));
    return 0;
}
