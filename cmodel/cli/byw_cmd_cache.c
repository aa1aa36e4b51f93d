/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "cli/byw_cli.h"
#include "common/byw_cache.h"

static const char *const part_names[BYW_CACHE_PARTS] = {
    [BYW_CACHE_KERNELS] = "compiled kernels", [BYW_CACHE_TRACES] = "decoded traces"};

static void help(const struct byw_option *options, size_t count)
{
    puts("usage: byway cache info     print the folder and size of the cache\n"
         "       byway cache clear    empty it\n");
    byw_args_help(stdout, options, count);
    puts("\n"
         "The cache holds compiled kernels of captured programs and decoded Accel-Sim\n"
         "traces.  No result depends on it.  Environment:\n"
         "  BYWAY_CACHE=FOLDER   where it is (default: $XDG_CACHE_HOME/byway or\n"
         "                       ~/.cache/byway)\n"
         "  BYWAY_CACHE_MB=N     its limit in megabytes (default: 4000); the least\n"
         "                       recently used files are removed first\n"
         "  BYWAY_KEPT=off       do not read or keep decoded traces; =FOLDER: keep them\n"
         "                       there");
}

static void print_use(const struct byw_cache_use *use)
{
    for (int part = 0; part < BYW_CACHE_PARTS; part++)
        printf("%-18s %8" PRIu64 " files %12.1f MB\n", part_names[part], use->files[part],
               (double)use->bytes[part] / 1e6);
}

static enum byw_status info(struct byw_diag *diag)
{
    char folder[BYW_CACHE_PATH];
    struct byw_cache_use use;
    enum byw_status st = byw_cache_folder(BYW_CACHE_KERNELS, false, folder, diag);

    if (st == BYW_OK)
        st = byw_cache_look(&use, diag);
    if (st != BYW_OK)
        return st;
    printf("%-18s %s\n", "folder", folder);
    print_use(&use);
    printf("%-18s %14s %12.1f MB (BYWAY_CACHE_MB)\n", "at most", "", (double)use.limit / 1e6);
    return BYW_OK;
}

static enum byw_status clear(struct byw_diag *diag)
{
    struct byw_cache_use use;
    enum byw_status st = byw_cache_clear(&use, diag);

    if (st == BYW_OK) {
        puts("removed:");
        print_use(&use);
    }
    return st;
}

int byw_cmd_cache(int argc, char **argv)
{
    bool wants_help = false;
    const struct byw_option options[] = {
        {"help", 'h', NULL, "this text", .flag = &wants_help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    struct byw_texts words = {.plain = 1};
    struct byw_diag diag = {""};
    enum byw_status st = byw_args_parse(options, count, argc, argv, &words, 1, NULL, &diag);

    if (st == BYW_OK && (wants_help || words.count == 0)) {
        help(options, count);
        return wants_help ? BYW_EXIT_OK : BYW_EXIT_USAGE;
    }
    if (st == BYW_OK && strcmp(words.text[0], "info") == 0)
        st = info(&diag);
    else if (st == BYW_OK && strcmp(words.text[0], "clear") == 0)
        st = clear(&diag);
    else if (st == BYW_OK)
        st = byw_diag_set(&diag, BYW_EINVAL, "unknown action 'cache %s'; expected info or clear",
                          words.text[0]);
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}
