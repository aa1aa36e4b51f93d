/* SPDX-License-Identifier: Apache-2.0
 * Programs compiled and linked separately: header programs, a library, binaries, what goes wrong.
 */
#include "corpus.h"
static cl_program make(struct bench *b, const char *text)
{
    cl_int code;
    cl_program p = clCreateProgramWithSource(b->context, 1, &text, NULL, &code);
    must(code, "clCreateProgramWithSource");
    return p;
}
static void show(struct bench *b, cl_program p, const char *name)
{
    cl_int code, v[8];
    size_t n = 8;
    cl_mem m = buffer(b, sizeof(v), NULL);
    cl_kernel k = clCreateKernel(p, name, &code);
    must(code, name);
    arg(k, 0, sizeof(m), &m);
    run1(b, k, n, 0);
    fetch(b, m, sizeof(v), v);
    print_ints(name, v, 8);
    clReleaseKernel(k);
    clReleaseMemObject(m);
}
static void CL_CALLBACK ready(cl_program p, void *data)
{
    ++*(int *)data;
}
static cl_program_binary_type type_of(struct bench *b, cl_program p)
{
    cl_program_binary_type t = 99;
    clGetProgramBuildInfo(p, b->device, CL_PROGRAM_BINARY_TYPE, sizeof(t), &t, NULL);
    return t;
}
int main(void)
{
    struct bench b = open_bench(NULL, NULL, 0);
    cl_int code;
    int called = 0;
    cl_program header = make(&b, "int twice(int x);\n#define THREE 3\n");
    cl_program one = make(&b, "#include \"sub/lib.h\"\nstatic int help(int x) { return x + 1; }\n"
                              "int twice(int x) { return 2 * help(x); }\n");
    cl_program two = make(
        &b,
        "#include \"sub/lib.h\"\nstatic int help(int x) { return x * THREE; }\n"
        "kernel void f(global int *a) { int i = get_global_id(0); a[i] = twice(help(i)) + V; }\n"
        "kernel void g(global int *a) { a[get_global_id(0)] = (int)sqrt((float)get_global_id(0) * "
        "4.0f); }\n");
    const char *names[] = {"sub/lib.h"};
    must(clCompileProgram(one, 1, &b.device, "", 1, &header, names, NULL, NULL), "compile one");
    must(clCompileProgram(two, 0, NULL, "-DV=100", 1, &header, names, NULL, NULL), "compile two");
    printf("%d\n", type_of(&b, one) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    cl_program both[] = {one, two};
    cl_program whole = clLinkProgram(b.context, 1, &b.device, "", 2, both, ready, &called, &code);
    must(code, "clLinkProgram");
    printf("%d %d\n", type_of(&b, whole) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE, called >= 0);
    show(&b, whole, "f");
    show(&b, whole, "g");
    cl_program lib =
        clLinkProgram(b.context, 1, &b.device, "-create-library", 1, &one, NULL, NULL, &code);
    must(code, "library");
    printf("%d\n", type_of(&b, lib) == CL_PROGRAM_BINARY_TYPE_LIBRARY);
    cl_program with[] = {two, lib};
    cl_program again = clLinkProgram(b.context, 0, NULL, NULL, 2, with, NULL, NULL, &code);
    must(code, "link with library");
    show(&b, again, "f");
    cl_program bad = make(&b, "kernel void h( {");
    printf("%d\n", clCompileProgram(bad, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    printf("%d\n", clCompileProgram(NULL, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    printf("%d\n", clCompileProgram(one, 0, &b.device, NULL, 0, NULL, NULL, NULL, NULL));
    clLinkProgram(b.context, 0, NULL, NULL, 0, NULL, NULL, NULL, &code);
    printf("%d\n", code);
    return 0;
}
