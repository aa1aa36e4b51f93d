/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel as password crackers have them: rounds unrolled by macros, in helpers that are called
 * from many places, some 20,000 instructions when all is inlined.
 */
#include "corpus.h"

enum { ITEMS = 64 };

static const char *src =
    "#define ROUND(a, b, c, d, k) { a += rotate(b ^ k, 7u) + (c & d); c ^= a; d -= rotate(c, 13u); "
    "}\n"
    "#define FOUR(k) ROUND(x, y, z, w, k) ROUND(y, z, w, x, k + 1) ROUND(z, w, x, y, k + 2) \\\n"
    "    ROUND(w, x, y, z, k + 3)\n"
    "#define MANY(k) FOUR(k) FOUR(k + 7) FOUR(k + 11) FOUR(k + 31) FOUR(k + 37) FOUR(k + 97) \\\n"
    "    FOUR(k + 101) FOUR(k + 103)\n"
    "#define MORE(k) MANY(k) MANY(k * 3) MANY(k * 5) MANY(k * 7) MANY(k * 9) MANY(k * 15)\n"
    "void block(uint *state, uint key)\n"
    "{\n"
    "    uint x = state[0], y = state[1], z = state[2], w = state[3];\n"
    "    MORE(key) MORE((key ^ 0x5bd1e995u))\n"
    "    state[0] += x; state[1] += y; state[2] += z; state[3] += w;\n"
    "}\n"
    "kernel void crack(global const uint *salt, global uint *out, int passes)\n"
    "{\n"
    "    size_t g = get_global_id(0);\n"
    "    uint state[4] = {g, 1, 2, 3}, i;\n"
    "    block(state, salt[0]);\n"
    "    block(state, salt[g & 7]);\n"
    "    for (i = 0; i < passes; i++) {\n"
    "        if (state[i & 3] & 1) block(state, salt[i & 7]);\n"
    "        else block(state, state[3]);\n"
    "    }\n"
    "    block(state, salt[1]);\n"
    "    block(state, i);\n"
    "    out[g] = state[0] ^ state[1] ^ state[2] ^ state[3];\n"
    "}\n";

int main(void)
{
    struct bench b = open_bench(src, "", 0);
    cl_kernel k = kernel(&b, "crack");
    cl_uint salt[8], out[ITEMS], sum = 0;
    cl_int passes = 3;
    cl_mem in, result = buffer(&b, sizeof(out), NULL);

    for (cl_uint i = 0; i < 8; i++)
        salt[i] = 0x9e3779b9u * (i + 1);
    in = buffer(&b, sizeof(salt), salt);
    arg(k, 0, sizeof(in), &in);
    arg(k, 1, sizeof(result), &result);
    arg(k, 2, sizeof(passes), &passes);
    run1(&b, k, ITEMS, 32);
    fetch(&b, result, sizeof(out), out);
    for (int i = 0; i < ITEMS; i++)
        sum = 31 * sum + out[i];
    printf("%08x %08x %08x\n", out[0], out[ITEMS - 1], sum);
    clReleaseMemObject(in);
    clReleaseMemObject(result);
    clReleaseKernel(k);
    close_bench(&b);
    return 0;
}
