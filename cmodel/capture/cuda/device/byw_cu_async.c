/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers in shared memory that count arrivals and bytes (mbarrier), and bulk copies, which are
 * performed at once.
 */
#include "byw_cu_arithmetic.h"

/* A barrier: arrivals that the running phase still needs, arrivals of each later phase, bytes that
 * copies must still deliver (signed), parity of the phase. */
#define COUNT_MASK 0xfffffu
#define BYTES_MASK 0x1fffffu
#define EXPECTED_SHIFT 20
#define BYTES_SHIFT 40
#define PHASE_SHIFT 63

PTX_CALL void ptx_mbarrier_init(u64 barrier, u32 count)
{
    u64 expected = count & COUNT_MASK;

    *(u64 *)barrier = expected << EXPECTED_SHIFT | expected;
}
PTX_CALL void ptx_mbarrier_inval(u64 barrier)
{
    *(u64 *)barrier = 0;
}

/* Updates a barrier by arrivals, by bytes to expect (negative: bytes that have arrived) and by
 * arrivals that later phases no longer need. A phase ends when it needs neither arrivals nor
 * bytes.  Returns the state before. */
PTX_CALL u64 ptx_mbarrier_update(u64 barrier, u32 arrivals, u32 bytes, u32 dropped)
{
    u64 old = *(u64 *)barrier, phase = old >> PHASE_SHIFT;
    u64 expected = ((old >> EXPECTED_SHIFT) - dropped) & COUNT_MASK;
    u64 pending = (old - arrivals) & COUNT_MASK;
    u64 missing = ((old >> BYTES_SHIFT) + bytes) & BYTES_MASK;

    if (pending == 0 && missing == 0) {
        phase ^= 1;
        pending = expected;
    }
    *(u64 *)barrier =
        phase << PHASE_SHIFT | missing << BYTES_SHIFT | expected << EXPECTED_SHIFT | pending;
    return old;
}
PTX u32 ptx_mbarrier_pending(u64 state)
{
    return state & COUNT_MASK;
}
PTX u32 ptx_mbarrier_parity(u64 state)
{
    return (u32)(state >> PHASE_SHIFT);
}

/* Named barriers: the number of the phase in the upper half, the number of threads that have
 * arrived in the lower one. Returns the phase to which the arrival belongs. */
PTX_CALL u32 ptx_named_arrive(u64 barrier, u32 threads, u32 needed)
{
    u64 old = *(u64 *)barrier;
    u32 phase = (u32)(old >> 32), come = (u32)old + threads;

    *(u64 *)barrier = come >= needed ? (u64)(phase + 1) << 32 : (u64)phase << 32 | come;
    return phase;
}

u64 ptx_cluster_map(u64 address, u32 rank, u32 own);

PTX_CALL void ptx_bulk_copy(u64 to, u64 from, u32 size)
{
    __builtin_memcpy((void *)to, (const void *)from, size);
}
/* Copies to the same offset in the blocks of a mask and reports the bytes to their barriers, which
 * are at the same offset, too. */
PTX_CALL void ptx_bulk_copies(u64 to, u64 from, u32 size, u64 barrier, u32 blocks, u32 own)
{
    for (u32 rank = 0; blocks >> rank != 0; rank++)
        if (blocks >> rank & 1) {
            ptx_bulk_copy(ptx_cluster_map(to, rank, own), from, size);
            ptx_mbarrier_update(ptx_cluster_map(barrier, rank, own), 0, 0 - size, 0);
        }
}
