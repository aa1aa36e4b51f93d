/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_machine.c - hostile cubins never crash the reader, each table that it accepts keeps the
 * rules, and every error is a sentence.  t_machine_code.c reads fixed damages.
 *
 * The first input byte chooses: even, the rest is the file; odd, the rest changes bytes of the
 * rig's cubin, as triples of a 16-bit offset and a value.
 */
#include <stdlib.h>

#include "capture/machine/byw_cubin.h"
#include "machine/cubin_rig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct byw_cubin cubin;
    struct byw_diag diag = {""};
    struct rig rig;

    if (size == 0)
        return 0;
    rig_cubin(&rig);
    if (data[0] % 2 != 0) {
        for (size_t i = 1; i + 3 <= size; i += 3)
            rig.byte[(data[i] | data[i + 1] << 8) % rig.size] = data[i + 2];
        data = rig.byte;
        size = rig.size;
    } else {
        data++;
        size--;
    }
    if (byw_cubin_read(data, size, &cubin, &diag) != BYW_OK && diag.text[0] == '\0')
        abort();
    for (uint32_t c = 0; c < cubin.count; c++)
        if (byw_machine_fault(&cubin.code[c].machine) != NULL)
            abort();
    byw_cubin_free(&cubin);
    return 0;
}
