/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/observe/byw_scope.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "byw_page_text.h"
#include "common/byw_file.h"
#include "common/byw_html_head.h"
#include "policy/byw_policy_events.h"

enum { FRAMES = 20000, DECISIONS = 1U << BYW_EV_LOAD | 1U << BYW_EV_STORE | 1U << BYW_EV_ATOMIC };

struct byw_scope {
    struct byw_file *file;
    FILE *frames; /* text of the frames */
    char *text;
    size_t size, count;
    struct byw_scope_of of;
    uint64_t seen; /* records of the recorder consumed */
    struct byw_set *last; /* NULL: no frame yet */
    struct byw_geometry geo;
    struct byw_record refused; /* the refused access of the last frame; its reason is `reason` */
    uint32_t reason;
    uint64_t repeats; /* cycles of that refusal; 0: the last frame was not a refusal */
    bool blind, lost, filter_on;
};

enum byw_status byw_scope_open(const char *path, const struct byw_scope_of *of,
                               struct byw_scope **scope, struct byw_diag *diag)
{
    struct byw_scope *s = calloc(1, sizeof(*s));
    enum byw_status st;

    if (s == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for the page", path);
    s->of = *of;
    s->frames = open_memstream(&s->text, &s->size);
    st = byw_file_create(path, &s->file, diag);
    if (st == BYW_OK && s->frames == NULL)
        st = byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for the page", path);
    if (st != BYW_OK) {
        byw_scope_free(s);
        return st;
    }
    *scope = s;
    return BYW_OK;
}

void byw_scope_free(struct byw_scope *s)
{
    if (s == NULL)
        return;
    if (s->frames != NULL)
        fclose(s->frames);
    byw_file_discard(s->file);
    free(s->text);
    free(s->last);
    free(s);
}

/* --- frames ---------------------------------------------------------------------------------- */

static bool is_here(const struct byw_scope *s, uint64_t line)
{
    return byw_set_index(&s->geo, line) == s->of.set;
}

/* The set's record as lists: [line, status, RC, Position, age] and [owner, rank, reused, pending].
 */
static void put_set(const struct byw_scope *s, const struct byw_set *set)
{
    fputs("\"t\":[", s->frames);
    for (uint32_t i = 0; i < s->geo.tag_ways; i++) {
        const struct byw_tag *t = &set->tag[i];
        bool valid = t->status != BYW_TAG_INVALID;

        fprintf(s->frames, "%s[\"%" PRIx64 "\",%u,%u,%d,%u]", i > 0 ? "," : "",
                valid ? byw_set_line(&s->geo, s->of.set, t->key) << s->geo.line_bits : 0, t->status,
                valid ? t->rc : 0, t->status == BYW_TAG_COMMITTED ? t->pos : BYW_NONE, t->age);
    }
    fputs("],\"d\":[", s->frames);
    for (uint32_t w = 0; w < s->geo.data_ways; w++) {
        bool used = (set->used & byw_bit64(w)) != 0;

        fprintf(s->frames, "%s[%d,%u,%d,%d]", w > 0 ? "," : "", used ? set->way[w].owner : BYW_NONE,
                set->rank[w], used && set->way[w].reused, (set->pending & byw_bit64(w)) != 0);
    }
    fputc(']', s->frames);
}

static void end_repeats(struct byw_scope *s)
{
    if (s->repeats > 0)
        fprintf(s->frames, ",\"n\":%" PRIu64 "}", s->repeats);
    s->repeats = 0;
}

static void put_access(const struct byw_scope *s, const struct byw_record *r)
{
    fprintf(s->frames, ",\"a\":\"%" PRIx64 "\",\"p\":\"%x\",\"op\":%u", r->line << s->geo.line_bits,
            r->pc, r->op);
}

static void begin_frame(struct byw_scope *s, uint64_t now, const struct byw_l1d_out *out,
                        const struct byw_l1d *l1d)
{
    struct byw_l1d_levels levels;

    byw_l1d_levels(l1d, &levels);
    fprintf(s->frames, "%s\n{\"c\":%" PRIu64 ",\"e\":%u,\"x\":%u,\"f\":%d,\"m\":[%u,%u,%u,%u],",
            s->count++ > 0 ? "," : "", now, out->events, out->policy_events, s->filter_on,
            levels.mshrs, levels.trackers, levels.misses, levels.bypasses);
}

static uint32_t refusals(void)
{
    return 1U << BYW_EV_FAIL_LINE | 1U << BYW_EV_FAIL_MSHR | 1U << BYW_EV_FAIL_MERGE |
           1U << BYW_EV_FAIL_MISS_QUEUE | 1U << BYW_EV_FAIL_ICNT;
}

/* The refused access; NULL if there is none or it is to another set. */
static const struct byw_record *
refused_here(const struct byw_scope *s, const struct byw_l1d_out *out, const struct byw_recorder *r)
{
    const struct byw_record *head = &r->pipe[r->first];

    return (out->events & refusals()) != 0 && (out->events & DECISIONS) == 0 && r->waiting > 0 &&
                   is_here(s, head->line)
               ? head
               : NULL;
}

static void put_frame(struct byw_scope *s, uint64_t now, const struct byw_l1d_out *out,
                      const struct byw_l1d *l1d, const struct byw_set *set,
                      const struct byw_record *access, const struct byw_record *fill,
                      const struct byw_record *refused)
{
    begin_frame(s, now, out, l1d);
    put_set(s, set);
    if (access != NULL) {
        put_access(s, access);
        fprintf(s->frames, ",\"o\":%u", access->outcome);
    }
    if (fill != NULL)
        fprintf(s->frames, ",\"l\":\"%" PRIx64 "\"", fill->line << s->geo.line_bits);
    if (refused != NULL) {
        put_access(s, refused);
        s->refused = *refused;
        s->reason = out->events & refusals();
        s->repeats = 1;
        return; /* end_repeats() closes the frame */
    }
    fputc('}', s->frames);
}

void byw_scope_sample(struct byw_scope *s, uint64_t now, const struct byw_l1d_out *out,
                      const struct byw_l1d *l1d, const struct byw_recorder *recorder,
                      bool filter_on)
{
    const struct byw_record *access = NULL, *fill = NULL, *refused;
    const struct byw_set *set;
    bool changed;

    if (l1d == NULL || recorder == NULL) {
        s->blind = true;
        return;
    }
    if (s->last == NULL) {
        s->geo = byw_l1d_tags(l1d)->geo;
        s->last = s->of.set < s->geo.sets ? calloc(1, byw_set_bytes(&s->geo)) : NULL;
        s->seen = recorder->count > 4 ? recorder->count - 1 : 0;
        if (s->last == NULL)
            return;
    }
    s->filter_on = filter_on;
    set = byw_tag_store_set(byw_l1d_tags(l1d), s->of.set);
    for (; s->seen < recorder->count; s->seen++) {
        const struct byw_record *r = &recorder->record[s->seen];

        if (r->op == BYW_RECORD_FILL && is_here(s, recorder->record[r->line].line))
            fill = &recorder->record[r->line];
        else if (r->op < BYW_OP_INVALIDATE && is_here(s, r->line) && (out->events & DECISIONS) != 0)
            access = r;
    }
    refused = refused_here(s, out, recorder);
    changed = s->count == 0 || memcmp(s->last, set, byw_set_bytes(&s->geo)) != 0;
    if (refused != NULL && s->repeats > 0 && !changed && fill == NULL &&
        memcmp(refused, &s->refused, sizeof(*refused)) == 0 &&
        (out->events & refusals()) == s->reason) {
        s->repeats++;
        return;
    }
    if (access == NULL && fill == NULL && refused == NULL && !changed)
        return;
    end_repeats(s);
    if (s->count == FRAMES) {
        s->lost = true;
        return;
    }
    put_frame(s, now, out, l1d, set, access, fill, refused);
    memcpy(s->last, set, byw_set_bytes(&s->geo));
}

/* --- the page -------------------------------------------------------------------------------- */

static void put(FILE *out, const char *const *text)
{
    for (; *text != NULL; text++)
        fputs(*text, out);
}

static void put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\' || *text == '<' || (unsigned char)*text < ' ')
            fprintf(out, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, out);
    fputc('"', out);
}

static void put_member(FILE *out, const char *name, const char *text)
{
    fprintf(out, "\"%s\":", name);
    put_text(out, text != NULL ? text : "");
    fputc(',', out);
}

static void put_names(FILE *out)
{
    static const char *const event[] = {
#define X(code, name, when) name,
#include "record/byw_events.def"
#undef X
    };
    static const char *const policy[] = {
#define X(code, name, when) name,
#include "policy/byw_policy_events.def"
#undef X
    };

    fputs("\"events\":[", out);
    for (size_t i = 0; i < sizeof(event) / sizeof(event[0]); i++)
        fprintf(out, "%s\"%s\"", i > 0 ? "," : "", event[i]);
    fputs("],\"policy\":[", out);
    for (size_t i = 0; i < sizeof(policy) / sizeof(policy[0]); i++)
        fprintf(out, "%s\"%s\"", i > 0 ? "," : "", policy[i]);
    fputc(']', out);
}

enum byw_status byw_scope_close(struct byw_scope *s, struct byw_diag *diag)
{
    struct byw_file *file = s->file;
    FILE *out = byw_file_stream(file);
    enum byw_status st = BYW_OK;

    end_repeats(s);
    if (fflush(s->frames) != 0)
        st = byw_no_memory(diag, "the page of a set");
    else if (s->blind)
        st = byw_diag_set(diag, BYW_EUNSUPPORTED,
                          "a page of a set needs the records of the C model; expected --l1d c");
    else if (s->geo.sets != 0 && s->of.set >= s->geo.sets)
        st = byw_diag_set(diag, BYW_EINVAL, "--waves-set %u: no such set; expected 0 to %u",
                          s->of.set, s->geo.sets - 1);
    else if (s->count == 0)
        st = byw_diag_set(
            diag, BYW_EINVAL,
            "the window contains no cycle of the run; expected --waves-at within the run");
    if (st == BYW_OK) {
        fputs(BYW_HTML_HEAD "<title>byway: "
                            "one set</title>\n<style>\n",
              out);
        put(out, byw_palette_css);
        put(out, byw_scope_css);
        fprintf(out,
                "</style></head><body><main id=\"app\"></main>\n<script type=\"application/json\" "
                "id=\"data\">{\"sm\":%u,\"set\":%u,\"sets\":%u,\"cut\":%s,",
                s->of.sm, s->of.set, s->geo.sets, s->lost ? "true" : "false");
        put_member(out, "pages", s->of.pages);
        put_member(out, "commit", s->of.commit);
        put_member(out, "workload", s->of.workload);
        put_member(out, "machine", s->of.machine);
        put_member(out, "with", s->of.policy);
        put_member(out, "command", s->of.command);
        put_names(out);
        fprintf(out, ",\"frames\":[%s]}</script>\n<script>\n", s->text);
        put(out, byw_element_js);
        put(out, byw_scope_js);
        fputs("</script></body></html>\n", out);
        s->file = NULL;
        st = byw_file_commit(file, diag);
    }
    byw_scope_free(s);
    return st;
}
