/* SPDX-License-Identifier: Apache-2.0
 * Structs by value and in buffers, unions, packed and nested ones, helper functions. */
#include "corpus.h"
static const char src[] =
    "typedef struct { float x, y; int tag; } point;\n"
    "typedef struct { point corner[2]; long id; uchar4 color; } box;\n"
    "typedef union { float f; uint u; } bits;\n"
    "typedef struct __attribute__((packed)) { char c; int i; short s; } tight;\n"
    "float area(const box b) { return (b.corner[1].x - b.corner[0].x) * (b.corner[1].y - "
    "b.corner[0].y); }\n"
    "point mid(point a, point b) { point r = {(a.x + b.x) / 2, (a.y + b.y) / 2, a.tag + b.tag}; "
    "return r; }\n"
    "void bump(global box *b, int by) { b->id += by; b->color.z ^= 255; }\n"
    "int fib(int n) { int a = 0, b = 1; while (n-- > 0) { int t = a + b; a = b; b = t; } return a; "
    "}\n"
    "kernel void f(global box *b, const box proto, point p, global float *o, global tight *t, int4 "
    "v, double d) {\n"
    "  int i = get_global_id(0); b[i] = proto; b[i].corner[1].x += i; b[i].corner[0] = mid(p, "
    "b[i].corner[1]);\n"
    "  bump(&b[i], i); bits u; u.f = area(b[i]); u.u &= 0xffff0000u;\n"
    "  t[i].i = t[i].c + t[i].s + fib(i); o[i] = u.f + b[i].corner[0].tag + v.z + (float)d; }\n";
struct point {
    cl_float x, y;
    cl_int tag;
};
struct box {
    struct point corner[2];
    cl_long id;
    cl_uchar4 color;
};
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    struct box proto, list[20];
    struct point p = {0.5f, 1.5f, 7};
    unsigned char tight[140];
    float o[20];
    cl_int4 v = {{1, 2, 3, 4}};
    cl_double d = 2.5;
    memset(&proto, 0, sizeof(proto));
    proto.corner[1].x = 8;
    proto.corner[1].y = 4;
    proto.corner[1].tag = 5;
    proto.id = 1ll << 40;
    for (int i = 0; i < 140; i++)
        tight[i] = (unsigned char)(i % 7 == 0 ? i : i % 7 == 5 ? 3 : 0);
    cl_mem boxes = buffer(&b, sizeof(list), NULL), out = buffer(&b, sizeof(o), NULL);
    cl_mem packed = buffer(&b, sizeof(tight), tight);
    cl_kernel k = kernel(&b, "f");
    arg(k, 0, sizeof(boxes), &boxes);
    arg(k, 1, sizeof(proto), &proto);
    arg(k, 2, sizeof(p), &p);
    arg(k, 3, sizeof(out), &out);
    arg(k, 4, sizeof(packed), &packed);
    arg(k, 5, sizeof(v), &v);
    arg(k, 6, sizeof(d), &d);
    run1(&b, k, 20, 5);
    fetch(&b, boxes, sizeof(list), list);
    fetch(&b, out, sizeof(o), o);
    fetch(&b, packed, sizeof(tight), tight);
    for (int i = 0; i < 20; i++)
        printf("%.3f %lld %d %.2f\n", (double)o[i], (long long)list[i].id, list[i].color.s[2],
               (double)list[i].corner[0].x);
    printf("%u\n", hash_of(tight, sizeof(tight)));
    return 0;
}
