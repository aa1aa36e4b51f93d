/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_array.h - arrays that grow.
 *
 * An array is a pointer, the number of elements in use, and the number of elements allocated
 * (`room`, a size_t).  All three start at zero; free() releases the array.  To append:
 *
 *     if (!BYW_ARRAY_ROOM(list->item, list->room, list->count + 1))
 *         return byw_no_memory(diag, "the list");
 *     list->item[list->count++] = item;
 *
 * Growing may move the array, which invalidates pointers to its elements.  It doubles the room, so
 * n appends copy O(n) elements.  New elements are not initialized.
 */
#ifndef BYW_ARRAY_H
#define BYW_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for `need` elements in total.  False if out of memory; the array is then unchanged. */
#define BYW_ARRAY_ROOM(array, room, need)                                                          \
    ((need) <= (room) || byw_array_grow(&(array), &(room), (need), sizeof(*(array))))

/* Grows the array to at least `need` elements, without the check of BYW_ARRAY_ROOM. array: address
 * of the pointer to the elements; size: bytes of an element. */
bool byw_array_grow(void *array, size_t *room, size_t need, size_t size);

#endif
