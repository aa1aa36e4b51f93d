/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_addrmap.h - maps a byte address to channel, L2 slice, L2 set, DRAM bank, row and column.
 *
 * The address above dram.channel_bit is divided by the number of channels.  The remainder is the
 * channel.  The quotient, put back above the low bits, is the channel-local address.  Any number of
 * channels is allowed. dram.map names the bits of the channel-local address: R row, B bank, C
 * column, S inside an atom; bits above the map belong to the row.  With several slices per channel,
 * the lowest bank bits select the slice and are not part of the L2 set index.  All functions are
 * pure; byw_addrmap_join() is the inverse of byw_addrmap_split().
 *
 * l2.slice_index = ipoly hashes a number to the slice.  The number consists of the linear slice
 * (channel, then slice within the channel) and, above it, the rest of the channel-local address
 * from dram.channel_bit up.  For a fixed rest this permutes the slices, so nothing else changes:
 * bank, row and column stay, and the inverse exists. l2.index = ipoly hashes the line number inside
 * the slice to the set.
 */
#ifndef BYW_ADDRMAP_H
#define BYW_ADDRMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_config.h"
#include "sim/memory/byw_addrmap_hash.h"

enum { BYW_HASH_LINEAR, BYW_HASH_IPOLY }; /* l2.index, l2.slice_index */

/* A field as runs of adjacent address bits, lowest run first. */
enum { BYW_ADDRMAP_RUNS = 16 };

struct byw_addr_field {
    uint32_t runs;
    struct {
        uint8_t from, to; /* lowest bit in the address and in the field */
        uint64_t mask; /* mask with as many low bits as the run has */
    } run[BYW_ADDRMAP_RUNS];
};

struct byw_addrmap {
    uint32_t channels;
    uint32_t slices_per_channel; /* a power of two */
    uint32_t shift;
    uint32_t line_log2;
    uint64_t set_mask;
    struct byw_addr_field row, bank, column; /* column: C and S bits */
    struct byw_addr_field set; /* local address without the slice bits */
    uint32_t slice_log2, rest_shift; /* for ipoly: log2 of the slices; position of the rest in
                                      * `set` */
    uint32_t channel_log2; /* UINT32_MAX: the number of channels is not a power of two */
    bool hash_slice, hash_set;
    struct byw_ipoly slice_hash, set_hash;
};

struct byw_addr_parts {
    uint64_t row;
    uint32_t channel;
    uint32_t bank;
    uint32_t column; /* byte within the row */
};

/* BYW_EINVAL: dram.map is malformed or does not fit dram.banks, dram.atom_bytes or l2.slices, or an
 * ipoly hash needs a power of two. */
enum byw_status byw_addrmap_init(struct byw_addrmap *map, const struct byw_config *config,
                                 struct byw_diag *diag);

uint32_t byw_addrmap_channel(const struct byw_addrmap *map, uint64_t addr);

/* The address within its channel: the quotient above the low bits. */
uint64_t byw_addrmap_local(const struct byw_addrmap *map, uint64_t addr);

/* Number of the L2 slice, counted over all channels. */
uint32_t byw_addrmap_slice(const struct byw_addrmap *map, uint64_t addr);

/* Set within the slice. */
uint32_t byw_addrmap_set(const struct byw_addrmap *map, uint64_t addr);

/* Line number within the channel for lines of 1 << line_log2 bytes.  A cache with one slice per
 * channel selects its set by this number. */
uint64_t byw_addrmap_channel_line(const struct byw_addrmap *map, uint64_t addr, uint32_t line_log2);

/* Slice and set in one call. */
void byw_addrmap_home(const struct byw_addrmap *map, uint64_t addr, uint32_t *slice, uint32_t *set);

/* Row and bank within the channel of the address. */
uint64_t byw_addrmap_row(const struct byw_addrmap *map, uint64_t addr, uint8_t *bank);

struct byw_addr_parts byw_addrmap_split(const struct byw_addrmap *map, uint64_t addr);
uint64_t byw_addrmap_join(const struct byw_addrmap *map, const struct byw_addr_parts *parts);

#endif
