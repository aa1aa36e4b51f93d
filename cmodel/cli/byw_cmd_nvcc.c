/* SPDX-License-Identifier: Apache-2.0
 *
 * byway nvcc: runs the user's nvcc with the options that a capture needs, so that it can replace
 * nvcc in Makefiles and CMake.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/byw_nvcc.h"
#include "cli/byw_cli.h"

static void help(void)
{
    puts("usage: byway nvcc OPTIONS FILES\n\n"
         "Runs nvcc with all its options and adds what a capture needs:\n"
         "  -cudart shared          so that byway's runtime library is used; replaces\n"
         "                          -cudart static, too\n"
         "  -lineinfo               source lines in traces, unless there is -G\n"
         "  PTX in the program      where -gencode asks for machine code only\n\n"
         "  make CC=\"byway nvcc\"    for Makefiles.  CMake takes one word as the compiler:\n"
         "                          byway-nvcc, in the folder of byway\n\n"
         "Environment:\n"
         "  BYWAY_NVCC              the nvcc to run (default: that of CUDA_HOME,\n"
         "                          /usr/local/cuda, PATH, or make deps-cuda)");
}

/* The settings that the options already contain. */
struct said {
    bool lines, machine_code, ptx;
    char target[32]; /* NN of the first compute_NN or sm_NN */
};

static void read_target(struct said *said, const char *text)
{
    const char *at = strstr(text, "compute_");
    size_t length;

    at = at != NULL ? at + 8 : strstr(text, "sm_") != NULL ? strstr(text, "sm_") + 3 : NULL;
    if (at == NULL || said->target[0] != '\0')
        return;
    length = strcspn(at, ",\"]' ");
    snprintf(said->target, sizeof(said->target), "%.*s", (int)length, at);
}

/* Reads code=sm_90 or code=[sm_90,compute_90]: sm_ asks for machine code, compute_ for PTX. */
static void read_code(struct said *said, const char *text)
{
    const char *code = strstr(text, "code=");

    code = code != NULL ? code + 5 : text;
    read_target(said, text);
    said->machine_code |= strstr(code, "sm_") != NULL;
    said->ptx |= strstr(code, "compute_") != NULL;
}

static struct said read_options(int argc, char **argv)
{
    struct said said = {0};

    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *next = i + 1 < argc ? argv[i + 1] : "";

        said.lines |= strcmp(word, "-G") == 0 || strstr(word, "lineinfo") != NULL ||
                      strcmp(word, "--device-debug") == 0;
        if (strcmp(word, "-gencode") == 0 || strcmp(word, "--generate-code") == 0 ||
            strcmp(word, "-code") == 0 || strcmp(word, "--gpu-code") == 0)
            read_code(&said, next);
        else if (strncmp(word, "-gencode=", 9) == 0 || strncmp(word, "--generate-code=", 16) == 0 ||
                 strncmp(word, "-code=", 6) == 0 || strncmp(word, "--gpu-code=", 11) == 0)
            read_code(&said, word);
    }
    return said;
}

/* Copies the options, without -cudart KIND and -cudart=KIND; returns their number. */
static int copy_options(char **to, int argc, char **argv)
{
    int count = 0;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-cudart") == 0 || strcmp(argv[i], "--cudart") == 0)
            i++;
        else if (strncmp(argv[i], "-cudart=", 8) != 0 && strncmp(argv[i], "--cudart=", 9) != 0)
            to[count++] = argv[i];
    }
    return count;
}

int byw_cmd_nvcc(int argc, char **argv)
{
    const struct said said = read_options(argc, argv);
    char nvcc[PATH_MAX];
    char **words = calloc((size_t)argc + 8, sizeof(*words)), gencode[96];
    struct byw_diag diag;
    int count = 0;

    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        help();
        free(words);
        return BYW_EXIT_OK;
    }
    if (words == NULL)
        return byw_cli_fail(BYW_ENOMEM, NULL);
    byw_nvcc_find(nvcc);
    words[count++] = nvcc;
    count += copy_options(words + count, argc, argv);
    words[count++] = (char *)(uintptr_t) "-cudart";
    words[count++] = (char *)(uintptr_t) "shared";
    if (!said.lines)
        words[count++] = (char *)(uintptr_t) "-lineinfo";
    if (said.machine_code && !said.ptx && said.target[0] != '\0') {
        snprintf(gencode, sizeof(gencode), "arch=compute_%s,code=compute_%s", said.target,
                 said.target);
        words[count++] = (char *)(uintptr_t) "-gencode";
        words[count++] = gencode;
    }
    execvp(nvcc, words);
    byw_diag_set(&diag, BYW_ENOENT,
                 "%s: cannot run: %s; `make deps-cuda` gets one without root, or name yours "
                 "with " BYW_NVCC_ENV,
                 nvcc, strerror(errno));
    free(words);
    return byw_cli_fail(BYW_ENOENT, &diag);
}
