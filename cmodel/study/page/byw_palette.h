/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_palette.h - colours, and the mark of each policy, the same on every page and figure:
 * byw_palette.def.
 *
 * A mark is a colour and one of eight looks (four shapes, filled or outlined); all marks of a page
 * differ. Variants of a policy have its colour and another look; from the ninth on they also have a
 * number.
 */
#ifndef BYW_PALETTE_H
#define BYW_PALETTE_H

#include <stddef.h>

enum { BYW_PALETTE_COLOURS = 8, BYW_PALETTE_LOOKS = 8 };

struct byw_mark {
    unsigned colour, look;
    unsigned number; /* 0: none; otherwise the number of the variant, from 1 */
};

/* Colours of pictures on a white background. */
enum byw_light {
#define COLOUR(name, light, dark) BYW_LIGHT_##name,
#include "study/page/byw_palette.def"
};

/* The colours, as "#rrggbb", of a mark and of the other parts of a picture. */
const char *byw_palette_colour(unsigned colour);
const char *byw_palette_light(enum byw_light which);

/* Marks of policies by name or title, in this order; a repeated name is a variant. A policy that is
 * not in the table gets a mark derived from its name. */
void byw_palette_marks(const char *const *policy, size_t count, struct byw_mark *mark);

#endif
