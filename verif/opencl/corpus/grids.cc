// SPDX-License-Identifier: Apache-2.0
// C++98 classes: game of life, Floyd-Warshall, knapsack, longest common subsequence by diagonals.
#include "corpus.h"
#include <algorithm>
#include <string>
#include <vector>

static const char *source =
    "kernel void life(global const uchar *a, global uchar *b, int w, int h) {\n"
    "  int x = get_global_id(0), y = get_global_id(1); if (x >= w || y >= h) return; int n = 0;\n"
    "  for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) n += a[(y + j + h) % h * w + (x "
    "+ i + w) % w];\n"
    "  n -= a[y * w + x]; b[y * w + x] = n == 3 || (n == 2 && a[y * w + x]); }\n"
    "kernel void floyd(global int *d, uint n, uint k) { uint j = get_global_id(0), i = "
    "get_global_id(1);\n"
    "  int via = d[i * n + k] + d[k * n + j]; if (via < d[i * n + j]) d[i * n + j] = via; }\n"
    "kernel void knap(global const int *before, global int *after, int weight, int value) { int c "
    "= get_global_id(0);\n"
    "  int best = before[c]; if (c >= weight) best = max(best, before[c - weight] + value); "
    "after[c] = best; }\n"
    "kernel void lcs(global const char *a, global const char *b, global int *t, int n, int d) {\n"
    "  int i = get_global_id(0) + max(1, d - n), j = d - i; if (i > n || j < 1 || j > n) return; "
    "int p = n + 1;\n"
    "  t[i * p + j] = a[i - 1] == b[j - 1] ? t[(i - 1) * p + j - 1] + 1 : max(t[(i - 1) * p + j], "
    "t[i * p + j - 1]); }\n";

template <class T> class Array
{
  public:
    Array(bench &b, size_t n, T value = T()) : b_(b), host(n, value), mem(0)
    {
    }
    ~Array()
    {
        if (mem)
            clReleaseMemObject(mem);
    }
    cl_mem *up()
    {
        if (!mem)
            mem = buffer(&b_, host.size() * sizeof(T), &host[0]);
        return &mem;
    }
    void down()
    {
        fetch(&b_, mem, host.size() * sizeof(T), &host[0]);
    }
    T &operator[](size_t i)
    {
        return host[i];
    }
    unsigned hash()
    {
        return hash_of(&host[0], host.size() * sizeof(T));
    }

  private:
    bench &b_;
    std::vector<T> host;
    cl_mem mem;
};

static void go(bench &b, cl_kernel k, size_t x, size_t y = 1)
{
    size_t g[2] = {x, y};
    must(clEnqueueNDRangeKernel(b.queue, k, y > 1 ? 2 : 1, NULL, g, NULL, 0, NULL, NULL), "run");
}

int main()
{
    bench b = open_bench(source, NULL, 0);
    {
        int w = 50, h = 37;
        Array<unsigned char> a(b, w * h), c(b, w * h);
        for (int i = 0; i < w * h; i++)
            a[i] = (i * 7 % 11) < 4;
        cl_kernel k = kernel(&b, "life");
        for (int i = 0; i < 10; i++) {
            arg(k, 0, sizeof(cl_mem), i & 1 ? c.up() : a.up());
            arg(k, 1, sizeof(cl_mem), i & 1 ? a.up() : c.up());
            arg(k, 2, sizeof w, &w);
            arg(k, 3, sizeof h, &h);
            go(b, k, 64, 40);
        }
        a.down();
        printf("life %08x\n", a.hash());
        clReleaseKernel(k);
    }
    {
        cl_uint n = 48;
        Array<int> d(b, n * n);
        for (cl_uint i = 0; i < n * n; i++)
            d[i] = i / n == i % n ? 0 : (i * 37 % 97) + 1;
        cl_kernel k = kernel(&b, "floyd");
        arg(k, 0, sizeof(cl_mem), d.up());
        arg(k, 1, sizeof n, &n);
        for (cl_uint i = 0; i < n; i++) {
            arg(k, 2, sizeof i, &i);
            go(b, k, n, n);
        }
        d.down();
        printf("floyd %08x\n", d.hash());
        clReleaseKernel(k);
    }
    {
        Array<int> x(b, 200), y(b, 200);
        cl_kernel k = kernel(&b, "knap");
        for (int i = 0; i < 20; i++) {
            int weight = 5 + i * 7 % 23, value = 3 + i * 11 % 31;
            arg(k, 0, sizeof(cl_mem), i & 1 ? y.up() : x.up());
            arg(k, 1, sizeof(cl_mem), i & 1 ? x.up() : y.up());
            arg(k, 2, sizeof weight, &weight);
            arg(k, 3, sizeof value, &value);
            go(b, k, 200);
        }
        x.down();
        printf("knap %d %d\n", x[100], x[199]);
        clReleaseKernel(k);
    }
    {
        int n = 60;
        Array<char> s(b, n), t(b, n);
        for (int i = 0; i < n; i++) {
            s[i] = char('a' + i * i % 7);
            t[i] = char('a' + i * 3 % 5);
        }
        Array<int> table(b, (n + 1) * (n + 1));
        cl_kernel k = kernel(&b, "lcs");
        arg(k, 0, sizeof(cl_mem), s.up());
        arg(k, 1, sizeof(cl_mem), t.up());
        arg(k, 2, sizeof(cl_mem), table.up());
        arg(k, 3, sizeof n, &n);
        for (int d = 2; d <= 2 * n; d++) {
            arg(k, 4, sizeof d, &d);
            go(b, k, n);
        }
        table.down();
        printf("lcs %d\n", table[(n + 1) * (n + 1) - 1]);
        clReleaseKernel(k);
    }
    close_bench(&b);
    return 0;
}
