/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/file/byw_trace_kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/byw_cache.h"
#include "common/byw_file.h"
#include "common/byw_private.h"
#include "trace/bwt/byw_trace_writer.h"
#include "trace/byw_trace_format.h"
#include "trace/file/byw_trace_sum.h"

enum {
    PATH_ROOM = BYW_CACHE_PATH + 64,
    LINE_ROOM = 512,
    LEVEL = 3, /* zstd level: fast, because a simulation waits for the writer */
};

struct kept {
    struct byw_trace trace;
    struct byw_trace_ops ops;
    struct byw_trace *inner; /* the text, or its stored copy */
    struct byw_trace_writer *writer; /* NULL: nothing is written */
    bool is_kept; /* `inner` is the stored copy, and `note` describes the whole text */
    bool in_cache; /* the copy is in the cache, not in a folder that the user chose */
    bool in_launch; /* some CTAs of the current launch have not been read yet */
    struct byw_trace_note note;
    char sum[BYW_TRACE_SUM_ROOM]; /* checksum of the build and of the text's files */
    char line[PATH_ROOM], data[PATH_ROOM];
};

/* --- identifying a text trace ------------------------------------------------------------- */

/* Appends the checksum of one file to a text; false: the file can be read only once. */
static bool add_sum(FILE *text, const char *path)
{
    char sum[BYW_TRACE_SUM_ROOM];
    struct stat about;

    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) ||
        byw_trace_sum(path, sum, NULL) != BYW_OK)
        return false;
    fprintf(text, "%s %s\n", strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path, sum);
    return true;
}

static bool sum_files(struct kept *k, const char *build)
{
    const char *path;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool good = out != NULL;

    if (good)
        fprintf(out, "%s\n", build);
    for (uint32_t i = 0; good && (path = byw_trace_accelsim_file(k->inner, i)) != NULL; i++)
        good = add_sum(out, path);
    if (out != NULL && fclose(out) != 0)
        good = false;
    if (good)
        byw_text_sum(text, length, k->sum);
    free(text);
    return good;
}

/* The copy is in the cache or in the folder that BYWAY_KEPT names. Neither is used if other users
 * can write there, because they could plant a wrong copy. */
static bool set_paths(struct kept *k)
{
    const char *chosen = getenv("BYWAY_KEPT");
    char folder[BYW_CACHE_PATH];
    size_t room = sizeof(k->line);

    k->in_cache = chosen == NULL || *chosen == '\0';
    if (k->in_cache) {
        if (byw_cache_folder(BYW_CACHE_TRACES, true, folder, NULL) != BYW_OK)
            return false;
    } else if (snprintf(folder, sizeof(folder), "%s", chosen) >= (int)sizeof(folder) ||
               byw_private_look(folder, NULL) != BYW_OK) {
        return false;
    }
    return snprintf(k->line, room, "%s/%s" BYW_KEPT_LINE, folder, k->sum) < (int)room &&
           snprintf(k->data, room, "%s/%s" BYW_KEPT_DATA, folder, k->sum) < (int)room;
}

/* --- reading the stored copy -------------------------------------------------------------- */

/* Opens one of the two files; -1: it does not exist, or others can have written it. */
static int open_own(const char *path)
{
    char folder[PATH_ROOM];
    char *slash;
    bool foreign;

    snprintf(folder, sizeof(folder), "%s", path);
    slash = strrchr(folder, '/');
    *slash = '\0';
    return byw_private_open(folder, slash + 1, &foreign);
}

static bool read_line(struct kept *k, char data_sum[BYW_TRACE_SUM_ROOM])
{
    int fd = open_own(k->line);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    char sum[BYW_TRACE_SUM_ROOM], opcode[sizeof(k->note.first_opcode)];
    unsigned long long unknown, bytes;
    bool good;

    if (file == NULL)
        return false;
    good = fscanf(file, "%32s %32s %llu %31s %llu", sum, data_sum, &unknown, opcode, &bytes) == 5 &&
           strcmp(sum, k->sum) == 0;
    fclose(file);
    if (!good)
        return false;
    k->note = (struct byw_trace_note){.unknown_opcodes = unknown, .file_bytes = bytes};
    if (strcmp(opcode, "-") != 0)
        snprintf(k->note.first_opcode, sizeof(k->note.first_opcode), "%s", opcode);
    return true;
}

/* Switches to the stored copy; false: there is no valid one. */
static bool take_kept(struct kept *k)
{
    char said[BYW_TRACE_SUM_ROOM], sum[BYW_TRACE_SUM_ROOM];
    struct byw_trace *bwt;
    int data = read_line(k, said) ? open_own(k->data) : -1;

    if (data < 0)
        return false;
    close(data); /* the folder is private, so nobody else can replace the file */
    if (byw_trace_sum(k->data, sum, NULL) != BYW_OK || strcmp(sum, said) != 0 ||
        byw_trace_open(k->data, &bwt, NULL) != BYW_OK)
        return false;
    byw_trace_close(k->inner);
    k->inner = bwt;
    k->is_kept = true;
    byw_cache_touch(k->line);
    byw_cache_touch(k->data);
    return true;
}

/* --- keeping ------------------------------------------------------------------------------ */

static void give_up(struct kept *k)
{
    if (k->writer != NULL)
        byw_trace_abandon(k->writer);
    k->writer = NULL;
}

/* The whole trace has been read: stores the data first, then the line that makes the copy valid. */
static void keep(struct kept *k)
{
    char sum[BYW_TRACE_SUM_ROOM];
    struct byw_trace_note note;
    struct byw_file *file;
    enum byw_status st = byw_trace_finish(k->writer, NULL);

    k->writer = NULL;
    if (st != BYW_OK || byw_trace_sum(k->data, sum, NULL) != BYW_OK)
        return;
    byw_trace_get_note(k->inner, &note);
    if (byw_file_create(k->line, &file, NULL) != BYW_OK)
        return;
    fprintf(byw_file_stream(file), "%s %s %llu %s %llu\n", k->sum, sum,
            (unsigned long long)note.unknown_opcodes,
            note.first_opcode[0] != '\0' ? note.first_opcode : "-",
            (unsigned long long)note.file_bytes);
    byw_file_commit(file, NULL);
    if (k->in_cache)
        byw_cache_trim();
}

/* --- the trace as its reader sees it ------------------------------------------------------ */

static enum byw_status next_kernel(struct byw_trace *trace, const struct byw_kernel **kernel,
                                   struct byw_diag *diag)
{
    struct kept *k = (struct kept *)trace;
    enum byw_status st;

    if (k->in_launch)
        give_up(k);
    k->inner->windows = trace->windows;
    st = byw_trace_next_kernel(k->inner, kernel, diag);
    k->in_launch = st == BYW_OK;
    if (k->writer == NULL)
        return st;
    if (st == BYW_END)
        keep(k);
    else if (st != BYW_OK || byw_trace_kernel(k->writer, *kernel, NULL) != BYW_OK)
        give_up(k);
    return st;
}

static enum byw_status next_cta(struct byw_trace *trace, struct byw_cta *cta, struct byw_diag *diag)
{
    struct kept *k = (struct kept *)trace;
    enum byw_status st = byw_trace_next_cta(k->inner, cta, diag);

    if (st == BYW_END)
        k->in_launch = false;
    else if (k->writer != NULL && (st != BYW_OK || cta->windows != NULL ||
                                   byw_trace_cta(k->writer, cta, NULL) != BYW_OK))
        give_up(k);
    return st;
}

static enum byw_status pass_ctas(struct byw_trace *trace, uint64_t count, struct byw_diag *diag)
{
    struct kept *k = (struct kept *)trace;

    give_up(k);
    return byw_trace_pass_ctas(k->inner, count, diag);
}

static void get_note(const struct byw_trace *trace, struct byw_trace_note *note)
{
    const struct kept *k = (const struct kept *)trace;

    if (k->is_kept)
        *note = k->note;
    else
        byw_trace_get_note(k->inner, note);
}

static void close_both(struct byw_trace *trace)
{
    struct kept *k = (struct kept *)trace;

    give_up(k);
    byw_trace_close(k->inner);
    free(k);
}

struct byw_trace *byw_trace_kept(struct byw_trace *trace, const char *build)
{
    const char *chosen = getenv("BYWAY_KEPT");
    struct kept *k;

    if (byw_trace_accelsim_file(trace, 0) == NULL || (chosen != NULL && strcmp(chosen, "off") == 0))
        return trace;
    k = calloc(1, sizeof(*k));
    if (k == NULL)
        return trace;
    k->ops = (struct byw_trace_ops){trace->ops->name, next_kernel, next_cta,
                                    pass_ctas,        get_note,    close_both};
    k->trace.ops = &k->ops;
    k->inner = trace;
    if (!sum_files(k, build) || !set_paths(k) ||
        (!take_kept(k) && byw_trace_create(k->data, LEVEL, &k->writer, NULL) != BYW_OK)) {
        free(k);
        return trace;
    }
    return &k->trace;
}
