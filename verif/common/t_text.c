/* SPDX-License-Identifier: Apache-2.0
 *
 * t_text.c - arbitrary bytes as printable text.
 */
#include "common/byw_text.h"
#include "common/test.h"

static void only_printable_utf8_is_kept(void **state)
{
    static const struct {
        const char *bytes, *text;
    } forms[] = {
        {"", ""},
        {"plain ~", "plain ~"},
        {"caf\xc3\xa9", "caf\xc3\xa9"},
        {"caf\xe9", "caf\\xe9"},
        {"\xe2\x82\xac\xf0\x9f\x98\x80", "\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"a\x1b[31m\n\x7f", "a\\x1b[31m\\x0a\\x7f"},
        {"\xc2\x9b", "\\xc2\\x9b"}, /* a control character of two bytes */
        {"\xc0\xaf", "\\xc0\\xaf"}, /* longer than necessary */
        {"\xe0\x80\xaf", "\\xe0\\x80\\xaf"},
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"}, /* a surrogate */
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* beyond the last character */
        {"\xe2\x82", "\\xe2\\x82"}, /* cut short */
        {"\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80"},
    };
    char text[64];

    (void)state;
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        byw_text_printable(forms[i].bytes, text, sizeof(text));
        assert_string_equal(text, forms[i].text);
    }
}

/* The text ends before a character or escape that does not fit entirely. */
static void text_is_cut_between_characters(void **state)
{
    char text[8];

    (void)state;
    byw_text_printable("abcde\xc3\xa9z", text, sizeof(text));
    assert_string_equal(text, "abcde\xc3\xa9");
    byw_text_printable("abcdef\xc3\xa9z", text, sizeof(text));
    assert_string_equal(text, "abcdef");
    byw_text_printable("abcd\xe9", text, sizeof(text));
    assert_string_equal(text, "abcd");
    byw_text_printable("x", text, 1);
    assert_string_equal(text, "");
}

/* A word of a list is found only if it is whole; an empty list and NULL have none. */
static void words_of_a_list_are_whole(void **state)
{
    static const char list[] = "off|on|on_trial";
    size_t length = 0;

    (void)state;
    assert_int_equal(byw_word_find(list, "on", 2), 1);
    assert_int_equal(byw_word_find(list, "on_trial", 8), 2);
    assert_int_equal(byw_word_find(list, "on_trials", 9), -1);
    assert_int_equal(byw_word_find(list, "o", 1), -1);
    assert_int_equal(byw_word_find(list, "off|on", 6), -1);
    assert_int_equal(byw_word_find(NULL, "on", 2), -1);
    assert_string_equal(byw_word_at(list, 2, &length), "on_trial");
    assert_int_equal(length, 8);
    assert_ptr_equal(byw_word_at(list, 1, &length), list + 4);
    assert_int_equal(length, 2);
    assert_null(byw_word_at(list, 3, &length));
    assert_null(byw_word_at(NULL, 0, &length));
}

static void endings_are_compared_whole(void **state)
{
    (void)state;
    assert_true(byw_text_ends("a.bwt", ".bwt"));
    assert_true(byw_text_ends(".bwt", ".bwt"));
    assert_false(byw_text_ends("bwt", ".bwt"));
    assert_false(byw_text_ends("a.bwt.xz", ".bwt"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_printable_utf8_is_kept),
        cmocka_unit_test(text_is_cut_between_characters),
        cmocka_unit_test(words_of_a_list_are_whole),
        cmocka_unit_test(endings_are_compared_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
