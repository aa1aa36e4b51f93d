/* SPDX-License-Identifier: Apache-2.0
 *
 * softgpu_rules - rules of the README about the soft GPU apart from its kernels, tested by small
 * programs: faults and their consequences, barriers with warps that have ended, CTAs, masks. After
 * each a kernel must run as usual.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "softgpu/gpu_rig.h"

enum { AT = 0x400, WORDS = 8 };

struct rule {
    const char *name, *text;
    uint32_t ctas, fault, fault_pc;
    uint32_t want[WORDS]; /* words from AT on */
    bool error; /* the memory's first answer is an error */
};

static const struct rule rules[] = {
    {"an unknown operation is a fault", "nop\n.word 0xffffffff\nexit\n", 1, 1, 1, {0}, false},
    {"an operation between memory and control is a fault",
     ".word 0xa0000000\nexit\n",
     1,
     1,
     0,
     {0},
     false},
    {"an end without an if is a fault", ".word 0xd4000000\nexit\n", 1, 2, 0, {0}, false},
    {"an else without an if is a fault", ".word 0xd0000000\nexit\n", 1, 2, 0, {0}, false},
    {"one loop more than DEPTH is a fault",
     "li r1, 40\nagain: subi r1, r1, 1\n.word 0xd8000000\nbnz r1, again\nexit\n",
     1,
     2,
     2,
     {0},
     false},
    {"a word at an address that is not a multiple of 4 is a fault",
     "li r1, 2\nlw r2, 0(r1)\nexit\n",
     1,
     3,
     1,
     {0},
     false},
    {"a store likewise, before anything is written",
     "li r1, 0x401\nsw r1, 0(r1)\nexit\n",
     1,
     3,
     1,
     {0},
     false},
    {"an address of a lane that is not active is none",
     "id r1, lane\nseqi r2, r1, 0\nli r3, 0x401\nif r1\nadd r4, r2, r2\nmuli r2, r2, 0x401\n"
     "lw r5, 0x400(r2)\nend\nli r1, 7\nsw r1, 0x400(r0)\nfence\nexit\n",
     1,
     0,
     0,
     {7},
     false},
    {"an error of the memory is a fault",
     "lw r1, 0x400(r0)\nloop\nli r2, 1\nwhile r2\nend\nexit\n",
     1,
     4,
     0,
     {0},
     true},
    {"no CTA, no instruction", "li r1, 1\nsw r1, 0x400(r0)\nfence\nexit\n", 0, 0, 0, {0}, false},
    {"every CTA runs once, with its number",
     "id r1, cta\nid r2, ctas\nid r3, warp\nbnz r3, out\nid r3, lane\nseqi r3, r3, 0\nif r3\nshli "
     "r4, r1, 2\n"
     "addi r1, r1, 10\nadd r1, r1, r2\nsw r1, 0x400(r4)\nend\nfence\nout: exit\n",
     3,
     0,
     0,
     {13, 14, 15},
     false},
    {"a barrier does not wait for warps that have ended",
     "id r1, warp\nbz r1, out\nbar\nli r2, 5\nsw r2, 0x400(r0)\nfence\nout: exit\n",
     1,
     0,
     0,
     {5},
     false},
    {"what is stored before a barrier is loaded after it",
     "id r1, thread\nshli r2, r1, 2\naddi r3, r1, 100\nsw r3, 0x500(r2)\nbar\nid r4, threads\nsubi "
     "r4, r4, 1\n"
     "sub r4, r4, r1\nshli r4, r4, 2\nlw r5, 0x500(r4)\nslti r6, r1, 4\nif r6\nsw r5, "
     "0x400(r2)\nend\nfence\n"
     "li r7, 0\nsw r7, 0x500(r2)\nfence\nexit\n",
     1,
     0,
     0,
     {99 + P_LANES * P_WARPS, 98 + P_LANES *P_WARPS, 97 + P_LANES *P_WARPS, 96 + P_LANES *P_WARPS},
     false},
    {"if, else and while inside each other",
     "id r1, warp\nbnz r1, out\nid r1, lane\nshli r9, r1, 2\nli r2, 0\nslti r3, r1, 2\nif "
     "r3\nloop\nslt r4, r2, r1\n"
     "while r4\naddi r2, r2, 1\nend\nelse\nseqi r5, r1, 2\nif r5\nli r2, 50\nelse\nli r2, "
     "60\nend\nend\n"
     "slti r3, r1, 4\nif r3\nsw r2, 0x400(r9)\nend\nfence\nout: exit\n",
     1,
     0,
     0,
     {0, 1, 50, 60},
     false},
    {"the highest lane's store to a word stays",
     "id r1, warp\nbnz r1, out\nid r1, lane\nsw r1, 0x400(r0)\nfence\nout: exit\n",
     1,
     0,
     0,
     {P_LANES - 1},
     false},
    {"atomics bring the sum before them, lowest lane first",
     "id r1, warp\nbnz r1, out\nli r3, 0x410\nli r2, 3\namoadd r4, r2, (r3)\nid r1, lane\nslti r5, "
     "r1, 4\nif r5\n"
     "shli r1, r1, 2\nsw r4, 0x400(r1)\nend\nfence\nout: exit\n",
     1,
     0,
     0,
     {0, 3, 6, 9, 3 * P_LANES},
     false},
    {"the other atomics: swap, min and max, signed",
     "id r1, warp\nbnz r1, out\nid r1, lane\nli r9, 0x400\nli r3, 50\nsw r3, 4(r9)\nsw r3, "
     "8(r9)\naddi r4, r9, 4\n"
     "addi r5, r9, 8\nsubi r6, r1, 1\naddi r7, r1, 49\namoswap r2, r1, (r9)\namomin r0, r6, "
     "(r4)\namomax r0, r7, (r5)\n"
     "slti r8, r1, 3\nif r8\nshli r8, r1, 2\nsw r2, 0x40c(r8)\nend\nfence\nout: exit\n",
     1,
     0,
     0,
     {P_LANES - 1, UINT32_MAX, 48 + P_LANES, 0, 0, 1},
     false},
};

/* The kernel that is run after each program, to see that the GPU still works: every thread stores 1
 * to its byte. */
static const char sound[] = "id r1, thread\nli r2, 1\nsb r2, 0x600(r1)\nfence\nexit\n";

static void load(struct gpu_rig *rig, const char *name, const char *text)
{
    struct gpu_program program;
    struct byw_diag diag;

    if (gpu_assemble(name, text, strlen(text), &program, &diag) != BYW_OK) {
        printf("# %s\n", diag.text);
        return;
    }
    gpu_rig_load(rig, &program);
    gpu_program_release(&program);
}

static bool holds(const struct gpu_rig *rig, const struct rule *rule)
{
    uint32_t i, got;

    for (i = 0; i < WORDS; i++) {
        memcpy(&got, rig->memory.bytes + AT + 4 * i, 4);
        if (got == rule->want[i])
            continue;
        printf("# word %" PRIu32 " is %" PRIu32 ", expected %" PRIu32 "\n", i, got, rule->want[i]);
        return false;
    }
    return true;
}

static bool check(struct gpu_rig *rig, const struct rule *rule)
{
    bool good;
    uint32_t i;

    load(rig, rule->name, rule->text);
    rig->memory.error_in = rule->error;
    gpu_rig_launch(rig, 0, rule->ctas, 100000);
    good = !rig->running && rig->fault == rule->fault &&
           (rule->fault == 0 || rule->fault == 4 || rig->fault_pc == rule->fault_pc);
    if (!good)
        printf("# running %d, fault %u at %u\n", rig->running, rig->fault, rig->fault_pc);
    good = holds(rig, rule) && good;
    good = gpu_rig_settle(rig) && good;
    load(rig, "sound", sound);
    good = gpu_rig_launch(rig, 0, 1, 100000) && good;
    for (i = 0; i < P_LANES * P_WARPS; i++)
        good = good && rig->memory.bytes[0x600 + i] == 1;
    return good;
}

int main(void)
{
    struct byw_config config = gpu_rig_config();
    uint32_t i, n = sizeof(rules) / sizeof(rules[0]);
    int failed = 0;

    for (i = 0; i < n; i++) {
        struct gpu_rig rig;
        bool good;

        gpu_rig_init(&rig, &config, i + 1);
        good = check(&rig, &rules[i]);
        failed |= !good;
        printf("%sok %u - %s\n", good ? "" : "not ", (unsigned)i + 1, rules[i].name);
        gpu_rig_release(&rig);
    }
    printf("1..%u\n", (unsigned)n);
    return failed;
}
