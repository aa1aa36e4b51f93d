/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"
#include "common/byw_mech.h"
#include "common/byw_text.h"
#include "study/tune/byw_tune_state.h"

enum {
    DRAWS = 400,
    NARROW = 16
}; /* random draws per candidate; largest range that is drawn from
      uniformly */

/* --- keys ------------------------------------------------------------------------------------ */

static enum byw_status add_key(struct byw_tune *t, const char *name, struct byw_tune_key **added,
                               struct byw_diag *diag)
{
    struct byw_config probe = t->config;
    size_t param = byw_param_named(name);
    struct byw_tune_key *key;

    for (size_t k = 0; k < t->keys; k++)
        if (strcmp(byw_param(t->key[k].param)->key, name) == 0) {
            *added = &t->key[k];
            return BYW_OK;
        }
    if (param == byw_param_count()) /* appends "did you mean" */
        return byw_config_set(&probe, name, "0", "--keys", diag);
    if (t->keys == BYW_TUNE_KEYS)
        return byw_diag_set(diag, BYW_EINVAL, "too many keys; expected at most %d", BYW_TUNE_KEYS);
    key = &t->key[t->keys++];
    *key = (struct byw_tune_key){.param = param};
    byw_config_text(&t->config, param, key->own_text, sizeof(key->own_text));
    *added = key;
    return BYW_OK;
}

static bool is_searched(const struct byw_param *p)
{
    return p->kind == BYW_PARAM_U32 || p->kind == BYW_PARAM_ENUM;
}

/* Numbers and choices of the active mechanisms, except the keys that switch them. */
static enum byw_status add_usual_keys(struct byw_tune *t, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t m = 0; m < byw_mech_count(); m++) {
        const struct byw_mech *mech = byw_mech(m);
        size_t n = strlen(mech->name);

        if (!byw_mech_in_use(&t->config, mech))
            continue;
        for (size_t i = 0; st == BYW_OK && i < byw_param_count(); i++) {
            const struct byw_param *p = byw_param(i);
            struct byw_tune_key *key;

            if (is_searched(p) && strncmp(p->key, mech->name, n) == 0 && p->key[n] == '.' &&
                (mech->enable == NULL || strcmp(p->key, mech->enable) != 0))
                st = add_key(t, p->key, &key, diag);
        }
    }
    return st;
}

static enum byw_status add_named_keys(struct byw_tune *t, const char *names, struct byw_diag *diag)
{
    char *copy = strdup(names), *rest = NULL;
    enum byw_status st = copy != NULL ? BYW_OK : byw_no_memory(diag, "the search");

    for (char *name = copy != NULL ? strtok_r(copy, ", ", &rest) : NULL;
         st == BYW_OK && name != NULL; name = strtok_r(NULL, ", ", &rest)) {
        struct byw_tune_key *key;

        st = add_key(t, name, &key, diag);
        if (st == BYW_OK && !is_searched(byw_param(key->param)))
            st = byw_diag_set(diag, BYW_EINVAL,
                              "--keys: the value of %s is a text; expected keys with numbers or "
                              "choices",
                              name);
    }
    free(copy);
    return st;
}

static enum byw_status add_value(struct byw_tune_key *key, const char *text, struct byw_diag *diag)
{
    if (!BYW_ARRAY_ROOM(key->value, key->room, key->values + 1))
        return byw_no_memory(diag, "the search");
    key->value[key->values] = strdup(text);
    return key->value[key->values++] != NULL ? BYW_OK : byw_no_memory(diag, "the search");
}

/* Adds the key and values of a setting KEY=V1,V2. */
static enum byw_status add_setting(struct byw_tune *t, const char *setting, struct byw_diag *diag)
{
    char *copy = strdup(setting), *rest = NULL;
    char *equals = copy != NULL ? strchr(copy, '=') : NULL;
    struct byw_tune_key *key = NULL;
    enum byw_status st;

    if (equals == NULL) {
        free(copy);
        return byw_diag_set(diag, BYW_EINVAL, "--set '%s' has no '='; expected KEY=V1,V2", setting);
    }
    *equals = '\0';
    st = add_key(t, copy, &key, diag);
    for (char *value = strtok_r(equals + 1, ", ", &rest); st == BYW_OK && value != NULL;
         value = strtok_r(NULL, ", ", &rest)) {
        struct byw_config probe = t->config;

        st = byw_config_set(&probe, copy, value, "--set", diag);
        if (st == BYW_OK)
            st = add_value(key, value, diag);
    }
    if (st == BYW_OK && key->values == 0)
        st = byw_diag_set(diag, BYW_EINVAL, "--set %s has no value; expected KEY=V1,V2", copy);
    free(copy);
    return st;
}

/* --- candidates ------------------------------------------------------------------------------ */

static uint64_t below(struct byw_tune *t, uint64_t n)
{
    return byw_halving_random(&t->random) % n;
}

static double unit(struct byw_tune *t)
{
    return (double)(byw_halving_random(&t->random) >> 11) / 9007199254740992.0;
}

/* A random value from the range; every second time near the file's value. Narrow ranges are drawn
 * from uniformly, others logarithmically. */
static uint32_t draw_number(struct byw_tune *t, const struct byw_param *p, uint32_t own)
{
    double low = log2((double)p->lowest + 1.0), high = log2((double)p->highest + 1.0), at;

    if (p->highest - p->lowest <= NARROW)
        return p->lowest + (uint32_t)below(t, p->highest - p->lowest + 1);
    if (below(t, 2) == 0) {
        low = fmax(low, log2((double)own + 1.0) - 2.0);
        high = fmin(high, log2((double)own + 1.0) + 2.0);
    }
    at = round(exp2(low + unit(t) * (high - low)) - 1.0);
    if (below(t, 2) == 0) /* many sizes must be powers of two */
        at = exp2(round(log2(fmax(at, 1.0))));
    return (uint32_t)fmin(fmax(at, p->lowest), p->highest);
}

static void draw_value(struct byw_tune *t, const struct byw_tune_key *key, char *text, size_t room)
{
    const struct byw_param *p = byw_param(key->param);

    if (key->values > 0) {
        snprintf(text, room, "%s", key->value[below(t, key->values)]);
    } else if (p->kind == BYW_PARAM_ENUM) {
        const char *at;
        uint32_t choices = 0;
        size_t length;

        while (byw_word_at(p->choices, choices, &length) != NULL)
            choices++;
        at = byw_word_at(p->choices, (uint32_t)below(t, choices), &length);
        snprintf(text, room, "%.*s", (int)length, at);
    } else {
        snprintf(text, room, "%u", draw_number(t, p, (uint32_t)strtoul(key->own_text, NULL, 10)));
    }
}

static void release(struct byw_tune_candidate *c)
{
    for (size_t i = 0; i < c->settings; i++)
        free(c->setting[i]);
    *c = (struct byw_tune_candidate){.bits = 0};
}

static enum byw_status change(struct byw_tune_candidate *c, const struct byw_tune_key *key,
                              const char *text, struct byw_diag *diag)
{
    if (strcmp(text, key->own_text) == 0 || c->settings == BYW_TUNE_CHANGES)
        return BYW_OK;
    if (asprintf(&c->setting[c->settings], "%s=%s", byw_param(key->param)->key, text) < 0)
        return byw_no_memory(diag, "the search");
    c->settings++;
    return BYW_OK;
}

/* Changes about half of the keys. */
static enum byw_status draw(struct byw_tune *t, struct byw_tune_candidate *c, struct byw_diag *diag)
{
    size_t start = below(t, t->keys);
    enum byw_status st = BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < t->keys; i++) {
        const struct byw_tune_key *key = &t->key[(start + i) % t->keys];
        char text[BYW_CONFIG_TEXT];

        if (t->keys > 2 && below(t, 2) == 0)
            continue;
        draw_value(t, key, text, sizeof(text));
        st = change(c, key, text, diag);
    }
    return st;
}

/* Number of combinations; 0: more than requested. */
static uint64_t combinations(const struct byw_tune *t)
{
    uint64_t product = 1;

    for (size_t k = 0; k < t->keys; k++) {
        product *= t->key[k].values;
        if (product == 0 || product > t->options.candidates)
            return 0;
    }
    return product;
}

/* The n-th of all combinations. */
static enum byw_status combine(const struct byw_tune *t, uint64_t n, struct byw_tune_candidate *c,
                               struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t k = 0; st == BYW_OK && k < t->keys; k++) {
        st = change(c, &t->key[k], t->key[k].value[n % t->key[k].values], diag);
        n /= t->key[k].values;
    }
    return st;
}

static bool has(const struct byw_tune_candidate *c, const char *setting)
{
    for (size_t i = 0; i < c->settings; i++)
        if (strcmp(c->setting[i], setting) == 0)
            return true;
    return false;
}

static bool is_known(const struct byw_tune *t, const struct byw_tune_candidate *c)
{
    for (size_t i = 0; i < t->candidates; i++) {
        size_t same = 0;

        for (size_t k = 0; k < c->settings; k++)
            same += has(&t->candidate[i], c->setting[k]);
        if (same == c->settings && same == t->candidate[i].settings)
            return true;
    }
    return false;
}

/* The candidate's storage cost; false: the machine refuses it. */
static bool measure(const struct byw_tune *t, struct byw_tune_candidate *c)
{
    struct byw_config config = t->config;

    for (size_t i = 0; i < c->settings; i++) {
        char key[BYW_CONFIG_TEXT];
        const char *equals = strchr(c->setting[i], '=');

        snprintf(key, sizeof(key), "%.*s", (int)(equals - c->setting[i]), c->setting[i]);
        if (byw_config_set(&config, key, equals + 1, "--set", NULL) != BYW_OK)
            return false;
    }
    if (byw_setup_check(&config, t->options.machine, t->options.policy, NULL) != BYW_OK)
        return false;
    c->bits = byw_setup_storage_bits(&config);
    return true;
}

static enum byw_status draw_all(struct byw_tune *t, struct byw_diag *diag)
{
    uint64_t least = UINT64_MAX;
    size_t fitting = t->options.bits == 0 || t->candidate[0].bits <= t->options.bits;
    uint64_t all = combinations(t), most = all > 0 ? all : DRAWS * t->options.candidates;

    for (uint64_t n = 0; t->candidates <= t->options.candidates && n < most; n++) {
        struct byw_tune_candidate *c = &t->candidate[t->candidates];
        enum byw_status st;

        *c = (struct byw_tune_candidate){.score = NAN};
        st = all > 0 ? combine(t, n, c, diag) : draw(t, c, diag);
        if (st != BYW_OK)
            return st;
        if (is_known(t, c) || !measure(t, c)) {
            release(c);
            continue;
        }
        least = c->bits < least ? c->bits : least;
        if (t->options.bits != 0 && c->bits > t->options.bits) {
            release(c);
            continue;
        }
        fitting++;
        t->candidates++;
    }
    if (fitting > 0)
        return BYW_OK;
    return byw_diag_set(
        diag, BYW_EINVAL, "--bits %llu: policy %s has no values that fit; the least found is %llu",
        (unsigned long long)t->options.bits, t->options.policy, (unsigned long long)least);
}

enum byw_status byw_tune_space(struct byw_tune *t, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    if (t->options.keys != NULL)
        st = add_named_keys(t, t->options.keys, diag);
    else if (t->options.setting_count == 0)
        st = add_usual_keys(t, diag);
    for (size_t i = 0; st == BYW_OK && i < t->options.setting_count; i++)
        st = add_setting(t, t->options.settings[i], diag);
    if (st == BYW_OK && t->keys == 0)
        st = byw_diag_set(diag, BYW_EINVAL,
                          "policy %s has no keys of its own; expected --keys or --set KEY=V1,V2",
                          t->options.policy);
    t->candidate = calloc(t->options.candidates + 2, sizeof(*t->candidate));
    if (st == BYW_OK && t->candidate == NULL)
        st = byw_no_memory(diag, "the search");
    if (st != BYW_OK)
        return st;
    t->candidate[0] = (struct byw_tune_candidate){.score = NAN};
    t->candidates = 1;
    if (!measure(t, &t->candidate[0])) /* sets up the run again to report why */
        return byw_setup_config(t->places, t->options.machine, t->options.policy, NULL, 0,
                                &t->config, diag);
    return draw_all(t, diag);
}

void byw_tune_space_release(struct byw_tune *t)
{
    for (size_t k = 0; k < t->keys; k++) {
        for (size_t i = 0; i < t->key[k].values; i++)
            free(t->key[k].value[i]);
        free(t->key[k].value);
    }
    for (size_t i = 0; i < t->candidates; i++)
        release(&t->candidate[i]);
    free(t->candidate);
}
