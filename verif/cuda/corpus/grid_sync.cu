// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#include <cooperative_groups.h>
KERNEL grid_sync(int *x, int n)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < 3; r++) {
        int v = x[(i + n / 2) % n];
        grid.sync();
        x[i] += v;
        grid.sync();
    }
}
#else
CHECK(grid_sync)
{
    std::vector<int> x = ints(256, 100), e = x;
    Buffer<int> dx(x);
    for (int r = 0; r < 3; r++) {
        std::vector<int> before = e;
        for (size_t i = 0; i < 256; i++)
            e[i] += before[(i + 128) % 256];
    }
    return p.run_together("grid_sync", 4, 64, dx.at, 256) && dx.get() == e;
}
#endif
