/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/byw_cli.h"
#include "study/byw_diff.h"
#include "study/byw_merge.h"

/* --- merge ----------------------------------------------------------------------------------- */

/* DIR/name, opened. */
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
    enum byw_status st = byw_store_open(dir, false, &store, diag);

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
        fprintf(stderr, "%s: %zu results in results.csv%s\n", dir, byw_merge_count(merge),
                database ? " and results.sqlite" : "");
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
        {"csv", 0, "F", "write the table here; - is stdout", .text = &csv},
        {"sqlite", 0, "F", "write the database here", .text = &sqlite},
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

/* --- diff ------------------------------------------------------------------------------------ */

static enum byw_status take_part(const char *value, void *part, struct byw_diag *diag)
{
    char *end;

    *(double *)part = strtod(value, &end);
    if (end != value && *end == '\0' && *(double *)part >= 0.0 && *(double *)part <= 1.0)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EINVAL, "--tolerance is '%s'; expected a part, 0 to 1", value);
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
    bool help = false;
    struct byw_diag diag = {""};
    const struct byw_option options[] = {
        {"tolerance", 0, "PART", "numbers nearer than this part of A's are equal, e.g. 0.01",
         .take = take_part, .into = &how.tolerance},
        {"only", 0, "PREFIX", "only these members, e.g. l1d. or ipc", .text = &how.only},
        {"policies", 'p', NULL,
         "runs belong together whatever their policy: A and B are two\n"
         "policies on the same workloads",
         .flag = &how.any_policy},
        {"help", 'h', NULL, "this text", .flag = &help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    enum byw_status st = byw_args_parse(options, count, argc, argv, &words, 2, NULL, &diag);

    if (st == BYW_OK && help) {
        puts("usage: byway diff A B [options]\n");
        byw_args_help(stdout, options, count);
        puts("\nA and B are JSON files of `byway run` or `byway compare`, or folders of `byway "
             "sweep`.\nRuns of one workload, machine, policy and configuration belong together; "
             "`sim` and\n`provenance` are left out.  Exit codes: 0 all the same, 1 they differ, 2 "
             "wrong usage or\ninput.");
        return BYW_EXIT_OK;
    }
    if (st == BYW_OK && words.count != 2)
        st = byw_diag_set(&diag, BYW_EINVAL, "diff: expected two results, A and B");
    return st == BYW_OK ? diff(&words, &how) : byw_cli_fail(st, &diag);
}
