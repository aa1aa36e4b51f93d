/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_advise_written.c - loads with hints in OpenCL C, CUDA, PTX and HIP.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/byw_request.h"
#include "sim/sm/byw_load_advice.h"
#include "study/advise/byw_advise_source.h"

static const char *const language_names[] = {
    [BYW_ADVISE_OPENCL] = "opencl",
    [BYW_ADVISE_CUDA] = "cuda",
    [BYW_ADVISE_PTX] = "ptx",
    [BYW_ADVISE_HIP] = "hip",
};

const char *byw_advise_language(enum byw_advise_language language)
{
    return language_names[language];
}

/* From this compute capability (times 10) on, PTX has ld.global.L1::no_allocate: a load that does
 * not allocate in the L1 but hits present lines. On an H200 it saves time where .cg does not. */
enum { HAS_NO_ALLOCATE = 70, HAS_ACCESS_PROPERTY = 80 };

/* A scalar in PTX: its suffix, and the letter of its register in inline assembly. */
struct scalar {
    const char *name, *suffix;
    char letter;
};

static const struct scalar scalars[] = {
    {"float", "f32", 'f'},         {"double", "f64", 'd'},
    {"int", "s32", 'r'},           {"uint", "u32", 'r'},
    {"unsigned int", "u32", 'r'},  {"unsigned", "u32", 'r'},
    {"long", "s64", 'l'},          {"ulong", "u64", 'l'},
    {"unsigned long", "u64", 'l'}, {"short", "s16", 'h'},
    {"ushort", "u16", 'h'},        {"unsigned short", "u16", 'h'},
    {"long long", "s64", 'l'},     {"unsigned long long", "u64", 'l'},
    {"size_t", "u64", 'l'},
};

/* NULL: the type is not a scalar of 16 bits or more. */
static const struct scalar *scalar_of(const char *type)
{
    for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++)
        if (strcmp(type, scalars[i].name) == 0)
            return &scalars[i];
    return NULL;
}

/* A load without L1 allocation as inline assembly. */
static bool no_allocate(const char *expression, const char *type, char *text, size_t room)
{
    const struct scalar *s = scalar_of(type);

    if (s != NULL)
        snprintf(text, room,
                 "asm(\"ld.global.L1::no_allocate.%s %%0, [%%1];\" : \"=%c\"(v) : "
                 "\"l\"(&%s));",
                 s->suffix, s->letter, expression);
    return s != NULL;
}

/* PTX's cache operator. */
static const char *operator_of(uint8_t hint, bool last)
{
    switch (hint) {
    case BYW_HINT_BYPASS:
        return "cg";
    case BYW_HINT_STREAM:
    case BYW_ADVICE_NONTEMPORAL:
        return last ? "lu" : "cs";
    case BYW_HINT_VOLATILE:
        return "cv";
    default:
        return "ca";
    }
}

/* Whether CUDA's __ldcg and the like support the type: scalars, vectors of 2 and 4 up to 16
 * bytes. */
static bool is_cuda(const char *type)
{
    const size_t letters = strcspn(type, "0123456789");
    const unsigned long parts = strtoul(type + letters, NULL, 10);
    const bool wide = strncmp(type, "double", 6) == 0 || strstr(type, "long") != NULL;

    return strcmp(type, "bool") != 0 &&
           (type[letters] == '\0' || parts == 2 || (parts == 4 && !wide));
}

/* Whether the type is one that HIP has as well: C++ has no uint or uchar for its scalars. */
static bool is_hip(const char *type)
{
    return byw_advise_is_built_in(type) && (type[0] != 'u' || strncmp(type, "unsigned", 8) == 0) &&
           strcmp(type, "half") != 0;
}

/* Forms for present-day NVIDIA GPUs; *done: such a form exists, and the result is valid. */
static bool written_today(enum byw_advise_language language, uint8_t hint, uint32_t compute,
                          const char *expression, const char *type, char *text, size_t room,
                          bool *done)
{
    *done = true;
    if (hint == BYW_HINT_BYPASS && compute >= HAS_NO_ALLOCATE && language == BYW_ADVISE_PTX) {
        snprintf(text, room, "ld.global.L1::no_allocate");
        return true;
    }
    if (hint == BYW_HINT_BYPASS && compute >= HAS_NO_ALLOCATE && language != BYW_ADVISE_HIP)
        return no_allocate(expression, type, text, room);
    if (hint == BYW_ADVICE_NONTEMPORAL && compute >= HAS_ACCESS_PROPERTY &&
        language == BYW_ADVISE_CUDA) {
        snprintf(text, room,
                 "*cuda::annotated_ptr<const %s, cuda::access_property::streaming>(&%s)", type,
                 expression);
        return true;
    }
    *done = false;
    return false;
}

bool byw_advise_written(enum byw_advise_language language, uint8_t hint, uint32_t compute,
                        bool last, const char *expression, const char *type, char *text,
                        size_t room)
{
    bool streams = hint == BYW_HINT_STREAM || hint == BYW_ADVICE_NONTEMPORAL;
    const char *space = language == BYW_ADVISE_OPENCL ? "__global " : "";
    bool passes = hint == BYW_HINT_BYPASS || hint == BYW_HINT_VOLATILE, today;
    bool good = written_today(language, hint, compute, expression, type, text, room, &today);

    if (today || (language == BYW_ADVISE_HIP && compute != 0))
        return good;
    if (byw_advise_is_built_in(type) &&
        ((language == BYW_ADVISE_CUDA && !is_cuda(type)) ||
         (language == BYW_ADVISE_HIP && strpbrk(type, "0123456789") != NULL)))
        return false;
    if (!streams && !passes && (language == BYW_ADVISE_OPENCL || language == BYW_ADVISE_HIP))
        return false;
    if (language == BYW_ADVISE_PTX)
        snprintf(text, room, "ld.global.%s", operator_of(hint, last));
    else if (language == BYW_ADVISE_CUDA)
        snprintf(text, room, "__ld%s(&%s)", operator_of(hint, last), expression);
    else if (streams)
        snprintf(text, room, "__builtin_nontemporal_load(&%s)", expression);
    else if ((language == BYW_ADVISE_HIP && !is_hip(type)) ||
             (!byw_advise_is_built_in(type) && strchr(expression, '.') != NULL))
        snprintf(text, room, "*(volatile %sconst __typeof__(%s) *)&%s", space, expression,
                 expression);
    else
        snprintf(text, room, "*(volatile %sconst %s *)&%s", space, type, expression);
    return true;
}

bool byw_advise_in_place(enum byw_advise_language language, uint8_t hint, uint32_t compute,
                         const char *expression, const char *type, char *text, size_t room)
{
    const struct scalar *s = scalar_of(type);

    if (language != BYW_ADVISE_CUDA || hint != BYW_HINT_BYPASS || compute < HAS_NO_ALLOCATE)
        return byw_advise_written(language, hint, compute, false, expression, type, text, room);
    if (s != NULL)
        snprintf(text, room,
                 "({ %s byw_v; asm volatile(\"ld.global.L1::no_allocate.%s %%0, [%%1];\" : "
                 "\"=%c\"(byw_v) : \"l\"(&%s) : \"memory\"); byw_v; })",
                 type, s->suffix, s->letter, expression);
    return s != NULL;
}
