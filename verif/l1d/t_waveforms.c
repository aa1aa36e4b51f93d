/* SPDX-License-Identifier: Apache-2.0
 *
 * The waveforms of rtl/doc/waves are true: the input lanes of each WaveDrom file are played on the
 * C model of a cluster of one SM, and its outputs must equal the output lanes, cycle by cycle.
 *
 * A lane is a port of the RTL by name, or `events.NAME` for a pulse of events_o by its counter. A
 * port without a lane is idle: ready is 1 and valid is 0, on both sides. Payload is drawn only in
 * cycles in which its group is valid, data only where the transfer carries data. An offer stays
 * until it is taken. An edge "a<->b N cycles" must span N cycles. The member "byway" describes the
 * state before the first cycle: keys that are set, and requests that have completed.
 *
 * Letters name lines. Words name data: each stands for the contents of a whole line.
 */
#include "l1d/wave_check.h"
#include "l1d/wave_read.h"

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

/* Inputs whose payload is not drawn are 0; a request is for all bytes of its line. */
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

/* "load A old": a request completed before the first cycle, by a memory that answers at once; the
 * last word names the bytes that it stores or that memory holds. */
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
        ends = asked && p->out.idle; /* accepted in an earlier cycle */
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
