/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/run/byw_cl_print.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One conversion: %[flags][width][.precision][vN][length]letter */
struct conversion {
    char flags[40]; /* from % up to the precision, for the host's printf */
    unsigned elements; /* elements of the vector; 1: a scalar */
    int bytes; /* of an integer: 1, 2, 4, 8 */
    char letter;
};

static const char *read_length(const char *at, struct conversion *c)
{
    c->bytes = 4;
    if (strncmp(at, "hh", 2) == 0) {
        c->bytes = 1;
        return at + 2;
    }
    if (strncmp(at, "hl", 2) == 0)
        return at + 2;
    if (*at == 'h') {
        c->bytes = 2;
        return at + 1;
    }
    while (*at == 'l' || *at == 'z' || *at == 'j' || *at == 't') {
        c->bytes = 8;
        at++;
    }
    return at;
}

static const char *read_conversion(const char *at, struct conversion *c)
{
    size_t length = 1 + strspn(at + 1, "-+ #0123456789.");
    char *end;

    memset(c, 0, sizeof(*c));
    memcpy(c->flags, at, length < sizeof(c->flags) - 8 ? length : sizeof(c->flags) - 8);
    c->elements = 1;
    at += length;
    if (*at == 'v') {
        c->elements = (unsigned)strtoul(at + 1, &end, 10);
        at = end;
    }
    at = read_length(at, c);
    c->letter = *at;
    return *at == '\0' ? at : at + 1;
}

static void print_integer(FILE *out, const struct conversion *c, const char *format, uint64_t word)
{
    unsigned unused = 64 - 8 * (unsigned)c->bytes;

    if (c->letter == 'd' || c->letter == 'i')
        fprintf(out, format, (long long)((int64_t)(word << unused) >> unused));
    else
        fprintf(out, format, (unsigned long long)(word << unused >> unused));
}

static void print_element(FILE *out, const struct conversion *c, uint64_t word)
{
    char format[sizeof(c->flags) + 4];
    double number;

    if (strchr("dixXou", c->letter) != NULL) {
        snprintf(format, sizeof(format), "%sll%c", c->flags, c->letter);
        print_integer(out, c, format, word);
        return;
    }
    snprintf(format, sizeof(format), "%s%c", c->flags, c->letter);
    memcpy(&number, &word, sizeof(number));
    if (strchr("fFeEgGaA", c->letter) != NULL)
        fprintf(out, format, number);
    else if (c->letter == 'c')
        fprintf(out, format, (int)word);
    else if (c->letter == 's')
        fprintf(out, format, word == 0 ? "(null)" : (const char *)(uintptr_t)word);
    else if (c->letter == 'p')
        fprintf(out, format, (void *)(uintptr_t)word);
}

static int print(FILE *out, const char *format, const uint64_t *words)
{
    while (*format != '\0') {
        size_t plain = strcspn(format, "%");
        struct conversion c;

        fwrite(format, 1, plain, out);
        format += plain;
        if (strncmp(format, "%%", 2) == 0) {
            fputc('%', out);
            format += 2;
            continue;
        }
        if (*format == '\0')
            break;
        format = read_conversion(format, &c);
        if (c.letter == '\0' || c.elements > 16)
            return -1;
        for (unsigned i = 0; i < c.elements; i++) {
            if (i != 0)
                fputc(',', out);
            print_element(out, &c, *words++);
        }
    }
    return 0;
}

int byw_cl_print(const char *format, const uint64_t *words)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int result = out == NULL ? -1 : print(out, format, words);

    if (out != NULL && fclose(out) != 0)
        result = -1;
    for (size_t at = 0; text != NULL && at < size;) {
        ssize_t done = write(STDOUT_FILENO, text + at, size - at);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            result = -1;
            break;
        }
        at += (size_t)done;
    }
    free(text);
    return result;
}
