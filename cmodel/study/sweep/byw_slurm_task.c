/* SPDX-License-Identifier: Apache-2.0 */
#include "study/sweep/byw_slurm_task.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/byw_file.h"
#include "study/job/byw_provenance.h"

enum { PIECE = 65536 };

enum byw_status byw_slurm_task_path(const struct byw_slurm_task *task, const char *kind,
                                    const char *name, char path[BYW_PATH_ROOM],
                                    struct byw_diag *diag)
{
    if (snprintf(path, BYW_PATH_ROOM, "%s/%s%s", task->folder, kind, name) < BYW_PATH_ROOM)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", task->folder);
}

enum byw_status byw_slurm_task_write(const char *path, const char *text, size_t size,
                                     bool executable, struct byw_diag *diag)
{
    struct byw_file *file = NULL;
    enum byw_status st = byw_file_create(path, &file, diag);

    if (st != BYW_OK)
        return st;
    fwrite(text, 1, size, byw_file_stream(file));
    st = byw_file_commit(file, diag);
    if (st == BYW_OK && executable && chmod(path, 0755) != 0)
        st = byw_diag_set(diag, BYW_EIO, "%s: cannot be made executable (%s)", path,
                          strerror(errno));
    return st;
}

static enum byw_status copy_program(const char *path, struct byw_diag *diag)
{
    FILE *in = fopen("/proc/self/exe", "rb");
    char *text = NULL;
    size_t size = 0, got = 1;
    enum byw_status st;

    while (in != NULL && got > 0) {
        char *grown = realloc(text, size + PIECE);

        if (grown == NULL)
            break;
        text = grown;
        got = fread(text + size, 1, PIECE, in);
        size += got;
    }
    if (in == NULL || got > 0 || ferror(in) != 0)
        st = byw_diag_set(diag, BYW_EIO, "this program's file cannot be read");
    else
        st = byw_slurm_task_write(path, text, size, true, diag);
    if (in != NULL)
        fclose(in);
    free(text);
    return st;
}

static enum byw_status make_folder(const char *path, struct byw_diag *diag)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EIO, "%s: cannot create the folder (%s)", path, strerror(errno));
}

static void forget_failures(const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;

    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir != NULL)
        closedir(dir);
}

enum byw_status byw_slurm_task_open(struct byw_slurm_task *task, const char *dir, bool create,
                                    struct byw_diag *diag)
{
    char whole[PATH_MAX], sum[BYW_TRACE_SUM_ROOM];
    const char *build = byw_provenance_build();
    enum byw_status st;

    if (realpath(dir, whole) == NULL)
        return byw_diag_set(diag, BYW_EIO, "%s: cannot be read (%s)", dir, strerror(errno));
    if (snprintf(task->folder, sizeof(task->folder), "%s/slurm", whole) >=
        (int)sizeof(task->folder))
        return byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", whole);
    byw_text_sum(build, strlen(build), sum);
    st = byw_slurm_task_path(task, "failed", "", task->failed, diag);
    if (st == BYW_OK)
        st = byw_slurm_task_path(task, "byway-", sum, task->program, diag);
    if (st == BYW_OK)
        st = byw_slurm_task_path(task, "job", ".sh", task->script, diag);
    if (st == BYW_OK)
        st = byw_slurm_task_path(task, "job", "", task->job, diag);
    if (st == BYW_OK)
        st = byw_slurm_task_path(task, "task-%a", ".log", task->log, diag);
    if (st != BYW_OK || !create)
        return st;
    st = make_folder(task->folder, diag);
    if (st == BYW_OK)
        st = make_folder(task->failed, diag);
    if (st == BYW_OK)
        forget_failures(task->failed);
    if (st == BYW_OK && access(task->program, X_OK) != 0)
        st = copy_program(task->program, diag);
    return st;
}

bool byw_slurm_task_job(const struct byw_slurm_task *task, char *job, size_t room)
{
    FILE *in = fopen(task->job, "r");
    bool good = in != NULL && fgets(job, (int)room, in) != NULL;

    if (in != NULL)
        fclose(in);
    return good && job[0] != '\0' && job[strspn(job, "0123456789")] == '\0';
}

void byw_slurm_task_quote(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text != '\0'; text++)
        fputs(*text == '\'' ? "'\\''" : (const char[2]){*text, '\0'}, out);
    fputc('\'', out);
}

/* --- a part ---------------------------------------------------------------------------------- */

static enum byw_status add_line(struct byw_names *ids, char *line, struct byw_diag *diag)
{
    char *rest = NULL;

    for (char *id = strtok_r(line, " \n", &rest); id != NULL; id = strtok_r(NULL, " \n", &rest))
        if (!byw_names_add(ids, id, strlen(id)))
            return byw_no_memory(diag, "the sweep");
    return BYW_OK;
}

/* Lines [from, to) of the file. */
static enum byw_status read_lines(FILE *in, size_t from, size_t to, struct byw_names *ids,
                                  size_t *lines, struct byw_diag *diag)
{
    char *line = NULL;
    size_t room = 0;
    enum byw_status st = BYW_OK;

    rewind(in);
    for (*lines = 0; st == BYW_OK && getline(&line, &room, in) > 0; ++*lines)
        if (*lines >= from && *lines < to)
            st = add_line(ids, line, diag);
    free(line);
    return st;
}

enum byw_status byw_slurm_part_read(const char *given, const char *dir, struct byw_sweep_part *part,
                                    struct byw_diag *diag)
{
    struct byw_slurm_task task;
    struct byw_names *ids = calloc(1, sizeof(*ids));
    const char *colon = strrchr(given, ':');
    char path[BYW_PATH_ROOM], *end;
    size_t at = colon != NULL ? strtoul(colon + 1, &end, 10) : 0, lines = 0;
    enum byw_status st = byw_slurm_task_open(&task, dir, false, diag);
    FILE *in = NULL;

    *part = (struct byw_sweep_part){.id = ids};
    if (ids == NULL)
        return byw_no_memory(diag, "the sweep");
    if (st == BYW_OK &&
        (colon == NULL || colon[1] == '\0' || *end != '\0' ||
         snprintf(path, sizeof(path), "%.*s", (int)(colon - given), given) >= (int)sizeof(path)))
        st = byw_diag_set(diag, BYW_EINVAL, "--part is '%s'; expected FILE:N", given);
    if (st == BYW_OK && (in = fopen(path, "r")) == NULL)
        st = byw_diag_set(diag, BYW_ENOENT, "%s: cannot be read (%s)", path, strerror(errno));
    if (st == BYW_OK)
        st = read_lines(in, at, at + 1, ids, &lines, diag);
    part->own = ids->count;
    if (st == BYW_OK && at >= lines)
        st = byw_diag_set(diag, BYW_EINVAL, "%s: has no line %zu", path, at);
    if (st == BYW_OK)
        st = read_lines(in, at + 1, lines, ids, &lines, diag);
    if (st == BYW_OK)
        st = read_lines(in, 0, at, ids, &lines, diag);
    if (in != NULL)
        fclose(in);
    part->failures = strdup(task.failed);
    if (st == BYW_OK && part->failures == NULL)
        st = byw_no_memory(diag, "the sweep");
    return st;
}

void byw_slurm_part_free(struct byw_sweep_part *part)
{
    if (part->id != NULL) {
        byw_names_free(part->id);
        free(part->id);
    }
    free(part->failures);
    *part = (struct byw_sweep_part){.own = 0};
}
