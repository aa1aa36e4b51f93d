/* SPDX-License-Identifier: Apache-2.0
 *
 * What opening a centre at one candidate point would save, point by point.
 *
 * coordinate is [dimension][point], so neighbours read neighbouring words while the candidate's
 * own coordinate is a broadcast.  Points are 32-byte records.  saving is [point][centers + 1]: a
 * point that would move adds its gain to the last column, one that stays writes what leaving its
 * centre would cost (negative) to that centre's column, so writes are a row apart.
 */
struct point {
    float weight;
    long coordinates, center;
    float cost;
};

__kernel void streamcluster_gain(__global const struct point *point, int points, int dimensions,
                                 int candidate, __global const float *coordinate, int centers,
                                 __global const int *center_column, __global float *saving,
                                 __global int *moves)
{
    int i = get_global_id(0);
    if (i >= points)
        return;
    float cost = 0.0f;
    for (int d = 0; d < dimensions; d++) {
        float difference = coordinate[d * points + i] - coordinate[d * points + candidate];
        cost += difference * difference;
    }
    cost *= point[i].weight;
    float now = point[i].cost;
    __global float *row = saving + i * (centers + 1);
    if (cost < now) {
        moves[i] = 1;
        row[centers] += cost - now;
    } else {
        row[center_column[point[i].center]] += now - cost;
    }
}
