/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/compile/byw_cl_workshop.h"
#include "capture/byw_cl_command.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "capture/byw_clang.h"
#include "capture/compile/byw_cl_compile.h"
#include "capture/compile/byw_cl_transform.h"
#include "capture/machine/byw_ptxas.h"
#include "common/byw_array.h"

#define WORDS_MOST 512
#define FULL 65536u /* free bytes below which clang cannot write its output */
#define NOT_STARTED 127 /* exit status of a child that could not start the program */
/* Larger programs (in IR instructions) are compiled for the host without optimisation, which takes
 * a twentieth of the time; their IR has already been optimised for the GPU. */
#define GIANT 16384u

/* The prelude, embedded so that this library is the only file needed. */
__asm__(".pushsection .rodata\n"
        "byw_cl_prelude_text:\n"
        ".incbin \"cmodel/capture/compile/byw_cl_prelude.cl\"\n"
        ".incbin \"cmodel/capture/compile/byw_cl_prelude_half.cl\"\n"
        ".incbin \"cmodel/capture/compile/byw_cl_prelude_groups.cl\"\n"
        ".incbin \"cmodel/capture/compile/byw_cl_prelude_lanes.cl\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char byw_cl_prelude_text[] __attribute__((visibility("hidden")));

/* Looked up once per process. */
static struct {
    pthread_once_t once;
    char clang[PATH_MAX];
} tools = {.once = PTHREAD_ONCE_INIT};

static void find_tools(void)
{
    byw_clang_find(tools.clang);
}

const char *byw_cl_clang(void)
{
    pthread_once(&tools.once, find_tools);
    return tools.clang;
}

const char *byw_cl_library(void)
{
    const char *library = byw_clang_library(false);

    return library != NULL ? library : "/usr/lib/clc/nvptx64--.bc";
}

enum byw_status byw_cl_workshop_open(struct byw_cl_workshop *w, const char *cache,
                                     struct byw_diag *diag)
{
    snprintf(w->folder, sizeof(w->folder), "%.400s/build.XXXXXX", cache);
    if (mkdtemp(w->folder) == NULL)
        return byw_diag_set(diag, BYW_EIO, "%s: %s", w->folder, strerror(errno));
    snprintf(w->source, sizeof(w->source), "%s/source.cl", w->folder);
    snprintf(w->bitcode, sizeof(w->bitcode), "%s/gpu.bc", w->folder);
    snprintf(w->unrolled, sizeof(w->unrolled), "%s/unrolled.bc", w->folder);
    snprintf(w->host, sizeof(w->host), "%s/host.bc", w->folder);
    snprintf(w->compiled, sizeof(w->compiled), "%s/host.o", w->folder);
    snprintf(w->object, sizeof(w->object), "%s/host.so", w->folder);
    snprintf(w->frames, sizeof(w->frames), "%s/host.su", w->folder); /* clang chooses the name */
    snprintf(w->errors, sizeof(w->errors), "%s/errors", w->folder);
    snprintf(w->ptx, sizeof(w->ptx), "%s/gpu.ptx", w->folder);
    snprintf(w->report, sizeof(w->report), "%s/report", w->folder);
    snprintf(w->text, sizeof(w->text), "%s/text", w->folder);
    snprintf(w->input, sizeof(w->input), "%s/input.cl", w->folder);
    snprintf(w->prelude, sizeof(w->prelude), "%s/byw_cl_prelude.cl", w->folder);
    w->wants = 0;
    w->rounds = false;
    w->sweeper = byw_cl_sweeper_start(w->folder);
    return BYW_OK;
}

void byw_cl_workshop_close(struct byw_cl_workshop *w)
{
    unlink(w->source);
    unlink(w->input);
    unlink(w->bitcode);
    unlink(w->unrolled);
    unlink(w->host);
    unlink(w->compiled);
    unlink(w->object);
    unlink(w->frames);
    unlink(w->errors);
    unlink(w->ptx);
    unlink(w->report);
    unlink(w->text);
    unlink(w->prelude);
    rmdir(w->folder);
    byw_cl_sweeper_end(w->sweeper);
}

char *byw_cl_read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0, used = 0, got = 0;

    do {
        used += got;
        if (!BYW_ARRAY_ROOM(text, room, used + 4096))
            break;
        got = file == NULL ? 0 : fread(text + used, 1, room - used - 1, file);
    } while (got > 0);
    if (text != NULL)
        text[used] = '\0';
    if (file != NULL)
        fclose(file);
    *size = used;
    return text;
}

enum byw_status byw_cl_write_file(const char *path, const void *data, size_t size,
                                  struct byw_diag *diag)
{
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(data, 1, size, file) == size;

    int error = good ? 0 : errno;

    if (file != NULL && fclose(file) != 0) {
        error = errno;
        good = false;
    }
    return good ? BYW_OK
                : byw_diag_set(diag, BYW_EIO, "%s: cannot write: %s", path, strerror(error));
}

/* Options of other vendors' compilers, and those that would disable clang's optimisation. */
static bool is_dropped(const char *word)
{
    return strncmp(word, "-cl-nv-", 7) == 0 || strcmp(word, "-cl-opt-disable") == 0 ||
           strcmp(word, "-g") == 0 || strncmp(word, "-O", 2) == 0 ||
           strcmp(word, "-cl-kernel-arg-info") == 0;
}

/* Splits the options at blanks, except in quotes; words point into *text. */
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
            if (*text == '\\' && (text[1] == '"' || text[1] == '\'' || text[1] == '\\'))
                *out++ = *++text;
            else if (quote == '\0' && (*text == '"' || *text == '\''))
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

/* Moves -D and -U from the words to lines of C (room for the options and 16 bytes per word);
 * returns the remaining words. */
static size_t take_macros(char **word, size_t words, char *lines)
{
    size_t left = 0;

    for (size_t i = 0; i < words; i++) {
        bool define = strncmp(word[i], "-D", 2) == 0;
        char *name = word[i] + 2, *value;

        if (!define && strncmp(word[i], "-U", 2) != 0) {
            word[left++] = word[i];
            continue;
        }
        if (*name == '\0' && i + 1 < words)
            name = word[++i];
        value = strchr(name, '=');
        if (value != NULL)
            *value = ' ';
        lines += sprintf(lines, "#%s %s%s\n", define ? "define" : "undef", name,
                         define && value == NULL ? " 1" : "");
    }
    *lines = '\0';
    return left;
}

/* Writes the text that clang reads. The program's own macros come after the prelude's headers,
 * which they must not change (-DN=16, -Ddepth=3). A header named by -include may need the
 * macros. */
static enum byw_status write_input(struct byw_cl_workshop *w, char **word, size_t *words,
                                   size_t length, const char **input, struct byw_diag *diag)
{
    static const char first_line[] = "#line 1 \"<stdin>\"\n";
    size_t size, room = length + 16 * *words + sizeof(first_line);
    char *source = byw_cl_read_file(w->source, &size), *text;
    enum byw_status status = BYW_ENOMEM;

    *input = w->source;
    for (size_t i = 0; i < *words; i++)
        if (strncmp(word[i], "-include", 8) == 0) {
            free(source);
            return BYW_OK;
        }
    text = malloc(room + size);
    if (text != NULL && source != NULL) {
        *words = take_macros(word, *words, text);
        strcat(text, first_line);
        length = strlen(text);
        memcpy(text + length, source, size);
        status = byw_cl_write_file(w->input, text, length + size, diag);
        *input = w->input;
    }
    free(source);
    free(text);
    return status == BYW_ENOMEM ? byw_diag_set(diag, status, "out of memory") : status;
}

/* Whether the options ask for OpenCL C 2.0 or later. */
static bool is_newer(char *const *word, size_t words)
{
    for (size_t i = 0; i < words; i++)
        if (strncmp(word[i], "-cl-std=", 8) == 0 && strpbrk(word[i] + 8, "23+") != NULL &&
            strstr(word[i], "1.") == NULL)
            return true;
    return false;
}

/* Whether they ask for a version before 1.2, which has no `extern`. */
static bool is_older(char *const *word, size_t words)
{
    for (size_t i = 0; i < words; i++)
        if (strcmp(word[i], "-cl-std=CL1.0") == 0 || strcmp(word[i], "-cl-std=CL1.1") == 0)
            return true;
    return false;
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
    "-gline-tables-only",
    "-fgnu89-inline",
    "-cl-kernel-arg-info",
    "-Wno-unused-command-line-argument",
    "-Wno-atomic-alignment",
    "-Xclang",
    "-cl-ext=+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,"
    "+cl_khr_byte_addressable_store,+cl_khr_fp64,+cl_khr_3d_image_writes,+cl_khr_subgroups,"
    "+__opencl_c_fp64,+__opencl_c_3d_image_writes,+__opencl_c_images,+__opencl_c_subgroups,"
    "+__opencl_c_generic_address_space,+__opencl_c_read_write_images,"
    "+__opencl_c_program_scope_global_variables",
    "-D__IMAGE_SUPPORT__=1",
    "-D__OPENCL_VERSION__=300",
    "-I."};
/* Declarations for OpenCL C 2.0 and later that clang's header lacks for this target. */
static const char *const newer_words[] = {"-D__opencl_c_work_group_collective_functions=1",
                                          "-D__opencl_c_atomic_order_acq_rel=1",
                                          "-D__opencl_c_atomic_order_seq_cst=1",
                                          "-D__opencl_c_atomic_scope_device=1",
                                          "-D__opencl_c_atomic_scope_all_devices=1",
                                          "-D__opencl_c_integer_dot_product_input_4x8bit=1",
                                          "-D__opencl_c_integer_dot_product_input_4x8bit_packed=1",
                                          "-Dcl_khr_integer_dot_product=1",
                                          "-Dcl_khr_subgroup_ballot=1",
                                          "-Dcl_khr_subgroup_non_uniform_vote=1",
                                          "-Dcl_khr_subgroup_non_uniform_arithmetic=1",
                                          "-Dcl_khr_subgroup_clustered_reduce=1",
                                          "-Dcl_khr_subgroup_shuffle=1",
                                          "-Dcl_khr_subgroup_shuffle_relative=1"};
static const char *const library_words[] = {"-Xclang", "-mlink-bitcode-file", "-Xclang"};
/* The optimiser's inlining threshold is four times its default for this target. It is not larger,
 * because inlining is most expensive for giant kernels; byw_cl_prepare() inlines the rest. */
static const char *const middle_words[] = {"-O2", "-mllvm", "-inline-threshold=1000", "-emit-llvm",
                                           "-c"};
/* The unrolling threshold is the one that LLVM uses for amdgcn where a loop indexes a private
 * array. -w: warnings were already printed. */
static const char *const unrolled_words[] = {"-O3", "-mllvm", "-unroll-threshold=2700", "-w"};
static const char *const object_words[] = {"-O2", "-Xclang", "-disable-llvm-passes", "-emit-llvm",
                                           "-c"};
/* PTX that NVIDIA's assembler accepts, with the library's functions for its GPUs. */
static const char *const ptx_words[] = {"-target",
                                        "nvptx64-nvidia-nvcl",
                                        "-Xclang",
                                        "-target-cpu",
                                        "-Xclang",
                                        "sm_75",
                                        "-gline-directives-only",
                                        "-O2",
                                        "-mllvm",
                                        "-inline-threshold=1000000",
                                        "-S",
                                        "-w",
                                        "-Xclang"};
/* The library is linked by -mlink-builtin-bitcode where its functions must get the program's
 * settings. */
static const char *const exact_words[] = {"-mlink-bitcode-file", "-Xclang"};
static const char *const approximate_words[] = {
    "-mlink-builtin-bitcode", "-cl-unsafe-math-optimizations", "-ffp-contract=fast", "-Xclang"};
static const char *const back_words[] = {
    "-x", "ir", "-c", "-fPIC", "-march=native", "-Wno-override-module", "-fstack-usage"};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Whether nothing more can be written where programs are compiled. */
static bool is_full(const struct byw_cl_workshop *w)
{
    struct statvfs about;

    return statvfs(w->folder, &about) == 0 && about.f_bavail * about.f_frsize < FULL;
}

/* Translates clang's exit status. */
static enum byw_status judge(const struct byw_cl_workshop *w, int exit_status,
                             enum byw_status failed, const char *what, struct byw_diag *diag)
{
    if (exit_status == 0)
        return BYW_OK;
    if (exit_status < 0 || exit_status == NOT_STARTED)
        return byw_diag_set(diag, BYW_EIO, "%s: cannot run clang", byw_cl_clang());
    if (is_full(w))
        return byw_diag_set(diag, BYW_EIO,
                            "%s: no space left; make room, or name another folder for the cache in "
                            "BYWAY_CACHE",
                            w->folder);
    return byw_diag_set(diag, failed, "%s", what);
}

/* Adds the command-line options of the optimisation. */
static size_t add_middle(char **argv, size_t count, bool unrolled)
{
    count = add_words(argv, count, middle_words, COUNT(middle_words));
    return unrolled ? add_words(argv, count, unrolled_words, COUNT(unrolled_words)) : count;
}

enum byw_status byw_cl_workshop_front(struct byw_cl_workshop *w, const char *options,
                                      enum byw_cl_stage stage, struct byw_diag *diag)
{
    const char *const prelude[] = {"-include", w->prelude};
    bool is_ptx = stage == BYW_CL_PTX || stage == BYW_CL_PTX_APPROXIMATE;
    const char *const out = stage == BYW_CL_UNROLLED ? w->unrolled : is_ptx ? w->ptx : w->bitcode;
    const char *const expand[] = {"-E", "-"}, *const make[] = {"-o", out, "-"};
    char *argv[WORDS_MOST + 64], *copy = strdup(options), *word[WORDS_MOST];
    const char *input;
    size_t count = 1, words;
    enum byw_status status;
    int exit_status;

    if (copy == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory");
    words = split_options(copy, word, WORDS_MOST);
    status = write_input(w, word, &words, strlen(options), &input, diag);
    if (status != BYW_OK) {
        free(copy);
        return status;
    }
    argv[0] = (char *)(uintptr_t)byw_cl_clang();
    count = add_words(argv, count, front_words, COUNT(front_words));
    if (stage == BYW_CL_BITCODE || stage == BYW_CL_UNROLLED) {
        count = add_middle(argv, count, stage == BYW_CL_UNROLLED);
        count = add_words(argv, count, library_words, COUNT(library_words));
        argv[count++] = (char *)(uintptr_t)byw_cl_library();
    } else if (stage == BYW_CL_OBJECT) {
        count = add_words(argv, count, object_words, COUNT(object_words));
    } else if (is_ptx) {
        const char *library = byw_clang_library(true);

        count = add_words(argv, count, ptx_words, COUNT(ptx_words));
        count = stage == BYW_CL_PTX
                    ? add_words(argv, count, exact_words, COUNT(exact_words))
                    : add_words(argv, count, approximate_words, COUNT(approximate_words));
        argv[count++] = (char *)(uintptr_t)(library != NULL ? library : byw_cl_library());
    }
    if (is_newer(word, words))
        count = add_words(argv, count, newer_words, COUNT(newer_words));
    count = add_words(argv, count, (const char *const *)word, words);
    /* code for PTX gets these functions from byway's own libraries */
    if (w->wants != 0 && !is_ptx) {
        count = add_words(argv, count, w->want, w->wants);
        count = add_words(argv, count, prelude, COUNT(prelude));
        if (is_older(word, words)) /* the prelude needs OpenCL C 1.2 */
            argv[count++] = (char *)(uintptr_t) "-cl-std=CL1.2";
    }
    if (stage == BYW_CL_EXPAND)
        count = add_words(argv, count, expand, COUNT(expand));
    else
        count = add_words(argv, count, make, COUNT(make));
    argv[count] = NULL;
    exit_status = byw_cl_command(argv, input, stage == BYW_CL_EXPAND ? w->text : NULL,
                                 is_ptx ? w->report : w->errors);
    free(copy);
    status = judge(w, exit_status, BYW_EFORMAT, "the program does not compile", diag);
    if (status == BYW_OK && stage == BYW_CL_BITCODE && byw_cl_keeps_arrays(w->bitcode))
        status = byw_cl_workshop_front(w, options, BYW_CL_UNROLLED, diag);
    return status;
}

static enum byw_status optimise(struct byw_cl_workshop *w, bool unrolled, struct byw_diag *diag)
{
    const char *const first[] = {"-target", "nvptx64--"};
    const char *const last[] = {"-o", unrolled ? w->unrolled : w->bitcode, "-x", "ir", w->text};
    char *argv[32];
    size_t count = 1;

    argv[0] = (char *)(uintptr_t)byw_cl_clang();
    count = add_words(argv, count, first, COUNT(first));
    count = add_middle(argv, count, unrolled);
    count = add_words(argv, count, last, COUNT(last));
    argv[count] = NULL;
    return judge(w, byw_cl_command(argv, NULL, NULL, w->errors), BYW_EFORMAT,
                 "the linked program does not compile", diag);
}

enum byw_status byw_cl_workshop_optimise(struct byw_cl_workshop *w, struct byw_diag *diag)
{
    enum byw_status status = optimise(w, false, diag);

    if (status == BYW_OK && byw_cl_keeps_arrays(w->bitcode))
        status = optimise(w, true, diag);
    return status;
}

char *byw_cl_workshop_assemble(const struct byw_cl_workshop *w, const char *arch,
                               const char *kernel)
{
    char path[BYW_CL_PATH], input[sizeof(w->ptx)];
    char *const argv[] = {path,
                          "-v",
                          "-arch",
                          (char *)(uintptr_t)arch,
                          input,
                          "-o",
                          "/dev/null",
                          kernel == NULL ? NULL : "-e",
                          (char *)(uintptr_t)kernel,
                          NULL};
    size_t size;

    snprintf(input, sizeof(input), "%s", w->ptx);
    if (!byw_ptxas(path, sizeof(path)) || byw_cl_command(argv, NULL, NULL, w->report) != 0)
        return NULL;
    return byw_cl_read_file(w->report, &size);
}

/* Writes a line of clang's PTX to `out` without what the assembler rejects in line information:
 * debug sections, labels that only these use (even inside calls), and a folder separate from the
 * file name. */
static void tidy_line(const char *line, FILE *out)
{
    const char *text = line + strspn(line, " \t"), *folder, *name;

    if (strncmp(text, ".section", 8) == 0 || strncmp(text, "$L__tmp", 7) == 0 ||
        strncmp(text, "$L__func_", 9) == 0)
        return;
    folder = strncmp(text, ".file", 5) == 0 ? strchr(text, '"') : NULL;
    name = folder != NULL ? strchr(folder + 1, '"') : NULL;
    if (name == NULL || name[1] != ' ' || name[2] != '"') {
        fputs(line, out);
        return;
    }
    fprintf(out, "%.*s", (int)(folder - text), text);
    if (name[3] == '/' || name[3] == '<')
        fputs(name + 2, out);
    else
        fprintf(out, "%.*s/%s", (int)(name - folder), folder, name + 3);
}

/* Rewrites the line information of clang's PTX so that the assembler accepts it. */
static bool tidy(const struct byw_cl_workshop *w)
{
    size_t size, length = 0;
    char *text = byw_cl_read_file(w->ptx, &size), *tidied = NULL;
    FILE *out = text != NULL ? open_memstream(&tidied, &length) : NULL;
    bool good = out != NULL;

    for (char *line = text, *end; good && *line != '\0'; line = end) {
        char after;

        end = line + strcspn(line, "\n");
        end += *end == '\n';
        after = *end;
        *end = '\0';
        tidy_line(line, out);
        *end = after;
    }
    if (out != NULL)
        good = fclose(out) == 0;
    good = good && byw_cl_write_file(w->ptx, tidied, length, NULL) == BYW_OK;
    free(tidied);
    free(text);
    return good;
}

/* Makes PTX with clang, whose nvptx target has sine and cosine only for code that accepts
 * approximations. */
static bool make_ptx(struct byw_cl_workshop *w, const char *options)
{
    return (byw_cl_workshop_front(w, options, BYW_CL_PTX, NULL) == BYW_OK ||
            byw_cl_workshop_front(w, options, BYW_CL_PTX_APPROXIMATE, NULL) == BYW_OK) &&
           tidy(w);
}

/* The assembler's report on the program's source; NULL if there is none. */
static char *assemble_source(struct byw_cl_workshop *w, const char *options)
{
    char path[BYW_CL_PATH];

    if (options == NULL || !byw_ptxas(path, sizeof(path)) || !make_ptx(w, options))
        return NULL;
    unlink(w->report);
    return byw_cl_workshop_assemble(w, BYW_CL_WORKSHOP_ARCH, NULL);
}

/* Makes the host code from PTX. If the maker fails, the bitcode is used; why->text then has the
 * reason, or is empty if machine code was not asked for. From OpenCL C 2.0 on, the last groups may
 * be smaller, which the PTX library does not support. */
static bool make_of_ptx(struct byw_cl_workshop *w, const char *options, const char *report,
                        byw_cl_maker *maker, uint64_t *instructions, struct byw_diag *why)
{
    const char *version = options == NULL ? NULL : strstr(options, "-cl-std=");

    if (maker == NULL || !byw_ptxas_wants_machine())
        return false;
    if (version != NULL && strncmp(version, "-cl-std=CL1", 11) != 0)
        return byw_diag_set(why, BYW_EUNSUPPORTED, "OpenCL C 2.0 and later") == BYW_OK;
    if (w->rounds) /* byw_cl_prelude.cl has the functions that libclc gets wrong */
        return byw_diag_set(why, BYW_EUNSUPPORTED, "conversions to float with a rounding mode") ==
               BYW_OK;
    if (report == NULL)
        return byw_diag_set(why, BYW_EUNSUPPORTED,
                            "clang's PTX lacks functions that the program calls, or the assembler "
                            "refuses it") == BYW_OK;
    return maker(w, report, instructions, why) == BYW_OK;
}

enum byw_status byw_cl_workshop_back(struct byw_cl_workshop *w, const char *options, bool traced,
                                     byw_cl_maker *maker, struct byw_diag *diag)
{
    uint64_t instructions = 0;
    const char *unrolled = access(w->unrolled, R_OK) == 0 ? w->unrolled : NULL;
    char *report = traced ? assemble_source(w, options) : NULL;
    enum byw_status status = BYW_OK;
    struct byw_diag why = {""};

    if (!make_of_ptx(w, options, report, traced ? maker : NULL, &instructions, &why))
        status =
            byw_cl_transform(w->bitcode, unrolled, report, why.text[0] != '\0' ? why.text : NULL,
                             w->host, traced, &instructions, diag);
    free(report);
    return status == BYW_OK ? byw_cl_workshop_host(w, instructions, traced, diag) : status;
}

/* Calling the linker directly takes a tenth of the time of calling it through clang, which adds
 * libraries that few kernels need: the mathematical functions, and clang's own for 128-bit
 * division. */
static enum byw_status link_object(struct byw_cl_workshop *w, uint64_t frame, struct byw_diag *diag)
{
    char symbol[64], passed[80];
    char *const alone[] = {"ld",   "-shared",   "-Bsymbolic", "-z",      "defs",
                           symbol, w->compiled, "-o",         w->object, NULL};
    char *const standard[] = {"ld",        "-shared", "-Bsymbolic", "-z",  "defs", symbol,
                              w->compiled, "-o",      w->object,    "-lm", "-lc",  NULL};
    char *const whole[] = {(char *)(uintptr_t)byw_cl_clang(),
                           "-shared",
                           "-nostartfiles",
                           "-Wl,-Bsymbolic",
                           passed,
                           w->compiled,
                           "-o",
                           w->object,
                           "-lm",
                           NULL};

    snprintf(symbol, sizeof(symbol), "--defsym=" BYW_CL_FRAME_SYMBOL "=%" PRIu64, frame);
    snprintf(passed, sizeof(passed), "-Wl,%s", symbol);
    if (byw_cl_command(alone, NULL, NULL, "/dev/null") == 0 ||
        byw_cl_command(standard, NULL, NULL, "/dev/null") == 0)
        return BYW_OK;
    return judge(w, byw_cl_command(whole, NULL, NULL, w->errors), BYW_EUNSUPPORTED,
                 "clang cannot link the host code", diag);
}

/* Bytes of stack that the compiled functions need: the sum of the two largest frames in clang's
 * report, since a kernel calls only functions that call nothing but the C library. */
static uint64_t frame_bytes(const struct byw_cl_workshop *w)
{
    uint64_t most[2] = {0, 0};
    size_t size;
    char *report = byw_cl_read_file(w->frames, &size);

    /* NAME, a tab, BYTES, a tab, "static" */
    for (char *at = report; at != NULL && (at = strchr(at, '\t')) != NULL;) {
        uint64_t bytes = strtoull(at + 1, NULL, 10);

        if (bytes > most[0]) {
            most[1] = most[0];
            most[0] = bytes;
        } else if (bytes > most[1]) {
            most[1] = bytes;
        }
        at = strchr(at, '\n');
    }
    free(report);
    return most[0] + most[1];
}

/* Two commands, because clang starts itself again for each step when it is asked for several. */
enum byw_status byw_cl_workshop_host(struct byw_cl_workshop *w, uint64_t instructions, bool traced,
                                     struct byw_diag *diag)
{
    const char *const effort = instructions > GIANT ? "-O0" : traced ? "-O1" : "-O2";
    const char *const last[] = {effort, w->host, "-o", w->compiled};
    enum byw_status status;
    char *argv[32];
    size_t count = 1;

    argv[0] = (char *)(uintptr_t)byw_cl_clang();
    count = add_words(argv, count, back_words, COUNT(back_words));
    count = add_words(argv, count, last, COUNT(last));
    argv[count] = NULL;
    status = judge(w, byw_cl_command(argv, NULL, NULL, w->errors), BYW_EUNSUPPORTED,
                   "clang cannot compile the host code", diag);
    return status == BYW_OK ? link_object(w, frame_bytes(w), diag) : status;
}

/* Whether a text converts to float with _rtz, _rtp or _rtn. */
static bool rounds_to_float(const char *text)
{
    static const char word[] = "convert_float";

    for (const char *at = text; (at = strstr(at, word)) != NULL;) {
        at += sizeof(word) - 1;
        at += strspn(at, "0123456789");
        if (strncmp(at, "_rt", 3) == 0 && at[3] != 'e')
            return true;
    }
    return false;
}

enum byw_status byw_cl_workshop_prelude(struct byw_cl_workshop *w, const char *text,
                                        const char *options, struct byw_diag *diag)
{
    static const struct {
        const char *word, *define;
    } list[] = {{"half", "-DBYW_WANT_HALF"},
                {"half", "-cl-no-stdinc"}, /* its functions are overloads of existing ones */
                {"half", "-Xclang"},
                {"half", "-cl-ext=+cl_khr_fp16"},
                {"cl_khr_fp16", "-DBYW_WANT_HALF"}, /* the text may use halves only as 1.0h */
                {"cl_khr_fp16", "-cl-no-stdinc"},
                {"cl_khr_fp16", "-Xclang"},
                {"cl_khr_fp16", "-cl-ext=+cl_khr_fp16"},
                {"get_fence", "-DBYW_WANT_FENCE"},
                {"dot", "-DBYW_WANT_DOT"},
                {"get_local_size", "-DBYW_WANT_SIZE"},
                {"get_global_size", "-DBYW_WANT_SIZE"},
                {"_linear_id", "-DBYW_WANT_SIZE"},
                {"get_enqueued_", "-DBYW_WANT_SIZE"},
                {"work_group_", "-DBYW_WANT_SIZE"},
                {"sub_group", "-DBYW_WANT_SIZE"},
                {"ballot", "-DBYW_WANT_LANES"},
                {"sub_group_elect", "-DBYW_WANT_LANES"},
                {"clustered", "-DBYW_WANT_LANES"},
                {"non_uniform", "-DBYW_WANT_LANES"},
                {"_mask", "-DBYW_WANT_LANES"},
                {"broadcast_first", "-DBYW_WANT_LANES"},
                {"mad_hi", "-DBYW_WANT_MAD_HI"},
                {"ctz", "-DBYW_WANT_CTZ"},
                {"smoothstep", "-DBYW_WANT_SMOOTHSTEP"},
                {"image", "-DBYW_WANT_IMAGE"},
                {"atomic_", "-DBYW_WANT_ATOMIC"},
                {"_linear_id", "-DBYW_WANT_LINEAR"},
                {"get_enqueued_", "-DBYW_WANT_LINEAR"},
                {"work_group_reduce", "-DBYW_WANT_WORK_GROUP"},
                {"work_group_scan", "-DBYW_WANT_WORK_GROUP"},
                {"work_group_broadcast", "-DBYW_WANT_WORK_GROUP"},
                {"work_group_a", "-DBYW_WANT_WORK_GROUP"},
                {"sub_group", "-DBYW_WANT_SUB_GROUP"},
                {"sub_group_shuffle", "-DBYW_WANT_SHUFFLE"}};

    for (size_t i = 0; i < COUNT(list); i++)
        if (strstr(text, list[i].word) != NULL || strstr(options, list[i].word) != NULL)
            w->want[w->wants++] = list[i].define;
    w->rounds = rounds_to_float(text);
    if (w->rounds)
        w->want[w->wants++] = "-DBYW_WANT_DIRECTED";
    return w->wants == 0 ? BYW_OK
                         : byw_cl_write_file(w->prelude, byw_cl_prelude_text,
                                             strlen(byw_cl_prelude_text), diag);
}
