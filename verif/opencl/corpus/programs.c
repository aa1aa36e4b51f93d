/* SPDX-License-Identifier: Apache-2.0
 * Several programs and contexts, binaries, options, include files, kernels of one program. */
#include "corpus.h"
static const char src[] =
    "#include \"inc/shapes.h\"\n"
    "#ifndef SCALE\n#define SCALE 1\n#endif\n"
    "kernel void one(global int *a) { a[get_global_id(0)] = SCALE * square(get_global_id(0)) + "
    "OFFSET; }\n"
    "kernel void two(global int *a) { a[get_global_id(0)] += sizeof(TYPE) * NAME; }\n";
static void try(struct bench *b, cl_program p, const char *name, cl_mem m)
{
    int got[32];
    cl_int code;
    size_t n = 32;
    cl_kernel k = clCreateKernel(p, name, &code);
    must(code, name);
    arg(k, 0, sizeof(m), &m);
    must(clEnqueueNDRangeKernel(b->queue, k, 1, NULL, &n, NULL, 0, NULL, NULL), "run");
    fetch(b, m, sizeof(got), got);
    print_ints(name, got, 32);
    must(clReleaseKernel(k), "release");
}
int main(void)
{
    static const char *const options[] = {
        "-Iinc -I. -DOFFSET=5 -D TYPE=float -DNAME=3 -cl-fast-relaxed-math",
        "-I . -DOFFSET=(2+3) -DSCALE=-2 -DTYPE=double4 -DNAME=1 -w -cl-mad-enable -cl-std=CL1.1",
        "-I. -D OFFSET=0 -D\"TYPE=struct{int x[3];}\" -DNAME=1 -cl-single-precision-constant "
        "-cl-no-signed-zeros"};
    struct bench b = open_bench(NULL, NULL, 0), c = open_bench(NULL, NULL, 0);
    cl_program p[3], q;
    cl_int code, status;
    const char *text = src;
    size_t size, n;
    unsigned char *binary;
    char names[64];
    for (int i = 0; i < 3; i++) {
        struct bench *on = i == 1 ? &c : &b;
        p[i] = clCreateProgramWithSource(on->context, 1, &text, NULL, &code);
        code = clBuildProgram(p[i], 0, NULL, options[i], NULL, NULL);
        must(code, options[i]);
        cl_mem m = buffer(on, 128, NULL);
        try(on, p[i], "one", m);
        try(on, p[i], "two", m);
        must(clReleaseMemObject(m), "release");
    }
    must(clGetProgramInfo(p[0], CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL), "sizes");
    binary = (unsigned char *)malloc(size);
    must(clGetProgramInfo(p[0], CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL), "binaries");
    q = clCreateProgramWithBinary(b.context, 1, &b.device, &size, (const unsigned char **)&binary,
                                  &status, &code);
    must(code, "binary");
    must(clBuildProgram(q, 1, &b.device, NULL, NULL, NULL), "build binary");
    try(&b, q, "one", buffer(&b, 128, NULL));
    cl_kernel list[4];
    cl_uint found;
    must(clCreateKernelsInProgram(q, 4, list, &found), "kernels");
    must(clGetProgramInfo(p[1], CL_PROGRAM_NUM_KERNELS, sizeof(n), &n, NULL), "number");
    must(clGetProgramInfo(p[1], CL_PROGRAM_KERNEL_NAMES, sizeof(names), names, NULL), "names");
    printf("%u %zu %d\n", found, n, strstr(names, "one") != NULL && strstr(names, "two") != NULL);
    return 0;
}
