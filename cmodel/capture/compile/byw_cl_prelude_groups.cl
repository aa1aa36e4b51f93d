/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_prelude_groups.cl - what OpenCL C 2.0 and later add to 1.2, after byw_cl_prelude.cl: C11
 * atomics, collective functions of work-groups and sub-groups, shuffles.
 *
 * Values are exchanged through memory of the runtime, one element per work-item. A collective
 * function of a work-group is traced as its two barriers; one of a sub-group, which is a warp,
 * leaves no trace: its lanes only meet.
 */
#if defined(BYW_WANT_ATOMIC) && __OPENCL_C_VERSION__ >= 200
/* Work-items run one after another, so every order is sequential. Macros, because they accept every
 * type and address space. */
#define BYW_AT memory_order_relaxed, memory_scope_device
#define atomic_init(p, v) __opencl_atomic_store(p, v, BYW_AT)
#define atomic_load(p) __opencl_atomic_load(p, BYW_AT)
#define atomic_store(p, v) __opencl_atomic_store(p, v, BYW_AT)
#define atomic_exchange(p, v) __opencl_atomic_exchange(p, v, BYW_AT)
#define atomic_fetch_add(p, v) __opencl_atomic_fetch_add(p, v, BYW_AT)
#define atomic_fetch_sub(p, v) __opencl_atomic_fetch_sub(p, v, BYW_AT)
#define atomic_fetch_or(p, v) __opencl_atomic_fetch_or(p, v, BYW_AT)
#define atomic_fetch_xor(p, v) __opencl_atomic_fetch_xor(p, v, BYW_AT)
#define atomic_fetch_and(p, v) __opencl_atomic_fetch_and(p, v, BYW_AT)
#define atomic_fetch_min(p, v) __opencl_atomic_fetch_min(p, v, BYW_AT)
#define atomic_fetch_max(p, v) __opencl_atomic_fetch_max(p, v, BYW_AT)
#define atomic_load_explicit(p, ...) atomic_load(p)
#define atomic_store_explicit(p, v, ...) atomic_store(p, v)
#define atomic_exchange_explicit(p, v, ...) atomic_exchange(p, v)
#define atomic_fetch_add_explicit(p, v, ...) atomic_fetch_add(p, v)
#define atomic_fetch_sub_explicit(p, v, ...) atomic_fetch_sub(p, v)
#define atomic_fetch_or_explicit(p, v, ...) atomic_fetch_or(p, v)
#define atomic_fetch_xor_explicit(p, v, ...) atomic_fetch_xor(p, v)
#define atomic_fetch_and_explicit(p, v, ...) atomic_fetch_and(p, v)
#define atomic_fetch_min_explicit(p, v, ...) atomic_fetch_min(p, v)
#define atomic_fetch_max_explicit(p, v, ...) atomic_fetch_max(p, v)
#define atomic_compare_exchange_strong(p, e, d)                                                    \
    __opencl_atomic_compare_exchange_strong(p, e, d, memory_order_relaxed, BYW_AT)
#define atomic_compare_exchange_weak(p, e, d) atomic_compare_exchange_strong(p, e, d)
#define atomic_compare_exchange_strong_explicit(p, e, d, ...) atomic_compare_exchange_strong(p, e, d)
#define atomic_compare_exchange_weak_explicit(p, e, d, ...) atomic_compare_exchange_strong(p, e, d)
#define atomic_flag_test_and_set(p) (atomic_exchange(p, 1) != 0)
#define atomic_flag_test_and_set_explicit(p, ...) atomic_flag_test_and_set(p)
#define atomic_flag_clear(p) atomic_store(p, 0)
#define atomic_flag_clear_explicit(p, ...) atomic_flag_clear(p)
#define atomic_work_item_fence(flags, order, scope) mem_fence(flags)
#endif

/* libclc assumes that all groups are as large as the first. That is right for get_global_id(), but
 * not for the size of the group itself. */
#if defined(BYW_WANT_SIZE) && __OPENCL_C_VERSION__ >= 200
#line 1 "byw_cl_arithmetic.cl"
size_t byw_own_size(uint d) __asm__("byw_cl_own_size");
size_t byw_global_size(uint d) __asm__("byw_cl_global_size");
size_t BYW_OVER get_enqueued_local_size(uint d) { return get_local_size(d); }
#define get_local_size byw_own_size
#define get_global_size byw_global_size
#endif

#if defined(BYW_WANT_LINEAR) && __OPENCL_C_VERSION__ >= 200
#line 1 "byw_cl_arithmetic.cl"
size_t BYW_OVER get_local_linear_id(void)
{
    return get_local_id(0) +
           get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
}
size_t BYW_OVER get_global_linear_id(void)
{
    return get_global_id(0) - get_global_offset(0) +
           get_global_size(0) * (get_global_id(1) - get_global_offset(1) +
                                 get_global_size(1) * (get_global_id(2) - get_global_offset(2)));
}
#endif

#if (defined(BYW_WANT_WORK_GROUP) || defined(BYW_WANT_SUB_GROUP)) && __OPENCL_C_VERSION__ >= 200
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#line 1 "byw_cl_prelude.cl"
/* Provided by the runtime: an element for each work-item of the group; lanes of a warp; a meeting
 * point. */
ulong *byw_exchange(void) __asm__("byw_cl_exchange");
uint byw_warp(void) __asm__("byw_cl_warp");
void byw_meet(void) __asm__("byw_cl_meet");

static uint byw_linear(void)
{
    return (uint)(get_local_id(0) +
                  get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2)));
}
static uint byw_items(void)
{
    return (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
}

uint BYW_OVER get_sub_group_local_id(void) { return byw_linear() % byw_warp(); }
uint BYW_OVER get_sub_group_id(void) { return byw_linear() / byw_warp(); }
uint BYW_OVER get_max_sub_group_size(void) { return min(byw_warp(), byw_items()); }
uint BYW_OVER get_num_sub_groups(void) { return (byw_items() + byw_warp() - 1) / byw_warp(); }
uint BYW_OVER get_enqueued_num_sub_groups(void)
{
    size_t n = get_enqueued_local_size(0) * get_enqueued_local_size(1) * get_enqueued_local_size(2);
    return (uint)((n + byw_warp() - 1) / byw_warp());
}
uint BYW_OVER get_sub_group_size(void)
{
    return min(byw_warp(), byw_items() - get_sub_group_id() * byw_warp());
}

#define BYW_GROUP_MEET barrier(CLK_LOCAL_MEM_FENCE)
#define BYW_GROUP_FIRST 0u
#define BYW_GROUP_ITEMS byw_items()
#define BYW_SUB_MEET byw_meet()
#define BYW_SUB_FIRST (byw_linear() - get_sub_group_local_id())
#define BYW_SUB_ITEMS get_sub_group_size()

/* Reduces the values of items [0, END) of a work-group or sub-group, beginning with the operation's
 * neutral value START. END counts from the group's first item. */
#define BYW_FOLD(NAME, T, WHO, END, OP, START)                                                     \
    T BYW_OVER NAME(T x)                                                                           \
    {                                                                                              \
        ulong *at = byw_exchange() + BYW_##WHO##_FIRST;                                            \
        uint me = byw_linear() - BYW_##WHO##_FIRST, end = END;                                     \
        T all = START;                                                                             \
        *(T *)(at + me) = x;                                                                       \
        BYW_##WHO##_MEET;                                                                          \
        for (uint i = 0; i < end; i++) {                                                           \
            T y = *(T *)(at + i);                                                                  \
            all = OP;                                                                              \
        }                                                                                          \
        BYW_##WHO##_MEET;                                                                          \
        return all;                                                                                \
    }
#define BYW_FOLDS(PREFIX, WHO, T, NAME, OP, START)                                                 \
    BYW_FOLD(PREFIX##_reduce_##NAME, T, WHO, BYW_##WHO##_ITEMS, OP, START)                         \
    BYW_FOLD(PREFIX##_scan_exclusive_##NAME, T, WHO, me, OP, START)                                \
    BYW_FOLD(PREFIX##_scan_inclusive_##NAME, T, WHO, me + 1, OP, START)
#define BYW_PICK(NAME, T, WHO, ARGS, INDEX)                                                        \
    T BYW_OVER NAME ARGS                                                                           \
    {                                                                                              \
        ulong *at = byw_exchange() + BYW_##WHO##_FIRST;                                            \
        T got;                                                                                     \
        *(T *)(at + byw_linear() - BYW_##WHO##_FIRST) = x;                                         \
        BYW_##WHO##_MEET;                                                                          \
        got = *(T *)(at + (INDEX));                                                                \
        BYW_##WHO##_MEET;                                                                          \
        return got;                                                                                \
    }
#define BYW_LANE get_sub_group_local_id()
#define BYW_SHUFFLES(T)                                                                            \
    BYW_PICK(sub_group_shuffle, T, SUB, (T x, uint i), i % byw_warp())                             \
    BYW_PICK(sub_group_shuffle_xor, T, SUB, (T x, uint i), (BYW_LANE ^ i) % byw_warp())            \
    BYW_PICK(sub_group_shuffle_up, T, SUB, (T x, uint i), (BYW_LANE - i) % byw_warp())             \
    BYW_PICK(sub_group_shuffle_down, T, SUB, (T x, uint i), (BYW_LANE + i) % byw_warp())
#define BYW_COLLECT(T, LEAST, MOST)                                                                \
    BYW_FOLDS(work_group, GROUP, T, add, all + y, 0)                                               \
    BYW_FOLDS(work_group, GROUP, T, min, y < all ? y : all, MOST)                                  \
    BYW_FOLDS(work_group, GROUP, T, max, y > all ? y : all, LEAST)                                 \
    BYW_PICK(work_group_broadcast, T, GROUP, (T x, size_t i), i)                                   \
    BYW_PICK(work_group_broadcast, T, GROUP, (T x, size_t i, size_t j), i + get_local_size(0) * j) \
    BYW_PICK(work_group_broadcast, T, GROUP, (T x, size_t i, size_t j, size_t k),                  \
             i + get_local_size(0) * (j + get_local_size(1) * k))
#define BYW_COLLECT_SUB(T, LEAST, MOST)                                                            \
    BYW_FOLDS(sub_group, SUB, T, add, all + y, 0)                                                  \
    BYW_FOLDS(sub_group, SUB, T, min, y < all ? y : all, MOST)                                     \
    BYW_FOLDS(sub_group, SUB, T, max, y > all ? y : all, LEAST)                                    \
    BYW_PICK(sub_group_broadcast, T, SUB, (T x, uint i), i)
#define BYW_EACH_TYPE(F)                                                                           \
    F(int, INT_MIN, INT_MAX)                                                                       \
    F(uint, 0, UINT_MAX) F(long, LONG_MIN, LONG_MAX) F(ulong, 0, ULONG_MAX)                        \
    F(float, -INFINITY, INFINITY) F(double, -(double)INFINITY, (double)INFINITY) BYW_HALVES(F)
#if defined(BYW_WANT_HALF) && defined(cl_khr_fp16)
#define BYW_HALVES(F) F(half, -INFINITY, INFINITY)
#else
#define BYW_HALVES(F)
#endif

#ifdef BYW_WANT_WORK_GROUP
BYW_EACH_TYPE(BYW_COLLECT)
BYW_FOLD(work_group_all, int, GROUP, BYW_GROUP_ITEMS, all && y, 1)
BYW_FOLD(work_group_any, int, GROUP, BYW_GROUP_ITEMS, all || y, 0)
#endif
#ifdef BYW_WANT_SUB_GROUP
void BYW_OVER sub_group_barrier(cl_mem_fence_flags flags) { byw_meet(); }
void BYW_OVER sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) { byw_meet(); }
BYW_EACH_TYPE(BYW_COLLECT_SUB)
BYW_FOLD(sub_group_all, int, SUB, BYW_SUB_ITEMS, all && y, 1)
BYW_FOLD(sub_group_any, int, SUB, BYW_SUB_ITEMS, all || y, 0)
#endif
#ifdef BYW_WANT_SHUFFLE
BYW_SHUFFLES(char) BYW_SHUFFLES(uchar) BYW_SHUFFLES(short) BYW_SHUFFLES(ushort)
BYW_SHUFFLES(int) BYW_SHUFFLES(uint) BYW_SHUFFLES(long) BYW_SHUFFLES(ulong)
BYW_SHUFFLES(float) BYW_SHUFFLES(double)
#endif
#endif
