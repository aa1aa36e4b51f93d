/* SPDX-License-Identifier: Apache-2.0
 *
 * prove_srrip - prove_repl.c for byw_repl_srrip.v.
 */
#define P_SRRIP 1
#include "formal/prove_repl.c"
