/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels' requests to the driver, special registers, and selections among the values that the
 * lanes of a warp have stored in the exchange (byw_cu_warp.cl).
 */
#include "byw_cu_hooks.h"
#include "capture/run/byw_cl_scratchpad.h"

struct byw_cu_hooks byw_cu_hooks;

PTX_CALL u32 ptx_system_vprintf(u64 format, u64 args)
{
    return (u32)byw_cu_hooks.print((const char *)format, (const void *)args);
}
PTX_CALL void ptx_system___assertfail(u64 message, u64 file, u32 line, u64 function, u64 size)
{
    (void)size;
    byw_cu_hooks.fail((const char *)message, (const char *)file, line, (const char *)function);
}
PTX_CALL u64 ptx_system_malloc(u64 size)
{
    return (u64)byw_cu_hooks.take(size);
}
PTX_CALL void ptx_system_free(u64 memory)
{
    byw_cu_hooks.give((void *)memory);
}
PTX_CALL void ptx_trap(void)
{
    byw_cu_hooks.fail(0, 0, 0, 0);
}
/* Allocates `size` bytes of a function's stack (byw_ptx_stack.c) with `top` free bytes; returns the
 * free bytes that remain. */
PTX_CALL u64 ptx_stack_take(u64 top, u64 size)
{
    if (size > top)
        byw_cu_hooks.fail("alloca needs more memory than byway gives a thread (16384 bytes)", 0, 0,
                          0);
    return size > top ? 0 : top - size;
}
/* Moves the top of the stack of recursive functions (byw_ptx_recursion.h). */
PTX_CALL u64 ptx_recursion_take(u64 top, u64 more, u64 room, u64 name, u64 depth)
{
    if (top + more > room)
        byw_cu_hooks.overflow((const char *)name, depth, room);
    return top + more;
}
PTX_CALL void ptx_brkpt(void)
{
}

/* Time that always advances, so that kernels that wait for it end. */
PTX_CALL u32 ptx_special_clock(void)
{
    return (u32)(byw_cu_hooks.clock += 32);
}
PTX_CALL u32 ptx_special_clock_hi(void)
{
    return (u32)(byw_cu_hooks.clock >> 32);
}
PTX_CALL u64 ptx_special_clock64(void)
{
    return byw_cu_hooks.clock += 32;
}
PTX_CALL u64 ptx_special_globaltimer(void)
{
    return byw_cu_hooks.clock += 32;
}
PTX_CALL u32 ptx_special_globaltimer_lo(void)
{
    return (u32)(byw_cu_hooks.clock += 32);
}
PTX_CALL u32 ptx_special_globaltimer_hi(void)
{
    return (u32)((byw_cu_hooks.clock += 32) >> 32);
}
PTX u32 ptx_special_total_smem_size(void)
{
    return byw_cu_hooks.shared;
}
PTX u32 ptx_special_aggr_smem_size(void)
{
    return byw_cu_hooks.shared + BYW_CL_SHARED_SIZE - BYW_CL_SHARED_RESERVED;
}
PTX u32 ptx_special_dynamic_smem_size(void)
{
    return byw_cu_hooks.dynamic;
}
PTX u32 ptx_special_envreg0(void)
{
    return 0;
}
/* 0: graphs on the device launch no kernels. */
PTX u64 ptx_special_current_graph_exec(void)
{
    return 0;
}
/* Address of the workspace of a cooperative launch: upper and lower half. */
PTX u32 ptx_special_envreg1(void)
{
    return (u32)(byw_cu_hooks.workspace >> 32);
}
PTX u32 ptx_special_envreg2(void)
{
    return (u32)byw_cu_hooks.workspace;
}
PTX u32 ptx_special_smid(void)
{
    return 0;
}
PTX u32 ptx_special_nsmid(void)
{
    return 132;
}
PTX u32 ptx_special_nwarpid(void)
{
    return 64;
}
/* Shared memory that belongs to the system, after what a launch may use (byw_cl_code.h). */
PTX u32 ptx_special_reserved_smem_offset_begin(void)
{
    return BYW_CL_SHARED_RESERVED;
}
PTX u32 ptx_special_reserved_smem_offset_end(void)
{
    return BYW_CL_SHARED_SIZE;
}
PTX u32 ptx_special_reserved_smem_offset_cap(void)
{
    return BYW_CL_SHARED_SIZE - BYW_CL_SHARED_RESERVED;
}
PTX u32 ptx_special_reserved_smem_offset_0(void)
{
    return BYW_CL_SHARED_RESERVED;
}
PTX u32 ptx_special_reserved_smem_offset_1(void)
{
    return BYW_CL_SHARED_RESERVED + 32; /* cooperative groups' scratch space */
}
/* Blocks of a cluster in one dimension. */
PTX u32 ptx_cluster_size(u32 dimension)
{
    u32 size = byw_cu_hooks.cluster[dimension];

    return size == 0 ? 1 : size;
}
PTX u32 ptx_special_is_explicit_cluster(void)
{
    return byw_cu_hooks.cluster[0] != 0;
}
PTX u32 ptx_special_cluster_nctarank(void)
{
    return ptx_cluster_size(0) * ptx_cluster_size(1) * ptx_cluster_size(2);
}
PTX u32 ptx_special_cluster_nctaid_x(void)
{
    return ptx_cluster_size(0);
}
PTX u32 ptx_special_cluster_nctaid_y(void)
{
    return ptx_cluster_size(1);
}
PTX u32 ptx_special_cluster_nctaid_z(void)
{
    return ptx_cluster_size(2);
}

/* The same offset in the shared memory of another block of the cluster (byw_cl_scratchpad.h); for
 * the block's own memory, the address that the block itself uses. */
PTX u64 ptx_cluster_map(u64 address, u32 rank, u32 own)
{
    u64 windows = 0xffull << BYW_CL_WINDOW_SHIFT, place = address & ~windows;

    return rank == own ? place : place | (u64)(rank + 1) << BYW_CL_WINDOW_SHIFT;
}
PTX u32 ptx_cluster_rank(u64 address, u32 own)
{
    u32 window = (u32)address >> BYW_CL_WINDOW_SHIFT;

    return window == 0 ? own : window - 1;
}

/* The state of the cluster's barrier: its phase. */
PTX u64 ptx_cluster_phase(void)
{
    return (u64)&byw_cl_cluster_state()->phase;
}
/* Where a thread keeps the phase to which its last arrival belongs. */
PTX u64 ptx_cluster_own_phase(u32 thread)
{
    return BYW_CL_SHARED_BASE + BYW_CL_CLUSTER_PHASES + thread;
}
PTX_CALL void ptx_cluster_come(u32 thread)
{
    struct byw_cl_cluster *c = byw_cl_cluster_state();

    *(u8 *)ptx_cluster_own_phase(thread) = (u8)c->phase;
    byw_cl_cluster_count(c, 1, 0);
}
PTX u64 ptx_special_gridid(void)
{
    return 0;
}

/* shfl: the value, and whether its source lane is in the segment.  `c` holds the clamp in its lower
 * bits and the segment's mask above. */
static v4 take(const u64 *at, u32 lane, u32 source, bool good, u32 together)
{
    if (!good || !(together >> (source & 31) & 1))
        source = lane;
    return (v4){(u32)at[source & 31], good, 0, 0};
}
/* The last lane of the segment that may be a source; for shfl.up the first one. */
static u32 bound_of(u32 lane, u32 c)
{
    u32 mask = c >> 8 & 31;

    return (lane & mask) | (c & 31 & ~mask);
}
PTX v4 ptx_pick_up(const u64 *at, u32 lane, u32 b, u32 c, u32 together)
{
    s32 j = (s32)lane - (s32)(b & 31);

    return take(at, lane, (u32)j, j >= (s32)bound_of(lane, c), together);
}
PTX v4 ptx_pick_down(const u64 *at, u32 lane, u32 b, u32 c, u32 together)
{
    u32 j = lane + (b & 31);

    return take(at, lane, j, j <= bound_of(lane, c), together);
}
PTX v4 ptx_pick_bfly(const u64 *at, u32 lane, u32 b, u32 c, u32 together)
{
    u32 j = lane ^ (b & 31);

    return take(at, lane, j, j <= bound_of(lane, c), together);
}
PTX v4 ptx_pick_idx(const u64 *at, u32 lane, u32 b, u32 c, u32 together)
{
    u32 mask = c >> 8 & 31, j = (lane & mask) | (b & 31 & ~mask);

    return take(at, lane, j, j <= bound_of(lane, c), together);
}

PTX_CALL u32 ptx_pick_ballot(const u64 *at, u32 lanes)
{
    u32 all = 0;

    for (u32 l = 0; l < 32; l++)
        if ((lanes >> l & 1) && at[l] != 0)
            all |= 1u << l;
    return all;
}
PTX_CALL u32 ptx_pick_equal(const u64 *at, u32 lane, u32 lanes)
{
    u32 all = 0;

    for (u32 l = 0; l < 32; l++)
        if ((lanes >> l & 1) && at[l] == at[lane])
            all |= 1u << l;
    return all;
}

#define FOLD(name, t, expression)                                                                  \
    PTX_CALL u32 ptx_pick_##name(const u64 *at, u32 lanes)                                         \
    {                                                                                              \
        bool first = true;                                                                         \
        t all = 0;                                                                                 \
        for (u32 l = 0; l < 32; l++)                                                               \
            if (lanes >> l & 1) {                                                                  \
                t x = (t)(u32)at[l];                                                               \
                all = first ? x : (t)(expression);                                                 \
                first = false;                                                                     \
            }                                                                                      \
        return (u32)all;                                                                           \
    }
FOLD(add, u32, all + x)
FOLD(and, u32, all &x)
FOLD(or, u32, all | x)
FOLD(xor, u32, all ^ x)
FOLD(min_u32, u32, x < all ? x : all)
FOLD(max_u32, u32, x > all ? x : all)
FOLD(min_s32, s32, x < all ? x : all)
FOLD(max_s32, s32, x > all ? x : all)

/* bar.red, over all work-items of a group. */
PTX_CALL u32 ptx_pick_count(const u64 *at, u32 items)
{
    u32 all = 0;

    for (u32 i = 0; i < items; i++)
        all += at[i] != 0;
    return all;
}
/* A lane's two elements of the transposed matrix. */
PTX_CALL u32 ptx_pick_transposed(const u64 *at, u32 lane)
{
    u32 row = lane / 4, column = 2 * (lane % 4), shift = row % 2 * 16;

    return (u32)(at[4 * column + row / 2] >> shift & 0xffffu) |
           (u32)(at[4 * column + 4 + row / 2] >> shift & 0xffffu) << 16;
}
