/* SPDX-License-Identifier: Apache-2.0
 *
 * softgpu_run - kernels on the Verilated soft GPU: the resulting memory is compared with C, the
 * cache's port with the C model. One line of TAP for each kernel and mode.
 *
 *   softgpu_run [-k KERNEL] [-m MODE] [-n SIZE] [-s SEED] [-l] [-f] [-o FILE]
 *     -k, -m  one kernel, one mode instead of all
 *     -n      this size instead of the quick one; -l: the usual sizes
 *     -f      ends after the first failure
 *     -o      writes the stream of the last run, for softgpu_replay
 * Kernels are read from fpga/softgpu/kernels. Exit 0; 1 if a check fails, 2 for bad usage.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/gpu_jobs.h"
#include "softgpu/gpu_modes.h"
#include "softgpu/gpu_replay.h"
#include "softgpu/gpu_rig.h"

struct options {
    const char *kernel, *mode, *stream;
    uint32_t size;
    uint64_t seed, most; /* most: limit on the cycles of a launch */
    bool usual, first;
    uint32_t runs, failed;
};

static bool compare(const struct gpu_task *t, const uint8_t *got)
{
    uint32_t i;

    for (i = 0; i < t->memory_bytes; i++)
        if (got[i] != t->want[i]) {
            printf("# memory at 0x%" PRIx32 ": 0x%02x, expected 0x%02x, before 0x%02x\n", i, got[i],
                   t->want[i], t->memory[i]);
            return false;
        }
    return true;
}

/* Converts the counters in the registers into those that a user knows. */
static bool counters(struct gpu_rig *rig, uint64_t *shown)
{
    uint64_t value[BYW_COUNTERS];
    uint32_t i;

    for (i = 0; i < BYW_COUNTERS; i++)
        value[i] = gpu_rig_counter(rig, i);
    memcpy(shown,
           (uint64_t[]){value[BYW_EV_HIT], value[BYW_EV_HIT_PENDING], value[BYW_EV_MISS],
                        value[BYW_EV_BYPASS], value[BYW_EV_ATOMIC]},
           5 * sizeof(shown[0]));
    if (value[BYW_EV_HIT] + value[BYW_EV_HIT_PENDING] + value[BYW_EV_MISS] + value[BYW_EV_BYPASS] ==
        value[BYW_EV_LOAD] + value[BYW_EV_STORE])
        return true;
    printf("# the counters do not add up\n");
    return false;
}

static bool launch(const struct options *o, struct gpu_rig *rig, const struct gpu_task *t)
{
    uint32_t i;

    for (i = 0; i < GPU_JOB_PARAMS; i++)
        gpu_rig_param(rig, i, t->param[i]);
    if (gpu_rig_launch(rig, 0, t->ctas, o->most))
        return true;
    printf("# %s: fault %u at word %u\n", rig->running ? "it does not end" : "ended", rig->fault,
           rig->fault_pc);
    return false;
}

static void run(struct options *o, const struct gpu_job *job, const struct gpu_mode *mode,
                const struct gpu_program *program)
{
    struct byw_config config = gpu_rig_config();
    struct gpu_replayed replayed = {0};
    struct gpu_rig rig;
    struct gpu_task t = {.size = o->size != 0 ? o->size : o->usual ? job->usual : job->quick};
    uint64_t shown[5] = {0};
    bool good;

    mode->set(&config);
    gpu_rig_init(&rig, &config, o->seed);
    t.memory_bytes = rig.memory.size;
    t.memory = rig.memory.bytes;
    t.want = calloc(t.memory_bytes, 1);
    t.rng = &rig.rng;
    if (t.want == NULL)
        exit(2);
    gpu_task_prepare(&t, job);
    gpu_rig_load(&rig, program);
    good = launch(o, &rig, &t) && compare(&t, rig.memory.bytes) && gpu_rig_settle(&rig) &&
           counters(&rig, shown);
    good = gpu_replay(&rig.stream, &replayed) && good;
    o->runs++;
    o->failed += !good;
    printf("%sok %u - %s %s seed %" PRIu64 ": %" PRIu64 " cycles, %" PRIu64 " issued, %" PRIu64
           " requests, %" PRIu64 " hits, %" PRIu64 " pending, %" PRIu64 " misses, %" PRIu64
           " bypasses, %" PRIu64 " atomics; %" PRIu64 " counters as in C\n",
           good ? "" : "not ", (unsigned)o->runs, job->name, mode->name, o->seed, rig.cycles,
           rig.issued, replayed.requests, shown[0], shown[1], shown[2], shown[3], shown[4],
           replayed.counters);
    if (o->stream != NULL && !gpu_stream_write(&rig.stream, o->stream))
        exit(2);
    free(t.want);
    gpu_rig_release(&rig);
}

static int usage(void)
{
    fprintf(stderr,
            "usage: softgpu_run [-k KERNEL] [-m MODE] [-n SIZE] [-s SEED] [-l] [-f] [-o FILE]\n");
    return 2;
}

static bool read_options(struct options *o, int argc, char **argv)
{
    int i;

    for (i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;

        if (strcmp(argv[i], "-l") == 0) {
            o->usual = true;
            continue;
        }
        if (strcmp(argv[i], "-f") == 0) {
            o->first = true;
            continue;
        }
        if (value == NULL || argv[i][0] != '-' || argv[i][1] == '\0' || argv[i][2] != '\0')
            return false;
        switch (argv[i++][1]) {
        case 'k':
            o->kernel = value;
            break;
        case 'm':
            o->mode = value;
            break;
        case 'n':
            o->size = (uint32_t)strtoul(value, NULL, 0);
            break;
        case 's':
            o->seed = strtoull(value, NULL, 0);
            break;
        case 'o':
            o->stream = value;
            break;
        default:
            return false;
        }
    }
    return true;
}

static void one_kernel(struct options *o, const struct gpu_job *job)
{
    struct gpu_program program;
    struct byw_diag diag;
    char path[256];
    uint32_t m;

    snprintf(path, sizeof(path), "fpga/softgpu/kernels/%s.s", job->name);
    if (gpu_assemble_file(path, &program, &diag) != BYW_OK) {
        fprintf(stderr, "%s\n", diag.text);
        exit(2);
    }
    for (m = 0; gpu_modes[m].name != NULL && !(o->first && o->failed != 0); m++)
        if (o->mode == NULL || strcmp(o->mode, gpu_modes[m].name) == 0)
            run(o, job, &gpu_modes[m], &program);
    gpu_program_release(&program);
}

int main(int argc, char **argv)
{
    struct options o = {.seed = 1, .most = 3000000};
    uint32_t k;

    if (!read_options(&o, argc, argv))
        return usage();
    for (k = 0; gpu_jobs[k].name != NULL; k++)
        if (o.kernel == NULL || strcmp(o.kernel, gpu_jobs[k].name) == 0)
            one_kernel(&o, &gpu_jobs[k]);
    if (o.runs == 0)
        return usage();
    printf("1..%u\n", (unsigned)o.runs);
    return o.failed != 0;
}
