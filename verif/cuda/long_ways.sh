#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long_ways.sh - the three ways of running a kernel give right results: traced, as loops over the
# work-items, and as fibers.  Programs: the corpus, and CUB's algorithms where nvcc is there.
#
# Exit status 77 without the CUDA libraries.
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
. verif/common/tap.sh
needs_built libcuda.so.1 "$B/verif/cuda/cu_corpus"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export BYWAY_CACHE=$work/cache
tap_logs=("$work/out")

run_way() { # run_way WAY PROGRAM ARGUMENT...
    local way=$1
    shift
    case $way in
    traced) "$B/byway" trace capture -o "$work/t.bwt" -- "$@" ;;
    loops) LD_LIBRARY_PATH=$B/lib "$@" ;;
    fibers) BYWAY_LOOPS=off LD_LIBRARY_PATH=$B/lib "$@" ;;
    esac >"$work/out" 2>&1
}

for way in traced loops fibers; do
    run_way $way "$B/verif/cuda/cu_corpus" "$B/verif/cuda/corpus"
    for f in verif/cuda/corpus/*.cu; do
        name=$(basename "$f" .cu)
        grep -qx "ok $name" "$work/out"
        result $? "$name is right as $way"
    done
done
cat >"$work/cub.cu" <<'EOF'
#include <cub/cub.cuh>
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>
const int n = 100003;
template <class T> struct Array {
    T *at;
    explicit Array(const std::vector<T> &v) { cudaMalloc(&at, v.size() * sizeof(T)); cudaMemcpy(at, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice); }
    std::vector<T> get(size_t m) { std::vector<T> v(m); cudaMemcpy(v.data(), at, m * sizeof(T), cudaMemcpyDeviceToHost); return v; }
};
template <class F> bool twice(F f) /* asks for the size, then runs */
{
    void *room = nullptr;
    size_t bytes = 0;
    return f(room, bytes) == 0 && cudaMalloc(&room, bytes) == 0 && f(room, bytes) == 0 && cudaDeviceSynchronize() == 0;
}
static void say(const char *name, bool good) { printf("%s %s\n", good ? "ok" : "not ok", name); }
int main()
{
    std::vector<int> x(n), y(n), zero(n);
    for (int i = 0; i < n; i++) x[i] = (int)((i * 2654435761u) >> 12) % 1000 - 300, y[i] = i;
    Array<int> a(x), b(y), c(zero), d(zero), e(zero);
    bool ran = twice([&](void *r, size_t &s) { return cub::DeviceReduce::Sum(r, s, a.at, c.at, n); });
    say("sum", ran && c.get(1)[0] == std::accumulate(x.begin(), x.end(), 0));
    ran = twice([&](void *r, size_t &s) { return cub::DeviceReduce::Max(r, s, a.at, c.at, n); });
    say("max", ran && c.get(1)[0] == *std::max_element(x.begin(), x.end()));
    ran = twice([&](void *r, size_t &s) { return cub::DeviceScan::InclusiveSum(r, s, a.at, c.at, n); });
    std::vector<int> w(n);
    std::partial_sum(x.begin(), x.end(), w.begin());
    say("scan", ran && c.get(n) == w);
    ran = twice([&](void *r, size_t &s) { return cub::DeviceRadixSort::SortKeys(r, s, a.at, c.at, n); });
    w = x;
    std::sort(w.begin(), w.end());
    say("sort", ran && c.get(n) == w);
    ran = twice([&](void *r, size_t &s) { return cub::DeviceRunLengthEncode::Encode(r, s, c.at, d.at, e.at, b.at, n); });
    say("runs", ran && b.get(1)[0] == (int)(std::unique(w.begin(), w.end()) - w.begin()));
    auto odd = [] __device__(int v) { return v & 1; };
    ran = twice([&](void *r, size_t &s) { return cub::DeviceSelect::If(r, s, a.at, c.at, d.at, n, odd); });
    w.clear();
    for (int v : x) if (v & 1) w.push_back(v);
    say("select", ran && d.get(1)[0] == (int)w.size() && c.get(w.size()) == w);
    ran = twice([&](void *r, size_t &s) { return cub::DeviceHistogram::HistogramEven(r, s, a.at, c.at, 11, -300, 700, n); });
    w.assign(10, 0);
    for (int v : x) w[(v + 300) / 100]++;
    say("histogram", ran && c.get(10) == w);
}
EOF
programs="sum max scan sort runs select histogram"
if "$B/byway" nvcc -O2 -std=c++17 --extended-lambda -arch=sm_90 -o "$work/cub" "$work/cub.cu" >"$work/out" 2>&1; then
    for way in traced loops fibers; do
        run_way $way "$work/cub"
        ! grep -q "^  %\|Instruction" "$work/out"
        result $? "no IR on the terminal"
        cp "$work/out" "$work/all"
        for name in $programs; do
            grep -qx "ok $name" "$work/all"
            result $? "CUB's $name is right as $way"
        done
    done
else
    skip_check "CUB's algorithms" "no nvcc with CUB's headers; install the CUDA toolkit"
fi
finish
