/* SPDX-License-Identifier: Apache-2.0 */
#include "top/byway.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "common/byw_mech.h"
#include "l1d/byw_l1d_state.h"
#include "policy/byw_trials.h"
#include "top/byw_csr.h"
#include "top/byw_sm_l1.h"

enum {
#define IN(name, bits) PORT_##name,
#define OUT IN
#include "top/byw_ports.def"
#undef OUT
#undef IN
    PORTS
};

/* Parameters that size ports only, or that leave a unit out. */
struct widths {
    uint32_t line, id, warp, pc; /* LINE_W, ID_W, WARP_W, PC_W */
    uint32_t pc_pred, stats, trial;
    uint32_t bytes, beat, func; /* bytes of a beat; BEAT_PW; FUNC_PW */
};

struct byway_l1 {
    struct byw_config config; /* the parameters, with the settings of the last reset or restart */
    struct widths w;
    struct byw_sm_l1 sm;
    bool alive; /* sm exists */
    struct byw_diag diag;
    struct byw_l1d_out out;
    uint32_t hit_sector; /* sector of the load in the hit stage */
    uint64_t tried[BYW_TRIAL_EVENTS]; /* the trial counters before this cycle */
    uint32_t waited; /* cycles of the counter read in progress */
    uint64_t count; /* value of the counter that was read */
    uint32_t value[PORTS][BYWAY_WORDS];
    uint32_t care[PORTS][BYWAY_WORDS];
};

static const char *const port_names[PORTS] = {
#define IN(name, bits) #name,
#define OUT IN
#include "top/byw_ports.def"
#undef OUT
#undef IN
};

static const bool is_input[PORTS] = {
#define IN(name, bits) true,
#define OUT(name, bits) false,
#include "top/byw_ports.def"
#undef OUT
#undef IN
};

/* ---- parameters */

/* Sets a parameter that has no configuration key. */
static bool set_width(struct widths *w, const char *name, uint32_t value)
{
    const struct {
        const char *name;
        uint32_t *field, lowest, highest;
    } rows[] = {
        {"LINE_W", &w->line, 1, 64},    {"ID_W", &w->id, 1, 32},    {"WARP_W", &w->warp, 1, 8},
        {"PC_W", &w->pc, 32, 32},       {"STATS", &w->stats, 0, 1}, {"TRIAL", &w->trial, 0, 1},
        {"PC_PRED", &w->pc_pred, 0, 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(rows[i].name, name) == 0) {
            *rows[i].field = value;
            return value >= rows[i].lowest && value <= rows[i].highest;
        }
    return false;
}

/* Whether the key accepts `value`, a number or the number of a choice. The Verilog also accepts
 * lines shorter than those of any machine. */
static bool key_accepts(const char *key, uint32_t value)
{
    const struct byw_param *param = byw_param(byw_param_named(key));
    uint32_t choices = 1;

    if (strcmp(key, "l1d.line_bytes") == 0)
        return value >= 8 && value <= BYW_LINE_MAX;
    if (param->kind == BYW_PARAM_U32)
        return value >= param->lowest && value <= param->highest;
    for (const char *c = param->choices; *c != '\0'; c++)
        choices += *c == '|';
    return value < choices;
}

/* Sets a parameter that is a field of the configuration; false: no such parameter, or out of range.
 */
static bool set_field(struct byw_config *config, const char *name, uint32_t value)
{
    static const struct {
        const char *name, *key; /* NULL: lowest and highest give the range */
        size_t field; /* offset of the field in struct byw_config */
        uint32_t lowest, highest;
    } rows[] = {
#define RTL(parameter, when, field, key)                                                           \
    {#parameter, key, offsetof(struct byw_config, field), 0, 0},
#include "configs/byw_rtl_params.def"
#undef RTL
#define PORT(parameter, field, def, lo, hi, meaning)                                               \
    {#parameter, NULL, offsetof(struct byw_config, port.field), lo, hi},
#include "configs/byw_port_params.def"
#undef PORT
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(rows[i].name, name) == 0) {
            memcpy((char *)config + rows[i].field, &value, sizeof(value));
            return rows[i].key != NULL ? key_accepts(rows[i].key, value)
                                       : value >= rows[i].lowest && value <= rows[i].highest;
        }
    return false;
}

/* Sets parameter `name`; false: it does not exist or the value is out of range. */
static bool set_parameter(struct byway_l1 *l1, const char *name, uint32_t value)
{
    static const char *const trials[][2] = {
#define TRIAL(name, key, def, lowest, highest, meaning) {"TRIAL_" #name, key},
#include "configs/byw_trial_params.def"
#undef TRIAL
    };
    char text[16];

    snprintf(text, sizeof(text), "%u", value);
    for (size_t i = 0; i < sizeof(trials) / sizeof(trials[0]); i++)
        if (strcmp(trials[i][0], name) == 0)
            return byw_config_set(&l1->config, trials[i][1], text, name, &l1->diag) == BYW_OK;
    return set_width(&l1->w, name, value) || set_field(&l1->config, name, value);
}

/* Reads "NAME=VALUE ...". */
static bool read_parameters(struct byway_l1 *l1, const char *text)
{
    char name[32];
    uint32_t value;
    int length;

    while (text += strspn(text, " "), *text != '\0') {
        if (sscanf(text, "%31[A-Z0-9_]=%u%n", name, &value, &length) != 2 ||
            (text[length] != '\0' && text[length] != ' ')) {
            byw_diag_set(&l1->diag, BYW_EINVAL, "'%.40s': expected NAME=NUMBER NAME=NUMBER ...",
                         text);
            return false;
        }
        if (!set_parameter(l1, name, value)) {
            byw_diag_set(&l1->diag, BYW_EINVAL,
                         "%s=%u: expected a parameter of byw_sm_l1.v in its range", name, value);
            return false;
        }
        text += length;
    }
    return true;
}

/* Checks parameters against each other and sizes the data ports. */
static bool size_ports(struct byway_l1 *l1)
{
    const struct byw_config *c = &l1->config;
    struct widths *w = &l1->w;
    const char *wrong = NULL;

    w->bytes = c->port.beat_bytes != 0 ? c->port.beat_bytes : c->l1d_line;
    if (!byw_is_pow2(c->l1d_sets) || !byw_is_pow2(c->pc_entries))
        wrong = "SETS and PC_ENTRIES must be powers of two";
    else if (!byw_is_pow2(c->l1d_line) || !byw_is_pow2(w->bytes) || w->bytes < 8 ||
             w->bytes > c->l1d_line)
        wrong = "LINE_BYTES and BEAT_BYTES must be powers of two, a beat 8 bytes to a line";
    else if (!byw_is_pow2(c->l1d_sectors))
        wrong = "SECTORS must be a power of two";
    else if (c->l1d_index == BYW_INDEX_FERMI && c->l1d_sets != 32 && c->l1d_sets != 64)
        wrong = "INDEX=1 needs 32 or 64 SETS";
    else if (c->l1d_alloc == BYW_ALLOC_ON_MISS && c->dec_tag_ways < c->l1d_ways)
        wrong = "TAG_WAYS must be at least DATA_WAYS";
    if (wrong != NULL) {
        byw_diag_set(&l1->diag, BYW_EINVAL, "%s", wrong);
        return false;
    }
    w->beat = w->bytes < c->l1d_line ? byw_clog2(c->l1d_line / w->bytes) : 1;
    w->func = c->port.func_w != 0 ? c->port.func_w : 1;
    return true;
}

struct byway_l1 *byway_l1_create(const char *parameters)
{
    struct byway_l1 *l1 = calloc(1, sizeof(*l1));
    struct byw_sm_l1 trial;

    if (l1 == NULL)
        return NULL;
    byw_config_defaults(&l1->config);
    l1->config.sm_count = 1;
    l1->config.l1d_index = BYW_INDEX_FERMI; /* the default of the Verilog */
    l1->w = (struct widths){
        .line = 33, .id = 16, .warp = 6, .pc = 32, .pc_pred = 1, .stats = 1, .trial = 0};
#define PORT(parameter, field, def, lo, hi, meaning) l1->config.port.field = (def);
#include "configs/byw_port_params.def"
#undef PORT
    if (!read_parameters(l1, parameters) || !size_ports(l1))
        return l1;
    if (byw_sm_l1_init(&trial, &l1->config, &byw_l1d_model, true, &l1->diag) == BYW_OK)
        l1->diag.text[0] = '\0';
    byw_sm_l1_release(&trial);
    return l1;
}

void byway_l1_free(struct byway_l1 *l1)
{
    if (l1 == NULL)
        return;
    if (l1->alive)
        byw_sm_l1_release(&l1->sm);
    free(l1);
}

const char *byway_l1_error(const struct byway_l1 *l1)
{
    return l1 == NULL ? "out of memory" : l1->diag.text;
}

/* ---- ports */

int byway_l1_port(const char *name)
{
    for (int i = 0; i < PORTS; i++)
        if (strcmp(port_names[i], name) == 0)
            return i;
    return -1;
}

int byway_l1_width(const struct byway_l1 *l1, int port)
{
    const struct widths *w = &l1->w;
    const uint32_t bits_of[PORTS] = {
#define IN(name, bits) (bits),
#define OUT IN
#include "top/byw_ports.def"
#undef OUT
#undef IN
    };

    return port >= 0 && port < PORTS ? (int)bits_of[port] : 0;
}

void byway_l1_put(struct byway_l1 *l1, int port, const uint32_t *value)
{
    if (port >= 0 && port < PORTS && is_input[port])
        memcpy(l1->value[port], value, sizeof(l1->value[port]));
}

void byway_l1_get(const struct byway_l1 *l1, int port, uint32_t *value, uint32_t *defined)
{
    if (port < 0 || port >= PORTS || is_input[port]) {
        memset(value, 0, sizeof(l1->value[0]));
        memset(defined, 0, sizeof(l1->care[0]));
        return;
    }
    memcpy(value, l1->value[port], sizeof(l1->value[port]));
    memcpy(defined, l1->care[port], sizeof(l1->care[port]));
}

static uint64_t input(const struct byway_l1 *l1, int port)
{
    return l1->value[port][0] | (uint64_t)l1->value[port][1] << 32;
}

/* Sets an output and marks all its bits as defined. */
static void output(struct byway_l1 *l1, int port, uint64_t value)
{
    uint64_t care = byw_mask64((uint32_t)byway_l1_width(l1, port));

    l1->value[port][0] = (uint32_t)value;
    l1->value[port][1] = (uint32_t)(value >> 32);
    l1->care[port][0] = (uint32_t)care;
    l1->care[port][1] = (uint32_t)(care >> 32);
}

/* Sets bytes [first, first + n) of an output and marks them as defined. */
static void output_bytes(struct byway_l1 *l1, int port, const void *bytes, uint32_t first,
                         uint32_t n)
{
    if (bytes == NULL)
        return;
    memcpy((uint8_t *)l1->value[port] + first, (const uint8_t *)bytes + first, n);
    memset((uint8_t *)l1->care[port] + first, 0xFF, n);
}

/* ---- a cycle */

static struct byw_l1d_in inputs(const struct byway_l1 *l1)
{
    struct byw_l1d_in in = {
        .req_valid = input(l1, PORT_req_valid_i) != 0,
        .rsp_ready = input(l1, PORT_rsp_ready_i) != 0,
        .mem_req_ready = input(l1, PORT_mem_req_ready_i) != 0,
        .mem_rsp_valid = input(l1, PORT_mem_rsp_valid_i) != 0,
        .req =
            {
                .line = input(l1, PORT_req_line_i),
                .data = (const uint8_t *)l1->value[PORT_req_data_i],
                .pc = (uint32_t)input(l1, PORT_req_pc_i),
                .id = (uint32_t)input(l1, PORT_req_id_i),
                .beat = (uint8_t)input(l1, PORT_req_beat_i),
                .more = input(l1, PORT_req_more_i) != 0,
                .op = (uint8_t)input(l1, PORT_req_op_i),
                .warp = (uint8_t)input(l1, PORT_req_warp_i),
                .hint = (uint8_t)input(l1, PORT_req_hint_i),
                .func = (uint32_t)input(l1, PORT_req_func_i),
            },
        .mem_rsp =
            {
                .data = (const uint8_t *)l1->value[PORT_mem_rsp_data_i],
                .id = (uint32_t)input(l1, PORT_mem_rsp_id_i),
                .kind = (uint8_t)input(l1, PORT_mem_rsp_kind_i),
                .error = input(l1, PORT_mem_rsp_error_i) != 0,
                .mispredict = input(l1, PORT_mem_rsp_mispredict_i) != 0,
            },
        .ctrl =
            {
                .kernel_start = input(l1, PORT_kernel_start_i) != 0,
                .kernel_pc = (uint32_t)input(l1, PORT_kernel_pc_i),
                .filter_on = input(l1, PORT_filter_on_i) != 0,
                .cta_placed = input(l1, PORT_cta_placed_i) != 0,
                .active_warps = (uint8_t)input(l1, PORT_active_warps_i),
            },
    };

    memcpy(in.req.bytes.w, l1->value[PORT_req_bytes_i], sizeof(in.req.bytes.w));
    if (l1->w.bytes == l1->config.l1d_line) {
        in.req.beat = 0;
        in.req.more = false;
    }
    if (l1->config.port.func_w == 0)
        in.req.func = 0;
    return in;
}

/* Copies the settings at the ports into the configuration. */
static void take_settings(struct byway_l1 *l1)
{
    struct byw_csr csr;
    struct byw_diag diag;

    byw_csr_init(&csr, 1);
    byw_csr_from_config(&csr, &l1->config);
    csr.policy = (uint32_t)input(l1, PORT_cfg_i);
    csr.pc_pred = (uint32_t)input(l1, PORT_pc_cfg_i);
    csr.two_level = (uint32_t)input(l1, PORT_tl_cfg_i);
    csr.two_level_window = (uint32_t)input(l1, PORT_tl_window_i);
    csr.two_level_period = (uint32_t)input(l1, PORT_tl_period_i);
    byw_csr_to_config(&csr, &l1->config);
    if (!l1->w.pc_pred)
        l1->config.pc_on = 0;
    if (!l1->w.trial)
        byw_config_set(&l1->config, "trial.enable", "off", "TRIAL=0", &diag);
}

/* A cycle with rst_i: creates an empty cache with the settings at the ports. */
static void reset(struct byway_l1 *l1)
{
    if (l1->alive)
        byw_sm_l1_release(&l1->sm);
    take_settings(l1);
    l1->diag.text[0] = '\0';
    l1->alive = byw_sm_l1_init(&l1->sm, &l1->config, &byw_l1d_model, true, &l1->diag) == BYW_OK;
    l1->sm.two_level.bound = (uint32_t)input(l1, PORT_tl_bound_i);
    l1->waited = 0;
    l1->hit_sector = 0;
    memset(l1->tried, 0, sizeof(l1->tried));
    if (!l1->alive)
        byw_sm_l1_release(&l1->sm);
}

/* A cycle with restart_i: the cache keeps its counters. */
static void restart(struct byway_l1 *l1)
{
    take_settings(l1);
    if (l1->sm.ops->configure(l1->sm.l1d, &l1->config, &l1->diag) == BYW_OK)
        l1->diag.text[0] = '\0';
    byw_two_level_configure(&l1->sm.two_level, &l1->config);
    l1->sm.two_level.bound = (uint32_t)input(l1, PORT_tl_bound_i);
}

/* Answers a counter read, whose request is held until the answer. */
static void read_counter(struct byway_l1 *l1)
{
    bool reads = input(l1, PORT_count_req_i) != 0;
    bool due = reads && l1->waited == (l1->w.stats ? BYW_STATS_ANSWER : 0);

    if (reads && l1->waited == BYW_STATS_SAMPLE)
        l1->count = byw_stats_counter(&l1->sm.stats, (uint32_t)input(l1, PORT_count_sel_i));
    output(l1, PORT_count_valid_o, due);
    if (due)
        output(l1, PORT_count_data_o, l1->w.stats ? l1->count : 0);
    l1->waited = reads && !due ? l1->waited + 1 : 0;
}

static void show_rsp(struct byway_l1 *l1, const struct byw_rsp *rsp)
{
    uint32_t n = l1->w.bytes / l1->config.l1d_sectors;

    output(l1, PORT_rsp_id_o, rsp->id);
    output(l1, PORT_rsp_served_o, rsp->served);
    output(l1, PORT_rsp_error_o, rsp->error);
    if (rsp->served == BYW_SERVED_HIT)
        output_bytes(l1, PORT_rsp_data_o, rsp->data, l1->hit_sector * n, n);
    else
        output_bytes(l1, PORT_rsp_data_o, rsp->data, 0, l1->w.bytes);
}

static void show_mem_req(struct byway_l1 *l1, const struct byw_mem_req *req)
{
    output(l1, PORT_mem_req_kind_o, req->kind);
    output(l1, PORT_mem_req_write_o, req->write);
    output(l1, PORT_mem_req_bypass_o, req->bypass);
    output(l1, PORT_mem_req_atomic_o, req->atomic);
    output(l1, PORT_mem_req_line_o, req->line);
    output(l1, PORT_mem_req_beat_o, req->beat);
    output(l1, PORT_mem_req_more_o, req->more);
    output(l1, PORT_mem_req_pc_o, req->pc);
    output(l1, PORT_mem_req_id_o, req->id);
    output(l1, PORT_mem_req_predicted_o, req->predicted);
    output(l1, PORT_mem_req_func_o, req->func);
    output_bytes(l1, PORT_mem_req_bytes_o, req->bytes.w, 0, l1->w.bytes / 8);
    output_bytes(l1, PORT_mem_req_data_o, req->data, 0, l1->w.bytes);
}

static void show_trials(struct byway_l1 *l1)
{
    const uint64_t *count;
    uint32_t i, pulses = 0;

    byw_sm_l1_count_mechs(&l1->sm);
    count = l1->sm.stats.mech + byw_mech_counter_base(byw_mech_named("trial"));
    for (i = 0; i < BYW_TRIAL_EVENTS; i++) {
        pulses |= (uint32_t)(count[i] > l1->tried[i]) << i;
        l1->tried[i] = count[i];
    }
    output(l1, PORT_trial_events_o, pulses);
}

static void show(struct byway_l1 *l1, enum byw_two_level_state state)
{
    const struct byw_l1d_out *out = &l1->out;

    output(l1, PORT_req_ready_o, out->req_ready);
    output(l1, PORT_rsp_valid_o, out->rsp_valid);
    output(l1, PORT_mem_req_valid_o, out->mem_req_valid);
    output(l1, PORT_mem_rsp_ready_o, out->mem_rsp_ready);
    output(l1, PORT_idle_o, out->idle);
    output(l1, PORT_events_o, out->events);
    output(l1, PORT_policy_events_o, out->policy_events);
    output(l1, PORT_two_level_o, state < BYW_TL_STATES ? 1U << state : 0);
    if (out->rsp_valid)
        show_rsp(l1, &out->rsp);
    if (out->mem_req_valid)
        show_mem_req(l1, &out->mem_req);
    if ((out->policy_events & byw_pev(BYW_PEV_PC_ASK)) != 0)
        output(l1, PORT_pc_counter_o, out->pc_counter);
    show_trials(l1);
}

void byway_l1_step(struct byway_l1 *l1)
{
    const uint32_t hit_load = UINT32_C(1) << BYW_EV_LOAD | UINT32_C(1) << BYW_EV_HIT;
    struct byw_l1d_in in = inputs(l1);
    bool restarts = input(l1, PORT_restart_i) != 0;
    enum byw_two_level_state state;
    uint32_t sector;

    memset(l1->care, 0, sizeof(l1->care));
    if (input(l1, PORT_rst_i) != 0) {
        reset(l1);
        return;
    }
    if (!l1->alive)
        return;
    if (restarts)
        restart(l1);
    state =
        l1->sm.two_level.on && !restarts ? byw_two_level_state(&l1->sm.two_level) : BYW_TL_STATES;
    sector = l1->config.l1d_sectors > 1 ? byw_l1d_s2(l1->sm.l1d)->sector : 0;
    read_counter(l1);
    in.ctrl.kernel_start |= restarts;
    byw_sm_l1_step(&l1->sm, &in, in.ctrl.filter_on, restarts, &l1->out);
    l1->sm.stats.filter_on_cycles += in.ctrl.filter_on;
    show(l1, state);
    if ((l1->out.events & hit_load) == hit_load)
        l1->hit_sector = sector;
}
