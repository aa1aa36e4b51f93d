/* SPDX-License-Identifier: Apache-2.0
 *
 * lock_port.h - features of the native port of the module under test: its parameters from
 * configs/byw_port_params.def, at their defaults unless the parameter set overrides them.
 */
#ifndef BYW_LOCK_PORT_H
#define BYW_LOCK_PORT_H

#include "common/byw_config.h"

enum {
#define PORT(parameter, field, def, lo, hi, meaning) LOCK_PORT_##parameter = (def),
#include "configs/byw_port_params.def"
#undef PORT
};

#ifndef P_ORDER
#define P_ORDER LOCK_PORT_ORDER
#endif
#ifndef P_IN_FLIGHT
#define P_IN_FLIGHT LOCK_PORT_IN_FLIGHT
#endif
#ifndef P_STORE_IDS
#define P_STORE_IDS LOCK_PORT_STORE_IDS
#endif

#ifndef P_FENCE
#define P_FENCE LOCK_PORT_FENCE
#endif
#ifndef P_UNCACHED
#define P_UNCACHED LOCK_PORT_UNCACHED
#endif
#ifndef P_FUNC_W
#define P_FUNC_W LOCK_PORT_FUNC_W
#endif

#ifndef P_BEAT_BYTES
#define P_BEAT_BYTES LOCK_PORT_BEAT_BYTES
#endif

#ifndef P_PARITY
#define P_PARITY LOCK_PORT_PARITY
#endif

/* Bytes of the data ports, and beats per line. */
#define LOCK_BEAT_BYTES (P_BEAT_BYTES > 0 ? P_BEAT_BYTES : P_LINE_BYTES)
#define LOCK_BEATS (P_LINE_BYTES / LOCK_BEAT_BYTES)

static inline struct byw_port lock_port(void)
{
    return (struct byw_port){
#define PORT(parameter, field, def, lo, hi, meaning) .field = P_##parameter,
#include "configs/byw_port_params.def"
#undef PORT
    };
}

/* Whether memory answers write-backs, too. */
static inline bool lock_port_wb_acks(void)
{
    return P_ORDER != 0 || P_FENCE != 0;
}

#endif
