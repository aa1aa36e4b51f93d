/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cublas_kernels.h - kernels of level 1 to 3 for one type, included by byw_cublas.cu once for
 * each.
 *
 *   NAME(x)  name of the kernel, with the type as prefix
 *   IN, OUT  elements of operands and of results
 *   SUM      type of scalars, and of sums of products
 *   FROM     elements of the matrix that beta scales, and of a bias; if not defined: OUT
 *   SCALED   the result is scaled at the end, and OUT has 8 bits (struct quarter)
 *   KERNELS  0: matrix products; 1: also sums of vectors; 2: all
 *
 * Matrices are stored by columns.  `trans`: rows and columns are exchanged, and elements of an
 * adjoint matrix are conjugated.  `kind` says which part of a matrix is stored: all of it, one
 * triangle of a symmetric one, or a triangle with zeros elsewhere, whose diagonal may be ones.
 */
#ifndef FROM
#define FROM OUT
#endif

/* Computes c = finish(alpha a b + beta from + bias) and writes `part` of it (0: all, LOWER, UPPER).
 * The batches of a launch are along z; they are a stride apart, or lists give their addresses, and
 * then `from` is c. */
__global__ void NAME(gemm)(int m, int n, int k, SUM alpha, const IN *a, long lda, int ta, int ka,
                           const IN *b, long ldb, int tb, int kb, SUM beta, const FROM *from,
                           long ldf, OUT *c, long ldc, int part, long sa, long sb, long sf, long sc,
                           const IN *const *la, const IN *const *lb, OUT *const *lc,
                           const FROM *bias, long sbias, int finish
#ifdef SCALED
                           ,
                           SUM scale
#endif
)
{
    __shared__ SUM as[TILE][TILE + 1], bs[TILE][TILE + 1];
    int x = THREAD_X, y = THREAD_Y, i = BLOCK_X * TILE + x, j = BLOCK_Y * TILE + y;
    SUM sum = 0;

    a = la ? la[BLOCK_Z] : a + BLOCK_Z * sa;
    b = lb ? lb[BLOCK_Z] : b + BLOCK_Z * sb;
    c = lc ? lc[BLOCK_Z] : c + BLOCK_Z * sc;
    from = lc ? (const FROM *)c : from + BLOCK_Z * sf;
    for (int t = 0; t < k; t += TILE) {
        as[y][x] = i < m && t + y < k ? element<SUM>(a, lda, ta, ka, i, t + y) : (SUM)0;
        bs[y][x] = t + x < k && j < n ? element<SUM>(b, ldb, tb, kb, t + x, j) : (SUM)0;
        __syncthreads();
        for (int s = 0; s < TILE; s++)
            sum += as[s][x] * bs[y][s];
        __syncthreads();
    }
    if (i >= m || j >= n || (part == LOWER && i < j) || (part == UPPER && i > j))
        return;
    sum *= alpha;
    if (beta != (SUM)0)
        sum += beta * (SUM)from[i + j * ldf];
    if (bias)
        sum += (SUM)bias[BLOCK_Z * sbias + i];
    sum = finished(sum, finish & FINISH);
#ifdef SCALED
    c[i + j * ldc] = OUT(sum * scale, finish & TO_E5M2);
#else
    c[i + j * ldc] = (OUT)sum;
#endif
}

#if KERNELS > 0
__global__ void NAME(scal)(int n, SUM a, OUT *x, long ix)
{
    int i = INDEX;

    if (i < n) {
        SUM v = a * (SUM)x[i * ix];

        x[i * ix] = (OUT)v;
    }
}

__global__ void NAME(axpy)(int n, SUM a, const IN *x, long ix, OUT *y, long iy)
{
    int i = INDEX;

    if (i < n) {
        SUM v = (SUM)y[i * iy] + a * (SUM)x[i * ix];

        y[i * iy] = (OUT)v;
    }
}

static __device__ void NAME(reduce)(double *s, double v, double *result)
{
    int l = THREAD_X;

    s[l] = v;
    __syncthreads();
    for (int d = REDUCE / 2; d > 0; d /= 2) {
        if (l < d)
            s[l] += s[l + d];
        __syncthreads();
    }
    if (l == 0)
        *result = s[0];
}

/* Computes one sum per block: of products (what 0) or of absolute values (1). */
__global__ void NAME(sum)(int n, int what, const IN *x, long ix, const IN *y, long iy,
                          double *partial)
{
    __shared__ double s[REDUCE];
    double v = 0;

    for (int i = INDEX; i < n; i += REDUCE * BLOCKS_X) {
        double a = (SUM)x[i * ix];

        v += what == 0 ? a * (SUM)y[i * iy] : a < 0 ? -a : a;
    }
    NAME(reduce)(s, v, &partial[BLOCK_X]);
}

/* The sum of the blocks' sums; root: its square root. */
__global__ void NAME(total)(int blocks, int root, const double *partial, OUT *result)
{
    __shared__ double s[REDUCE];
    double sum;

    NAME(reduce)(s, THREAD_X < blocks ? partial[THREAD_X] : 0, &s[0]);
    __syncthreads();
    sum = s[0];
    if (THREAD_X == 0) {
        SUM v = root ? __builtin_sqrt(sum) : sum;

        *result = (OUT)v;
    }
}
#endif

#if KERNELS > 1
__global__ void NAME(copy)(int n, const IN *x, long ix, OUT *y, long iy)
{
    int i = INDEX;

    if (i < n)
        y[i * iy] = x[i * ix];
}

__global__ void NAME(swap)(int n, OUT *x, long ix, OUT *y, long iy)
{
    int i = INDEX;

    if (i < n) {
        OUT a = x[i * ix];

        x[i * ix] = y[i * iy];
        y[i * iy] = a;
    }
}

/* A plane rotation. */
__global__ void NAME(rot)(int n, OUT *x, long ix, OUT *y, long iy, SUM c, SUM s)
{
    int i = INDEX;

    if (i < n) {
        OUT a = x[i * ix], b = y[i * iy];

        x[i * ix] = c * a + s * b;
        y[i * iy] = c * b - s * a;
    }
}

/* Index, from 1, of the element of largest (least) absolute value; the first of equals. */
__global__ void NAME(peak)(int n, int least, const IN *x, long ix, int *result)
{
    __shared__ SUM s[REDUCE];
    __shared__ int at[REDUCE];
    int l = THREAD_X, best = -1;
    SUM most = 0;

    for (int i = l; i < n; i += REDUCE) {
        SUM v = x[i * ix] < 0 ? -x[i * ix] : x[i * ix];

        if (best < 0 || (least ? v < most : v > most)) {
            most = v;
            best = i;
        }
    }
    s[l] = most;
    at[l] = best;
    __syncthreads();
    for (int d = REDUCE / 2; d > 0; d /= 2) {
        if (l < d && at[l + d] >= 0) {
            int better = least ? s[l + d] < s[l] : s[l + d] > s[l];

            if (at[l] < 0 || better || (s[l + d] == s[l] && at[l + d] < at[l])) {
                s[l] = s[l + d];
                at[l] = at[l + d];
            }
        }
        __syncthreads();
    }
    if (l == 0)
        *result = at[0] + 1;
}

/* y = alpha a x + beta y, one row per thread. */
__global__ void NAME(gemv)(int m, int n, SUM alpha, const IN *a, long lda, int ta, int ka,
                           const IN *x, long ix, SUM beta, OUT *y, long iy)
{
    int i = INDEX;
    SUM sum = 0;

    if (i >= m)
        return;
    for (int j = 0; j < n; j++)
        sum += element<SUM>(a, lda, ta, ka, i, j) * x[j * ix];
    sum *= alpha;
    y[i * iy] = beta != 0 ? sum + beta * y[i * iy] : sum;
}

/* a += alpha x y' + other y x', of which `part` is written. */
__global__ void NAME(ger)(int m, int n, SUM alpha, SUM other, const IN *x, long ix, const IN *y,
                          long iy, OUT *a, long lda, int part)
{
    int i = BLOCK_X * TILE + THREAD_X, j = BLOCK_Y * TILE + THREAD_Y;

    if (i >= m || j >= n || (part == LOWER && i < j) || (part == UPPER && i > j))
        return;
    a[i + j * lda] +=
        alpha * x[i * ix] * y[j * iy] + (other != 0 ? other * y[i * iy] * x[j * ix] : 0);
}

/* Solves a x = alpha b for a triangular matrix a, one right-hand side per thread: `next` is the
 * distance between its elements, `side` the distance between right-hand sides. */
__global__ void NAME(trsm)(int sides, int n, SUM alpha, const IN *a, long lda, int ta, int ka,
                           OUT *b, long next, long side, const IN *const *la, OUT *const *lb)
{
    int column = INDEX, forward = ((ka & LOWER) != 0) != ta;

    if (column >= sides)
        return;
    a = la ? la[BLOCK_Z] : a;
    b = (lb ? lb[BLOCK_Z] : b) + column * side;
    for (int s = 0; s < n; s++) {
        int i = forward ? s : n - 1 - s;
        SUM v = alpha * b[i * next];

        for (int t = 0; t < s; t++) {
            int k = forward ? t : n - 1 - t;

            v -= element<SUM>(a, lda, ta, ka, i, k) * b[k * next];
        }
        b[i * next] = ka & UNIT ? v : v / element<SUM>(a, lda, ta, ka, i, i);
    }
}

/* c = alpha a + beta b */
__global__ void NAME(geam)(int m, int n, SUM alpha, const IN *a, long lda, int ta, SUM beta,
                           const IN *b, long ldb, int tb, OUT *c, long ldc)
{
    int i = BLOCK_X * TILE + THREAD_X, j = BLOCK_Y * TILE + THREAD_Y;

    if (i >= m || j >= n)
        return;
    c[i + j * ldc] = (alpha != 0 ? alpha * a[ta ? j + i * lda : i + j * lda] : 0) +
                     (beta != 0 ? beta * b[tb ? j + i * ldb : i + j * ldb] : 0);
}

/* c = diag(x) a, or a diag(x) */
__global__ void NAME(dgmm)(int m, int n, int right, const IN *a, long lda, const IN *x, long ix,
                           OUT *c, long ldc)
{
    int i = BLOCK_X * TILE + THREAD_X, j = BLOCK_Y * TILE + THREAD_Y;

    if (i < m && j < n)
        c[i + j * ldc] = a[i + j * lda] * x[(right ? j : i) * ix];
}
#endif
#undef NAME
#undef IN
#undef OUT
#undef FROM
#undef SCALED
#undef SUM
#undef KERNELS
