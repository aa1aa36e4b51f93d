/* SPDX-License-Identifier: Apache-2.0
 * Build options of every kind, sources in pieces with and without lengths, CRLF line ends. */
#include "corpus.h"
static const char *pieces[] = {
    "#define ONE 1\r\n#if X == 3\r\nkernel void f(global int *a) {\r\n",
    "  a[0] = X + ONE; \\\r\n  a[1] = sizeof(NAME);\nGARBAGE AFTER THE LENGTH",
    "  a[2] = Y; a[3] = (int)(2.5f * F);\n  a[4] = sizeof(T);\n",
    "#ifdef __OPENCL_VERSION__\n  a[5] = __OPENCL_VERSION__ >= 100; a[6] = "
    "__ENDIAN_LITTLE__;\n#endif\n"
    "#ifdef __FAST_RELAXED_MATH__\n a[7] = 1;\n#endif\n  a[8] = CL_VERSION_1_0 + "
    "__OPENCL_C_VERSION__;\n}\n#endif\n"};
int main(void)
{
    struct bench b = open_bench(NULL, NULL, 0);
    static const char *options[] = {
        "-D X=3 -DNAME=1.0f -D Y=-5 -DF=2.0f -DT=long4",
        " -DX=3  -D NAME=short -DY=(1+2) -D F=1 -D T=char -cl-fast-relaxed-math",
        "-cl-std=CL1.1 -cl-mad-enable -cl-no-signed-zeros -cl-unsafe-math-optimizations "
        "-cl-finite-math-only -D X=3 -D NAME=char -D Y=0 -D F=3 -D T=float16 -w",
        "-cl-single-precision-constant -cl-denorms-are-zero -cl-opt-disable -cl-kernel-arg-info "
        "-Werror -DX=3 -DNAME=(1ul) -DY=9 -DF=0 -DT=short2 -I . -I inc "
        "-cl-fp32-correctly-rounded-divide-sqrt",
        "-cl-std=CL1.2 -cl-strict-aliasing -D X=4",
        "-DX=3"};
    size_t lengths[] = {0, 0, 0, 0};
    lengths[0] = strlen(pieces[0]);
    lengths[1] = (size_t)(strstr(pieces[1], "GARBAGE") - pieces[1]);
    for (int o = 0; o < 6; o++) {
        cl_int code, v[9] = {0};
        cl_program p = clCreateProgramWithSource(b.context, 4, pieces, lengths, &code);
        must(code, "create");

        code = clBuildProgram(p, 1, &b.device, options[o], NULL, NULL);
        printf("%d: build %d\n", o, code);
        char text[512];
        clGetProgramBuildInfo(p, b.device, CL_PROGRAM_BUILD_OPTIONS, sizeof(text), text, NULL);
        printf("%d\n", strstr(text, "X=") != NULL);
        if (code == CL_SUCCESS && o != 4) {
            cl_kernel k = clCreateKernel(p, "f", &code);
            must(code, "f");
            cl_mem m = buffer(&b, sizeof(v), v);
            arg(k, 0, sizeof(m), &m);
            run1(&b, k, 1, 0);
            fetch(&b, m, sizeof(v), v);
            print_ints("v", v, 8);
            clReleaseKernel(k);
        }
        clReleaseProgram(p);
    }
    return 0;
}
