/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_setup.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/byw_array.h"
#include "common/byw_mech.h"
#include "common/byw_path.h"
#include "common/byw_text.h"
#include "record/byw_repl.h"
#include "sim/gpu/byw_config_check.h"

/* Writes "FOLDER/TAIL" to path; false if it does not fit. */
static bool join(char path[BYW_PATH_ROOM], const char *folder, const char *tail)
{
    int n = snprintf(path, BYW_PATH_ROOM, "%s/%s", folder, tail);

    return n > 0 && n < BYW_PATH_ROOM;
}

/* Byway's data is in one of these folders, some levels above the program: build/byway,
 * build/asan/byway, bin/byway. */
static const char *const data_folders[] = {"cmodel", "share/byway"};

enum { LEVELS_UP = 6 };

/* Removes the last component; false at the root. */
static bool go_up(char *path)
{
    char *slash = strrchr(path, '/');

    if (slash == NULL || slash == path)
        return false;
    *slash = '\0';
    return true;
}

static void find_beside_program(struct byw_places *places)
{
    char folder[BYW_PATH_ROOM];
    char base[BYW_PATH_ROOM];

    if (!byw_path_own_folder(folder, BYW_PATH_ROOM))
        return;
    for (int level = 0; level < LEVELS_UP && go_up(folder); level++)
        for (size_t i = 0; i < sizeof(data_folders) / sizeof(data_folders[0]); i++) {
            if (join(base, folder, data_folders[i]) && join(places->configs, base, "configs") &&
                byw_path_is_folder(places->configs) && join(places->traces, base, "traces"))
                return;
            places->configs[0] = '\0';
        }
}

enum byw_status byw_places_find(struct byw_places *places, struct byw_diag *diag)
{
    const char *configs = getenv("BYWAY_CONFIGS");
    const char *traces = getenv("BYWAY_TRACES");

    memset(places, 0, sizeof(*places));
    find_beside_program(places);
    if (traces != NULL)
        snprintf(places->traces, sizeof(places->traces), "%s", traces);
    if (configs != NULL)
        snprintf(places->configs, sizeof(places->configs), "%s", configs);
    if (places->configs[0] == '\0')
        return byw_diag_set(
            diag, BYW_ENOENT,
            "no configuration folder next to the program; expected ../cmodel/configs "
            "or ../share/byway/configs, or its path in BYWAY_CONFIGS");
    if (!byw_path_is_folder(places->configs))
        return byw_diag_set(diag, BYW_ENOENT,
                            "%s: no such folder; expected BYWAY_CONFIGS to name one with machines/ "
                            "and policies/",
                            places->configs);
    return BYW_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void byw_names_free(struct byw_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->name[i]);
    free(names->name);
    memset(names, 0, sizeof(*names));
}

bool byw_names_add(struct byw_names *names, const char *text, size_t length)
{
    if (!BYW_ARRAY_ROOM(names->name, names->room, names->count + 1))
        return false;
    names->name[names->count] = strndup(text, length);
    return names->name[names->count++] != NULL;
}

bool byw_names_have(const struct byw_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return true;
    return false;
}

static enum byw_status list_folder(const char *folder, const char *extension,
                                   struct byw_names *names, struct byw_diag *diag)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    enum byw_status st = BYW_OK;

    memset(names, 0, sizeof(*names));
    if (dir == NULL)
        return byw_diag_set(diag, BYW_EIO, "%s: cannot be listed (%s); expected a folder of *%s",
                            folder, strerror(errno), extension);
    while (st == BYW_OK && (entry = readdir(dir)) != NULL)
        if (byw_text_ends(entry->d_name, extension) && entry->d_name[0] != '.' &&
            !byw_names_add(names, entry->d_name, strlen(entry->d_name) - strlen(extension)))
            st = byw_no_memory(diag, folder);
    closedir(dir);
    if (st != BYW_OK)
        byw_names_free(names);
    else if (names->count > 0)
        qsort(names->name, names->count, sizeof(*names->name), by_name);
    return st;
}

static const char *kind_folder(enum byw_param_file kind)
{
    return kind == BYW_PARAM_MACHINE ? "machines" : "policies";
}

static enum byw_status list_configs(const struct byw_places *places, enum byw_param_file kind,
                                    struct byw_names *names, struct byw_diag *diag)
{
    char folder[BYW_PATH_ROOM];

    if (!join(folder, places->configs, kind_folder(kind)))
        return byw_diag_set(diag, BYW_EINVAL, "%s: path too long", places->configs);
    return list_folder(folder, ".cfg", names, diag);
}

enum byw_status byw_places_machines(const struct byw_places *places, struct byw_names *names,
                                    struct byw_diag *diag)
{
    return list_configs(places, BYW_PARAM_MACHINE, names, diag);
}

enum byw_status byw_places_policies(const struct byw_places *places, struct byw_names *names,
                                    struct byw_diag *diag)
{
    return list_configs(places, BYW_PARAM_POLICY, names, diag);
}

enum byw_status byw_places_traces(const struct byw_places *places, struct byw_names *names,
                                  struct byw_diag *diag)
{
    return list_folder(places->traces, ".bwt", names, diag);
}

static bool is_accelsim_folder(const char *folder)
{
    char list[BYW_PATH_ROOM];

    return join(list, folder, "kernelslist.g") && access(list, F_OK) == 0;
}

enum byw_status byw_traces_at(const char *path, struct byw_names *paths, struct byw_diag *diag)
{
    const struct dirent *entry;
    bool memory = true;
    DIR *dir;

    memset(paths, 0, sizeof(*paths));
    if (access(path, F_OK) != 0)
        return byw_diag_set(diag, BYW_ENOENT,
                            "%s: cannot be opened (%s); expected a trace or a folder of traces",
                            path, strerror(errno));
    dir = byw_path_is_folder(path) && !is_accelsim_folder(path) ? opendir(path) : NULL;
    if (dir == NULL) /* an unreadable trace is reported when it is opened */
        return byw_names_add(paths, path, strlen(path)) ? BYW_OK : byw_no_memory(diag, path);
    while (memory && (entry = readdir(dir)) != NULL) {
        char inside[BYW_PATH_ROOM];

        if (entry->d_name[0] != '.' && join(inside, path, entry->d_name) &&
            (byw_path_is_folder(inside) ? is_accelsim_folder(inside)
                                        : byw_text_ends(inside, ".bwt")))
            memory = byw_names_add(paths, inside, strlen(inside));
    }
    closedir(dir);
    if (!memory)
        byw_names_free(paths);
    if (paths->count > 0)
        qsort(paths->name, paths->count, sizeof(*paths->name), by_name);
    if (paths->count > 0)
        return BYW_OK;
    return memory ? byw_diag_set(diag, BYW_ENOENT,
                                 "%s: a folder without traces; expected .bwt files or folders with "
                                 "a kernelslist.g in it",
                                 path)
                  : byw_no_memory(diag, path);
}

/* "X 'given' is unknown; did you mean 'near'? (one of a, b, c)" */
static enum byw_status unknown_name(const char *noun, const char *given,
                                    const struct byw_names *names, struct byw_diag *diag)
{
    const char *near = byw_nearest(given, (const char *const *)names->name, names->count);
    const char *const more = ", ..."; /* follows the last name that fits */
    char list[512] = "";
    size_t used = 0;

    for (size_t i = 0; i < names->count; i++) {
        const char *comma = i > 0 ? ", " : "";

        if (used + strlen(comma) + strlen(names->name[i]) + strlen(more) >= sizeof(list)) {
            snprintf(list + used, sizeof(list) - used, "%s", more);
            break;
        }
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", comma, names->name[i]);
    }
    if (near != NULL)
        return byw_diag_set(diag, BYW_ENOENT,
                            "unknown %s '%s'; did you mean '%s'? (expected one of: %s)", noun,
                            given, near, list);
    return byw_diag_set(diag, BYW_ENOENT, "unknown %s '%s'; expected one of: %s", noun, given,
                        names->count > 0 ? list : "none (the folder is empty)");
}

enum byw_status byw_places_trace(const struct byw_places *places, const char *workload,
                                 uint32_t lanes, char path[BYW_PATH_ROOM], struct byw_diag *diag)
{
    static const char *const folders[] = {"w64/", ""};
    char file[NAME_MAX + 1];
    struct byw_names names;
    enum byw_status st;

    for (size_t i = lanes == 64 ? 0 : 1; i < 2 && strchr(workload, '/') == NULL; i++) {
        snprintf(file, sizeof(file), "%s%s.bwt", folders[i], workload);
        if (join(path, places->traces, file) && access(path, F_OK) == 0)
            return BYW_OK;
    }
    st = byw_places_traces(places, &names, diag);
    if (st != BYW_OK)
        return st;
    st = unknown_name("workload", workload, &names, diag);
    byw_names_free(&names);
    return st;
}

/* Path of a configuration given by name or path. */
static enum byw_status config_path(const struct byw_places *places, enum byw_param_file kind,
                                   const char *given, char path[BYW_PATH_ROOM],
                                   struct byw_diag *diag)
{
    char tail[NAME_MAX + 1];
    struct byw_names names;
    enum byw_status st;

    if (strchr(given, '/') != NULL || byw_text_ends(given, ".cfg")) {
        snprintf(path, BYW_PATH_ROOM, "%s", given);
        return BYW_OK;
    }
    snprintf(tail, sizeof(tail), "%s/%s.cfg", kind_folder(kind), given);
    if (join(path, places->configs, tail) && access(path, F_OK) == 0)
        return BYW_OK;
    st = list_configs(places, kind, &names, diag);
    if (st != BYW_OK)
        return st;
    st = unknown_name(kind == BYW_PARAM_MACHINE ? "machine" : "policy", given, &names, diag);
    byw_names_free(&names);
    return st;
}

enum byw_status byw_places_read(const struct byw_places *places, enum byw_param_file kind,
                                const char *given, struct byw_config *config, struct byw_diag *diag)
{
    char path[BYW_PATH_ROOM], shipped[BYW_PATH_ROOM];
    enum byw_status st = config_path(places, kind, given, path, diag);

    if (st == BYW_OK && !join(shipped, places->configs, kind_folder(kind)))
        st = byw_diag_set(diag, BYW_EINVAL, "%s: path too long", places->configs);
    return st == BYW_OK ? byw_config_read(config, path, shipped, kind, diag) : st;
}

static enum byw_status apply_setting(struct byw_config *config, const char *setting,
                                     struct byw_diag *diag)
{
    const char *equals = strchr(setting, '=');
    char key[128];

    if (equals == NULL || equals == setting || (size_t)(equals - setting) >= sizeof(key))
        return byw_diag_set(diag, BYW_EINVAL, "--set %s: expected key=value", setting);
    snprintf(key, sizeof(key), "%.*s", (int)(equals - setting), setting);
    return byw_config_set(config, key, equals + 1, "--set", diag);
}

enum byw_status byw_setup_apply(const char *const *settings, size_t setting_count,
                                struct byw_config *config, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < setting_count; i++)
        st = apply_setting(config, settings[i], diag);
    return st;
}

enum byw_status byw_setup_read(const struct byw_places *places, const char *machine,
                               const char *policy, const char *const *settings,
                               size_t setting_count, struct byw_config *config,
                               struct byw_diag *diag)
{
    enum byw_status st;

    byw_config_defaults(config);
    st = byw_places_read(places, BYW_PARAM_MACHINE, machine, config, diag);
    if (st == BYW_OK)
        st = byw_places_read(places, BYW_PARAM_POLICY, policy, config, diag);
    return st == BYW_OK ? byw_setup_apply(settings, setting_count, config, diag) : st;
}

enum byw_status byw_setup_check(const struct byw_config *config, const char *machine,
                                const char *policy, struct byw_diag *diag)
{
    char fault[BYW_RULE_ROOM];
    bool of_machine;

    if (!byw_config_fault(config, fault, &of_machine))
        return BYW_OK;
    if (of_machine)
        return byw_diag_set(diag, BYW_EINVAL, "machine %s: %s", machine, fault);
    return byw_diag_set(diag, BYW_EINVAL, "machine %s refuses policy %s: %s%s", machine, policy,
                        fault,
                        strcmp(machine, BYW_OWN_MACHINE) == 0
                            ? "; -m " BYW_PAPER_MACHINE ", a machine of the papers, may run it"
                            : "");
}

enum byw_status byw_setup_config(const struct byw_places *places, const char *machine,
                                 const char *policy, const char *const *settings,
                                 size_t setting_count, struct byw_config *config,
                                 struct byw_diag *diag)
{
    enum byw_status st =
        byw_setup_read(places, machine, policy, settings, setting_count, config, diag);

    return st == BYW_OK ? byw_setup_check(config, machine, policy, diag) : st;
}

uint64_t byw_setup_storage_bits(const struct byw_config *config)
{
    const struct byw_geometry geo = {.sets = config->l1d_sets, .data_ways = config->l1d_ways};
    uint64_t bits = byw_repl_storage(config->l1d_repl, &geo);

    for (size_t i = 0; i < byw_mech_count(); i++)
        if (byw_mech_in_use(config, byw_mech(i)))
            bits += byw_mech_storage(config, byw_mech(i));
    return bits;
}

bool byw_setup_c_only(const struct byw_config *config)
{
    return byw_mech_without_rtl(config) != NULL || byw_repl_row(config->l1d_repl)->c_only;
}

void byw_setup_name(const char *given, char *name, size_t room)
{
    static const char *const endings[] = {".cfg", ".bwt", ".xz", ".zst", ".traceg", ".g"};
    size_t len = strlen(given);
    const char *start;
    char file[NAME_MAX + 1];

    while (len > 1 && given[len - 1] == '/') /* the name of a folder may end in slashes */
        len--;
    start = given + len;
    while (start > given && start[-1] != '/')
        start--;
    snprintf(file, sizeof(file), "%.*s", (int)(given + len - start), start);
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
        if (byw_text_ends(file, endings[i]) && strlen(file) > strlen(endings[i]))
            file[strlen(file) - strlen(endings[i])] = '\0';
    byw_text_printable(file, name, room);
}
