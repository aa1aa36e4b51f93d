/* SPDX-License-Identifier: Apache-2.0
 *
 * alone.c - replaces rig_ports.c and the Verilated cache: the scenarios run on the C model alone,
 * so they test what they state in cycles, orders and bytes, for a fault that both twins would have.
 */
#include <string.h>

#include "scenario/rig_ports.h"

struct dut {
    const uint8_t *rsp_data; /* response bytes of this cycle; NULL if they carry none */
};

static struct dut alone;

struct dut *dut_create(uint64_t seed)
{
    (void)seed;
    return &alone;
}

void dut_free(struct dut *dut)
{
    (void)dut;
}

void dut_put(struct dut *dut, uint32_t port, uint64_t value)
{
    (void)dut;
    (void)port;
    (void)value;
}

void dut_eval(struct dut *dut)
{
    (void)dut;
}

void dut_tick(struct dut *dut)
{
    (void)dut;
}

/* The rig reads only the response bytes. */
void dut_get_bytes(const struct dut *dut, uint32_t port, void *bytes, size_t n)
{
    (void)port;
    if (dut->rsp_data != NULL)
        memcpy(bytes, dut->rsp_data, n);
}

void rig_ports_find(struct rig_ports *p, const struct dut *d)
{
    (void)d;
    *p = (struct rig_ports){0};
}

void rig_ports_put(const struct rig_ports *p, struct dut *d, const struct byw_l1d_in *in,
                   uint32_t line_bytes)
{
    (void)p;
    (void)d;
    (void)in;
    (void)line_bytes;
}

const char *rig_ports_differ(const struct rig_ports *p, const struct dut *d,
                             const struct byw_l1d_out *out, const struct byw_byte_mask *rsp_bytes,
                             uint32_t line_bytes, uint64_t *want, uint64_t *got)
{
    (void)p;
    (void)d;
    (void)rsp_bytes;
    (void)line_bytes;
    (void)want;
    (void)got;
    alone.rsp_data = out->rsp_valid ? out->rsp.data : NULL;
    return NULL;
}
