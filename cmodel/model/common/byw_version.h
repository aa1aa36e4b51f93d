/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_version.h - the version of byway; also read by `make install`.
 */
#ifndef BYW_VERSION_H
#define BYW_VERSION_H

#define BYW_VERSION "0.2.0"

#endif
