/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sites.h - coalescing of each static memory access of a trace.
 *
 * A site is a kernel's code, a pc, a class and a width.  Its counts are summed over all launches of
 * that code.  Memory: about 80 bytes per site.  At most 2^20 sites are distinguished; the others
 * are counted together.
 */
#ifndef BYW_SITES_H
#define BYW_SITES_H

#include "common/byw_index.h"
#include "trace/stats/byw_access.h"

struct byw_site_counts {
    uint32_t code; /* code of the kernel */
    uint32_t launch; /* index of the first launch that executed it, from 0 */
    uint32_t pc;
    uint32_t line; /* source line; 0: unknown */
    int32_t argument; /* kernel argument on which the address is based; -1: unknown */
    uint8_t cls, width;
    uint64_t accesses, lanes, lines, sectors;
};

struct byw_sites {
    struct byw_site_counts *site;
    uint32_t count;
    size_t room;
    struct byw_index index;
    struct byw_site_counts rest; /* sites beyond the limit; only the counts are valid */
};

void byw_sites_release(struct byw_sites *sites);

/* Counts one access of launch number `launch`; false if out of memory. */
bool byw_sites_count(struct byw_sites *sites, const struct byw_kernel *kernel, uint32_t launch,
                     const struct byw_inst *inst, const struct byw_access *access);

/* Sorts by first launch, pc, class and width.  Nothing can be counted afterwards. */
void byw_sites_sort(struct byw_sites *sites);

#endif
