// SPDX-License-Identifier: Apache-2.0
//
// header_builtins.cu - the functions of the toolkit's headers for which nvcc emits instructions
// itself: matrix fragments of all shapes and types, shuffles, votes, atomics, copies.  One kernel
// each; long_headers.sh asks byway which of them it can run.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;
namespace cg = cooperative_groups;

template <class In, class Out, int M, int N, int K, class LA, class LB, class Memory>
__device__ void product(const Memory *a, const Memory *b, Out *c, wmma::layout_t layout)
{
    wmma::fragment<wmma::matrix_a, M, N, K, In, LA> x;
    wmma::fragment<wmma::matrix_b, M, N, K, In, LB> y;
    wmma::fragment<wmma::accumulator, M, N, K, Out> z;
    wmma::load_matrix_sync(x, a, 64);
    wmma::load_matrix_sync(y, b, 64);
    wmma::load_matrix_sync(z, c, 64, layout);
    wmma::mma_sync(z, x, y, z);
    wmma::store_matrix_sync(c, z, 64, layout);
}
#define PRODUCT(name, In, Out, Memory, M, N, K, LA, LB)                                            \
    extern "C" __global__ void name##_##M##_##N##_##K##_##LA##_##LB(const Memory *a, const Memory *b, Out *c) \
    {                                                                                              \
        product<In, Out, M, N, K, wmma::LA, wmma::LB>(a, b, c, wmma::mem_row_major);               \
        product<In, Out, M, N, K, wmma::LA, wmma::LB>(a, b, c, wmma::mem_col_major);               \
    }
#define LAYOUTS(name, In, Out, Memory, M, N, K)                                                    \
    PRODUCT(name, In, Out, Memory, M, N, K, row_major, row_major)                                  \
    PRODUCT(name, In, Out, Memory, M, N, K, row_major, col_major)                                  \
    PRODUCT(name, In, Out, Memory, M, N, K, col_major, row_major)                                  \
    PRODUCT(name, In, Out, Memory, M, N, K, col_major, col_major)
#define SHAPES(name, In, Out)                                                                      \
    LAYOUTS(name, In, Out, In, 16, 16, 16)                                                         \
    LAYOUTS(name, In, Out, In, 32, 8, 16)                                                          \
    LAYOUTS(name, In, Out, In, 8, 32, 16)
SHAPES(half_float, half, float)
SHAPES(half_half, half, half)
SHAPES(bfloat, __nv_bfloat16, float)
SHAPES(int8, signed char, int)
SHAPES(uint8, unsigned char, int)
LAYOUTS(tf32, wmma::precision::tf32, float, float, 16, 16, 8)
LAYOUTS(fp64, double, double, double, 8, 8, 4)
PRODUCT(int4, wmma::experimental::precision::s4, int, void, 8, 8, 32, row_major, col_major)
PRODUCT(uint4, wmma::experimental::precision::u4, int, void, 8, 8, 32, row_major, col_major)

#define ONE(name, code)                                                                            \
    extern "C" __global__ void name(int *i, unsigned *u, float *f, double *d, long long *l, unsigned long long *ul) \
    {                                                                                              \
        auto block = cg::this_thread_block();                                                      \
        auto warp = cg::tiled_partition<32>(block);                                                \
        auto tile = cg::tiled_partition<8>(block);                                                 \
        (void)warp, (void)tile;                                                                    \
        code;                                                                                      \
    }
ONE(shuffle, *i = __shfl_sync(~0u, *i, 3) + __shfl_up_sync(~0u, *i, 3, 16) + __shfl_down_sync(~0u, *i, 3) + __shfl_xor_sync(~0u, *i, 3); *d = __shfl_sync(~0u, *d, 1))
ONE(vote, *u = __ballot_sync(~0u, *i) + __any_sync(~0u, *i) + __all_sync(~0u, *i) + __activemask() + __match_any_sync(~0u, *i) + __match_any_sync(~0u, *l); *i = __uni_sync(~0u, *i))
ONE(match, int p; *u = __match_all_sync(~0u, *l, &p); *i = p)
ONE(reduce, *u = __reduce_add_sync(~0u, *u) + __reduce_min_sync(~0u, *u) + __reduce_max_sync(~0u, *u) + __reduce_and_sync(~0u, *u) + __reduce_or_sync(~0u, *u) + __reduce_xor_sync(~0u, *u); *i = __reduce_min_sync(~0u, *i) + __reduce_max_sync(~0u, *i))
ONE(barrier, *i = __syncthreads_count(*i) + __syncthreads_and(*i) + __syncthreads_or(*i); __syncwarp(); __threadfence(); __threadfence_block(); __threadfence_system())
ONE(atomic, atomicAdd(i, 1); atomicSub(i, 1); atomicExch(i, 1); atomicMin(i, 1); atomicMax(i, 1); atomicInc(u, 9); atomicDec(u, 9); atomicCAS(i, 1, 2); atomicAnd(i, 1); atomicOr(i, 1); atomicXor(i, 1))
ONE(atomic_result, *i = atomicAdd(i + 1, 1) + atomicExch(i + 1, 1) + atomicMin(i + 1, 1) + atomicMax(i + 1, 1) + atomicInc(u + 1, 9) + atomicDec(u + 1, 9) + atomicCAS(i + 1, 1, 2))
ONE(atomic_wide, *ul = atomicAdd(ul + 1, 1ull) + atomicExch(ul + 1, 1ull) + atomicMin(ul + 1, 1ull) + atomicCAS(ul + 1, 1ull, 2ull) + atomicAnd(ul + 1, 1ull); *l = atomicMin(l + 1, 1ll) + atomicMax(l + 1, 2ll))
ONE(atomic_real, *f = atomicAdd(f + 1, 1.0f) + atomicExch(f + 1, 2.0f); *d = atomicAdd(d + 1, 1.0))
ONE(atomic_scopes, atomicAdd_block(i, 1); atomicAdd_system(f, 1.0f); *i = atomicCAS_block(i + 1, 1, 2) + atomicMax_system(i + 1, 3))
ONE(atomic_half, atomicAdd((__half *)u, __half(1.0f)); atomicAdd((__half2 *)u, __half2(1.0f, 2.0f)); atomicAdd((__nv_bfloat16 *)u, __nv_bfloat16(1.0f)); atomicAdd((__nv_bfloat162 *)u, __nv_bfloat162(1.0f, 2.0f)))
ONE(atomic_vector, atomicAdd((float2 *)f, float2{1, 2}); float4 v = atomicAdd((float4 *)f, float4{1, 2, 3, 4}); *f = v.x)
ONE(dot, *i = __dp4a(*i, 3, 4) + __dp2a_lo(*i, 3, 4) + __dp2a_hi(*i, 3, 4); *u = __dp4a(*u, 3u, 4u))
ONE(bytes, *u = __vadd4(*u, u[1]) + __vmaxs2(*u, u[1]) + __vabsdiffu4(*u, u[1]) + __vcmpgtu2(*u, u[1]) + __vsads4(*u, u[1]) + __vavgu4(*u, u[1]) + __viaddmax_s16x2_relu(*u, u[1], u[2]) + __vimin3_s32_relu(*i, i[1], i[2]))
ONE(bits, *u = __brev(*u) + __popc(*u) + __clz(*i) + __ffs(*i) + __byte_perm(*u, u[1], 0x1234) + __funnelshift_l(*u, u[1], 7) + __fns(*u, 3, 2); *ul = __brevll(*ul) + __popcll(*ul) + __umul64hi(*ul, 3) + __sad(*i, 3, 4))
ONE(real, *f = __sinf(*f) + __cosf(*f) + __expf(*f) + __logf(*f) + __powf(*f, 2) + __fdividef(*f, 3) + __frsqrt_rn(*f) + __saturatef(*f) + __fmaf_rz(*f, 2, 3) + rsqrtf(*f) + cbrtf(*f) + erff(*f) + tanhf(*f); *d = __dsqrt_ru(*d) + __fma_rd(*d, 2, 3) + __ddiv_rz(*d, 3) + __drcp_rn(*d))
ONE(copy, __shared__ int s[256]; __pipeline_memcpy_async(s + threadIdx.x * 4, i + threadIdx.x * 4, 16, 4); __pipeline_memcpy_async(s + 128, i, 8); __pipeline_memcpy_async(s + 130, i, 4); __pipeline_commit(); __pipeline_wait_prior(0); *i = s[threadIdx.x])
ONE(group_copy, __shared__ int s[256]; cg::memcpy_async(block, s, i, 1024); cg::wait(block); *i = s[5])
ONE(group_reduce, *i = cg::reduce(warp, *i, cg::plus<int>()) + cg::reduce(tile, *i, cg::bit_and<int>()); *f = cg::reduce(tile, *f, cg::greater<float>()))
ONE(group_scan, *i = cg::inclusive_scan(warp, *i) + cg::exclusive_scan(tile, *i))
ONE(group_labels, auto p = cg::labeled_partition(warp, *i & 3); *i = p.size() + p.thread_rank(); auto q = cg::binary_partition(warp, *i & 1); *u = q.num_threads(); auto a = cg::coalesced_threads(); *f = a.shfl(*f, 0))
ONE(grid, cg::this_grid().sync(); block.sync(); cg::this_cluster().sync(); *u = cg::this_grid().thread_rank() + cg::this_cluster().num_blocks())
ONE(hints, *i = __ldg(i + 1) + __ldcg(i + 2) + __ldca(i + 3) + __ldcs(i + 4) + __ldlu(i + 5) + __ldcv(i + 6); __stwb(i, 1); __stcg(i, 2); __stcs(i, 3); __stwt(i, 4); __nv_associate_access_property(i, 0); *u = __isGlobal(i) + __isShared(i) + __isConstant(i) + __isLocal(i))
ONE(time_and_print, __nanosleep(10); *l = clock64() + clock() + (long long)__cvta_generic_to_shared(i); __prof_trigger(1); if (*i == 77) __trap(); if (*i == 78) __brkpt(); printf("%d\n", *i))
