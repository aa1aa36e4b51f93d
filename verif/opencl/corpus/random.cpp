// SPDX-License-Identifier: Apache-2.0
// C++17: generators in kernels (xorshift, Mersenne twister of one warp, Halton), Monte Carlo,
// string search, sparse rows, binary trees in an array, lambda-driven host.
#include "corpus.h"
#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>
static const char source[] = R"CLC(
uint4 next(uint4 s) { uint t = s.w ^ (s.w << 11); return (uint4)(s.x ^ (s.x >> 19) ^ t ^ (t >> 8), s.xyz); }
kernel void pi(global uint *hits, uint n) {
    uint4 s = (uint4)(get_global_id(0) + 1, 362436069, 521288629, 88675123); uint h = 0;
    for (uint i = 0; i < 16; i++) s = next(s);
    for (uint i = 0; i < n; i++) { s = next(s); uint x = s.x >> 16, y = s.y >> 16; h += x * x / 4 + y * y / 4 < 0x40000000u; }
    hits[get_global_id(0)] = h;
}
kernel void twist(global uint *mt, global uint *out) {
    local uint t[624]; uint l = get_local_id(0), n = get_local_size(0);
    for (uint i = l; i < 624; i += n) t[i] = mt[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint base = 0; base < 624; base += n) {
        uint i = base + l, v = 0;
        if (i < 624) { uint y = (t[i] & 0x80000000u) | (t[(i + 1) % 624] & 0x7fffffffu); v = t[(i + 397) % 624] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0); }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < 624) t[i] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = l; i < 624; i += n) { uint y = t[i]; y ^= y >> 11; y ^= y << 7 & 0x9d2c5680u; y ^= y << 15 & 0xefc60000u; out[i] = y ^ y >> 18; }
}
kernel void halton(global float *o, uint base) { uint i = get_global_id(0) + 1; float f = 1, r = 0; while (i) { f /= base; r += f * (i % base); i /= base; } o[get_global_id(0)] = r; }
kernel void find(global const char *text, int n, constant char *word, int m, volatile global int *count, global int *at) {
    int i = get_global_id(0); if (i + m > n) return; int k = 0; while (k < m && text[i + k] == word[k]) k++;
    if (k == m) at[atomic_inc(count)] = i;
}
kernel void rows(global const int *start, global const int *col, global const long *val, global const long *x, global long *y) {
    int r = get_global_id(0); long s = 0; for (int k = start[r]; k < start[r + 1]; k++) s += val[k] * x[col[k]]; y[r] = s;
}
kernel void tree(global const int *keys, int depth, global const int *want, global int *found) {
    int node = 0, w = want[get_global_id(0)]; for (int d = 0; d < depth; d++) { if (keys[node] == w) break; node = 2 * node + 1 + (w > keys[node]); }
    found[get_global_id(0)] = node;
}
)CLC";
int main()
{
    bench b = open_bench(source, "", 0);
    std::vector<cl_mem> mems;
    auto up = [&](const auto &v) {
        mems.push_back(buffer(&b, v.size() * sizeof(v[0]), v.data()));
        return mems.back();
    };
    auto call = [&](const char *name, size_t n, size_t local, auto... args) {
        cl_kernel k = kernel(&b, name);
        cl_uint i = 0;
        (arg(k, i++, sizeof(args), &args), ...);
        run1(&b, k, n, local);
        clReleaseKernel(k);
    };
    auto down = [&](cl_mem m, auto &v) { fetch(&b, m, v.size() * sizeof(v[0]), v.data()); };
    std::vector<cl_uint> hits(100);
    cl_mem m = up(hits);
    call("pi", 100, 0, m, (cl_uint)200);
    down(m, hits);
    unsigned sum = 0;
    for (unsigned h : hits)
        sum += h;
    printf("pi %u\n", sum);
    std::vector<cl_uint> mt(624);
    mt[0] = 5489;
    for (unsigned i = 1; i < 624; i++)
        mt[i] = 1812433253u * (mt[i - 1] ^ mt[i - 1] >> 30) + i;
    cl_mem state = up(mt), o = up(mt);
    call("twist", 32, 32, state, o);
    down(o, mt);
    printf("twist %08x\n", mt[0]);
    std::vector<float> f(64);
    m = up(f);
    call("halton", 64, 0, m, (cl_uint)2);
    down(m, f);
    printf("halton %.4f %.4f\n", f[4], f[62]);
    std::string text;
    for (int i = 0; i < 300; i++)
        text += "the cat and the dog "[i % 20];
    std::string word = "the ";
    std::vector<int> count(1), at(300, -1);
    cl_mem c = up(count), a = up(at);
    call("find", text.size(), 0, up(text), (int)text.size(), up(word), (int)word.size(), c, a);
    down(c, count);
    printf("find %d\n", count[0]);
    std::vector<int> start{0}, col;
    std::vector<cl_long> val, x(50), y(50);
    for (int r = 0; r < 50; r++) {
        for (int k = 0; k < r % 7; k++)
            col.push_back((r * 3 + k * 5) % 50), val.push_back(r - k);
        start.push_back((int)col.size());
        x[r] = 1000000007LL * r;
    }
    m = up(y);
    call("rows", 50, 0, up(start), up(col), up(val), up(x), m);
    down(m, y);
    printf("rows %lld %08x\n", (long long)y[20], hash_of(y.data(), 400));
    std::vector<int> keys(127), want(64), found(64);
    std::function<void(int, int, int)> fill = [&](int node, int low, int high) {
        if (node >= 127)
            return;
        keys[node] = (low + high) / 2;
        fill(2 * node + 1, low, keys[node] - 1), fill(2 * node + 2, keys[node] + 1, high);
    };
    fill(0, 0, 1023);
    for (int i = 0; i < 64; i++)
        want[i] = i * 17;
    m = up(found);
    call("tree", 64, 0, up(keys), 7, up(want), m);
    down(m, found);
    printf("tree %08x\n", hash_of(found.data(), 256));
    for (cl_mem each : mems)
        clReleaseMemObject(each);
    close_bench(&b);
    return 0;
}
