/* SPDX-License-Identifier: Apache-2.0
 *
 * The records of claims and figures, and how their numbers are judged.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/test.h"
#include "study/papers/byw_figure.h"
#include "study/papers/byw_reproduce.h"

static struct byw_papers *load(const char *file)
{
    struct byw_papers *papers = NULL;
    struct byw_diag diag = {""};

    if (byw_papers_load(&file, file != NULL, &papers, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    return papers;
}

static bool has_figure(const struct byw_papers *papers, const char *id)
{
    for (size_t f = 0; f < papers->figures; f++)
        if (strcmp(papers->figure[f].id, id) == 0)
            return true;
    return false;
}

static void every_claim_has_an_id_of_its_paper(void **state)
{
    struct byw_papers *papers = load(NULL);

    (void)state;
    assert_true(papers->claims >= 30);
    for (size_t i = 0; i < papers->claims; i++)
        assert_int_equal(papers->claim[i].id[0] - '0', papers->claim[i].paper[2] - '0');
    byw_papers_free(papers);
}

/* verif/cli/statements.tsv lists what the papers say, collected without looking at the claims:
 * paper, section, statement, and the numbers "CLAIM: NAME" that test it, or "-" and why none can.
 */
static const char statements[] = "verif/cli/statements.tsv";

static bool has_number(const struct byw_papers *papers, const char *paper, const char *test)
{
    for (size_t c = 0; c < papers->claims; c++) {
        const struct byw_claim *claim = &papers->claim[c];
        size_t length = strlen(claim->id);

        if (strncmp(test, claim->id, length) != 0 || strcmp(claim->paper, paper) != 0)
            continue;
        if (test[length] == '\0')
            return true;
        for (size_t n = 0; strncmp(test + length, ": ", 2) == 0 && n < claim->numbers; n++)
            if (strcmp(claim->number[n].text, test + length + 2) == 0)
                return true;
    }
    return false;
}

/* Marks the claim that a statement names. */
static void mark(const struct byw_papers *papers, const char *test, bool *named)
{
    for (size_t c = 0; c < papers->claims; c++) {
        size_t length = strlen(papers->claim[c].id);

        if (strncmp(test, papers->claim[c].id, length) == 0 && strchr(":", test[length]) != NULL)
            named[c] = true;
    }
}

static void every_statement_of_the_papers_has_a_number(void **state)
{
    struct byw_papers *papers = load(NULL);
    bool *named = calloc(papers->claims, sizeof(*named));
    FILE *in = fopen(statements, "r");
    char line[1024];
    unsigned count = 0;

    (void)state;
    assert_non_null(in);
    while (fgets(line, sizeof(line), in) != NULL) {
        char *rest = line, *field[4] = {NULL}, *test;

        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#')
            continue;
        for (int i = 0; i < 4; i++)
            field[i] = strsep(&rest, "\t");
        if (field[3] == NULL)
            fail_msg("%s: '%s' has no fourth field", statements, field[0]);
        count++;
        if (field[3][0] == '-' && strlen(field[3]) > 10)
            continue; /* "- why" */
        while ((test = strsep(&field[3], ";")) != NULL) {
            test += strspn(test, " ");
            if (!has_number(papers, field[0], test))
                fail_msg("%s: no number '%s' of paper %s", statements, test, field[0]);
            mark(papers, test, named);
        }
    }
    fclose(in);
    assert_true(count > 100);
    for (size_t c = 0; c < papers->claims; c++)
        if (!named[c])
            fail_msg("no statement names claim %s", papers->claim[c].id);
    free(named);
    byw_papers_free(papers);
}

/* Every claim names its place in the paper, and every reason the command that shows it. */
static void a_claim_names_its_section_and_a_reason_its_experiment(void **state)
{
    struct byw_papers *papers = load(NULL);

    (void)state;
    for (size_t i = 0; i < papers->claims; i++) {
        const struct byw_claim *c = &papers->claim[i];

        if (c->section[0] == '\0')
            fail_msg("claim %s has no section", c->id);
        if (c->reason[0] != '\0' && strncmp(c->experiment, "byway ", 6) != 0 &&
            strstr(c->reason, "unknown") == NULL)
            fail_msg("claim %s has a reason without experiment that is not unknown", c->id);
    }
    byw_papers_free(papers);
}

/* Every figure and table of the papers that runs, traces or kept figures can produce. */
static void every_figure_of_the_papers_has_a_record(void **state)
{
    static const char *const all[] = {
        "000-T1",   "000-F2",   "000-F3",   "000-F4",   "000-F5a",  "000-F5b",  "000-F8",
        "000-F9",   "000-F10a", "000-F10b", "000-F10c", "000-F11",  "000-F12",  "000-F13a",
        "000-F13b", "000-F13c", "000-F14",  "000-F15",  "000-S65c", "000-S65e", "001-F1",
        "001-F3",   "001-F4",   "001-F5",   "002-a",    "002-b",    "002-c",    "002-d",
        "002-e",    "002-f",    "002-t",    "003-F2",   "003-F5",   "003-F6",   "003-F7a",
        "003-F7b",  "004-F2",   "004-F3",   "004-F4"};
    struct byw_papers *papers = load(NULL);
    size_t points = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (!has_figure(papers, all[i]))
            fail_msg("no figure %s", all[i]);
    for (size_t f = 0; f < papers->figures; f++)
        for (size_t c = 0; c < papers->figure[f].columns; c++)
            points += papers->figure[f].column[c].points;
    assert_true(points > 80);
    byw_papers_free(papers);
}

/* --- a user's file ---------------------------------------------------------------------------- */

static const char own_claim[] = "# a claim of ours\n"
                                "[claim 0.99]\n"
                                "paper = 000\n"
                                "statement = Bypassing\n"
                                "    pays\n"
                                "workloads = bh\n"
                                "metric = ipc\n"
                                "run = fermi/ball\n"
                                "[number IPC]\n"
                                "over = geomean\n"
                                "expect = above\n"
                                "reference = fermi/bl\n"
                                "value = 1.1\n"
                                "\n"
                                "[number mean of cycles]\n"
                                "metric = cycles\n"
                                "over = mean\n"
                                "expect = level\n"
                                "value = 900\n"
                                "[figure 000-X]\n"
                                "paper = 000\n"
                                "title = One\n"
                                "scale = absolute\n"
                                "workloads = bh\n"
                                "[column BL]\n"
                                "run = fermi/bl\n"
                                "metric = ipc\n"
                                "paper bh = 2\n";

/* Writes own_claim with one line replaced (0: none), to a file. */
static void write_claim(const char *path, unsigned replace, const char *by)
{
    FILE *out = fopen(path, "w");
    unsigned line = 1;

    assert_non_null(out);
    for (const char *at = own_claim; *at != '\0'; line++) {
        size_t length = strcspn(at, "\n") + 1;

        if (line == replace)
            fprintf(out, "%s\n", by);
        else
            fprintf(out, "%.*s", (int)length, at);
        at += length;
    }
    assert_int_equal(fclose(out), 0);
}

static void a_users_file_adds_a_claim_and_a_figure(void **state)
{
    struct byw_papers *papers;
    const struct byw_claim *claim;
    const struct byw_claim_number *n;

    write_claim(*state, 0, NULL);
    papers = load(*state);
    claim = &papers->claim[papers->claims - 1];
    assert_string_equal(claim->id, "0.99");
    assert_string_equal(claim->text, "Bypassing pays");
    assert_int_equal(claim->numbers, 2);
    n = &claim->number[1];
    assert_string_equal(n->text, "mean of cycles");
    assert_string_equal(n->metric, "cycles"); /* the metric of the number, not of the claim */
    assert_string_equal(n->source.run, "fermi/ball"); /* the run of the claim */
    assert_null(n->reference.run);
    assert_string_equal(claim->number[0].metric, "ipc");
    assert_string_equal(claim->number[0].reference.run, "fermi/bl");
    assert_true(has_figure(papers, "000-X"));
    byw_papers_free(papers);
}

static void a_wrong_record_is_named_with_file_and_line(void **state)
{
    static const struct {
        unsigned line; /* line of own_claim that is replaced */
        const char *by, *message;
    } cases[] = {
        {2, "[claim 0.1]", ":2: a second [claim 0.1]"},
        {2, "[clam 0.99]", ":2: unknown section 'clam'"},
        {2, "[number x]", ":2: [number x] is not in a claim"},
        {2, "[claim]", ":2: '[claim]': expected a section"},
        {3, "paper = 009", ":2: no paper '009'"},
        {3, "", ":2: [claim] lacks the key 'paper'"},
        {4, "", ":5: '    pays': expected `key = value`"},
        {6, "", "lacks the key 'workloads' or 'kernels'"},
        {7, "metrik = ipc", ":7: [claim] has no key 'metrik'; did you mean 'metric'?"},
        {8, "run = fermi", ":9: 'fermi' is not a run"},
        {10, "over = all", ":10: over is 'all'; expected one of geomean|mean|max|min"},
        {11, "", ":9: [number] lacks the key 'expect'"},
        {11, "expect = below", ":9: value 1.1 is not as expected: below 1"},
        {12, "", ":9: expect = above needs a reference"},
        {13, "value = much", ":9: value is 'much'"},
        {13, "value =", ":13: value is empty"},
        {13, "value = 1.1\nrelative_to = x", ":9: relative_to is 'x'"},
        {18, "expect = above", ":15: expect = above needs a reference"},
        {18, "expect = level\nreference = fermi/bl", ":15: expect = level must not have"},
        {18, "expect = level\nacts = ipc", ":15: acts needs a reference"},
        {15, "[number IPC]", ":15: a second [number IPC]"},
        {16, "over = mean", ":17: a second 'over'"},
        {23, "scale = big", ":23: scale is 'big'"},
        {25, "title = x", ":25: a second 'title'"},
        {26, "workload = bh", ":25: [column] lacks the key 'run'"},
        {28, "paper bh = two", ":28: paper bh is 'two'"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *file = *state;
        struct byw_papers *papers = NULL;
        struct byw_diag diag = {""};

        write_claim(file, cases[i].line, cases[i].by);
        if (byw_papers_load(&file, 1, &papers, &diag) == BYW_OK ||
            strncmp(diag.text, file, strlen(file)) != 0 ||
            strstr(diag.text, cases[i].message) == NULL)
            fail_msg("'%s', wanted '%s'", diag.text, cases[i].message);
        assert_null(papers);
    }
}

/* Rows that are workloads are known when the runs are planned. */
static void a_wrong_name_is_named_with_file_and_line(void **state)
{
    static const struct {
        unsigned line;
        const char *by, *message;
    } cases[] = {
        {6, "workloads = bhh", ":9: unknown workload 'bhh'"},
        {8, "run = fermi/bal", ":9: unknown policy 'bal'; did you mean 'ball'"},
        {8, "run = fermi/ball l1d.set=3", ":9: --set: unknown key 'l1d.set'"},
        {28, "paper nw = 2", ":25: [figure 000-X] has no row 'nw'"},
    };
    struct byw_places places;

    assert_int_equal(byw_places_find(&places, NULL), BYW_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct byw_papers *papers;
        struct byw_reproduce_request asked = {.paper = "000"};
        struct byw_reproduce *what = NULL;
        struct byw_diag diag = {""};

        write_claim(*state, cases[i].line, cases[i].by);
        asked.papers = papers = load(*state);
        assert_int_not_equal(byw_reproduce_create(&places, &asked, &what, &diag), BYW_OK);
        if (strstr(diag.text, cases[i].message) == NULL)
            fail_msg("'%s', wanted '%s'", diag.text, cases[i].message);
        byw_papers_free(papers);
    }
}

static int make_file(void **state)
{
    static char path[] = "/tmp/t_claims_XXXXXX"; /* used by one test at a time */
    int fd;

    strcpy(path + strlen(path) - 6, "XXXXXX");
    fd = mkstemp(path);
    *state = path;
    return fd >= 0 ? close(fd) : -1;
}

static int drop_file(void **state)
{
    return unlink(*state);
}

static double strength(enum byw_sense sense, double paper, double value)
{
    const struct byw_claim_number n = {.sense = sense, .value = paper};

    return byw_claim_strength(&n, value);
}

/* In logarithms: half of a factor of 4 is a factor of 2, and the opposite direction is below 0. A
 * level's effect is a ratio; "same" and "at most" claim none. */
static void an_effect_is_compared_in_logarithms(void **state)
{
    (void)state;
    assert_float_equal(strength(BYW_UP, 4.0, 2.0), 0.5, 1e-6);
    assert_float_equal(strength(BYW_DOWN, 0.25, 0.5), 0.5, 1e-6);
    assert_float_equal(strength(BYW_UP, 2.0, 0.5), -1.0, 1e-6);
    assert_float_equal(strength(BYW_LEVEL, 0.4, 0.1), 0.25, 1e-6);
    assert_true(isnan(strength(BYW_SAME, 1.0003, 1.02)));
    assert_true(isnan(strength(BYW_UP, 2.0, NAN)));
}

static void shown(double value, const char *expected)
{
    char text[32];

    byw_figure_text(value, text);
    assert_string_equal(text, expected);
}

static void values_show_four_digits(void **state)
{
    (void)state;
    shown(NAN, "-");
    shown(0.0, "0.000");
    shown(1.30349, "1.303");
    shown(0.00238, "0.00238");
    shown(25.944, "25.94");
    shown(7516393326.0, "7516393326");
    shown(-43.58, "-43.58");
}

static void holds(enum byw_sense sense, double paper, double value, bool expected)
{
    const struct byw_claim_number n = {.sense = sense, .value = paper};

    assert_int_equal(byw_claim_holds(&n, value), expected);
}

static void a_number_holds_by_what_is_expected(void **state)
{
    (void)state;
    holds(BYW_UP, 1.3, 1.001, true);
    holds(BYW_UP, 1.3, 1.0, false);
    holds(BYW_DOWN, 0.3, 0.999, true);
    holds(BYW_DOWN, 0.3, 1.0, false);
    holds(BYW_SAME, 1.0, 1.049, true);
    holds(BYW_SAME, 1.0, 1.051, false);
    holds(BYW_SAME, 1.0, 0.949, false);
    holds(BYW_AT_MOST, 1.0, 0.5, true);
    holds(BYW_AT_MOST, 1.0, 1.009, true);
    holds(BYW_AT_MOST, 1.0, 1.011, false);
    holds(BYW_LEVEL, 0.4, 0.79, true);
    holds(BYW_LEVEL, 0.4, 0.81, false);
    holds(BYW_LEVEL, 0.4, 0.19, false);
    holds(BYW_LEVEL, -4.0, -2.1, true); /* a level may be negative */
    holds(BYW_LEVEL, -4.0, -8.1, false);
    holds(BYW_LEVEL, -4.0, 4.0, false);
    holds(BYW_SHARE, 0.84, 0.93, true); /* within 10 points */
    holds(BYW_SHARE, 0.84, 0.95, false); /* a factor of 2 would allow any share above */
    holds(BYW_SHARE, 0.84, 0.73, false);
    holds(BYW_SHARE, 0.05, 0.11, false); /* within 10 points, but more than twice */
    holds(BYW_SHARE, 0.05, 0.02, false);
    for (int sense = BYW_UP; sense <= BYW_SHARE; sense++)
        holds((enum byw_sense)sense, 1.0, NAN, false);
}

/* --- verdicts --------------------------------------------------------------------------------- */

static void judged_as(enum byw_sense sense, double paper, double value,
                      struct byw_uncertainty uncertainty, enum byw_verdict expected)
{
    const struct byw_claim_number n = {.sense = sense, .value = paper};
    enum byw_verdict verdict = byw_verdict_of(&n, value, uncertainty);

    if (verdict != expected)
        fail_msg("sense %d, paper %g, value %g +- %g: %s, expected %s", (int)sense, paper, value,
                 uncertainty.half, byw_verdict_name(verdict), byw_verdict_name(expected));
}

/* Judges a value that is the mean of several runs. */
static void judged(enum byw_sense sense, double paper, double value, double half,
                   enum byw_verdict expected)
{
    judged_as(sense, paper, value, (struct byw_uncertainty){half, false}, expected);
}

static void an_interval_that_holds_the_limit_decides_nothing(void **state)
{
    (void)state;
    judged(BYW_UP, 1.04, 1.000092, 0.01, BYW_UNDECIDED);
    judged(BYW_UP, 1.3, 1.009, 0.01, BYW_UNDECIDED);
    judged(BYW_UP, 1.3, 0.991, 0.01,
           BYW_UNDECIDED); /* a small difference in the other direction is undecided, too */
    judged(BYW_DOWN, 0.70, 0.993, 0.04, BYW_UNDECIDED); /* PDP-best does not "lose" 0.7 % */
    judged(BYW_DOWN, 0.70, 1.03, 0.04, BYW_UNDECIDED);
    judged(BYW_SAME, 1.0, 1.045, 0.01, BYW_UNDECIDED); /* 0.005 inside the band */
    judged(BYW_SAME, 1.0, 0.945, 0.01, BYW_UNDECIDED); /* 0.005 outside */
    judged(BYW_AT_MOST, 1.0, 1.005, 0.01, BYW_UNDECIDED);
    judged(BYW_LEVEL, 0.4, 0.79, 0.02, BYW_UNDECIDED);
    judged(BYW_UP, 1.0, 1.0, 0.0, BYW_UNDECIDED); /* no effect, however exact */
}

static void an_interval_on_the_other_side_is_not_reproduced(void **state)
{
    (void)state;
    judged(BYW_UP, 1.3, 0.98, 0.01, BYW_NOT);
    judged(BYW_DOWN, 0.7, 1.02, 0.01, BYW_NOT);
    judged(BYW_SAME, 1.0, 1.08, 0.01, BYW_NOT);
    judged(BYW_AT_MOST, 1.0, 1.03, 0.01, BYW_NOT);
    judged(BYW_LEVEL, 0.4, 0.9, 0.05, BYW_NOT);
    judged(BYW_LEVEL, 0.4, 0.1, 0.05, BYW_NOT);
    judged(BYW_SHARE, 0.84, 0.96, 0.01, BYW_NOT);
    for (int sense = BYW_UP; sense <= BYW_SHARE; sense++)
        judged((enum byw_sense)sense, 1.0, NAN, 0.01, BYW_NOT); /* no run can decide it */
}

/* In logarithms: the paper's 0.05 is a factor of 20, 0.56 one of 1.8. */
static void less_than_half_of_the_effect_is_reproduced_partly(void **state)
{
    (void)state;
    judged(BYW_DOWN, 0.05, 0.56, 0.01, BYW_PARTLY);
    judged(BYW_DOWN, 0.05, 0.23, 0.01, BYW_PARTLY); /* 0.05 to the power of 0.49 */
    judged(BYW_DOWN, 0.05, 0.22, 0.01, BYW_REPRODUCED); /* 0.51 */
    judged(BYW_DOWN, 0.70, 0.993, 0.001, BYW_PARTLY); /* only the sign agrees: 0.02 of the effect */
    judged(BYW_UP, 1.3, 1.13, 0.01, BYW_PARTLY);
    judged(BYW_UP, 1.3, 1.15, 0.01, BYW_REPRODUCED);
}

/* The bound is symmetric: the square of the paper's ratio is twice its effect. */
static void more_than_twice_the_effect_is_reproduced_partly(void **state)
{
    const struct byw_claim_number n = {.sense = BYW_UP, .value = 1.06};

    (void)state;
    judged(BYW_UP, 1.06, 1.12, 0.01, BYW_REPRODUCED);
    judged(BYW_UP, 1.06, 1.13, 0.01, BYW_PARTLY);
    judged(BYW_DOWN, 0.3, 0.1, 0.01, BYW_REPRODUCED);
    judged(BYW_DOWN, 0.3, 0.08, 0.01, BYW_PARTLY);
    judged(BYW_DOWN, 0.3, 0.0, 0.01, BYW_PARTLY); /* below by any factor */
    assert_string_equal(byw_verdict_lacks(&n, 1.13, BYW_PARTLY), "more than twice the paper's");
    assert_string_equal(byw_verdict_lacks(&n, 1.02, BYW_PARTLY), "less than half of the paper's");
    assert_string_equal(byw_verdict_lacks(&n, 1.06, BYW_REPRODUCED), "");
}

/* "same" and "at most" are tests of equivalence: the whole interval is inside the band.  The
 * assumed noise of a single run is wider than the band; inside it such a value is partly
 * reproduced, outside undecided or not. */
static void the_whole_interval_must_be_inside_the_band(void **state)
{
    const struct byw_uncertainty single = {0.08, true};

    (void)state;
    judged(BYW_SAME, 1.0, 1.02, 0.029, BYW_REPRODUCED);
    judged(BYW_SAME, 1.0, 1.02, 0.031, BYW_UNDECIDED);
    judged(BYW_AT_MOST, 1.0, 0.995, 0.01, BYW_REPRODUCED);
    judged(BYW_AT_MOST, 1.0, 0.995, 0.02, BYW_UNDECIDED);
    judged_as(BYW_SAME, 1.0, 1.02, single, BYW_PARTLY);
    judged_as(BYW_SAME, 1.0, 1.06, single, BYW_UNDECIDED);
    judged_as(BYW_SAME, 1.0, 1.14, single, BYW_NOT);
    judged_as(BYW_AT_MOST, 1.0, 1.0, single, BYW_PARTLY);
    judged_as(BYW_AT_MOST, 1.0, 1.02, single, BYW_UNDECIDED);
    judged_as(BYW_AT_MOST, 1.0, 0.90, single, BYW_REPRODUCED);
    judged_as(BYW_UP, 1.3, 1.05, single, BYW_UNDECIDED);
}

/* Where the paper's text only gives an order, the paper's value is 1 and any effect is large
 * enough. */
static void an_order_without_a_number_needs_no_size(void **state)
{
    (void)state;
    judged(BYW_UP, 1.0, 1.03, 0.01, BYW_REPRODUCED);
    judged(BYW_UP, 1.0, 3.0, 0.01, BYW_REPRODUCED);
    judged(BYW_UP, 1.0, 1.000092, 0.01, BYW_UNDECIDED);
    judged(BYW_DOWN, 1.0, 0.9, 0.01, BYW_REPRODUCED);
}

static double half(double sd, size_t count, double mean, bool exact, bool average)
{
    const struct byw_spread spread = byw_spread_given(mean, sd, count);

    return byw_verdict_uncertainty(&spread, exact, average).half;
}

/* Student's interval of the mean from two runs or more; for one run 1.96 times 1 % of a mean and
 * 4 % of a single workload's value. */
static void uncertainty_is_measured_or_taken_as_usual(void **state)
{
    (void)state;
    assert_float_equal(half(0.03, 3, 1.2, false, true), 0.0745301f, 1e-6);
    assert_float_equal(half(0.03, 5, 1.2, false, true), 0.0372439f, 1e-6);
    assert_float_equal(half(0.0, 3, 1.2, false, true), 0.003, 1e-9); /* at least 0.25 % */
    assert_float_equal(half(0.0, 1, 1.2, false, true), 0.02352f, 1e-7);
    assert_float_equal(half(0.0, 1, 0.5, false, false), 0.0392f, 1e-7);
    assert_float_equal(half(0.0, 1, 0.5, true, true), 0.0, 0.0); /* from a trace: no noise */
}

static enum byw_verdict all_of(size_t reproduced, size_t partly, size_t not, size_t undecided,
                               size_t incomplete)
{
    const size_t count[BYW_VERDICTS] = {[BYW_REPRODUCED] = reproduced,
                                        [BYW_PARTLY] = partly,
                                        [BYW_NOT] = not,
                                        [BYW_UNDECIDED] = undecided,
                                        [BYW_INCOMPLETE] = incomplete};

    return byw_verdict_of_all(count);
}

static void a_claim_needs_all_of_its_numbers(void **state)
{
    (void)state;
    assert_int_equal(all_of(3, 0, 0, 0, 0), BYW_REPRODUCED);
    assert_int_equal(all_of(3, 1, 0, 0, 0), BYW_PARTLY);
    assert_int_equal(all_of(3, 0, 0, 1, 0), BYW_PARTLY);
    assert_int_equal(all_of(0, 1, 2, 0, 0), BYW_PARTLY);
    assert_int_equal(all_of(0, 0, 1, 2, 0), BYW_NOT);
    assert_int_equal(all_of(0, 0, 0, 2, 0), BYW_UNDECIDED);
    assert_int_equal(all_of(3, 0, 0, 0, 1), BYW_INCOMPLETE);
}

static void a_metric_is_evaluated_from_left_to_right(void **state)
{
    json_t *result =
        json_pack("{s:i, s:{s:i, s:i, s:i}}", "cycles", 7, "l1d", "a", 6, "b", 4, "z", 0);

    (void)state;
    assert_float_equal(byw_metric_of(result, "cycles"), 7.0, 0.0);
    assert_float_equal(byw_metric_of(result, "l1d.a-l1d.b"), 2.0, 0.0);
    assert_float_equal(byw_metric_of(result, "l1d.a+l1d.b"), 10.0, 0.0);
    assert_float_equal(byw_metric_of(result, "l1d.a/l1d.b"), 1.5, 0.0);
    assert_float_equal(byw_metric_of(result, "1-l1d.b"), -3.0, 0.0);
    assert_float_equal(byw_metric_of(result, "l1d.a+l1d.b*1000/l1d.b"), 2500.0, 0.0);
    assert_float_equal(byw_metric_of(result, "l1d.a-l1d.b/l1d.b"), 0.5, 0.0);
    assert_true(isnan(byw_metric_of(result, "l1d.a/l1d.z")));
    assert_true(isnan(byw_metric_of(result, "l1d.none")));
    json_decref(result);
}

/* Requested runs and the time that each takes. */
struct order_rig {
    struct byw_places places;
    struct byw_reproduce *what;
    size_t count, *point;
    double *seconds;
    struct byw_papers *papers;
};

static void order_begin(struct order_rig *rig, const char *paper, bool claims)
{
    struct byw_reproduce_request asked = {.paper = paper, .claims = claims};

    asked.papers = rig->papers = load(NULL);
    assert_int_equal(byw_places_find(&rig->places, NULL), BYW_OK);
    assert_int_equal(byw_reproduce_create(&rig->places, &asked, &rig->what, NULL), BYW_OK);
    rig->count = byw_plan_count(byw_reproduce_plan(rig->what));
    rig->point = calloc(rig->count, sizeof(*rig->point));
    rig->seconds = calloc(rig->count, sizeof(*rig->seconds));
    for (size_t i = 0; i < rig->count; i++)
        rig->seconds[i] = 100.0 + (double)(i * 7919 % 101);
}

static void order_end(struct order_rig *rig)
{
    byw_reproduce_free(rig->what);
    byw_papers_free(rig->papers);
    free(rig->point);
    free(rig->seconds);
}

static const struct byw_job *job_of(const struct order_rig *rig, size_t place)
{
    return &byw_plan_point(byw_reproduce_plan(rig->what), rig->point[place])->job;
}

/* The order has each point once: first the points of the claim with the shortest total time, the
 * shortest run first, then those of the next claim. */
static void runs_come_claim_by_claim_the_cheapest_first(void **state)
{
    struct order_rig rig;
    bool *seen;

    (void)state;
    order_begin(&rig, "001", true);
    for (size_t i = 0; i < rig.count; i++) { /* claim 1.3: four runs */
        const char *workload = byw_plan_point(byw_reproduce_plan(rig.what), i)->job.workload;

        if (strcmp(workload, "pathfinder") == 0 || strcmp(workload, "mergesort") == 0)
            rig.seconds[i] = 1.0 + 0.001 * (double)(rig.count - i);
    }
    assert_int_equal(byw_reproduce_order(rig.what, rig.seconds, rig.point, NULL), BYW_OK);
    seen = calloc(rig.count, sizeof(*seen));
    for (size_t i = 0; i < rig.count; i++) {
        assert_true(rig.point[i] < rig.count && !seen[rig.point[i]]);
        seen[rig.point[i]] = true;
    }
    free(seen);
    for (size_t i = 0; i < 4; i++) {
        assert_true(strcmp(job_of(&rig, i)->workload, "pathfinder") == 0 ||
                    strcmp(job_of(&rig, i)->workload, "mergesort") == 0);
        assert_string_not_equal(job_of(&rig, i)->policy,
                                "threshold"); /* threshold belongs to claim 1.2 */
        assert_true(i == 0 || rig.seconds[rig.point[i]] >= rig.seconds[rig.point[i - 1]]);
    }
    order_end(&rig);
}

/* Runs that only figures need come after all runs of claims, even if they are shorter. */
static void runs_of_claims_come_before_those_of_figures(void **state)
{
    struct order_rig claims, all;

    (void)state;
    order_begin(&claims, "002", true);
    order_begin(&all, "002", false);
    assert_true(all.count > claims.count);
    for (size_t i = 0; i < all.count; i++)
        all.seconds[i] = 1000.0 - (double)i;
    assert_int_equal(byw_reproduce_order(all.what, all.seconds, all.point, NULL), BYW_OK);
    for (size_t i = 0; i < all.count; i++) {
        const char *id = byw_plan_point(byw_reproduce_plan(all.what), all.point[i])->id;
        bool of_claim = false;

        for (size_t k = 0; k < claims.count; k++)
            of_claim =
                of_claim || strcmp(byw_plan_point(byw_reproduce_plan(claims.what), k)->id, id) == 0;
        assert_int_equal(of_claim, i < claims.count);
    }
    order_end(&all);
    order_end(&claims);
}

static bool in(const struct byw_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return true;
    return false;
}

/* Inputs of another size are needed for everything selected, whether it runs in the sweep or
 * not. */
static void workloads_are_listed_by_the_width_of_their_warps(void **state)
{
    static const char *const mpache[] = {"spmv",           "lbm",     "hybridsort",
                                         "particlefilter", "convsep", "dct8x8"};
    struct byw_papers *papers = load(NULL);
    const struct byw_reproduce_request traces = {.papers = papers,
                                                 .paper = "000",
                                                 .figure = "000-F3"},
                                       kernels = {.papers = papers, .paper = "003", .claims = true};
    struct byw_places places;
    struct byw_reproduce *what;
    struct byw_names names;

    (void)state;
    assert_int_equal(byw_places_find(&places, NULL), BYW_OK);
    assert_int_equal(byw_reproduce_create(&places, &kernels, &what, NULL), BYW_OK);
    assert_int_equal(byw_reproduce_workloads(what, 32, &names, NULL), BYW_OK);
    assert_int_equal(names.count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_true(in(&names, mpache[i]));
    byw_names_free(&names);
    byw_reproduce_free(what);
    assert_int_equal(byw_reproduce_create(&places, &traces, &what, NULL), BYW_OK);
    assert_int_equal(byw_reproduce_workloads(what, 32, &names, NULL), BYW_OK);
    assert_true(names.count == 7 && in(&names, "sssp"));
    byw_names_free(&names);
    byw_reproduce_free(what);
    byw_papers_free(papers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_has_an_id_of_its_paper),
        cmocka_unit_test(every_statement_of_the_papers_has_a_number),
        cmocka_unit_test(a_claim_names_its_section_and_a_reason_its_experiment),
        cmocka_unit_test(every_figure_of_the_papers_has_a_record),
        cmocka_unit_test_setup_teardown(a_users_file_adds_a_claim_and_a_figure, make_file,
                                        drop_file),
        cmocka_unit_test_setup_teardown(a_wrong_record_is_named_with_file_and_line, make_file,
                                        drop_file),
        cmocka_unit_test_setup_teardown(a_wrong_name_is_named_with_file_and_line, make_file,
                                        drop_file),
        cmocka_unit_test(a_number_holds_by_what_is_expected),
        cmocka_unit_test(an_interval_that_holds_the_limit_decides_nothing),
        cmocka_unit_test(an_interval_on_the_other_side_is_not_reproduced),
        cmocka_unit_test(less_than_half_of_the_effect_is_reproduced_partly),
        cmocka_unit_test(more_than_twice_the_effect_is_reproduced_partly),
        cmocka_unit_test(the_whole_interval_must_be_inside_the_band),
        cmocka_unit_test(an_order_without_a_number_needs_no_size),
        cmocka_unit_test(uncertainty_is_measured_or_taken_as_usual),
        cmocka_unit_test(a_claim_needs_all_of_its_numbers),
        cmocka_unit_test(a_metric_is_evaluated_from_left_to_right),
        cmocka_unit_test(an_effect_is_compared_in_logarithms),
        cmocka_unit_test(values_show_four_digits),
        cmocka_unit_test(runs_come_claim_by_claim_the_cheapest_first),
        cmocka_unit_test(runs_of_claims_come_before_those_of_figures),
        cmocka_unit_test(workloads_are_listed_by_the_width_of_their_warps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
