// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
KERNEL cooperative_tiles(const int *x, int *y)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    int i = block.group_index().x * block.size() + block.thread_rank();
    int sum = cg::reduce(tile, x[i], cg::plus<int>());
    int most = cg::reduce(tile, x[i], cg::greater<int>());
    cg::coalesced_group odd = cg::coalesced_threads();
    int seen = 0;
    if (x[i] & 1) {
        cg::coalesced_group active = cg::coalesced_threads();
        seen = active.size() * 100 + active.thread_rank();
    }
    block.sync();
    y[i] = sum * 1000 + most + seen + (odd.size() == 32 ? 0 : 7);
}
#else
CHECK(cooperative_tiles)
{
    std::vector<int> x = ints(128, 50), e(128);
    Buffer<int> dx(x), dy(128);
    for (size_t i = 0; i < 128; i++) {
        int sum = 0, most = 0, all = 0, before = 0;
        for (size_t k = i / 8 * 8; k < i / 8 * 8 + 8; k++) {
            sum += x[k];
            most = std::max(most, x[k]);
        }
        for (size_t k = i / 32 * 32; k < i / 32 * 32 + 32; k++) {
            all += x[k] & 1;
            before += k < i && (x[k] & 1);
        }
        e[i] = sum * 1000 + most + (x[i] & 1 ? all * 100 + before : 0);
    }
    return p.run("cooperative_tiles", 2, 64, 0, dx.at, dy.at) && dy.get() == e;
}
#endif
