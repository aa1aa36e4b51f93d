/* SPDX-License-Identifier: Apache-2.0
 * C11 atomics of OpenCL C 2.0 and 3.0: every operation, with and without orders and scopes, on
 * global and local memory and through generic pointers, flags and compare-exchange loops. */
#include "corpus.h"
#define TEXT(...) #__VA_ARGS__
static const char src[] = TEXT(
    kernel void counts(global atomic_int *c, global atomic_uint *u, global atomic_long *w,
                       global int *o) {
        int g = get_global_id(0), l = get_local_id(0);
        local atomic_int sum;
        if (l == 0)
            atomic_init(&sum, 5);
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
        atomic_fetch_add_explicit(&sum, l, memory_order_relaxed, memory_scope_work_group);
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            o[get_group_id(0)] =
                atomic_load_explicit(&sum, memory_order_acquire, memory_scope_work_group);
        atomic_fetch_add_explicit(&c[0], 2, memory_order_acq_rel, memory_scope_device);
        atomic_fetch_sub_explicit(&c[1], g, memory_order_seq_cst, memory_scope_device);
        atomic_fetch_or_explicit(&u[0], 1u << (g & 7), memory_order_relaxed, memory_scope_device);
        atomic_fetch_and_explicit(&u[1], ~(1u << (g & 15)), memory_order_relaxed,
                                  memory_scope_device);
        atomic_fetch_xor_explicit(&u[2], (uint)g, memory_order_relaxed, memory_scope_device);
        atomic_fetch_min_explicit(&c[2], -g, memory_order_relaxed, memory_scope_device);
        atomic_fetch_max_explicit(&u[3], 7u * g, memory_order_relaxed, memory_scope_device);
        atomic_fetch_add_explicit(&w[0], 1L << 33, memory_order_relaxed, memory_scope_device);
        atomic_store_explicit(&c[4 + (g & 3)], 40 + (g & 3), memory_order_release,
                              memory_scope_device);
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    } void square(atomic_int *p, int times) {
        int seen = atomic_load_explicit(p, memory_order_relaxed, memory_scope_device);
        while (!atomic_compare_exchange_weak_explicit(p, &seen, (seen * 3 + times) % 1000,
                                                      memory_order_relaxed, memory_order_relaxed,
                                                      memory_scope_device))
            ;
    } kernel void loops(global atomic_int *c, global int *o) {
        local atomic_int here;
        if (get_local_id(0) == 0)
            atomic_store_explicit(&here, 0, memory_order_relaxed, memory_scope_work_group);
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
        square(get_local_id(0) & 1 ? (atomic_int *)&here : (atomic_int *)c, 0);
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
        int old = 3;
        if (get_local_id(0) == 1)
            o[0] = atomic_compare_exchange_strong_explicit(
                &c[1], &old, 9, memory_order_relaxed, memory_order_relaxed, memory_scope_device);
        if (get_local_id(0) == 1)
            o[1] = old + 100 * atomic_exchange_explicit(&c[2], 77, memory_order_relaxed,
                                                        memory_scope_device);
        if (get_local_id(0) == 0)
            o[2] = atomic_load_explicit(&here, memory_order_relaxed, memory_scope_work_group);
    } kernel void short_names(global atomic_int *c, global atomic_flag *f, global int *o) {
        o[get_global_id(0)] = atomic_flag_test_and_set(&f[get_global_id(0) / 2]);
        if (get_global_id(0) == 6)
            atomic_flag_clear(f);
        atomic_fetch_add(c, 1);
        atomic_fetch_max(c + 1, (int)get_global_id(0));
        if (get_global_id(0) == 0)
            atomic_store(c + 2, atomic_load(c + 3) + atomic_exchange(c + 3, 5));
    });
static void run_as(const char *options)
{
    struct bench b = open_bench(src, options, 0);
    int c[8] = {1, 3, 20, 4}, u[4] = {0, -1, 0, 0}, o[8] = {0};
    cl_long w = 1;
    cl_kernel k = kernel(&b, "counts");
    cl_mem mc = buffer(&b, sizeof(c), c), mu = buffer(&b, sizeof(u), u), mw = buffer(&b, 8, &w);
    cl_mem mo = buffer(&b, sizeof(o), o), mf;
    arg(k, 0, sizeof(mc), &mc);
    arg(k, 1, sizeof(mu), &mu);
    arg(k, 2, sizeof(mw), &mw);
    arg(k, 3, sizeof(mo), &mo);
    run1(&b, k, 128, 64);
    fetch(&b, mc, sizeof(c), c);
    fetch(&b, mu, sizeof(u), u);
    fetch(&b, mw, sizeof(w), &w);
    fetch(&b, mo, sizeof(o), o);
    printf("%s\n", options);
    print_ints("ints", c, 8);
    print_ints("uints", u, 4);
    printf("long: %lld, sums: %d %d\n", (long long)w, o[0], o[1]);
    c[0] = 7, c[1] = 3, c[2] = 20;
    mc = buffer(&b, sizeof(c), c);
    k = kernel(&b, "loops");
    arg(k, 0, sizeof(mc), &mc);
    arg(k, 1, sizeof(mo), &mo);
    run1(&b, k, 32, 32);
    fetch(&b, mc, sizeof(c), c);
    fetch(&b, mo, sizeof(o), o);
    printf("loops: %d %d %d, %d %d %d\n", c[0], c[1], c[2], o[0], o[1], o[2]);
    memset(o, 0, sizeof(o));
    mf = buffer(&b, sizeof(o), o);
    k = kernel(&b, "short_names");
    arg(k, 0, sizeof(mc), &mc);
    arg(k, 1, sizeof(mf), &mf);
    arg(k, 2, sizeof(mo), &mo);
    run1(&b, k, 8, 1);
    fetch(&b, mc, sizeof(c), c);
    fetch(&b, mo, sizeof(o), o);
    print_ints("short", c, 4);
    print_ints("flags", o, 8);
    close_bench(&b);
}
int main(void)
{
    run_as("-cl-std=CL2.0");
    run_as("-cl-std=CL3.0");
    return 0;
}
