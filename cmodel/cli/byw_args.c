/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/byw_args.h"

#include <string.h>

#include "common/byw_config.h"

enum { MAX_OPTIONS = 32, HELP_COLUMN = 26 };

static int unknown(const struct byw_args *args, const char *name, struct byw_diag *diag)
{
    const char *names[MAX_OPTIONS];
    const char *near;
    int n = 0;

    for (; n < args->option_count && n < MAX_OPTIONS; n++)
        names[n] = args->option[n].name;
    near = byw_nearest(name, names, (size_t)n);
    if (near != NULL)
        byw_diag_set(diag, BYW_EINVAL, "unknown option '--%s'; did you mean '--%s'?", name, near);
    else
        byw_diag_set(diag, BYW_EINVAL, "unknown option '--%s'; --help lists them", name);
    return BYW_ARG_ERROR;
}

/* The option's value: what follows in the same word, else the next word. */
static int with_value(struct byw_args *args, int which, const char *inside, const char **value,
                      struct byw_diag *diag)
{
    const struct byw_option *option = &args->option[which];

    *value = NULL;
    if (option->arg == NULL) {
        if (inside == NULL)
            return which;
        byw_diag_set(diag, BYW_EINVAL, "option '--%s' takes no value, but '%s' was given",
                     option->name, inside);
        return BYW_ARG_ERROR;
    }
    if (inside != NULL) {
        *value = inside;
        return which;
    }
    if (args->at >= args->argc) {
        byw_diag_set(diag, BYW_EINVAL, "option '--%s' stands at the end; expected %s after it",
                     option->name, option->arg);
        return BYW_ARG_ERROR;
    }
    *value = args->argv[args->at++];
    return which;
}

static int long_option(struct byw_args *args, const char *word, const char **value,
                       struct byw_diag *diag)
{
    size_t len = strcspn(word, "=");
    char name[64];

    for (int i = 0; i < args->option_count; i++)
        if (strlen(args->option[i].name) == len && strncmp(args->option[i].name, word, len) == 0)
            return with_value(args, i, word[len] == '=' ? word + len + 1 : NULL, value, diag);
    snprintf(name, sizeof(name), "%.*s", (int)(len < 60 ? len : 60), word);
    return unknown(args, name, diag);
}

static int short_option(struct byw_args *args, const char *word, const char **value,
                        struct byw_diag *diag)
{
    for (int i = 0; i < args->option_count; i++)
        if (args->option[i].letter != '\0' && args->option[i].letter == word[1])
            return with_value(args, i, word[2] != '\0' ? word + 2 : NULL, value, diag);
    byw_diag_set(diag, BYW_EINVAL, "unknown option '%s'; --help lists them", word);
    return BYW_ARG_ERROR;
}

int byw_args_next(struct byw_args *args, const char **value, struct byw_diag *diag)
{
    const char *word;

    if (args->at >= args->argc)
        return BYW_ARG_END;
    word = args->argv[args->at++];
    if (!args->rest && strcmp(word, "--") == 0) {
        args->rest = true;
        return byw_args_next(args, value, diag);
    }
    if (args->rest || word[0] != '-' || word[1] == '\0') {
        *value = word;
        return BYW_ARG_WORD;
    }
    if (word[1] == '-')
        return long_option(args, word + 2, value, diag);
    return short_option(args, word, value, diag);
}

void byw_args_help(FILE *out, const struct byw_option *option, int count)
{
    for (int i = 0; i < count; i++) {
        char left[128];
        const char *text = option[i].help;
        int used = 0;

        if (option[i].letter != '\0')
            used = snprintf(left, sizeof(left), "  -%c, ", option[i].letter);
        else
            used = snprintf(left, sizeof(left), "      ");
        snprintf(left + used, sizeof(left) - (size_t)used, "--%s%s%s", option[i].name,
                 option[i].arg != NULL ? " " : "", option[i].arg != NULL ? option[i].arg : "");
        fprintf(out, "%-*s ", HELP_COLUMN, left);
        for (; *text != '\0'; text++) {
            fputc(*text, out);
            if (*text == '\n')
                fprintf(out, "%*s", HELP_COLUMN + 1, "");
        }
        fputc('\n', out);
    }
}
