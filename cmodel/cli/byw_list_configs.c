/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_list_configs.c - lists machines, policies, their mechanisms, and their keys.
 */
#include <string.h>

#include "cli/byw_list.h"
#include "common/byw_mech.h"
#include "common/byw_text.h"

int byw_list_json(json_t *list)
{
    struct byw_diag diag = {""};
    struct byw_file *out;
    enum byw_status st = byw_file_create("-", &out, &diag);

    if (st == BYW_OK)
        st = byw_json_write(list, out, &diag);
    json_decref(list);
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}

/* --- machines and policies ------------------------------------------------------------------- */

/* Lists the keys, as "pc.initial = 4", whose values differ from those that policy.use sets. */
static void changed_keys(const struct byw_config *c, const char *use, char *text, size_t room)
{
    struct byw_config plain;
    size_t used = 0;

    byw_config_defaults(&plain);
    byw_mech_use(&plain, use, "", NULL);
    text[0] = '\0';
    for (size_t i = 0; i < byw_param_count() && used < room; i++) {
        char value[BYW_CONFIG_TEXT], normal[BYW_CONFIG_TEXT];

        if (byw_param(i)->kind == BYW_PARAM_STR)
            continue;
        byw_config_text(c, i, value, sizeof(value));
        byw_config_text(&plain, i, normal, sizeof(normal));
        if (strcmp(value, normal) != 0)
            used += (size_t)snprintf(text + used, room - used, "%s%s = %s", used == 0 ? "" : ", ",
                                     byw_param(i)->key, value);
    }
}

static void print_policy(const char *name, const struct byw_config *c)
{
    char use[BYW_CONFIG_TEXT], changed[512], uses[BYW_CONFIG_TEXT + 64], left[BYW_CONFIG_TEXT + 64];

    byw_mech_use_text(c, use, sizeof(use));
    changed_keys(c, use, changed, sizeof(changed));
    snprintf(left, sizeof(left), "%-18s %s", name, c->policy_title);
    byw_text_beside(stdout, left, c->policy_about, 38);
    snprintf(uses, sizeof(uses), "uses %s; %llu bits per SM%s", use,
             (unsigned long long)byw_setup_storage_bits(c), byw_setup_c_only(c) ? "; C only" : "");
    printf("%38s", "");
    byw_text_wrap_at(stdout, uses, 38);
    if (changed[0] != '\0') {
        printf("%38s", "");
        byw_text_wrap_at(stdout, changed, 38);
    }
}

static json_t *policy_json(const char *name, const struct byw_config *c)
{
    char use[BYW_CONFIG_TEXT], changed[512];

    byw_mech_use_text(c, use, sizeof(use));
    changed_keys(c, use, changed, sizeof(changed));
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:b}", "name", name, "title", c->policy_title,
                     "about", c->policy_about, "uses", use, "keys", changed, "storage_bits_per_sm",
                     (json_int_t)byw_setup_storage_bits(c), "rtl", !byw_setup_c_only(c));
}

static void print_config(enum byw_param_file kind, const char *name, const struct byw_config *c)
{
    char text[160];

    if (kind != BYW_PARAM_MACHINE) {
        print_policy(name, c);
        return;
    }
    printf("%-18s %-20s ", name, c->machine_title);
    snprintf(text, sizeof(text), "%u SMs at %u MHz, L1D %u KB (%u sets x %u ways x %u B), L2 %u KB",
             c->sm_count, c->core_mhz, c->l1d_sets * c->l1d_ways * c->l1d_line / 1024, c->l1d_sets,
             c->l1d_ways, c->l1d_line, c->l2_slices * c->l2_sets * c->l2_ways * c->l2_line / 1024);
    byw_text_wrap_at(stdout, text, 40);
}

static int list_configs_of(enum byw_param_file kind, bool as_json)
{
    struct byw_diag diag = {""};
    struct byw_places places;
    struct byw_names names = {0};
    json_t *list = json_array();
    enum byw_status st = byw_places_find(&places, &diag);

    if (st == BYW_OK)
        st = kind == BYW_PARAM_MACHINE ? byw_places_machines(&places, &names, &diag)
                                       : byw_places_policies(&places, &names, &diag);
    for (size_t i = 0; st == BYW_OK && i < names.count; i++) {
        struct byw_config config;

        byw_config_defaults(&config);
        st = byw_places_read(&places, kind, names.name[i], &config, &diag);
        if (st != BYW_OK)
            break;
        if (as_json)
            json_array_append_new(list, kind == BYW_PARAM_MACHINE
                                            ? json_pack("{s:s, s:s}", "name", names.name[i],
                                                        "title", config.machine_title)
                                            : policy_json(names.name[i], &config));
        else
            print_config(kind, names.name[i], &config);
    }
    byw_names_free(&names);
    if (st == BYW_OK && as_json)
        return byw_list_json(list);
    json_decref(list);
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}

int byw_list_machines(bool as_json)
{
    return list_configs_of(BYW_PARAM_MACHINE, as_json);
}

int byw_list_policies(bool as_json)
{
    return list_configs_of(BYW_PARAM_POLICY, as_json);
}

/* --- mechanisms ------------------------------------------------------------------------------ */

/* Prints the keys that turn on a mechanism, and the section of its other keys. */
static void print_mech(const struct byw_mech *mech, const struct byw_config *c)
{
    char text[512];
    int used;

    printf("%-20s paper %-4s ", mech->name, mech->paper);
    byw_text_wrap_at(stdout, mech->sentence, 32);
    used = snprintf(text, sizeof(text), "%s = %s", mech->enable, mech->on);
    if (mech->storage_bits != NULL)
        used += snprintf(text + used, sizeof(text) - (size_t)used, "; %llu bits per SM",
                         (unsigned long long)byw_mech_storage(c, mech));
    if (mech->unit != NULL)
        used += snprintf(text + used, sizeof(text) - (size_t)used, "; unit %s", mech->unit);
    snprintf(text + used, sizeof(text) - (size_t)used, "%s", mech->c_only ? "; C only" : "");
    printf("%32s", "");
    byw_text_wrap_at(stdout, text, 32);
}

static json_t *mech_json(const struct byw_mech *mech, const struct byw_config *c)
{
    json_t *entry = json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:s?}", "name", mech->name, "paper",
                              mech->paper, "sentence", mech->sentence, "key", mech->enable,
                              "values", mech->on, "rtl", !mech->c_only, "unit", mech->unit);

    if (mech->storage_bits != NULL)
        json_object_set_new(entry, "storage_bits_per_sm",
                            json_integer((json_int_t)byw_mech_storage(c, mech)));
    return entry;
}

int byw_list_mechanisms(bool as_json)
{
    struct byw_config defaults;
    json_t *list = json_array();

    byw_config_defaults(&defaults);
    for (size_t i = 0; i < byw_mech_count(); i++)
        if (as_json)
            json_array_append_new(list, mech_json(byw_mech(i), &defaults));
        else
            print_mech(byw_mech(i), &defaults);
    if (as_json)
        return byw_list_json(list);
    json_decref(list);
    return BYW_EXIT_OK;
}

/* --- keys ------------------------------------------------------------------------------------ */

static void range_text(const struct byw_param *p, char *text, size_t room)
{
    if (p->kind == BYW_PARAM_U32)
        snprintf(text, room, "%u..%u", p->lowest, p->highest);
    else
        snprintf(text, room, "%s", p->kind == BYW_PARAM_ENUM ? p->choices : "text");
}

int byw_list_keys(bool as_json)
{
    struct byw_config defaults;
    json_t *list = json_array();

    byw_config_defaults(&defaults);
    for (size_t i = 0; i < byw_param_count(); i++) {
        const struct byw_param *p = byw_param(i);
        const char *file = p->file == BYW_PARAM_POLICY ? "policy" : "machine";
        char value[BYW_CONFIG_TEXT], range[128], text[BYW_CONFIG_TEXT + 256];

        byw_config_text(&defaults, i, value, sizeof(value));
        range_text(p, range, sizeof(range));
        if (as_json) {
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s}", "key", p->key,
                                                  "file", file, "default", value, "range", range,
                                                  "meaning", p->meaning));
            continue;
        }
        snprintf(text, sizeof(text), "%s = %s  [%s]", p->key, value, range);
        printf("%-8s ", file);
        byw_text_wrap_at(stdout, text, 9);
        printf("%12s", "");
        byw_text_wrap_at(stdout, p->meaning, 12);
    }
    if (as_json)
        return byw_list_json(list);
    json_decref(list);
    return BYW_EXIT_OK;
}

/* A policy file also shows the machine keys that it changes. */
static bool is_shown(enum byw_param_file kind, size_t i, const char *value)
{
    const struct byw_param *p = byw_param(i);
    struct byw_config defaults;
    char text[BYW_CONFIG_TEXT];

    if (kind != BYW_PARAM_POLICY || p->file != BYW_PARAM_EITHER)
        return (p->file == BYW_PARAM_POLICY) == (kind == BYW_PARAM_POLICY);
    byw_config_defaults(&defaults);
    byw_config_text(&defaults, i, text, sizeof(text));
    return strcmp(value, text) != 0;
}

/* Prints a configuration file of one kind with every key. */
static void print_file(enum byw_param_file kind, const struct byw_config *config)
{
    const char *group = "";

    for (size_t i = 0; i < byw_param_count(); i++) {
        const struct byw_param *p = byw_param(i);
        char value[BYW_CONFIG_TEXT];
        char setting[BYW_CONFIG_TEXT + 64];
        size_t len = strcspn(p->key, ".") + 1;

        byw_config_text(config, i, value, sizeof(value));
        if (!is_shown(kind, i, value))
            continue;
        if (strncmp(group, p->key, len) != 0 && *group != '\0')
            putchar('\n');
        group = p->key;
        snprintf(setting, sizeof(setting), "%.40s = %s", p->key, value);
        if (strlen(p->meaning) + 43 > BYW_TEXT_COLUMNS) {
            fputs("# ", stdout);
            byw_text_wrap(stdout, p->meaning, 2, "# ");
            puts(setting);
        } else {
            printf("%-40s # %s\n", setting, p->meaning);
        }
    }
}

void byw_list_template(enum byw_param_file kind)
{
    struct byw_config defaults;

    byw_config_defaults(&defaults);
    print_file(kind, &defaults);
}

int byw_list_resolved(enum byw_param_file kind, const char *name)
{
    struct byw_config config;
    struct byw_diag diag = {""};
    struct byw_places places;
    enum byw_status st = byw_places_find(&places, &diag);

    byw_config_defaults(&config);
    if (st == BYW_OK)
        st = byw_places_read(&places, kind, name, &config, &diag);
    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    print_file(kind, &config);
    return BYW_EXIT_OK;
}
