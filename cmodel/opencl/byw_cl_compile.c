/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/byw_cl_compile.h"

#include <dlfcn.h>
#include <errno.h>
#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "opencl/byw_cl_transform.h"

#ifndef BYW_CL_CLANG
#define BYW_CL_CLANG "clang"
#endif
#ifndef BYW_CL_LIBCLC
#define BYW_CL_LIBCLC "/usr/lib/clc/nvptx64--.bc"
#endif

#define BYW_CL_SELF ((const void *)front_words) /* an address in this library */
#define PATH_ROOM 512
#define WORDS_MOST 512

struct byw_cl_binary {
    void *handle;
    const struct byw_cl_export *export;
};

/* A folder for the files of one compilation, and their names. */
struct workshop {
    char folder[PATH_ROOM];
    char source[PATH_ROOM + 16], bitcode[PATH_ROOM + 16], host[PATH_ROOM + 16],
        object[PATH_ROOM + 16], errors[PATH_ROOM + 16], text[PATH_ROOM + 16],
        prelude[PATH_ROOM + 32];
    const char *want[5]; /* -D words for what is used of the prelude */
    size_t wants;
};

/* byw_cl_prelude.cl, for machines that have this library only. */
__asm__(".pushsection .rodata\n"
        "byw_cl_prelude_text:\n"
        ".incbin \"cmodel/opencl/byw_cl_prelude.cl\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char byw_cl_prelude_text[] __attribute__((visibility("hidden")));

static const char *clang_path(void)
{
    const char *path = getenv("BYWAY_CLANG");

    return path != NULL && *path != '\0' ? path : BYW_CL_CLANG;
}

static void make_folders(char *path)
{
    for (char *c = path + 1; *c != '\0'; c++)
        if (*c == '/') {
            *c = '\0';
            mkdir(path, 0777);
            *c = '/';
        }
    mkdir(path, 0777);
}

static enum byw_status cache_folder(char folder[PATH_ROOM], struct byw_diag *diag)
{
    const char *own = getenv("BYWAY_CACHE"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");

    if (own != NULL && *own != '\0')
        snprintf(folder, PATH_ROOM, "%s", own);
    else if (xdg != NULL && *xdg == '/')
        snprintf(folder, PATH_ROOM, "%s/byway", xdg);
    else
        snprintf(folder, PATH_ROOM, "%s/.cache/byway", home != NULL ? home : P_tmpdir);
    make_folders(folder);
    if (access(folder, W_OK) != 0)
        return byw_diag_set(diag, BYW_EIO, "%s: cannot write the cache of compiled kernels: %s",
                            folder, strerror(errno));
    return BYW_OK;
}

static enum byw_status open_workshop(struct workshop *w, const char *cache, struct byw_diag *diag)
{
    snprintf(w->folder, sizeof(w->folder), "%.400s/build.XXXXXX", cache);
    if (mkdtemp(w->folder) == NULL)
        return byw_diag_set(diag, BYW_EIO, "%s: %s", w->folder, strerror(errno));
    snprintf(w->source, sizeof(w->source), "%s/source.cl", w->folder);
    snprintf(w->bitcode, sizeof(w->bitcode), "%s/gpu.bc", w->folder);
    snprintf(w->host, sizeof(w->host), "%s/host.bc", w->folder);
    snprintf(w->object, sizeof(w->object), "%s/host.so", w->folder);
    snprintf(w->errors, sizeof(w->errors), "%s/errors", w->folder);
    snprintf(w->text, sizeof(w->text), "%s/text", w->folder);
    snprintf(w->prelude, sizeof(w->prelude), "%s/byw_cl_prelude.cl", w->folder);
    w->wants = 0;
    return BYW_OK;
}

static void close_workshop(struct workshop *w)
{
    unlink(w->source);
    unlink(w->bitcode);
    unlink(w->host);
    unlink(w->object);
    unlink(w->errors);
    unlink(w->text);
    unlink(w->prelude);
    rmdir(w->folder);
}

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0, used = 0, got = 0;

    do {
        char *more;

        used += got;
        if (room - used < 4096) {
            room = 2 * room + 8192;
            more = realloc(text, room);
            if (more == NULL)
                break;
            text = more;
        }
        got = file == NULL ? 0 : fread(text + used, 1, room - used - 1, file);
    } while (got > 0);
    if (text != NULL)
        text[used] = '\0';
    if (file != NULL)
        fclose(file);
    *size = used;
    return text;
}

static enum byw_status write_file(const char *path, const char *text, struct byw_diag *diag)
{
    FILE *file = fopen(path, "wb");
    size_t size = strlen(text);
    bool good = file != NULL && fwrite(text, 1, size, file) == size;

    if (file != NULL && fclose(file) != 0)
        good = false;
    return good ? BYW_OK : byw_diag_set(diag, BYW_EIO, "%s: cannot write", path);
}

/* Options of other vendors' compilers, and those that would keep clang from optimising. */
static bool is_dropped(const char *word)
{
    return strncmp(word, "-cl-nv-", 7) == 0 || strcmp(word, "-cl-opt-disable") == 0 ||
           strcmp(word, "-g") == 0 || strncmp(word, "-O", 2) == 0 ||
           strcmp(word, "-cl-kernel-arg-info") == 0;
}

/* Cuts the options at blanks, quotes kept together; words point into *text. */
static size_t split_options(char *text, char **word, size_t room)
{
    size_t count = 0;
    char *out = text;

    while (*text != '\0' && count + 1 < room) {
        char quote = '\0';

        while (*text == ' ' || *text == '\t' || *text == '\n')
            text++;
        if (*text == '\0')
            break;
        word[count] = out;
        for (; *text != '\0' && (quote != '\0' || strchr(" \t\n", *text) == NULL); text++) {
            if (quote == '\0' && (*text == '"' || *text == '\''))
                quote = *text;
            else if (quote != '\0' && *text == quote)
                quote = '\0';
            else
                *out++ = *text;
        }
        if (*text != '\0')
            text++;
        *out++ = '\0';
        count += !is_dropped(word[count]);
    }
    return count;
}

static size_t add_words(char **argv, size_t count, const char *const *word, size_t words)
{
    for (size_t i = 0; i < words; i++)
        argv[count++] = (char *)(uintptr_t)word[i];
    return count;
}

static const char *const front_words[] = {
    "-x",
    "cl",
    "-cl-std=CL1.2",
    "-Xclang",
    "-finclude-default-header",
    "-target",
    "nvptx64--",
    "-O2",
    "-gline-tables-only",
    "-fgnu89-inline",
    "-cl-kernel-arg-info",
    "-mllvm",
    "-inline-threshold=1000000",
    "-Xclang",
    "-cl-ext=+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,"
    "+cl_khr_byte_addressable_store,+cl_khr_fp64,+cl_khr_3d_image_writes",
    "-D__IMAGE_SUPPORT__=1",
    "-Xclang",
    "-mlink-bitcode-file",
    "-Xclang",
    BYW_CL_LIBCLC,
    "-I."};
static const char *const back_words[] = {"-x",
                                         "ir",
                                         "-O1",
                                         "-shared",
                                         "-fPIC",
                                         "-march=native",
                                         "-nostartfiles",
                                         "-Wl,-Bsymbolic",
                                         "-Wno-override-module"};
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* clang for the source in w->source: last words as given. */
static int run_front(struct workshop *w, const char *options, const char *const *last, size_t lasts,
                     const char *output)
{
    const char *const prelude[] = {"-include", w->prelude};
    char *argv[WORDS_MOST + 64], *copy = strdup(options), *word[WORDS_MOST];
    size_t count = 1, words;
    int status = -1;

    if (copy == NULL)
        return -1;
    words = split_options(copy, word, WORDS_MOST);
    argv[0] = (char *)(uintptr_t)clang_path();
    count = add_words(argv, count, front_words, COUNT(front_words));
    count = add_words(argv, count, (const char *const *)word, words);
    if (w->wants != 0) {
        count = add_words(argv, count, w->want, w->wants);
        count = add_words(argv, count, prelude, COUNT(prelude));
    }
    count = add_words(argv, count, last, lasts);
    argv[count++] = (char *)(uintptr_t) "-";
    argv[count] = NULL;
    status = byw_cl_command(argv, w->source, output, w->errors);
    free(copy);
    return status;
}

static int run_back(struct workshop *w)
{
    char *argv[32];
    size_t count = 1;
    const char *const last[] = {w->host, "-o", w->object, "-lm"};

    argv[0] = (char *)(uintptr_t)clang_path();
    count = add_words(argv, count, back_words, COUNT(back_words));
    count = add_words(argv, count, last, COUNT(last));
    argv[count] = NULL;
    return byw_cl_command(argv, NULL, NULL, w->errors);
}

/* Identity of this library: another build of it may generate other code. */
static void describe_self(char *text, size_t room)
{
    Dl_info info;
    struct stat file;

    if (dladdr(BYW_CL_SELF, &info) == 0 || stat(info.dli_fname, &file) != 0)
        memset(&file, 0, sizeof(file));
    snprintf(text, room, "%lld %lld %lld", (long long)file.st_size, (long long)file.st_mtim.tv_sec,
             (long long)file.st_mtim.tv_nsec);
}

/* Finds out what a program's text, its included files expanded, uses of the prelude. */
static enum byw_status choose_prelude(struct workshop *w, const char *text, struct byw_diag *diag)
{
    static const struct {
        const char *word, *define;
    } list[] = {{"half", "-DBYW_WANT_HALF"},
                {"mad_hi", "-DBYW_WANT_MAD_HI"},
                {"image", "-DBYW_WANT_IMAGE"}};

    for (size_t i = 0; i < COUNT(list); i++)
        if (strstr(text, list[i].word) != NULL)
            w->want[w->wants++] = list[i].define;
    return w->wants == 0 ? BYW_OK : write_file(w->prelude, byw_cl_prelude_text, diag);
}

/* Hash of all that decides the object.  Sources that include files are preprocessed for it. */
static enum byw_status hash_inputs(struct workshop *w, const char *source, const char *options,
                                   bool traced, char name[PATH_ROOM], struct byw_diag *diag)
{
    static const char *const last[] = {"-E"};
    char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures(), *text = NULL;
    size_t size;
    XXH64_hash_t hash;
    char head[4096], self[96];
    enum byw_status status;

    if (strstr(source, "#include") != NULL || strstr(options, "-include") != NULL) {
        if (run_front(w, options, last, 1, w->text) != 0)
            return byw_diag_set(diag, BYW_EFORMAT, "the program does not compile");
        text = read_file(w->text, &size);
    }
    status = choose_prelude(w, text != NULL ? text : source, diag);
    describe_self(self, sizeof(self));
    snprintf(head, sizeof(head), "%s %u %s %d %s %s", self, BYW_CL_VERSION, clang_path(), traced,
             cpu, features);
    hash = XXH64(head, strlen(head), 0);
    hash = XXH64(options, strlen(options), hash);
    hash = XXH64(source, strlen(source), hash);
    if (text != NULL)
        hash = XXH64(text, size, hash);
    snprintf(name, PATH_ROOM, "%016llx.so", (unsigned long long)hash);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    free(text);
    return status;
}

static enum byw_status load(const char *path, struct byw_cl_binary **binary, struct byw_diag *diag)
{
    struct byw_cl_binary *b = calloc(1, sizeof(*b));

    if (b == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory");
    b->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (b->handle != NULL)
        b->export = dlsym(b->handle, BYW_CL_EXPORT);
    if (b->export == NULL) {
        byw_diag_set(diag, BYW_EFORMAT, "%s: not a compiled program: %s", path, dlerror());
        byw_cl_binary_free(b);
        return BYW_EFORMAT;
    }
    *binary = b;
    return BYW_OK;
}

/* Builds w->object from w->source. */
static enum byw_status build(struct workshop *w, const char *options, bool traced,
                             struct byw_diag *diag)
{
    const char *const last[] = {"-emit-llvm", "-c", "-o", w->bitcode};
    enum byw_status status;
    int exit_status = run_front(w, options, last, COUNT(last), NULL);

    if (exit_status < 0)
        return byw_diag_set(diag, BYW_EUNSUPPORTED, "%s: cannot run clang", clang_path());
    if (exit_status != 0)
        return byw_diag_set(diag, BYW_EFORMAT, "the program does not compile");
    status = byw_cl_transform(w->bitcode, w->host, traced, diag);
    if (status == BYW_OK && run_back(w) != 0)
        status =
            byw_diag_set(diag, BYW_EUNSUPPORTED, "%s: cannot compile the host code", clang_path());
    return status;
}

enum byw_status byw_cl_compile(const char *source, const char *options, bool traced,
                               struct byw_cl_binary **binary, char **log, struct byw_diag *diag)
{
    struct workshop w;
    char cache[PATH_ROOM], name[PATH_ROOM], cached[2 * PATH_ROOM + 2];
    size_t size;
    enum byw_status status = cache_folder(cache, diag);

    *log = NULL;
    if (status == BYW_OK)
        status = open_workshop(&w, cache, diag);
    if (status != BYW_OK)
        return status;
    status = write_file(w.source, source, diag);
    if (status == BYW_OK)
        status = hash_inputs(&w, source, options, traced, name, diag);
    if (status == BYW_OK) {
        snprintf(cached, sizeof(cached), "%s/%s", cache, name);
        if (access(cached, R_OK) != 0) {
            status = build(&w, options, traced, diag);
            if (status == BYW_OK && rename(w.object, cached) != 0)
                status = byw_diag_set(diag, BYW_EIO, "%s: %s", cached, strerror(errno));
        }
        if (status == BYW_OK)
            status = load(cached, binary, diag);
    }
    *log = read_file(w.errors, &size);
    close_workshop(&w);
    return status;
}

void byw_cl_binary_free(struct byw_cl_binary *binary)
{
    if (binary == NULL)
        return;
    if (binary->handle != NULL)
        dlclose(binary->handle);
    free(binary);
}

const struct byw_cl_export *byw_cl_binary_export(const struct byw_cl_binary *binary)
{
    return binary->export;
}

const struct byw_cl_export_kernel *byw_cl_binary_kernel(const struct byw_cl_binary *binary,
                                                        unsigned index)
{
    const unsigned char *table = (const unsigned char *)binary->export;

    return (const struct byw_cl_export_kernel *)(const void *)(table +
                                                               sizeof(struct byw_cl_export)) +
           index;
}
