/* SPDX-License-Identifier: Apache-2.0
 *
 * Local response normalisation over the two channels before and after.  One work-item per pixel
 * walks all channels with a window of five values in registers, so each value is read once;
 * neighbours read neighbouring words.
 */
__kernel void lrn_forward(__global const float *x, __global float *y, __global float *scale,
                          int channels, int plane, float base, float alpha, float beta)
{
    int pixel = get_global_id(0), first = (int)get_global_id(1) * channels * plane + pixel;
    if (pixel >= plane)
        return;
    float before2 = 0.0f, before1 = 0.0f, here = x[first];
    float after1 = channels > 1 ? x[first + plane] : 0.0f;
    for (int c = 0; c < channels; c++) {
        int at = first + c * plane;
        float after2 = c + 2 < channels ? x[at + 2 * plane] : 0.0f;
        float sum = before2 * before2 + before1 * before1 + here * here + after1 * after1 +
                    after2 * after2;
        float divisor = base + alpha * sum;
        scale[at] = divisor;
        y[at] = here * native_exp2(-beta * native_log2(divisor));
        before2 = before1;
        before1 = here;
        here = after1;
        after1 = after2;
    }
}
