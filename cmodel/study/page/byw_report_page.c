/* SPDX-License-Identifier: Apache-2.0 */
#include "study/page/byw_report_page.h"

#include <stddef.h>

#include "byw_page_text.h"

void byw_report_style(FILE *out)
{
    for (const char *const *line = byw_palette_css; *line != NULL; line++)
        fputs(*line, out);
    for (const char *const *line = byw_report_css; *line != NULL; line++)
        fputs(*line, out);
}

void byw_html_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}
