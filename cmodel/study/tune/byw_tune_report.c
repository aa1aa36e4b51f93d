/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "study/page/byw_sheet.h"
#include "study/tune/byw_tune_state.h"

enum { SHOWN = 5 };

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* --- JSON ------------------------------------------------------------------------------------ */

static json_t *keys(const struct byw_tune *t)
{
    json_t *all = json_array();

    for (size_t k = 0; k < t->keys; k++) {
        const struct byw_param *p = byw_param(t->key[k].param);
        json_t *key = json_pack("{s:s, s:s}", "key", p->key, "file", t->key[k].own_text);
        json_t *values = json_array();

        for (size_t i = 0; i < t->key[k].values; i++)
            json_array_append_new(values, json_string(t->key[k].value[i]));
        if (t->key[k].values > 0)
            json_object_set(key, "values", values);
        else if (p->kind == BYW_PARAM_ENUM)
            json_object_set_new(key, "choices", json_string(p->choices));
        else
            json_object_update_new(key, json_pack("{s:I, s:I}", "lowest", (json_int_t)p->lowest,
                                                  "highest", (json_int_t)p->highest));
        json_decref(values);
        json_array_append_new(all, key);
    }
    return all;
}

static json_t *candidate(const struct byw_tune_candidate *c)
{
    json_t *settings = json_array();

    for (size_t i = 0; i < c->settings; i++)
        json_array_append_new(settings, json_string(c->setting[i]));
    return json_pack("{s:o, s:I, s:I, s:o}", "settings", settings, "storage_bits",
                     (json_int_t)c->bits, "workloads", (json_int_t)c->workloads, "mean_ipc",
                     number(exp(c->score)));
}

json_t *byw_tune_json(const struct byw_tune *t)
{
    json_t *rounds = json_array(), *candidates = json_array(), *loads = json_array();

    for (size_t r = 0; r < t->rounds; r++)
        json_array_append_new(rounds, json_pack("{s:I, s:I}", "candidates",
                                                (json_int_t)t->round[r].candidates, "workloads",
                                                (json_int_t)t->round[r].workloads));
    for (size_t i = 0; i < t->candidates; i++)
        json_array_append_new(candidates, candidate(&t->candidate[i]));
    for (size_t i = 0; i < t->loads; i++) {
        const struct byw_tune_load *w = &t->load[i];

        json_array_append_new(loads, json_pack("{s:s, s:s, s:o, s:o, s:o}", "workload", w->name,
                                               "set", w->held ? "held out" : "tuning", "ipc_file",
                                               number(w->ipc[0]), "ipc_best", number(w->ipc[1]),
                                               "ratio", number(w->ipc[1] / w->ipc[0])));
    }
    return json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "schema",
                     "byway-tune-1", "machine", t->options.machine, "policy", t->options.policy,
                     "seed", (json_int_t)t->options.seed, "eta", (json_int_t)t->options.eta,
                     "budget_bits", (json_int_t)t->options.bits, "keys", keys(t), "rounds", rounds,
                     "best", candidate(byw_tune_best(t)), "tuning_mean",
                     number(byw_tune_mean(t, false)), "held_out_mean",
                     number(byw_tune_mean(t, true)), "candidates", candidates, "workloads", loads);
}

/* --- table ----------------------------------------------------------------------------------- */

static void put_settings(FILE *out, const struct byw_tune_candidate *c)
{
    if (c->settings == 0)
        fputs(" the file's values", out);
    for (size_t i = 0; i < c->settings; i++)
        fprintf(out, " %s", c->setting[i]);
    fputc('\n', out);
}

static void put_mean(FILE *out, const char *what, double mean)
{
    if (isfinite(mean))
        fprintf(out, "  %-9s mean %24s %9.3f\n", what, "", mean);
}

void byw_tune_table(FILE *out, const struct byw_tune *t)
{
    const struct byw_tune_candidate *best = byw_tune_best(t);

    fprintf(out, "policy %s on machine %s: %zu settings of %zu keys, seed %llu\n\n",
            t->options.policy, t->options.machine, t->candidates, t->keys,
            (unsigned long long)t->options.seed);
    fprintf(out, "  %9s %9s  settings (mean IPC over the file's values; bits: storage per SM)\n",
            "mean", "bits");
    for (size_t i = 0; i < t->left && i < SHOWN; i++) {
        const struct byw_tune_candidate *c = &t->candidate[t->alive[i]];

        fprintf(out, "  %9.3f %9llu ", exp(c->score), (unsigned long long)c->bits);
        put_settings(out, c);
    }
    fprintf(out, "\n  %-9s %-20s %9s %9s %9s\n", "set", "workload", "file", "best", "ratio");
    for (size_t i = 0; i < t->loads; i++) {
        const struct byw_tune_load *w = &t->load[i];
        char name[128];

        byw_setup_name(w->name, name, sizeof(name));
        fprintf(out, "  %-9s %-20s", w->held ? "held out" : "tuning", name);
        if (isnan(w->ipc[0]))
            fprintf(out, " refused\n");
        else
            fprintf(out, " %9.3f %9.3f %9.3f\n", w->ipc[0], w->ipc[1], w->ipc[1] / w->ipc[0]);
    }
    put_mean(out, "tuning", byw_tune_mean(t, false));
    put_mean(out, "held out", byw_tune_mean(t, true));
    fprintf(out, "\nbyway run -m %s -p %s", t->options.machine, t->options.policy);
    for (size_t i = 0; i < best->settings; i++)
        fprintf(out, " --set %s", best->setting[i]);
    fputs(" -w WORKLOAD\n", out);
}

/* --- page ------------------------------------------------------------------------------------ */

static void settings_text(const struct byw_tune_candidate *c, char *text, size_t room)
{
    size_t n = 0;

    snprintf(text, room, "the file's values");
    for (size_t i = 0; i < c->settings && n + 1 < room; i++)
        n += (size_t)snprintf(text + n, room - n, "%s%s", i == 0 ? "" : " ", c->setting[i]);
}

static void page_candidates(FILE *out, const struct byw_tune *t)
{
    double most = 0.0;
    char text[1024];

    for (size_t i = 0; i < t->candidates; i++)
        if (isfinite(t->candidate[i].score))
            most = fmax(most, exp(t->candidate[i].score));
    byw_sheet_table(out, "Settings", "settings|workloads|mean|bits of storage", 1);
    for (size_t i = 0; i < t->candidates; i++) {
        const struct byw_tune_candidate *c = &t->candidate[i];

        settings_text(c, text, sizeof(text));
        byw_sheet_row(out);
        byw_sheet_text(out, text, NULL);
        byw_sheet_number(out, (double)c->workloads, 0, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, exp(c->score), 3, exp(c->score) / most);
        byw_sheet_number(out, (double)c->bits, 0, BYW_SHEET_NO_BAR);
    }
    byw_sheet_table_end(out);
    byw_sheet_note(out,
                   "Mean IPC over that of the file's values, on the workloads of the last round "
                   "in which the settings took part; only means of equally many workloads "
                   "compare.");
}

void byw_tune_page(FILE *out, const struct byw_tune *t)
{
    const double held = byw_tune_mean(t, true);
    char text[1024], machine[128], policy[128], also[64] = "", about[2048];

    settings_text(byw_tune_best(t), text, sizeof(text));
    byw_setup_name(t->options.machine, machine, sizeof(machine));
    byw_setup_name(t->options.policy, policy, sizeof(policy));
    if (isfinite(held))
        snprintf(also, sizeof(also), ", %.3f on held-out ones", held);
    snprintf(about, sizeof(about),
             "Machine %s, policy %s: %zu settings of %zu keys, seed %llu. The best: %s; mean IPC "
             "over the file's values %.3f on the tuning workloads%s.",
             machine, policy, t->candidates, t->keys, (unsigned long long)t->options.seed, text,
             byw_tune_mean(t, false), also);
    byw_sheet_begin(out, "Values of a policy's keys", about);
    byw_sheet_table(out, "The best and the file's values", "workload|set|IPC, file|IPC, best|ratio",
                    2);
    for (size_t i = 0; i < t->loads; i++) {
        const struct byw_tune_load *w = &t->load[i];
        char name[128];

        byw_setup_name(w->name, name, sizeof(name));
        byw_sheet_row(out);
        byw_sheet_text(out, name, NULL);
        byw_sheet_text(out, w->held ? "held out" : "tuning", NULL);
        byw_sheet_number(out, w->ipc[0], 3, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, w->ipc[1], 3, BYW_SHEET_NO_BAR);
        byw_sheet_number(out, w->ipc[1] / w->ipc[0], 3, BYW_SHEET_NO_BAR);
    }
    byw_sheet_table_end(out);
    page_candidates(out, t);
    byw_sheet_end(out);
}
