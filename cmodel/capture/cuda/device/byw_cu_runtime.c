/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_runtime.c - CUDA's runtime in kernels; the driver answers its calls (byw_cu_nested.c).
 */
#include "byw_cu_hooks.h"

/* call: by byw_cu_device_calls.def. */
PTX_CALL u64 ptx_device_runtime(u32 call, u64 block, u64 thread, u64 a, u64 b, u64 c, u64 d, u64 e,
                                u64 f, u64 g, u64 h, u64 i, u64 j)
{
    const u64 word[] = {a, b, c, d, e, f, g, h, i, j};

    return byw_cu_hooks.runtime(call, block, thread, word);
}
