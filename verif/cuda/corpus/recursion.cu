// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#define APART static __host__ __device__ __noinline__
#else
#define APART static
#endif
namespace recursive
{
/* Functions that call themselves, on the device and in plain C++. */
APART int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
APART unsigned ackermann(unsigned m, unsigned n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
/* Mutual recursion. */
APART int odd_sum(int n, int *calls);
APART int even_sum(int n, int *calls)
{
    ++*calls;
    return n == 0 ? 0 : n + odd_sum(n - 1, calls) + (n > 6 ? odd_sum(n - 5, calls) : 0);
}
APART int odd_sum(int n, int *calls)
{
    ++*calls;
    return n == 0 ? 1 : 2 * n - even_sum(n - 1, calls);
}
/* Structs as arguments and results, doubles and predicates over calls. */
struct Vector {
    double x, y, z;
    int n;
};
APART Vector turn(Vector v, int depth, bool flip)
{
    if (depth == 0)
        return v;
    Vector w = turn({v.y, v.z, v.x, v.n + 1}, depth - 1, !flip);
    bool more = w.n % 3 == 1;
    Vector u = more ? turn({w.z * 0.5, w.y, w.x, w.n}, depth - 1, flip) : w;
    if (flip)
        u.x = -u.x;
    return {u.x + v.x, u.y + w.y, u.z, u.n + (more ? 1 : 0)};
}
APART void quicksort(int *a, int n)
{
    if (n < 2)
        return;
    int pivot = a[n / 2], i = 0, j = n - 1;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
    quicksort(a, j + 1);
    quicksort(a + i, n - i);
}
struct Node {
    int value, left, right;
};
APART int walk(const Node *node, int at, int depth)
{
    return at < 0 ? depth : node[at].value + walk(node, node[at].left, depth + 1) -
                                walk(node, node[at].right, depth + 1);
}
/* An array of its own in each activation, which the next one reads and writes. */
APART int queens(int row, int size, const int *above, int *found)
{
    int column[8], tried = 0;
    if (row == size) {
        ++*found;
        return 1;
    }
    for (int i = 0; i < row; i++)
        column[i] = above[i];
    for (int c = 0; c < size; c++) {
        bool free = true;
        for (int i = 0; i < row; i++)
            free = free && column[i] != c && column[i] - c != row - i && c - column[i] != row - i;
        column[row] = c;
        if (free)
            tried += queens(row + 1, size, column, found);
    }
    return tried + 1;
}

/* A pointer to an array of the caller at one call, to global memory at the other. */
APART int mixed_sum(const int *p, const int *table, int n)
{
    int own[4], sum = p[n & 3];
    if (n == 0)
        return sum;
    for (int i = 0; i < 4; i++)
        own[i] = p[3 - i] + i;
    sum += mixed_sum(own, table, n - 1);
    return sum + mixed_sum(table + n, table, n - 1);
}

#ifdef __CUDACC__
KERNEL mixed(const int *table, int *out)
{
    int first[4] = {1, 2, table[threadIdx.x], 4};
    out[threadIdx.x] = mixed_sum(first, table, threadIdx.x % 5);
}
KERNEL numbers(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, calls = 0;
    out[4 * i] = fibonacci(i % 13);
    out[4 * i + 1] = (int)ackermann(i % 3, i % 5);
    out[4 * i + 2] = even_sum(i % 17, &calls);
    out[4 * i + 3] = calls;
}
KERNEL second(int *out)
{
    out[threadIdx.x] = fibonacci(threadIdx.x % 7) + fibonacci(3);
}
KERNEL structs(double *out)
{
    int i = threadIdx.x;
    Vector v = turn({i * 1.0, i * 0.5, 3.0 - i, i}, i % 6, i & 1);
    out[4 * i] = v.x;
    out[4 * i + 1] = v.y;
    out[4 * i + 2] = v.z;
    out[4 * i + 3] = v.n;
}
/* Sorts a local array, one in shared memory, and one in global memory. */
KERNEL sorts(const int *in, int *out, int *global)
{
    __shared__ int shared[32 * 10];
    int local[24], i = threadIdx.x, n = 1 + i % 24;
    for (int k = 0; k < n; k++)
        local[k] = in[24 * i + k];
    quicksort(local, n);
    for (int k = 0; k < n; k++)
        out[24 * i + k] = local[k];
    for (int k = 0; k < 10; k++)
        shared[10 * i + k] = in[10 * i + k];
    quicksort(shared + 10 * i, 10);
    quicksort(global + 20 * i, 20);
    for (int k = n; k < 24; k++)
        out[24 * i + k] = k - n < 10 ? shared[10 * i + k - n] : 0;
}
KERNEL trees(const Node *node, const int *root, int *out)
{
    out[threadIdx.x] = walk(node, root[threadIdx.x], 0);
}
KERNEL boards(int *out)
{
    int none[1] = {0}, found = 0, i = threadIdx.x;
    out[2 * i] = queens(0, 1 + i % 6, none, &found);
    out[2 * i + 1] = found;
}
/* Lanes recurse to different depths; the vote of the active lanes decides whether they continue. */
__device__ __noinline__ unsigned votes(int depth, int own, unsigned mask)
{
    unsigned here = __ballot_sync(mask, own > depth);
    if (here == 0)
        return depth;
    if (!(here >> (threadIdx.x & 31) & 1))
        return here;
    return __popc(here) + 3 * votes(depth + 1, own, here);
}
KERNEL voting(const int *own, unsigned *out)
{
    out[threadIdx.x] = votes(0, own[threadIdx.x], 0xffffffffu);
}
/* A barrier at each level, which all threads reach. */
__device__ __noinline__ int levels(int *shared, int depth)
{
    int i = threadIdx.x;
    if (depth == 0)
        return shared[i];
    int before = shared[(i + depth) % blockDim.x];
    __syncthreads();
    shared[i] += before;
    __syncthreads();
    return before + levels(shared, depth - 1);
}
KERNEL barriers(int *out, int depth)
{
    extern __shared__ int room[];
    room[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = levels(room, depth);
}
/* Virtual calls that recurse, as in a ray tracer with reflections. */
struct Scene;
struct Shape {
    int next;
    __device__ explicit Shape(int n) : next(n) {}
    __device__ virtual float shade(const Scene &s, float ray, int depth) const = 0;
};
struct Scene {
    const Shape *shape[4];
};
struct Matte : Shape {
    float colour;
    __device__ Matte(float c) : Shape(0), colour(c) {}
    __device__ __noinline__ float shade(const Scene &, float ray, int) const override { return colour + ray; }
};
struct Mirror : Shape {
    __device__ Mirror(int n) : Shape(n) {}
    __device__ __noinline__ float shade(const Scene &s, float ray, int depth) const override
    {
        return depth == 0 ? 1 : 0.5f * s.shape[next]->shade(s, ray + 1, depth - 1) + ray;
    }
};
struct Glass : Shape {
    __device__ Glass(int n) : Shape(n) {}
    __device__ __noinline__ float shade(const Scene &s, float ray, int depth) const override
    {
        if (depth == 0)
            return 0;
        float through = s.shape[next]->shade(s, ray * 0.5f, depth - 1);
        return through + 0.25f * s.shape[(next + 1) % 4]->shade(s, -ray, depth - 1);
    }
};
KERNEL rays(const float *in, float *out)
{
    int i = threadIdx.x;
    Matte a(in[i]);
    Mirror b(i % 4);
    Glass c((i + 1) % 4), d(1);
    Scene s = {{&a, &b, &c, &d}};
    out[i] = s.shape[i % 4]->shade(s, in[i], i % 7);
}
/* One lane in three ends the thread inside of the recursion. */
__device__ __noinline__ int leaves(int n, int *out)
{
    if (n == 0)
        asm volatile("exit;");
    if (n == 1)
        return 7;
    int below = leaves(n - 2, out);
    out[threadIdx.x] += n;
    return below + n;
}
KERNEL leaving(int *out)
{
    int i = threadIdx.x;
    out[i] += leaves(i % 9 + 1, out);
}
#else
static Vector expect(int i)
{
    return turn({i * 1.0, i * 0.5, 3.0 - i, i}, i % 6, i & 1);
}
static float shade(int at, int i, float colour, float ray, int depth)
{
    const int next[4] = {0, i % 4, (i + 1) % 4, 1};
    if (at == 0)
        return colour + ray;
    if (at == 1)
        return depth == 0 ? 1 : 0.5f * shade(next[1], i, colour, ray + 1, depth - 1) + ray;
    if (depth == 0)
        return 0;
    float through = shade(next[at], i, colour, ray * 0.5f, depth - 1);
    return through + 0.25f * shade((next[at] + 1) % 4, i, colour, -ray, depth - 1);
}
static unsigned vote(const std::vector<int> &own, unsigned lane, int depth, unsigned mask)
{
    unsigned here = 0;
    for (unsigned k = 0; k < 32; k++)
        here |= (mask >> k & 1 && own[k] > depth ? 1u : 0u) << k;
    if (here == 0)
        return (unsigned)depth;
    return here >> lane & 1 ? (unsigned)__builtin_popcount(here) + 3 * vote(own, lane, depth + 1, here) : here;
}
static int leave(int n, int *out, bool *gone)
{
    if (n == 0) {
        *gone = true;
        return 0;
    }
    if (n == 1)
        return 7;
    int below = leave(n - 2, out, gone);
    if (*gone)
        return 0;
    *out += n;
    return below + n;
}
static bool say(const char *name, bool good)
{
    if (!good)
        fprintf(stderr, "recursion: kernel %s is wrong\n", name);
    return good;
}
CHECK(recursion)
{
    const size_t n = 96;
    std::vector<int> e(4 * n), in = ints(24 * n, 1000), global = ints(32 * 20, 500), root(n), own = ints(32, 9);
    std::vector<double> f(4 * n);
    std::vector<Node> node(200);
    bool good = true;

    Buffer<int> out(4 * n), small(64);
    for (size_t i = 0; i < n; i++) {
        e[4 * i] = fibonacci((int)i % 13);
        e[4 * i + 1] = (int)ackermann((unsigned)i % 3, (unsigned)i % 5);
        e[4 * i + 3] = 0;
        e[4 * i + 2] = even_sum((int)i % 17, &e[4 * i + 3]);
    }
    good &= say("numbers", p.run("numbers", 3, 32, 0, out.at) && out.get() == e);
    e.assign(64, 0);
    for (int i = 0; i < 64; i++)
        e[(size_t)i] = fibonacci(i % 7) + 2;
    good &= say("second", p.run("second", 1, 64, 0, small.at) && small.get() == e);

    Buffer<double> vectors(4 * n);
    for (size_t i = 0; i < n; i++) {
        Vector v = expect((int)i);
        f[4 * i] = v.x, f[4 * i + 1] = v.y, f[4 * i + 2] = v.z, f[4 * i + 3] = v.n;
    }
    good &= say("structs", p.run("structs", 1, (unsigned)n, 0, vectors.at) && vectors.get() == f);

    Buffer<int> din(in), sorted(24 * 32), dglobal(global);
    e.assign(24 * 32, 0);
    for (size_t i = 0; i < 32; i++) {
        size_t m = 1 + i % 24;
        std::vector<int> ten(in.begin() + 10 * (long)i, in.begin() + 10 * (long)i + 10);
        std::sort(ten.begin(), ten.end());
        std::copy(in.begin() + 24 * (long)i, in.begin() + 24 * (long)i + (long)m, e.begin() + 24 * (long)i);
        std::sort(e.begin() + 24 * (long)i, e.begin() + 24 * (long)i + (long)m);
        for (size_t k = m; k < 24 && k - m < 10; k++)
            e[24 * i + k] = ten[k - m];
        std::sort(global.begin() + 20 * (long)i, global.begin() + 20 * (long)i + 20);
    }
    good &= say("sorts", p.run("sorts", 1, 32, 0, din.at, sorted.at, dglobal.at) && sorted.get() == e && dglobal.get() == global);

    for (int i = 0; i < 200; i++)
        node[(size_t)i] = {i * 7 % 31, 2 * i + 1 < 200 ? 2 * i + 1 : -1, 2 * i + 2 < 200 && i % 5 ? 2 * i + 2 : -1};
    e.assign(n, 0);
    for (size_t i = 0; i < n; i++) {
        root[i] = (int)(i * i % 60);
        e[i] = walk(node.data(), root[i], 0);
    }
    Buffer<Node> dnode(node);
    Buffer<int> droot(root), sums(n);
    good &= say("trees", p.run("trees", 1, (unsigned)n, 0, dnode.at, droot.at, sums.at) && sums.get() == e);

    e.assign(64, 0);
    for (int i = 0; i < 32; i++) {
        int none[1] = {0};
        e[2 * (size_t)i] = queens(0, 1 + i % 6, none, &e[2 * (size_t)i + 1]);
    }
    good &= say("boards", p.run("boards", 1, 32, 0, small.at) && small.get() == e);

    std::vector<unsigned> v(32);
    for (unsigned i = 0; i < 32; i++)
        v[i] = vote(own, i, 0, ~0u);
    Buffer<int> down(own);
    Buffer<unsigned> dv(32);
    good &= say("voting", p.run("voting", 1, 32, 0, down.at, dv.at) && dv.get() == v);

    Buffer<int> table(in);
    e.assign(64, 0);
    for (int i = 0; i < 64; i++) {
        int first[4] = {1, 2, in[(size_t)i], 4};
        e[(size_t)i] = mixed_sum(first, in.data(), i % 5);
    }
    good &= say("mixed", p.run("mixed", 1, 64, 0, table.at, small.at) && small.get() == e);

    std::vector<int> level(64), sum(64), old;
    for (int i = 0; i < 64; i++)
        level[(size_t)i] = i;
    for (int depth = 5; depth > 0; depth--) {
        old = level;
        for (int i = 0; i < 64; i++) {
            level[(size_t)i] += old[(size_t)(i + depth) % 64];
            sum[(size_t)i] += old[(size_t)(i + depth) % 64];
        }
    }
    for (size_t i = 0; i < 64; i++)
        sum[i] += level[i];
    good &= say("barriers", p.run("barriers", 1, 64, 256, small.at, 5) && small.get() == sum);

    std::vector<float> x = floats(64), y(64);
    Buffer<float> dx(x), dy(64);
    for (int i = 0; i < 64; i++)
        y[(size_t)i] = shade(i % 4, i, x[(size_t)i], x[(size_t)i], i % 7);
    good &= say("rays", p.run("rays", 1, 64, 0, dx.at, dy.at) && near(dy.get(), y, 1e-5f));

    Buffer<int> left(64);
    e.assign(64, 0);
    for (int i = 0; i < 64; i++) {
        bool gone = false;
        int own_out = 0, result = leave(i % 9 + 1, &own_out, &gone);
        e[(size_t)i] = gone ? 0 : own_out + result;
    }
    good &= say("leaving", p.run("leaving", 1, 64, 0, left.at) && left.get() == e);
    return good;
}
#endif
}
#undef APART
