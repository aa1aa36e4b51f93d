/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_command.h - starts compilers and assemblers.
 */
#ifndef BYW_CL_COMMAND_H
#define BYW_CL_COMMAND_H

/* Runs argv[] with standard input from `input` (NULL: nothing), its standard output into
 * `output` (NULL: dropped) and its standard error appended to file `errors`.  Returns the exit
 * status, or -1 if the program cannot be started. */
int byw_cl_command(char *const argv[], const char *input, const char *output, const char *errors);

#endif
