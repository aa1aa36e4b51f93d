/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_config_read.c - reads machine and policy files: `key = value` lines, # starts a comment;
 * `base = NAME` first reads another file of the same kind.
 */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/byw_input.h"
#include "common/byw_mech.h"

enum { LINE_ROOM = 1024, PARAMS_MOST = 512, CHAIN_MOST = 16 };

struct reading {
    struct byw_config *config;
    const struct byw_registry *all;
    const char *path;
    const char *shipped; /* folder of the shipped files of this kind; NULL: none */
    enum byw_param_file file;
    const struct reading *derived; /* file whose `base` names this one; NULL: the requested file */
    bool has_base;
    uint32_t line;
    uint32_t set_at[PARAMS_MOST]; /* line that set the key; 0 = not set */
};

static const char *file_noun(enum byw_param_file file)
{
    return file == BYW_PARAM_MACHINE ? "machine" : "policy";
}

static char *trim(char *text)
{
    size_t len;

    while (isspace((unsigned char)*text))
        text++;
    len = strlen(text);
    while (len > 0 && isspace((unsigned char)text[len - 1]))
        text[--len] = '\0';
    return text;
}

static bool belongs(const struct byw_param *p, enum byw_param_file file)
{
    return p->file == file || p->file == BYW_PARAM_EITHER ||
           (p->file == BYW_PARAM_OPTION && file == BYW_PARAM_MACHINE);
}

/* policy.use sets every enable key, so it would overwrite an enable key set earlier in the file. */
static enum byw_status check_use(const struct reading *r, const char *where, struct byw_diag *diag)
{
    for (size_t m = 0; m < r->all->mechs; m++) {
        const char *enable = r->all->mech[m]->enable;
        uint32_t line = r->set_at[byw_registry_find(r->all, enable)];

        if (line != 0)
            return byw_diag_set(
                diag, BYW_EFORMAT,
                "%s: policy.use follows %s (line %u) and would overwrite it; expected "
                "policy.use first",
                where, enable, line);
    }
    return BYW_OK;
}

/* --- base = NAME ------------------------------------------------------------------------------ */

static enum byw_status read_file(struct reading *r, struct byw_diag *diag);

static bool same_file(const char *a, const char *b)
{
    struct stat sa, sb;

    return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
           sa.st_ino == sb.st_ino;
}

/* Length of the folder in a path, including its slash; 0 if it has none. */
static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? 0 : (int)(slash + 1 - path);
}

/* Finds the file that `base` names: a path is relative to the folder of the deriving file; a name
 * is looked for there and among the shipped files.  A file is not its own base, so that a user's
 * fermi.cfg can derive from the shipped one.  False if there is no such file. */
static bool find_base(const struct reading *r, const char *base, char path[PATH_MAX])
{
    bool is_path = strchr(base, '/') != NULL || strstr(base, ".cfg") != NULL;
    int length = *base == '/' ? 0 : folder_length(r->path);
    struct stat st;

    if (snprintf(path, PATH_MAX, "%.*s%s%s", length, r->path, base, is_path ? "" : ".cfg") <
            PATH_MAX &&
        stat(path, &st) == 0 && (is_path || !same_file(path, r->path)))
        return true;
    return !is_path && r->shipped != NULL &&
           snprintf(path, PATH_MAX, "%s/%s.cfg", r->shipped, base) < PATH_MAX &&
           stat(path, &st) == 0;
}

/* Rejects a base that derives from this file, and a chain that is too long. */
static enum byw_status check_chain(const struct reading *r, const char *where, const char *base,
                                   const char *path, struct byw_diag *diag)
{
    size_t depth = 1;

    for (const struct reading *d = r; d != NULL; d = d->derived, depth++)
        if (same_file(path, d->path))
            return byw_diag_set(
                diag, BYW_EFORMAT,
                "%s: base '%s' is derived from this file; expected a chain of bases "
                "without a cycle",
                where, base);
    if (depth > CHAIN_MOST)
        return byw_diag_set(diag, BYW_EFORMAT, "%s: more than %d files derive from each other",
                            where, CHAIN_MOST);
    return BYW_OK;
}

static enum byw_status read_base(struct reading *r, const char *base, const char *where,
                                 struct byw_diag *diag)
{
    char path[PATH_MAX];
    struct reading of_base = {.config = r->config,
                              .all = r->all,
                              .path = path,
                              .shipped = r->shipped,
                              .file = r->file,
                              .derived = r};

    for (size_t i = 0; i < r->all->params; i++)
        if (r->set_at[i] != 0)
            return byw_diag_set(diag, BYW_EFORMAT,
                                "%s: base follows %s (line %u) and would overwrite it; expected "
                                "base first",
                                where, r->all->param[i].key, r->set_at[i]);
    if (r->has_base)
        return byw_diag_set(diag, BYW_EFORMAT, "%s: a second base; expected one", where);
    if (!find_base(r, base, path))
        return byw_diag_set(diag, BYW_ENOENT,
                            "%s: base '%.60s' does not exist; expected the name of a shipped %s "
                            "(`byway list %s`) or of a file next to this one, or a path",
                            where, base, file_noun(r->file),
                            r->file == BYW_PARAM_MACHINE ? "machines" : "policies");
    if (check_chain(r, where, base, path, diag) != BYW_OK)
        return BYW_EFORMAT;
    r->has_base = true;
    return read_file(&of_base, diag);
}

/* --- lines ------------------------------------------------------------------------------------ */

static enum byw_status read_line(struct reading *r, char *line, struct byw_diag *diag)
{
    char where[512];
    char *hash = strchr(line, '#');
    char *equals;
    const char *key;
    const struct byw_param *p;
    size_t i;

    if (hash != NULL)
        *hash = '\0';
    line = trim(line);
    if (*line == '\0')
        return BYW_OK;
    snprintf(where, sizeof(where), "%s:%u", r->path, r->line);
    equals = strchr(line, '=');
    if (equals == NULL)
        return byw_diag_set(diag, BYW_EFORMAT, "%s: '%.60s' has no '='; expected `key = value`",
                            where, line);
    *equals = '\0';
    key = trim(line);
    if (strcmp(key, "base") == 0)
        return read_base(r, trim(equals + 1), where, diag);
    i = byw_registry_find(r->all, key);
    if (i == r->all->params) /* reports the unknown key and suggests one */
        return byw_config_set(r->config, key, "", where, diag);
    p = &r->all->param[i];
    if (!belongs(p, r->file))
        return byw_diag_set(diag, BYW_EFORMAT,
                            "%s: key '%s' belongs in a %s file; expected keys of a %s here", where,
                            key, file_noun(p->file), file_noun(r->file));
    if (r->set_at[i] != 0)
        return byw_diag_set(diag, BYW_EFORMAT,
                            "%s: key '%s' is already set in line %u; expected each key once", where,
                            key, r->set_at[i]);
    r->set_at[i] = r->line;
    if (p->kind == BYW_PARAM_USE && check_use(r, where, diag) != BYW_OK)
        return BYW_EFORMAT;
    return byw_config_set(r->config, key, trim(equals + 1), where, diag);
}

/* Rejects a line that is not plain text: a byte order mark, a line that is too long, a zero
 * byte. */
static enum byw_status check_text(const struct reading *r, const char *line, bool last,
                                  struct byw_diag *diag)
{
    size_t length = strlen(line);
    bool ends = last || (length > 0 && line[length - 1] == '\n');

    if (r->line == 1 &&
        (strncmp(line, "\xef\xbb\xbf", 3) == 0 || memchr("\xfe\xff", line[0], 2) != NULL))
        return byw_diag_set(diag, BYW_EFORMAT,
                            "%s:1: begins with a byte order mark; expected plain text without it",
                            r->path);
    if (!ends && length + 1 == LINE_ROOM)
        return byw_diag_set(diag, BYW_EFORMAT,
                            "%s:%u: line too long; expected at most %d characters", r->path,
                            r->line, LINE_ROOM - 2);
    if (!ends)
        return byw_diag_set(diag, BYW_EFORMAT, "%s:%u: contains a zero byte; expected text",
                            r->path, r->line);
    return BYW_OK;
}

/* Keys that a file must set.  Every file has its own title, because results name the machine and
 * the policy by it. */
static bool needs(const struct reading *r, const struct byw_param *p)
{
    if (strcmp(p->key, r->file == BYW_PARAM_POLICY ? "policy.title" : "machine.title") == 0)
        return true;
    if (r->has_base)
        return false;
    if (r->file == BYW_PARAM_POLICY)
        return strcmp(p->key, "policy.about") == 0;
    return p->file == BYW_PARAM_MACHINE || p->file == BYW_PARAM_EITHER;
}

static const char *needed(const struct reading *r)
{
    if (r->has_base)
        return "a title";
    return r->file == BYW_PARAM_POLICY
               ? "policy.title and policy.about, or `base = NAME` and a title"
               : "every machine key once, or `base = NAME` and changes";
}

static enum byw_status check_complete(const struct reading *r, struct byw_diag *diag)
{
    for (size_t i = 0; i < r->all->params; i++)
        if (r->set_at[i] == 0 && needs(r, &r->all->param[i]))
            return byw_diag_set(diag, BYW_EFORMAT,
                                "%s:%u: the file ends without key '%s'; expected %s", r->path,
                                r->line, r->all->param[i].key, needed(r));
    return BYW_OK;
}

static enum byw_status read_stream(struct reading *r, FILE *in, struct byw_diag *diag)
{
    char line[LINE_ROOM];

    while (fgets(line, sizeof(line), in) != NULL) {
        enum byw_status st;

        r->line++;
        st = check_text(r, line, feof(in) != 0, diag);
        if (st != BYW_OK)
            return st;
        st = read_line(r, line, diag);
        if (st != BYW_OK)
            return st;
    }
    if (ferror(in))
        return byw_diag_set(diag, BYW_EIO, "%s:%u: cannot be read (%s); expected a text file",
                            r->path, r->line + 1, strerror(errno));
    return check_complete(r, diag);
}

static enum byw_status read_file(struct reading *r, struct byw_diag *diag)
{
    char expected[32];
    FILE *in;
    enum byw_status st;

    snprintf(expected, sizeof(expected), "a %s file", file_noun(r->file));
    if (byw_input_open(r->path, BYW_INPUT_FILE, expected, &in, diag) != BYW_OK)
        return BYW_EIO;
    st = read_stream(r, in, diag);
    fclose(in);
    return st;
}

enum byw_status byw_config_read(struct byw_config *config, const char *path, const char *shipped,
                                enum byw_param_file file, struct byw_diag *diag)
{
    struct reading r = {
        .config = config, .all = config->registry, .path = path, .shipped = shipped, .file = file};

    assert(r.all->params <= PARAMS_MOST);
    return read_file(&r, diag);
}
