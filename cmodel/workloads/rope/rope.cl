/* SPDX-License-Identifier: Apache-2.0
 *
 * Rotary position embedding: a group per token turns all heads of its query and its key in place.
 * Dimension d of a head is paired with d + 64.  All heads use the token's row of cosines and sines.
 */
#define PAIRS 64 /* of a head */
#define WORDS (PAIRS / 2) /* a work-item has two neighbouring dimensions and their partners */
#define GROUP 256

static float low(uint pair)
{
    return as_float(pair << 16);
}

static float high(uint pair)
{
    return as_float(pair & 0xffff0000u);
}

static uint rounded(float value) /* bfloat16, to nearest even */
{
    uint bits = as_uint(value);
    return (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
}

static void turn(__global uint *head, int word, float2 cosine, float2 sine)
{
    uint a = head[word], b = head[WORDS + word];
    head[word] = rounded(low(a) * cosine.x - low(b) * sine.x) |
                 rounded(high(a) * cosine.y - high(b) * sine.y) << 16;
    head[WORDS + word] = rounded(low(b) * cosine.x + low(a) * sine.x) |
                         rounded(high(b) * cosine.y + high(a) * sine.y) << 16;
}

__kernel void rope(__global uint *query, __global uint *key, __global const float2 *table,
                   __global const int *position, int heads, int kv_heads)
{
    int token = get_group_id(0), at = position[token];
    for (int i = get_local_id(0); i < (heads + kv_heads) * WORDS; i += GROUP) {
        int head = i / WORDS, word = i % WORDS;
        float2 cosine = table[at * 2 * WORDS + word], sine = table[(at * 2 + 1) * WORDS + word];
        if (head < heads)
            turn(query + (token * heads + head) * 2 * WORDS, word, cosine, sine);
        else
            turn(key + (token * kv_heads + head - heads) * 2 * WORDS, word, cosine, sine);
    }
}
