/* SPDX-License-Identifier: Apache-2.0
 *
 * vectors.cl - kernels whose global accesses t_vectors.sh compares with clang's PTX. Every argument
 * is a buffer; the head of a kernel is one line.
 */

struct aligned {
    float x, y, z, w;
} __attribute__((aligned(16)));

struct bare {
    float x, y, z, w;
};

kernel void by_element(global const float4 *a, global float *o)
{
    int g = get_global_id(0);
    float4 v = a[g];

    o[g] = v.x * v.y + v.z * v.w;
}

/* Lane g reads the first 16 bytes of line g, which no other lane touches. */
kernel void gather_dot(global const float4 *a, global const int *index, global float *o)
{
    int g = get_global_id(0);
    float4 v = a[8 * index[g]];

    o[g] = dot(v, v);
}

kernel void some_elements(global const float4 *a, global float *o)
{
    int g = get_global_id(0);

    o[g] = a[g].x + a[g].z;
}

kernel void neighbours(global const float4 *a, global float2 *o)
{
    int g = get_global_id(0);

    o[g].x = a[g].z;
    o[g].y = a[g].w;
}

/* The store between the loads may change what the second one reads. */
kernel void store_between(global const float2 *a, global float *o)
{
    int g = get_global_id(0);
    float x = a[g].x;

    o[g] = x;
    o[g + 64] = a[g].y;
}

kernel void record(global const struct aligned *a, global struct aligned *o)
{
    int g = get_global_id(0);
    struct aligned r = a[g];

    r.x += r.w;
    r.y *= r.z;
    o[g] = r;
}

kernel void bare_record(global const struct bare *a, global float *o)
{
    int g = get_global_id(0);

    o[g] = a[g].x + a[g].y + a[g].z + a[g].w;
}

kernel void of_three(global const float3 *a, global float *o)
{
    int g = get_global_id(0);
    float3 v = a[g];

    o[g] = v.x * v.y + v.z;
}

kernel void of_eight(global const float8 *a, global float8 *o)
{
    int g = get_global_id(0);
    float8 v = a[g];

    o[g] = v.s76543210 * v.s0;
}

kernel void doubles(global const double2 *a, global double2 *o)
{
    int g = get_global_id(0);
    double2 v = a[g];

    o[g] = (double2)(v.y, v.x + v.y);
}

kernel void bytes(global const uchar4 *a, global uint *o)
{
    int g = get_global_id(0);
    uchar4 v = a[g];

    o[g] = v.x * v.y + v.z * v.w;
}

kernel void shorts(global const short2 *a, global int *o)
{
    int g = get_global_id(0);
    short2 v = a[g];

    o[g] = v.x * v.y;
}

/* The compiler knows only that it is aligned to one element. */
kernel void unaligned(global const float *a, global float *o)
{
    int g = get_global_id(0);
    float4 v = vload4(g, a);

    vstore4((float4)(v.w, v.x * v.y, v.z, v.x), g, o);
}

kernel void in_loop(global const int4 *a, global int *o)
{
    int g = get_global_id(0), sum = 0;

#pragma unroll 1
    for (int i = 0; i < 3; i++) {
        int4 v = a[g + 64 * i];

        sum += v.x * v.y - max(v.z, v.w);
    }
    o[g] = sum;
}

kernel void in_branch(global const long2 *a, global long *o)
{
    int g = get_global_id(0);
    long2 v = a[g];

    if (v.x > 4)
        o[g] = v.y;
    o[2 * g + 64] = v.x;
}
