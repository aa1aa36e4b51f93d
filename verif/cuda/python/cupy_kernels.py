# SPDX-License-Identifier: Apache-2.0
"""CuPy's raw, elementwise and reduction kernels and ufuncs, against numpy."""
import cupy as cp
import numpy as np


def check(name, got, want, tolerance):
    """Prints "ok NAME", or "not ok NAME" with the largest distance."""
    far = float(np.abs(np.asarray(got, np.float64) - np.asarray(want, np.float64)).max())
    print(f"ok {name}" if far <= tolerance else f"not ok {name} ({far} away)", flush=True)


stencil = cp.RawKernel(r'''
extern "C" __global__ void stencil(const float *x, float *y, int n)
{
    __shared__ float tile[130];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + 1;
    tile[t] = i < n ? x[i] : 0;
    if (threadIdx.x == 0)
        tile[0] = i > 0 ? x[i - 1] : 0;
    if (threadIdx.x == blockDim.x - 1)
        tile[t + 1] = i + 1 < n ? x[i + 1] : 0;
    __syncthreads();
    if (i < n)
        y[i] = tile[t - 1] + tile[t] + tile[t + 1];
}''', 'stencil')
host = np.arange(1000, dtype=np.float32)
x = cp.asarray(host)
y = cp.zeros_like(x)
stencil((8,), (128,), (x, y, np.int32(1000)))
want = host.copy()
want[1:] += host[:-1]
want[:-1] += host[1:]
check("raw kernel", cp.asnumpy(y), want, 0)
larger = cp.ElementwiseKernel('T a, T b', 'T c', 'c = a > b ? a : b', 'larger')
check("elementwise kernel", cp.asnumpy(larger(x, 500 - x)), np.maximum(host, 500 - host), 0)
norm = cp.ReductionKernel('T x', 'T y', 'x * x', 'a + b', 'y = sqrt(a)', '0', 'norm')
check("reduction kernel", cp.asnumpy(norm(x)), np.sqrt((host.astype(np.float64)**2).sum()), 1)
check("ufuncs", cp.asnumpy(cp.sin(x) + cp.float32(3) * x), np.sin(host) + 3 * host, 1e-3)
