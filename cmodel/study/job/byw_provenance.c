/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_provenance.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "byw_sources.h"
#include "common/byw_text.h"
#include "common/byw_version.h"
#include "trace/file/byw_trace_sum.h"

enum { TEXT_ROOM = 8192 };

const char *byw_provenance_build(void)
{
    return BYW_VERSION " " BYW_SOURCES;
}

static json_t *printable(const char *bytes)
{
    char text[BYW_TEXT_GROWTH * TEXT_ROOM];

    byw_text_printable(bytes, text, sizeof(text));
    return json_string(text);
}

static json_t *libraries(void)
{
    return json_sprintf("glibc %s, jansson %s, zstd %s, xxhash %u.%u.%u", gnu_get_libc_version(),
                        jansson_version_str(), ZSTD_versionString(), XXH_versionNumber() / 10000,
                        XXH_versionNumber() / 100 % 100, XXH_versionNumber() % 100);
}

json_t *byw_provenance_json(const char *command, const char *commit, const char *trace,
                            const char *sum)
{
    struct utsname about = {.nodename = ""};
    char own[BYW_TRACE_SUM_ROOM], started[32] = "";
    time_t now = time(NULL);
    struct tm utc;

    uname(&about);
    if (gmtime_r(&now, &utc) != NULL)
        strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (sum == NULL && byw_trace_sum(trace, own, NULL) == BYW_OK)
        sum = own;
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:s?, s:s, s:o, s:o, s:i, s:o}", "version",
                     BYW_VERSION, "commit", commit, "sources", BYW_SOURCES, "command",
                     printable(command), "trace", printable(trace), "trace_xxh128", sum, "started",
                     started, "host", printable(about.nodename), "system",
                     json_sprintf("%s %s %s", about.sysname, about.release, about.machine),
                     "processors", (int)sysconf(_SC_NPROCESSORS_ONLN), "libraries", libraries());
}
