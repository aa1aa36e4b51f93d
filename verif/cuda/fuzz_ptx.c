/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_ptx.c - hostile PTX never crashes the parser, and every error is a sentence. t_ptx.c parses
 * fixed mutations.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_ptx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct byw_ptx_module module;
    struct byw_diag diag = {""};
    char *text = calloc(1, size + 1); /* the reader of fat binaries ends text with NUL */

    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    if (byw_ptx_parse(text, size, &module, &diag) != BYW_OK && diag.text[0] == '\0')
        abort();
    byw_ptx_module_release(&module);
    free(text);
    return 0;
}
