/* SPDX-License-Identifier: Apache-2.0
 *
 * K-means: a transposition and the assignment of each point to its nearest centre.
 */

/* Points x features to features x points.  Neighbours read `features` words apart: one line
 * per thread, used again by the next features if it is still there. */
extern "C" __global__ void kmeans_swap(const float *feature, float *swapped, int points,
                                       int features)
{
    int point = blockIdx.x * blockDim.x + threadIdx.x;
    if (point >= points)
        return;
    for (int f = 0; f < features; f++)
        swapped[f * points + point] = feature[point * features + f];
}

extern "C" __global__ void kmeans_assign(const float *swapped, const float *center, int *member,
                                         int points, int clusters, int features)
{
    int point = blockIdx.x * blockDim.x + threadIdx.x;
    if (point >= points)
        return;
    int nearest = 0;
    float least = 3.402823466e+38f;
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
