/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_config_read.c - reads machine and policy files: `key = value` lines, # starts a comment.
 */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/byw_input.h"
#include "common/byw_mech.h"

enum { LINE_ROOM = 1024, PARAMS_MOST = 512 };

struct reading {
    struct byw_config *config;
    const struct byw_registry *all;
    const char *path;
    enum byw_param_file file;
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

/* policy.use sets every enable key, so it would overwrite an enable key above it. */
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

/* Whether two keys are in the same section: "duel.hold", "duel.margin_pct". */
static bool same_section(const char *a, const char *b)
{
    size_t length = strcspn(a, ".") + 1;

    return strncmp(a, b, length) == 0;
}

/* Whether the file sets a key in the section of `key`. */
static bool section_named(const struct reading *r, const char *key)
{
    for (size_t i = 0; i < r->all->params; i++)
        if (r->set_at[i] != 0 && same_section(key, r->all->param[i].key))
            return true;
    return false;
}

static bool is_enable_key(const struct reading *r, const char *key)
{
    for (size_t m = 0; m < r->all->mechs; m++)
        if (strcmp(r->all->mech[m]->enable, key) == 0)
            return true;
    return false;
}

/* A policy file must set policy.title and all keys of every section it names. policy.use may
 * replace the enable keys. */
static bool policy_needs(const struct reading *r, const struct byw_param *p)
{
    if (strcmp(p->key, "policy.title") == 0)
        return true;
    return p->file == BYW_PARAM_POLICY && p->kind != BYW_PARAM_USE && !is_enable_key(r, p->key) &&
           section_named(r, p->key);
}

static enum byw_status check_complete(const struct reading *r, struct byw_diag *diag)
{
    for (size_t i = 0; i < r->all->params; i++) {
        const struct byw_param *p = &r->all->param[i];

        if (r->set_at[i] != 0)
            continue;
        if (r->file == BYW_PARAM_MACHINE && p->file != BYW_PARAM_POLICY &&
            p->file != BYW_PARAM_OPTION)
            return byw_diag_set(diag, BYW_EFORMAT,
                                "%s:%u: the file ends without key '%s'; expected every machine key "
                                "once",
                                r->path, r->line, p->key);
        if (r->file == BYW_PARAM_POLICY && policy_needs(r, p))
            return byw_diag_set(diag, BYW_EFORMAT,
                                "%s:%u: the file ends without key '%s'; expected policy.title and, "
                                "once each, all keys of every section it names",
                                r->path, r->line, p->key);
    }
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

enum byw_status byw_config_read(struct byw_config *config, const char *path,
                                enum byw_param_file file, struct byw_diag *diag)
{
    struct reading r = {.config = config, .all = config->registry, .path = path, .file = file};
    char expected[32];
    FILE *in;
    enum byw_status st;

    assert(r.all->params <= PARAMS_MOST);
    snprintf(expected, sizeof(expected), "a %s file", file_noun(file));
    if (byw_input_open(path, BYW_INPUT_FILE, expected, &in, diag) != BYW_OK)
        return BYW_EIO;
    st = read_stream(&r, in, diag);
    fclose(in);
    return st;
}
