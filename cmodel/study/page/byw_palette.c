/* SPDX-License-Identifier: Apache-2.0 */
#include "study/page/byw_palette.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name, *title;
} table[] = {
#define POLICY(name, title) {name, title},
#include "study/page/byw_palette.def"
};

enum { KNOWN = sizeof(table) / sizeof(table[0]), ALL = BYW_PALETTE_COLOURS * BYW_PALETTE_LOOKS };

const char *byw_palette_colour(unsigned colour)
{
    static const char *const colours[BYW_PALETTE_COLOURS] = {
#define SERIES(name, colour) colour,
#include "study/page/byw_palette.def"
    };

    return colours[colour % BYW_PALETTE_COLOURS];
}

const char *byw_palette_light(enum byw_light which)
{
    static const char *const colours[] = {
#define COLOUR(name, light, dark) light,
#include "study/page/byw_palette.def"
    };

    return colours[which];
}

/* Index in the table; its length if the policy is not in it. */
static size_t place_of(const char *policy)
{
    size_t hash = 5381;

    for (size_t i = 0; i < KNOWN; i++)
        if (strcasecmp(policy, table[i].name) == 0 || strcasecmp(policy, table[i].title) == 0)
            return i;
    for (const char *c = policy; *c != '\0'; c++)
        hash = hash * 33 + (unsigned char)*c;
    return KNOWN + hash % (ALL - KNOWN);
}

/* Neighbours in the table differ in colour and shape; a repeated colour has another shape, and is
 * outlined in the second half. */
static struct byw_mark mark_at(size_t place)
{
    return (struct byw_mark){
        .colour = (unsigned)(place % BYW_PALETTE_COLOURS),
        .look = (unsigned)((place + place / BYW_PALETTE_COLOURS) % 4 + (place >= ALL / 2 ? 4 : 0))};
}

static bool is_taken(const struct byw_mark *mark, size_t count, struct byw_mark other)
{
    for (size_t i = 0; i < count; i++)
        if (mark[i].colour == other.colour && mark[i].look == other.look &&
            mark[i].number == other.number)
            return true;
    return false;
}

void byw_palette_marks(const char *const *policy, size_t count, struct byw_mark *mark)
{
    for (size_t i = 0; i < count; i++) {
        const struct byw_mark own = mark_at(place_of(policy[i]));
        unsigned variant = 0, tries = 0;

        for (size_t j = 0; j < i; j++)
            variant += strcmp(policy[j], policy[i]) == 0;
        mark[i] = own;
        mark[i].look = (own.look + variant) % BYW_PALETTE_LOOKS;
        mark[i].number = variant < BYW_PALETTE_LOOKS ? 0 : variant + 1;
        while (is_taken(mark, i, mark[i])) {
            mark[i].look = (mark[i].look + 1) % BYW_PALETTE_LOOKS;
            if (++tries % BYW_PALETTE_LOOKS == 0)
                mark[i].number = variant + 1 + tries / BYW_PALETTE_LOOKS - 1;
        }
    }
}
