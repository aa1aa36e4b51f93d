/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_wl_option.c - the command line of the programs, and their error messages.
 */
#include "byw_wl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const size_name[BYW_WL_SIZES] = {"test", "small", "paper"};

void byw_wl_fail(const struct byw_wl *wl, const char *format, ...)
{
    va_list list;
    fprintf(stderr, "%s: ", wl->about->name);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    exit(1);
}

static void print_help(const struct byw_wl *wl)
{
    const struct byw_wl_about *about = wl->about;
    printf("%s - %s\n\nusage: %s [--size test|small|paper] [--seed N] [-k FILE.cl]", about->name,
           about->what, about->name);
    bool window = false;
    for (size_t i = 0; i < about->option_count; i++)
        window = window || strcmp(about->option[i].name, "first") == 0;
    printf("%s [OPTION VALUE]...\n\n", window ? " [--launches A-B]" : "");
    printf("%-18s %10s %10s %10s\n", "option", "test", "small", "paper");
    for (size_t i = 0; i < about->option_count; i++) {
        const struct byw_wl_option *o = &about->option[i];
        printf("%s%-*s %10ld %10ld %10ld  %s\n", o->name[1] ? "--" : "-", o->name[1] ? 16 : 17,
               o->name, o->standard[0], o->standard[1], o->standard[2], o->help);
    }
    printf(
        "\nWithout --size the size is small.  Prints PASS and exits 0 when the device's result\n"
        "equals a plain C computation; exits 1 with the first difference, 2 on a wrong option.\n");
}

static void usage_error(const struct byw_wl *wl, const char *option, const char *value,
                        const char *expected)
{
    fprintf(stderr, "%s: option %s: found '%s', expected %s (see --help)\n", wl->about->name,
            option, value ? value : "nothing", expected);
    exit(2);
}

static long parse_number(const struct byw_wl *wl, const char *option, const char *text, long least,
                         long most, long multiple)
{
    char expected[96];
    snprintf(expected, sizeof expected, "a number from %ld to %ld%s", least, most,
             multiple > 1 ? ", divisible as --help says" : "");
    if (multiple > 1)
        snprintf(expected, sizeof expected, "a multiple of %ld from %ld to %ld", multiple, least,
                 most);
    if (text == NULL)
        usage_error(wl, option, text, expected);
    errno = 0;
    char *end = NULL;
    long value = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < least || value > most ||
        value % multiple != 0)
        usage_error(wl, option, text, expected);
    return value;
}

static size_t find_option(const struct byw_wl *wl, const char *name)
{
    size_t i = 0;
    while (i < wl->about->option_count && strcmp(wl->about->option[i].name, name) != 0)
        i++;
    return i;
}

static void parse_window(struct byw_wl *wl, const char *text)
{
    size_t first = find_option(wl, "first"), last = find_option(wl, "last");
    if (first == wl->about->option_count || last == wl->about->option_count)
        usage_error(wl, "--launches", text, "nothing: this benchmark always runs all its launches");
    long a = 0, b = 0;
    char rest = 0;
    if (text == NULL || sscanf(text, "%ld-%ld%c", &a, &b, &rest) != 2 || a < 1 || b < a)
        usage_error(wl, "--launches", text, "A-B with 1 <= A <= B");
    wl->value[first] = a;
    wl->value[last] = b;
}

static void parse_size(struct byw_wl *wl, const char *text)
{
    int size = 0;
    while (size < BYW_WL_SIZES && (text == NULL || strcmp(text, size_name[size]) != 0))
        size++;
    if (size == BYW_WL_SIZES)
        usage_error(wl, "--size", text, "test, small or paper");
    wl->size = (enum byw_wl_size)size;
}

/* The size is read first, so that other options override its defaults in any order. */
void byw_wl_parse(struct byw_wl *wl, int argc, char **argv)
{
    wl->size = BYW_WL_SMALL;
    wl->random_state = 1;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--size") == 0)
            parse_size(wl, i + 1 < argc ? argv[i + 1] : NULL);
    for (size_t i = 0; i < wl->about->option_count; i++)
        wl->value[i] = wl->about->option[i].standard[wl->size];
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
            print_help(wl);
            exit(0);
        }
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        i++;
        if (strcmp(arg, "--size") == 0)
            continue;
        if (strcmp(arg, "--seed") == 0) {
            wl->random_state = (uint64_t)parse_number(wl, arg, value, 1, 1L << 60, 1);
        } else if (strcmp(arg, "-k") == 0) {
            if (value == NULL)
                usage_error(wl, arg, value, "the path of an OpenCL C file");
            wl->kernel_path = value;
        } else if (strcmp(arg, "--launches") == 0) {
            parse_window(wl, value);
        } else {
            const char *name = arg[0] == '-' ? arg + (arg[1] == '-' ? 2 : 1) : "";
            size_t o = find_option(wl, name);
            if (o == wl->about->option_count)
                usage_error(wl, arg, arg, "an option of this benchmark");
            const struct byw_wl_option *option = &wl->about->option[o];
            wl->value[o] =
                parse_number(wl, arg, value, option->least, option->most, option->multiple);
        }
    }
}

long byw_wl_get(const struct byw_wl *wl, const char *name)
{
    size_t o = find_option(wl, name);
    if (o == wl->about->option_count)
        byw_wl_fail(wl, "the driver asks for the undeclared option '%s'", name);
    return wl->value[o];
}

cl_int byw_wl_get_int(const struct byw_wl *wl, const char *name)
{
    return (cl_int)byw_wl_get(wl, name);
}
