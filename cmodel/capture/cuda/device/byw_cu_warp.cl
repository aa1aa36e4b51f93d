/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_warp.cl - PTX instructions in which lanes meet, or that move memory: inlined into kernels
 * before they are scanned.  Compiled for nvptx64 when byway is built.
 *
 * Instructions under the first file name count as nothing (byw_cl_line.c), those under the second
 * as what they are.
 */
typedef uint4 v4;

#line 1 "byw_cl_prelude.cl"
ulong *byw_exchange(void) __asm__("byw_cl_exchange");
uint byw_linear(void) __asm__("byw_cl_linear");
uint byw_together(void) __asm__("byw_cl_active");
void byw_meet(void) __asm__("byw_cl_meet") __attribute__((convergent));
void byw_barrier(void) __asm__("llvm.nvvm.barrier0") __attribute__((convergent));
v4 ptx_pick_up(const ulong *, uint, uint, uint, uint);
v4 ptx_pick_down(const ulong *, uint, uint, uint, uint);
v4 ptx_pick_bfly(const ulong *, uint, uint, uint, uint);
v4 ptx_pick_idx(const ulong *, uint, uint, uint, uint);
uint ptx_pick_ballot(const ulong *, uint);
uint ptx_pick_equal(const ulong *, uint, uint);
uint ptx_pick_add(const ulong *, uint);
uint ptx_pick_and(const ulong *, uint);
uint ptx_pick_or(const ulong *, uint);
uint ptx_pick_xor(const ulong *, uint);
uint ptx_pick_min_u32(const ulong *, uint);
uint ptx_pick_max_u32(const ulong *, uint);
uint ptx_pick_min_s32(const ulong *, uint);
uint ptx_pick_max_s32(const ulong *, uint);
uint ptx_pick_count(const ulong *, uint);

#define ALWAYS __attribute__((always_inline))
static ALWAYS uint byw_lane(void)
{
    return byw_linear() & 31;
}
/* Stores a value for the other lanes of the warp to read, and waits until they meet. */
static ALWAYS ulong *byw_put(ulong x)
{
    ulong *at = byw_exchange() + (byw_linear() & ~31u);

    at[byw_lane()] = x;
    byw_meet();
    return at;
}
static ALWAYS uint byw_among(uint mask)
{
    return byw_together() & mask;
}
static ALWAYS void byw_part(void)
{
    byw_meet();
}
static ALWAYS ulong *byw_put_group(ulong x)
{
    ulong *at = byw_exchange();

    at[byw_linear()] = x;
    return at;
}
static ALWAYS uint byw_items(void)
{
    return (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
}

#line 1 "byw_cu_warp.cl"
#define SHUFFLE(mode)                                                                              \
    v4 ptx_shfl_sync_##mode##_b32(uint a, uint b, uint c, uint mask)                               \
    {                                                                                              \
        ulong *at = byw_put(a);                                                                    \
        v4 r = ptx_pick_##mode(at, byw_lane(), b, c, byw_among(mask));                             \
        byw_part();                                                                                \
        return r;                                                                                  \
    }                                                                                              \
    v4 ptx_shfl_##mode##_b32(uint a, uint b, uint c)                                               \
    {                                                                                              \
        return ptx_shfl_sync_##mode##_b32(a, b, c, ~0u);                                           \
    }
SHUFFLE(up)
SHUFFLE(down)
SHUFFLE(bfly)
SHUFFLE(idx)

uint ptx_vote_sync_ballot_b32(bool p, uint mask)
{
    ulong *at = byw_put(p);
    uint r = ptx_pick_ballot(at, byw_among(mask));

    byw_part();
    return r;
}
bool ptx_vote_sync_any_pred(bool p, uint mask)
{
    return ptx_vote_sync_ballot_b32(p, mask) != 0;
}
bool ptx_vote_sync_all_pred(bool p, uint mask)
{
    return ptx_vote_sync_ballot_b32(!p, mask) == 0;
}
bool ptx_vote_sync_uni_pred(bool p, uint mask)
{
    ulong *at = byw_put(p);
    uint among = byw_among(mask), r = ptx_pick_ballot(at, among);

    byw_part();
    return r == 0 || r == among;
}
/* Another order of the modifiers, which ptxas also accepts. */
uint ptx_vote_ballot_sync_b32(bool p, uint mask) { return ptx_vote_sync_ballot_b32(p, mask); }
bool ptx_vote_any_sync_pred(bool p, uint mask) { return ptx_vote_sync_any_pred(p, mask); }
bool ptx_vote_all_sync_pred(bool p, uint mask) { return ptx_vote_sync_all_pred(p, mask); }
bool ptx_vote_uni_sync_pred(bool p, uint mask) { return ptx_vote_sync_uni_pred(p, mask); }
uint ptx_vote_ballot_b32(bool p) { return ptx_vote_sync_ballot_b32(p, ~0u); }
bool ptx_vote_any_pred(bool p) { return ptx_vote_sync_any_pred(p, ~0u); }
bool ptx_vote_all_pred(bool p) { return ptx_vote_sync_all_pred(p, ~0u); }
bool ptx_vote_uni_pred(bool p) { return ptx_vote_sync_uni_pred(p, ~0u); }

uint ptx_activemask_b32(void)
{
    byw_part();
    return byw_among(~0u);
}
v4 ptx_elect_sync(uint mask)
{
    uint among, first;

    byw_part();
    among = byw_among(mask);
    first = among & (0 - among);
    return (v4)(popcount(first - 1), first == 1u << byw_lane(), 0, 0);
}

#define MATCH(n, t)                                                                                \
    uint ptx_match_any_sync_b##n(t x, uint mask)                                                   \
    {                                                                                              \
        ulong *at = byw_put(x);                                                                    \
        uint r = ptx_pick_equal(at, byw_lane(), byw_among(mask));                                  \
        byw_part();                                                                                \
        return r;                                                                                  \
    }                                                                                              \
    v4 ptx_match_all_sync_b##n(t x, uint mask)                                                     \
    {                                                                                              \
        ulong *at = byw_put(x);                                                                    \
        uint among = byw_among(mask), r = ptx_pick_equal(at, byw_lane(), among);                   \
        byw_part();                                                                                \
        return r == among ? (v4)(among, 1, 0, 0) : (v4)(0);                                        \
    }
MATCH(32, uint)
MATCH(64, ulong)

#define REDUX(name, pick)                                                                          \
    uint ptx_redux_sync_##name(uint x, uint mask)                                                  \
    {                                                                                              \
        ulong *at = byw_put(x);                                                                    \
        uint r = ptx_pick_##pick(at, byw_among(mask));                                             \
        byw_part();                                                                                \
        return r;                                                                                  \
    }
REDUX(add_u32, add)
REDUX(add_s32, add)
REDUX(and_b32, and)
REDUX(or_b32, or)
REDUX(xor_b32, xor)
REDUX(min_u32, min_u32)
REDUX(max_u32, max_u32)
REDUX(min_s32, min_s32)
REDUX(max_s32, max_s32)

#define BARRIER_RED(op)                                                                            \
    uint ptx_##op##_popc_u32(uint barrier, bool p)                                                 \
    {                                                                                              \
        ulong *at = byw_put_group(p);                                                              \
        uint r;                                                                                    \
        byw_barrier();                                                                             \
        r = ptx_pick_count(at, byw_items());                                                       \
        byw_barrier();                                                                             \
        return r;                                                                                  \
    }                                                                                              \
    bool ptx_##op##_and_pred(uint barrier, bool p)                                                 \
    {                                                                                              \
        return ptx_##op##_popc_u32(barrier, !p) == 0;                                              \
    }                                                                                              \
    bool ptx_##op##_or_pred(uint barrier, bool p)                                                  \
    {                                                                                              \
        return ptx_##op##_popc_u32(barrier, p) != 0;                                               \
    }
BARRIER_RED(bar_red)
BARRIER_RED(barrier_red)
BARRIER_RED(barrier_cta_red)

/* Copies to the scratchpad are performed at once, so there is nothing to wait for. */
static ALWAYS void byw_copy(local uchar *to, global const uchar *from, uint size)
{
    if (size == 16)
        *(local uint4 *)to = *(global const uint4 *)from;
    else if (size == 8)
        *(local uint2 *)to = *(global const uint2 *)from;
    else if (size == 4)
        *(local uint *)to = *(global const uint *)from;
}
static ALWAYS void byw_copy_part(local uchar *to, global const uchar *from, uint size, uint have)
{
    if (have >= size) {
        byw_copy(to, from, size);
        return;
    }
    for (uint i = 0; i < size; i += 4)
        *(local uint *)(to + i) = i < have ? *(global const uint *)(from + i) : 0;
}
#define COPY(name)                                                                                 \
    void ptx_cp_async_##name(local uchar *to, global const uchar *from, uint size)                 \
    {                                                                                              \
        byw_copy(to, from, size);                                                                  \
    }                                                                                              \
    void ptx_cp_async_##name##_of_4(local uchar *to, global const uchar *from, uint size,          \
                                    uint have)                                                     \
    {                                                                                              \
        byw_copy_part(to, from, size, have);                                                       \
    }
COPY(ca_shared_global)
COPY(cg_shared_global)
COPY(ca_shared_global_L2__128B)
COPY(cg_shared_global_L2__128B)
COPY(ca_shared_global_L2__256B)
COPY(cg_shared_global_L2__256B)
COPY(ca_shared_global_L2__64B)
COPY(cg_shared_global_L2__64B)
void ptx_cp_async_commit_group(void) {}
void ptx_cp_async_wait_group(uint n) {}
void ptx_cp_async_wait_all(void) {}

/* Waits until the phase of that parity is over. Returns false if nothing else can run, since the
 * program may have limited the wait. */
#line 1 "byw_cl_prelude.cl"
volatile ulong *byw_give_up(void) __asm__("byw_cl_give_up");
uint ptx_mbarrier_parity(ulong state);
ulong ptx_mbarrier_update(ulong, uint, uint, uint);
void ptx_bulk_copy(ulong, ulong, uint);
bool ptx_mbarrier_wait(local ulong *barrier, uint parity)
{
    volatile ulong *give_up = byw_give_up();
    bool over, ends;

    do {
        over = (uint)(*(volatile local ulong *)barrier >> 63) != (parity & 1);
        ends = *give_up != 0;
#line 1 "byw_cu_warp.cl"
    } while (!(over | ends));
#line 1 "byw_cl_prelude.cl"
    if (ends)
        *give_up = 0;
    return over;
}

/* Named barriers, at which a given number of threads meet; they are stored after the exchange
 * (byw_cl_runner.h). A warp counts as 32 threads: in a partial warp, the block's last thread also
 * arrives for the missing lanes. */
#define EXCHANGE_WORDS 1024
uint ptx_named_arrive(ulong, uint, uint);
static ALWAYS volatile ulong *byw_named(uint id)
{
    return (volatile ulong *)byw_exchange() + EXCHANGE_WORDS + (id & 15);
}
static ALWAYS uint byw_come(uint id, uint needed)
{
    uint lacks = byw_linear() + 1 == byw_items() ? (0 - byw_items()) & 31 : 0;

    return ptx_named_arrive((ulong)byw_named(id), 1 + lacks, needed);
}
void ptx_named_only_arrive(uint id, uint needed)
{
    byw_come(id, needed);
}
void ptx_named_sync(uint id, uint needed)
{
    volatile ulong *at = byw_named(id), *give_up;
    uint phase = byw_come(id, needed);
    bool over, ends;

    do {
        give_up = byw_give_up();
        do {
            over = (uint)(*at >> 32) != phase;
            ends = *give_up != 0;
#line 1 "byw_cu_warp.cl"
        } while (!(over | ends));
#line 1 "byw_cl_prelude.cl"
        if (ends)
            *give_up = 0;
    } while (!over);
}

/* Clusters: in each dimension, the block's place in its cluster, the cluster's in the grid, and the
 * number of clusters. */
uint ptx_cluster_size(uint dimension);
#define CLUSTER(axis, d)                                                                           \
    uint ptx_special_cluster_ctaid_##axis(void)                                                    \
    {                                                                                              \
        return (uint)get_group_id(d) % ptx_cluster_size(d);                                        \
    }                                                                                              \
    uint ptx_special_clusterid_##axis(void)                                                        \
    {                                                                                              \
        return (uint)get_group_id(d) / ptx_cluster_size(d);                                        \
    }                                                                                              \
    uint ptx_special_nclusterid_##axis(void)                                                       \
    {                                                                                              \
        return (uint)get_num_groups(d) / ptx_cluster_size(d);                                      \
    }
CLUSTER(x, 0)
CLUSTER(y, 1)
CLUSTER(z, 2)
uint ptx_special_cluster_ctarank(void)
{
    return (ptx_special_cluster_ctaid_z() * ptx_cluster_size(1) + ptx_special_cluster_ctaid_y()) *
               ptx_cluster_size(0) +
           ptx_special_cluster_ctaid_x();
}

/* The barrier of a cluster; that of a cluster of one block is the block's. */
uint ptx_special_cluster_nctarank(void);
ulong ptx_cluster_phase(void);
ulong ptx_cluster_own_phase(uint thread);
void ptx_cluster_come(uint thread);
void ptx_cluster_arrive(void)
{
    if (ptx_special_cluster_nctarank() > 1)
        ptx_cluster_come(byw_linear());
}
void ptx_cluster_wait(void)
{
    volatile local uint *at = (volatile local uint *)ptx_cluster_phase();
    volatile ulong *give_up;
    uint phase;
    bool over, ends;

    if (ptx_special_cluster_nctarank() == 1)
        return;
    phase = *(volatile local uchar *)ptx_cluster_own_phase(byw_linear());
    do {
        give_up = byw_give_up();
        do {
            over = (*at & 255) != phase;
            ends = *give_up != 0;
#line 1 "byw_cu_warp.cl"
        } while (!(over | ends));
#line 1 "byw_cl_prelude.cl"
        if (ends)
            *give_up = 0;
    } while (!over);
}
void ptx_cluster_wait_alone(void)
{
    if (ptx_special_cluster_nctarank() == 1)
        byw_barrier();
    else
        ptx_cluster_wait();
}

/* Grids of cooperative launches, which compilers other than nvcc ask the device runtime for. The
 * barrier is that of nvcc's headers: its top bit flips when all blocks have arrived. */
uint ptx_special_envreg1(void);
uint ptx_special_envreg2(void);
static ALWAYS uint byw_blocks(void)
{
    return (uint)(get_num_groups(0) * get_num_groups(1) * get_num_groups(2));
}
static ALWAYS uint byw_block(void)
{
    return (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) +
                  get_group_id(0));
}
ulong ptx_system_cudaCGGetIntrinsicHandle(uint scope)
{
    return scope == 1 ? (ulong)ptx_special_envreg1() << 32 | ptx_special_envreg2() : 0;
}
uint ptx_system_cudaCGSynchronize(ulong workspace, uint flags)
{
    volatile global uint *at = (volatile global uint *)(workspace + 4);

    byw_barrier();
    if (byw_linear() == 0) {
        uint old = __sync_fetch_and_add(at, byw_block() == 0 ? 0x80000001u - byw_blocks() : 1);

        while (((old ^ *at) & 0x80000000u) == 0)
            ;
    }
    byw_barrier();
    return 0;
}
uint ptx_system_cudaCGSynchronizeGrid(ulong workspace, uint flags)
{
    return ptx_system_cudaCGSynchronize(workspace, flags);
}
uint ptx_system_cudaCGGetSize(ulong threads, ulong grids, ulong workspace)
{
    if (threads != 0)
        *(uint *)threads = byw_blocks() * byw_items();
    if (grids != 0)
        *(uint *)grids = 1;
    return 0;
}
uint ptx_system_cudaCGGetRank(ulong thread, ulong grid, ulong workspace)
{
    if (thread != 0)
        *(uint *)thread = byw_block() * byw_items() + byw_linear();
    if (grid != 0)
        *(uint *)grid = 0;
    return 0;
}

/* Accesses of a bulk copy.  They belong to no lane and bypass the L1: a load by one lane stands for
 * each sector of 32 bytes, a store for 16 bytes. */
static ALWAYS void byw_bulk_reads(ulong from, ulong end)
{
    for (; from < end; from = (from | 31) + 1)
        if (from % 16 == 0 && from + 16 <= end)
            (void)*(volatile global const uint4 *)from;
        else
            (void)*(volatile global const uchar *)from;
}
static ALWAYS void byw_bulk_done(local ulong *barrier, uint size)
{
    ptx_mbarrier_update((ulong)barrier, 0, 0 - size, 0);
}
void ptx_bulk_load(local uchar *to, global const uchar *from, uint size, local ulong *barrier)
{
    byw_bulk_reads((ulong)from, (ulong)from + size);
#line 1 "byw_cu_warp.cl"
    ptx_bulk_copy((ulong)to, (ulong)from, size);
#line 1 "byw_cl_prelude.cl"
    byw_bulk_done(barrier, size);
}
/* .multicast::cluster: the same places in the shared memory of several blocks. */
void ptx_bulk_copies(ulong, ulong, uint, ulong, uint, uint);
void ptx_bulk_spread(local uchar *to, global const uchar *from, uint size, local ulong *barrier,
                     uint blocks)
{
    uint own = ptx_special_cluster_ctarank();

    byw_bulk_reads((ulong)from, (ulong)from + size);
#line 1 "byw_cu_warp.cl"
    ptx_bulk_copies((ulong)to, (ulong)from, size, (ulong)barrier, blocks, own);
#line 1 "byw_cl_prelude.cl"
}
void ptx_bulk_move(local uchar *to, local const uchar *from, uint size, local ulong *barrier)
{
    ptx_bulk_copy((ulong)to, (ulong)from, size);
    byw_bulk_done(barrier, size);
}
void ptx_bulk_store(global uchar *to, local const uchar *from, uint size)
{
    for (uint i = 0; i < size; i += 16)
        *(volatile global uint4 *)(to + i) = *(local const uint4 *)(from + i);
}

/* Boxes of tensors. The data are written first; the stores that the trace gets then write the same
 * data again. */
uint ptx_tensor_rows(ulong);
uint ptx_tensor_bytes(ulong);
ulong ptx_tensor_edge(ulong, uint, uint, uint, uint, uint, uint, uint);
void ptx_tensor_copy(ulong, ulong, uint, uint, uint, uint, uint, bool);
v4 ptx_tensor_piece(ulong);
uint ptx_tensor_byte(ulong);
void ptx_tensor_load(local uchar *to, ulong map, uint c0, uint c1, uint c2, uint c3, uint c4,
                     local ulong *barrier)
{
    for (uint row = 0; row < ptx_tensor_rows(map); row++)
        byw_bulk_reads(ptx_tensor_edge(map, c0, c1, c2, c3, c4, row, 0),
                       ptx_tensor_edge(map, c0, c1, c2, c3, c4, row, 1));
#line 1 "byw_cu_warp.cl"
    ptx_tensor_copy((ulong)to, map, c0, c1, c2, c3, c4, true);
#line 1 "byw_cl_prelude.cl"
    byw_bulk_done(barrier, ptx_tensor_bytes(map));
}
void ptx_tensor_copies(ulong, ulong, uint, uint, uint, uint, uint, ulong, uint, uint);
void ptx_tensor_spread(local uchar *to, ulong map, uint c0, uint c1, uint c2, uint c3, uint c4,
                       local ulong *barrier, uint blocks)
{
    uint own = ptx_special_cluster_ctarank();

    for (uint row = 0; row < ptx_tensor_rows(map); row++)
        byw_bulk_reads(ptx_tensor_edge(map, c0, c1, c2, c3, c4, row, 0),
                       ptx_tensor_edge(map, c0, c1, c2, c3, c4, row, 1));
#line 1 "byw_cu_warp.cl"
    ptx_tensor_copies((ulong)to, map, c0, c1, c2, c3, c4, (ulong)barrier, blocks, own);
#line 1 "byw_cl_prelude.cl"
}
/* The trace's stores for the data that were written to a box. */
static ALWAYS void byw_tensor_written(ulong map, uint c0, uint c1, uint c2, uint c3, uint c4)
{
    for (uint row = 0; row < ptx_tensor_rows(map); row++) {
        ulong at = ptx_tensor_edge(map, c0, c1, c2, c3, c4, row, 0);
        ulong end = ptx_tensor_edge(map, c0, c1, c2, c3, c4, row, 1);

        for (; at < end; at = (at | 15) + 1)
            if (at % 16 == 0 && at + 16 <= end)
                *(volatile global uint4 *)at = ptx_tensor_piece(at);
            else
                *(volatile global uchar *)at = (uchar)ptx_tensor_byte(at);
    }
}
void ptx_tensor_store(ulong map, uint c0, uint c1, uint c2, uint c3, uint c4,
                      local const uchar *from)
{
#line 1 "byw_cu_warp.cl"
    ptx_tensor_copy((ulong)from, map, c0, c1, c2, c3, c4, false);
#line 1 "byw_cl_prelude.cl"
    byw_tensor_written(map, c0, c1, c2, c3, c4);
}
/* Reductions in global memory, traced like stores: an L2 performs them. */
void ptx_tensor_combine(ulong, ulong, uint, uint, uint, uint, uint, uint);
void ptx_tensor_reduce(ulong map, uint c0, uint c1, uint c2, uint c3, uint c4,
                       local const uchar *from, uint operation)
{
#line 1 "byw_cu_warp.cl"
    ptx_tensor_combine((ulong)from, map, c0, c1, c2, c3, c4, operation);
#line 1 "byw_cl_prelude.cl"
    byw_tensor_written(map, c0, c1, c2, c3, c4);
}
void ptx_bulk_combine(ulong, ulong, uint, uint, uint);
void ptx_bulk_reduce(global uchar *to, local const uchar *from, uint size, uint operation,
                     uint type)
{
#line 1 "byw_cu_warp.cl"
    ptx_bulk_combine((ulong)to, (ulong)from, size, operation, type);
#line 1 "byw_cl_prelude.cl"
    for (uint i = 0; i < size; i += 16)
        *(volatile global uint4 *)(to + i) = ptx_tensor_piece((ulong)to + i);
}

#line 1 "byw_cu_warp.cl"
/* ldmatrix: rows of 8x8 matrices of 16 bits. Of the eight lanes of a matrix, lane i holds the
 * address of row i. Each row is one access; its elements then move between lanes. */
#line 1 "byw_cl_prelude.cl"
static ALWAYS uint byw_element(const ulong *at, uint matrix, bool transposed)
{
    uint lane = byw_lane(), r;

    if (!transposed)
        return *(local const uint *)(at[8 * matrix + lane / 4] + 4 * (lane % 4));
    r = *(local const ushort *)(at[8 * matrix + 2 * (lane % 4)] + 2 * (lane / 4));
    return r | (uint)*(local const ushort *)(at[8 * matrix + 2 * (lane % 4) + 1] + 2 * (lane / 4))
                   << 16;
}
#line 1 "byw_cu_warp.cl"
#define LDMATRIX(n, trans, turned)                                                                 \
    v4 ptx_ldmatrix_sync_m8n8_x##n##trans##_shared_b16(local const uchar *row)                     \
    {                                                                                              \
        ulong *at = byw_put((ulong)row);                                                           \
        v4 r = (v4)(0);                                                                            \
        r.x = byw_element(at, 0, turned);                                                          \
        if (n > 1)                                                                                 \
            r.y = byw_element(at, 1, turned);                                                      \
        if (n > 2) {                                                                               \
            r.z = byw_element(at, 2, turned);                                                      \
            r.w = byw_element(at, 3, turned);                                                      \
        }                                                                                          \
        if (byw_lane() < 8 * n)                                                                    \
            *(volatile local const uint4 *)row;                                                    \
        byw_part();                                                                                \
        return r;                                                                                  \
    }
LDMATRIX(1, , false)
LDMATRIX(2, , false)
LDMATRIX(4, , false)
LDMATRIX(1, _trans, true)
LDMATRIX(2, _trans, true)
LDMATRIX(4, _trans, true)

/* movmatrix: lane i holds elements 2 * (i % 4) and the next of row i / 4. */
uint ptx_pick_transposed(const ulong *, uint);
uint ptx_movmatrix_sync_m8n8_trans_b16(uint a)
{
    ulong *at = byw_put(a);
    uint r = ptx_pick_transposed(at, byw_lane());

    byw_part();
    return r;
}

/* stmatrix: the lanes write their elements into the rows; the stores of the rows are counted. */
#line 1 "byw_cl_prelude.cl"
static ALWAYS void byw_put_element(const ulong *at, uint matrix, bool transposed, uint pair)
{
    uint lane = byw_lane();

    if (transposed) {
        *(local ushort *)(at[8 * matrix + 2 * (lane % 4)] + 2 * (lane / 4)) = (ushort)pair;
        *(local ushort *)(at[8 * matrix + 2 * (lane % 4) + 1] + 2 * (lane / 4)) =
            (ushort)(pair >> 16);
    } else {
        *(local uint *)(at[8 * matrix + lane / 4] + 4 * (lane % 4)) = pair;
    }
}
static ALWAYS void byw_put_rows(local uchar *row, uint n, bool transposed, uint4 pairs)
{
    ulong *at = byw_put((ulong)row);
    uint4 whole = (uint4)(0);

    byw_put_element(at, 0, transposed, pairs.x);
    if (n > 1)
        byw_put_element(at, 1, transposed, pairs.y);
    if (n > 2) {
        byw_put_element(at, 2, transposed, pairs.z);
        byw_put_element(at, 3, transposed, pairs.w);
    }
    byw_meet();
    if (byw_lane() < 8 * n) {
        whole = *(local const uint4 *)row;
#line 1 "byw_cu_warp.cl"
        *(volatile local uint4 *)row = whole;
#line 1 "byw_cl_prelude.cl"
    }
    byw_part();
}
#line 1 "byw_cu_warp.cl"
#define STMATRIX(trans, turned)                                                                    \
    void ptx_stmatrix_sync_m8n8_x1##trans##_shared_b16(local uchar *row, uint a)                   \
    {                                                                                              \
        byw_put_rows(row, 1, turned, (uint4)(a, 0, 0, 0));                                         \
    }                                                                                              \
    void ptx_stmatrix_sync_m8n8_x2##trans##_shared_b16(local uchar *row, uint a, uint b)           \
    {                                                                                              \
        byw_put_rows(row, 2, turned, (uint4)(a, b, 0, 0));                                         \
    }                                                                                              \
    void ptx_stmatrix_sync_m8n8_x4##trans##_shared_b16(local uchar *row, uint a, uint b, uint c,   \
                                                       uint d)                                     \
    {                                                                                              \
        byw_put_rows(row, 4, turned, (uint4)(a, b, c, d));                                         \
    }
STMATRIX(, false)
STMATRIX(_trans, true)

/* Matrix products.  The registers of all lanes are stored for the library; the PTX ISA says which
 * lane and register hold element (row, column) of a matrix. */
#line 1 "byw_cl_prelude.cl"
void ptx_tile_put_a(uint, uint, uint, uint, uint);
void ptx_tile_put_b(uint, uint, uint, uint, uint);
v4 ptx_tile_f16_f32(uint, uint, uint, uint, uint, uint, uint);
v4 ptx_tile_f16_f16(uint, uint, uint, uint, uint, uint, uint);
v4 ptx_tile_bf16_f32(uint, uint, uint, uint, uint, uint, uint);
v4 ptx_tile_tf32_f32(uint, uint, uint, uint, uint, uint, uint);
v4 ptx_tile_s8_s8_s32(uint, uint, bool, uint, uint, uint, uint);
v4 ptx_tile_s8_u8_s32(uint, uint, bool, uint, uint, uint, uint);
v4 ptx_tile_u8_s8_s32(uint, uint, bool, uint, uint, uint, uint);
v4 ptx_tile_u8_u8_s32(uint, uint, bool, uint, uint, uint, uint);
v4 ptx_tile_s4_s4_s32(uint, uint, bool, uint, uint, uint, uint);
v4 ptx_tile_s4_u4_s32(uint, uint, bool, uint, uint, uint, uint);
v4 ptx_tile_u4_s4_s32(uint, uint, bool, uint, uint, uint, uint);
v4 ptx_tile_u4_u4_s32(uint, uint, bool, uint, uint, uint, uint);
static ALWAYS void byw_tiles(uint a0, uint a1, uint a2, uint a3, uint b0, uint b1, uint b2, uint b3)
{
    ptx_tile_put_a(byw_linear(), a0, a1, a2, a3);
    ptx_tile_put_b(byw_linear(), b0, b1, b2, b3);
    byw_meet();
}
#line 1 "byw_cu_warp.cl"
/* registers per lane: a 2 or 4, b half as many, c 4, or 2 of halves */
#define MMA_4(name, tile, k)                                                                       \
    v4 ptx_mma_sync_##name(uint a0, uint a1, uint a2, uint a3, uint b0, uint b1, uint c0, uint c1, \
                           uint c2, uint c3)                                                       \
    {                                                                                              \
        v4 r;                                                                                      \
        byw_tiles(a0, a1, a2, a3, b0, b1, 0, 0);                                                   \
        r = ptx_tile_##tile(byw_linear(), 0, k, c0, c1, c2, c3);                                   \
        byw_part();                                                                                \
        return r;                                                                                  \
    }
#define MMA_2(name, tile, k)                                                                       \
    v4 ptx_mma_sync_##name(uint a0, uint a1, uint b0, uint c0, uint c1, uint c2, uint c3)          \
    {                                                                                              \
        v4 r;                                                                                      \
        byw_tiles(a0, a1, 0, 0, b0, 0, 0, 0);                                                      \
        r = ptx_tile_##tile(byw_linear(), 0, k, c0, c1, c2, c3);                                   \
        byw_part();                                                                                \
        return r;                                                                                  \
    }
MMA_4(m16n8k16_row_col_f32_f16_f16_f32, f16_f32, 16)
MMA_4(m16n8k16_row_col_f32_bf16_bf16_f32, bf16_f32, 16)
MMA_4(m16n8k8_row_col_f32_tf32_tf32_f32, tf32_f32, 8)
MMA_2(m16n8k8_row_col_f32_f16_f16_f32, f16_f32, 8)
MMA_2(m16n8k8_row_col_f32_bf16_bf16_f32, bf16_f32, 8)
MMA_2(m16n8k4_row_col_f32_tf32_tf32_f32, tf32_f32, 4)
/* Integers: 4, 2 or 1 registers of A per lane, for B half as many, but at least one. */
#define MMA_WHOLE_4(name, tile, k, clamps)                                                         \
    v4 ptx_mma_sync_##name(uint a0, uint a1, uint a2, uint a3, uint b0, uint b1, uint c0, uint c1, \
                           uint c2, uint c3)                                                       \
    {                                                                                              \
        v4 r;                                                                                      \
        byw_tiles(a0, a1, a2, a3, b0, b1, 0, 0);                                                   \
        r = ptx_tile_##tile(byw_linear(), k, clamps, c0, c1, c2, c3);                              \
        byw_part();                                                                                \
        return r;                                                                                  \
    }
#define MMA_WHOLE_2(name, tile, k, clamps)                                                         \
    v4 ptx_mma_sync_##name(uint a0, uint a1, uint b0, uint c0, uint c1, uint c2, uint c3)          \
    {                                                                                              \
        v4 r;                                                                                      \
        byw_tiles(a0, a1, 0, 0, b0, 0, 0, 0);                                                      \
        r = ptx_tile_##tile(byw_linear(), k, clamps, c0, c1, c2, c3);                              \
        byw_part();                                                                                \
        return r;                                                                                  \
    }
#define MMA_WHOLE_1(name, tile, k, clamps)                                                         \
    v4 ptx_mma_sync_##name(uint a0, uint b0, uint c0, uint c1)                                     \
    {                                                                                              \
        v4 r;                                                                                      \
        byw_tiles(a0, 0, 0, 0, b0, 0, 0, 0);                                                       \
        r = ptx_tile_##tile(byw_linear(), k, clamps, c0, c1, 0, 0);                                \
        byw_part();                                                                                \
        return r;                                                                                  \
    }
#define MMA_CLAMPS(x, y, word, clamps, k4, k2, k1)                                                 \
    MMA_WHOLE_4(m16n8k##k4##_row_col##word##_s32_##x##_##y##_s32, x##_##y##_s32, k4, clamps)       \
    MMA_WHOLE_2(m16n8k##k2##_row_col##word##_s32_##x##_##y##_s32, x##_##y##_s32, k2, clamps)       \
    MMA_WHOLE_1(m8n8k##k1##_row_col##word##_s32_##x##_##y##_s32, x##_##y##_s32, k1, clamps)
#define MMA_WHOLE(x, y, k4, k2, k1)                                                                \
    MMA_CLAMPS(x, y, , false, k4, k2, k1)                                                          \
    MMA_CLAMPS(x, y, _satfinite, true, k4, k2, k1)
MMA_WHOLE(s8, s8, 32, 16, 16)
MMA_WHOLE(s8, u8, 32, 16, 16)
MMA_WHOLE(u8, s8, 32, 16, 16)
MMA_WHOLE(u8, u8, 32, 16, 16)
MMA_WHOLE(s4, s4, 64, 32, 32)
MMA_WHOLE(s4, u4, 64, 32, 32)
MMA_WHOLE(u4, s4, 64, 32, 32)
MMA_WHOLE(u4, u4, 64, 32, 32)
v4 ptx_mma_sync_m16n8k16_row_col_f16_f16_f16_f16(uint a0, uint a1, uint a2, uint a3, uint b0,
                                                 uint b1, uint c0, uint c1)
{
    v4 r;
    byw_tiles(a0, a1, a2, a3, b0, b1, 0, 0);
    r = ptx_tile_f16_f16(byw_linear(), 0, 16, c0, c1, 0, 0);
    byw_part();
    return r;
}
v4 ptx_mma_sync_m16n8k8_row_col_f16_f16_f16_f16(uint a0, uint a1, uint b0, uint c0, uint c1)
{
    v4 r;
    byw_tiles(a0, a1, 0, 0, b0, 0, 0, 0);
    r = ptx_tile_f16_f16(byw_linear(), 0, 8, c0, c1, 0, 0);
    byw_part();
    return r;
}

/* wmma: the PTX ISA leaves the layout of fragments open. Ours is that of mma.m16n8k16, the halves
 * of the columns one after the other. Unused registers repeat others, because programs compute with
 * all of them. */
#define PAIR(space, p, stride, row, column, turned)                                                \
    (turned ? (uint)*(space const ushort *)(p + 2 * ((column) * stride + row)) |                   \
                  (uint)*(space const ushort *)(p + 2 * ((column + 1) * stride + row)) << 16       \
            : *(space const uint *)(p + 2 * ((row) * stride + column)))
#define WMMA_LOADS(space, word, layout, other)                                                     \
    uint8 ptx_wmma_load_a_sync_##layout##_m16n16k16##word##_f16(space const uchar *p, uint stride) \
    {                                                                                              \
        uint g = byw_lane() / 4, t = 2 * (byw_lane() % 4);                                         \
        uint4 r = (uint4)(PAIR(space, p, stride, g, t, other), PAIR(space, p, stride, g + 8, t, other), \
                          PAIR(space, p, stride, g, t + 8, other),                                 \
                          PAIR(space, p, stride, g + 8, t + 8, other));                            \
        return (uint8)(r, r);                                                                      \
    }                                                                                              \
    uint8 ptx_wmma_load_b_sync_##layout##_m16n16k16##word##_f16(space const uchar *p, uint stride) \
    {                                                                                              \
        uint g = byw_lane() / 4, t = 2 * (byw_lane() % 4);                                         \
        uint4 r = (uint4)(PAIR(space, p, stride, g, t, !other), PAIR(space, p, stride, g, t + 8, !other), \
                          PAIR(space, p, stride, g + 8, t, !other),                                \
                          PAIR(space, p, stride, g + 8, t + 8, !other));                           \
        return (uint8)(r, r);                                                                      \
    }
#define AT(row, column, turned) 4 * ((turned) ? (column) * stride + (row) : (row) * stride + (column))
#define EACH_C(F, turned)                                                                          \
    F(0, AT(g, t, turned)) F(1, AT(g, t + 1, turned)) F(2, AT(g + 8, t, turned))                   \
    F(3, AT(g + 8, t + 1, turned)) F(4, AT(g, t + 8, turned)) F(5, AT(g, t + 9, turned))           \
    F(6, AT(g + 8, t + 8, turned)) F(7, AT(g + 8, t + 9, turned))
#define WMMA_C(space, word, layout, other)                                                         \
    uint8 ptx_wmma_load_c_sync_##layout##_m16n16k16##word##_f32(space const uchar *q, uint stride) \
    {                                                                                              \
        uint g = byw_lane() / 4, t = 2 * (byw_lane() % 4);                                         \
        uint8 r;                                                                                   \
        space const uchar *p = q;                                                                  \
        EACH_C(LOAD_##space, other)                                                                \
        return r;                                                                                  \
    }                                                                                              \
    void ptx_wmma_store_d_sync_##layout##_m16n16k16##word##_f32(                                   \
        space uchar *p, uint c0, uint c1, uint c2, uint c3, uint c4, uint c5, uint c6, uint c7,    \
        uint stride)                                                                               \
    {                                                                                              \
        uint g = byw_lane() / 4, t = 2 * (byw_lane() % 4);                                         \
        EACH_C(STORE_##space, other)                                                               \
    }
#define LOAD_local(i, at) r.s##i = *(local const uint *)(p + at);
#define LOAD_global(i, at) r.s##i = *(global const uint *)(p + at);
#define STORE_local(i, at) *(local uint *)(p + at) = c##i;
#define STORE_global(i, at) *(global uint *)(p + at) = c##i;
#define WMMA_SPACE(space, word)                                                                    \
    WMMA_LOADS(space, word, row, false)                                                            \
    WMMA_LOADS(space, word, col, true)                                                             \
    WMMA_C(space, word, row, false)                                                                \
    WMMA_C(space, word, col, true)
WMMA_SPACE(local, _shared)
WMMA_SPACE(global, _global)
WMMA_SPACE(global, ) /* generic addresses */
#define WMMA(layouts)                                                                              \
    uint8 ptx_wmma_mma_sync_##layouts##_m16n16k16_f32_f32(                                         \
        uint a0, uint a1, uint a2, uint a3, uint a4, uint a5, uint a6, uint a7, uint b0, uint b1,  \
        uint b2, uint b3, uint b4, uint b5, uint b6, uint b7, uint c0, uint c1, uint c2, uint c3,  \
        uint c4, uint c5, uint c6, uint c7)                                                        \
    {                                                                                              \
        uint4 low, high;                                                                           \
        byw_tiles(a0, a1, a2, a3, b0, b1, b2, b3);                                                 \
        low = ptx_tile_f16_f32(byw_linear(), 0, 16, c0, c1, c2, c3);                               \
        high = ptx_tile_f16_f32(byw_linear(), 2, 16, c4, c5, c6, c7);                              \
        byw_part();                                                                                \
        return (uint8)(low, high);                                                                 \
    }
WMMA(row_row)
WMMA(row_col)
WMMA(col_row)
WMMA(col_col)

/* Textures and surfaces, by the images of OpenCL C (byw_cl_prelude.cl): a handle is the address
 * of a struct byw_cudart_texture.  As with images, only accesses to texels are traced. */
#line 1 "byw_cl_prelude.cl"
static ALWAYS uint4 byw_tex(ulong object, float4 at, int dims, bool real)
{
    byw_handle m = (byw_handle)object;
    uint bits = *(constant const uint *)(object + sizeof(struct byw_image));

    return byw_sample(m, bits, at, dims, real);
}
/* Converts a direction to a face of a cube and a position on it. Faces are layers: +x, -x, +y, -y,
 * +z, -z. */
static ALWAYS float4 byw_face(float x, float y, float z)
{
    float ax = fabs(x), ay = fabs(y), az = fabs(z), s, t, m;
    int face;

    if (ax >= ay && ax >= az) {
        face = x >= 0 ? 0 : 1;
        s = x >= 0 ? -z : z;
        t = -y;
        m = ax;
    } else if (ay >= az) {
        face = y >= 0 ? 2 : 3;
        s = x;
        t = y >= 0 ? z : -z;
        m = ay;
    } else {
        face = z >= 0 ? 4 : 5;
        s = z >= 0 ? x : -x;
        t = -y;
        m = az;
    }
    return (float4)((s / m + 1) / 2, (t / m + 1) / 2, (float)face, 0);
}
static ALWAYS uint4 byw_texel_at(ulong object, int4 at, bool real)
{
    return byw_fetch((byw_handle)object, at, real);
}
/* The address of bytes of a surface; x counts bytes.  Outside of it: 0, or with `clamps` the nearest
 * texel. */
ulong ptx_surface_place(ulong object, int x, int y, int z, uint bytes, uint clamps)
{
    byw_handle m = (byw_handle)object;
    int depth = m->layers != 0 ? m->layers : m->size[2], width = m->size[0] * (int)m->bytes;

    if (clamps) {
        x = clamp(x, 0, width - (int)bytes);
        y = clamp(y, 0, m->size[1] - 1);
        z = clamp(z, 0, depth - 1);
    }
    return x >= 0 && x + (int)bytes <= width && y >= 0 && y < m->size[1] && z >= 0 && z < depth
               ? m->data + (ulong)z * m->slice + (ulong)y * m->row + (ulong)x
               : 0;
}
#define TEX(type, real)                                                                            \
    v4 ptx_tex_1d_v4_##type##_s32(ulong o, int x)                                                  \
    {                                                                                              \
        return byw_texel_at(o, (int4)(x, 0, 0, 0), real);                                          \
    }                                                                                              \
    v4 ptx_tex_2d_v4_##type##_s32(ulong o, int x, int y)                                           \
    {                                                                                              \
        return byw_texel_at(o, (int4)(x, y, 0, 0), real);                                          \
    }                                                                                              \
    v4 ptx_tex_3d_v4_##type##_s32(ulong o, int x, int y, int z, int unused)                        \
    {                                                                                              \
        return byw_texel_at(o, (int4)(x, y, z, 0), real);                                          \
    }                                                                                              \
    v4 ptx_tex_a1d_v4_##type##_s32(ulong o, uint layer, int x)                                     \
    {                                                                                              \
        return byw_texel_at(o, (int4)(x, (int)layer, 0, 0), real);                                 \
    }                                                                                              \
    v4 ptx_tex_a2d_v4_##type##_s32(ulong o, uint layer, int x, int y, int unused)                  \
    {                                                                                              \
        return byw_texel_at(o, (int4)(x, y, (int)layer, 0), real);                                 \
    }                                                                                              \
    v4 ptx_tex_cube_v4_##type##_f32(ulong o, float x, float y, float z, float unused)              \
    {                                                                                              \
        return byw_tex(o, byw_face(x, y, z), 2, real);                                             \
    }                                                                                              \
    v4 ptx_tex_1d_v4_##type##_f32(ulong o, float x)                                                \
    {                                                                                              \
        return byw_tex(o, (float4)(x, 0, 0, 0), 1, real);                                          \
    }                                                                                              \
    v4 ptx_tex_2d_v4_##type##_f32(ulong o, float x, float y)                                       \
    {                                                                                              \
        return byw_tex(o, (float4)(x, y, 0, 0), 2, real);                                          \
    }                                                                                              \
    v4 ptx_tex_3d_v4_##type##_f32(ulong o, float x, float y, float z, float unused)                \
    {                                                                                              \
        return byw_tex(o, (float4)(x, y, z, 0), 3, real);                                          \
    }                                                                                              \
    v4 ptx_tex_a1d_v4_##type##_f32(ulong o, uint layer, float x)                                   \
    {                                                                                              \
        return byw_tex(o, (float4)(x, (float)layer, 0, 0), 1, real);                               \
    }                                                                                              \
    v4 ptx_tex_a2d_v4_##type##_f32(ulong o, uint layer, float x, float y, float unused)            \
    {                                                                                              \
        return byw_tex(o, (float4)(x, y, (float)layer, 0), 2, real);                               \
    }                                                                                              \
    v4 ptx_tex_level_1d_v4_##type##_f32(ulong o, float x, float level)                             \
    {                                                                                              \
        return byw_tex(o, (float4)(x, 0, 0, 0), 1, real);                                          \
    }                                                                                              \
    v4 ptx_tex_level_2d_v4_##type##_f32(ulong o, float x, float y, float level)                    \
    {                                                                                              \
        return byw_tex(o, (float4)(x, y, 0, 0), 2, real);                                          \
    }                                                                                              \
    v4 ptx_tex_level_3d_v4_##type##_f32(ulong o, float x, float y, float z, float unused,          \
                                        float level)                                               \
    {                                                                                              \
        return byw_tex(o, (float4)(x, y, z, 0), 3, real);                                          \
    }
TEX(f32, true)
TEX(s32, false)
TEX(u32, false)

/* tld4: one component of the four texels around a place, counterclockwise from the lower left. */
static ALWAYS uint4 byw_gather(ulong object, float x, float y, uint component, bool real)
{
    byw_handle m = (byw_handle)object;
    uint bits = *(constant const uint *)(object + sizeof(struct byw_image));
    uint mx = byw_mode(bits, 0), my = byw_mode(bits, 1);
    int i = (int)floor(byw_scale(x, m->size[0], bits, mx) - 0.5f);
    int j = (int)floor(byw_scale(y, m->size[1], bits, my) - 0.5f);
    uint4 all = 0;

    for (uint k = 0; k < 4; k++) {
        int4 at = (int4)(byw_wrap(i + (k == 1 || k == 2), m->size[0], mx),
                         byw_wrap(j + (k < 2), m->size[1], my), 0, 0);

        all[k] = byw_fetch(m, at, real)[component];
    }
    return all;
}
#define GATHER(letter, component)                                                                  \
    v4 ptx_tld4_##letter##_2d_v4_f32_f32(ulong o, float x, float y)                                \
    {                                                                                              \
        return byw_gather(o, x, y, component, true);                                               \
    }                                                                                              \
    v4 ptx_tld4_##letter##_2d_v4_s32_f32(ulong o, float x, float y)                                \
    {                                                                                              \
        return byw_gather(o, x, y, component, false);                                              \
    }                                                                                              \
    v4 ptx_tld4_##letter##_2d_v4_u32_f32(ulong o, float x, float y)                                \
    {                                                                                              \
        return byw_gather(o, x, y, component, false);                                              \
    }
GATHER(r, 0)
GATHER(g, 1)
GATHER(b, 2)
GATHER(a, 3)

/* txq and suq */
#define QUERY(name, value)                                                                         \
    uint ptx_txq_##name##_b32(byw_handle m)                                                        \
    {                                                                                              \
        return (uint)(value);                                                                      \
    }                                                                                              \
    uint ptx_suq_##name##_b32(byw_handle m)                                                        \
    {                                                                                              \
        return (uint)(value);                                                                      \
    }
QUERY(width, m->size[0])
QUERY(height, m->size[1])
QUERY(depth, m->size[2])
QUERY(array_size, m->layers)
QUERY(channel_data_type, m->type)
QUERY(channel_order, m->order)

/* suld.b and sust.b at an address (byw_ptx_surface.c); registers have at least 16 bits. */
#define SURFACE(bits, t, r)                                                                        \
    r ptx_surface_get_##bits##_1(ulong p)                                                          \
    {                                                                                              \
        return p ? *(global t *)p : 0;                                                             \
    }                                                                                              \
    r##2 ptx_surface_get_##bits##_2(ulong p)                                                       \
    {                                                                                              \
        return p ? convert_##r##2(*(global t##2 *)p) : (r##2)0;                                    \
    }                                                                                              \
    r##4 ptx_surface_get_##bits##_4(ulong p)                                                       \
    {                                                                                              \
        return p ? convert_##r##4(*(global t##4 *)p) : (r##4)0;                                    \
    }                                                                                              \
    void ptx_surface_put_##bits##_1(ulong p, r a)                                                  \
    {                                                                                              \
        if (p)                                                                                     \
            *(global t *)p = (t)a;                                                                 \
    }                                                                                              \
    void ptx_surface_put_##bits##_2(ulong p, r a, r b)                                             \
    {                                                                                              \
        if (p)                                                                                     \
            *(global t##2 *)p = (t##2)((t)a, (t)b);                                                \
    }                                                                                              \
    void ptx_surface_put_##bits##_4(ulong p, r a, r b, r c, r d)                                   \
    {                                                                                              \
        if (p)                                                                                     \
            *(global t##4 *)p = (t##4)((t)a, (t)b, (t)c, (t)d);                                    \
    }
SURFACE(8, uchar, ushort)
SURFACE(16, ushort, ushort)
SURFACE(32, uint, uint)
SURFACE(64, ulong, ulong)
