/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_fatbin.c - hostile fat binaries never crash their reader, every error is a sentence, and PTX
 * ends with NUL. t_ptx.c reads fixed mutations.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cu_fatbin.h"

#define TARGET 90 /* sm_90 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct byw_diag diag = {""};
    char *text = NULL;
    size_t length = 0;

    if (size == 0)
        return 0;
    if (byw_cu_find_ptx(data, size, TARGET, &text, &length, &diag) != BYW_OK) {
        if (diag.text[0] == '\0')
            abort();
    } else if (text[length] != '\0') {
        abort();
    }
    free(text);
    return 0;
}
