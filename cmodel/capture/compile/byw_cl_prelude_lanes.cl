/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_prelude_lanes.cl - included after byw_cl_prelude_groups.cl: integer dot products, and
 * sub-group functions that not all lanes need to call (cl_khr_subgroup_ballot, _non_uniform_vote,
 * _non_uniform_arithmetic, _clustered_reduce).
 */
/* Refers to the library's functions by symbol: another overload of dot() would hide them. */
#ifdef BYW_WANT_DOT
#line 1 "byw_cl_arithmetic.cl"
#define BYW_DOT(r, a, b, A, B, SYMBOL, R)                                                          \
    r byw_dot_##A##B(a##4 x, b##4 y) __asm__("_Z3dot" SYMBOL);                                     \
    r byw_dot_##A##B(a##4 x, b##4 y)                                                               \
    { return (r)x.x * (r)y.x + (r)x.y * (r)y.y + (r)x.z * (r)y.z + (r)x.w * (r)y.w; }              \
    r byw_dot_acc_##A##B(a##4 x, b##4 y, r c) __asm__("_Z11dot_acc_sat" SYMBOL R);                 \
    r byw_dot_acc_##A##B(a##4 x, b##4 y, r c) { return add_sat(byw_dot_##A##B(x, y), c); }         \
    r BYW_OVER dot_4x8packed_##A##B##_##r(uint x, uint y)                                          \
    { return byw_dot_##A##B(as_##a##4(x), as_##b##4(y)); }                                         \
    r BYW_OVER dot_acc_sat_4x8packed_##A##B##_##r(uint x, uint y, r c)                             \
    { return add_sat(byw_dot_##A##B(as_##a##4(x), as_##b##4(y)), c); }
BYW_DOT(uint, uchar, uchar, u, u, "Dv4_hS_", "j")
BYW_DOT(int, char, char, s, s, "Dv4_cS_", "i")
BYW_DOT(int, uchar, char, u, s, "Dv4_hDv4_c", "i")
BYW_DOT(int, char, uchar, s, u, "Dv4_cDv4_h", "i")
#endif

#if defined(BYW_WANT_SUB_GROUP) && defined(BYW_WANT_LANES) && __OPENCL_C_VERSION__ >= 200
#line 1 "byw_cl_prelude.cl"
/* The active lanes, one bit each: those that have met and continue together. */
ulong byw_active(void) __asm__("byw_cl_active");

static uint4 byw_mask(ulong lanes) { return (uint4)((uint)lanes, (uint)(lanes >> 32), 0, 0); }
static ulong byw_lanes(uint4 mask) { return (ulong)mask.y << 32 | mask.x; }
static ulong byw_below(uint lane) { return ((ulong)1 << lane) - 1; }
static ulong byw_full(void)
{
    uint size = get_sub_group_size();
    return size == 64 ? ~(ulong)0 : byw_below(size);
}

uint4 BYW_OVER sub_group_ballot(int predicate)
{
    ulong *at = byw_exchange() + BYW_SUB_FIRST, lanes = 0, active;
    uint me = get_sub_group_local_id();

    at[me] = predicate != 0;
    byw_meet();
    active = byw_active();
    for (uint i = 0; i < byw_warp(); i++)
        if (active >> i & 1)
            lanes |= at[i] << i;
    byw_meet();
    return byw_mask(lanes);
}
int BYW_OVER sub_group_inverse_ballot(uint4 mask)
{ return byw_lanes(mask) >> get_sub_group_local_id() & 1; }
int BYW_OVER sub_group_ballot_bit_extract(uint4 mask, uint i) { return byw_lanes(mask) >> i & 1; }
uint BYW_OVER sub_group_ballot_bit_count(uint4 mask)
{ return (uint)popcount(byw_lanes(mask) & byw_full()); }
uint BYW_OVER sub_group_ballot_inclusive_scan(uint4 mask)
{ return (uint)popcount(byw_lanes(mask) & (byw_below(get_sub_group_local_id()) << 1 | 1)); }
uint BYW_OVER sub_group_ballot_exclusive_scan(uint4 mask)
{ return (uint)popcount(byw_lanes(mask) & byw_below(get_sub_group_local_id())); }
uint BYW_OVER sub_group_ballot_find_lsb(uint4 mask)
{ ulong l = byw_lanes(mask) & byw_full(); return (uint)popcount((l & -l) - 1); }
uint BYW_OVER sub_group_ballot_find_msb(uint4 mask)
{ return 63 - (uint)clz(byw_lanes(mask) & byw_full()); }
uint4 BYW_OVER get_sub_group_eq_mask(void)
{ return byw_mask((ulong)1 << get_sub_group_local_id()); }
uint4 BYW_OVER get_sub_group_lt_mask(void)
{ return byw_mask(byw_below(get_sub_group_local_id())); }
uint4 BYW_OVER get_sub_group_le_mask(void)
{ return byw_mask(byw_below(get_sub_group_local_id()) << 1 | 1); }
uint4 BYW_OVER get_sub_group_gt_mask(void)
{ return byw_mask(byw_full() & ~(byw_below(get_sub_group_local_id()) << 1 | 1)); }
uint4 BYW_OVER get_sub_group_ge_mask(void)
{ return byw_mask(byw_full() & ~byw_below(get_sub_group_local_id())); }

int BYW_OVER sub_group_elect(void)
{
    byw_meet();
    return sub_group_ballot_find_lsb(byw_mask(byw_active())) == get_sub_group_local_id();
}
int BYW_OVER sub_group_non_uniform_any(int p) { return byw_lanes(sub_group_ballot(p)) != 0; }
int BYW_OVER sub_group_non_uniform_all(int p) { return byw_lanes(sub_group_ballot(!p)) == 0; }

/* Reduces x over the active lanes, in clusters of `size` lanes, up to lane END; START if there are
 * none. */
#define BYW_LANES(NAME, T, ARGS, SIZE, END, OP, START)                                             \
    T BYW_OVER NAME ARGS                                                                           \
    {                                                                                              \
        ulong *at = byw_exchange() + BYW_SUB_FIRST, active;                                        \
        uint me = get_sub_group_local_id(), size = SIZE, first = me / size * size, end = END;      \
        T all = START;                                                                             \
        *(T *)(at + me) = x;                                                                       \
        byw_meet();                                                                                \
        active = byw_active();                                                                     \
        for (uint i = first; i < end; i++)                                                         \
            if (active >> i & 1) {                                                                 \
                T y = *(T *)(at + i);                                                              \
                all = OP;                                                                          \
            }                                                                                      \
        byw_meet();                                                                                \
        return all;                                                                                \
    }
#define BYW_LANES_OF(T, NAME, OP, START)                                                           \
    BYW_LANES(sub_group_clustered_reduce_##NAME, T, (T x, uint n), n, first + size, OP, START)     \
    BYW_LANES(sub_group_non_uniform_reduce_##NAME, T, (T x), byw_warp(), size, OP, START)          \
    BYW_LANES(sub_group_non_uniform_scan_inclusive_##NAME, T, (T x), byw_warp(), me + 1, OP, START)\
    BYW_LANES(sub_group_non_uniform_scan_exclusive_##NAME, T, (T x), byw_warp(), me, OP, START)
#define BYW_LANES_ARITHMETIC(T, LEAST, MOST)                                                       \
    BYW_LANES_OF(T, add, all + y, 0) BYW_LANES_OF(T, mul, all * y, 1)                              \
    BYW_LANES_OF(T, min, y < all ? y : all, MOST) BYW_LANES_OF(T, max, y > all ? y : all, LEAST)   \
    int BYW_OVER sub_group_non_uniform_all_equal(T x)                                              \
    { return sub_group_non_uniform_all(sub_group_broadcast_first(x) == x); }                       \
    BYW_PICK(sub_group_non_uniform_broadcast, T, SUB, (T x, uint i), i)
#define BYW_FIRST(T)                                                                               \
    T BYW_OVER sub_group_broadcast_first(T x)                                                      \
    {                                                                                              \
        ulong *at = byw_exchange() + BYW_SUB_FIRST;                                                \
        T got;                                                                                     \
        *(T *)(at + get_sub_group_local_id()) = x;                                                 \
        byw_meet();                                                                                \
        got = *(T *)(at + sub_group_ballot_find_lsb(byw_mask(byw_active())));                      \
        byw_meet();                                                                                \
        return got;                                                                                \
    }
#define BYW_LANES_BITS(T, LEAST, MOST)                                                             \
    BYW_LANES_OF(T, and, all & y, (T)-1) BYW_LANES_OF(T, or, all | y, 0)                           \
    BYW_LANES_OF(T, xor, all ^ y, 0)
BYW_FIRST(int) BYW_FIRST(uint) BYW_FIRST(long) BYW_FIRST(ulong) BYW_FIRST(float) BYW_FIRST(double)
BYW_EACH_TYPE(BYW_LANES_ARITHMETIC)
BYW_LANES_BITS(int, , ) BYW_LANES_BITS(uint, , ) BYW_LANES_BITS(long, , ) BYW_LANES_BITS(ulong, , )
#define BYW_LANES_LOGIC(NAME, OP, START)                                                           \
    BYW_LANES(sub_group_clustered_reduce_logical_##NAME, int, (int x, uint n), n, first + size,    \
              OP, START)                                                                           \
    BYW_LANES(sub_group_non_uniform_reduce_logical_##NAME, int, (int x), byw_warp(), size, OP,     \
              START)
BYW_LANES_LOGIC(and, all && y, 1) BYW_LANES_LOGIC(or, all || y, 0)
BYW_LANES_LOGIC(xor, !all != !y, 0)
#endif
