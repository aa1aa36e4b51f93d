/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_setup.h - finds configurations and shipped traces, and builds the configuration of a run.
 *
 * Configurations are in a folder with machines/NAME.cfg and policies/NAME.cfg, searched for in this
 * order: $BYWAY_CONFIGS; cmodel/configs (source tree) or share/byway/configs (installed) in the
 * folders above the program's. Shipped traces: $BYWAY_TRACES, else the folder `traces` next to
 * `configs`; those with warps of 64 lanes are in its folder `w64`. A name that contains a slash or
 * ends in .cfg is a path.
 */
#ifndef BYW_SETUP_H
#define BYW_SETUP_H

#include <limits.h>
#include <stdbool.h>

#include "common/byw_config.h"

enum { BYW_PATH_ROOM = PATH_MAX };

/* A user's own program is simulated on a GPU of today unless a machine is named, with mechanisms
 * that run there; the shipped workloads on the machine of the papers that they are from. */
#define BYW_OWN_MACHINE "h200"
#define BYW_OWN_POLICIES "bl,ball,mrpb,pc"
#define BYW_PAPER_MACHINE "fermi"
#define BYW_PAPER_POLICIES "bl,ball,decoupled,decoupled_duel"
#define BYW_DEFAULT_MACHINE                                                                        \
    "default: " BYW_OWN_MACHINE " for traces, " BYW_PAPER_MACHINE " for workloads"

struct byw_places {
    char configs[BYW_PATH_ROOM];
    char traces[BYW_PATH_ROOM];
};

/* BYW_ENOENT if no configuration folder is found. */
enum byw_status byw_places_find(struct byw_places *places, struct byw_diag *diag);

/* Names (without extension) of the files of one kind, sorted; release with byw_names_free(). */
struct byw_names {
    char **name;
    size_t count, room;
};

enum byw_status byw_places_machines(const struct byw_places *places, struct byw_names *names,
                                    struct byw_diag *diag);
enum byw_status byw_places_policies(const struct byw_places *places, struct byw_names *names,
                                    struct byw_diag *diag);
enum byw_status byw_places_traces(const struct byw_places *places, struct byw_names *names,
                                  struct byw_diag *diag);
void byw_names_free(struct byw_names *names);
/* Appends a copy of the first `length` characters; false if out of memory. */
bool byw_names_add(struct byw_names *names, const char *text, size_t length);
bool byw_names_have(const struct byw_names *names, const char *name);

/* Paths of the traces that a path names: itself, or those in a folder that is not an Accel-Sim
 * trace (its *.bwt files and the folders with a kernelslist.g, sorted). BYW_ENOENT if there are
 * none. */
enum byw_status byw_traces_at(const char *path, struct byw_names *paths, struct byw_diag *diag);

/* Path of a workload's shipped trace for warps of this width: w64/NAME.bwt for 64 if it exists,
 * else NAME.bwt. BYW_ENOENT with the nearest name. */
enum byw_status byw_places_trace(const struct byw_places *places, const char *workload,
                                 uint32_t lanes, char path[BYW_PATH_ROOM], struct byw_diag *diag);

/* Reads a machine or policy, given by name or path, with its bases; other keys keep their values.
 */
enum byw_status byw_places_read(const struct byw_places *places, enum byw_param_file kind,
                                const char *given, struct byw_config *config,
                                struct byw_diag *diag);

/* Defaults, then the machine file, the policy file and the settings ("key=value"), then the checks
 * of sim/byw_config_check.h. */
enum byw_status byw_setup_config(const struct byw_places *places, const char *machine,
                                 const char *policy, const char *const *settings,
                                 size_t setting_count, struct byw_config *config,
                                 struct byw_diag *diag);

/* The two halves of byw_setup_config(): files and settings, and rules. Only _check fails because
 * the machine does not support what the policy requests; its message names both, and the
 * values. */
enum byw_status byw_setup_read(const struct byw_places *places, const char *machine,
                               const char *policy, const char *const *settings,
                               size_t setting_count, struct byw_config *config,
                               struct byw_diag *diag);
/* Applies only the settings to the configuration. */
enum byw_status byw_setup_apply(const char *const *settings, size_t setting_count,
                                struct byw_config *config, struct byw_diag *diag);
enum byw_status byw_setup_check(const struct byw_config *config, const char *machine,
                                const char *policy, struct byw_diag *diag);

/* Storage that the active mechanisms and the replacement policy add to each SM's L1, in bits
 * (mechanisms/across.md 14). */
uint64_t byw_setup_storage_bits(const struct byw_config *config);
/* Whether the configuration uses anything without hardware. */
bool byw_setup_c_only(const struct byw_config *config);

/* Short name of a machine, policy or trace given as name or path ("dir/my.cfg" -> "my"), made
 * printable (byw_text.h). */
void byw_setup_name(const char *given, char *name, size_t room);

#endif
