/* SPDX-License-Identifier: Apache-2.0
 *
 * byway ptxas: replaces the CUDA toolkit's ptxas when the compiled kernel is loaded by byway's
 * driver, which expects PTX.  Triton runs the program that TRITON_PTXAS_PATH names.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/byw_cli.h"
#include "common/byw_file.h"

#define SUFFIX ".ptx"

static void help(void)
{
    puts("usage: byway ptxas [OPTIONS] -o OUTPUT INPUT.ptx\n\n"
         "Replaces the ptxas of the CUDA toolkit: OUTPUT is the PTX itself, which byway's\n"
         "driver accepts instead of machine code.  Other options are ignored.  byway trace\n"
         "capture sets TRITON_PTXAS_PATH to byway-ptxas, a link to this command in the\n"
         "folder of byway.");
}

/* Triton reads the release number. The whole text is part of the key of Triton's cache, which thus
 * keeps code compiled for byway apart. */
static void print_version(void)
{
    puts("byway ptxas: PTX in place of machine code\n"
         "Cuda compilation tools, release 13.0, V13.0.0");
}

static bool has_suffix(const char *word)
{
    size_t length = strlen(word), suffix = strlen(SUFFIX);

    return length > suffix && strcmp(word + length - suffix, SUFFIX) == 0;
}

static enum byw_status copy(const char *from, const char *to, struct byw_diag *diag)
{
    FILE *input = fopen(from, "rb");
    struct byw_file *output;
    char block[1 << 16];
    enum byw_status status;
    size_t length;

    if (input == NULL)
        return byw_diag_set(diag, BYW_ENOENT, "%s: %s", from, strerror(errno));
    status = byw_file_create(to, &output, diag);
    while (status == BYW_OK && (length = fread(block, 1, sizeof(block), input)) > 0)
        fwrite(block, 1, length, byw_file_stream(output));
    if (status == BYW_OK && ferror(input)) {
        status = byw_diag_set(diag, BYW_EIO, "%s: %s", from, strerror(errno));
        byw_file_discard(output);
    }
    fclose(input);
    return status == BYW_OK ? byw_file_commit(output, diag) : status;
}

int byw_cmd_ptxas(int argc, char **argv)
{
    const char *input = NULL, *output = NULL;
    struct byw_diag diag = {""};
    enum byw_status status;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            help();
            return BYW_EXIT_OK;
        }
        if (strcmp(argv[i], "--version") == 0 || strcmp(argv[i], "-V") == 0) {
            print_version();
            return BYW_EXIT_OK;
        }
        if ((strcmp(argv[i], "-o") == 0 || strcmp(argv[i], "--output-file") == 0) && i + 1 < argc)
            output = argv[++i];
        else if (has_suffix(argv[i]))
            input = argv[i];
    }
    if (input == NULL || output == NULL) {
        byw_diag_set(&diag, BYW_EINVAL, "%s is missing; expected -o OUTPUT INPUT" SUFFIX,
                     input == NULL ? "the input" : "-o OUTPUT");
        return byw_cli_fail(BYW_EINVAL, &diag);
    }
    status = copy(input, output, &diag);
    return status == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(status, &diag);
}
