/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_cluster - clusters of several blocks, rule by rule as the PTX ISA states them: registers,
 * addresses of other blocks' shared memory, barriers, and what launches may ask for.  Prints
 * "ok NAME" or "not ok NAME".  With an argument, launches a kernel of that name that cannot end.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cu_driver.h"

enum { RESULTS = 4, BLOCKS_MOST = 32, INVALID_CLUSTER = 912 };

extern int cuFuncGetAttribute(int *value, int attribute, CUfunction f);
extern int cuOccupancyMaxActiveClusters(int *clusters, CUfunction f,
                                        const struct cu_launch *launch);
extern int cuOccupancyMaxPotentialClusterSize(int *blocks, CUfunction f, const void *launch);
extern int cuGraphCreate(void **graph, unsigned flags);
extern int cuGraphAddKernelNode(void **node, void *graph, void *const *after, size_t count,
                                const void *params);
extern int cuGraphKernelNodeSetAttribute(void *node, int attribute, const void *value);
extern int cuGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long flags);
extern int cuGraphLaunch(void *exec, void *stream);

/* %t: the thread; %rank: its block's; %other: the rank of the next block; %mem: 256 bytes of shared
 * memory, zeros; %wide: their generic address; %bar: a barrier of one arrival; %out: the block's
 * results; %flag: a word of global memory, 0.  Thread 0 keeps results. */
#define WORD(n, r) "@%first st.global.u32 [%out+" #n "], " r ";\n"
#define SYNC "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
#define WAIT(name)                                                                                 \
    name ": mbarrier.try_wait.parity.shared::cta.b64 %p, [%bar], 0;\n@!%p bra " name ";\n"

struct test {
    const char *name, *code;
    unsigned grid[3], cluster[3], threads;
    uint32_t (*expected)(unsigned x, unsigned y, unsigned n);
};

static uint32_t registers(unsigned x, unsigned y, unsigned n)
{
    const uint32_t all[] = {y % 3 * 2 + x % 2, x / 2 + y / 3 * 10, x % 2 + y % 3 * 10,
                            2000 + 300 + 60 + 1};

    return all[n];
}
static uint32_t mapped(unsigned x, unsigned y, unsigned n)
{
    unsigned next = (x + 1) % 3;
    const uint32_t all[] = {next * 7, next * 7, next * 10 + next, x * 10 + 3};

    (void)y;
    return all[n];
}
static uint32_t atomics(unsigned x, unsigned y, unsigned n)
{
    (void)y;
    return n == 0 ? (x % 4 == 0 ? 4 * 40 : 0) : n == 1 ? 40 : n == 2 ? (x % 4 == 0 ? 3 : 0) : 0;
}
static uint32_t delivered(unsigned x, unsigned y, unsigned n)
{
    const uint32_t all[] = {5 + (x + 1) % 2, 8, 0x12345678, 20 + (x + 1) % 2};

    (void)y;
    return all[n];
}
static uint32_t left(unsigned x, unsigned y, unsigned n)
{
    (void)y;
    return n == 0 ? (x + 1) % 2 + 1 : 0;
}
static uint32_t arrived(unsigned x, unsigned y, unsigned n)
{
    (void)y;
    return n == 0 ? 1 + (x + 3) % 4 : n == 1 ? 77 : 0;
}
static uint32_t flagged(unsigned x, unsigned y, unsigned n)
{
    (void)y;
    return n == 0 && x == 0 ? 9 : 0;
}
static uint32_t given_up(unsigned x, unsigned y, unsigned n)
{
    (void)x, (void)y;
    return n == 0;
}
static uint32_t sixteen(unsigned x, unsigned y, unsigned n)
{
    (void)y;
    return n == 0 ? (x + 1) % 16 : 0;
}

static const struct test tests[] = {
    {"registers name the place in the cluster and in the grid",
     WORD(0,
          "%rank") "mov.u32 %r, %clusterid.y;\nmov.u32 %v, %clusterid.x;\nmad.lo.u32 %r, %r, 10, "
                   "%v;\n" WORD(4, "%r") "mov.u32 %r, %cluster_ctaid.y;\nmov.u32 %v, "
                                         "%cluster_ctaid.x;\nmad.lo.u32 %r, %r, 10, %v;\n" WORD(
                                             8, "%r") "mov.u32 %r, %nclusterid.x;\nmul.lo.u32 %r, "
                                                      "%r, 1000;\nmov.u32 %v, "
                                                      "%cluster_nctaid.y;\nmad.lo.u32 %r, %v, "
                                                      "100, %r;\nmov.u32 %v, "
                                                      "%cluster_nctarank;\nmad.lo.u32 %r, %v, 10, "
                                                      "%r;\nmov.pred %p, "
                                                      "%is_explicit_cluster;\n@%p add.u32 %r, %r, "
                                                      "1;\n" WORD(12, "%r"),
     {4, 6, 1},
     {2, 3, 1},
     3,
     registers},
    {"mapa gives the place in another block",
     "mul.lo.u32 %r, %rank, 7;\nst.shared.u32 [%mem+8], %r;\n" SYNC
     "mapa.shared::cluster.u32 %a, %mem, %other;\nld.shared::cluster.u32 %r, [%a+8];\n" WORD(
         0,
         "%r") "mapa.u64 %q, %wide, %other;\nld.u32 %r, [%q+8];\n" WORD(4,
                                                                        "%r") "getctarank.u64 %r, "
                                                                              "%q;\ngetctarank."
                                                                              "shared::cluster.u32 "
                                                                              "%v, %a;\nmad.lo.u32 "
                                                                              "%r, %r, 10, "
                                                                              "%v;\n" WORD(
                                                                                  8,
                                                                                  "%r") "mul.lo."
                                                                                        "u32 %r, "
                                                                                        "%rank, "
                                                                                        "10;"
                                                                                        "\nisspacep"
                                                                                        ".shared::"
                                                                                        "cta %p, "
                                                                                        "%q;\n@%p "
                                                                                        "add.u32 "
                                                                                        "%r, %r, "
                                                                                        "4;"
                                                                                        "\nisspacep"
                                                                                        ".shared::"
                                                                                        "cluster "
                                                                                        "%p, "
                                                                                        "%q;\n@%p "
                                                                                        "add.u32 "
                                                                                        "%r, %r, "
                                                                                        "1;"
                                                                                        "\nisspacep"
                                                                                        ".shared::"
                                                                                        "cta %p, "
                                                                                        "%wide;\n@%"
                                                                                        "p add.u32 "
                                                                                        "%r, %r, "
                                                                                        "2;\n" WORD(
                                                                                            12,
                                                                                            "%r")
                                                                                            SYNC,
     {3, 1, 1},
     {3, 1, 1},
     64,
     mapped},
    {"atomics reach one block from all",
     "mapa.shared::cluster.u32 %a, %mem, 0;\natom.shared::cluster.add.u32 %r, [%a], 1;\nmapa.u64 "
     "%q, "
     "%wide, %other;\nred.add.u32 [%q+4], 1;\nmax.u32 %r, %rank, 0;\nred.relaxed.cluster.shared::"
     "cluster.max.u32 [%a+8], %r;\n" SYNC
     "ld.shared.u32 %r, [%mem];\n" WORD(0, "%r") "ld.shared.u32 %r, [%mem+4];\n" WORD(
         4, "%r") "ld.shared.u32 %r, [%mem+8];\n" WORD(8, "%r") SYNC,
     {8, 1, 1},
     {4, 1, 1},
     40,
     atomics},
    {"asynchronous stores and reductions tell the other block's barrier",
     "mapa.shared::cluster.u32 %a, %mem, %other;\nmapa.shared::cluster.u32 %b, %bar, %other;\n"
     "@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 44;\nadd.u32 %r, %rank, 5;\n"
     "@%first st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%a], {%r, 7, 8, "
     "9}, "
     "[%b];\nmov.b64 %q, 0x1234567800000000;\n"
     "@%first st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%a+16], {%q, %q}, "
     "[%b];\n"
     "@%first st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%a+32], 20, [%b];\n"
     "@%first red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
     "[%a+32], %rank, [%b];\n"
     "@%first red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 "
     "[%a+36], 5, [%b];\n" WAIT("again") "ld.shared.u32 %r, [%mem];\n" WORD(
         0, "%r") "ld.shared.u32 %r, [%mem+8];\n" WORD(4, "%r") "ld.shared.u32 %r, "
                                                                "[%mem+28];\n" WORD(
                                                                    8, "%r") "ld."
                                                                             "shared."
                                                                             "u32 %r, "
                                                                             "[%mem+"
                                                                             "32];"
                                                                             "\n" WORD(12, "%r")
                                                                                 SYNC,
     {4, 1, 1},
     {2, 1, 1},
     32,
     delivered},
    {"threads that have ended are not waited for",
     "add.u32 %r, %rank, 1;\nmapa.shared::cluster.u32 %a, %mem, %other;\n@%first "
     "st.shared::cluster.u32 [%a], %r;\nand.b32 %r, %t, 1;\nsetp.eq.u32 %p, %r, 1;\n@%p "
     "exit;\n" SYNC "ld.shared.u32 %r, [%mem];\n" WORD(0, "%r") SYNC,
     {2, 1, 1},
     {2, 1, 1},
     64,
     left},
    {"work between arrive and wait, and a remote arrival with a count",
     "mapa.shared::cluster.u32 %a, %mem, %other;\nadd.u32 %r, %rank, 1;\n@%first "
     "st.shared::cluster.u32 [%a], %r;\n@%first mbarrier.init.shared.b64 [%bar], 3;\n"
     "barrier.cluster.arrive.release.aligned;\nmov.u32 %v, "
     "77;\nbarrier.cluster.wait.acquire.aligned;"
     "\nmapa.shared::cluster.u32 %b, %bar, %other;\n@%first "
     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%b], 2;\n@%first "
     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%b];\n" WAIT(
         "again") "ld.shared.u32 %r, [%mem];\n" WORD(0, "%r")
         WORD(4, "%v") "barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;\n",
     {4, 1, 1},
     {4, 1, 1},
     64,
     arrived},
    {"a cluster may wait for another one",
     "setp.eq.u32 %p, %ctaid_x, 0;\n@!%p bra set;\nagain: ld.acquire.gpu.global.u32 %r, "
     "[%flag];\nsetp.eq.u32 %p, %r, 0;\n@%p bra again;\n" WORD(
         0, "%r") "bra behind;\nset: "
                  "setp.eq.u32 %p, %ctaid_x, 5;\n@%p st.release.gpu.global.u32 [%flag], "
                  "9;\nbehind:\n" SYNC,
     {6, 1, 1},
     {2, 1, 1},
     32,
     flagged},
    {"a wait that no block ends is given up",
     "mbarrier.try_wait.parity.shared::cta.b64 %p, [%bar], 0;\nselp.u32 %r, 0, 1, %p;\n" WORD(
         0, "%r") SYNC,
     {4, 1, 1},
     {2, 1, 1},
     32,
     given_up},
    {"sixteen blocks, which a program has allowed",
     "mapa.shared::cluster.u32 %a, %mem, %other;\nst.shared.u32 [%mem], %rank;\n" SYNC
     "ld.shared::cluster.u32 %r, [%a];\n" WORD(0, "%r") SYNC,
     {32, 1, 1},
     {16, 1, 1},
     32,
     sixteen},
};
#define TESTS (sizeof(tests) / sizeof(tests[0]))

#define FRAME                                                                                      \
    "(.param .u64 out, .param .u64 flag) {\n"                                                      \
    ".reg .b32 %t, %rank, %other, %mem, %bar, %r, %v, %a, %b, %ctaid_x;\n.reg .b64 %wide, "        \
    "%out, %q, %flag;\n.reg .pred %p, %first;\n.shared .align 16 .b8 memory[256];\n"               \
    ".shared .align 8 .b64 barrier;\nld.param.u64 %out, [out];\nld.param.u64 %flag, [flag];\n"     \
    "mov.u32 %t, %tid.x;\nsetp.eq.u32 %first, %t, 0;\nmov.u32 %rank, %cluster_ctarank;\nadd.u32 "  \
    "%other, %rank, 1;\nmov.u32 %r, %cluster_nctarank;\nrem.u32 %other, %other, %r;\nmov.u32 "     \
    "%mem, memory;\nmov.u32 %bar, barrier;\nmov.u64 %wide, memory;\ncvta.shared.u64 %wide, "       \
    "%wide;\nmov.u32 %ctaid_x, "                                                                   \
    "%ctaid.x;\nmov.u32 %r, %ctaid.y;\nmov.u32 %v, %nctaid.x;\nmad.lo.u32 %r, %r, %v, "            \
    "%ctaid_x;\nmul.wide.u32 %q, %r, 16;\nadd.u64 %out, %out, %q;\n@%first "                       \
    "mbarrier.init.shared.b64 [%bar], 1;\nmov.u32 %v, 0;\nclear: add.u32 %r, %mem, "               \
    "%v;\n@%first st.shared.u32 [%r], 0;\nadd.u32 %v, %v, 4;\nsetp.lt.u32 %p, %v, 256;\n@%p bra "  \
    "clear;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n"

static const char declared[] =
    ".visible .entry pairs" FRAME "ret;\n}\n"
    ".visible .entry few(.param .u64 out, .param .u64 flag) .maxclusterrank 2 {\nret;\n}\n"
    ".visible .entry own(.param .u64 out, .param .u64 flag) .explicitcluster .reqnctapercluster 2, "
    "1, 1 {\nret;\n}\n"
    ".visible .entry some(.param .u64 out, .param .u64 flag) .explicitcluster {\nret;\n}\n"
    ".visible .entry forever" FRAME
    "again: mbarrier.try_wait.parity.shared.b64 %p, [%bar], 0;\n@!%p bra again;\nret;\n}\n";

static char *write_module(void)
{
    size_t room = 1 << 16, used = 0;
    char *text = malloc(room);

    if (text == NULL)
        return NULL;
    used += (size_t)snprintf(text, room, ".version 8.6\n.target sm_90\n.address_size 64\n");
    for (size_t i = 0; i < TESTS; i++)
        used += (size_t)snprintf(text + used, room - used, ".visible .entry test%zu%s%sret;\n}\n",
                                 i, FRAME, tests[i].code);
    snprintf(text + used, room - used, "%s", declared);
    return text;
}

static int launch(CUfunction f, const unsigned *grid, const unsigned *cluster, unsigned threads,
                  void **args)
{
    struct cu_attribute size = {4, 0, {cluster[0], cluster[1], cluster[2]}};
    const struct cu_launch how = {
        {grid[0], grid[1], grid[2]}, {threads, 1, 1}, 0, NULL, &size, cluster[0] != 0};

    return cuLaunchKernelEx(&how, f, args, NULL);
}

static bool run(CUmodule module, size_t number, CUdeviceptr out, CUdeviceptr flag)
{
    const struct test *t = &tests[number];
    unsigned blocks = t->grid[0] * t->grid[1];
    uint32_t result[BLOCKS_MOST][RESULTS] = {{0}}, zero = 0;
    void *args[] = {&out, &flag};
    char name[32];
    CUfunction f;

    snprintf(name, sizeof(name), "test%zu", number);
    cuMemcpyHtoD_v2(out, result, sizeof(result));
    cuMemcpyHtoD_v2(flag, &zero, sizeof(zero));
    if (cuModuleGetFunction(&f, module, name) != 0 ||
        (t->cluster[0] > 8 && cuFuncSetAttribute(f, 14, 1) != 0) ||
        launch(f, t->grid, t->cluster, t->threads, args) != 0 ||
        cuMemcpyDtoH_v2(result, out, sizeof(result)) != 0)
        return false;
    for (unsigned b = 0; b < blocks; b++)
        for (unsigned n = 0; n < RESULTS; n++) {
            uint32_t expected = t->expected(b % t->grid[0], b / t->grid[0], n);

            if (result[b][n] != expected) {
                fprintf(stderr, "%s: result %u of block %u is %u, expected %u\n", t->name, n, b,
                        result[b][n], expected);
                return false;
            }
        }
    return true;
}

static int bad;
static void check(bool good, const char *name)
{
    printf("%s %s\n", good ? "ok" : "not ok", name);
    bad |= !good;
}

/* Which sizes of a cluster are accepted. */
static void test_sizes(CUmodule module, void **args)
{
    static const unsigned six[] = {6, 1, 1}, pair[] = {2, 1, 1}, four[] = {4, 1, 1};
    static const unsigned many[] = {16, 1, 1}, none[] = {0, 0, 0}, eight[] = {8, 1, 1};
    struct cu_attribute size = {4, 0, {4, 1, 1}};
    const struct cu_launch how = {{8, 1, 1}, {64, 1, 1}, 0, NULL, &size, 1};
    CUfunction pairs, few, own, some;
    int blocks = 0, clusters = 0, width = 0;

    cuModuleGetFunction(&pairs, module, "pairs");
    cuModuleGetFunction(&few, module, "few");
    cuModuleGetFunction(&own, module, "own");
    cuModuleGetFunction(&some, module, "some");
    check(launch(pairs, six, four, 32, args) == INVALID_CLUSTER,
          "clusters that do not divide the grid are refused");
    check(launch(pairs, many, many, 32, args) == INVALID_CLUSTER &&
              launch(pairs, many, eight, 32, args) == 0,
          "more than eight blocks are refused");
    check(launch(few, four, four, 32, args) == INVALID_CLUSTER &&
              launch(few, four, pair, 32, args) == 0,
          ".maxclusterrank limits a cluster");
    check(launch(own, four, none, 32, args) == 0 && launch(own, six, pair, 32, args) == 0 &&
              launch(own, four, four, 32, args) == INVALID_CLUSTER &&
              cuFuncGetAttribute(&width, 11, own) == 0 && width == 2,
          ".reqnctapercluster is the size of a cluster");
    check(launch(some, four, none, 32, args) == INVALID_CLUSTER &&
              launch(some, four, pair, 32, args) == 0,
          ".explicitcluster needs a size");
    check(cuOccupancyMaxPotentialClusterSize(&blocks, pairs, &how) == 0 && blocks == 8 &&
              cuOccupancyMaxActiveClusters(&clusters, pairs, &how) == 0 && clusters > 0,
          "occupancy names clusters");
}

struct kernel {
    CUfunction function;
    unsigned grid[3], block[3], shared;
    void **args, **extra, *kernel, *context;
};

static void test_graph(CUmodule module, CUdeviceptr out, void **args)
{
    static const unsigned size[16] = {3, 1, 1};
    struct kernel params = {NULL, {3, 1, 1}, {64, 1, 1}, 0, args, NULL, NULL, NULL};
    uint32_t result[3][RESULTS] = {{0}};
    void *graph, *node, *exec;

    cuMemcpyHtoD_v2(out, result, sizeof(result));
    cuModuleGetFunction(&params.function, module, "test1");
    check(cuGraphCreate(&graph, 0) == 0 &&
              cuGraphAddKernelNode(&node, graph, NULL, 0, &params) == 0 &&
              cuGraphKernelNodeSetAttribute(node, 4, size) == 0 &&
              cuGraphInstantiateWithFlags(&exec, graph, 0) == 0 && cuGraphLaunch(exec, NULL) == 0 &&
              cuMemcpyDtoH_v2(result, out, sizeof(result)) == 0 && result[1][0] == mapped(1, 0, 0),
          "a node of a graph has clusters");
}

int main(int argc, char **argv)
{
    static const unsigned pair[] = {2, 1, 1};
    char *text = write_module();
    CUdeviceptr out, flag;
    void *args[] = {&out, &flag};
    CUmodule module;
    CUfunction f;

    if (text == NULL)
        return 1;
    if (argc > 1 && strcmp(argv[1], "text") == 0)
        return fputs(text, stdout) < 0;
    if (cuInit(0) != 0 || cuModuleLoadData(&module, text) != 0 ||
        cuMemAlloc_v2(&out, BLOCKS_MOST * RESULTS * sizeof(uint32_t)) != 0 ||
        cuMemAlloc_v2(&flag, sizeof(uint32_t)) != 0)
        return 1;
    if (argc > 1)
        return cuModuleGetFunction(&f, module, argv[1]) != 0 ||
               launch(f, pair, pair, 32, args) == 0;
    for (size_t i = 0; i < TESTS; i++)
        check(run(module, i, out, flag), tests[i].name);
    test_sizes(module, args);
    test_graph(module, out, args);
    free(text);
    return bad;
}
