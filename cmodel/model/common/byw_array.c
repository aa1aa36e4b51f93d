/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

bool byw_array_grow(void *array, size_t *room, size_t need, size_t size)
{
    size_t next = *room <= SIZE_MAX / 2 ? 2 * *room : need;
    void *moved;

    if (next < need)
        next = need;
    if (next < FIRST_ROOM)
        next = FIRST_ROOM;
    if (next > SIZE_MAX / size)
        return false;
    memcpy(&moved, array, sizeof(moved)); /* `array` is the address of a pointer of any type */
    moved = realloc(moved, next * size);
    if (moved == NULL)
        return false;
    memcpy(array, &moved, sizeof(moved));
    *room = next;
    return true;
}
