/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_list.h - shared by the lists of `byway list`, and lists in separate files.
 */
#ifndef BYW_LIST_H
#define BYW_LIST_H

#include "cli/byw_cli.h"

/* Prints a list as JSON and frees it; returns the exit code. */
int byw_list_json(json_t *list);

/* Each prints one list, as text or JSON, and returns the exit code (byw_list_configs.c). */
int byw_list_machines(bool as_json);
int byw_list_policies(bool as_json);
int byw_list_mechanisms(bool as_json);
int byw_list_keys(bool as_json);
/* Prints a machine or policy file with every key: its default, or the value from the file and its
 * bases. */
void byw_list_template(enum byw_param_file kind);
int byw_list_resolved(enum byw_param_file kind, const char *name);

#endif
