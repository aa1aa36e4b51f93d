/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_forms PTX - asks byway's CUDA driver for each kernel of a file of PTX whether it can run; none
 * does.  byway names the instructions that it does not support; the last line counts kernels.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cu_driver.h"

#define NOT_SUPPORTED 801
#define PARAMS 16

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;

    if (file == NULL || getdelim(&text, &room, '\0', file) < 0)
        exit(1);
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    static const char entry[] = ".visible .entry ";
    char *text = argc == 2 ? read_all(argv[1]) : NULL, *at, name[256];
    unsigned kernels = 0, refused = 0;
    CUmodule module;
    CUfunction f;
    static char zeros[256];
    void *args[PARAMS];

    for (int i = 0; i < PARAMS; i++)
        args[i] = zeros;

    if (text == NULL || cuModuleLoadData(&module, text) != 0)
        return 1;
    for (at = strstr(text, entry); at != NULL; at = strstr(at, entry)) {
        at += strlen(entry);
        if (sscanf(at, "%255[^( \n]", name) != 1)
            return 1;
        kernels++;
        /* An empty grid is refused after the kernel was looked at. */
        refused += cuModuleGetFunction(&f, module, name) != 0 ||
                   cuLaunchKernel(f, 0, 1, 1, 32, 1, 1, 0, NULL, args, NULL) == NOT_SUPPORTED;
    }
    printf("%u kernels, %u refused\n", kernels, refused);
    free(text);
    return kernels == 0;
}
