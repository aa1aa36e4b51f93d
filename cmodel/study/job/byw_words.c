/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_words.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *words;
} table[] = {
#define WORD(name, words) {name, words},
#include "study/job/byw_words.def"
#undef WORD
};

const char *byw_counter_word(const char *name)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].words;
    return name;
}
