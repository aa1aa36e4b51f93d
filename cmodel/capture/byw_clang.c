/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/byw_clang.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "byw_llvm.h" /* BYW_LLVM_VERSION, made by capture.mk */

#define ENV_CLANG "BYWAY_CLANG"

static bool is_program(const char *path)
{
    struct stat about;

    return access(path, X_OK) == 0 && stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool byw_clang_on_path(const char *name, char path[PATH_MAX])
{
    const char *list = getenv("PATH");

    while (list != NULL && *list != '\0') {
        size_t n = strcspn(list, ":");

        if (n != 0 && snprintf(path, PATH_MAX, "%.*s/%s", (int)n, list, name) < PATH_MAX &&
            is_program(path))
            return true;
        list += n + (list[n] == ':');
    }
    return false;
}

void byw_clang_find(char path[PATH_MAX])
{
    const char *own = getenv(ENV_CLANG);

    if (own != NULL && *own != '\0') {
        if (strchr(own, '/') != NULL || !byw_clang_on_path(own, path))
            snprintf(path, PATH_MAX, "%s", own);
        return;
    }
    if (byw_clang_on_path("clang-" BYW_LLVM_VERSION, path))
        return;
    snprintf(path, PATH_MAX, "/usr/lib/llvm-" BYW_LLVM_VERSION "/bin/clang");
    if (!is_program(path) && !byw_clang_on_path("clang", path))
        snprintf(path, PATH_MAX, "clang-" BYW_LLVM_VERSION);
}

const char *byw_clang_library(bool nvidia)
{
    static const char *const list[][2] = {
        {"/usr/lib/clc/nvptx64--.bc", "/usr/lib/clc/nvptx64--nvidiacl.bc"},
        {"/usr/share/clc/nvptx64--.bc", "/usr/share/clc/nvptx64--nvidiacl.bc"},
        {"/usr/lib/llvm-" BYW_LLVM_VERSION "/share/clc/nvptx64--.bc",
         "/usr/lib/llvm-" BYW_LLVM_VERSION "/share/clc/nvptx64--nvidiacl.bc"},
        {"/usr/lib/llvm-" BYW_LLVM_VERSION "/lib/clc/nvptx64--.bc",
         "/usr/lib/llvm-" BYW_LLVM_VERSION "/lib/clc/nvptx64--nvidiacl.bc"}};

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (access(list[i][nvidia], R_OK) == 0)
            return list[i][nvidia];
    return NULL;
}

const char *byw_clang_version(void)
{
    return BYW_LLVM_VERSION;
}

bool byw_clang_ask(const char *const argv[], char *text, size_t room)
{
    int ends[2], status;
    size_t used = 0;
    ssize_t got;
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    child = fork();
    if (child == 0) {
        int nothing = open("/dev/null", O_RDWR);

        dup2(nothing, 0);
        dup2(ends[1], 1);
        dup2(nothing, 2);
        execvp(argv[0], (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    close(ends[1]);
    while (child > 0 && used + 1 < room &&
           ((got = read(ends[0], text + used, room - 1 - used)) > 0 || (got < 0 && errno == EINTR)))
        used += got > 0 ? (size_t)got : 0;
    close(ends[0]); /* if the program prints more, SIGPIPE may end it */
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    text[used] = '\0';
    return child > 0 && text[0] != '\0';
}

enum byw_status byw_clang_check(char text[128], struct byw_diag *diag)
{
    const char *own = getenv(ENV_CLANG), *at;
    bool chosen = own != NULL && *own != '\0';
    const char *const by = chosen ? " (" ENV_CLANG ")" : "";
    char path[PATH_MAX], line[128];
    const char *const ask[] = {path, "--version", NULL};

    if (text != NULL)
        text[0] = '\0';
    byw_clang_find(path);
    if (!is_program(path))
        return byw_diag_set(diag, BYW_ENOENT,
                            "%s%s: no such program; kernels are compiled by clang %s: apt-get "
                            "install clang-%s, or name it in " ENV_CLANG,
                            path, by, BYW_LLVM_VERSION, BYW_LLVM_VERSION);
    if (!byw_clang_ask(ask, line, sizeof(line)) || (at = strstr(line, "clang version ")) == NULL)
        return byw_diag_set(diag, BYW_ENOENT,
                            "%s%s: cannot be run, or is not clang; expected clang %s", path, by,
                            BYW_LLVM_VERSION);
    at += strlen("clang version ");
    if (text != NULL)
        snprintf(text, 128, "%.*s", (int)strcspn(at, " \n"), at);
    if (!chosen && BYW_LLVM_VERSION[0] != '\0' && atoi(at) != atoi(BYW_LLVM_VERSION))
        return byw_diag_set(diag, BYW_ENOENT,
                            "%s: is version %d, but this byway was built with LLVM %s: apt-get "
                            "install clang-%s, or make clean and build byway again",
                            path, atoi(at), BYW_LLVM_VERSION, BYW_LLVM_VERSION);
    if (byw_clang_library(false) == NULL)
        return byw_diag_set(diag, BYW_ENOENT,
                            "no nvptx64--.bc below /usr/lib/clc: OpenCL C's library is missing: "
                            "apt-get install libclc-%s",
                            BYW_LLVM_VERSION);
    return BYW_OK;
}
