/* SPDX-License-Identifier: Apache-2.0
 * Generic addresses and variables at program scope: to_global(), to_local() and to_private() of
 * addresses whose space is known only at run time; variables that keep their values from launch to
 * launch, of two programs, with initial values, pointers and atomics.
 * Not for PoCL, which crashes on some: the values are worked out by hand. */
#include "corpus.h"
#define TEXT(...) #__VA_ARGS__
static const char src[] = TEXT(
    global int counter = 5; global int table[4] = {10, 20, 30, 40};
    global int *global where = table + 2; global atomic_int hits = ATOMIC_VAR_INIT(3);
    static global float grown; int which(int *p) {
        return (to_global(p) != 0) + 2 * (to_local(p) != 0) + 4 * (to_private(p) != 0);
    } kernel void spaces(global int *o) {
        local int l[8];
        int mine[2] = {1, 2}, i = get_global_id(0);
        int *p = i % 3 == 0   ? (int *)(o + i)
                 : i % 3 == 1 ? (int *)(l + i % 8)
                              : (int *)(mine + (i & 1));
        o[i] = which(p);
    } kernel void count(global int *o) {
        int i = get_global_id(0);
        atomic_fetch_add(&hits, 2);
        if (i == 0) {
            counter += table[1];
            table[3]++;
            grown += 0.5f;
            o[0] = counter;
            o[1] = table[3];
            o[2] = *where;
            o[3] = (int)(grown * 10.0f);
            o[4] = to_global((int *)&counter) != 0;
        }
    } kernel void look(global int *o) { o[get_global_id(0)] = atomic_load(&hits); });
static void count(struct bench *b, cl_mem out)
{
    int o[5];
    cl_kernel k = kernel(b, "count");
    arg(k, 0, sizeof(out), &out);
    run1(b, k, 64, 32);
    fetch(b, out, sizeof(o), o);
    print_ints("count", o, 5);
    k = kernel(b, "look");
    arg(k, 0, sizeof(out), &out);
    run1(b, k, 1, 1);
    fetch(b, out, sizeof(int), o);
    print_ints("hits", o, 1);
}
int main(void)
{
    static char other[sizeof(src)];
    struct bench b = open_bench(src, "-cl-std=CL2.0", 0), c;
    cl_mem out = buffer(&b, 64 * sizeof(int), NULL), more;
    cl_kernel k = kernel(&b, "spaces");
    int o[12];
    arg(k, 0, sizeof(out), &out);
    run1(&b, k, 64, 32);
    fetch(&b, out, sizeof(o), o);
    print_ints("spaces", o, 12);
    count(&b, out);
    count(&b, out);
    strcpy(other, src);
    memcpy(strstr(other, "counter = 5"), "counter = 7", 11);
    c = open_bench(other, "-cl-std=CL3.0", 0);
    more = buffer(&c, 64 * sizeof(int), NULL);
    count(&c, more);
    count(&b, out);
    return 0;
}
