/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/byw_cli.h"
#include "common/byw_text.h"
#include "study/compare/byw_diff.h"
#include "study/page/byw_page.h"
#include "study/page/byw_pages.h"
#include "study/store/byw_merge.h"
#include "study/store/byw_results.h"

/* --- merge ----------------------------------------------------------------------------------- */

/* Creates DIR/name. */
static enum byw_status create_in(const char *dir, const char *name, struct byw_file **file,
                                 struct byw_diag *diag)
{
    char path[BYW_PATH_ROOM];

    if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path))
        return byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", dir);
    return byw_file_create(path, file, diag);
}

static enum byw_status write_both(const struct byw_merge *merge, struct byw_file **csv,
                                  struct byw_file **sqlite, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    if (*csv != NULL)
        st = byw_merge_csv(merge, byw_cli_take(csv), diag);
    if (st == BYW_OK && *sqlite != NULL)
        st = byw_merge_sqlite(merge, byw_cli_take(sqlite), diag);
    return st;
}

enum byw_status byw_cli_merge(const char *dir, const char *csv, const char *sqlite,
                              struct byw_diag *diag)
{
    bool usual = csv == NULL && sqlite == NULL;
    bool database = sqlite != NULL || (usual && byw_merge_has_sqlite());
    struct byw_file *table = NULL, *base = NULL;
    struct byw_store *store = NULL;
    struct byw_merge *merge = NULL;
    enum byw_status st = byw_store_open(dir, BYW_STORE_READ, &store, diag);

    if (st == BYW_OK && usual)
        st = create_in(dir, "results.csv", &table, diag);
    if (st == BYW_OK && usual && database)
        st = create_in(dir, "results.sqlite", &base, diag);
    if (st == BYW_OK && csv != NULL)
        st = byw_file_create(csv, &table, diag);
    if (st == BYW_OK && sqlite != NULL)
        st = byw_file_create(sqlite, &base, diag);
    if (st == BYW_OK)
        st = byw_merge_create(store, &merge, diag);
    if (st == BYW_OK)
        st = write_both(merge, &table, &base, diag);
    if (st == BYW_OK && usual)
        fprintf(stderr, "%s: %zu result%s in results.csv%s\n", dir, byw_merge_count(merge),
                byw_merge_count(merge) == 1 ? "" : "s", database ? " and results.sqlite" : "");
    byw_file_discard(table);
    byw_file_discard(base);
    byw_merge_free(merge);
    byw_store_close(store);
    return st;
}

int byw_cmd_merge(int argc, char **argv)
{
    struct byw_texts words = {.count = 0};
    const char *csv = NULL, *sqlite = NULL;
    bool help = false;
    struct byw_diag diag = {""};
    const struct byw_option options[] = {
        {"csv", 0, "F", "write the table here; - is stdout", .text = &csv,
         .file = BYW_FILE_WRITTEN},
        {"sqlite", 0, "F", "write the database here", .text = &sqlite, .file = BYW_FILE_WRITTEN},
        {"help", 'h', NULL, "this text", .flag = &help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    enum byw_status st = byw_args_parse(options, count, argc, argv, &words, 1, NULL, &diag);

    if (st == BYW_OK && help) {
        puts("usage: byway merge DIR [--csv F] [--sqlite F]\n");
        byw_args_help(stdout, options, count);
        puts("\nMakes one table of the results of a sweep: DIR/results.csv and, with libsqlite3,\n"
             "DIR/results.sqlite (tables run, setting, metric, provenance).");
        return BYW_EXIT_OK;
    }
    if (st == BYW_OK && words.count == 0)
        st = byw_diag_set(&diag, BYW_EINVAL, "merge: expected the folder of a sweep");
    if (st == BYW_OK)
        st = byw_cli_merge(words.text[0], csv, sqlite, &diag);
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}

/* --- report ---------------------------------------------------------------------------------- */

/* Sorts BL first, then by name; variants of a sweep by the numbers in their names. */
static int by_policy(const void *a, const void *b)
{
    const json_t *const *x = a, *const *y = b;
    const char *p = byw_result_text(*x, "policy"), *q = byw_result_text(*y, "policy");
    int order = (strcmp(q, "bl") == 0) - (strcmp(p, "bl") == 0);
    const char *key;
    json_t *value;

    if (order == 0)
        order = strcmp(p, q);
    if (order != 0)
        return order;
    json_object_foreach(json_object_get((json_t *)*x, "config"), key, value)
    {
        const json_t *other = json_object_get(json_object_get(*y, "config"), key);
        json_int_t m = json_integer_value(value), n = json_integer_value(other);

        if (m != n)
            return m < n ? -1 : 1;
    }
    return strcmp(byw_result_text(*x, "run_id"), byw_result_text(*y, "run_id"));
}

static enum byw_status add_all(struct byw_page *page, struct byw_results *results, const char *name,
                               const char *prefix, struct byw_diag *diag)
{
    enum byw_status st = byw_results_read(results, name, diag);

    if (st == BYW_OK)
        qsort(results->run, results->count, sizeof(json_t *), by_policy);
    for (size_t i = 0; st == BYW_OK && i < results->count; i++)
        st = byw_page_add(page, results->run[i], prefix, diag);
    return st;
}

/* Writes a page that shows one set of results or compares two. */
static enum byw_status write_page(const struct byw_texts *names, const char *path,
                                  struct byw_diag *diag)
{
    struct byw_results results[2] = {{.count = 0}};
    struct byw_page *page = byw_page_create();
    struct byw_file *file = NULL;
    char title[2 * BYW_PATH_ROOM];
    enum byw_status st = page != NULL ? BYW_OK : byw_no_memory(diag, "the page");

    snprintf(title, sizeof(title), "A: %.900s, B: %.900s", names->text[0],
             names->count == 2 ? names->text[1] : "");
    for (size_t i = 0; st == BYW_OK && i < names->count; i++)
        st = add_all(page, &results[i], names->text[i],
                     names->count == 1 ? ""
                     : i == 0          ? "A: "
                                       : "B: ",
                     diag);
    if (st == BYW_OK && results[0].count + results[1].count == 0)
        st = byw_diag_set(diag, BYW_ENOENT, "%s: has no results; expected those of `byway sweep`",
                          names->text[0]);
    if (st == BYW_OK)
        st = byw_file_create(path, &file, diag);
    if (st == BYW_OK)
        st = byw_page_write(page, names->count == 2 ? title : NULL, file, diag);
    byw_page_free(page);
    byw_results_release(&results[0]);
    byw_results_release(&results[1]);
    if (st == BYW_OK && strcmp(path, "-") != 0)
        fprintf(stderr, "charts: %s\n", path);
    return st;
}

/* Whether the file is an output of `byway reproduce --json`; if so, *claims is its content. */
static bool is_claims(const char *path, json_t **claims)
{
    static const char schema[] = "byway.claims/";

    *claims = byw_json_read(path, "", NULL);
    if (strncmp(byw_result_text(*claims, "schema"), schema, sizeof(schema) - 1) == 0)
        return true;
    json_decref(*claims);
    *claims = NULL;
    return false;
}

/* Writes pages of papers next to the file, with links to the runs if they are in its folder. */
static enum byw_status write_papers(const char *path, const json_t *claims, struct byw_diag *diag)
{
    const char *slash = strrchr(path, '/');
    char dir[BYW_PATH_ROOM], command[BYW_PATH_ROOM + 64];

    snprintf(dir, sizeof(dir), "%.*s", slash != NULL ? (int)(slash - path) : 1,
             slash != NULL ? path : ".");
    snprintf(command, sizeof(command), "byway reproduce all -d %s", dir);
    return byw_pages_papers(claims, dir, &(struct byw_pages_runs){dir, "", command}, diag);
}

/* Destination of the page unless --html gives one: in the folder, or next to the file. */
static enum byw_status usual_page(const char *name, char path[BYW_PATH_ROOM], struct byw_diag *diag)
{
    size_t length = strlen(name);
    struct stat st;
    int n;

    if (stat(name, &st) != 0 || S_ISDIR(st.st_mode)) {
        n = snprintf(path, BYW_PATH_ROOM, "%s/index.html", name);
    } else {
        if (length > 5 && strcmp(name + length - 5, ".json") == 0)
            length -= 5;
        n = snprintf(path, BYW_PATH_ROOM, "%.*s.html", (int)length, name);
    }
    return n < BYW_PATH_ROOM ? byw_page_may_replace(path, BYW_PAGE_REPORT, diag)
                             : byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", name);
}

int byw_cmd_report(int argc, char **argv)
{
    struct byw_texts words = {.count = 0};
    const char *html = NULL;
    json_t *claims;
    char usual[BYW_PATH_ROOM];
    bool help = false;
    struct byw_diag diag = {""};
    const struct byw_option options[] = {
        {"html", 0, "F",
         "write the page here (default: DIR/index.html, or NAME.html next to NAME.json); - is "
         "stdout",
         .text = &html, .file = BYW_FILE_WRITTEN},
        {"help", 'h', NULL, "this text", .flag = &help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    enum byw_status st = byw_args_parse(options, count, argc, argv, &words, 1, NULL, &diag);

    if (st == BYW_OK && help) {
        puts("usage: byway report DIR|NAME.json [--html F]\n");
        byw_args_help(stdout, options, count);
        puts("\nMakes a page of the results of a sweep (or of a JSON file of `byway run` or\n"
             "`byway compare`): charts to sort, filter and zoom, and for each workload why the\n"
             "policies differ.  It needs no network and no other file.  From a JSON file of\n"
             "`byway reproduce` it makes a page per paper next to the file: paper-000.html and\n"
             "so on.");
        return BYW_EXIT_OK;
    }
    if (st == BYW_OK && words.count == 0)
        st = byw_diag_set(&diag, BYW_EINVAL, "report: expected the folder of a sweep");
    if (st == BYW_OK && is_claims(words.text[0], &claims)) {
        st = write_papers(words.text[0], claims, &diag);
        json_decref(claims);
        return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
    }
    if (st == BYW_OK && html == NULL)
        st = usual_page(words.text[0], usual, &diag);
    if (st == BYW_OK)
        st = write_page(&words, html != NULL ? html : usual, &diag);
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}

/* --- diff ------------------------------------------------------------------------------------ */

static enum byw_status take_part(const char *value, void *part, struct byw_diag *diag)
{
    char *end;

    *(double *)part = strtod(value, &end);
    if (end != value && *end == '\0' && *(double *)part >= 0.0 && *(double *)part <= 1.0)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EINVAL, "--tolerance is '%s'; expected a fraction from 0 to 1",
                        value);
}

static int diff(const struct byw_texts *words, const struct byw_diff_options *how)
{
    struct byw_diag diag = {""};
    struct byw_file *out = NULL;
    bool same = false;
    enum byw_status st = byw_file_create("-", &out, &diag);

    if (st == BYW_OK)
        st = byw_diff(words->text[0], words->text[1], how, byw_file_stream(out), &same, &diag);
    if (st == BYW_OK)
        st = byw_file_commit(byw_cli_take(&out), &diag);
    byw_file_discard(out);
    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    return same ? BYW_EXIT_OK : BYW_EXIT_FAILED;
}

int byw_cmd_diff(int argc, char **argv)
{
    struct byw_texts words = {.count = 0};
    struct byw_diff_options how = {.tolerance = 0.0};
    const char *html = NULL;
    bool help = false;
    struct byw_diag diag = {""};
    const struct byw_option options[] = {
        {"html", 0, "F", "also write a page that shows both side by side", .text = &html,
         .file = BYW_FILE_WRITTEN},
        {"tolerance", 0, "PART",
         "numbers that differ by less than this fraction of A's are equal, e.g. 0.01",
         .take = take_part, .into = &how.tolerance},
        {"only", 0, "PREFIX", "compare only members that begin with this, e.g. l1d. or ipc",
         .text = &how.only},
        {"policies", 'p', NULL,
         "pair runs regardless of policy: A and B are two policies on the same workloads",
         .flag = &how.any_policy},
        {"help", 'h', NULL, "this text", .flag = &help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    enum byw_status st = byw_args_parse(options, count, argc, argv, &words, 2, NULL, &diag);

    if (st == BYW_OK && help) {
        puts("usage: byway diff A B [options]\n");
        byw_args_help(stdout, options, count);
        byw_text_wrap(stdout,
                      "\nA and B are JSON files of `byway run` or `byway compare`, or folders of "
                      "`byway sweep`.  Runs are paired by workload, machine, policy and "
                      "configuration; `sim` and `provenance` are ignored.  Exit codes: 0 equal; 1 "
                      "different; 2 bad usage or input.",
                      0, "");
        return BYW_EXIT_OK;
    }
    if (st == BYW_OK && words.count != 2)
        st = byw_diag_set(&diag, BYW_EINVAL, "diff: expected two results, A and B");
    if (st == BYW_OK && html != NULL)
        st = write_page(&words, html, &diag);
    return st == BYW_OK ? diff(&words, &how) : byw_cli_fail(st, &diag);
}
