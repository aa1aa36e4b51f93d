/* SPDX-License-Identifier: Apache-2.0
 *
 * K-means: a transposition and the assignment of each point to its nearest centre.
 */

/* Points x features to features x points.  Neighbours read `features` words apart: one line
 * per work-item, used again by the next features if it is still there. */
__kernel void kmeans_swap(__global const float *feature, __global float *swapped, int points,
                          int features)
{
    int point = get_global_id(0);
    if (point >= points)
        return;
    for (int f = 0; f < features; f++)
        swapped[f * points + point] = feature[point * features + f];
}

__kernel void kmeans_assign(__global const float *swapped, __global const float *center,
                            __global int *member, int points, int clusters, int features)
{
    int point = get_global_id(0);
    if (point >= points)
        return;
    int nearest = 0;
    float least = FLT_MAX;
    for (int c = 0; c < clusters; c++) {
        float distance = 0.0f;
        for (int f = 0; f < features; f++) {
            float difference = swapped[f * points + point] - center[c * features + f];
            distance += difference * difference;
        }
        if (distance < least) {
            least = distance;
            nearest = c;
        }
    }
    member[point] = nearest;
}
