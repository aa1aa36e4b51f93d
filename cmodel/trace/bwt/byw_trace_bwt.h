/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_bwt.h - internals of the BWT1 format; FORMAT.md has the layout byte by byte.
 *
 * byw_bwt_pack collects CTAs and turns them into the raw bytes of a CTA block; byw_bwt_unpack reads
 * such bytes.  The reader and the writer handle blocks (compression, checksums, order).
 */
#ifndef BYW_TRACE_BWT_H
#define BYW_TRACE_BWT_H

#include "common/byw_status.h"
#include "trace/byw_bytes.h"
#include "trace/byw_inst.h"

#define BYW_BWT_MAGIC                                                                              \
    "\x89"                                                                                         \
    "BWT\r\n\x1a\n"
#define BYW_BWT_MAGIC_BYTES 8
#define BYW_BWT_HEADER_BYTES 16
#define BYW_BWT_VERSION 2 /* version written without machine code; version 1 can be read, too */
#define BYW_BWT_VERSION_MACHINE 3 /* version written with machine code */

/* Block header, 36 bytes on disk, all fields little endian. */
#define BYW_BWT_BLOCK_BYTES 36
enum byw_bwt_block_type {
    BYW_BWT_KERNEL = 'K',
    BYW_BWT_CTAS = 'C',
    BYW_BWT_PART = 'P', /* part of a long CTA */
    BYW_BWT_END = 'E'
};
struct byw_bwt_block {
    uint8_t type;
    uint8_t packed; /* 0: stored uncompressed, 1: one zstd frame */
    uint8_t chained; /* C, P: changes the chain table, so a reader that skips the block must unpack
                      * it */
    uint32_t sequence; /* 0, 1, 2 ... over all blocks of the file */
    uint32_t stored; /* bytes that follow the header */
    uint32_t raw; /* bytes after decompression */
    uint32_t items; /* C, P: CTAs that end in the block; K: launch number; E: 0 */
    uint32_t prefix; /* sequence of the block whose raw bytes are the zstd prefix; 0: none */
    uint64_t hash; /* XXH64 of the stored bytes, seed 0 */
};

/* Limits: the reader rejects files above them, the writer never exceeds them. */
#define BYW_BWT_RAW_MAX (1u << 27)
#define BYW_BWT_PREFIX_MAX (1u << 21) /* raw bytes of a block that may serve as prefix */
#define BYW_BWT_CODES_MAX 64 /* codes whose first block is kept as a prefix */
#define BYW_BWT_FLAG_SHIFT 4 /* bit position of a static access's flags, above its class */
#define BYW_BWT_CTA_INST_MAX (1u << 24)
#define BYW_BWT_CTA_ADDR_MAX (1u << 25)
#define BYW_BWT_CTA_WARP_MAX (1u << 16)

static inline uint64_t byw_bwt_full_mask(uint32_t warp_size)
{
    return (warp_size >= 64) ? ~0ull : (1ull << warp_size) - 1;
}

/* Codes of the pattern column of version 2.  Version 1 has neither copies nor chains, and KNOWN is
 * 2. */
enum byw_bwt_pattern {
    BYW_BWT_PATTERN_NEW, /* a pattern not seen before */
    BYW_BWT_PATTERN_MOVED, /* each lane moved by the same distance since its last access here */
    BYW_BWT_PATTERN_COPY, /* each lane accesses the unit of its last load */
    BYW_BWT_PATTERN_CHAINED, /* most lanes access the unit that they accessed after the same load
                                earlier */
    BYW_BWT_PATTERN_KNOWN, /* from this code on: a pattern seen before */
};
#define BYW_BWT_PATTERN_KNOWN_1 2

/* Columns of a CTA block, in file order. */
enum byw_bwt_column {
    BYW_BWT_COL_SITE, /* PC of each site */
    BYW_BWT_COL_SHAPE, /* all fields of a record except its mask and addresses */
    BYW_BWT_COL_CTA, /* grid position and warps of each CTA */
    BYW_BWT_COL_WARP, /* records of each warp */
    BYW_BWT_COL_INST, /* shape of each record, and whether its mask is new */
    BYW_BWT_COL_MASK, /* the new masks of records */
    BYW_BWT_COL_BASE, /* address of each access */
    BYW_BWT_COL_PATTERN, /* lane pattern of each list access */
    BYW_BWT_COL_LANES, /* lanes and bytes per step of each pattern */
    BYW_BWT_COL_PLANE, /* eight columns: byte 0 ... byte 7 of the patterns' steps */
    BYW_BWT_COL_MISS = BYW_BWT_COL_PLANE + 8, /* misses: lanes of a chain whose prediction was
                                                 wrong; from here on: version 2 and later */
    BYW_BWT_COL_SECOND, /* lanes of a chain that accessed the second of the two predicted units */
    BYW_BWT_COL_BYTES, /* bytes per step of a chain's misses */
    BYW_BWT_COL_CHAIN, /* eight columns: the misses' steps */
    BYW_BWT_COL_PATH = BYW_BWT_COL_CHAIN + 8, /* bits of each walk; from here on: version 3 */
    BYW_BWT_COL_BITS, /* the bits of the walks */
    BYW_BWT_COL_GROUP, /* lanes and their walks, of each warp */
    BYW_BWT_COL_COUNT,
    BYW_BWT_COL_COUNT_1 = BYW_BWT_COL_MISS, /* number of columns in version 1 */
    BYW_BWT_COL_COUNT_2 = BYW_BWT_COL_PATH /* number of columns in version 2 */
};
struct byw_bwt_pack;
/* chains: the chain table may be used; it persists from block to block. paths: walks through
 * machine code are kept (version 3). */
struct byw_bwt_pack *byw_bwt_pack_create(bool chains, bool paths);
void byw_bwt_pack_free(struct byw_bwt_pack *pack);
void byw_bwt_pack_clear(struct byw_bwt_pack *pack, const struct byw_kernel *kernel);
/* BYW_EINVAL: a record violates the rules of byw_inst.h; the pack can then no longer be used. */
enum byw_status byw_bwt_pack_add(struct byw_bwt_pack *pack, const struct byw_cta *cta,
                                 struct byw_diag *diag);
bool byw_bwt_pack_chained(const struct byw_bwt_pack *pack); /* the block changes the chain table */
uint32_t byw_bwt_pack_ctas(const struct byw_bwt_pack *pack);
size_t byw_bwt_pack_bytes(const struct byw_bwt_pack *pack); /* approximate raw size so far */
enum byw_status byw_bwt_pack_finish(struct byw_bwt_pack *pack, struct byw_bytes *raw);

struct byw_bwt_unpack;
struct byw_bwt_unpack *byw_bwt_unpack_create(uint32_t version, bool chains);
void byw_bwt_unpack_free(struct byw_bwt_unpack *unpack);
/* Starts on raw bytes, which must remain valid until the last CTA.  On BYW_EFORMAT the diag
 * contains only the fault, without file and position. */
enum byw_status byw_bwt_unpack_start(struct byw_bwt_unpack *unpack, const struct byw_kernel *kernel,
                                     const uint8_t *raw, size_t size, uint32_t ctas,
                                     struct byw_diag *diag);
/* BYW_END after the last CTA, when every column is used up. */
enum byw_status byw_bwt_unpack_next(struct byw_bwt_unpack *unpack, struct byw_cta *cta,
                                    struct byw_diag *diag);

void byw_bwt_block_put(const struct byw_bwt_block *block, uint8_t bytes[BYW_BWT_BLOCK_BYTES]);
/* False if the header's own checksum is wrong or a reserved byte is not 0. */
bool byw_bwt_block_read(struct byw_bwt_block *block, const uint8_t bytes[BYW_BWT_BLOCK_BYTES]);

#endif
