/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_profile.h"

#include <stdlib.h>

enum { FIRST_BITS = 12 };

/* Open addressing, at most half full; count 0: free. */
struct table {
    struct entry {
        uint64_t line;
        uint32_t id; /* SM or kernel */
        uint32_t count;
    } * entry;
    uint32_t bits;
    uint64_t used;
};

struct byw_profile {
    struct table local, global;
    bool recording, lost;
};

static bool table_init(struct table *t, uint32_t bits)
{
    *t = (struct table){.bits = bits, .entry = calloc((size_t)1 << bits, sizeof(struct entry))};
    return t->entry != NULL;
}

/* The entry of this pair, or the free one where it belongs. */
static struct entry *find(const struct table *t, uint32_t id, uint64_t line)
{
    uint64_t mask = ((uint64_t)1 << t->bits) - 1;
    uint64_t at = (line ^ (uint64_t)id << 40) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - t->bits);

    while (t->entry[at].count != 0 && (t->entry[at].line != line || t->entry[at].id != id))
        at = (at + 1) & mask;
    return &t->entry[at];
}

static bool grow(struct table *t)
{
    struct table larger;

    if (!table_init(&larger, t->bits + 1))
        return false;
    for (uint64_t i = 0; i < (uint64_t)1 << t->bits; i++)
        if (t->entry[i].count != 0)
            *find(&larger, t->entry[i].id, t->entry[i].line) = t->entry[i];
    larger.used = t->used;
    free(t->entry);
    *t = larger;
    return true;
}

static bool count(struct table *t, uint32_t id, uint64_t line)
{
    struct entry *e = find(t, id, line);

    if (e->count == 0) {
        if (t->used >= (uint64_t)1 << (t->bits - 1)) {
            if (!grow(t))
                return false;
            e = find(t, id, line);
        }
        *e = (struct entry){.line = line, .id = id};
        t->used++;
    }
    e->count += e->count != UINT32_MAX;
    return true;
}

struct byw_profile *byw_profile_create(void)
{
    struct byw_profile *p = calloc(1, sizeof(*p));

    if (p == NULL)
        return NULL;
    p->recording = true;
    if (table_init(&p->local, FIRST_BITS) && table_init(&p->global, FIRST_BITS))
        return p;
    byw_profile_free(p);
    return NULL;
}

void byw_profile_free(struct byw_profile *profile)
{
    if (profile == NULL)
        return;
    free(profile->local.entry);
    free(profile->global.entry);
    free(profile);
}

bool byw_profile_add(struct byw_profile *profile, uint32_t sm, uint32_t kernel, uint64_t line)
{
    profile->lost = profile->lost || !count(&profile->local, sm, line) ||
                    !count(&profile->global, kernel, line);
    return !profile->lost;
}

enum byw_status byw_profile_finish(struct byw_profile *profile)
{
    profile->recording = false;
    return profile->lost ? BYW_ENOMEM : BYW_OK;
}

bool byw_profile_recording(const struct byw_profile *profile)
{
    return profile->recording;
}

uint32_t byw_profile_local(const struct byw_profile *profile, uint32_t sm, uint64_t line)
{
    return find(&profile->local, sm, line)->count;
}

uint32_t byw_profile_global(const struct byw_profile *profile, uint32_t kernel, uint64_t line)
{
    return find(&profile->global, kernel, line)->count;
}
