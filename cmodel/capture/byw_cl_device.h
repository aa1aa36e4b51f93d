/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_device.h - name, vendor and memory size that the user gives the device.
 *
 * BYWAY_DEVICE is a list of KEY=VALUE, separated by semicolons: name, vendor, memory (bytes, or
 * with K, M, G or T: powers of 1024). Programs choose code paths by these values. Malformed parts
 * are reported once and ignored; a capture refuses them. For CUDA programs it is one of
 * BYW_CL_CUDA_DEVICES (byw_cu_device.c).
 */
#ifndef BYW_CL_DEVICE_H
#define BYW_CL_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#define BYW_CL_ENV_DEVICE "BYWAY_DEVICE"
#define BYW_CL_CUDA_DEVICES "h200", "h100", "a100", "v100"
enum { BYW_CL_DEVICE_TEXT = 128 };

struct byw_cl_device {
    char name[BYW_CL_DEVICE_TEXT], vendor[BYW_CL_DEVICE_TEXT];
    uint64_t memory; /* bytes */
    char complaint[240]; /* what is wrong with the list; empty: nothing */
};

/* list may be NULL: all values are defaults. */
void byw_cl_device_read(const char *list, struct byw_cl_device *device);

#endif
