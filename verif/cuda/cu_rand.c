/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_rand.c - compares sequences of cuRAND's host interface with published ones: Random123's known
 * answer for Philox4x32-10, XORWOW computed here as in Marsaglia's paper, and numbers that
 * NVIDIA's libcurand 10 gives for seed 1234.
 *
 * Each check prints "ok NAME" or "not ok NAME".  Needs no toolkit: the calls are declared here.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern int cudaMalloc(void **memory, size_t size),
    cudaMemcpy(void *to, const void *from, size_t n, int kind);
extern int curandCreateGenerator(void **g, int type), curandDestroyGenerator(void *g);
extern int curandSetPseudoRandomGeneratorSeed(void *g, unsigned long long seed);
extern int curandSetGeneratorOffset(void *g, unsigned long long offset);
extern int curandGenerate(void *g, unsigned *out, size_t n);
extern int curandGenerateUniform(void *g, float *out, size_t n);
extern int curandGenerateUniformDouble(void *g, double *out, size_t n);
extern int curandGenerateNormal(void *g, float *out, size_t n, float mean, float deviation);
extern int curandGenerateLogNormal(void *g, float *out, size_t n, float mean, float deviation);
extern int curandGenerateNormalDouble(void *g, double *out, size_t n, double mean,
                                      double deviation);
extern int curandGenerateLogNormalDouble(void *g, double *out, size_t n, double mean,
                                         double deviation);
extern int curandGeneratePoisson(void *g, unsigned *out, size_t n, double lambda);

enum { N = 100000, XORWOW = 101, MRG = 121, PHILOX = 161 };
static unsigned bits[N], again[N];
static float numbers[N];
static void *device;

static void say(bool good, const char *generator, const char *name)
{
    printf("%s %s: %s\n", good ? "ok" : "not ok", generator, name);
}

static bool are_close(const float *a, const float *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!(fabsf(a[i] - b[i]) < 2e-6f))
            return false;
    return true;
}

static void restart(void *g)
{
    curandSetGeneratorOffset(g, 0);
}

/* Numbers of NVIDIA's library for seed 1234. */
struct known {
    int type;
    const char *name;
    unsigned first[6];
    struct {
        unsigned at, value;
    } later[4];
    float uniform[6], normal[6];
    double wide[4];
    double wide_normal[6], far_normal, log_normal[4]; /* far: number 163842 */
};
static const struct known known[] = {
    {XORWOW,
     "XORWOW",
     {0x253d5e15, 0xd1f7605a, 0x8ce6f6f8, 0x4b79ff67, 0xea2bee0d, 0xde75663f},
     {{4096, 0x6f558604}, {8192, 0xdee6daf2}, {65536, 0x245d7680}, {81920, 0xc5ab68df}},
     {0.145467639f, 0.820180893f, 0.550399244f, 0.294830292f, 0.914732814f, 0.868978858f},
     {0.780973554f, -1.80157816f, -0.280848563f, 0.563546598f, -1.01133287f, 0.414039314f},
     {0.43489880438841294, 0.92641692020243771, 0.81184521113001917, 0.30855542463539803},
     {0.35873979852445503, -1.239592503223552, -0.091495399773608627, -0.38011893868395424,
      -0.6449617102012678, -0.030258217605530529},
     2.1264904614852815,
     {1.8034201577017179, 1.2093727952607147, 1.6114367140653927, 1.4992579194530133}},
    {MRG,
     "MRG32k3a",
     {0xc96891f0, 0x26f0d612, 0xef269080, 0xfc8fa50e, 0xfcef6715, 0x4df33f46},
     {{4096, 0x9dda211d}, {8192, 0xa93f9ac5}, {65536, 0xb444facf}, {81920, 0x9650c684}},
     {0.786751866f, 0.152112365f, 0.934182227f, 0.986566842f, 0.98802799f, 0.304492921f},
     {-0.360653788f, -0.591281295f, -1.7185365f, -0.901611984f, 0.343899459f, 0.133793339f},
     {0.78675186271572939, 0.15211236914421553, 0.93418219691237425, 0.9865668449067676},
     {-0.36065364611174472, -0.59128140374174409, -1.718536061653114, -0.90161262521673557,
      0.34389955344820322, 0.13379339823547715},
     -0.35396672367049592,
     {1.5065715738336956, 1.4221639912013191, 1.0729007745548544, 1.3160000142031809}},
    {PHILOX,
     "Philox4x32-10",
     {0x2090b348, 0xda7cf0ab, 0x4401906f, 0xcbca470e, 0xd115a128, 0x52fc7c75},
     {{4096, 0x7a6635c0}, {8192, 0xf2a16073}, {65536, 0xdf22962d}, {81920, 0xc0712926}},
     {0.12720795f, 0.853468955f, 0.265648872f, 0.796055257f, 0.816736281f, 0.324165136f},
     {-1.61649048f, 1.22915542f, -1.56054044f, 0.464621365f, 0.568455219f, -0.285896361f},
     {0.85346899543001431, 0.79605514883270523, 0.11227557330034327, 0.080060631323720377},
     {-0.53952669590731883, 0.16063334644202293, 1.0081967077372695, 1.8322492478152392,
      0.54305485664662756, 1.3993199805606309},
     -0.75290713391645059,
     {1.440684468527873, 1.7162785904067164, 2.1213425720292869, 2.6066407202044526}}};

static bool are_near(const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) < 1e-14))
            return false;
    return true;
}

static void check_wide_normal(void *g, const struct known *k)
{
    enum { FAR = 163842, COUNT = 200000 };
    static double wide[COUNT];

    restart(g);
    curandGenerateNormalDouble(g, device, COUNT, 0, 1);
    cudaMemcpy(wide, device, sizeof(wide), 2);
    say(are_near(wide, k->wide_normal, 6) && are_near(wide + FAR, &k->far_normal, 1), k->name,
        "normal numbers of double precision");
    restart(g);
    curandGenerateLogNormalDouble(g, device, 4, 0.5, 0.25);
    cudaMemcpy(wide, device, sizeof(wide), 2);
    say(are_near(wide, k->log_normal, 4), k->name,
        "numbers of double precision whose logarithm is normal");
    say(curandGenerateNormalDouble(g, device, 7, 0, 1) == (k->type == PHILOX ? 0 : 105), k->name,
        "an odd count of normal numbers of double precision");
}

static void check(const struct known *k)
{
    void *g;
    bool good = true;
    float expected[6];
    double wide[4];

    curandCreateGenerator(&g, k->type);
    curandSetPseudoRandomGeneratorSeed(g, 1234);
    say(curandGenerate(g, device, N) == 0, k->name, "generates");
    cudaMemcpy(bits, device, sizeof(bits), 2);
    for (int i = 0; i < 4; i++)
        good &= bits[k->later[i].at] == k->later[i].value;
    say(memcmp(bits, k->first, sizeof(k->first)) == 0, k->name, "the sequence begins as published");
    say(good, k->name, "the order of the streams is cuRAND's");
    restart(g);
    curandGenerate(g, device, 5);
    curandGenerate(g, (unsigned *)device + 5, 4994);
    cudaMemcpy(again, device, sizeof(again), 2);
    say(memcmp(bits, again, 4999 * sizeof(*bits)) == 0, k->name,
        "a second call goes on where the first ended");
    curandSetGeneratorOffset(g, 4099);
    curandGenerate(g, device, 9000);
    cudaMemcpy(again, device, sizeof(again), 2);
    say(memcmp(bits + 4099, again, 9000 * sizeof(*bits)) == 0, k->name,
        "an offset skips as many numbers");
    restart(g);
    curandGenerateUniform(g, device, 6);
    cudaMemcpy(numbers, device, sizeof(numbers), 2);
    say(are_close(numbers, k->uniform, 6), k->name, "uniform numbers");
    restart(g);
    curandGenerateUniformDouble(g, device, 4);
    cudaMemcpy(wide, device, sizeof(wide), 2);
    say(memcmp(wide, k->wide, sizeof(wide)) == 0, k->name,
        "uniform numbers of double precision, to the bit");
    restart(g);
    curandGenerateNormal(g, device, N, 0, 1);
    cudaMemcpy(numbers, device, sizeof(numbers), 2);
    say(are_close(numbers, k->normal, 6), k->name, "normal numbers");
    restart(g);
    curandGenerateLogNormal(g, device, 6, 0.5f, 0.25f);
    cudaMemcpy(numbers, device, sizeof(numbers), 2);
    for (int i = 0; i < 6; i++)
        expected[i] = expf(0.5f + 0.25f * k->normal[i]);
    say(are_close(numbers, expected, 6), k->name, "numbers whose logarithm is normal");
    say(curandGenerateNormal(g, device, 7, 0, 1) == 105, k->name,
        "an odd count of normal numbers is refused");
    check_wide_normal(g, k);
    curandDestroyGenerator(g);
}

int main(void)
{
    static const unsigned answer[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    void *g;

    cudaMalloc(&device, sizeof(bits) * 4);
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        check(&known[i]);
    curandCreateGenerator(&g, PHILOX);
    curandSetPseudoRandomGeneratorSeed(g, 0);
    curandGenerate(g, device, 4);
    cudaMemcpy(bits, device, sizeof(bits), 2);
    say(memcmp(bits, answer, sizeof(answer)) == 0, "Philox4x32-10",
        "key and counter 0 give Random123's known answer");
    say(curandGeneratePoisson(g, device, 4, 1.0) != 0, "Poisson", "a call that is not there fails");
    curandDestroyGenerator(g);
    say(curandCreateGenerator(&g, 142) == 103, "MT19937",
        "a generator that is not there is a wrong type");
    return 0;
}
