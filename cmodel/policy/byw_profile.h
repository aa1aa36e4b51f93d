/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_profile.h - what a profile run tells the run after it: how often each SM, and each kernel on
 * all SMs together, loaded each line (Profiled-BYPASS of paper 000; MECHANISMS 2.2).  As large as
 * the workload's data; not part of any hardware.
 */
#ifndef BYW_PROFILE_H
#define BYW_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_status.h"

struct byw_profile;

struct byw_profile *byw_profile_create(void); /* empty, recording; NULL: no memory */
void byw_profile_free(struct byw_profile *profile); /* NULL is allowed */

/* A load of this SM, in the kernel with this entry.  False: no memory, and the profile is lost. */
bool byw_profile_add(struct byw_profile *profile, uint32_t sm, uint32_t kernel, uint64_t line);

/* The profile run is over: lookups from now on.  BYW_ENOMEM if it is lost. */
enum byw_status byw_profile_finish(struct byw_profile *profile);
bool byw_profile_recording(const struct byw_profile *profile);

uint32_t byw_profile_local(const struct byw_profile *profile, uint32_t sm, uint64_t line);
uint32_t byw_profile_global(const struct byw_profile *profile, uint32_t kernel, uint64_t line);

#endif
