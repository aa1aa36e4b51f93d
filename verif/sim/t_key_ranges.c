/* SPDX-License-Identifier: Apache-2.0
 *
 * t_key_ranges.c - every key accepts both ends of its printed range: alone on some shipped machine,
 * or with the keys that the table below names.
 */
#include "gpu_rig.h"
#include "sim/memory/byw_memside.h"

/* Keys without which an end of another key's range is refused. */
static const struct {
    const char *key, *value, *with[8];
} companion[] = {
    {"sm.warps", "1", {"sm.schedulers=1"}},
    {"l1d.line_bytes", "32", {"coalescer.segment_bytes=32"}},
    {"l2.slices", "1", {"dram.channels=1"}},
    {"l2.line_bytes",
     "32",
     {"l1d.line_bytes=32", "coalescer.segment_bytes=32", "l2.sectors=1", "icache.line_bytes=32",
      "dram.atom_bytes=32", "dram.map=RRRRRRRR.BBBCCCCB.CCCSSSSS"}},
    {"dram.channels", "256", {"l2.slices=256"}},
    {"dram.banks", "1", {"dram.bank_groups=1", "dram.map=RRRRRRRR.CCCCCCCC.CCSSSSSS"}},
    {"dram.atom_bytes", "16", {"dram.map=0000RRRR.RRRRRRRR.BBBCCCCB.CCCCSSSS"}},
    {"dram.atom_bytes",
     "256",
     {"l2.line_bytes=256", "l2.sectors=1", "l2.write_miss=fetch",
      "dram.map=0000RRRR.RRRRRRRR.BBBCCCCB.SSSSSSSS"}},
    {"decoupled.rc_bits", "1", {"decoupled.threshold=1"}},
    {"two_level.low", "256", {"two_level.high=256"}},
    {"two_level.high", "0", {"two_level.low=0"}},
    {"pc.bits", "1", {"pc.threshold=1", "pc.initial=0"}},
    {"pc.threshold", "255", {"pc.bits=8"}},
    {"pc.initial", "255", {"pc.bits=8"}},
};

enum { COMPANIONS = sizeof(companion) / sizeof(companion[0]), MACHINES_MAX = 32 };

struct machines {
    struct byw_config config[MACHINES_MAX];
    size_t count;
};

static void load(struct machines *all)
{
    struct byw_diag diag = {""};
    glob_t files;

    assert_int_equal(glob("cmodel/configs/machines/*.cfg", 0, NULL, &files), 0);
    assert_in_range(files.gl_pathc, 7, MACHINES_MAX);
    for (size_t m = 0; m < files.gl_pathc; m++) {
        byw_config_defaults(&all->config[m]);
        if (byw_config_read(&all->config[m], files.gl_pathv[m], NULL, BYW_PARAM_MACHINE, &diag) !=
            BYW_OK)
            fail_msg("%s", diag.text);
    }
    all->count = files.gl_pathc;
    globfree(&files);
}

/* Sets KEY=VALUE pairs, NULL at their end. */
static enum byw_status set_pairs(struct byw_config *config, const char *const *pair,
                                 struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (; st == BYW_OK && *pair != NULL; pair++) {
        char text[96], *value = text, *name;

        snprintf(text, sizeof(text), "%s", *pair);
        name = strsep(&value, "=");
        st = byw_config_set(config, name, value, "t", diag);
    }
    return st;
}

static enum byw_status create_l1d(const struct byw_config *machine, struct byw_diag *diag)
{
    struct byw_config config = *machine;
    struct byw_cluster *cluster = NULL;
    enum byw_status st;

    config.sm_count = 1;
    st = byw_cluster_create(&config, false, &cluster, diag);
    byw_cluster_free(cluster);
    return st;
}

/* Whether one of the machines accepts key = value, with the pairs. */
static bool accepted(const struct machines *all, const char *key, const char *value,
                     const char *const *with, struct byw_diag *diag)
{
    for (size_t m = 0; m < all->count; m++) {
        struct byw_config config = all->config[m];
        enum byw_status st = set_pairs(&config, with, diag);

        if (st == BYW_OK)
            st = byw_config_set(&config, key, value, "t", diag);
        if (st == BYW_OK)
            st = byw_config_check(&config, diag);
        if (st == BYW_OK)
            st = byw_memsys_config(&config, diag);
        if (st == BYW_OK)
            st = create_l1d(&config, diag);
        if (st == BYW_OK)
            return true;
    }
    return false;
}

static bool accepted_with_others(const struct machines *all, const char *key, const char *value,
                                 struct byw_diag *diag)
{
    for (size_t c = 0; c < COMPANIONS; c++)
        if (strcmp(companion[c].key, key) == 0 && strcmp(companion[c].value, value) == 0)
            return accepted(all, key, value, companion[c].with, diag);
    return false;
}

static void every_key_accepts_both_ends_of_its_range(void **state)
{
    static struct machines all;
    static const char *const alone[] = {NULL};
    size_t ends = 0, refused = 0;

    (void)state;
    load(&all);
    for (size_t i = 0; i < byw_param_count(); i++) {
        const struct byw_param *p = byw_param(i);

        for (int end = 0; end < 2 && p->kind == BYW_PARAM_U32; end++, ends++) {
            struct byw_diag diag = {""};
            char value[16];

            snprintf(value, sizeof(value), "%u", end ? p->highest : p->lowest);
            if (accepted(&all, p->key, value, alone, &diag) ||
                accepted_with_others(&all, p->key, value, &diag))
                continue;
            print_error("%s = %s: %s\n", p->key, value, diag.text);
            refused++;
        }
    }
    assert_true(ends > 300);
    assert_int_equal(refused, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_accepts_both_ends_of_its_range),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
