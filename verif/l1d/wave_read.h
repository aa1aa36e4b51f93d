/* SPDX-License-Identifier: Apache-2.0
 *
 * wave_read.h - reads the lanes of a WaveDrom file and checks how many cycles its edges span.
 */
#ifndef WAVE_READ_H
#define WAVE_READ_H

#include <jansson.h>

#include "l1d/wave_picture.h"

static inline void find_port(struct picture *p, struct lane *lane, const char *name)
{
    const char *dot = strchr(name, '.');
    size_t length = dot != NULL ? (size_t)(dot - name) : strlen(name);
    int i;

    for (i = 0; i < PORTS; i++)
        if (strlen(ports[i].name) == length && strncmp(ports[i].name, name, length) == 0)
            break;
    if (i == PORTS || (i == EVENT) != (dot != NULL))
        wrong(p, "%s is no port", name);
    lane->port = (enum port)i;
    if (i == EVENT)
        lane->event = (uint32_t)of_list(p, event_names, dot + 1);
}

static inline void read_cells(struct picture *p, struct lane *lane, const char *name, json_t *json)
{
    const char *wave = json_string_value(json_object_get(json, "wave"));
    json_t *data = json_object_get(json, "data");
    size_t c, n = 0, length;

    if (wave == NULL)
        wrong(p, "%s has no wave", name);
    length = strlen(wave);
    if (length > CYCLES || (p->cycles != 0 && length != p->cycles))
        wrong(p, "%s has %zu cycles", name, length);
    p->cycles = (uint32_t)length;
    for (c = 0; c < length && lane->port != CLK; c++) {
        if (wave[c] == '.' && c != 0) {
            lane->cell[c] = lane->cell[c - 1];
            lane->value[c] = lane->value[c - 1];
        } else if (strchr("01x", wave[c]) != NULL) {
            lane->cell[c] = wave[c];
            lane->value[c] = wave[c] == '1';
        } else if (strchr("=23456789", wave[c]) != NULL) {
            const char *word = json_string_value(json_array_get(data, n++));

            if (word == NULL)
                wrong(p, "%s has fewer data than changes", name);
            lane->cell[c] = '=';
            lane->value[c] = value_of(p, ports[lane->port].kind, word);
        } else {
            wrong(p, "%s: '%c' in the wave", name, wave[c]);
        }
    }
    if (n != json_array_size(data))
        wrong(p, "%s has more data than changes", name);
}

static inline void read_lanes(struct picture *p, json_t *list)
{
    size_t i;
    json_t *item;

    json_array_foreach(list, i, item)
    {
        const char *name = json_string_value(json_object_get(item, "name"));
        struct lane *lane = &p->lane[p->lanes];

        if (json_is_array(item))
            read_lanes(p, item);
        if (name == NULL)
            continue;
        assert_true(p->lanes < LANES);
        find_port(p, lane, name);
        read_cells(p, lane, name, item);
        lane->node = json_string_value(json_object_get(item, "node"));
        p->lanes++;
    }
}

static inline uint32_t node_cycle(const struct picture *p, char node)
{
    uint32_t i;

    for (i = 0; i < p->lanes; i++) {
        const char *at = p->lane[i].node != NULL ? strchr(p->lane[i].node, node) : NULL;
        uint32_t cycle = (uint32_t)(at != NULL ? at - p->lane[i].node : 0);

        if (at != NULL && p->lane[i].cell[cycle] == '1')
            return cycle;
    }
    wrong(p, "no node %c in a cycle in which its lane is 1", node);
    return 0;
}

static inline void check_edges(const struct picture *p, json_t *edges)
{
    size_t i;
    json_t *edge;

    json_array_foreach(edges, i, edge)
    {
        const char *text = json_string_value(edge);
        const char *said = strchr(text, ' ');
        const char *unit = strstr(text, " cycle");
        uint32_t spans = node_cycle(p, said[-1]) - node_cycle(p, text[0]);

        while (unit != NULL && unit > said && unit[-1] >= '0' && unit[-1] <= '9')
            unit--;
        if (unit == NULL || spans != strtoul(unit, NULL, 10))
            wrong(p, "edge \"%s\" spans %u cycles", text, spans);
    }
}

#endif
