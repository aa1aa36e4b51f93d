/* SPDX-License-Identifier: Apache-2.0
 *
 * The waveforms of rtl/doc/waves are true: the input lanes of each WaveDrom file are played on the
 * C model of a cluster of one SM, and its output lanes must be what comes out, cycle by cycle.
 *
 * A lane is a port of the RTL by name, or `events.NAME` for a pulse of events_o by its counter.  A
 * port without a lane is quiet: ready is 1, valid is 0, on both sides.  Payload is drawn in exactly
 * the cycles in which its group is valid, data only where the transfer carries any.  What is
 * offered stays until it is taken.  An edge "a<->b N cycles" must span N cycles.  The member
 * "byway" says what comes before the first cycle: keys that are set, and requests that are done.
 *
 * Lines are letters.  Bytes are named: a name stands for the contents of a whole line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "top/byw_cluster.h"

enum { CYCLES = 48, LANES = 40, NAMES = 16, WHOLE = BYW_LINE_MAX };

/* What a cell of a lane means. */
enum kind { LEVEL, NUMBER, LINE, BYTES, MASK, OP, HINT, SERVED, KIND, PULSE };

/* Groups of ports; payload belongs to a valid. */
enum group { REQ, RSP, MEM_REQ, MEM_RSP, CSR_REQ, CSR_RSP, GROUPS, ALONE = GROUPS };

enum port {
    CLK,
    KERNEL_START,
    IDLE,
    EVENT,
    FIRST_OF_GROUPS,
    REQ_VALID = FIRST_OF_GROUPS,
    REQ_READY,
    REQ_OP,
    REQ_LINE,
    REQ_ID,
    REQ_BYTES,
    REQ_DATA,
    REQ_HINT,
    RSP_VALID,
    RSP_READY,
    RSP_SERVED,
    RSP_ID,
    RSP_DATA,
    RSP_ERROR,
    MEM_REQ_VALID,
    MEM_REQ_READY,
    MEM_REQ_KIND,
    MEM_REQ_LINE,
    MEM_REQ_ID,
    MEM_REQ_BYTES,
    MEM_REQ_DATA,
    MEM_RSP_VALID,
    MEM_RSP_READY,
    MEM_RSP_KIND,
    MEM_RSP_ID,
    MEM_RSP_DATA,
    MEM_RSP_ERROR,
    CSR_REQ_VALID,
    CSR_REQ_READY,
    CSR_REQ_WRITE,
    CSR_REQ_ADDR,
    CSR_REQ_DATA,
    CSR_RSP_VALID,
    CSR_RSP_READY,
    CSR_RSP_DATA,
    CSR_RSP_ERROR,
    PORTS
};

static const struct {
    const char *name;
    enum group group;
    enum kind kind;
} ports[PORTS] = {
    [CLK] = {"clk_i", ALONE, LEVEL},
    [KERNEL_START] = {"kernel_start_i", ALONE, LEVEL},
    [IDLE] = {"idle_o", ALONE, LEVEL},
    [EVENT] = {"events", ALONE, PULSE},
    [REQ_VALID] = {"req_valid_i", REQ, LEVEL},
    [REQ_READY] = {"req_ready_o", REQ, LEVEL},
    [REQ_OP] = {"req_op_i", REQ, OP},
    [REQ_LINE] = {"req_line_i", REQ, LINE},
    [REQ_ID] = {"req_id_i", REQ, NUMBER},
    [REQ_BYTES] = {"req_bytes_i", REQ, MASK},
    [REQ_DATA] = {"req_data_i", REQ, BYTES},
    [REQ_HINT] = {"req_hint_i", REQ, HINT},
    [RSP_VALID] = {"rsp_valid_o", RSP, LEVEL},
    [RSP_READY] = {"rsp_ready_i", RSP, LEVEL},
    [RSP_SERVED] = {"rsp_served_o", RSP, SERVED},
    [RSP_ID] = {"rsp_id_o", RSP, NUMBER},
    [RSP_DATA] = {"rsp_data_o", RSP, BYTES},
    [RSP_ERROR] = {"rsp_error_o", RSP, LEVEL},
    [MEM_REQ_VALID] = {"mem_req_valid_o", MEM_REQ, LEVEL},
    [MEM_REQ_READY] = {"mem_req_ready_i", MEM_REQ, LEVEL},
    [MEM_REQ_KIND] = {"mem_req_kind_o", MEM_REQ, KIND},
    [MEM_REQ_LINE] = {"mem_req_line_o", MEM_REQ, LINE},
    [MEM_REQ_ID] = {"mem_req_id_o", MEM_REQ, NUMBER},
    [MEM_REQ_BYTES] = {"mem_req_bytes_o", MEM_REQ, MASK},
    [MEM_REQ_DATA] = {"mem_req_data_o", MEM_REQ, BYTES},
    [MEM_RSP_VALID] = {"mem_rsp_valid_i", MEM_RSP, LEVEL},
    [MEM_RSP_READY] = {"mem_rsp_ready_o", MEM_RSP, LEVEL},
    [MEM_RSP_KIND] = {"mem_rsp_kind_i", MEM_RSP, KIND},
    [MEM_RSP_ID] = {"mem_rsp_id_i", MEM_RSP, NUMBER},
    [MEM_RSP_DATA] = {"mem_rsp_data_i", MEM_RSP, BYTES},
    [MEM_RSP_ERROR] = {"mem_rsp_error_i", MEM_RSP, LEVEL},
    [CSR_REQ_VALID] = {"csr_req_valid_i", CSR_REQ, LEVEL},
    [CSR_REQ_READY] = {"csr_req_ready_o", CSR_REQ, LEVEL},
    [CSR_REQ_WRITE] = {"csr_req_write_i", CSR_REQ, LEVEL},
    [CSR_REQ_ADDR] = {"csr_req_addr_i", CSR_REQ, NUMBER},
    [CSR_REQ_DATA] = {"csr_req_data_i", CSR_REQ, NUMBER},
    [CSR_RSP_VALID] = {"csr_rsp_valid_o", CSR_RSP, LEVEL},
    [CSR_RSP_READY] = {"csr_rsp_ready_i", CSR_RSP, LEVEL},
    [CSR_RSP_DATA] = {"csr_rsp_data_o", CSR_RSP, NUMBER},
    [CSR_RSP_ERROR] = {"csr_rsp_error_o", CSR_RSP, LEVEL},
};

static const enum port valid_of[GROUPS] = {REQ_VALID,     RSP_VALID,     MEM_REQ_VALID,
                                           MEM_RSP_VALID, CSR_REQ_VALID, CSR_RSP_VALID};

static const char *const op_names[] = {"load",        "store",      "atomic", "local load",
                                       "local store", "invalidate", "flush",  NULL};
static const char *const hint_names[] = {"none", ".cg", ".cs", ".ca", "volatile", NULL};
static const char *const served_names[] = {"hit", "fill", "bypass", "store", "done", NULL};
static const char *const kind_names[] = {"fill", "bypass", "store", "write-back", NULL};
static const char *const event_names[] = {
#define X(code, name, when) name,
#include "record/byw_events.def"
#undef X
    NULL};
struct lane {
    enum port port;
    uint32_t event; /* of EVENT */
    char cell[CYCLES]; /* '0', '1', 'x', '=' */
    uint64_t value[CYCLES]; /* of '=' */
    const char *node; /* or NULL */
    uint64_t got[CYCLES]; /* outputs: what the model gives */
    bool shown[CYCLES]; /* and whether its group is valid */
    bool bad; /* a cell is not what the model gives */
};

struct picture {
    const char *name;
    uint32_t cycles, lanes;
    struct lane lane[LANES];
    char bytes_name[NAMES][16]; /* names of line contents */
    uint8_t bytes[NAMES][WHOLE];
    uint32_t names;
    bool held[GROUPS]; /* offered in the last cycle and not taken */
    struct byw_cluster *cluster;
    struct byw_l1d_in in;
    struct byw_l1d_out out;
    struct byw_cluster_bus_in bus_in;
    struct byw_cluster_bus_out bus_out;
};

#define wrong(p, ...)                                                                              \
    do {                                                                                           \
        print_error("rtl/doc/waves/%s.json: ", (p)->name);                                         \
        fail_msg(__VA_ARGS__);                                                                     \
    } while (0)

/* ---- values ------------------------------------------------------------------------------- */

static uint64_t of_list(const struct picture *p, const char *const *names, const char *word)
{
    uint64_t i;

    for (i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], word) == 0)
            return i;
    wrong(p, "\"%s\" is none of %s, %s, ...", word, names[0], names[1]);
    return 0;
}

static uint64_t of_bytes(struct picture *p, const char *word)
{
    uint32_t i, j;

    for (i = 0; i < p->names; i++)
        if (strcmp(p->bytes_name[i], word) == 0)
            return i;
    assert_true(p->names < NAMES);
    snprintf(p->bytes_name[i], sizeof(p->bytes_name[i]), "%s", word);
    for (j = 0; j < WHOLE; j++)
        p->bytes[i][j] = (uint8_t)(j * (2 * i + 1) + 17 * i);
    p->names++;
    return i;
}

/* A run of bytes as a value: first and one past the last; not a run: no value of any word. */
static uint64_t mask_value(const struct byw_byte_mask *mask)
{
    uint32_t i, first = WHOLE, end = 0, count = 0;

    for (i = 0; i < WHOLE; i++) {
        if ((mask->w[i / 64] >> i % 64 & 1) == 0)
            continue;
        first = i < first ? i : first;
        end = i + 1;
        count++;
    }
    if (count == 0)
        return 0;
    return count == end - first ? (uint64_t)first << 8 | end : UINT64_MAX;
}

static struct byw_byte_mask mask_of(uint64_t value)
{
    struct byw_byte_mask mask = {{0, 0}};
    uint32_t i;

    for (i = (uint32_t)value >> 8; i < (value & 0xFF); i++)
        mask.w[i / 64] |= UINT64_C(1) << i % 64;
    return mask;
}

static uint64_t of_mask(const struct picture *p, const char *word)
{
    unsigned first = 0, last = WHOLE - 1;

    if (strcmp(word, "none") == 0)
        return 0;
    if (strcmp(word, "all") != 0 && sscanf(word, "%u..%u", &first, &last) != 2)
        wrong(p, "bytes \"%s\": expected all, none, or FIRST..LAST", word);
    return (uint64_t)first << 8 | (last + 1);
}

static uint64_t value_of(struct picture *p, enum kind kind, const char *word)
{
    char *end;
    uint64_t n;

    switch (kind) {
    case LINE:
        return (uint64_t)(word[0] - 'A');
    case BYTES:
        return of_bytes(p, word);
    case MASK:
        return of_mask(p, word);
    case OP:
        return of_list(p, op_names, word);
    case HINT:
        return of_list(p, hint_names, word);
    case SERVED:
        return of_list(p, served_names, word);
    case KIND:
        return of_list(p, kind_names, word);
    default:
        n = strtoull(word, &end, 0);
        if (*end != '\0')
            wrong(p, "\"%s\" is no number", word);
        return n;
    }
}

/* ---- reading a file ----------------------------------------------------------------------- */

static void find_port(struct picture *p, struct lane *lane, const char *name)
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

static void read_cells(struct picture *p, struct lane *lane, const char *name, json_t *json)
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

static void read_lanes(struct picture *p, json_t *list)
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

static const struct lane *lane_of(const struct picture *p, enum port port)
{
    uint32_t i;

    for (i = 0; i < p->lanes; i++)
        if (p->lane[i].port == port)
            return &p->lane[i];
    return NULL;
}

static uint32_t node_cycle(const struct picture *p, char node)
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

static void check_edges(const struct picture *p, json_t *edges)
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

/* ---- playing it --------------------------------------------------------------------------- */

static uint64_t get(const struct picture *p, enum port port, uint32_t cycle, uint64_t quiet)
{
    const struct lane *lane = lane_of(p, port);

    return lane != NULL ? lane->value[cycle] : quiet;
}

static void one_cycle(struct picture *p)
{
    struct byw_diag diag;

    if (byw_cluster_bus(p->cluster, &p->bus_in, &p->bus_out, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    byw_cluster_sm(p->cluster, 0, &p->in, &p->out);
    byw_cluster_tick(p->cluster);
}

/* Input payload that is not drawn is 0; all bytes of a line are wanted. */
static void drive(struct picture *p, uint32_t c)
{
    p->in = (struct byw_l1d_in){
        .req_valid = get(p, REQ_VALID, c, 0) != 0,
        .rsp_ready = get(p, RSP_READY, c, 1) != 0,
        .mem_req_ready = get(p, MEM_REQ_READY, c, 1) != 0,
        .mem_rsp_valid = get(p, MEM_RSP_VALID, c, 0) != 0,
        .req = {.line = get(p, REQ_LINE, c, 0),
                .bytes = mask_of(get(p, REQ_BYTES, c, WHOLE)),
                .data = p->bytes[get(p, REQ_DATA, c, 0)],
                .id = (uint32_t)get(p, REQ_ID, c, 0),
                .op = (uint8_t)get(p, REQ_OP, c, 0),
                .hint = (uint8_t)get(p, REQ_HINT, c, 0)},
        .mem_rsp = {.data = p->bytes[get(p, MEM_RSP_DATA, c, 0)],
                    .id = (uint32_t)get(p, MEM_RSP_ID, c, 0),
                    .kind = (uint8_t)get(p, MEM_RSP_KIND, c, 0),
                    .error = get(p, MEM_RSP_ERROR, c, 0) != 0},
        .ctrl = {.kernel_start = get(p, KERNEL_START, c, 0) != 0},
    };
    p->bus_in = (struct byw_cluster_bus_in){
        .req_valid = get(p, CSR_REQ_VALID, c, 0) != 0,
        .req_write = get(p, CSR_REQ_WRITE, c, 0) != 0,
        .rsp_ready = get(p, CSR_RSP_READY, c, 1) != 0,
        .req_addr = (uint32_t)get(p, CSR_REQ_ADDR, c, 0),
        .req_data = (uint32_t)get(p, CSR_REQ_DATA, c, 0),
    };
}

static uint64_t bytes_value(const struct picture *p, const uint8_t *data)
{
    uint32_t i;

    for (i = 0; data != NULL && i < p->names; i++)
        if (memcmp(p->bytes[i], data, WHOLE) == 0)
            return i;
    return UINT64_MAX;
}

static uint64_t output(const struct picture *p, const struct lane *lane)
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

static bool is_output(enum port port)
{
    const char *name = ports[port].name;

    return name[strlen(name) - 1] == 'o' || port == EVENT;
}

static bool group_valid(const struct picture *p, enum group group)
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

/* Whether a port means something in this cycle: its group is valid, and carries bytes. */
static bool means_something(const struct picture *p, enum port port)
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

static bool is_payload(enum port port)
{
    enum group group = ports[port].group;

    return group != ALONE && port != valid_of[group] && port != valid_of[group] + 1;
}

/* One lane in one cycle: whether it is what comes out, and what does. */
static bool lane_holds(const struct picture *p, struct lane *lane, uint32_t c)
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

static void print_word(const struct picture *p, enum kind kind, uint64_t value)
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

/* A lane as the model gives it, in the file's notation. */
static void say_wave(const struct picture *p, const struct lane *lane)
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

/* Ports without a lane are quiet. */
static void check_quiet(const struct picture *p, uint32_t c)
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
static bool waits(const struct picture *p, enum group group)
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

/* What was offered and not taken in the cycle before stays, with its payload. */
static void check_held(struct picture *p, uint32_t c)
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

/* "load A old": a request that is done before the first cycle, by a memory that answers at once;
 * the last word names the bytes that it stores or that the memory has. */
static void before(struct picture *p, const char *text)
{
    char op[32], line, word[16];
    struct byw_mem_req sent = {0};
    bool asked = false, owed = false, ends = false;
    uint32_t c;

    if (sscanf(text, "%31[a-z ]%c %15s", op, &line, word) != 3)
        wrong(p, "before: \"%s\"", text);
    while (op[strlen(op) - 1] == ' ')
        op[strlen(op) - 1] = '\0';
    for (c = 0; c < 100; c++) {
        uint8_t *bytes = p->bytes[of_bytes(p, word)];

        p->in = (struct byw_l1d_in){
            .req_valid = !asked,
            .rsp_ready = true,
            .mem_req_ready = !owed,
            .mem_rsp_valid = owed,
            .req = {.line = (uint64_t)(line - 'A'),
                    .bytes = mask_of(WHOLE),
                    .data = bytes,
                    .op = (uint8_t)of_list(p, op_names, op)},
            .mem_rsp = {.data = bytes, .id = sent.id, .kind = sent.kind},
        };
        one_cycle(p);
        ends = asked && p->out.idle; /* it was taken in a cycle before this one */
        asked = asked || p->out.req_ready;
        owed = owed && !p->out.mem_rsp_ready;
        if (p->out.mem_req_valid && p->in.mem_req_ready) {
            sent = p->out.mem_req;
            owed = sent.kind != BYW_MEM_WRITEBACK;
        }
        if (ends)
            return;
    }
    wrong(p, "before: \"%s\" does not end", text);
}

static void start(struct picture *p, json_t *setup)
{
    struct byw_config config;
    struct byw_diag diag;
    size_t i;
    json_t *item;
    const char *key;

    byw_config_defaults(&config);
    config.sm_count = 1;
    json_object_foreach(json_object_get(setup, "set"), key,
                        item) if (byw_config_set(&config, key, json_string_value(item), p->name,
                                                 &diag) != BYW_OK) fail_msg("%s", diag.text);
    if (byw_cluster_create(&config, true, &p->cluster, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    p->bus_in = (struct byw_cluster_bus_in){.rsp_ready = true};
    json_array_foreach(json_object_get(setup, "before"), i, item)
        before(p, json_string_value(item));
}

static void play(void **state)
{
    struct picture *p = calloc(1, sizeof(*p));
    char path[96];
    json_error_t error;
    json_t *json;
    uint32_t c, i, bad = 0;

    assert_non_null(p);
    p->name = *state;
    snprintf(path, sizeof(path), "rtl/doc/waves/%s.json", p->name);
    json = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (json == NULL)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    start(p, json_object_get(json, "byway"));
    read_lanes(p, json_object_get(json, "signal"));
    check_edges(p, json_object_get(json, "edge"));
    for (c = 0; c < p->cycles; c++) {
        drive(p, c);
        one_cycle(p);
        for (i = 0; i < p->lanes; i++)
            p->lane[i].bad = !lane_holds(p, &p->lane[i], c) || p->lane[i].bad;
        check_quiet(p, c);
        check_held(p, c);
    }
    for (i = 0; i < p->lanes; i++) {
        bad += p->lane[i].bad;
        if (p->lane[i].bad)
            say_wave(p, &p->lane[i]);
    }
    if (bad != 0)
        wrong(p, "%u of %u lanes are wrong", bad, p->lanes);
    byw_cluster_free(p->cluster);
    json_decref(json);
    free(p);
}

int main(void)
{
    static char names[][16] = {"hits",    "miss",      "merge",      "bypass", "refusal",
                               "waiting", "store_hit", "store_miss", "flush",  "csr_read"};
    struct CMUnitTest tests[sizeof(names) / sizeof(names[0])];
    size_t i, n = sizeof(names) / sizeof(names[0]);

    for (i = 0; i < n; i++)
        tests[i] =
            (struct CMUnitTest){.name = names[i], .test_func = play, .initial_state = names[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
