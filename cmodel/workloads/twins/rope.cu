/* SPDX-License-Identifier: Apache-2.0
 *
 * Rotary position embedding: a group per token turns all heads of its query and its key in place.
 * Dimension d of a head is paired with d + 64.  All heads use the token's row of cosines and sines.
 */
#define PAIRS 64 /* of a head */
#define WORDS (PAIRS / 2) /* a thread has two neighbouring dimensions and their partners */
#define GROUP 256

static __device__ float low(unsigned pair)
{
    return __uint_as_float(pair << 16);
}

static __device__ float high(unsigned pair)
{
    return __uint_as_float(pair & 0xffff0000u);
}

static __device__ unsigned rounded(float value) /* bfloat16, to nearest even */
{
    unsigned bits = __float_as_uint(value);
    return (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
}

static __device__ void turn(unsigned *head, int word, float2 cosine, float2 sine)
{
    unsigned a = head[word], b = head[WORDS + word];
    head[word] = rounded(low(a) * cosine.x - low(b) * sine.x) |
                 rounded(high(a) * cosine.y - high(b) * sine.y) << 16;
    head[WORDS + word] = rounded(low(b) * cosine.x + low(a) * sine.x) |
                         rounded(high(b) * cosine.y + high(a) * sine.y) << 16;
}

extern "C" __global__ void rope(unsigned *query, unsigned *key, const float2 *table,
                                const int *position, int heads, int kv_heads)
{
    int token = (int)blockIdx.x, at = position[token];
    for (int i = (int)threadIdx.x; i < (heads + kv_heads) * WORDS; i += GROUP) {
        int head = i / WORDS, word = i % WORDS;
        float2 cosine = table[at * 2 * WORDS + word], sine = table[(at * 2 + 1) * WORDS + word];
        if (head < heads)
            turn(query + (token * heads + head) * 2 * WORDS, word, cosine, sine);
        else
            turn(key + (token * kv_heads + head - heads) * 2 * WORDS, word, cosine, sine);
    }
}
