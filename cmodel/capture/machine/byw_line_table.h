/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_line_table.h - line tables of DWARF version 2, as the assembler writes them into a cubin.
 *
 * A table is a list of programs.  Each row gives an address and the line that begins there.
 */
#ifndef BYW_LINE_TABLE_H
#define BYW_LINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct byw_line_user {
    void *context;
    /* Relocates the address at byte `offset` of the table: finds its section and the address in it;
     * `written`: the value in the table.  False: unknown. */
    bool (*locate)(void *context, size_t offset, uint64_t written, uint32_t *section,
                   uint64_t *address);
    /* Addresses in [from, to) belong to that line.  False ends the reading. */
    bool (*range)(void *context, uint32_t section, uint64_t from, uint64_t to, uint32_t line);
};

/* Reads all programs of a table; false if it is malformed. */
bool byw_line_table_read(const uint8_t *table, size_t size, const struct byw_line_user *user);

#endif
