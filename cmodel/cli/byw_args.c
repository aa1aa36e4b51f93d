/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/byw_args.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/byw_config.h"
#include "common/byw_text.h"

enum { MAX_OPTIONS = 32, HELP_COLUMN = 27, NAME_ROOM = 64 };

/* A command line and the reading position. */
struct reader {
    const struct byw_option *option;
    size_t option_count;
    char **argv;
    int argc, at;
    const char *given[MAX_OPTIONS]; /* the value of each option so far, "" for an option without
                                       one; NULL: not given */
    char name[MAX_OPTIONS][NAME_ROOM]; /* with dashes */
    struct byw_named_file *file;
    size_t files;
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

static void name_file(struct reader *r, const char *what, const char *path, enum byw_file_use use)
{
    if (use != BYW_FILE_NONE)
        r->file[r->files++] = (struct byw_named_file){.what = what, .path = path, .use = use};
}

static enum byw_status given_twice(const char *name, const char *first, const char *second,
                                   struct byw_diag *diag)
{
    if (second == NULL)
        return byw_diag_set(diag, BYW_EINVAL, "%s is given twice; expected once", name);
    return byw_diag_set(diag, BYW_EINVAL, "%s is given twice, as '%s' and as '%s'; expected once",
                        name, first, second);
}

static enum byw_status keep(struct reader *r, const struct byw_option *option, const char *value,
                            struct byw_diag *diag)
{
    size_t number = (size_t)(option - r->option);
    const char *before = r->given[number];
    char *name = r->name[number];

    snprintf(name, NAME_ROOM, "--%s", option->name);
    if (before != NULL && option->list == NULL)
        return given_twice(name, before, value, diag);
    r->given[number] = value != NULL ? value : "";
    name_file(r, name, value, option->file);
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

/* inside: the value if it is in the same word as the option's name, else NULL. */
static enum byw_status with_value(struct reader *r, const struct byw_option *option,
                                  const char *inside, struct byw_diag *diag)
{
    if (option->arg == NULL && inside != NULL)
        return byw_diag_set(diag, BYW_EINVAL, "option '--%s' takes no value, but '%s' was given",
                            option->name, inside);
    if (option->arg == NULL || inside != NULL)
        return keep(r, option, inside, diag);
    if (r->at >= r->argc)
        return byw_diag_set(diag, BYW_EINVAL,
                            "option '--%s' needs an argument; expected %s after it", option->name,
                            option->arg);
    return keep(r, option, r->argv[r->at++], diag);
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

/* Path of a program, which is searched in PATH as a shell does; NULL: not found. The caller frees
 * it. */
static char *find_program(const char *name)
{
    const char *path = getenv("PATH");
    char *copy, *rest, *folder, *found = NULL;

    if (strchr(name, '/') != NULL || path == NULL)
        return strdup(name);
    copy = rest = strdup(path);
    while (found == NULL && (folder = strsep(&rest, ":")) != NULL) {
        if (asprintf(&found, "%s/%s", folder[0] != '\0' ? folder : ".", name) < 0)
            found = NULL;
        if (found != NULL && access(found, X_OK) != 0) {
            free(found);
            found = NULL;
        }
    }
    free(copy);
    return found;
}

static enum byw_status check_files(struct reader *r, const struct byw_texts *words, char **rest,
                                   struct byw_diag *diag)
{
    char *program = rest != NULL && rest[0] != NULL ? find_program(rest[0]) : NULL;
    enum byw_status st;

    for (size_t i = words->plain; i < words->count; i++)
        name_file(r, "the command", words->text[i], BYW_FILE_READ);
    if (program != NULL)
        name_file(r, "the program after --", program, BYW_FILE_READ);
    for (size_t i = 1; program != NULL && rest[i] != NULL; i++)
        name_file(r, "the program after --", rest[i], BYW_FILE_READ);
    st = byw_named_files_check(r->file, r->files, diag);
    free(program);
    return st;
}

/* Refuses settings that give one key twice; otherwise the last one would win. */
static enum byw_status check_keys(const struct byw_option *option, struct byw_diag *diag)
{
    const struct byw_texts *list = option->list;

    for (size_t i = 0; i < list->count; i++) {
        size_t length = strcspn(list->text[i], "=");

        for (size_t k = 0; k < i; k++)
            if (strncmp(list->text[k], list->text[i], length) == 0 && list->text[k][length] == '=')
                return byw_diag_set(
                    diag, BYW_EINVAL, "--%s gives %.*s twice, as '%s' and as '%s'; expected once",
                    option->name, (int)length, list->text[i], list->text[k] + length + 1,
                    list->text[i] + length + (list->text[i][length] != '\0'));
    }
    return BYW_OK;
}

static bool is_given(const struct reader *r, const char *name)
{
    size_t i = 0;

    while (i < r->option_count && strcmp(r->option[i].name, name) != 0)
        i++;
    return i < r->option_count && r->given[i] != NULL;
}

/* Refuses options that have no effect because another one is missing. */
static enum byw_status check_given(const struct reader *r, struct byw_diag *diag)
{
    for (size_t i = 0; i < r->option_count; i++) {
        const struct byw_option *option = &r->option[i];

        if (option->given != NULL)
            *option->given = r->given[i] != NULL;
        if (r->given[i] != NULL && option->with != NULL && !is_given(r, option->with) &&
            !is_given(r, "help"))
            return byw_diag_set(diag, BYW_EINVAL, "--%s has no effect without --%s; expected both",
                                option->name, option->with);
    }
    return BYW_OK;
}

static enum byw_status read_words(struct reader *r, struct byw_texts *words, size_t most,
                                  char ***rest, struct byw_diag *diag)
{
    bool only_words = false;
    enum byw_status st = BYW_OK;

    while (st == BYW_OK && r->at < r->argc) {
        const char *word = r->argv[r->at++];

        if (!only_words && strcmp(word, "--") == 0) {
            if (rest != NULL) {
                *rest = r->argv + r->at;
                break;
            }
            only_words = true;
        } else if (only_words || word[0] != '-' || word[1] == '\0') {
            st = add(words, most, "word", word, diag);
        } else if (word[1] == '-') {
            st = long_option(r, word + 2, diag);
        } else {
            st = short_option(r, word, diag);
        }
    }
    return st;
}

enum byw_status byw_args_parse(const struct byw_option *options, size_t count, int argc,
                               char **argv, struct byw_texts *words, size_t most_words,
                               char ***rest, struct byw_diag *diag)
{
    struct reader r = {
        .option = options, .option_count = count, .argv = argv, .argc = argc, .at = 1};
    struct byw_texts none = {.count = 0};
    enum byw_status st;

    assert(count <= MAX_OPTIONS);
    r.file = calloc((size_t)argc + 1, sizeof(*r.file));
    if (r.file == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory for the command line");
    if (words == NULL) {
        words = &none;
        most_words = 0;
    }
    st = read_words(&r, words, most_words, rest, diag);
    if (st == BYW_OK)
        st = check_given(&r, diag);
    for (size_t i = 0; st == BYW_OK && i < count; i++)
        if (options[i].keyed)
            st = check_keys(&options[i], diag);
    if (st == BYW_OK)
        st = check_files(&r, words, rest != NULL ? *rest : NULL, diag);
    free(r.file);
    return st;
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
