/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BLOCK
#define BLOCK 16
#endif
typedef struct latLong { float lat; float lng; } LatLong;
__kernel void Fan1(__global float *m_dev, __global float *a_dev, const int size, const int t)
{
    int globalId = get_global_id(0);
    if (globalId < size - 1 - t)
        *(m_dev + size * (globalId + t + 1) + t) =
            *(a_dev + size * (globalId + t + 1) + t) / *(a_dev + size * t + t);
}
__kernel void Fan2(__global float *m_dev, __global float *a_dev, __global float *b_dev, const int size,
                   const int t)
{
    int globalIdx = get_global_id(0), globalIdy = get_global_id(1);
    if (globalIdx < size - 1 - t && globalIdy < size - t) {
        a_dev[size * (globalIdx + 1 + t) + (globalIdy + t)] -=
            m_dev[size * (globalIdx + 1 + t) + t] * a_dev[size * t + (globalIdy + t)];
        if (globalIdy == 0)
            b_dev[globalIdx + 1 + t] -= m_dev[size * (globalIdx + 1 + t) + (globalIdy + t)] * b_dev[t];
    }
}
__kernel void NearestNeighbor(__global LatLong *d_locations, __global float *d_distances,
                              const int numRecords, const float lat, const float lng)
{
    int globalId = get_global_id(0);
    if (globalId < numRecords) {
        __global LatLong *latLong = d_locations + globalId;
        __global float *dist = d_distances + globalId;
        *dist = (float)sqrt((lat - latLong->lat) * (lat - latLong->lat) +
                            (lng - latLong->lng) * (lng - latLong->lng));
    }
}
