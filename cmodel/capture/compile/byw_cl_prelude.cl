/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_prelude.cl - parts of OpenCL C that libclc for nvptx lacks or gets wrong: images, mad_hi,
 * ctz, conversions of integers to float with a rounding direction, and the declarations of half
 * loads and stores.
 *
 * Included before programs that name any of these. The tracer counts a texel's load or store as the
 * one instruction that a texture unit needs, and nothing else of the images here (byw_cl_scan.h).
 */
#define BYW_OVER __attribute__((overloadable))

#define BYW_HALF_V(n, space)                                                                       \
    float##n BYW_OVER __attribute__((pure)) vload_half##n(size_t, const space half *);             \
    float##n BYW_OVER __attribute__((pure)) vloada_half##n(size_t, const space half *);
#define BYW_HALF_S(t, n, r, space)                                                                 \
    void BYW_OVER vstore_half##n##r(t##n, size_t, space half *);                                   \
    void BYW_OVER vstorea_half##n##r(t##n, size_t, space half *);
#define BYW_HALF_R(t, n, space)                                                                    \
    BYW_HALF_S(t, n, , space)                                                                      \
    BYW_HALF_S(t, n, _rte, space) BYW_HALF_S(t, n, _rtz, space) BYW_HALF_S(t, n, _rtp, space)      \
    BYW_HALF_S(t, n, _rtn, space)
#define BYW_HALF_N(n)                                                                              \
    BYW_HALF_V(n, global) BYW_HALF_V(n, local) BYW_HALF_V(n, private) BYW_HALF_V(n, constant)      \
    BYW_HALF_R(float, n, global) BYW_HALF_R(float, n, local) BYW_HALF_R(float, n, private)         \
    BYW_HALF_R(double, n, global) BYW_HALF_R(double, n, local) BYW_HALF_R(double, n, private)
#ifdef BYW_WANT_HALF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define BYW_NONE
BYW_HALF_N()
BYW_HALF_N(2) BYW_HALF_N(3) BYW_HALF_N(4) BYW_HALF_N(8) BYW_HALF_N(16)
#endif

/* The tracer counts this arithmetic as usual, because its debug information names another file. */
#ifdef BYW_WANT_MAD_HI
#line 1 "byw_cl_arithmetic.cl"
#define BYW_MAD(t, n)                                                                              \
    t##n BYW_OVER mad_hi(t##n a, t##n b, t##n c) { return mul_hi(a, b) + c; }
#define BYW_EACH(t) BYW_MAD(t, ) BYW_MAD(t, 2) BYW_MAD(t, 3) BYW_MAD(t, 4) BYW_MAD(t, 8) BYW_MAD(t, 16)
BYW_EACH(char) BYW_EACH(uchar) BYW_EACH(short) BYW_EACH(ushort) BYW_EACH(int) BYW_EACH(uint)
BYW_EACH(long) BYW_EACH(ulong)
#endif

#if defined(BYW_WANT_CTZ) && __OPENCL_C_VERSION__ >= 200
#line 1 "byw_cl_arithmetic.cl"
#define BYW_CTZ(t, n)                                                                              \
    t##n BYW_OVER ctz(t##n a) { return popcount((t##n)(~a & (a - (t)1))); }
#define BYW_EACH_CTZ(t) BYW_CTZ(t, ) BYW_CTZ(t, 2) BYW_CTZ(t, 3) BYW_CTZ(t, 4) BYW_CTZ(t, 8) BYW_CTZ(t, 16)
BYW_EACH_CTZ(char) BYW_EACH_CTZ(uchar) BYW_EACH_CTZ(short) BYW_EACH_CTZ(ushort) BYW_EACH_CTZ(int)
BYW_EACH_CTZ(uint) BYW_EACH_CTZ(long) BYW_EACH_CTZ(ulong)
#endif

/* Conversions of integers to float with a rounding direction, which libclc gets wrong next to
 * powers of two. They keep the 24 bits that a float holds, and add one to the last of them to round
 * away from zero. */
#ifdef BYW_WANT_DIRECTED
#line 1 "byw_cl_arithmetic.cl"
#define BYW_DIRECTED(x_t, s, u, width, n, mode, minus, away)                                       \
    float##n BYW_OVER convert_float##n##_##mode(x_t##n x)                                          \
    {                                                                                              \
        s##n negative = minus;                                                                     \
        u##n bits = as_##u##n(x), size = select(bits, -bits, negative), zeros = clz(size);         \
        u##n most = (u##n)(width - 24);                                                            \
        u##n step = (u##n)1 << (most - min(zeros, most)), rest = size & (step - (u)1);             \
        u##n kept = size - rest + select((u##n)0, step, (s##n)(rest != (u)0) & (s##n)(away));      \
        float##n f = convert_float##n(kept);                                                       \
                                                                                                   \
        f = select(f, (float##n)(width == 64 ? 0x1p64f : 0x1p32f),                                 \
                   convert_int##n((s##n)(kept == (u)0) & (s##n)(size != (u)0)));                   \
        return select(f, -f, convert_int##n(negative));                                            \
    }
#define BYW_DIRECTED_N(s, u, width, n)                                                             \
    BYW_DIRECTED(s, s, u, width, n, rtz, (s##n)(x < (s)0), (s##n)0)                                \
    BYW_DIRECTED(s, s, u, width, n, rtp, (s##n)(x < (s)0), (s##n)(x > (s)0))                       \
    BYW_DIRECTED(s, s, u, width, n, rtn, (s##n)(x < (s)0), negative)                               \
    BYW_DIRECTED(u, s, u, width, n, rtz, (s##n)0, (s##n)0)                                         \
    BYW_DIRECTED(u, s, u, width, n, rtp, (s##n)0, (s##n)(x > (u)0))                                \
    BYW_DIRECTED(u, s, u, width, n, rtn, (s##n)0, (s##n)0)
#define BYW_EACH_DIRECTED(s, u, width)                                                             \
    BYW_DIRECTED_N(s, u, width, ) BYW_DIRECTED_N(s, u, width, 2) BYW_DIRECTED_N(s, u, width, 3)    \
    BYW_DIRECTED_N(s, u, width, 4) BYW_DIRECTED_N(s, u, width, 8) BYW_DIRECTED_N(s, u, width, 16)
BYW_EACH_DIRECTED(int, uint, 32) BYW_EACH_DIRECTED(long, ulong, 64)
#endif

#if defined(BYW_WANT_FENCE) && defined(__opencl_c_generic_address_space)
#define get_fence byw_get_fence
static cl_mem_fence_flags BYW_OVER get_fence(const void *p)
{
    return to_local(p) ? CLK_LOCAL_MEM_FENCE : to_global(p) ? CLK_GLOBAL_MEM_FENCE : 0;
}
#endif

/* libclc's smoothstep lacks double vectors with scalar edges. A single overload cannot be added to
 * a library function, so all overloads are here. */
#ifdef BYW_WANT_SMOOTHSTEP
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#line 1 "byw_cl_arithmetic.cl"
#define smoothstep byw_smoothstep
#define BYW_EDGES extern inline BYW_OVER __attribute__((always_inline))
#define BYW_SMOOTHSTEP(t, n)                                                                       \
    BYW_EDGES t##n smoothstep(t##n a, t##n b, t##n x)                                              \
    {                                                                                              \
        t##n s = clamp((x - a) / (b - a), (t##n)0, (t##n)1);                                       \
        return s * s * ((t)3 - (t)2 * s);                                                          \
    }
#define BYW_SMOOTHSTEP_N(t, n)                                                                     \
    BYW_SMOOTHSTEP(t, n)                                                                           \
    BYW_EDGES t##n smoothstep(t a, t b, t##n x) { return smoothstep((t##n)a, (t##n)b, x); }
#define BYW_EACH_SMOOTHSTEP(t)                                                                     \
    BYW_SMOOTHSTEP(t, )                                                                            \
    BYW_SMOOTHSTEP_N(t, 2) BYW_SMOOTHSTEP_N(t, 3) BYW_SMOOTHSTEP_N(t, 4)                           \
    BYW_SMOOTHSTEP_N(t, 8) BYW_SMOOTHSTEP_N(t, 16)
BYW_EACH_SMOOTHSTEP(float) BYW_EACH_SMOOTHSTEP(double)
#endif

#ifdef BYW_WANT_IMAGE
#line 1 "byw_cl_prelude.cl"
/* struct byw_cl_image of byw_cl_code.h */
struct byw_image {
    ulong data, row, slice;
    int size[3];
    int layers;
    uint order, type, bytes, samples;
};
typedef constant struct byw_image *byw_handle;

/* The tracer replaces calls of these functions with their argument. */
uint byw_sampler(sampler_t) __asm__("byw_cl_sampler");

/* Channel types and orders, as cl.h numbers them. */
enum {
    BYW_SNORM8 = 0x10d0, BYW_SNORM16, BYW_UNORM8, BYW_UNORM16, BYW_INT8 = 0x10d7, BYW_INT16,
    BYW_INT32, BYW_UINT8, BYW_UINT16, BYW_UINT32, BYW_HALF, BYW_FLOAT
};
enum {
    BYW_R = 0x10b0, BYW_A, BYW_RG, BYW_RA, BYW_RGB, BYW_RGBA, BYW_BGRA, BYW_ARGB, BYW_INTENSITY,
    BYW_LUMINANCE
};

static uint4 byw_texel(byw_handle m, int4 at)
{
    global uchar *p = (global uchar *)(m->data + (ulong)at.z * m->slice + (ulong)at.y * m->row +
                                       (ulong)at.x * m->bytes);
    switch (m->bytes) {
    case 1: return (uint4)(*p, 0, 0, 0);
    case 2: return (uint4)(*(global ushort *)p, 0, 0, 0);
    case 4: return (uint4)(*(global uint *)p, 0, 0, 0);
    case 8: return (uint4)(*(global uint2 *)p, 0, 0);
    default: return *(global uint4 *)p;
    }
}

static uint byw_channel_bits(byw_handle m)
{
    switch (m->type) {
    case BYW_SNORM8: case BYW_UNORM8: case BYW_INT8: case BYW_UINT8: return 8;
    case BYW_INT32: case BYW_UINT32: case BYW_FLOAT: return 32;
    default: return 16;
    }
}

/* Splits a texel into its channels, in memory order. */
static uint4 byw_split(byw_handle m, uint4 raw)
{
    switch (byw_channel_bits(m)) {
    case 8: return (raw.xxxx >> (uint4)(0, 8, 16, 24)) & 0xff;
    case 16: return (uint4)(raw.x & 0xffff, raw.x >> 16, raw.y & 0xffff, raw.y >> 16);
    default: return raw;
    }
}

static float byw_half_value(uint h)
{
    uint e = h >> 10 & 31, f = h & 1023;
    float v = e == 0 ? (float)f * 0x1p-24f
                     : e == 31 ? as_float(0x7f800000u | f << 13)
                               : as_float((e + 112) << 23 | f << 13);
    return h & 0x8000 ? -v : v;
}

static float4 byw_to_float(byw_handle m, uint4 c)
{
    switch (m->type) {
    case BYW_UNORM8: return convert_float4(c) / 255.0f;
    case BYW_UNORM16: return convert_float4(c) / 65535.0f;
    case BYW_SNORM8: return max(convert_float4(as_int4(c << 24) >> 24) / 127.0f, -1.0f);
    case BYW_SNORM16: return max(convert_float4(as_int4(c << 16) >> 16) / 32767.0f, -1.0f);
    case BYW_HALF:
        return (float4)(byw_half_value(c.x), byw_half_value(c.y), byw_half_value(c.z),
                        byw_half_value(c.w));
    default: return as_float4(c);
    }
}

static uint4 byw_to_int(byw_handle m, uint4 c)
{
    if (m->type == BYW_INT8)
        return as_uint4(as_int4(c << 24) >> 24);
    if (m->type == BYW_INT16)
        return as_uint4(as_int4(c << 16) >> 16);
    return c;
}

/* Converts from memory order to r, g, b, a; `one` is the value of a missing alpha. */
static uint4 byw_order(byw_handle m, uint4 c, uint one)
{
    switch (m->order) {
    case BYW_R: return (uint4)(c.x, 0, 0, one);
    case BYW_A: return (uint4)(0, 0, 0, c.x);
    case BYW_RG: return (uint4)(c.xy, 0, one);
    case BYW_RA: return (uint4)(c.x, 0, 0, c.y);
    case BYW_BGRA: return c.zyxw;
    case BYW_ARGB: return c.yzwx;
    case BYW_INTENSITY: return c.xxxx;
    case BYW_LUMINANCE: return (uint4)(c.xxx, one);
    default: return c;
    }
}

static uint4 byw_border(byw_handle m, uint one)
{
    uint alpha = m->order == BYW_R || m->order == BYW_RG || m->order == BYW_LUMINANCE ? one : 0;
    return (uint4)(0, 0, 0, alpha);
}

static bool byw_outside(byw_handle m, int4 at)
{
    int depth = m->layers ? m->layers : m->size[2];
    return at.x < 0 || at.x >= m->size[0] || at.y < 0 || at.z < 0 || at.z >= depth ||
           at.y >= m->size[1];
}

/* Texel as r, g, b, a: bits of floats or integers. */
static uint4 byw_fetch(byw_handle m, int4 at, bool real)
{
    uint4 c;
    uint one = real ? as_uint(1.0f) : 1;

    if (byw_outside(m, at))
        return byw_border(m, one);
    c = byw_split(m, byw_texel(m, at));
    return byw_order(m, real ? as_uint4(byw_to_float(m, c)) : byw_to_int(m, c), one);
}

/* Converts one coordinate to texels by the addressing mode; linear: the texel to the left, and the
 * fraction. OpenCL 1.2, 8.2. */
static int byw_wrap(int i, int size, uint mode)
{
    switch (mode) {
    case 1: return clamp(i, 0, size - 1);
    case 3: i %= size; return i < 0 ? i + size : i;
    case 4: return clamp(i, 0, size - 1);
    default: return clamp(i, -1, size);
    }
}

/* The addressing mode of a dimension: that of x, unless CUDA set another one for y or z. */
static uint byw_mode(uint bits, int dimension)
{
    uint own = dimension == 0 ? 0 : bits >> (4 + 4 * dimension) & 7;

    return own != 0 ? own : bits >> 1 & 7;
}

static float byw_scale(float s, int size, uint bits, uint mode)
{

    if (mode == 3)
        return (s - floor(s)) * (float)size;
    if (mode == 4)
        return fabs(s - 2.0f * rint(0.5f * s)) * (float)size;
    return bits & 1 ? s * (float)size : s;
}

static uint4 byw_sample(byw_handle m, uint bits, float4 s, int dims, bool real)
{
    uint mx = byw_mode(bits, 0), my = byw_mode(bits, 1), mz = byw_mode(bits, 2);
    float4 u = (float4)(byw_scale(s.x, m->size[0], bits, mx),
                        dims > 1 ? byw_scale(s.y, m->size[1], bits, my) : 0.0f,
                        dims > 2 ? byw_scale(s.z, m->size[2], bits, mz) : 0.0f, 0.0f);
    int layer = m->layers ? clamp((int)rint(dims > 1 ? s.z : s.y), 0, m->layers - 1) : 0;
    int4 i;
    float4 sum = 0.0f;

    if (!(bits & 0x20)) {
        i = convert_int4(floor(u));
        i = (int4)(byw_wrap(i.x, m->size[0], mx == 3 ? 1 : mx),
                   dims > 1 ? byw_wrap(i.y, m->size[1], my == 3 ? 1 : my) : 0,
                   dims > 2 ? byw_wrap(i.z, m->size[2], mz == 3 ? 1 : mz) : layer, 0);
        return byw_fetch(m, i, real);
    }
    u -= 0.5f;
    i = convert_int4(floor(u));
    u -= floor(u);
    for (int k = 0; k < 1 << dims; k++) {
        int4 at = i + (int4)(k & 1, k >> 1 & 1, k >> 2, 0);
        float w = (k & 1 ? u.x : 1.0f - u.x) * (dims < 2 ? 1.0f : k & 2 ? u.y : 1.0f - u.y) *
                  (dims < 3 ? 1.0f : k & 4 ? u.z : 1.0f - u.z);

        at = (int4)(byw_wrap(at.x, m->size[0], mx), dims > 1 ? byw_wrap(at.y, m->size[1], my) : 0,
                    dims > 2 ? byw_wrap(at.z, m->size[2], mz) : layer, 0);
        sum += w * as_float4(byw_fetch(m, at, true));
    }
    return as_uint4(sum);
}

/* Reads a texel at integer coordinates, which is never interpolated. */
static uint4 byw_pick(byw_handle m, uint bits, int4 s, int dims, bool real)
{
    int layer = m->layers ? clamp(dims > 1 ? s.z : s.y, 0, m->layers - 1) : 0;
    int4 at = (int4)(byw_wrap(s.x, m->size[0], byw_mode(bits, 0)),
                     dims > 1 ? byw_wrap(s.y, m->size[1], byw_mode(bits, 1)) : 0,
                     dims > 2 ? byw_wrap(s.z, m->size[2], byw_mode(bits, 2)) : layer, 0);

    return byw_fetch(m, at, real);
}

static uint byw_norm(float v, float least, float most)
{
    return (uint)convert_int_sat_rte(clamp(v, least, 1.0f) * most);
}

static uint byw_half_bits(float f)
{
    float size = fabs(f), scale = 0x1p-14f;
    uint sign = f < 0 ? 0x8000u : 0, e = 1;

    if (!(size < 65520.0f))
        return sign | (size >= 65520.0f ? 0x7c00u : 0x7e00u);
    for (; size >= 2 * scale; scale *= 2)
        e++;
    return sign | (((e - 1) << 10) + (uint)rint(size / scale * 1024.0f));
}

static uint byw_encode(byw_handle m, uint c)
{
    float f = as_float(c);

    switch (m->type) {
    case BYW_UNORM8: return byw_norm(f, 0.0f, 255.0f);
    case BYW_UNORM16: return byw_norm(f, 0.0f, 65535.0f);
    case BYW_SNORM8: return byw_norm(f, -1.0f, 127.0f) & 0xff;
    case BYW_SNORM16: return byw_norm(f, -1.0f, 32767.0f) & 0xffff;
    case BYW_INT8: return (uint)clamp((int)c, -128, 127) & 0xff;
    case BYW_INT16: return (uint)clamp((int)c, -32768, 32767) & 0xffff;
    case BYW_UINT8: return min(c, 255u);
    case BYW_UINT16: return min(c, 65535u);
    case BYW_HALF: return byw_half_bits(f);
    default: return c;
    }
}

static void byw_store(byw_handle m, int4 at, uint4 c)
{
    global uchar *p = (global uchar *)(m->data + (ulong)at.z * m->slice + (ulong)at.y * m->row +
                                       (ulong)at.x * m->bytes);

    if (byw_outside(m, at))
        return;
    switch (m->order) {
    case BYW_A: c.x = c.w; break;
    case BYW_RA: c.y = c.w; break;
    case BYW_BGRA: c = c.zyxw; break;
    case BYW_ARGB: c = c.wxyz; break;
    default: break;
    }
    c = (uint4)(byw_encode(m, c.x), byw_encode(m, c.y), byw_encode(m, c.z), byw_encode(m, c.w));
    if (byw_channel_bits(m) == 8)
        c.x = c.x | c.y << 8 | c.z << 16 | c.w << 24;
    else if (byw_channel_bits(m) == 16)
        c = (uint4)(c.x | c.y << 16, c.z | c.w << 16, 0, 0);
    switch (m->bytes) {
    case 1: *p = (uchar)c.x; break;
    case 2: *(global ushort *)p = (ushort)c.x; break;
    case 4: *(global uint *)p = c.x; break;
    case 8: *(global uint2 *)p = c.xy; break;
    default: *(global uint4 *)p = c; break;
    }
}

/* Halves of images are read and written as floats, rounded. */
#define BYW_COMMA ,
#if defined(BYW_WANT_HALF) && defined(cl_khr_fp16)
#define BYW_READ_HALF(ARGS, VALUES)                                                                \
    half4 BYW_OVER read_imageh(ARGS)                                                               \
    { return __builtin_convertvector(read_imagef(VALUES), half4); }
#define BYW_WRITE_HALF(A, T, I)                                                                    \
    void BYW_OVER write_imageh(A T m, I at, half4 c)                                               \
    { write_imagef(m, at, __builtin_convertvector(c, float4)); }
#else
#define BYW_READ_HALF(ARGS, VALUES)
#define BYW_WRITE_HALF(A, T, I)
#endif

/* One kind of image. A: access, T: type, D: dimensions, F and I: coordinates, FX and IX: their
 * extension to four, with the layer of an array last. */
#define BYW_READ(A, T, D, F, FX, I, IX)                                                            \
    float4 BYW_OVER read_imagef(A T m, sampler_t s, F at)                                          \
    { return as_float4(byw_sample(byw_image(m), byw_sampler(s), FX, D, true)); }                   \
    int4 BYW_OVER read_imagei(A T m, sampler_t s, F at)                                            \
    { return as_int4(byw_sample(byw_image(m), byw_sampler(s) & ~0x20u, FX, D, false)); }           \
    uint4 BYW_OVER read_imageui(A T m, sampler_t s, F at)                                          \
    { return byw_sample(byw_image(m), byw_sampler(s) & ~0x20u, FX, D, false); }                    \
    float4 BYW_OVER read_imagef(A T m, sampler_t s, I at)                                          \
    { return as_float4(byw_pick(byw_image(m), byw_sampler(s), IX, D, true)); }                     \
    int4 BYW_OVER read_imagei(A T m, sampler_t s, I at)                                            \
    { return as_int4(byw_pick(byw_image(m), byw_sampler(s), IX, D, false)); }                      \
    uint4 BYW_OVER read_imageui(A T m, sampler_t s, I at)                                          \
    { return byw_pick(byw_image(m), byw_sampler(s), IX, D, false); }                               \
    BYW_READ_HALF(A T m BYW_COMMA sampler_t s BYW_COMMA F at, m BYW_COMMA s BYW_COMMA at)          \
    BYW_READ_HALF(A T m BYW_COMMA sampler_t s BYW_COMMA I at, m BYW_COMMA s BYW_COMMA at)
#define BYW_READ_PLAIN(A, T, D, I, IX)                                                             \
    float4 BYW_OVER read_imagef(A T m, I at)                                                       \
    { return as_float4(byw_pick(byw_image(m), 0, IX, D, true)); }                                  \
    int4 BYW_OVER read_imagei(A T m, I at)                                                         \
    { return as_int4(byw_pick(byw_image(m), 0, IX, D, false)); }                                   \
    uint4 BYW_OVER read_imageui(A T m, I at) { return byw_pick(byw_image(m), 0, IX, D, false); }   \
    BYW_READ_HALF(A T m BYW_COMMA I at, m BYW_COMMA at)
#define BYW_WRITE(A, T, I, IX)                                                                     \
    void BYW_OVER write_imagef(A T m, I at, float4 c)                                              \
    { byw_store(byw_image(m), IX, as_uint4(c)); }                                                  \
    void BYW_OVER write_imagei(A T m, I at, int4 c)                                                \
    { byw_store(byw_image(m), IX, as_uint4(c)); }                                                  \
    void BYW_OVER write_imageui(A T m, I at, uint4 c) { byw_store(byw_image(m), IX, c); }          \
    BYW_WRITE_HALF(A, T, I)
#define BYW_QUERY(A, T, NAME)                                                                      \
    byw_handle BYW_OVER byw_image(A T) __asm__("byw_cl_image_" NAME);                              \
    int BYW_OVER get_image_width(A T m) { return byw_image(m)->size[0]; }                          \
    int BYW_OVER get_image_channel_data_type(A T m) { return (int)byw_image(m)->type; }            \
    int BYW_OVER get_image_channel_order(A T m) { return (int)byw_image(m)->order; }
#define BYW_QUERY_2D(A, T)                                                                         \
    int BYW_OVER get_image_height(A T m) { return byw_image(m)->size[1]; }
#define BYW_QUERY_ARRAY(A, T)                                                                      \
    size_t BYW_OVER get_image_array_size(A T m) { return (size_t)byw_image(m)->layers; }
#define BYW_DIM_2D(A, T)                                                                           \
    int2 BYW_OVER get_image_dim(A T m)                                                             \
    { return (int2)(byw_image(m)->size[0], byw_image(m)->size[1]); }
#define BYW_QUERY_3D(A)                                                                            \
    int BYW_OVER get_image_depth(A image3d_t m) { return byw_image(m)->size[2]; }                  \
    int4 BYW_OVER get_image_dim(A image3d_t m)                                                     \
    { return (int4)(byw_image(m)->size[0], byw_image(m)->size[1], byw_image(m)->size[2], 0); }

#define BYW_1D (int4)(at, 0, 0, 0)
#define BYW_2D (int4)(at, 0, 0)
#define BYW_1DA (int4)(at.x, 0, at.y, 0)
#define BYW_2DA (int4)(at.xyz, 0)
#define BYW_ALL(A, S)                                                                              \
    BYW_QUERY(A, image1d_t, "1d" S)                                                                \
    BYW_QUERY(A, image1d_buffer_t, "1db" S)                                                        \
    BYW_QUERY(A, image1d_array_t, "1da" S) BYW_QUERY_ARRAY(A, image1d_array_t)                     \
    BYW_QUERY(A, image2d_t, "2d" S) BYW_QUERY_2D(A, image2d_t) BYW_DIM_2D(A, image2d_t)            \
    BYW_QUERY(A, image2d_array_t, "2da" S) BYW_QUERY_2D(A, image2d_array_t)                        \
    BYW_DIM_2D(A, image2d_array_t) BYW_QUERY_ARRAY(A, image2d_array_t)
BYW_ALL(read_only, "r")
BYW_ALL(write_only, "w")
BYW_QUERY(read_only, image3d_t, "3dr") BYW_QUERY_2D(read_only, image3d_t) BYW_QUERY_3D(read_only)

BYW_READ(read_only, image1d_t, 1, float, (float4)(at, 0, 0, 0), int, BYW_1D)
BYW_READ(read_only, image1d_array_t, 1, float2, (float4)(at, 0, 0), int2, (int4)(at, 0, 0))
BYW_READ(read_only, image2d_t, 2, float2, (float4)(at, 0, 0), int2, BYW_2D)
BYW_READ(read_only, image2d_array_t, 2, float4, at, int4, at)
BYW_READ(read_only, image3d_t, 3, float4, at, int4, at)
BYW_READ_PLAIN(read_only, image1d_t, 1, int, BYW_1D)
BYW_READ_PLAIN(read_only, image1d_buffer_t, 1, int, BYW_1D)
BYW_READ_PLAIN(read_only, image1d_array_t, 1, int2, (int4)(at, 0, 0))
BYW_READ_PLAIN(read_only, image2d_t, 2, int2, BYW_2D)
BYW_READ_PLAIN(read_only, image2d_array_t, 2, int4, at)
BYW_READ_PLAIN(read_only, image3d_t, 3, int4, at)
BYW_WRITE(write_only, image1d_t, int, BYW_1D)
BYW_WRITE(write_only, image1d_buffer_t, int, BYW_1D)
BYW_WRITE(write_only, image1d_array_t, int2, BYW_1DA)
BYW_WRITE(write_only, image2d_t, int2, BYW_2D)
BYW_WRITE(write_only, image2d_array_t, int4, BYW_2DA)
#ifdef cl_khr_3d_image_writes
BYW_QUERY(write_only, image3d_t, "3dw") BYW_QUERY_2D(write_only, image3d_t)
BYW_QUERY_3D(write_only)
BYW_WRITE(write_only, image3d_t, int4, BYW_2DA)
#endif
#if __OPENCL_C_VERSION__ >= 200
BYW_ALL(read_write, "rw")
BYW_QUERY(read_write, image3d_t, "3drw") BYW_QUERY_2D(read_write, image3d_t)
BYW_QUERY_3D(read_write)
BYW_READ_PLAIN(read_write, image1d_t, 1, int, BYW_1D)
BYW_READ_PLAIN(read_write, image1d_buffer_t, 1, int, BYW_1D)
BYW_READ_PLAIN(read_write, image1d_array_t, 1, int2, (int4)(at, 0, 0))
BYW_READ_PLAIN(read_write, image2d_t, 2, int2, BYW_2D)
BYW_READ_PLAIN(read_write, image2d_array_t, 2, int4, at)
BYW_READ_PLAIN(read_write, image3d_t, 3, int4, at)
BYW_WRITE(read_write, image1d_t, int, BYW_1D)
BYW_WRITE(read_write, image1d_buffer_t, int, BYW_1D)
BYW_WRITE(read_write, image1d_array_t, int2, BYW_1DA)
BYW_WRITE(read_write, image2d_t, int2, BYW_2D)
BYW_WRITE(read_write, image2d_array_t, int4, BYW_2DA)
BYW_WRITE(read_write, image3d_t, int4, BYW_2DA)
#endif
#endif
