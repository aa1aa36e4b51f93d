/* SPDX-License-Identifier: Apache-2.0 */
#include "study/page/byw_report_page.h"

#include <stddef.h>

const char *const byw_report_style[] = {
    ":root{color-scheme:light dark;--ink:#1c1f23;--soft:#5b6470;--line:#dfe3e8;--paper:#fff;",
    "--card:#f6f7f9;--good:#009e73;--bad:#d55e00}\n",
    "@media(prefers-color-scheme:dark){:root{--ink:#e7e9ec;--soft:#a0a8b3;--line:#343a43;",
    "--paper:#15181c;--card:#1e2228}}\n",
    "*{box-sizing:border-box}\n",
    "body{margin:0;background:var(--paper);color:var(--ink);",
    "font:15px/1.5 system-ui,-apple-system,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif}\n",
    "main{max-width:1320px;margin:0 auto;padding:28px 24px 64px}\n",
    "h1{font-size:26px;line-height:1.25;margin:0 0 4px;font-weight:650}\n",
    "h2{font-size:17px;margin:36px 0 2px;font-weight:620}\n",
    "h1.machine{margin-top:56px;padding-top:14px;border-top:2px solid "
    "var(--line);font-size:22px}\n",
    "p{margin:4px 0 12px;max-width:90ch}.soft{color:var(--soft)}p.note{font-size:13px}\n",
    "a{color:inherit}\n",
    "code{font:13px ui-monospace,\"DejaVu Sans Mono\",monospace}\n",
    ".legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:6px 0 4px;font-size:13px}\n",
    ".legend i{display:inline-block;width:11px;height:11px;border-radius:2px;margin-right:6px}\n",
    ".legend i.bar{height:0;border-radius:0;border-top:2px dashed var(--soft);",
    "vertical-align:middle;width:18px}\n",
    ".scroll{overflow-x:auto}\n",
    "svg{display:block;width:100%;height:auto}\n",
    "svg text{fill:var(--soft);font-size:11.5px}\n",
    "svg .tick{text-anchor:end;font-variant-numeric:tabular-nums}\n",
    "svg .name{text-anchor:end;fill:var(--ink)}svg text.class{font-weight:600}",
    "svg text.cut{font-size:10px}\n",
    "svg .grid,svg line.class{stroke:var(--line)}\n",
    "svg .one{stroke:var(--soft);stroke-width:1.4;stroke-dasharray:5 4}\n",
    "svg .area{fill:transparent}svg .group:hover .area{fill:var(--line);opacity:.55}\n",
    "table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}\n",
    "th,td{padding:4px 10px;text-align:right;border-bottom:1px solid var(--line);",
    "white-space:nowrap}\n",
    "th{color:var(--soft);font-weight:600;vertical-align:bottom}\n",
    "th.left,td.left{text-align:left}td.first{border-left:1px solid var(--line)}\n",
    "th.first{border-left:1px solid var(--line)}tr.mean td{font-weight:600}\n",
    "table.text td{white-space:normal;vertical-align:top}\n",
    "tbody tr:hover td{background:var(--card)}\n",
    "details{margin:14px 0}summary{cursor:pointer;color:var(--soft)}\n",
    "#tip{position:fixed;pointer-events:none;display:none;background:var(--paper);",
    "border:1px solid var(--line);border-radius:6px;box-shadow:0 4px 18px #0003;",
    "padding:8px 11px;font-size:13px;z-index:9}\n",
    "#tip b{display:block}#tip span{display:flex;gap:8px;align-items:center}\n",
    "#tip i{width:10px;height:10px;border-radius:2px}#tip em{margin-left:auto;font-style:normal;",
    "padding-left:14px;font-variant-numeric:tabular-nums}#tip small{color:var(--soft)}\n",
    NULL,
};

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
