/* SPDX-License-Identifier: Apache-2.0
 *
 * wave_picture.h - a WaveDrom file of rtl/doc/waves as t_waveforms.c plays it: its lanes, the ports
 * that they are named after, and the meaning of the words in their cells.
 */
#ifndef WAVE_PICTURE_H
#define WAVE_PICTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/test.h"
#include "top/byw_cluster.h"

enum { CYCLES = 48, LANES = 40, NAMES = 16, WHOLE = BYW_LINE_MAX };

/* What a cell of a WaveDrom lane (the row of one signal) shows. */
enum kind { LEVEL, NUMBER, LINE, BYTES, MASK, OP, HINT, SERVED, KIND, PULSE };

/* Groups of ports; payload belongs to a valid signal. */
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
    uint32_t event; /* the event, if port is EVENT */
    char cell[CYCLES]; /* '0', '1', 'x', '=' */
    uint64_t value[CYCLES]; /* values of the '=' cells */
    const char *node; /* or NULL */
    uint64_t got[CYCLES]; /* outputs: the model's value */
    bool shown[CYCLES]; /* the port's group is valid */
    bool bad; /* a cell differs from the model */
};

struct picture {
    const char *name;
    uint32_t cycles, lanes;
    struct lane lane[LANES];
    char bytes_name[NAMES][16]; /* names of line contents */
    uint8_t bytes[NAMES][WHOLE];
    uint32_t names;
    bool held[GROUPS]; /* offered in the previous cycle and not taken */
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

static inline uint64_t of_list(const struct picture *p, const char *const *names, const char *word)
{
    uint64_t i;

    for (i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], word) == 0)
            return i;
    wrong(p, "\"%s\" is none of %s, %s, ...", word, names[0], names[1]);
    return 0;
}

static inline uint64_t of_bytes(struct picture *p, const char *word)
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

/* A byte mask as a value: its first byte, and one past its last. A mask that is not a range gives a
 * value that no word has. */
static inline uint64_t mask_value(const struct byw_byte_mask *mask)
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

static inline struct byw_byte_mask mask_of(uint64_t value)
{
    struct byw_byte_mask mask = {{0, 0}};
    uint32_t i;

    for (i = (uint32_t)value >> 8; i < (value & 0xFF); i++)
        mask.w[i / 64] |= UINT64_C(1) << i % 64;
    return mask;
}

static inline uint64_t of_mask(const struct picture *p, const char *word)
{
    unsigned first = 0, last = WHOLE - 1;

    if (strcmp(word, "none") == 0)
        return 0;
    if (strcmp(word, "all") != 0 && sscanf(word, "%u..%u", &first, &last) != 2)
        wrong(p, "bytes \"%s\": expected all, none, or FIRST..LAST", word);
    return (uint64_t)first << 8 | (last + 1);
}

static inline uint64_t value_of(struct picture *p, enum kind kind, const char *word)
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

static inline const struct lane *lane_of(const struct picture *p, enum port port)
{
    uint32_t i;

    for (i = 0; i < p->lanes; i++)
        if (p->lane[i].port == port)
            return &p->lane[i];
    return NULL;
}

#endif
