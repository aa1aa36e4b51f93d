/* SPDX-License-Identifier: Apache-2.0
 *
 * byway doctor: lists what is installed. For each missing part it says what that part enables and
 * which command installs it.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/byw_clang.h"
#include "capture/byw_nvcc.h"
#include "capture/byw_ready.h"
#include "capture/byw_toolkit.h"
#include "cli/byw_cli.h"
#include "common/byw_cache.h"
#include "common/byw_version.h"

enum { NAME = 16, TEXT = 1024 };

static unsigned missing_parts; /* printed in the last line */

static void found(const char *name, const char *version, const char *where)
{
    printf("ok  %-*s %s%s%s\n", NAME, name, version, *where != '\0' ? "  " : "", where);
}

static void lacks(const char *name, const char *enables, const char *command)
{
    printf("--  %-*s missing: %s\n    %-*s %s\n", NAME, name, enables, NAME, "", command);
    missing_parts++;
}

/* Finds the first number with a decimal point in a text; the search starts after the word `after`
 * if that occurs. */
static void version_in(const char *text, const char *after, char version[64])
{
    const char *at = strstr(text, after);

    at = at != NULL ? at + strlen(after) : text;
    while (*at != '\0' && !(isdigit((unsigned char)at[0]) && at[strspn(at, "0123456789")] == '.'))
        at++;
    snprintf(version, 64, "%.*s", (int)strspn(at, "0123456789.abcdefghijklmnopqrstuvwxyz+-"), at);
}

/* Asks a program for its version. */
static bool ask(const char *path, const char *option, const char *after, char version[64])
{
    const char *const argv[] = {path, option, NULL};
    char text[TEXT];

    if (!byw_clang_ask(argv, text, sizeof(text)))
        return false;
    version_in(text, after, version);
    return true;
}

/* --- capturing ------------------------------------------------------------------------------ */

static void show_capture(void)
{
    char folder[PATH_MAX], path[PATH_MAX], version[128] = "";
    struct byw_diag diag = {""};
    const char *library = byw_clang_library(false);
    enum byw_status st = byw_ready_runtime(folder, &diag);

    if (st == BYW_OK)
        found("capture", "libOpenCL, libcuda", folder);
    else
        lacks("capture", "capturing OpenCL and CUDA programs", "make deps-all && make");
    byw_clang_find(path);
    st = byw_clang_check(version, &diag);
    if (version[0] != '\0')
        found("clang", version, path);
    else
        lacks("clang", "capturing programs", "make deps-all");
    if (library != NULL)
        found("libclc", "", library);
    else
        lacks("libclc", "capturing programs", "make deps-all");
    if (st != BYW_OK && version[0] != '\0' && library != NULL)
        printf("    %-*s %s\n", NAME, "", diag.text);
}

static void show_tool(const char *name, const char *path, const char *enables, const char *command)
{
    char version[64];

    if (path != NULL && ask(path, "--version", "release ", version))
        found(name, version, path);
    else
        lacks(name, enables, command);
}

static void show_cuda(void)
{
    static const char *const tools[][2] = {
        {"ptxas", "registers per thread as NVIDIA's assembler assigns them"},
        {"nvdisasm", "machine code of CUDA programs in readable form"}};
    char path[PATH_MAX];

    byw_nvcc_find(path);
    show_tool("nvcc", path, "compiling CUDA programs (byway nvcc)", "make deps-cuda");
    for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
        show_tool(tools[i][0], byw_toolkit_find(tools[i][0], path) ? path : NULL, tools[i][1],
                  "make deps-cuda");
}

/* Shows the Python packages whose programs byway captures. */
static void show_python(void)
{
    static const struct {
        const char *name, *enables, *command;
    } packages[] = {{"numpy", "Python programs", "pip install numpy"},
                    {"pyopencl", "capturing OpenCL programs in Python", "pip install pyopencl"},
                    {"numba", "capturing CUDA kernels of Numba", "pip install numba numba-cuda"},
                    {"cupy", "capturing CuPy", "pip install cupy-cuda13x"},
                    {"triton", "capturing kernels of Triton", "pip install triton"}};
    static const char script[] =
        "import importlib.util as u, importlib.metadata as m, sys\n"
        "for n in sys.argv[1:]:\n"
        "    if u.find_spec(n):\n"
        "        d = m.packages_distributions().get(n) if hasattr(m, 'packages_distributions') "
        "else [n]\n"
        "        try: print(n, m.version(d[0] if d else n))\n"
        "        except Exception: print(n, '-')\n";
    const char *own = getenv("BYWAY_PYTHON");
    const char *python = own != NULL && *own != '\0' ? own : "python3";
    const char *argv[5 + sizeof(packages) / sizeof(packages[0])] = {python, "-c", script};
    char text[TEXT], version[64];

    if (!ask(python, "--version", "Python ", version)) {
        lacks("python3", "capturing Python programs", "apt-get install python3");
        return;
    }
    found("python3", version, python);
    for (size_t i = 0; i < sizeof(packages) / sizeof(packages[0]); i++)
        argv[3 + i] = packages[i].name;
    if (!byw_clang_ask(argv, text, sizeof(text)))
        text[0] = '\0';
    for (size_t i = 0; i < sizeof(packages) / sizeof(packages[0]); i++) {
        char word[32];
        const char *at;

        snprintf(word, sizeof(word), "%s ", packages[i].name);
        at = strstr(text, word);
        if (at != NULL)
            printf("ok  %-*s %.*s\n", NAME, packages[i].name, (int)strcspn(at + strlen(word), "\n"),
                   at + strlen(word));
        else
            lacks(packages[i].name, packages[i].enables, packages[i].command);
    }
}

/* --- simulating ------------------------------------------------------------------------------ */

static void show_libraries(void)
{
#ifdef HAVE_SQLITE3
    found("sqlite", "built in", "");
#else
    lacks("sqlite", "sweep results as a database (byway merge)",
          "apt-get install libsqlite3-dev && make");
#endif
#ifdef HAVE_LZMA
    found("lzma", "built in", "");
#else
    lacks("lzma", "Accel-Sim traces compressed by xz", "apt-get install liblzma-dev && make");
#endif
#ifdef HAVE_LZ4
    found("lz4", "built in", "");
#else
    lacks("lz4", "CUDA programs whose PTX nvcc compressed by LZ4",
          "apt-get install liblz4-dev && make");
#endif
}

static void show_programs(void)
{
    static const struct {
        const char *name, *option, *enables, *command;
    } list[] = {{"verilator", "--version", "the RTL in the simulator (byway run --l1d rtl)",
                 "apt-get install verilator && make rtl-sim"},
                {"patch", "--version", "applying what byway advise --patch writes",
                 "apt-get install patch"},
                {"dot", "-V", "drawing graphs (byway advise --dot)", "apt-get install graphviz"},
                {"sbatch", "--version", "sweeps on a cluster (byway sweep --engine slurm)",
                 "apt-get install slurm-client"}};
    char path[PATH_MAX], version[64];

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (!byw_clang_on_path(list[i].name, path))
            lacks(list[i].name, list[i].enables, list[i].command);
        else if (ask(path, list[i].option, "", version))
            found(list[i].name, version, path);
        else
            found(list[i].name, "", path);
}

static void show_cache(void)
{
    char folder[BYW_CACHE_PATH], text[64];
    struct byw_cache_use use;
    struct byw_diag diag = {""};

    if (byw_ready_cache(&diag) != BYW_OK || byw_cache_look(&use, &diag) != BYW_OK ||
        byw_cache_folder(BYW_CACHE_KERNELS, false, folder, &diag) != BYW_OK) {
        lacks("cache", "compiled kernels and decoded traces are not kept", diag.text);
        return;
    }
    snprintf(text, sizeof(text), "%.1f of %.0f MB", (double)(use.bytes[0] + use.bytes[1]) / 1e6,
             (double)use.limit / 1e6);
    found("cache", text, folder);
}

static void show_cores(void)
{
    char text[64];

    snprintf(text, sizeof(text), "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    found("processors", text, "runs at a time, unless -j says otherwise");
}

int byw_cmd_doctor(int argc, char **argv)
{
    bool wants_help = false;
    const struct byw_option options[] = {
        {"help", 'h', NULL, "this text", .flag = &wants_help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    struct byw_diag diag = {""};
    enum byw_status st = byw_args_parse(options, count, argc, argv, NULL, 0, NULL, &diag);

    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    if (wants_help) {
        puts("usage: byway doctor\n\n"
             "Shows what is installed, with versions; for each missing part what it enables\n"
             "and the command that gets it.  Simulating needs none of them.  Exit code 0.\n");
        byw_args_help(stdout, options, count);
        return BYW_EXIT_OK;
    }
    missing_parts = 0;
    printf("byway " BYW_VERSION " (%s), built with LLVM %s\n", byw_cli_commit(),
           *byw_clang_version() != '\0' ? byw_clang_version() : "missing");
    show_capture();
    show_cuda();
    show_python();
    show_libraries();
    show_programs();
    show_cache();
    show_cores();
    printf("%u missing\n", missing_parts);
    return BYW_EXIT_OK;
}
