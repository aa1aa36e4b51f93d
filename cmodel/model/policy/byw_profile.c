/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_profile.h"

#include <stdlib.h>

#include "common/byw_array.h"
#include "common/byw_index.h"

/* Loads of each line by each SM, or in each kernel. */
struct table {
    struct entry {
        uint64_t line;
        uint32_t id; /* number of the SM or kernel */
        uint32_t count;
    } * entry;
    size_t entries, room;
    struct byw_index index;
};

struct byw_profile {
    struct table local, global;
    bool recording, lost;
};

static struct entry *find(const struct table *t, uint32_t id, uint64_t line)
{
    uint32_t hash = byw_hash2(line, id), n;

    for (uint32_t at = 0; (n = byw_index_next(&t->index, hash, &at)) != BYW_INDEX_END;)
        if (t->entry[n].line == line && t->entry[n].id == id)
            return &t->entry[n];
    return NULL;
}

static bool count(struct table *t, uint32_t id, uint64_t line)
{
    struct entry *e = find(t, id, line);

    if (e == NULL) {
        if (!BYW_ARRAY_ROOM(t->entry, t->room, t->entries + 1) ||
            !byw_index_add(&t->index, byw_hash2(line, id), (uint32_t)t->entries))
            return false;
        e = &t->entry[t->entries++];
        *e = (struct entry){.line = line, .id = id};
    }
    e->count += e->count != UINT32_MAX;
    return true;
}

static uint32_t loads(const struct table *t, uint32_t id, uint64_t line)
{
    const struct entry *e = find(t, id, line);

    return e == NULL ? 0 : e->count;
}

static void table_release(struct table *t)
{
    free(t->entry);
    byw_index_release(&t->index);
}

struct byw_profile *byw_profile_create(void)
{
    struct byw_profile *p = calloc(1, sizeof(*p));

    if (p != NULL)
        p->recording = true;
    return p;
}

void byw_profile_free(struct byw_profile *profile)
{
    if (profile == NULL)
        return;
    table_release(&profile->local);
    table_release(&profile->global);
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
    return loads(&profile->local, sm, line);
}

uint32_t byw_profile_global(const struct byw_profile *profile, uint32_t kernel, uint64_t line)
{
    return loads(&profile->global, kernel, line);
}
