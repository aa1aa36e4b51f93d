/* SPDX-License-Identifier: Apache-2.0
 *
 * page_data.h - the JSON that a page of runs carries and draws.
 */
#ifndef BYW_PAGE_DATA_H
#define BYW_PAGE_DATA_H

#include <math.h>
#include <string.h>

#include <jansson.h>

/* Extracts the JSON from a page's text; the caller frees it. */
static inline json_t *page_data(const char *text)
{
    static const char mark[] = "<script type=\"application/json\" id=\"data\">";
    const char *from = strstr(text, mark), *to = NULL;

    if (from != NULL)
        to = strstr(from, "</script>");
    if (to == NULL)
        return NULL;
    from += sizeof(mark) - 1;
    return json_loadb(from, (size_t)(to - from), 0, NULL);
}

/* A value ("ipc") of a run on machine 0, selected by policy number and workload name; NAN if
 * there is none. */
static inline double page_value(const json_t *data, size_t policy, const char *workload,
                                const char *value)
{
    size_t i, v, column = 0;
    json_t *run, *name;

    json_array_foreach(json_object_get(data, "values"), v,
                       name) if (strcmp(json_string_value(name), value) == 0) column = v;
    json_array_foreach(json_object_get(data, "runs"), i, run)
    {
        size_t w = (size_t)json_integer_value(json_object_get(run, "w"));
        const json_t *of = json_array_get(json_object_get(data, "workloads"), w);
        const json_t *found = json_array_get(json_object_get(run, "v"), column);

        if (json_integer_value(json_object_get(run, "m")) == 0 &&
            json_integer_value(json_object_get(run, "p")) == (json_int_t)policy &&
            strcmp(json_string_value(json_object_get(of, "n")), workload) == 0)
            return json_is_number(found) ? json_number_value(found) : NAN;
    }
    return NAN;
}

#endif
