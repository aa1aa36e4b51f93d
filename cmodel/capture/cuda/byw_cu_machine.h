/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_machine.h - gives the kernels of a PTX module their machine code.
 */
#ifndef BYW_CU_MACHINE_H
#define BYW_CU_MACHINE_H

#include "capture/cuda/byw_cu_job.h"

/* Assembles the text into job->machines, with temporary files in an existing folder. If that is not
 * possible, job->why has the reason. kernel: the only one to assemble; NULL: all. */
void byw_cu_machine_read(struct byw_cu_job *job, const char *text, size_t length,
                         const char *kernel, const char *folder);

/* Sets `marks` of each unit of a prepared module. */
enum byw_status byw_cu_machine_give(struct byw_cu_job *job);

#endif
