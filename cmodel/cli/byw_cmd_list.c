/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/byw_list.h"
#include "common/byw_text.h"
#include "study/job/byw_paper.h"
#include "study/job/byw_workload.h"
#include "study/papers/byw_originals.h"
#include "study/papers/byw_papers.h"

/* --- workloads ---------------------------------------------------------------------------- */

static bool shipped(const struct byw_names *traces, const char *name)
{
    for (size_t i = 0; i < traces->count; i++)
        if (strcmp(traces->name[i], name) == 0)
            return true;
    return false;
}

static int list_workloads(bool as_json)
{
    struct byw_diag diag = {""};
    struct byw_places places;
    struct byw_names traces = {0};
    json_t *list;
    enum byw_status st = byw_places_find(&places, &diag);

    if (st == BYW_OK)
        st = byw_places_traces(&places, &traces, &diag);
    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    list = json_array();
    if (!as_json)
        printf("%-15s %-8s %-5s %-6s %-8s %s\n    %s\n\n", "name", "paper", "class", "N-IPC",
               "trace", "sets", "what it does; input of the trace; where its sizes come from");
    for (size_t i = 0; i < byw_workload_count(); i++) {
        struct byw_workload w = byw_workload(i);
        bool here = shipped(&traces, w.name);
        char text[512];

        if (as_json) {
            json_array_append_new(
                list,
                json_pack("{s:s, s:s, s:s, s:s, s:f, s:s, s:b, s:s, s:s, s:s}", "name", w.name,
                          "abbreviation", w.abbr, "suite", w.suite, "class", byw_wclass_name(w.cls),
                          "ball_over_bl_in_paper", w.n_ipc, "sets", w.groups, "shipped", here,
                          "input", w.small, "what", w.what, "reason", w.reason));
            continue;
        }
        printf("%-15s %-8s %-5s ", w.name, w.abbr, byw_wclass_name(w.cls));
        if (w.n_ipc > 0.0)
            printf("%-6.2f ", w.n_ipc);
        else
            printf("%-6s ", "-");
        printf("%-8s %s\n    ", here ? "shipped" : "-", w.groups);
        snprintf(text, sizeof(text), "%s; %s.  %s", w.what, w.small, w.reason);
        byw_text_wrap_at(stdout, text, 4);
    }
    byw_names_free(&traces);
    if (as_json)
        return byw_list_json(list);
    json_decref(list);
    return BYW_EXIT_OK;
}

static int list_claims(bool as_json)
{
    struct byw_papers *papers = NULL;
    struct byw_diag diag = {""};
    enum byw_status st = byw_papers_load(NULL, 0, &papers, &diag);
    json_t *list = json_array();

    for (size_t i = 0; st == BYW_OK && i < papers->claims; i++) {
        const struct byw_claim *claim = &papers->claim[i];
        char name[32];

        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "name", claim->id, "paper",
                                              claim->paper, "section", claim->section, "claim",
                                              claim->text));
        snprintf(name, sizeof(name), "%-6s %s", claim->id, claim->paper);
        if (!as_json)
            byw_text_beside(stdout, name, claim->text, 13);
    }
    byw_papers_free(papers);
    if (st == BYW_OK && as_json)
        return byw_list_json(list);
    json_decref(list);
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}

static int list_papers(bool as_json)
{
    json_t *list = json_array();

    for (size_t i = 0; i < byw_paper_count(); i++) {
        const struct byw_paper *p = byw_paper(i);

        if (as_json) {
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s}", "number", p->number,
                                                  "name", p->name, "title", p->title, "authors",
                                                  p->authors, "venue", p->venue));
            continue;
        }
        printf("%s  %-18s", p->number, p->name);
        byw_text_wrap_at(stdout, p->title[0] != '\0' ? p->title : "-", 23);
        if (p->authors[0] != '\0') {
            printf("%23s", "");
            byw_text_wrap_at(stdout, p->authors, 23);
        }
        printf("%23s", "");
        byw_text_wrap_at(stdout, p->venue, 23);
    }
    if (as_json)
        return byw_list_json(list);
    json_decref(list);
    return BYW_EXIT_OK;
}

/* An optional sentence; "": none. */
static void put_part(FILE *out, const char *before, const char *text)
{
    if (text[0] != '\0')
        fprintf(out, "%s%s.", before, text);
}

static void print_program(const struct byw_original *o, double printed)
{
    char *text = NULL;
    size_t room = 0;
    FILE *out = open_memstream(&text, &room);

    printf("%-15s %s, %s; %s\n    ", o->workload, o->suite, o->program, o->source);
    if (out != NULL) {
        put_part(out, "", o->input);
        put_part(out, " Arguments: ", o->arguments);
        put_part(out, " Altered: ", o->altered);
        put_part(out, " Own check: ", o->check);
        put_part(out, " Trace: ", o->part);
        put_part(out, " Note: ", o->why);
        if (fclose(out) == 0)
            byw_text_wrap_at(stdout, text, 4);
        free(text);
    }
    if (o->whole != 0 && printed > 0.0)
        printf("    %.0f lane instructions, %.2f of the paper's %.0f\n", (double)o->whole,
               (double)o->whole / printed, printed);
    printf("    %s\n", o->sum[0] != '\0' ? o->sum : "no trace");
}

static int list_programs(bool as_json)
{
    struct byw_diag diag = {""};
    struct byw_papers *papers = NULL;
    json_t *list;
    enum byw_status st = byw_papers_load(NULL, 0, &papers, &diag);

    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    list = json_array();
    for (size_t i = 0; i < byw_original_count(); i++) {
        const struct byw_original *o = byw_original(i);
        double printed = byw_original_printed(papers, o->workload);

        if (!as_json) {
            print_program(o, printed);
            continue;
        }
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:I, "
                            "s:I, s:I, s:f}",
                            "workload", o->workload, "suite", o->suite, "program", o->program,
                            "source", o->source, "input", o->input, "arguments", o->arguments,
                            "altered", o->altered, "check", o->check, "part", o->part, "sum",
                            o->sum, "why", o->why, "warp_instructions", (json_int_t)o->warps,
                            "thread_instructions", (json_int_t)o->lanes, "accesses",
                            (json_int_t)o->accesses, "whole_thread_instructions",
                            (json_int_t)o->whole, "paper_thread_instructions", printed));
    }
    byw_papers_free(papers);
    if (as_json)
        return byw_list_json(list);
    json_decref(list);
    return BYW_EXIT_OK;
}

/* --- counters and keys -------------------------------------------------------------------- */

static int list_counters(bool as_json)
{
    json_t *list = json_array();

    for (size_t i = 0; i < byw_counter_count(); i++) {
        struct byw_counter c = byw_counter(i);

        if (as_json) {
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:b}", "name", c.path, "unit",
                                                  c.unit, "when", c.when, "per_sm_and_kernel",
                                                  c.scope == BYW_SCOPE_L1));
            continue;
        }
        byw_text_beside(stdout, c.path, c.when, 35);
        printf("%-34s [%s]\n", "", c.unit);
    }
    if (as_json)
        return byw_list_json(list);
    json_decref(list);
    byw_text_wrap(stdout,
                  "\nThe l1d and policy_stats counters are also in every entry of per_sm and "
                  "per_kernel, those of the energy in every entry of per_kernel.\n\n"
                  "Constants of the energy model:",
                  0, "");
    for (size_t i = 0; i < byw_energy_constant_count(); i++) {
        const struct byw_energy_constant *c = byw_energy_constant(i);
        char constant[128];

        snprintf(constant, sizeof(constant), "  %-12s %8g %s", c->name, c->value, c->unit);
        byw_text_beside(stdout, constant, c->source, 28);
    }
    return BYW_EXIT_OK;
}

/* --- the command -------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*print)(bool as_json);
    const char *help;
} lists[] = {
    {"machines", byw_list_machines, "machine configurations"},
    {"policies", byw_list_policies, "policy configurations: what they do and use, storage"},
    {"mechanisms", byw_list_mechanisms, "bypass mechanisms that policies are made of"},
    {"workloads", list_workloads,
     "benchmarks, their class in the Decoupled L1D paper, their traces"},
    {"papers", list_papers, "the papers that byway follows, by number and name"},
    {"programs", list_programs, "the papers' own programs: source, input, checksum"},
    {"claims", list_claims, "the papers' claims that byway reproduce judges"},
    {"counters", list_counters, "every counter of a result and what it counts"},
    {"configs", byw_list_keys, "every configuration key: default, range, meaning"},
};

enum { LIST_COUNT = sizeof(lists) / sizeof(lists[0]) };

static int print_list(const char *what, bool as_json)
{
    const char *names[LIST_COUNT];
    struct byw_diag diag = {""};
    const char *near;

    for (size_t i = 0; i < LIST_COUNT; i++) {
        names[i] = lists[i].name;
        if (strcmp(what, names[i]) == 0)
            return lists[i].print(as_json);
    }
    near = byw_nearest(what, names, LIST_COUNT);
    byw_diag_set(&diag, BYW_EINVAL, "no list '%s'; %s%s%s", what,
                 near != NULL
                     ? "did you mean '"
                     : "expected machines, policies, mechanisms, workloads, papers, programs, "
                       "claims, counters or configs",
                 near != NULL ? near : "", near != NULL ? "'?" : "");
    return byw_cli_fail(BYW_EINVAL, &diag);
}

static int template_of(const char *kind)
{
    struct byw_diag diag = {""};

    if (strcmp(kind, "machine") != 0 && strcmp(kind, "policy") != 0)
        return byw_cli_fail(
            byw_diag_set(&diag, BYW_EINVAL, "--template is '%s'; expected machine or policy", kind),
            &diag);
    byw_list_template(strcmp(kind, "machine") == 0 ? BYW_PARAM_MACHINE : BYW_PARAM_POLICY);
    return BYW_EXIT_OK;
}

/* `byway list machines NAME`, `byway list policies NAME` */
static int resolved(const struct byw_texts *words, bool as_json)
{
    bool is_machine = strcmp(words->text[0], "machines") == 0;
    struct byw_diag diag = {""};

    if ((!is_machine && strcmp(words->text[0], "policies") != 0) || as_json)
        return byw_cli_fail(byw_diag_set(&diag, BYW_EINVAL,
                                         "list %s %s: only machines NAME and policies NAME "
                                         "print a configuration file, without --json",
                                         words->text[0], words->text[1]),
                            &diag);
    return byw_list_resolved(is_machine ? BYW_PARAM_MACHINE : BYW_PARAM_POLICY, words->text[1]);
}

static void help(const struct byw_option *options, size_t count)
{
    puts("usage: byway list WHAT [--json]\n"
         "       byway list machines|policies NAME\n");
    for (size_t i = 0; i < LIST_COUNT; i++)
        printf("  %-12s %s\n", lists[i].name, lists[i].help);
    putchar('\n');
    byw_args_help(stdout, options, count);
    byw_text_wrap(stdout,
                  "\nWith a NAME (or the path of a .cfg file), prints the file with every key, "
                  "including those that its bases set.",
                  0, "");
}

int byw_cmd_list(int argc, char **argv)
{
    struct byw_texts what = {.plain = 1};
    const char *kind = NULL;
    bool as_json = false;
    bool wants_help = false;
    const struct byw_option options[] = {
        {"json", 'o', NULL, "print the list as JSON", .flag = &as_json},
        {"template", 0, "machine|policy",
         "configs: print a file of that kind with every key at its default", .text = &kind},
        {"help", 'h', NULL, "this text", .flag = &wants_help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    struct byw_diag diag = {""};
    enum byw_status st = byw_args_parse(options, count, argc, argv, &what, 2, NULL, &diag);

    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    if (kind != NULL && !wants_help &&
        (as_json || what.count > 1 || (what.count != 0 && strcmp(what.text[0], "configs") != 0)))
        return byw_cli_fail(byw_diag_set(&diag, BYW_EINVAL,
                                         "--template prints a configuration file; expected "
                                         "`byway list configs`, without --json"),
                            &diag);
    if (kind != NULL && !wants_help)
        return template_of(kind);
    if (what.count == 2 && !wants_help)
        return resolved(&what, as_json);
    if (what.count != 0 && !wants_help)
        return print_list(what.text[0], as_json);
    help(options, count);
    return wants_help ? BYW_EXIT_OK : BYW_EXIT_USAGE;
}
