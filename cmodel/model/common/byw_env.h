/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_env.h - settings from the environment.  A variable that is not set, or empty, leaves *value
 * unchanged; one that cannot be parsed is an error, never a default.
 */
#ifndef BYW_ENV_H
#define BYW_ENV_H

#include <stdint.h>

#include "common/byw_status.h"

/* A whole decimal number in [lowest, highest].  BYW_EINVAL with a sentence that names the variable.
 */
enum byw_status byw_env_number(const char *variable, uint64_t lowest, uint64_t highest,
                               uint64_t *value, struct byw_diag *diag);

#endif
