/* SPDX-License-Identifier: Apache-2.0
 *
 * wave_check.h - compares a cycle of the C model with a picture: its lanes, the ports without a
 * lane, and offers that are not taken; and prints a lane as the model produces it.
 */
#ifndef WAVE_CHECK_H
#define WAVE_CHECK_H

#include "l1d/wave_picture.h"

static inline uint64_t bytes_value(const struct picture *p, const uint8_t *data)
{
    uint32_t i;

    for (i = 0; data != NULL && i < p->names; i++)
        if (memcmp(p->bytes[i], data, WHOLE) == 0)
            return i;
    return UINT64_MAX;
}

static inline uint64_t output(const struct picture *p, const struct lane *lane)
{
    const struct byw_l1d_out *out = &p->out;

    switch (lane->port) {
    case IDLE:
        return out->idle;
    case EVENT:
        return out->events >> lane->event & 1;
    case REQ_READY:
        return out->req_ready;
    case RSP_VALID:
        return out->rsp_valid;
    case RSP_SERVED:
        return out->rsp.served;
    case RSP_ID:
        return out->rsp.id;
    case RSP_DATA:
        return bytes_value(p, out->rsp.data);
    case RSP_ERROR:
        return out->rsp.error;
    case MEM_REQ_VALID:
        return out->mem_req_valid;
    case MEM_REQ_KIND:
        return out->mem_req.kind;
    case MEM_REQ_LINE:
        return out->mem_req.line;
    case MEM_REQ_ID:
        return out->mem_req.id;
    case MEM_REQ_BYTES:
        return mask_value(&out->mem_req.bytes);
    case MEM_REQ_DATA:
        return bytes_value(p, out->mem_req.data);
    case MEM_RSP_READY:
        return out->mem_rsp_ready;
    case CSR_REQ_READY:
        return p->bus_out.req_ready;
    case CSR_RSP_VALID:
        return p->bus_out.rsp_valid;
    case CSR_RSP_DATA:
        return p->bus_out.rsp_data;
    case CSR_RSP_ERROR:
        return p->bus_out.rsp_error;
    default:
        return lane->value[0];
    }
}

static inline bool is_output(enum port port)
{
    const char *name = ports[port].name;

    return name[strlen(name) - 1] == 'o' || port == EVENT;
}

static inline bool group_valid(const struct picture *p, enum group group)
{
    switch (group) {
    case REQ:
        return p->in.req_valid;
    case RSP:
        return p->out.rsp_valid;
    case MEM_REQ:
        return p->out.mem_req_valid;
    case MEM_RSP:
        return p->in.mem_rsp_valid;
    case CSR_REQ:
        return p->bus_in.req_valid;
    case CSR_RSP:
        return p->bus_out.rsp_valid;
    default:
        return true;
    }
}

/* Whether a port's value is meaningful in this cycle: its group is valid and carries bytes. */
static inline bool means_something(const struct picture *p, enum port port)
{
    uint8_t op = p->in.req.op, served = p->out.rsp.served;

    if (!group_valid(p, ports[port].group))
        return false;
    switch (port) {
    case REQ_DATA:
        return op == BYW_OP_STORE || op == BYW_OP_LOCAL_STORE || op == BYW_OP_ATOMIC;
    case RSP_DATA:
        return served != BYW_SERVED_STORE && served != BYW_SERVED_DONE;
    case MEM_REQ_DATA:
        return p->out.mem_req.write || p->out.mem_req.atomic;
    case MEM_RSP_DATA:
        return p->in.mem_rsp.kind != BYW_MEM_STORE;
    case CSR_REQ_DATA:
        return p->bus_in.req_write;
    default:
        return true;
    }
}

static inline bool is_payload(enum port port)
{
    enum group group = ports[port].group;

    return group != ALONE && port != valid_of[group] && port != valid_of[group] + 1;
}

/* Checks one lane in one cycle; returns whether it equals the model's value, which it stores in
 * lane->got[c]. */
static inline bool lane_holds(const struct picture *p, struct lane *lane, uint32_t c)
{
    bool drawn = lane->cell[c] != 'x';

    if (lane->port == CLK)
        return true;
    lane->shown[c] = !is_payload(lane->port) || means_something(p, lane->port);
    lane->got[c] = is_output(lane->port) ? output(p, lane) : lane->value[c];
    if (is_payload(lane->port) && drawn != lane->shown[c])
        return false;
    return !drawn || lane->got[c] == lane->value[c];
}

static inline void print_word(const struct picture *p, enum kind kind, uint64_t value)
{
    static const char *const *const lists[] = {
        [OP] = op_names, [HINT] = hint_names, [SERVED] = served_names, [KIND] = kind_names};

    if (kind == OP || kind == HINT || kind == SERVED || kind == KIND)
        print_error(" %s", lists[kind][value]);
    else if (kind == LINE)
        print_error(" %c", (char)('A' + value));
    else if (kind == BYTES)
        print_error(" %s", value < p->names ? p->bytes_name[value] : "(nameless)");
    else
        print_error(" %llu", (unsigned long long)value);
}

/* A lane as the model produces it, in the file's notation. */
static inline void say_wave(const struct picture *p, const struct lane *lane)
{
    bool level = ports[lane->port].kind == LEVEL || lane->port == EVENT;
    uint32_t c;

    print_error("rtl/doc/waves/%s.json: %s%s%s is not what the model gives:\n  ", p->name,
                ports[lane->port].name, lane->port == EVENT ? "." : "",
                lane->port == EVENT ? event_names[lane->event] : "");
    for (c = 0; c < p->cycles; c++) {
        bool same = c != 0 && lane->shown[c] == lane->shown[c - 1] &&
                    (!lane->shown[c] || lane->got[c] == lane->got[c - 1]);

        print_error("%c", same              ? '.'
                          : !lane->shown[c] ? 'x'
                          : !level          ? '='
                          : lane->got[c]    ? '1'
                                            : '0');
    }
    for (c = 0; c < p->cycles && !level; c++)
        if (lane->shown[c] && (c == 0 || !lane->shown[c - 1] || lane->got[c] != lane->got[c - 1]))
            print_word(p, ports[lane->port].kind, lane->got[c]);
    print_error("\n");
}

/* Checks that ports that the picture does not show are idle. */
static inline void check_quiet(const struct picture *p, uint32_t c)
{
    static const struct lane quiet[] = {{.port = REQ_READY, .value = {1}},
                                        {.port = MEM_RSP_READY, .value = {1}},
                                        {.port = RSP_VALID},
                                        {.port = MEM_REQ_VALID},
                                        {.port = CSR_RSP_VALID}};
    size_t i;

    for (i = 0; i < sizeof(quiet) / sizeof(quiet[0]); i++)
        if (lane_of(p, quiet[i].port) == NULL && output(p, &quiet[i]) != quiet[i].value[0])
            wrong(p, "%s is not drawn and is %u in cycle %u", ports[quiet[i].port].name,
                  !quiet[i].value[0], c);
}

/* Whether a transfer was offered in this cycle and not taken. */
static inline bool waits(const struct picture *p, enum group group)
{
    switch (group) {
    case REQ:
        return p->in.req_valid && !p->out.req_ready;
    case RSP:
        return p->out.rsp_valid && !p->in.rsp_ready;
    case MEM_REQ:
        return p->out.mem_req_valid && !p->in.mem_req_ready;
    case MEM_RSP:
        return p->in.mem_rsp_valid && !p->out.mem_rsp_ready;
    case CSR_REQ:
        return p->bus_in.req_valid && !p->bus_out.req_ready;
    default:
        return p->bus_out.rsp_valid && !p->bus_in.rsp_ready;
    }
}

/* An offer that was not taken in the previous cycle stays, with its payload. */
static inline void check_held(struct picture *p, uint32_t c)
{
    uint32_t group, i;

    for (group = 0; group < GROUPS; group++) {
        for (i = 0; i < p->lanes && p->held[group]; i++) {
            const struct lane *lane = &p->lane[i];

            if (ports[lane->port].group == group && lane->port != valid_of[group] + 1 &&
                (lane->cell[c] != lane->cell[c - 1] || lane->value[c] != lane->value[c - 1]))
                wrong(p, "%s changes in cycle %u, before it was taken", ports[lane->port].name, c);
        }
        p->held[group] = waits(p, (enum group)group);
    }
}

#endif
