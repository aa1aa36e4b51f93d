# SPDX-License-Identifier: Apache-2.0
"""Numba kernels, against numpy."""
import math
import warnings

import numpy as np
from numba import cuda, float32

warnings.simplefilter("ignore")


def check(name, got, want, tolerance):
    """Prints "ok NAME", or "not ok NAME" with the largest distance."""
    far = float(np.abs(np.asarray(got, np.float64) - np.asarray(want, np.float64)).max())
    print(f"ok {name}" if far <= tolerance else f"not ok {name} ({far} away)", flush=True)


@cuda.jit
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] += a * x[i]


@cuda.jit
def total(x, result):
    part = cuda.shared.array(128, float32)
    thread = cuda.threadIdx.x
    i = cuda.grid(1)
    part[thread] = x[i] if i < x.size else 0
    cuda.syncthreads()
    step = 64
    while step > 0:
        if thread < step:
            part[thread] += part[thread + step]
        cuda.syncthreads()
        step //= 2
    if thread == 0:
        cuda.atomic.add(result, 0, part[0])


@cuda.jit
def transpose(a, b):
    tile = cuda.shared.array((16, 17), float32)
    x, y = cuda.grid(2)
    if y < a.shape[0] and x < a.shape[1]:
        tile[cuda.threadIdx.y, cuda.threadIdx.x] = a[y, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * 16 + cuda.threadIdx.x
    y = cuda.blockIdx.x * 16 + cuda.threadIdx.y
    if y < b.shape[0] and x < b.shape[1]:
        b[y, x] = tile[cuda.threadIdx.x, cuda.threadIdx.y]


@cuda.jit
def waves(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = math.exp(math.sin(x[i])) + math.sqrt(abs(x[i]))


x = np.arange(1000, dtype=np.float32)
y = cuda.to_device(np.ones_like(x))
saxpy[8, 128](np.float32(2), x, y)
check("saxpy", y.copy_to_host(), 2 * x + 1, 0)
result = np.zeros(1, np.float32)
total[8, 128](x, result)
check("total", result, x.sum(), 0)
a = np.arange(50 * 30, dtype=np.float32).reshape(50, 30)
b = np.zeros((30, 50), np.float32)
transpose[(2, 4), (16, 16)](a, b)
check("transpose", b, a.T, 0)
x = np.linspace(-8, 8, 1000)
y = np.zeros_like(x)
waves[8, 128](x, y)
check("waves", y, np.exp(np.sin(x)) + np.sqrt(abs(x)), 1e-12)
