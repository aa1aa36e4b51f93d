/* SPDX-License-Identifier: Apache-2.0 */
#include "study/page/byw_sheet.h"

#include <math.h>
#include <string.h>

#include "common/byw_html_head.h"
#include "study/page/byw_report_page.h"

/* Styles in addition to those of all pages. */
static const char style[] =
    "h2{margin-top:28px}td.bar{background-repeat:no-repeat;background-position:100% 50%}\n"
    "@media(max-width:600px){main{padding:18px 14px 40px}}\n";

void byw_sheet_begin(FILE *out, const char *title, const char *about)
{
    fputs(BYW_HTML_HEAD "<title>byway: ", out);
    byw_html_text(out, title);
    fputs("</title>\n<style>\n", out);
    byw_report_style(out);
    fputs(style, out);
    fputs("</style></head><body><main>\n<h1>", out);
    byw_html_text(out, title);
    fputs("</h1>\n<p class=\"soft\">", out);
    byw_html_text(out, about);
    fputs("</p>\n", out);
}

void byw_sheet_note(FILE *out, const char *text)
{
    fputs("<p class=\"note soft\">", out);
    byw_html_text(out, text);
    fputs("</p>\n", out);
}

void byw_sheet_table(FILE *out, const char *heading, const char *heads, unsigned left)
{
    fputs("<h2>", out);
    byw_html_text(out, heading);
    fputs("</h2>\n<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>", out);
    for (unsigned i = 0; *heads != '\0'; i++) {
        size_t length = strcspn(heads, "|");
        char head[64];

        snprintf(head, sizeof(head), "%.*s", (int)length, heads);
        fputs(i < left ? "<th class=\"left\">" : "<th>", out);
        byw_html_text(out, head);
        fputs("</th>", out);
        heads += length + (heads[length] == '|');
    }
    fputs("</tr></thead><tbody>", out);
}

void byw_sheet_row(FILE *out)
{
    fputs("\n<tr>", out);
}

void byw_sheet_text(FILE *out, const char *text, const char *title)
{
    fputs("<td class=\"left\"", out);
    if (title != NULL) {
        fputs(" title=\"", out);
        byw_html_text(out, title);
        fputs("\"", out);
    }
    fputs(">", out);
    byw_html_text(out, text);
    fputs("</td>", out);
}

void byw_sheet_number(FILE *out, double value, int decimals, double part)
{
    if (!isfinite(value)) {
        fputs("<td>-</td>", out);
        return;
    }
    if (part >= 0.0) {
        part = part > 1.0 ? 1.0 : part;
        fprintf(
            out,
            "<td class=\"bar\" style=\"background-image:linear-gradient(var(--line),var(--line));"
            "background-size:%.1f%% 72%%\">",
            100.0 * part);
    } else {
        fputs("<td>", out);
    }
    fprintf(out, "%.*f</td>", decimals, value);
}

void byw_sheet_table_end(FILE *out)
{
    fputs("\n</tbody></table></div>\n", out);
}

void byw_sheet_end(FILE *out)
{
    fputs("</main></body></html>\n", out);
}
