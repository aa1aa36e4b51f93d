/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/byw_args.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_config.h"
#include "common/byw_text.h"

enum { MAX_OPTIONS = 32, HELP_COLUMN = 27, NAME_ROOM = 64 };

/* A command line and how far it is read. */
struct reader {
    const struct byw_option *option;
    size_t option_count;
    char **argv;
    int argc, at;
};

enum byw_status byw_args_number(const char *what, const char *text, uint64_t lowest,
                                uint64_t highest, uint64_t *number, struct byw_diag *diag)
{
    char *end = NULL;
    unsigned long long n = 0;
    bool good = isdigit((unsigned char)text[0]) && strlen(text) <= 18;

    if (good) {
        n = strtoull(text, &end, 10);
        good = *end == '\0' && n >= lowest && n <= highest;
    }
    if (!good)
        return byw_diag_set(diag, BYW_EINVAL,
                            "%s is '%s'; expected a whole number from %llu to %llu", what, text,
                            (unsigned long long)lowest, (unsigned long long)highest);
    *number = n;
    return BYW_OK;
}

static enum byw_status add(struct byw_texts *texts, size_t most, const char *what, const char *text,
                           struct byw_diag *diag)
{
    if (texts->count >= most && most == 0)
        return byw_diag_set(diag, BYW_EINVAL, "unexpected word '%s'; expected options only", text);
    if (texts->count >= most)
        return byw_diag_set(diag, BYW_EINVAL, "%s '%s' is one too many; expected at most %zu", what,
                            text, most);
    texts->text[texts->count++] = text;
    return BYW_OK;
}

static enum byw_status keep(const struct byw_option *option, const char *value,
                            struct byw_diag *diag)
{
    char name[NAME_ROOM];

    snprintf(name, sizeof(name), "--%s", option->name);
    if (option->take != NULL)
        return option->take(value, option->into, diag);
    if (option->list != NULL)
        return add(option->list, BYW_TEXTS_MAX, name, value, diag);
    if (option->number != NULL)
        return byw_args_number(name, value, option->lowest, option->highest, option->number, diag);
    if (option->text != NULL)
        *option->text = value;
    else
        *option->flag = true;
    return BYW_OK;
}

/* inside: the value in the same word as the option's name, NULL if it is not there. */
static enum byw_status with_value(struct reader *r, const struct byw_option *option,
                                  const char *inside, struct byw_diag *diag)
{
    if (option->arg == NULL && inside != NULL)
        return byw_diag_set(diag, BYW_EINVAL, "option '--%s' takes no value, but '%s' was given",
                            option->name, inside);
    if (option->arg == NULL || inside != NULL)
        return keep(option, inside, diag);
    if (r->at >= r->argc)
        return byw_diag_set(diag, BYW_EINVAL,
                            "option '--%s' stands at the end; expected %s after it", option->name,
                            option->arg);
    return keep(option, r->argv[r->at++], diag);
}

static enum byw_status long_option(struct reader *r, const char *word, struct byw_diag *diag)
{
    const char *names[MAX_OPTIONS];
    const char *near;
    size_t length = strcspn(word, "=");
    char name[NAME_ROOM];
    size_t n = 0;

    for (; n < r->option_count && n < MAX_OPTIONS; n++) {
        names[n] = r->option[n].name;
        if (strlen(names[n]) == length && strncmp(names[n], word, length) == 0)
            return with_value(r, &r->option[n], word[length] == '=' ? word + length + 1 : NULL,
                              diag);
    }
    snprintf(name, sizeof(name), "%.*s", (int)(length < 60 ? length : 60), word);
    near = byw_nearest(name, names, n);
    if (near != NULL)
        return byw_diag_set(diag, BYW_EINVAL, "unknown option '--%s'; did you mean '--%s'?", name,
                            near);
    return byw_diag_set(diag, BYW_EINVAL, "unknown option '--%s'; --help lists them", name);
}

static enum byw_status short_option(struct reader *r, const char *word, struct byw_diag *diag)
{
    for (size_t i = 0; i < r->option_count; i++)
        if (r->option[i].letter != '\0' && r->option[i].letter == word[1])
            return with_value(r, &r->option[i], word[2] != '\0' ? word + 2 : NULL, diag);
    return byw_diag_set(diag, BYW_EINVAL, "unknown option '%s'; --help lists them", word);
}

enum byw_status byw_args_parse(const struct byw_option *options, size_t count, int argc,
                               char **argv, struct byw_texts *words, size_t most_words,
                               char ***rest, struct byw_diag *diag)
{
    struct reader r = {
        .option = options, .option_count = count, .argv = argv, .argc = argc, .at = 1};
    struct byw_texts none = {.count = 0};
    bool only_words = false;

    while (r.at < argc) {
        const char *word = argv[r.at++];
        enum byw_status st;

        if (!only_words && strcmp(word, "--") == 0) {
            if (rest != NULL) {
                *rest = argv + r.at;
                return BYW_OK;
            }
            only_words = true;
            continue;
        }
        if (only_words || word[0] != '-' || word[1] == '\0')
            st = add(words != NULL ? words : &none, words != NULL ? most_words : 0, "word", word,
                     diag);
        else if (word[1] == '-')
            st = long_option(&r, word + 2, diag);
        else
            st = short_option(&r, word, diag);
        if (st != BYW_OK)
            return st;
    }
    return BYW_OK;
}

void byw_args_help(FILE *out, const struct byw_option *options, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct byw_option *option = &options[i];
        const char *arg = option->arg != NULL ? option->arg : "";
        char left[128];
        char letter[8] = "    ";

        if (option->letter != '\0')
            snprintf(letter, sizeof(letter), "-%c, ", option->letter);
        snprintf(left, sizeof(left), "  %s--%s%s%s", letter, option->name,
                 arg[0] != '\0' ? " " : "", arg);
        byw_text_beside(out, left, option->help, HELP_COLUMN);
    }
}
