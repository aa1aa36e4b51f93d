/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_bwt_predict.h - predictions of the packer and the unpacker of CTA blocks for the
 * addresses of a list access; FORMAT.md has the rules.  Both maintain the same state, so a correct
 * prediction costs almost nothing in the file.
 */
#ifndef BYW_TRACE_BWT_PREDICT_H
#define BYW_TRACE_BWT_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/byw_inst.h"

#define BYW_BWT_LANES_MAX 64
#define BYW_BWT_TRACKED_MAX 4096 /* sites of a block whose lanes are tracked individually */

/* --- last list access of a site, by lane ----------------------------------------------------- */

/* Lanes that leave a loop early change the mask and thus the pattern, but not the distance by which
 * the others move. */
struct byw_bwt_lanes {
    uint64_t seen; /* lanes that have a last address */
    uint64_t last[BYW_BWT_LANES_MAX];
};

struct byw_bwt_tracks {
    struct byw_bwt_lanes *lanes;
    uint32_t count;
    size_t room;
};

/* The record of a site, created at its first list access; *lanes is NULL if too many are tracked.
 * *number: index + 1, or 0, stored by the site.  False if out of memory. */
bool byw_bwt_track(struct byw_bwt_tracks *tracks, uint32_t *number, struct byw_bwt_lanes **lanes);

/* --- previous loads of a warp ---------------------------------------------------------------- */

/* The last loads of a warp.  An address is often that of an earlier load, in units of their widths,
 * or depends on the data of that load. */
#define BYW_BWT_RECENT 4
struct byw_bwt_recent {
    struct {
        uint64_t mask, base;
        int32_t stride;
        uint32_t list;
        uint8_t form, shift;
    } load[BYW_BWT_RECENT];
    uint32_t count; /* loads of the warp so far */
};

void byw_bwt_recent_add(struct byw_bwt_recent *recent, const struct byw_inst *inst);

/* For each lane of mask, lowest first: the index of its most recent load, address / width; 0 if
 * there is none.  `addr`: the CTA's pool.  False if a lane has none. */
bool byw_bwt_recent_index(const struct byw_bwt_recent *recent, const uint64_t *addr, uint64_t mask,
                          uint64_t *index);

/* --- accesses that followed the same load earlier -------------------------------------------- */

/* A table for the whole file: by site and load index, the last two units (low 32 bits) that the
 * site accessed, most recent first.  Several sites and indices may share an entry. */
#define BYW_BWT_CHAIN_LOG 22
#define BYW_BWT_CHAIN_SITES 1024 /* failure counts, by salt */
#define BYW_BWT_CHAIN_VAIN                                                                         \
    16384 /* after this many consecutive failures, sites are neither looked up nor learned */
struct byw_bwt_chain {
    uint32_t (*next)[2]; /* NULL before its first use */
    bool used; /* the table has been used since it was last cleared */
    uint32_t vain[BYW_BWT_CHAIN_SITES]; /* per site: new patterns since the last chained access */
};

bool byw_bwt_chain_begin(struct byw_bwt_chain *chain); /* allocates the table; false if out of
                                                        * memory */
void byw_bwt_chain_release(struct byw_bwt_chain *chain);

static inline uint32_t byw_bwt_chain_salt(uint32_t code, uint32_t pc)
{
    return (code * 31 + pc) * 2654435761u;
}

/* Whether a site's accesses are looked up and learned; for random ones this would only cost cache
 * misses. */
static inline bool byw_bwt_chain_pays(const struct byw_bwt_chain *chain, uint32_t salt)
{
    return chain->vain[salt % BYW_BWT_CHAIN_SITES] < BYW_BWT_CHAIN_VAIN;
}

static inline void byw_bwt_chain_count(struct byw_bwt_chain *chain, uint32_t salt, bool chained)
{
    uint32_t *vain = &chain->vain[salt % BYW_BWT_CHAIN_SITES];

    *vain = chained ? 0 : *vain + 1;
}

static inline uint32_t *byw_bwt_chain_at(const struct byw_bwt_chain *chain, uint32_t salt,
                                         uint64_t index)
{
    return chain->next[((uint32_t)index + salt) & ((1u << BYW_BWT_CHAIN_LOG) - 1)];
}

static inline void byw_bwt_chain_learn(uint32_t *entry, uint64_t unit)
{
    uint32_t low = (uint32_t)unit;

    if (entry[0] != low) {
        entry[1] = entry[0];
        entry[0] = low;
    }
}

/* The unit with these low bits that is nearest to `near`. */
static inline uint64_t byw_bwt_chain_unit(uint32_t low, uint64_t near)
{
    return near + (uint64_t)(int64_t)(int32_t)(low - (uint32_t)near);
}

#endif
