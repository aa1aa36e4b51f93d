/* SPDX-License-Identifier: Apache-2.0
 *
 * Hash-table look-up of a radiance field: a thread per point reads the eight corners of its cell
 * on each of 16 levels and mixes them.  Levels that fit have an entry per corner, the others a hash
 * table without resolution of collisions.  An entry is two bfloat16.
 */
#define LEVELS 16

static __device__ float low(unsigned pair)
{
    return __uint_as_float(pair << 16);
}

static __device__ float high(unsigned pair)
{
    return __uint_as_float(pair & 0xffff0000u);
}

extern "C" __global__ void hashgrid(const float *point, const unsigned *table, const int *side,
                                    float *out, int points, int entries)
{
    int p = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (p >= points)
        return;
    float x = point[p], y = point[points + p], z = point[2 * points + p];
    for (int level = 0; level < LEVELS; level++) {
        int n = side[level];
        float fx = x * (float)(n - 1), fy = y * (float)(n - 1), fz = z * (float)(n - 1);
        int cx = min((int)fx, n - 2), cy = min((int)fy, n - 2), cz = min((int)fz, n - 2);
        float a = 0.0f, b = 0.0f;
        fx -= (float)cx;
        fy -= (float)cy;
        fz -= (float)cz;
        for (int corner = 0; corner < 8; corner++) {
            unsigned ix = (unsigned)cx + (corner & 1), iy = (unsigned)cy + (corner >> 1 & 1);
            unsigned iz = (unsigned)cz + (corner >> 2);
            unsigned slot =
                (long)n * n * n <= entries
                    ? ix + iy * (unsigned)n + iz * (unsigned)(n * n)
                    : (ix ^ iy * 2654435761u ^ iz * 805459861u) & (unsigned)(entries - 1);
            float w = (corner & 1 ? fx : 1.0f - fx) * (corner & 2 ? fy : 1.0f - fy) *
                      (corner & 4 ? fz : 1.0f - fz);
            unsigned entry = table[level * entries + (int)slot];
            a += w * low(entry);
            b += w * high(entry);
        }
        out[(2 * level) * points + p] = a;
        out[(2 * level + 1) * points + p] = b;
    }
}
