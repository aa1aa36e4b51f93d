/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_words.h - readable names of counters, for tables and pages: byw_words.def.
 */
#ifndef BYW_WORDS_H
#define BYW_WORDS_H

/* "L1 energy (nJ)" for "energy.l1_nj"; the name itself if the table has no words for it. */
const char *byw_counter_word(const char *name);

#endif
