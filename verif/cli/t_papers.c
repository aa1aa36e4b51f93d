/* SPDX-License-Identifier: Apache-2.0
 *
 * t_papers.c - the entries of cmodel/doc/papers.md are those of the registry, and no page cites a
 * paper by number alone.
 */
#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/test.h"
#include "study/job/byw_paper.h"

enum { ROOM = 1 << 19 };

static char *read_page(const char *path)
{
    FILE *in = fopen(path, "r");
    char *text = calloc(1, ROOM);

    if (in == NULL || text == NULL)
        fail_msg("%s cannot be read; expected to run in the root", path);
    assert_true(fread(text, 1, ROOM - 1, in) < ROOM - 1);
    fclose(in);
    return text;
}

/* Makes every run of blanks and line breaks one blank: where a line ends does not matter. */
static void squeeze(char *text)
{
    char *to = text;

    for (const char *at = text; *at != '\0'; at++)
        if (!isspace((unsigned char)*at))
            *to++ = *at;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    *to = '\0';
}

static void every_paper_of_the_registry_has_its_entry_in_order(void **state)
{
    char *page = read_page("cmodel/doc/papers.md");
    const char *at = page;

    (void)state;
    squeeze(page);
    for (size_t i = 0; i < byw_paper_count(); i++) {
        const struct byw_paper *p = byw_paper(i);
        char entry[1024];

        snprintf(entry, sizeof(entry), "\n### %s\n\n*%s.*\n%s.\n%s.\nNumber %s.\n", p->name,
                 p->title, p->authors, p->venue, p->number);
        squeeze(entry);
        at = strstr(at, entry[0] == ' ' ? entry + 1 : entry);
        if (at == NULL)
            fail_msg("cmodel/doc/papers.md: expected, in the registry's order:%s", entry);
        at += strlen(entry) - 1;
    }
    assert_null(strstr(at, " Number ")); /* nor any other */
    free(page);
}

/* "paper 000" means nothing to a reader. */
static void no_page_cites_a_paper_by_number_alone(void **state)
{
    glob_t pages;

    (void)state;
    assert_int_equal(glob("rtl/doc/*.md", 0, NULL, &pages), 0);
    assert_int_equal(glob("cmodel/*/*.md", GLOB_APPEND, NULL, &pages), 0);
    assert_int_equal(glob("cmodel/*/*/*.md", GLOB_APPEND, NULL, &pages), 0);
    assert_int_equal(glob("*.md", GLOB_APPEND, NULL, &pages), 0);
    for (size_t i = 0; i < pages.gl_pathc; i++) {
        char *text = read_page(pages.gl_pathv[i]);

        for (const char *at = strcasestr(text, "paper"); at != NULL;
             at = strcasestr(at + 1, "paper")) {
            const char *next = at + strlen("paper") + (at[strlen("paper")] == 's');

            if (strncmp(next, " 00", 3) == 0 && (at == text || at[-1] != '`'))
                fail_msg("%s: \"%.20s\"; expected the paper's name", pages.gl_pathv[i], at);
        }
        free(text);
    }
    globfree(&pages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_paper_of_the_registry_has_its_entry_in_order),
        cmocka_unit_test(no_page_cites_a_paper_by_number_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
