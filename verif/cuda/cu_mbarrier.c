/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_mbarrier - barriers in shared memory (mbarrier), bulk copies, tensor maps and clusters of one
 * block, rule by rule as the PTX ISA states them.  Each kernel has one thread.  Prints "ok NAME" or
 * "not ok NAME".
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cu_driver.h"

enum { RESULTS = 4, INPUTS = 256 };

/* %bar: the barrier's address; %mem: 1024 bytes of shared memory; %in: words 0, 1, 2 ... in global
 * memory; %out: the results.  KEEP(n, p): result n is whether p holds. */
#define OFFSET_0 "0"
#define OFFSET_1 "4"
#define OFFSET_2 "8"
#define OFFSET_3 "12"
#define WORD(n, r) "st.global.u32 [%out+" OFFSET_##n "], " r ";\n"
#define KEEP(n, p) "selp.u32 %v, 1, 0, " p ";\n" WORD(n, "%v")
#define INIT(count) "mbarrier.init.shared::cta.b64 [%bar], " #count ";\n"
#define ARRIVE "mbarrier.arrive.shared::cta.b64 %s, [%bar];\n"
#define OVER(parity) "mbarrier.test_wait.parity.shared::cta.b64 %p, [%bar], " #parity ";\n"

static const struct test {
    const char *name, *code;
    uint32_t expected[RESULTS];
} tests[] = {
    {"the phase before the first is over, the first is not",
     INIT(1) OVER(1) KEEP(0, "%p") OVER(0) KEEP(1, "%p"),
     {1, 0}},
    {"the last arrival ends the phase",
     INIT(2) ARRIVE OVER(0) KEEP(0, "%p") ARRIVE OVER(0) KEEP(1, "%p") OVER(1) KEEP(2, "%p"),
     {0, 1, 0}},
    {"the next phase needs as many arrivals",
     INIT(2) ARRIVE ARRIVE ARRIVE OVER(1) KEEP(0, "%p") ARRIVE OVER(1) KEEP(1, "%p"),
     {0, 1}},
    {"a thread arrives for several",
     INIT(5) "mbarrier.arrive.shared.b64 %s, [%bar], 3;\n" OVER(0)
         KEEP(0, "%p") "mbarrier.arrive.release.cta.shared::cta.b64 _, [%bar], 2;\n" OVER(0)
             KEEP(1, "%p"),
     {0, 1}},
    {"the count may be 2^20 - 1",
     INIT(1048575) "mbarrier.arrive.shared.b64 _, [%bar], 1048574;\n" OVER(0) KEEP(0, "%p")
         ARRIVE OVER(0) KEEP(1, "%p"),
     {0, 1}},
    {"a token belongs to the phase of its arrival",
     INIT(1) ARRIVE "mbarrier.test_wait.shared.b64 %p, [%bar], %s;\n" KEEP(0, "%p") INIT(2) ARRIVE
     "mbarrier.try_wait.shared::cta.b64 %p, [%bar], %s;\n" KEEP(1, "%p"),
     {1, 0}},
    {"a token of the phase before is over",
     INIT(1) ARRIVE "mov.b64 %q, %s;\n" ARRIVE ARRIVE
                    "mbarrier.test_wait.shared.b64 %p, [%bar], %s;\n" KEEP(0, "%p"),
     {1}},
    {"pending_count is the count before the arrival",
     INIT(7) "mbarrier.arrive.noComplete.shared.b64 %s, [%bar], 2;\nmbarrier.pending_count.b64 %r, "
             "%s;\n" WORD(0, "%r") "mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %s, "
                                   "[%bar], 4;\nmbarrier.pending_count.b64 %r, %s;\n" WORD(1, "%r")
                                       OVER(0) KEEP(2, "%p"),
     {7, 5, 0}},
    {"expected bytes keep the phase open",
     INIT(1) "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%bar], 48;\n" OVER(0) KEEP(
         0, "%p") "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%bar], 32;\n" OVER(0)
         KEEP(1, "%p") "mbarrier.complete_tx.shared::cta.b64 [%bar], 16;\n" OVER(0) KEEP(2, "%p"),
     {0, 0, 1}},
    {"expect_tx is no arrival",
     INIT(1) "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%bar], "
             "16;\nmbarrier.complete_tx.shared::cta.b64 [%bar], 16;\n" OVER(0) KEEP(0, "%p")
                 ARRIVE OVER(0) KEEP(1, "%p"),
     {0, 1}},
    {"bytes may come before they are expected",
     INIT(2) ARRIVE "mbarrier.complete_tx.shared::cta.b64 [%bar], 1048575;\n" OVER(0) KEEP(
         0,
         "%p") "mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 _, [%bar], 1048575;\n" OVER(0)
         KEEP(1, "%p"),
     {0, 1}},
    {"bytes are counted for each phase",
     INIT(1) "mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 16;\nmbarrier.complete_tx.shared.b64 "
             "[%bar], 16;\n" ARRIVE OVER(1) KEEP(0, "%p") OVER(0) KEEP(1, "%p"),
     {1, 0}},
    {"a thread that drops out arrives once more",
     INIT(2) "mbarrier.arrive_drop.shared.b64 _, [%bar];\n" OVER(0) KEEP(0, "%p") ARRIVE OVER(0)
         KEEP(1, "%p") ARRIVE OVER(1) KEEP(2, "%p"),
     {0, 1, 1}},
    {"several may drop out",
     INIT(6) "mbarrier.arrive_drop.release.cta.shared::cta.b64 %s, [%bar], 4;\n" ARRIVE ARRIVE OVER(
         0) KEEP(0, "%p") ARRIVE OVER(1) KEEP(1, "%p") ARRIVE OVER(1) KEEP(2, "%p"),
     {1, 0, 1}},
    {"arrive_drop.noComplete gives the count before",
     INIT(6) "mbarrier.arrive_drop.noComplete.shared.b64 %s, [%bar], "
             "2;\nmbarrier.pending_count.b64 %r, %s;\n" WORD(
                 0, "%r") "mbarrier.arrive.shared.b64 %s, [%bar], "
                          "4;\nmbarrier.arrive.noComplete.shared.b64 %s, [%bar], "
                          "1;\nmbarrier.pending_count.b64 %r, %s;\n" WORD(1, "%r"),
     {6, 4}},
    {"cp.async.mbarrier.arrive needs an arrival more",
     INIT(1) "cp.async.mbarrier.arrive.shared::cta.b64 [%bar];\n" OVER(0) KEEP(0, "%p")
         ARRIVE OVER(0) KEEP(1, "%p"),
     {0, 1}},
    {"cp.async.mbarrier.arrive.noinc is one that was counted",
     INIT(1) "cp.async.mbarrier.arrive.noinc.shared.b64 [%bar];\n" OVER(0) KEEP(0, "%p"),
     {1}},
    {"a wait that nobody ends is given up",
     INIT(1) "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p, [%bar], 0, 1000;\n" KEEP(
         0, "%p") ARRIVE
     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p, [%bar], 0;\n" KEEP(1, "%p"),
     {0, 1}},
    {"a barrier's address may be generic",
     "cvta.shared.u64 %q, %wide;\nmbarrier.init.b64 [%q], 1;\nmbarrier.arrive.b64 _, "
     "[%q];\nmbarrier.test_wait.parity.b64 %p, [%q], 0;\n" KEEP(0, "%p"),
     {1}},
    {"the memory of an invalid barrier is free",
     INIT(9) "mbarrier.inval.shared.b64 [%bar];\nst.shared.u32 [%bar], 77;\nld.shared.u32 %r, "
             "[%bar];\n" WORD(0, "%r"),
     {77}},
    {"a bulk copy to shared memory delivers its bytes",
     INIT(1) "mbarrier.arrive.expect_tx.shared.b64 _, [%bar], "
             "64;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%mem+16], "
             "[%in+32], 48, [%bar];\n" OVER(0)
                 KEEP(0, "%p") "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes "
                               "[%mem], [%in], 16, [%bar];\n" OVER(0)
                                   KEEP(1, "%p") "ld.shared.u32 %r, [%mem+12];\n" WORD(
                                       2, "%r") "ld.shared.u32 %r, [%mem+60];\n" WORD(3, "%r"),
     {0, 1, 3, 19}},
    {"a bulk copy inside shared memory delivers its bytes",
     INIT(1) "mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 16;\nst.shared.v4.u32 [%mem], {5, 6, "
             "7, 8};\ncp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
             "[%mem+32], [%mem], 16, [%bar];\n" OVER(0)
                 KEEP(0, "%p") "ld.shared.u32 %r, [%mem+40];\n" WORD(1, "%r"),
     {1, 7}},
    {"a bulk copy to global memory writes all its bytes",
     "st.shared.v4.u32 [%mem], {5, 6, 7, "
     "8};\nfence.proxy.async.shared::cta;\ncp.async.bulk.global.shared::cta.bulk_group [%out], "
     "[%mem], 16;\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read "
     "0;\ncp.async.bulk.wait_group 0;\n",
     {5, 6, 7, 8}},
    {"a prefetch changes nothing",
     "cp.async.bulk.prefetch.L2.global [%in], 64;\n" WORD(0, "7"),
     {7}},
    {"a kernel may build a tensor map",
     INIT(1) "st.shared.v4.u32 [%mem+512], {0, 0, 0, 0};\nst.shared.v4.u32 [%mem+528], {0, 0, 0, "
             "0};\n"
             "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%mem+512], "
             "%in;\ntensormap.replace.tile.rank.shared::cta.b1024.b32 [%mem+512], 1;\n"
             "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%mem+512], 0, "
             "4;\ntensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%mem+512], 1, 2;\n"
             "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%mem+512], 0, "
             "16;\ntensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%mem+512], 1, 4;\n"
             "tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%mem+512], 0, 64;\n"
             "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%mem+512], 0, "
             "1;\ntensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%mem+512], 1, 2;\n"
             "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%mem+512], "
             "2;\ntensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%mem+512], 0;\n"
             "tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%mem+512], "
             "0;\ntensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%mem+512], 0;\n"
             "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync."
             "aligned [%in+512], [%mem+512], 128;\n"
             "fence.proxy.tensormap::generic.acquire.gpu [%in+512], 128;\nadd.u64 %q, %in, 512;\n"
             "mbarrier.arrive.expect_tx.shared.b64 _, [%bar], "
             "16;\ncp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes "
             "[%mem], [%q, {14, 3}], [%bar];\n" OVER(0)
                 KEEP(0, "%p") "ld.shared.u32 %r, [%mem];\n" WORD(
                     1, "%r") "ld.shared.u32 %r, [%mem+4];\n" WORD(2, "%r") "ld.shared.u32 %r, "
                                                                            "[%mem+8];\n" WORD(
                                                                                3, "%r"),
     {1, 62, 63, 0}},
    {"a block is a cluster",
     "mov.u32 %r, %cluster_ctarank;\n" WORD(0, "%r") "mov.u32 %r, %cluster_nctarank;\n" WORD(
         1, "%r") "mov.u32 %r, %nclusterid.x;\n" WORD(2, "%r") "mov.pred %p, "
                                                               "%is_explicit_cluster;\n" KEEP(3,
                                                                                              "%p"),
     {0, 1, 1, 0}},
    {"mapa gives the block's own memory",
     "st.shared.u32 [%mem], 31;\nmapa.shared::cluster.u32 %v, %mem, 0;\nld.shared::cluster.u32 %r, "
     "[%v];\n" WORD(0, "%r") "getctarank.shared::cluster.u32 %r, %v;\n" WORD(
         1, "%r") "barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;\n",
     {31, 0}}};
enum { TESTS = sizeof(tests) / sizeof(tests[0]) };

static const char header[] = ".version 8.6\n.target sm_90a\n.address_size 64\n";
static const char prologue[] =
    ".visible .entry test%zu(.param .u64 to, .param .u64 from) {\n"
    ".reg .pred %%p; .reg .b32 %%bar, %%mem, %%v, %%r; .reg .b64 %%out, %%in, %%s, %%q, %%wide;\n"
    ".shared .align 8 .b8 barrier[8]; .shared .align 128 .b8 memory[1024];\n"
    "ld.param.u64 %%out, [to]; cvta.to.global.u64 %%out, %%out;\n"
    "ld.param.u64 %%in, [from]; cvta.to.global.u64 %%in, %%in;\n"
    "mov.u32 %%bar, barrier; mov.u32 %%mem, memory; cvt.u64.u32 %%wide, %%bar;\n";

/* One module of all tests; NULL: out of memory. */
static char *write_module(void)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    if (file == NULL)
        return NULL;
    fputs(header, file);
    for (size_t i = 0; i < TESTS; i++) {
        fprintf(file, prologue, i);
        fprintf(file, "%sret;\n}\n", tests[i].code);
    }
    return fclose(file) == 0 ? text : NULL;
}

static bool run(CUmodule module, size_t number, CUdeviceptr out, CUdeviceptr in)
{
    const struct test *t = &tests[number];
    uint32_t result[RESULTS] = {0};
    void *args[] = {&out, &in};
    char name[32];
    CUfunction f;

    snprintf(name, sizeof(name), "test%zu", number);
    cuMemcpyHtoD_v2(out, result, sizeof(result));
    if (cuModuleGetFunction(&f, module, name) != 0 ||
        cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL) != 0 ||
        cuMemcpyDtoH_v2(result, out, sizeof(result)) != 0)
        return false;
    for (unsigned i = 0; i < RESULTS; i++)
        if (result[i] != t->expected[i]) {
            fprintf(stderr, "%s: result %u is %u, expected %u\n", t->name, i, result[i],
                    t->expected[i]);
            return false;
        }
    return true;
}

/* Kernels that cannot end or run; the driver says why. */
static const char refused[] =
    ".version 8.6\n.target sm_90\n.address_size 64\n"
    ".visible .entry forever() {\n.reg .pred %p; .shared .align 8 .b64 barrier;\n"
    "mbarrier.init.shared.b64 [barrier], 2;\nmbarrier.arrive.shared.b64 _, [barrier];\n"
    "again: mbarrier.try_wait.parity.shared.b64 %p, [barrier], 0;\n@!%p bra again;\nret;\n}\n"
    ".visible .entry masked(.param .u64 to) {\n.reg .b64 %q; .shared .align 16 .b8 m[16];\n"
    "ld.param.u64 %q, [to];\n"
    "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%q], [m], 16, 3;\nret;\n}\n";

/* Launches the kernels of `refused`.  Returns 0 when one runs; the last one ends the program. */
static int launch_refused(void)
{
    static const char *const names[] = {"masked", "forever"};
    CUdeviceptr at = 0;
    void *args[] = {&at};
    CUmodule module;
    CUfunction f;

    if (cuModuleLoadData(&module, refused) != 0)
        return 0;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (cuModuleGetFunction(&f, module, names[i]) != 0 ||
            cuLaunchKernel(f, 2, 1, 1, 1, 1, 1, 0, NULL, args, NULL) == 0)
            break;
    return 0;
}

/* Argument `text`: prints the module; `refused`: launches the kernels that cannot run. */
int main(int argc, char **argv)
{
    uint32_t words[INPUTS];
    char *text = write_module();
    CUdeviceptr out, in;
    CUmodule module;
    int bad = 0;

    if (text != NULL && argc > 1 && strcmp(argv[1], "text") == 0)
        return fputs(text, stdout) < 0;
    if (text == NULL || cuInit(0) != 0)
        return 1;
    if (argc > 1)
        return launch_refused();
    if (cuModuleLoadData(&module, text) != 0)
        return 1;
    for (uint32_t i = 0; i < INPUTS; i++)
        words[i] = i;
    cuMemAlloc_v2(&out, RESULTS * sizeof(uint32_t));
    cuMemAlloc_v2(&in, sizeof(words));
    cuMemcpyHtoD_v2(in, words, sizeof(words));
    for (size_t i = 0; i < TESTS; i++) {
        bool good = run(module, i, out, in);

        printf("%s %s\n", good ? "ok" : "not ok", tests[i].name);
        bad |= !good;
    }
    free(text);
    return bad;
}
