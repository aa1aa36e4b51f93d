/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_scratchpad.h - sizes of a work-group's scratchpad, for the runtime and for the libraries
 * of device code.
 */
#ifndef BYW_CL_SCRATCHPAD_H
#define BYW_CL_SCRATCHPAD_H

#define BYW_CL_SHARED_SIZE 0x40000u /* 256 KiB, of which OpenCL offers 48 and CUDA 227 */
#define BYW_CL_SHARED_RESERVED 0x3f000u /* from here on it is the system's */

#endif
