# SPDX-License-Identifier: Apache-2.0
"""Triton kernels of the kinds in its tutorials, against numpy."""
import os

import numpy as np
import triton
import triton.language as tl

from device import Tensor, check


@triton.jit
def add(x, y, z, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(z + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax(to, of, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    x = tl.load(of + row * columns + column, mask=inside, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(to + row * columns + column, e / tl.sum(e, axis=0), mask=inside)


@triton.jit
def product(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    total = tl.zeros((M, N), dtype=tl.float32)
    for at in range(0, k, K):
        x = tl.load(a + row[:, None] * k + (at + inner)[None, :],
                    mask=(row[:, None] < m) & ((at + inner)[None, :] < k), other=0.0)
        y = tl.load(b + (at + inner)[:, None] * n + column[None, :],
                    mask=((at + inner)[:, None] < k) & (column[None, :] < n), other=0.0)
        total = tl.dot(x, y, total)
    tl.store(c + row[:, None] * n + column[None, :], total.to(tl.float16),
             mask=(row[:, None] < m) & (column[None, :] < n))


@triton.jit
def normalize(to, of, weight, bias, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    x = tl.load(of + row * columns + column, mask=inside, other=0.0)
    mean = tl.sum(x, axis=0) / columns
    centred = tl.where(inside, x - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, axis=0) / columns + epsilon)
    w = tl.load(weight + column, mask=inside)
    b = tl.load(bias + column, mask=inside)
    tl.store(to + row * columns + column, centred * scale * w + b, mask=inside)


@triton.jit
def attention(q, k, v, o, length, scale, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    row = tl.program_id(0) * M + tl.arange(0, M)
    head = tl.program_id(1) * length * D
    d = tl.arange(0, D)
    query = tl.load(q + head + row[:, None] * D + d[None, :])
    most = tl.full((M,), -float("inf"), dtype=tl.float32)
    weight = tl.zeros((M,), dtype=tl.float32)
    total = tl.zeros((M, D), dtype=tl.float32)
    for at in range(0, length, N):
        column = at + tl.arange(0, N)
        key = tl.load(k + head + column[None, :] * D + d[:, None])
        score = tl.dot(query, key) * scale
        now = tl.maximum(most, tl.max(score, 1))
        e = tl.exp(score - now[:, None])
        shrink = tl.exp(most - now)
        value = tl.load(v + head + column[:, None] * D + d[None, :])
        total = tl.dot(e.to(tl.float16), value, total * shrink[:, None])
        weight = weight * shrink + tl.sum(e, 1)
        most = now
    tl.store(o + head + row[:, None] * D + d[None, :], (total / weight[:, None]).to(tl.float16))


@triton.jit
def product_by_descriptors(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    of_a = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, K])
    of_b = tl.make_tensor_descriptor(b, [k, n], [n, 1], [K, N])
    of_c = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    total = tl.zeros((M, N), dtype=tl.float32)
    for at in range(0, k, K):
        total = tl.dot(of_a.load([row, at]), of_b.load([at, column]), total)
    of_c.store([row, column], total.to(tl.float16))


def rows_to_one(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


random = np.random.default_rng(7)

n = 5003
x, y = (Tensor(random.random(n, dtype=np.float32)) for _ in range(2))
z = Tensor(np.zeros(n, np.float32))
add[(triton.cdiv(n, 1024),)](x, y, z, n, BLOCK=1024)
check("vector add", z.numpy(), x.array + y.array, 0)

x = Tensor(random.standard_normal((37, 200), dtype=np.float32))
y = Tensor(np.zeros_like(x.array))
softmax[(37,)](y, x, 200, BLOCK=256)
check("softmax", y.numpy(), rows_to_one(x.array), 1e-6)

a = Tensor(random.standard_normal((100, 72), dtype=np.float32).astype(np.float16))
b = Tensor(random.standard_normal((72, 90), dtype=np.float32).astype(np.float16))
c = Tensor(np.zeros((100, 90), np.float16))
product[(triton.cdiv(100, 64), triton.cdiv(90, 64))](a, b, c, 100, 90, 72, M=64, N=64, K=32)
check("matrix product", c.numpy(), a.array.astype(np.float32) @ b.array.astype(np.float32), 0.03)

x = Tensor(random.standard_normal((19, 300), dtype=np.float32))
w, s = (Tensor(random.random(300, dtype=np.float32)) for _ in range(2))
y = Tensor(np.zeros_like(x.array))
normalize[(19,)](y, x, w, s, 300, 1e-5, BLOCK=512)
centred = x.array - x.array.mean(axis=1, keepdims=True)
check("layer norm", y.numpy(),
      centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5) * w.array + s.array, 1e-5)

shape = (2, 128, 64)
q, k, v = (Tensor(random.standard_normal(shape, dtype=np.float32).astype(np.float16))
           for _ in range(3))
o = Tensor(np.zeros(shape, np.float16))
attention[(2, 2)](q, k, v, o, 128, 0.125, M=64, N=64, D=64)
f = [t.array.astype(np.float32) for t in (q, k, v)]
check("attention", o.numpy(), rows_to_one(f[0] @ f[1].transpose(0, 2, 1) * 0.125) @ f[2], 2e-3)

triton.set_allocator(lambda size, align, stream: Tensor(np.zeros(size // 4 + 1, np.int32)))
a = Tensor(random.standard_normal((100, 72), dtype=np.float32).astype(np.float16))
b = Tensor(random.standard_normal((72, 88), dtype=np.float32).astype(np.float16))
c = Tensor(np.zeros((100, 88), np.float16))
product_by_descriptors[(2, 2)](a, b, c, 100, 88, 72, M=64, N=64, K=32)
check("matrix product by descriptors", c.numpy(),
      a.array.astype(np.float32) @ b.array.astype(np.float32), 0.03)

# Clusters, whose blocks exchange their parts through distributed shared memory.
if os.environ.get("BYWAY_DEVICE", "h200").startswith("h"):
    a = Tensor(random.standard_normal((200, 72), dtype=np.float32).astype(np.float16))
    b = Tensor(random.standard_normal((72, 90), dtype=np.float32).astype(np.float16))
    c = Tensor(np.zeros((200, 90), np.float16))
    product[(2, 1)](a, b, c, 200, 90, 72, M=128, N=128, K=32, num_ctas=4)
    check("matrix product in clusters of four blocks", c.numpy(),
          a.array.astype(np.float32) @ b.array.astype(np.float32), 0.03)
    x = Tensor(random.standard_normal((5, 200), dtype=np.float32))
    y = Tensor(np.zeros_like(x.array))
    softmax[(5,)](y, x, 200, BLOCK=256, num_ctas=2)
    check("softmax in clusters of two blocks", y.numpy(), rows_to_one(x.array), 1e-6)
