/* SPDX-License-Identifier: Apache-2.0
 *
 * Advice per load: which loads a line of the file matches, which of several lines wins, and which
 * files are refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/test.h"
#include "record/byw_request.h"
#include "sim/sm/byw_load_advice.h"

static const struct byw_site sites[] = {
    {.pc = 0x60, .line = 12, .cls = BYW_CLASS_LOAD},
    {.pc = 0x68, .line = 12, .cls = BYW_CLASS_LOAD},
    {.pc = 0x70, .line = 13, .cls = BYW_CLASS_STORE},
    {.pc = 0x78, .line = 14, .cls = BYW_CLASS_LOAD},
};

static enum byw_status read_text(const char *text, struct byw_load_advice **advice,
                                 struct byw_diag *diag)
{
    char path[] = "t_load_advice_XXXXXX";
    int fd = mkstemp(path);
    enum byw_status status;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    status = byw_load_advice_read(path, advice, diag);
    unlink(path);
    return status;
}

/* The hints, as digits, of the loads at 0x60, 0x68, 0x78 and 0x99 (no such site); "-": no
 * advice. */
static void expect(const char *text, const char *kernel, const char *want)
{
    static const uint32_t pcs[] = {0x60, 0x68, 0x78, 0x99};
    struct byw_kernel k = {.site_count = 4, .site = sites};
    struct byw_load_hints hints = {.any = false};
    struct byw_load_advice *advice;
    struct byw_diag diag = {""};
    char got[5] = "----";

    if (read_text(text, &advice, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    strcpy(k.name, kernel);
    assert_int_equal(byw_load_advice_for(advice, &k, &hints, &diag), BYW_OK);
    for (int i = 0; i < 4 && hints.any; i++) {
        uint8_t hint = 9;

        byw_load_hint(&hints, pcs[i], &hint);
        if (hint != 9)
            got[i] = (char)('0' + hint);
    }
    assert_string_equal(got, want);
    byw_load_hints_release(&hints);
    byw_load_advice_free(advice);
}

static void rows_match_by_kernel_line_and_pc(void **state)
{
    (void)state;
    expect("", "k", "----");
    expect("# nothing\n\n", "k", "----");
    expect("k pc:0x68 bypass", "k", "-1--");
    expect("k pc:104 bypass # the same\r\n", "k", "-1--");
    expect("k pc:0x68 bypass", "kk", "----");
    expect("k line:12 stream", "k", "22--");
    expect("* * cache", "k", "3333");
    expect("k pc:0x70 bypass", "k", "----"); /* a store */
    expect("k pc:0x99 bypass", "k", "----"); /* no such load */
    expect("\t* line:14\tvolatile\nk pc:0x60 none", "k", "0-4-");
}

/* If several rows match a load, the last one wins. */
static void the_last_matching_row_wins(void **state)
{
    (void)state;
    expect("* * bypass\nk pc:0x60 cache", "k", "3111");
    expect("k pc:0x60 cache\n* * bypass", "k", "1111");
    expect("k line:12 cache\nk pc:0x68 stream", "k", "32--");
    expect("k pc:0x68 stream\nk line:12 cache", "k", "33--");
}

/* Each kernel has its own hints. For a trace without sites, addresses in the file are not
 * checked. */
static void each_kernel_has_its_own_hints(void **state)
{
    struct byw_kernel a = {.name = "a", .site_count = 4, .site = sites}, b = {.name = "b"};
    struct byw_load_hints hints = {.any = false};
    struct byw_load_advice *advice;
    uint8_t hint = 9;

    (void)state;
    assert_int_equal(
        read_text("a * bypass\nb pc:0x60 cache\nb line:3 cache\nc * none", &advice, NULL), BYW_OK);
    assert_int_equal(byw_load_advice_unused(advice), 1);
    assert_int_equal(byw_load_advice_for(advice, &a, &hints, NULL), BYW_OK);
    assert_true(hints.any && hints.all);
    assert_int_equal(byw_load_advice_for(advice, &b, &hints, NULL), BYW_OK);
    assert_true(hints.any && !hints.all && hints.count == 1);
    byw_load_hint(&hints, 0x60, &hint);
    assert_int_equal(hint, BYW_HINT_CACHE);
    /* a trace without sites has no line numbers */
    assert_int_equal(byw_load_advice_unused(advice), 3);
    byw_load_hints_release(&hints);
    byw_load_advice_free(advice);
}

/* A file made for other code of the kernel is refused; source lines may differ. */
static void advice_about_other_code_is_refused(void **state)
{
    struct byw_site moved[4], other[4];
    struct byw_kernel k = {.name = "k", .site_count = 4, .site = sites};
    struct byw_load_hints hints = {.any = false};
    struct byw_load_advice *advice;
    struct byw_diag diag = {""};
    char text[64];

    (void)state;
    memcpy(moved, sites, sizeof(moved));
    memcpy(other, sites, sizeof(other));
    moved[1].line = 99;
    other[1].width = 8;
    snprintf(text, sizeof(text), "\nk sites %08x\nk pc:0x60 bypass", byw_load_stamp(&k));
    assert_int_equal(read_text(text, &advice, NULL), BYW_OK);
    assert_int_equal(byw_load_advice_for(advice, &k, &hints, &diag), BYW_OK);
    assert_int_equal(hints.count, 1);
    k.site = moved;
    assert_int_equal(byw_load_advice_for(advice, &k, &hints, &diag), BYW_OK);
    k.site = other;
    assert_int_equal(byw_load_advice_for(advice, &k, &hints, &diag), BYW_EFORMAT);
    assert_non_null(
        strstr(diag.text, ":2: the advice is stale: the loads of kernel k have changed"));
    strcpy(k.name, "other");
    assert_int_equal(byw_load_advice_for(advice, &k, &hints, &diag), BYW_OK);
    k.site_count = 0;
    assert_int_equal(byw_load_stamp(&k), 0);
    byw_load_hints_release(&hints);
    byw_load_advice_free(advice);
}

/* Loads without advice in the file have the hint of their code; volatile has priority; the effect
 * of nontemporal depends on the levels. */
static void hints_of_the_code_apply_without_advice(void **state)
{
    struct byw_site own[4];
    struct byw_kernel k = {.name = "k", .site_count = 4, .site = own};
    struct byw_load_hints hints = {.any = false};
    struct byw_load_advice *advice;
    static const uint32_t pcs[] = {0x60, 0x68, 0x78};
    static const uint8_t plain[] = {BYW_HINT_VOLATILE, BYW_HINT_STREAM, BYW_HINT_BYPASS};
    static const uint8_t over[] = {BYW_HINT_NONE, BYW_ADVICE_NONTEMPORAL, BYW_HINT_BYPASS};

    (void)state;
    memcpy(own, sites, sizeof(own));
    own[0].flags = BYW_SITE_VOLATILE;
    own[1].flags = BYW_SITE_NONTEMPORAL;
    own[3].flags = BYW_SITE_NO_ALLOCATE | BYW_SITE_BUILT_IN;
    assert_int_equal(byw_load_advice_for(NULL, &k, &hints, NULL), BYW_OK);
    assert_true(hints.any);
    for (int i = 0; i < 3; i++) {
        uint8_t hint = 9;

        byw_load_hint(&hints, pcs[i], &hint);
        assert_int_equal(hint, plain[i]);
    }
    hints.levels = true;
    assert_int_equal(read_text("k pc:0x60 none", &advice, NULL), BYW_OK);
    assert_int_equal(byw_load_advice_for(advice, &k, &hints, NULL), BYW_OK);
    for (int i = 0; i < 3; i++) {
        uint8_t hint = 9;

        byw_load_hint(&hints, pcs[i], &hint);
        assert_int_equal(hint, over[i]);
    }
    k.site = sites;
    assert_int_equal(byw_load_advice_for(NULL, &k, &hints, NULL), BYW_OK);
    assert_false(hints.any);
    byw_load_hints_release(&hints);
    byw_load_advice_free(advice);
}

/* Advice for all loads omits those from __constant buffers, whose instruction takes no hint; advice
 * for such a load alone, by its PC, is applied. */
static void constants_take_no_hint_meant_for_all_loads(void **state)
{
    struct byw_site own[4];
    struct byw_kernel k = {.name = "k", .site_count = 4, .site = own};
    struct byw_load_hints hints = {.any = false};
    struct byw_load_advice *advice = byw_load_advice_empty();
    uint8_t hint = 9;

    (void)state;
    memcpy(own, sites, sizeof(own));
    own[1].flags = BYW_SITE_CONSTANT;
    assert_non_null(advice);
    assert_true(byw_load_advice_add_all(advice, BYW_HINT_VOLATILE));
    assert_int_equal(byw_load_advice_for(advice, &k, &hints, NULL), BYW_OK);
    byw_load_hint(&hints, 0x60, &hint);
    assert_int_equal(hint, BYW_HINT_VOLATILE);
    byw_load_hint(&hints, 0x68, &hint);
    assert_int_equal(hint, BYW_HINT_NONE);
    assert_true(byw_load_advice_add(advice, "k", 0x68, BYW_HINT_BYPASS));
    assert_int_equal(byw_load_advice_for(advice, &k, &hints, NULL), BYW_OK);
    byw_load_hint(&hints, 0x68, &hint);
    assert_int_equal(hint, BYW_HINT_BYPASS);
    byw_load_hints_release(&hints);
    byw_load_advice_free(advice);
}

static void malformed_advice_is_refused(void **state)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"k pc:0x60", ":1: expected three words"},
        {"\nk pc:0x60 bypass now", ":2: expected three words"},
        {"k 0x60 bypass", "the place is '0x60'; expected pc:0x60, line:15, sites or *"},
        {"k sites 12345", ":1: the stamp is '12345'; expected eight digits"},
        {"k sites bypass", "the stamp is 'bypass'"},
        {"k line:0 bypass", "the place is 'line:0'"},
        {"k pc:0x1ffffffff bypass", "the place is"},
        {"k pc:-1 bypass", "the place is"},
        {"k pc:0x60 bypas", "did you mean 'bypass'?"},
    };
    struct byw_load_advice *advice;
    char text[2000];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct byw_diag diag = {""};

        assert_int_equal(read_text(cases[i].text, &advice, &diag), BYW_EFORMAT);
        assert_non_null(strstr(diag.text, cases[i].part));
    }
    memset(text, 'k', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    assert_int_equal(read_text(text, &advice, NULL), BYW_EFORMAT);
    strcpy(text + 200, " * none");
    assert_int_equal(read_text(text, &advice, NULL), BYW_EFORMAT);
    assert_int_equal(byw_load_advice_read("/nowhere/at/all", &advice, NULL), BYW_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_match_by_kernel_line_and_pc),
        cmocka_unit_test(the_last_matching_row_wins),
        cmocka_unit_test(each_kernel_has_its_own_hints),
        cmocka_unit_test(advice_about_other_code_is_refused),
        cmocka_unit_test(hints_of_the_code_apply_without_advice),
        cmocka_unit_test(malformed_advice_is_refused),
        cmocka_unit_test(constants_take_no_hint_meant_for_all_loads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
