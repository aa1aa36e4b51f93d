/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/byw_machine_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_html_head.h"
#include "study/page/byw_report_page.h"

#define TIP_ROOM 200

/* What the machine instructions of one line of the source, or of one PTX instruction, add up to. */
struct sum {
    uint32_t instructions, cycles;
};

static const char page_style[] =
    ".code{font:12.5px/1.45 ui-monospace,\"DejaVu Sans Mono\",monospace}"
    ".sides{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,4fr) minmax(0,5fr);gap:14px}"
    "main{max-width:1800px}.side{overflow:auto;max-height:82vh;border:1px solid var(--line)}"
    ".side table{width:100%;font:inherit}.side td,.side th{padding:1px 7px}"
    ".side td.t{text-align:left;white-space:pre}.side th{position:sticky;top:0;"
    "background:var(--paper)}.side td.n{color:var(--soft)}"
    "tr.on td{background:var(--new)!important}td.w{font-weight:650}"
    "h1{overflow-wrap:anywhere}@media(max-width:900px){.sides{grid-template-columns:minmax(0,1fr)}"
    "main{padding:18px 14px 40px}.side{max-height:60vh}}"
    "i.s{display:inline-block;height:9px;background:var(--q5);vertical-align:middle}";

/* Rows of the three sides have the source line and PTX numbers that they belong to; the mouse over
 * a row marks its relatives. */
static const char page_script[] =
    "document.querySelectorAll('.sides').forEach(s=>{const r=[...s.querySelectorAll('tbody tr')];"
    "const f=(t,k,v)=>v!=='0'&&t.dataset[k]===v;"
    "s.addEventListener('mouseover',e=>{const t=e.target.closest('tbody tr');if(!t)return;"
    "const p=t.dataset.p,l=t.dataset.l;r.forEach(x=>x.classList.toggle('on',"
    "x===t||(p&&x.dataset.p?f(x,'p',p):f(x,'l',l))));});"
    "s.addEventListener('click',e=>{const t=e.target.closest('tbody tr');if(!t)return;"
    "s.querySelectorAll('.side').forEach(d=>{if(d.contains(t))return;"
    "const o=d.querySelector('tr.on');if(o)d.scrollTop=o.offsetTop-60;});});});";

void byw_machine_page_begin(FILE *out, const struct byw_machine_text *text)
{
    fputs(BYW_HTML_HEAD "<title>machine code of ", out);
    byw_html_text(out, text->path);
    fputs("</title><style>", out);
    byw_report_style(out);
    fprintf(out, "%s</style></head><body><main><h1>", page_style);
    byw_html_text(out, text->path);
    fputs(
        "</h1><p>Source, PTX and machine code. A bar is the time for which the warp issues nothing "
        "after the instruction, by the assembler's schedule. <b>waits</b> names the instructions "
        "whose results or operands are waited for, loads in bold; how long that takes depends on "
        "caches and "
        "memory. Point at a row to mark its relatives, click to bring them into view.</p>",
        out);
}

void byw_machine_page_end(FILE *out)
{
    fprintf(out, "</main><script>%s</script></body></html>\n", page_script);
}

/* The lines of a file, each ended by NUL; NULL: it cannot be read. */
static char *read_source(const char *path, size_t *lines)
{
    FILE *file = path != NULL ? fopen(path, "rb") : NULL;
    char *text = NULL, *line = NULL;
    size_t room = 0, length = 0;
    ssize_t got;

    *lines = 0;
    while (file != NULL && (got = getline(&line, &room, file)) >= 0) {
        char *longer = realloc(text, length + (size_t)got + 1);

        if (longer == NULL)
            break;
        text = longer;
        line[strcspn(line, "\r\n")] = '\0';
        memcpy(text + length, line, strlen(line) + 1);
        length += strlen(line) + 1;
        ++*lines;
    }
    free(line);
    if (file != NULL)
        fclose(file);
    return text;
}

/* The file that most machine instructions come from; NULL: unknown. */
static const char *main_file(const struct byw_machine_text *text, const struct byw_machine *m)
{
    uint32_t *count = calloc(text->numbered.files + 1u, sizeof(*count)), best = 0;

    for (uint32_t i = 0; count != NULL && i < m->count; i++)
        if (m->inst[i].line > 0 && m->inst[i].line <= text->numbered.count &&
            m->inst[i].source > 0) {
            uint32_t file = text->numbered.place[m->inst[i].line - 1].file;

            if (file < text->numbered.files && ++count[file] > count[best])
                best = file;
        }
    free(count);
    return best < text->numbered.files ? text->numbered.file[best] : NULL;
}

static void begin_side(FILE *out, const char *heads)
{
    fprintf(out, "<div class=\"side\"><table><thead><tr>%s</tr></thead><tbody>\n", heads);
}

static void end_side(FILE *out)
{
    fputs("</tbody></table></div>\n", out);
}

static void put_sum(FILE *out, const struct sum *sum)
{
    if (sum->instructions > 0)
        fprintf(out, "<td>%" PRIu32 "</td><td>%" PRIu32 "</td>", sum->instructions, sum->cycles);
    else
        fputs("<td></td><td></td>", out);
}

static void put_source(FILE *out, const struct byw_machine_text *text, const struct byw_machine *m,
                       const struct sum *sum, uint32_t most)
{
    const char *path = main_file(text, m);
    size_t lines, first = 0, last = 0;
    char *source = read_source(path, &lines), *line = source;

    begin_side(out, "<th>line</th><th>inst</th><th>cycles</th><th class=\"left\">source</th>");
    for (uint32_t i = 1; i <= most; i++)
        if (sum[i].instructions > 0) {
            first = first == 0 ? i : first;
            last = i;
        }
    for (size_t i = 1; i <= last; i++) {
        if (i + 4 >= first) {
            fprintf(out, "<tr data-l=\"%zu\"><td class=\"n\">%zu</td>", i, i);
            put_sum(out, &sum[i]);
            fputs("<td class=\"t\">", out);
            byw_html_text(out, i <= lines ? line : "");
            fputs("</td></tr>\n", out);
        }
        if (i <= lines)
            line += strlen(line) + 1;
    }
    end_side(out);
    free(source);
}

static void put_ptx(FILE *out, const struct byw_machine_text *text, const struct sum *sum)
{
    uint32_t first = 0, last = 0;

    begin_side(out, "<th>#</th><th>inst</th><th>cycles</th><th class=\"left\">PTX</th>");
    for (uint32_t i = 1; i <= text->numbered.count; i++)
        if (sum[i].instructions > 0) {
            first = first == 0 ? i : first;
            last = i;
        }
    for (uint32_t i = first; i > 0 && i <= last; i++) {
        const struct byw_numbering_place *place = &text->numbered.place[i - 1];
        char *copy = strndup(text->text + place->at, place->length);

        fprintf(out,
                "<tr data-p=\"%" PRIu32 "\" data-l=\"%" PRIu32 "\"><td class=\"n\">%" PRIu32
                "</td>",
                i, place->line, i);
        put_sum(out, &sum[i]);
        fputs("<td class=\"t\">", out);
        for (char *c = copy; c != NULL && *c != '\0'; c++)
            *c = strchr("\t\r\n", *c) != NULL ? ' ' : *c;
        byw_html_text(out, copy != NULL ? copy : "");
        fputs("</td></tr>\n", out);
        free(copy);
    }
    end_side(out);
}

/* The instructions before `at` that set the barriers it waits for, as "load 13". */
static void waited_for(const struct byw_machine *m, uint32_t at, char tip[TIP_ROOM])
{
    size_t length = 0;

    tip[0] = '\0';
    for (unsigned b = 0; b < BYW_MACHINE_BARRIERS; b++) {
        uint32_t i = at;

        if ((m->inst[at].wait >> b & 1) == 0)
            continue;
        while (i > 0 && m->inst[i - 1].write_barrier != b && m->inst[i - 1].read_barrier != b)
            i--;
        if (i > 0 && length < TIP_ROOM)
            length += (size_t)snprintf(tip + length, TIP_ROOM - length, "%s%s %" PRIu32,
                                       length > 0 ? ", " : "",
                                       byw_machine_op_name(m->inst[i - 1].op), i - 1);
    }
}

static void put_machine(FILE *out, const struct byw_machine *m, uint32_t count)
{
    char tip[TIP_ROOM], detail[32];

    begin_side(out, "<th>index</th><th class=\"left\">kind</th><th class=\"left\">unit</th>"
                    "<th>bytes</th><th class=\"left\">stall</th><th class=\"left\">sets</th>"
                    "<th class=\"left\">waits</th><th>to</th>");
    for (uint32_t i = 0; i < count; i++) {
        const struct byw_machine_inst *inst = &m->inst[i];

        waited_for(m, i, tip);
        fprintf(out,
                "<tr data-p=\"%" PRIu32 "\" data-l=\"%" PRIu32 "\"><td class=\"n\">%" PRIu32
                "</td><td class=\"t\">%s%s</td><td class=\"t\">%s</td>",
                inst->line, inst->source, i, byw_machine_op_name(inst->op),
                (inst->flags & BYW_MACHINE_PREDICATED) != 0 ? " ?" : "",
                byw_machine_unit_name(byw_machine_op_unit(inst->op)));
        detail[0] = '\0';
        if (inst->width > 0 && !byw_machine_op_has_barrier(inst->op))
            snprintf(detail, sizeof(detail), "%d", inst->width);
        fprintf(out, "<td>%s</td><td class=\"t\"><i class=\"s\" style=\"width:%dpx\"></i> %d</td>",
                detail, inst->stall * 3, inst->stall);
        detail[0] = '\0';
        if (inst->write_barrier != BYW_MACHINE_NO_BARRIER)
            snprintf(detail, sizeof(detail), "w%d ", inst->write_barrier);
        if (inst->read_barrier != BYW_MACHINE_NO_BARRIER)
            snprintf(detail + strlen(detail), sizeof(detail) - strlen(detail), "r%d",
                     inst->read_barrier);
        fprintf(out, "<td class=\"t\">%s</td><td class=\"t%s\">%s</td>", detail,
                strncmp(tip, "load ", 5) == 0 || strstr(tip, " load ") != NULL ? " w" : "", tip);
        if (inst->target != BYW_MACHINE_NO_TARGET)
            fprintf(out, "<td>%" PRIu32 "</td></tr>\n", inst->target);
        else
            fputs("<td></td></tr>\n", out);
    }
    end_side(out);
}

void byw_machine_page_kernel(FILE *out, const struct byw_machine_text *text,
                             const struct byw_cubin_code *code)
{
    const struct byw_machine *m = &code->machine;
    uint32_t count = byw_machine_used(m), most = 0, numbers = text->numbered.count;
    struct sum *source, *ptx;

    for (uint32_t i = 0; i < count; i++)
        most = m->inst[i].source > most ? m->inst[i].source : most;
    source = calloc((size_t)most + 1, sizeof(*source));
    ptx = calloc((size_t)numbers + 1, sizeof(*ptx));
    for (uint32_t i = 0; source != NULL && ptx != NULL && i < count; i++) {
        const struct byw_machine_inst *inst = &m->inst[i];
        struct sum *sums[2] = {&source[inst->source], &ptx[inst->line <= numbers ? inst->line : 0]};

        for (unsigned s = 0; s < 2; s++) {
            sums[s]->instructions++;
            sums[s]->cycles += inst->stall > 0 ? inst->stall : 1;
        }
    }
    fputs("<h2>", out);
    byw_html_text(out, code->name);
    fprintf(out,
            "</h2><p class=\"soft\">sm_%" PRIu32 ", %" PRIu32 " instructions, %" PRIu32
            " registers per thread</p><div class=\"sides code\">\n",
            m->arch, count, m->registers);
    if (source != NULL && ptx != NULL) {
        put_source(out, text, m, source, most);
        put_ptx(out, text, ptx);
        put_machine(out, m, count);
    }
    fputs("</div>\n", out);
    free(source);
    free(ptx);
}
