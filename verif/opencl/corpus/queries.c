/* SPDX-License-Identifier: Apache-2.0
 *
 * All queries that common info programs make succeed, and the sizes are those of the types.
 */
#include "corpus.h"
static const char src[] = "kernel void f(global const int *a, constant float *b, local int *c, int "
                          "d, read_only image2d_t e,\n"
                          "  sampler_t s) { if (d) c[0] = a[0] + (int)b[0]; }\n"
                          "kernel void g(global int *a) { a[get_global_id(0)] = 1; }\n";
int main(void)
{
    struct bench b = open_bench(src, "-cl-kernel-arg-info", CL_QUEUE_PROFILING_ENABLE);
    static const cl_device_info texts[] = {CL_DEVICE_NAME,       CL_DEVICE_VENDOR,
                                           CL_DRIVER_VERSION,    CL_DEVICE_PROFILE,
                                           CL_DEVICE_VERSION,    CL_DEVICE_OPENCL_C_VERSION,
                                           CL_DEVICE_EXTENSIONS, CL_DEVICE_BUILT_IN_KERNELS};
    char text[8192];
    size_t size, three[3];
    int bad = 0;
    for (cl_device_info i = 0x1000; i <= 0x104c; i++) {
        if (i == 0x1029 || i == 0x102c || i == 0x1034 || i == 0x1032 ||
            (i >= 0x104a && i <= 0x104c))
            continue; /* not a query of OpenCL 1.2, or not of all devices */
        if (clGetDeviceInfo(b.device, i, 0, NULL, &size) != CL_SUCCESS ||
            clGetDeviceInfo(b.device, i, sizeof(text), text, NULL) != CL_SUCCESS)
            printf("device %#x\n", i), bad++;
    }
    for (int i = 0; i < 8; i++) {
        must(clGetDeviceInfo(b.device, texts[i], sizeof(text), text, &size), "text");
        printf("%d\n", strlen(text) + 1 == size);
    }
    must(clGetDeviceInfo(b.device, CL_DEVICE_VERSION, sizeof(text), text, NULL), "version");
    printf("%.8s1\n", strncmp(text, "OpenCL 1", 8) && strncmp(text, "OpenCL 2", 8) &&
                              strncmp(text, "OpenCL 3", 8)
                          ? text
                          : "OpenCL 1");
    for (cl_platform_info i = CL_PLATFORM_PROFILE; i <= CL_PLATFORM_EXTENSIONS; i++)
        must(clGetPlatformInfo(b.platform, i, sizeof(text), text, NULL), "platform");
    for (cl_context_info i = CL_CONTEXT_REFERENCE_COUNT; i <= CL_CONTEXT_NUM_DEVICES; i++)
        must(clGetContextInfo(b.context, i, sizeof(text), text, NULL), "context");
    for (cl_command_queue_info i = CL_QUEUE_CONTEXT; i <= CL_QUEUE_PROPERTIES; i++)
        must(clGetCommandQueueInfo(b.queue, i, sizeof(text), text, &size), "queue"),
            printf("%zu ", size);
    cl_kernel k = kernel(&b, "f");
    for (cl_kernel_info i = CL_KERNEL_FUNCTION_NAME; i <= CL_KERNEL_PROGRAM; i++)
        must(clGetKernelInfo(k, i, sizeof(text), text, &size), "kernel"), printf("%zu ", size);
    static const cl_kernel_work_group_info infos[] = {
        CL_KERNEL_WORK_GROUP_SIZE, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, CL_KERNEL_LOCAL_MEM_SIZE,
        CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, CL_KERNEL_PRIVATE_MEM_SIZE};
    for (int i = 0; i < 5; i++)
        must(clGetKernelWorkGroupInfo(k, b.device, infos[i], sizeof(three), three, &size), "group"),
            printf("%zu ", size);
    for (cl_uint i = 0; i < 6; i++) {
        cl_uint space, access;
        must(clGetKernelArgInfo(k, i, CL_KERNEL_ARG_NAME, sizeof(text), text, NULL), "name");
        must(clGetKernelArgInfo(k, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space), &space, NULL),
             "space");
        must(
            clGetKernelArgInfo(k, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof(access), &access, NULL),
            "access");
        printf("\n%s %x %x", text, i < 4 ? space : 0, access);
        must(clGetKernelArgInfo(k, i, CL_KERNEL_ARG_TYPE_NAME, sizeof(text), text, NULL), "type");
        printf(" %s", text);
    }
    for (cl_program_info i = CL_PROGRAM_REFERENCE_COUNT; i <= CL_PROGRAM_SOURCE; i++)
        must(clGetProgramInfo(b.program, i, sizeof(text), text, &size), "program");
    must(clGetProgramBuildInfo(b.program, b.device, CL_PROGRAM_BINARY_TYPE, sizeof(text), text,
                               &size),
         "type");
    cl_image_format formats[512];
    cl_uint found;
    must(clGetSupportedImageFormats(b.context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 512,
                                    formats, &found),
         "formats");
    int rgba = 0;
    for (cl_uint i = 0; i < found; i++)
        rgba += formats[i].image_channel_order == CL_RGBA &&
                formats[i].image_channel_data_type == CL_UNORM_INT8;
    cl_kernel g = kernel(&b, "g");
    cl_mem m = buffer(&b, 64, NULL);
    arg(g, 0, sizeof(m), &m);
    run1(&b, g, 16, 0);
    printf("\n%zu %d %d\n", size, rgba, bad);
    return 0;
}
