/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_list.h - functions shared by the source files of `byway list`.
 */
#ifndef BYW_LIST_H
#define BYW_LIST_H

#include "cli/byw_cli.h"

/* Prints a list as JSON and frees it; returns the exit code. */
int byw_list_json(json_t *list);

/* Each prints one list, as text or JSON, and returns the exit code. Defined in
 * byw_list_configs.c. */
int byw_list_machines(bool as_json);
int byw_list_policies(bool as_json);
int byw_list_mechanisms(bool as_json);
int byw_list_keys(bool as_json);
/* Print a machine or policy file with every key. The first shows the defaults; the second, the
 * values from the file and its bases. */
void byw_list_template(enum byw_param_file kind);
int byw_list_resolved(enum byw_param_file kind, const char *name);

#endif
