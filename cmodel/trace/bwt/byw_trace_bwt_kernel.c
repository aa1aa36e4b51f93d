/* SPDX-License-Identifier: Apache-2.0
 *
 * Launch blocks.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/bwt/byw_trace_bwt_read.h"

static bool add_table(struct byw_bwt *t, struct byw_site *site, uint32_t count)
{
    if (t->table_count == t->table_room) {
        uint32_t room = t->table_room * 2 + 16;
        struct byw_bwt_site_table *moved = realloc(t->table, room * sizeof(*moved));

        if (moved == NULL)
            return false;
        t->table = moved;
        t->table_room = room;
    }
    t->table[t->table_count++] = (struct byw_bwt_site_table){.site = site, .count = count};
    t->site_total += count;
    return true;
}

static bool read_site(struct byw_cursor *c, struct byw_site *site)
{
    uint64_t argument;

    if (!byw_cursor_u32(c, UINT32_MAX, &site->pc) || !byw_cursor_u32(c, UINT32_MAX, &site->line) ||
        !byw_cursor_u32(c, UINT32_MAX, &site->block) || !byw_cursor_number(c, &argument) ||
        !byw_cursor_u8(c, &site->cls) || !byw_cursor_u8(c, &site->width))
        return false;
    argument = byw_unzigzag(argument);
    site->flags = site->cls >> BYW_BWT_FLAG_SHIFT;
    site->cls &= (1U << BYW_BWT_FLAG_SHIFT) - 1;
    site->argument = (int32_t)(uint32_t)argument;
    return (uint64_t)(int64_t)site->argument == argument && site->cls < BYW_CLASS_COUNT &&
           site->flags <= (site->cls == BYW_CLASS_LOAD ? BYW_SITE_FLAGS : 0);
}

static enum byw_status read_sites(struct byw_bwt *t, struct byw_cursor *c)
{
    struct byw_kernel *k = &t->kernel;
    struct byw_site *site;
    uint32_t source, count;

    if (!byw_cursor_u32(c, UINT32_MAX, &source))
        return BYW_EFORMAT;
    if (source == 0)
        return BYW_OK;
    if (source == 1) {
        if (!byw_cursor_u32(c, BYW_BWT_SITES_MAX - t->site_total, &count) || count == 0 ||
            count > (size_t)(c->end - c->at))
            return BYW_EFORMAT;
        site = calloc(count, sizeof(*site));
        if (site == NULL || !add_table(t, site, count)) {
            free(site);
            return BYW_ENOMEM;
        }
        for (uint32_t i = 0; i < count; i++) {
            if (!read_site(c, &site[i]))
                return BYW_EFORMAT;
        }
        source = t->table_count + 1;
    }
    if (source - 2 >= t->table_count)
        return BYW_EFORMAT;
    k->site = t->table[source - 2].site;
    k->site_count = t->table[source - 2].count;
    return BYW_OK;
}

enum byw_status byw_bwt_read_kernel(struct byw_bwt *t, struct byw_diag *diag)
{
    struct byw_kernel *k = &t->kernel;
    struct byw_cursor c;
    uint8_t length;
    bool ok;
    enum byw_status st = byw_bwt_load_block(t, diag);

    if (st != BYW_OK)
        return st;
    c = (struct byw_cursor){.at = t->raw.data, .end = t->raw.data + t->raw.size};
    *k = (struct byw_kernel){.launch = (uint32_t)t->launches};
    if (!byw_cursor_u8(&c, &length) || length >= sizeof(k->name) ||
        (size_t)(c.end - c.at) < length || memchr(c.at, '\0', length) != NULL)
        return byw_bwt_malformed(t, "the kernel's name is malformed", diag);
    memcpy(k->name, c.at, length);
    c.at += length;
    ok = byw_cursor_u32(&c, UINT32_MAX, &k->code);
    for (unsigned d = 0; d < 3 && ok; d++)
        ok = byw_cursor_u32(&c, UINT32_MAX, &k->grid[d]);
    for (unsigned d = 0; d < 3 && ok; d++)
        ok = byw_cursor_u32(&c, UINT32_MAX, &k->block[d]);
    if (!ok || !byw_cursor_u32(&c, UINT32_MAX, &k->shared_bytes) ||
        !byw_cursor_u32(&c, UINT32_MAX, &k->registers) ||
        !byw_cursor_u32(&c, UINT32_MAX, &k->warp_size))
        return byw_bwt_malformed(t, "the launch record is malformed", diag);
    st = read_sites(t, &c);
    if (st == BYW_ENOMEM)
        return st;
    if (st != BYW_OK || c.at != c.end)
        return byw_bwt_malformed(t, "the launch's table of static accesses is malformed", diag);
    if (byw_trace_kernel_fault(k) != NULL)
        return byw_bwt_malformed(t, byw_trace_kernel_fault(k), diag);
    t->launches++;
    t->in_kernel = true;
    t->first_block = true;
    return BYW_OK;
}
