/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "common/byw_mech.h"
#include "study/job/byw_oracle.h"

bool byw_oracle_is_plain(const struct byw_config *config)
{
    char use[BYW_CONFIG_TEXT];

    byw_mech_use_text(config, use, sizeof(use));
    return strcmp(use, "none") == 0 && config->l1d_repl == BYW_REPL_LRU && config->hint_loads == 0;
}

static json_t *counts_json(const struct byw_oracle *o)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "loads", (json_int_t)o->loads,
                     "hits", (json_int_t)o->hits, "hit_pending", (json_int_t)o->pending, "lru_hits",
                     (json_int_t)o->lru_hits, "lru_hit_pending", (json_int_t)o->lru_pending, "best",
                     (json_int_t)o->best, "best_lines", (json_int_t)o->best_lines, "infinite",
                     (json_int_t)o->infinite);
}

/* The violated law; NULL: all hold. */
static const char *broken(const struct byw_oracle *o, bool plain, bool bounded)
{
    if (plain && (o->hits != o->lru_hits || o->pending != o->lru_pending))
        return "a plain cache finds what LRU finds";
    if (bounded && o->hits + o->pending > o->best)
        return "no cache finds more than the best one";
    if (bounded && o->lru_hits + o->lru_pending > o->best)
        return "LRU finds no more than the best cache";
    if (o->best > o->infinite)
        return "the best cache finds no more than an infinite one";
    return NULL;
}

static enum byw_status count_sm(const struct byw_config *config, uint32_t sm,
                                const struct byw_recorder *recorder, bool plain,
                                struct byw_oracle *oracle, struct byw_diag *diag)
{
    bool bounded = config->l1d_alloc == BYW_ALLOC_ON_MISS;
    const char *law;

    if (recorder->lost ||
        byw_oracle_count(config, recorder->record, recorder->count, oracle) != BYW_OK)
        return byw_diag_set(diag, BYW_ENOMEM,
                            "out of memory for the accesses of SM %u; expected a shorter run "
                            "(--kernels)",
                            sm);
    law = broken(oracle, plain, bounded);
    if (law == NULL)
        return BYW_OK;
    return byw_diag_set(diag, BYW_ECHECK,
                        "oracle of SM %u: %s does not hold: loads found %" PRIu64 " + %" PRIu64
                        " in flight, LRU %" PRIu64 " + %" PRIu64 ", best %" PRIu64
                        ", infinite %" PRIu64,
                        sm, law, oracle->hits, oracle->pending, oracle->lru_hits,
                        oracle->lru_pending, oracle->best, oracle->infinite);
}

enum byw_status byw_oracle_json(const struct byw_config *config,
                                const struct byw_recorder *recorders, bool advised, json_t **json,
                                struct byw_diag *diag)
{
    bool plain = !advised && byw_oracle_is_plain(config);
    struct byw_oracle sum = {0}, part;
    json_t *list = json_array();
    enum byw_status status = BYW_OK;

    for (uint32_t i = 0; status == BYW_OK && i < config->sm_count; i++) {
        status = count_sm(config, i, &recorders[i], plain, &part, diag);
        if (status != BYW_OK)
            break;
        byw_oracle_add(&sum, &part);
        json_array_append_new(list, counts_json(&part));
    }
    *json = status == BYW_OK ? counts_json(&sum) : NULL;
    if (*json == NULL) {
        json_decref(list);
        return status != BYW_OK ? status : byw_no_memory(diag, "the result");
    }
    json_object_set_new(*json, "per_sm", list);
    return BYW_OK;
}
