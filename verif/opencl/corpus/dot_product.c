/* SPDX-License-Identifier: Apache-2.0
 * Integer dot products: packed and of vectors, all signs, with and without a saturating sum.
 * Not for PoCL, which does not have them here: the host works the results out. */
#include "corpus.h"
#include <limits.h>
#define TEXT(...) #__VA_ARGS__
static const char src[] = TEXT(kernel void dots(global const uint *a, global int *o) {
    int i = get_global_id(0), n = get_global_size(0);
    uint x = a[i], y = a[(i + 5) % n];
    int c = (int)(a[(i + 9) % n] & 3) * 0x3fffffff;
    o[i] = dot_4x8packed_ss_int(x, y);
    o[n + i] = (int)dot_4x8packed_uu_uint(x, y);
    o[2 * n + i] = dot_4x8packed_us_int(x, y);
    o[3 * n + i] = dot_4x8packed_su_int(x, y);
    o[4 * n + i] = dot_acc_sat_4x8packed_ss_int(x, y, c);
    o[5 * n + i] = (int)dot_acc_sat_4x8packed_uu_uint(x, y, 0xffff0000u);
    o[6 * n + i] = dot(as_char4(x), as_uchar4(y));
    o[7 * n + i] = dot_acc_sat(as_char4(x), as_char4(y), -c);
});
enum { N = 64 };
static cl_uint a[N];
static int o[8 * N], wrong;
static long long dot_of(cl_uint x, cl_uint y, int sx, int sy)
{
    long long sum = 0;
    for (int k = 0; k < 32; k += 8) {
        int p = x >> k & 255, q = y >> k & 255;
        sum += (long long)(sx && p > 127 ? p - 256 : p) * (sy && q > 127 ? q - 256 : q);
    }
    return sum;
}
static int clamped(long long v)
{
    return v > INT_MAX ? INT_MAX : v < INT_MIN ? INT_MIN : (int)v;
}
static void expect(int what, int i, int value)
{
    if (o[what * N + i] != value && wrong++ < 6)
        printf("%d of item %d: %d, not %d\n", what, i, o[what * N + i], value);
}
int main(void)
{
    struct bench b = open_bench(src, "-cl-std=CL3.0", 0);
    cl_kernel k = kernel(&b, "dots");
    cl_mem in, out = buffer(&b, sizeof(o), NULL);
    for (int i = 0; i < N; i++)
        a[i] = 0x9e3779b9u * (cl_uint)(i + 1) ^ (i % 3 == 0 ? 0x80808080u : 0);
    in = buffer(&b, sizeof(a), a);
    arg(k, 0, sizeof(in), &in);
    arg(k, 1, sizeof(out), &out);
    run1(&b, k, N, 32);
    fetch(&b, out, sizeof(o), o);
    for (int i = 0; i < N; i++) {
        cl_uint x = a[i], y = a[(i + 5) % N];
        long long c = (long long)(a[(i + 9) % N] & 3) * 0x3fffffff, u = dot_of(x, y, 0, 0);
        expect(0, i, (int)dot_of(x, y, 1, 1));
        expect(1, i, (int)u);
        expect(2, i, (int)dot_of(x, y, 0, 1));
        expect(3, i, (int)dot_of(x, y, 1, 0));
        c = (int)c; /* the kernel's product wraps */
        expect(4, i, clamped(dot_of(x, y, 1, 1) + c));
        expect(5, i, u + 0xffff0000ll > 0xffffffffll ? -1 : (int)(u + 0xffff0000ll));
        expect(6, i, (int)dot_of(x, y, 1, 0));
        expect(7, i, clamped(dot_of(x, y, 1, 1) - c));
    }
    cl_bitfield forms = 0; /* CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR */
    must(clGetDeviceInfo(b.device, 0x1073, sizeof(forms), &forms, NULL), "forms");
    wrong += forms != 3;
    printf("dot products: %d wrong\n", wrong);
    return 0;
}
