/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reproduce_costs.c - costs that need no run: the recorded synthesis (synth/baseline), the
 * constants of byw_energy.def, and the tag array of byw_tag_costs.def.
 */
#include <string.h>

#include "study/job/byw_energy.h"
#include "study/papers/byw_reproduce_more.h"

/* BL, the decoupled cache, and the difference. */
static json_t *pair(double bl, double decoupled)
{
    return json_pack("{s:f, s:f, s:f}", "bl", bl, "decoupled", decoupled, "more", decoupled - bl);
}

static double of(const json_t *all, const char *path)
{
    return byw_result_number(all, path);
}

/* The pair of a constant of BL and that constant plus what 128 more tags add. */
static json_t *with_more(const json_t *all, const char *bl, const char *more)
{
    return pair(of(all, bl), of(all, bl) + of(all, more));
}

/* The costs of one L1. */
static json_t *l1_json(const json_t *all)
{
    json_t *l1 = json_object();

#define X(name, bl, decoupled, unit) json_object_set_new(l1, name, pair(bl, decoupled));
#include "study/job/byw_tag_costs.def"
#undef X
    json_object_set_new(l1, "tag_nj", with_more(all, "E_TAG_READ", "E_TAG_EXTRA"));
    json_object_set_new(l1, "tag_mw", with_more(all, "P_TAG", "P_TAG_EXTRA"));
    json_object_set_new(l1, "lut",
                        pair(of(all, "ecp5.l1_baseline.lut"), of(all, "ecp5.l1_decoupled.lut")));
    json_object_set_new(l1, "ff",
                        pair(of(all, "ecp5.l1_baseline.ff"), of(all, "ecp5.l1_decoupled.ff")));
    json_object_set_new(l1, "bits",
                        pair(of(all, "bits.tags_base"), of(all, "bits.tags_decoupled")));
    return l1;
}

static void put(json_t *all, const char *group, const char *name, json_t *value)
{
    json_t *in = json_object_get(all, group);

    if (in == NULL) {
        json_object_set_new(all, group, json_object());
        in = json_object_get(all, group);
    }
    json_object_set_new(in, name, value);
}

/* A line of the recorded synthesis; the flow `bits` counts bits in registers and in memories. */
static void put_synthesis(json_t *all, const char *name, const char *flow, const int figure[2])
{
    const char *prefix = "bits_";

    if (strcmp(flow, "bits") == 0)
        put(all, "bits", name + (strncmp(name, prefix, 5) == 0 ? 5 : 0),
            json_integer(figure[0] + figure[1]));
    else
        put(all, flow, name, json_pack("{s:i, s:i}", "lut", figure[0], "ff", figure[1]));
}

json_t *byw_more_costs(void)
{
    json_t *all = json_object();

    for (size_t i = 0; i < byw_energy_constant_count(); i++)
        json_object_set_new(all, byw_energy_constant(i)->name,
                            json_real(byw_energy_constant(i)->value));
#define BYW_SYNTH(name, flow, first, second) put_synthesis(all, name, flow, (int[]){first, second});
#include "byw_synth_baseline.h"
#undef BYW_SYNTH
    json_object_set_new(all, "l1", l1_json(all));
    return all;
}
