/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_html_head.h - the beginning of every HTML page. Its content security policy lets the page run
 * only scripts inside the file, and neither load nor send anything.
 */
#ifndef BYW_HTML_HEAD_H
#define BYW_HTML_HEAD_H

#define BYW_HTML_HEAD                                                                              \
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"                            \
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "                  \
    "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "                 \
    "base-uri 'none'; form-action 'none'\">"                                                       \
    "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"

#endif
