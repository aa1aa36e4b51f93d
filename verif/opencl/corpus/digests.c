/* SPDX-License-Identifier: Apache-2.0
 * SHA-256, MD5 and XTEA of many short messages, a CRC by table: unsigned arithmetic and rotations.
 */
#include "corpus.h"
static const char src[] =
    "constant uint K[64] = "
    "{0x428a2f98,0x71374491,0xb5c0fbcf,0xe9b5dba5,0x3956c25b,0x59f111f1,0x923f82a4,0xab1c5ed5,"
    "0xd807aa98,0x12835b01,0x243185be,0x550c7dc3,0x72be5d74,0x80deb1fe,0x9bdc06a7,0xc19bf174,\n"
    "0xe49b69c1,0xefbe4786,0x0fc19dc6,0x240ca1cc,0x2de92c6f,0x4a7484aa,0x5cb0a9dc,0x76f988da,"
    "0x983e5152,0xa831c66d,0xb00327c8,0xbf597fc7,0xc6e00bf3,0xd5a79147,0x06ca6351,0x14292967,\n"
    "0x27b70a85,0x2e1b2138,0x4d2c6dfc,0x53380d13,0x650a7354,0x766a0abb,0x81c2c92e,0x92722c85,"
    "0xa2bfe8a1,0xa81a664b,0xc24b8b70,0xc76c51a3,0xd192e819,0xd6990624,0xf40e3585,0x106aa070,\n"
    "0x19a4c116,0x1e376c08,0x2748774c,0x34b0bcb5,0x391c0cb3,0x4ed8aa4a,0x5b9cca4f,0x682e6ff3,"
    "0x748f82ee,0x78a5636f,0x84c87814,0x8cc70208,0x90befffa,0xa4506ceb,0xbef9a3f7,0xc67178f2};\n"
    "#define R(x, n) rotate((uint)(x), (uint)(32 - (n)))\n"
    "kernel void sha(global const uint *in, global uint *out) {\n"
    "  uint w[64], h[8] = "
    "{0x6a09e667,0xbb67ae85,0x3c6ef372,0xa54ff53a,0x510e527f,0x9b05688c,0x1f83d9ab,0x5be0cd19}; "
    "size_t g = get_global_id(0);\n"
    "  for (int i = 0; i < 16; i++) w[i] = i < 4 ? in[g * 4 + i] : i == 4 ? 0x80000000u : i == 15 "
    "? 128 : 0;\n"
    "  for (int i = 16; i < 64; i++) { uint a = w[i - 15], b = w[i - 2]; w[i] = w[i - 16] + w[i - "
    "7] + (R(a, 7) ^ R(a, 18) ^ a >> 3) + (R(b, 17) ^ R(b, 19) ^ b >> 10); }\n"
    "  uint s[8]; for (int i = 0; i < 8; i++) s[i] = h[i];\n"
    "  for (int i = 0; i < 64; i++) { uint t1 = s[7] + (R(s[4], 6) ^ R(s[4], 11) ^ R(s[4], 25)) + "
    "bitselect(s[6], s[5], s[4]) + K[i] + w[i];\n"
    "    uint t2 = (R(s[0], 2) ^ R(s[0], 13) ^ R(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ "
    "(s[1] & s[2]));\n"
    "    s[7] = s[6]; s[6] = s[5]; s[5] = s[4]; s[4] = s[3] + t1; s[3] = s[2]; s[2] = s[1]; s[1] = "
    "s[0]; s[0] = t1 + t2; }\n"
    "  for (int i = 0; i < 8; i++) out[g * 8 + i] = h[i] + s[i]; }\n"
    "#define F(x,y,z) ((z) ^ ((x) & ((y) ^ (z))))\n#define STEP(f,a,b,c,d,x,t,s) (a) += "
    "f((b),(c),(d)) + (x) + (t); (a) = rotate((a), (uint)(s)) + (b)\n"
    "kernel void md(global const uint *in, global uint4 *out) { uint a = 0x67452301, b = "
    "0xefcdab89, c = 0x98badcfe, d = 0x10325476; size_t g = get_global_id(0);\n"
    "  for (int i = 0; i < 4; i++) { uint x = in[g * 4 + i]; STEP(F, a, b, c, d, x, 0xd76aa478u, "
    "7); STEP(F, d, a, b, c, x, 0xe8c7b756u, 12); STEP(F, c, d, a, b, x, 0x242070dbu, 17); STEP(F, "
    "b, c, d, a, x, 0xc1bdceeeu, 22); }\n"
    "  out[g] = (uint4)(a, b, c, d); }\n"
    "kernel void tea(global uint2 *v, constant uint *key) { uint2 x = v[get_global_id(0)]; uint s "
    "= 0;\n"
    "  for (int i = 0; i < 32; i++) { x.x += ((x.y << 4 ^ x.y >> 5) + x.y) ^ (s + key[s & 3]); s "
    "+= 0x9e3779b9; x.y += ((x.x << 4 ^ x.x >> 5) + x.x) ^ (s + key[s >> 11 & 3]); }\n"
    "  v[get_global_id(0)] = x; }\n"
    "kernel void crc(global const uchar *in, global ushort *out, local ushort *t) { int l = "
    "get_local_id(0);\n"
    "  for (int i = l; i < 256; i += get_local_size(0)) { ushort c = (ushort)(i << 8); for (int k "
    "= 0; k < 8; k++) c = c & 0x8000 ? (ushort)(c << 1) ^ (ushort)0x1021 : (ushort)(c << 1); t[i] "
    "= c; }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE); ushort c = 0xffff; for (int i = 0; i < 16; i++) c = "
    "(ushort)(c << 8) ^ t[(c >> 8 ^ in[get_global_id(0) * 16 + i]) & 255]; out[get_global_id(0)] = "
    "c; }\n";
int main(void)
{
    struct bench b = open_bench(src, NULL, 0);
    static unsigned in[256 * 4], out[256 * 8], key[4] = {1, 2, 3, 4};
    for (int i = 0; i < 1024; i++)
        in[i] = (unsigned)i * 2654435761u;
    cl_mem mi = buffer(&b, sizeof(in), in), mo = buffer(&b, sizeof(out), NULL),
           mk = buffer(&b, sizeof(key), key);
    const char *names[] = {"sha", "md", "tea", "crc"};
    for (int i = 0; i < 4; i++) {
        cl_kernel k = kernel(&b, names[i]);
        arg(k, 0, sizeof(mi), &mi);
        arg(k, 1, sizeof(mo), i == 2 ? &mk : &mo);
        if (i == 3)
            arg(k, 2, 512, NULL);
        run1(&b, k, 256, 64);
        fetch(&b, i == 2 ? mi : mo, i == 0 ? 8192 : i == 3 ? 512 : i == 1 ? 4096 : 2048, out);
        printf("%s %08x %08x\n", names[i], out[0],
               hash_of(out, i == 0   ? 8192
                            : i == 3 ? 512
                            : i == 1 ? 4096
                                     : 2048));
    }
    return 0;
}
