/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_paper.h"

static const struct byw_paper papers[] = {
#define BYW_PAPER(number, name, title, authors, venue) {number, name, title, authors, venue},
#include "study/job/papers.def"
#undef BYW_PAPER
};

size_t byw_paper_count(void)
{
    return sizeof(papers) / sizeof(papers[0]);
}

const struct byw_paper *byw_paper(size_t i)
{
    return &papers[i];
}

const struct byw_paper *byw_paper_of_classes(void)
{
    return &papers[0];
}
