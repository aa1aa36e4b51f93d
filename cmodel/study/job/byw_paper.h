/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_paper.h - the papers that byway follows (papers.def): their data for listings, pages and the
 * README.
 */
#ifndef BYW_PAPER_H
#define BYW_PAPER_H

#include <stddef.h>

struct byw_paper {
    const char *number, *name; /* "000", "Decoupled L1D" */
    const char *title, *authors, *venue; /* "" if unknown */
};

size_t byw_paper_count(void);
const struct byw_paper *byw_paper(size_t i); /* i < byw_paper_count() */

/* The paper that defines the classes CNF, CF and CI. */
const struct byw_paper *byw_paper_of_classes(void);

#endif
