/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_profile.h - the profile that a profile run passes to the next run: how often each SM loaded
 * each line, and how often each kernel did on all SMs together (Profiled-BYPASS of paper 000;
 * mechanisms/comparators.md 2.2).  Its size grows with the workload's data; it is not part of any
 * hardware.
 */
#ifndef BYW_PROFILE_H
#define BYW_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_status.h"

struct byw_profile;

struct byw_profile *byw_profile_create(void); /* empty, recording; NULL: out of memory */
void byw_profile_free(struct byw_profile *profile); /* accepts NULL */

/* A load by this SM in the kernel with this entry PC.  Returns false if out of memory; the profile
 * is then lost. */
bool byw_profile_add(struct byw_profile *profile, uint32_t sm, uint32_t kernel, uint64_t line);

/* Ends the profile run; lookups are allowed from now on.  BYW_ENOMEM if the profile was lost. */
enum byw_status byw_profile_finish(struct byw_profile *profile);
bool byw_profile_recording(const struct byw_profile *profile);

uint32_t byw_profile_local(const struct byw_profile *profile, uint32_t sm, uint64_t line);
uint32_t byw_profile_global(const struct byw_profile *profile, uint32_t kernel, uint64_t line);

#endif
