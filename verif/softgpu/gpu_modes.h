/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu_modes.h - the policies that the soft GPU's cache runs under in the tests.
 */
#ifndef GPU_MODES_H
#define GPU_MODES_H

#include "common/byw_config.h"

struct gpu_mode {
    const char *name;
    void (*set)(struct byw_config *config);
};

extern const struct gpu_mode gpu_modes[]; /* ends with a NULL name */

#endif
