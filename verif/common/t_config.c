/* SPDX-License-Identifier: Apache-2.0
 *
 * t_config.c - the configuration reader: every key, every refusal, and its messages.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/byw_mech.h"
#include "common/test.h"
#include "sim/gpu/byw_config_check.h"

enum { TEXT_ROOM = 32768 };

struct scratch {
    char path[64];
    char text[TEXT_ROOM];
};

static int make_scratch(void **state)
{
    struct scratch *s = calloc(1, sizeof(*s));
    int fd;

    if (s == NULL)
        return -1;
    snprintf(s->path, sizeof(s->path), "t_config_XXXXXX");
    fd = mkstemp(s->path);
    if (fd < 0)
        return -1;
    close(fd);
    *state = s;
    return 0;
}

static int drop_scratch(void **state)
{
    struct scratch *s = *state;

    unlink(s->path);
    free(s);
    return 0;
}

static void write_file(const struct scratch *s)
{
    FILE *out = fopen(s->path, "w");

    assert_non_null(out);
    assert_true(fputs(s->text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

/* Whether a complete file of that kind contains the key. */
static bool belongs(const struct byw_param *p, enum byw_param_file file)
{
    return p->file == file || (p->file == BYW_PARAM_EITHER && file == BYW_PARAM_MACHINE);
}

/* All keys of a kind of file, one per line, except that key number `skip` is left out. */
static void list_keys(struct scratch *s, const struct byw_config *c, enum byw_param_file file,
                      size_t skip)
{
    size_t used = 0;

    s->text[0] = '\0';
    for (size_t i = 0; i < byw_param_count(); i++) {
        char value[BYW_CONFIG_TEXT];

        if (i == skip || !belongs(byw_param(i), file))
            continue;
        byw_config_text(c, i, value, sizeof(value));
        used += (size_t)snprintf(s->text + used, TEXT_ROOM - used, "  %s=%s # comment\n",
                                 byw_param(i)->key, value);
        assert_true(used < TEXT_ROOM);
    }
}

static void append(struct scratch *s, const char *line)
{
    assert_true(strlen(s->text) + strlen(line) + 2 < TEXT_ROOM);
    strcat(s->text, line);
    strcat(s->text, "\n");
}

/* Reads s as a file of that kind; expects the status and a part of the message. */
static void refused_as(const struct scratch *s, enum byw_param_file file, enum byw_status want,
                       const char *part)
{
    struct byw_config c;
    struct byw_diag diag = {""};
    enum byw_status got;

    write_file(s);
    byw_config_defaults(&c);
    got = byw_config_read(&c, s->path, NULL, file, &diag);
    if (got != want || strstr(diag.text, part) == NULL)
        fail_msg("got %d '%s', wanted %d with '%s'", (int)got, diag.text, (int)want, part);
    assert_non_null(strstr(diag.text, s->path));
}

static void refused(const struct scratch *s, enum byw_status want, const char *part)
{
    refused_as(s, BYW_PARAM_POLICY, want, part);
}

static void accepted(const struct scratch *s, enum byw_param_file file, struct byw_config *c)
{
    struct byw_diag diag = {""};

    write_file(s);
    if (byw_config_read(c, s->path, NULL, file, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
}

static void every_key_survives_writing_and_reading_a_file(void **state)
{
    struct scratch *s = *state;

    for (int file = BYW_PARAM_MACHINE; file <= BYW_PARAM_POLICY; file++) {
        struct byw_config a;
        struct byw_config b;
        struct byw_diag diag = {""};

        byw_config_defaults(&a);
        for (size_t i = 0; i < byw_param_count(); i++) { /* a value other than the default */
            const struct byw_param *p = byw_param(i);
            char value[16];

            if ((int)p->file != file || p->kind != BYW_PARAM_U32)
                continue;
            snprintf(value, sizeof(value), "%u", p->def == p->highest ? p->lowest : p->highest);
            assert_int_equal(byw_config_set(&a, p->key, value, "test", &diag), BYW_OK);
        }
        list_keys(s, &a, (enum byw_param_file)file, SIZE_MAX);
        write_file(s);
        byw_config_defaults(&b);
        if (byw_config_read(&b, s->path, NULL, (enum byw_param_file)file, &diag) != BYW_OK)
            fail_msg("%s", diag.text);
        assert_memory_equal(&a, &b, sizeof(a));
    }
}

static void values_outside_the_range_of_a_key_are_rejected(void **state)
{
    (void)state;
    for (size_t i = 0; i < byw_param_count(); i++) {
        const struct byw_param *p = byw_param(i);
        struct byw_config c;
        char value[32];

        byw_config_defaults(&c);
        byw_config_text(&c, i, value, sizeof(value));
        if (p->kind == BYW_PARAM_STR) {
            assert_int_equal(byw_config_set(&c, p->key, "", "test", NULL), BYW_EINVAL);
            continue;
        }
        assert_int_equal(byw_config_set(&c, p->key, value, "test", NULL), BYW_OK);
        assert_int_equal(byw_config_set(&c, p->key, "nonsense", "test", NULL), BYW_EINVAL);
        assert_int_equal(byw_config_set(&c, p->key, "", "test", NULL), BYW_EINVAL);
        if (p->kind != BYW_PARAM_U32)
            continue;
        assert_true(p->lowest <= p->def && p->def <= p->highest);
        snprintf(value, sizeof(value), "%llu", p->highest + 1ULL);
        assert_int_equal(byw_config_set(&c, p->key, value, "test", NULL), BYW_EINVAL);
        snprintf(value, sizeof(value), "%lld", p->lowest - 1LL);
        assert_int_equal(byw_config_set(&c, p->key, value, "test", NULL), BYW_EINVAL);
        assert_int_equal(byw_config_set(&c, p->key, "0x10", "test", NULL), BYW_EINVAL);
        assert_int_equal(byw_config_set(&c, p->key, "99999999999999999999", "test", NULL),
                         BYW_EINVAL);
    }
}

static void a_machine_file_without_a_base_must_set_every_key(void **state)
{
    struct scratch *s = *state;
    struct byw_config c;

    byw_config_defaults(&c);
    for (size_t i = 0; i < byw_param_count(); i++) {
        if (!belongs(byw_param(i), BYW_PARAM_MACHINE))
            continue;
        list_keys(s, &c, BYW_PARAM_MACHINE, i);
        refused_as(s, BYW_PARAM_MACHINE, BYW_EFORMAT, byw_param(i)->key);
    }
}

/* Keys that the file does not set keep their values. */
static void a_policy_file_may_set_any_keys_but_must_say_what_it_is(void **state)
{
    struct scratch *s = *state;
    struct byw_config c;
    char text[BYW_CONFIG_TEXT];

    byw_config_defaults(&c);
    c.dec_threshold = 5;
    c.l1d_repl = BYW_REPL_LRU;
    strcpy(s->text, "");
    append(s, "policy.use = duel  decoupled");
    refused(s, BYW_EFORMAT, "policy.title");
    append(s, "policy.title = T");
    refused(s, BYW_EFORMAT, "policy.about");
    append(s, "policy.about = A sentence");
    accepted(s, BYW_PARAM_POLICY, &c);
    byw_mech_use_text(&c, text, sizeof(text));
    assert_string_equal(text, "decoupled duel");
    assert_int_equal(c.policy_mode, BYW_MODE_DECOUPLED);
    assert_int_equal(c.duel_on, 1);
    assert_int_equal(c.dec_threshold, 5); /* keeps the value set before the file was read */
    append(s, "l1d.replacement = srrip");
    append(s, "two_level.sample = 9");
    append(s, "stall.bypass = line"); /* comes after policy.use, which it refines */
    accepted(s, BYW_PARAM_POLICY, &c);
    assert_int_equal(c.l1d_repl, BYW_REPL_SRRIP);
    assert_int_equal(c.tl_sample, 9);
    byw_mech_use_text(&c, text, sizeof(text));
    assert_string_equal(text, "decoupled duel stall");
    strcpy(s->text, "stall.bypass = line\n");
    append(s, "policy.use = none");
    refused(s, BYW_EFORMAT, "follows stall.bypass (line 1)");
    strcpy(s->text, "l1d.ways = 8\n");
    refused(s, BYW_EFORMAT, "belongs in a machine file");
}

/* --- base = NAME ------------------------------------------------------------------------------ */

enum { BASES = 24 };

/* A folder with the files of a base chain, and one with shipped files. */
struct chain {
    char folder[64], shipped[128];
};

static void file_in(const char *folder, const char *name, const char *text)
{
    struct scratch s;

    snprintf(s.path, sizeof(s.path), "%.50s/%.12s", folder, name);
    snprintf(s.text, sizeof(s.text), "%s", text);
    write_file(&s);
}

static int make_chain(void **state)
{
    struct chain *chain = calloc(1, sizeof(*chain));

    if (chain == NULL)
        return -1;
    snprintf(chain->folder, sizeof(chain->folder), "/tmp/t_config_XXXXXX");
    if (mkdtemp(chain->folder) == NULL)
        return -1;
    snprintf(chain->shipped, sizeof(chain->shipped), "%s/s", chain->folder);
    *state = chain;
    return mkdir(chain->shipped, 0700);
}

static int drop_chain(void **state)
{
    struct chain *chain = *state;
    char command[128];

    snprintf(command, sizeof(command), "rm -r '%s'", chain->folder);
    free(chain);
    return system(command);
}

static enum byw_status read_chain(const struct chain *chain, const char *name, struct byw_config *c,
                                  struct byw_diag *diag)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", chain->folder, name);
    byw_config_defaults(c);
    return byw_config_read(c, path, chain->shipped, BYW_PARAM_POLICY, diag);
}

static void a_file_overrides_its_base_and_inherits_the_rest(void **state)
{
    const struct chain *chain = *state;
    struct byw_config c;
    struct byw_diag diag = {""};

    file_in(chain->shipped, "root.cfg",
            "policy.title = Root\npolicy.about = the root\npolicy.use = pc\n"
            "pc.initial = 3\npc.threshold = 7\n");
    file_in(chain->folder, "mid.cfg",
            "base = root # of the shipped ones\npolicy.title = Mid\n"
            "pc.threshold = 9\n");
    file_in(chain->folder, "top.cfg", "\nbase = mid\npolicy.title = Top\npolicy.use = stall\n");
    if (read_chain(chain, "top.cfg", &c, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    assert_string_equal(c.policy_title, "Top");
    assert_string_equal(c.policy_about, "the root");
    assert_int_equal(c.pc_init, 3);
    assert_int_equal(c.pc_threshold, 9);
    assert_false(byw_mech_in_use(&c, byw_mech_named("pc")));
    file_in(chain->folder, "path.cfg", "base = s/root.cfg\npolicy.title = Path\n");
    assert_int_equal(read_chain(chain, "path.cfg", &c, &diag), BYW_OK);
    assert_int_equal(c.pc_threshold, 7);
}

static void a_file_may_derive_from_the_shipped_one_of_its_name(void **state)
{
    const struct chain *chain = *state;
    struct byw_config c;
    struct byw_diag diag = {""};

    file_in(chain->shipped, "pc.cfg", "policy.title = PC\npolicy.about = it\npc.initial = 3\n");
    file_in(chain->folder, "pc.cfg", "base = pc\npolicy.title = Mine\n");
    if (read_chain(chain, "pc.cfg", &c, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(c.pc_init, 3);
    assert_string_equal(c.policy_title, "Mine");
}

static void a_wrong_base_is_named_with_file_and_line(void **state)
{
    static const struct {
        const char *file, *text, *part;
    } cases[] = {
        {"none.cfg", "# x\nbase = nothing\n", "none.cfg:2: base 'nothing' does not exist"},
        {"none.cfg", "base =\n", "none.cfg:1: base '' does not exist"},
        {"self.cfg", "base = self\n", "self.cfg:1: base 'self' does not exist"},
        {"self.cfg", "base = ./self.cfg\n", "self.cfg:1: base './self.cfg' is derived from"},
        {"a.cfg", "base = b\n", "b.cfg:1: base 'a' is derived from"},
        {"late.cfg", "policy.title = T\nbase = ok\n",
         "late.cfg:2: base follows policy.title (line 1)"},
        {"two.cfg", "base = ok\nbase = ok\n", "two.cfg:2: a second base"},
        {"bare.cfg", "base = ok\n", "bare.cfg:1: the file ends without key 'policy.title'"},
        {"deep.cfg", "base = bad\npolicy.title = T\n", "bad.cfg:2: unknown key 'pc.entres'"},
        {"dir.cfg", "base = ./s/\npolicy.title = T\n", "is a folder"},
        {"long.cfg", "base = 1\npolicy.title = T\n", "15.cfg:1: more than 16 files"},
    };
    const struct chain *chain = *state;

    file_in(chain->folder, "b.cfg", "base = a\n");
    file_in(chain->folder, "ok.cfg", "policy.title = T\npolicy.about = it\n");
    file_in(chain->folder, "bad.cfg", "base = ok\npc.entres = 2\n");
    for (int i = 1; i < BASES; i++) {
        char name[16], text[64];

        snprintf(name, sizeof(name), "%d.cfg", i);
        snprintf(text, sizeof(text), "base = %d\npolicy.title = T\n", i + 1);
        file_in(chain->folder, name, text);
    }
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct byw_config c;
        struct byw_diag diag = {""};

        file_in(chain->folder, cases[i].file, cases[i].text);
        if (read_chain(chain, cases[i].file, &c, &diag) == BYW_OK ||
            strstr(diag.text, cases[i].part) == NULL)
            fail_msg("%s: '%s', wanted '%s'", cases[i].text, diag.text, cases[i].part);
    }
}

static void a_machine_with_a_base_needs_a_title_and_changes_only(void **state)
{
    struct byw_config fermi, small;
    struct byw_diag diag = {""};
    const struct chain *chain = *state;
    char path[128];

    byw_config_defaults(&fermi);
    small = fermi;
    assert_int_equal(byw_config_read(&fermi, "cmodel/configs/machines/fermi.cfg", NULL,
                                     BYW_PARAM_MACHINE, &diag),
                     BYW_OK);
    file_in(chain->folder, "m.cfg", "base = fermi\nmachine.title = Small\nl1d.sets = 16\n");
    snprintf(path, sizeof(path), "%s/m.cfg", chain->folder);
    if (byw_config_read(&small, path, "cmodel/configs/machines", BYW_PARAM_MACHINE, &diag) !=
        BYW_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(small.l1d_sets, 16);
    small.l1d_sets = fermi.l1d_sets;
    memcpy(small.machine_title, fermi.machine_title, sizeof(small.machine_title));
    assert_memory_equal(&small, &fermi, sizeof(small));
    file_in(chain->folder, "m.cfg", "base = fermi\nl1d.sets = 16\n");
    assert_int_not_equal(
        byw_config_read(&small, path, "cmodel/configs/machines", BYW_PARAM_MACHINE, &diag), BYW_OK);
    assert_non_null(strstr(diag.text, "m.cfg:2: the file ends without key 'machine.title'"));
}

/* policy.use sets every enable key. */
static void policy_use_sets_every_enable_key(void **state)
{
    struct byw_config c;
    struct byw_diag diag;
    char text[BYW_CONFIG_TEXT];

    (void)state;
    for (size_t i = 0; i < byw_mech_count(); i++) { /* each mechanism alone: it replaces the
                                                       previous one */
        const struct byw_mech *mech = byw_mech(i);

        byw_config_defaults(&c);
        assert_int_equal(byw_config_set(&c, "policy.use", "two_level stall", "", &diag), BYW_OK);
        assert_int_equal(byw_config_set(&c, "policy.use", mech->name, "", &diag), BYW_OK);
        assert_true(byw_mech_in_use(&c, mech));
        byw_mech_use_text(&c, text, sizeof(text));
        assert_string_equal(text, mech->name);
        assert_ptr_equal(byw_mech_named(mech->name), mech);
        assert_true(strlen(mech->sentence) > 20 && strlen(mech->paper) == 3);
    }
    assert_int_equal(byw_config_set(&c, "policy.use", " none ", "", &diag), BYW_OK);
    byw_mech_use_text(&c, text, sizeof(text));
    assert_string_equal(text, "none");
    assert_int_equal(byw_config_set(&c, "policy.use", "", "--set", &diag), BYW_EINVAL);
    assert_int_equal(byw_config_set(&c, "policy.use", "none pc", "--set", &diag), BYW_EINVAL);
    assert_int_equal(byw_config_set(&c, "policy.use", "decopled", "--set", &diag), BYW_EINVAL);
    assert_non_null(strstr(diag.text, "did you mean 'decoupled'?"));
    assert_int_equal(byw_config_set(&c, "policy.use", "bypass_all decoupled", "--set", &diag),
                     BYW_EINVAL);
    assert_non_null(strstr(diag.text, "both set policy.mode"));
}

/* The storage of mechanisms/across.md 14: with 40-bit addresses and the L1D of machine A. */
static void storage_bits_match_the_papers(void **state)
{
    static const struct {
        const char *name;
        uint64_t bits;
    } rows[] = {{"decoupled", 11488 - 4096}, {"two_level", 320}, {"bypass_all", 0}, {"stall", 0}};
    struct byw_config c;

    (void)state;
    byw_config_defaults(&c);
    c.pa_bits = 40;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(byw_mech_storage(&c, byw_mech_named(rows[i].name)), rows[i].bits);
    c.l1d_line = 64; /* paper 002's */
    c.l1d_ways = 8;
    assert_int_equal(byw_mech_storage(&c, byw_mech_named("pc")), 2304);
}

static void bad_lines_are_rejected_with_file_and_line(void **state)
{
    static const struct {
        const char *line;
        enum byw_status status;
        const char *part;
    } cases[] = {
        {"decoupled.treshold = 2", BYW_ENOENT, "did you mean 'decoupled.threshold'?"},
        {"Policy.Mode = base", BYW_ENOENT, "did you mean 'policy.mode'?"},
        {"quite.something.else = 2", BYW_ENOENT, "byway list configs"},
        {"policy.mode = base", BYW_EFORMAT, "already set in line 4"},
        {"l1d.sets = 32", BYW_EFORMAT, "belongs in a machine file"},
        {"policy.mode base", BYW_EFORMAT, "has no '='"},
    };
    struct scratch *s = *state;
    struct byw_config c;

    byw_config_defaults(&c);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        list_keys(s, &c, BYW_PARAM_POLICY, SIZE_MAX);
        append(s, cases[i].line);
        refused(s, cases[i].status, cases[i].part);
    }
    list_keys(s, &c, BYW_PARAM_POLICY, SIZE_MAX);
    memset(s->text + strlen(s->text), ' ', 2000);
    append(s, "x");
    refused(s, BYW_EFORMAT, "line too long");
    strcpy(s->text, "# a comment\n\npolicy.title = X\npolicy.mode = decopled\n");
    refused(s, BYW_EINVAL, ":4: policy.mode is 'decopled'");
    refused(s, BYW_EINVAL, "did you mean 'decoupled'?");
    unlink(s->path);
    {
        struct byw_diag diag = {""};

        assert_int_equal(byw_config_read(&c, s->path, NULL, BYW_PARAM_POLICY, &diag), BYW_EIO);
        assert_non_null(strstr(diag.text, "No such file"));
    }
}

/* Single settings that each break a rule between several keys of the default configuration. */
static void broken_rules_over_several_keys_are_named(void **state)
{
    static const char *const broken[][4] = {
        {"l1d.sets", "33", NULL, NULL},
        {"l1d.line_bytes", "96", NULL, NULL},
        {"l1d.sectors", "4", "l1d.line_bytes", "64"},
        {"coalescer.segment_bytes", "128", "l1d.line_bytes", "64"},
        {"coalescer.min_bytes", "128", "coalescer.segment_bytes", "64"},
        {"sm.warps", "1", NULL, NULL},
        {"l2.slices", "7", NULL, NULL},
        {"l2.line_bytes", "64", NULL, NULL},
        {"dram.banks", "8", NULL, NULL},
        {"dram.map", "RRRR.XXXX", NULL, NULL},
        {"dram.map", "RRRRBBBBCCCCSSSSS", NULL, NULL},
        {"duel.enable", "on", NULL, NULL},
        {"policy.mode", "decoupled", "decoupled.tag_ways", "3"},
        {"decoupled.threshold", "4", "decoupled.rc_bits", "2"},
        {"two_level.low", "231", NULL, NULL},
        {"pc.entries", "100", NULL, NULL},
        {"pc.threshold", "8", "pc.bits", "3"},
        {"pc.initial", "16", NULL, NULL},
        {"policy.mode", "decoupled", "l1d.allocate", "on_fill"},
        {"pc.enable", "on", "policy.mode", "bypass_all"},
        {"l1d.replacement", "drrip", "l1d.sets", "4"},
    };
    struct byw_config c;
    struct byw_diag diag = {""};

    (void)state;
    byw_config_defaults(&c);
    assert_int_equal(byw_config_check(&c, &diag), BYW_OK);
    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
        byw_config_defaults(&c);
        for (size_t j = 0; j < 4 && broken[i][j] != NULL; j += 2)
            assert_int_equal(byw_config_set(&c, broken[i][j], broken[i][j + 1], "t", NULL), BYW_OK);
        if (byw_config_check(&c, &diag) != BYW_EINVAL)
            fail_msg("%s = %s was accepted", broken[i][0], broken[i][1]);
        assert_true(strlen(diag.text) > 10);
    }
}

static void the_nearest_name_is_suggested_for_a_typo(void **state)
{
    static const char *const names[] = {"bl", "ball", "decoupled", "decoupled_duel"};

    (void)state;
    assert_string_equal(byw_nearest("decopled", names, 4), "decoupled");
    assert_string_equal(byw_nearest("decoupled_deul", names, 4), "decoupled_duel");
    assert_string_equal(byw_nearest("BL", names, 4), "bl");
    assert_string_equal(byw_nearest("bal", names, 4), "ball");
    assert_null(byw_nearest("mrpb", names, 4));
    assert_null(byw_nearest("", names, 4));
}

/* A key is suggested if its last part is near the word, with another group or with none. */
static void the_nearest_key_may_have_a_like_last_part(void **state)
{
    static const char *const keys[] = {"pc.entries", "l1d.mshrs", "l1d.mshr_merges", "l2.mshrs"};

    (void)state;
    assert_string_equal(byw_nearest("mshr.entries", keys, 4), "l1d.mshrs");
    assert_string_equal(byw_nearest("mshr_merge", keys, 4), "l1d.mshr_merges");
    assert_string_equal(byw_nearest("pc.entrys", keys, 4), "pc.entries");
    assert_null(byw_nearest("unlike.anything", keys, 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_survives_writing_and_reading_a_file),
        cmocka_unit_test(values_outside_the_range_of_a_key_are_rejected),
        cmocka_unit_test(a_machine_file_without_a_base_must_set_every_key),
        cmocka_unit_test(a_policy_file_may_set_any_keys_but_must_say_what_it_is),
        cmocka_unit_test_setup_teardown(a_file_overrides_its_base_and_inherits_the_rest, make_chain,
                                        drop_chain),
        cmocka_unit_test_setup_teardown(a_file_may_derive_from_the_shipped_one_of_its_name,
                                        make_chain, drop_chain),
        cmocka_unit_test_setup_teardown(a_wrong_base_is_named_with_file_and_line, make_chain,
                                        drop_chain),
        cmocka_unit_test_setup_teardown(a_machine_with_a_base_needs_a_title_and_changes_only,
                                        make_chain, drop_chain),
        cmocka_unit_test(policy_use_sets_every_enable_key),
        cmocka_unit_test(storage_bits_match_the_papers),
        cmocka_unit_test(bad_lines_are_rejected_with_file_and_line),
        cmocka_unit_test(broken_rules_over_several_keys_are_named),
        cmocka_unit_test(the_nearest_name_is_suggested_for_a_typo),
        cmocka_unit_test(the_nearest_key_may_have_a_like_last_part),
    };

    return cmocka_run_group_tests_name("config", tests, make_scratch, drop_scratch);
}
