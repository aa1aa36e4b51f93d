/* SPDX-License-Identifier: Apache-2.0
 *
 * Platform and device. The device claims to be a Fermi-class GPU, so that programs choose the code
 * paths and work-group sizes that they would choose there.
 */
#include <string.h>

#include "capture/byw_cl_device.h"
#include "capture/opencl/byw_cl.h"

#include <CL/cl_ext.h> /* comes after byw_cl.h, which chooses the version */

#define EXTENSIONS                                                                                 \
    "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics "                       \
    "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics "                         \
    "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_khr_byte_addressable_store "       \
    "cl_khr_fp16 cl_khr_fp64 cl_khr_3d_image_writes cl_khr_subgroups cl_khr_subgroup_shuffle "     \
    "cl_khr_subgroup_shuffle_relative cl_khr_subgroup_ballot cl_khr_subgroup_non_uniform_vote "    \
    "cl_khr_subgroup_non_uniform_arithmetic cl_khr_subgroup_clustered_reduce "                     \
    "cl_khr_integer_dot_product"
#define ATOMICS                                                                                    \
    (CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |                             \
     CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |                          \
     CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES)
#define VERSION CL_MAKE_VERSION(3, 0, 0)

/* Names with versions. */
static const cl_name_version languages[] = {{CL_MAKE_VERSION(1, 0, 0), "OpenCL C"},
                                            {CL_MAKE_VERSION(1, 1, 0), "OpenCL C"},
                                            {CL_MAKE_VERSION(1, 2, 0), "OpenCL C"},
                                            {CL_MAKE_VERSION(2, 0, 0), "OpenCL C"},
                                            {VERSION, "OpenCL C"}};
static const cl_name_version features[] = {
    {VERSION, "__opencl_c_3d_image_writes"},
    {VERSION, "__opencl_c_atomic_order_acq_rel"},
    {VERSION, "__opencl_c_atomic_order_seq_cst"},
    {VERSION, "__opencl_c_atomic_scope_device"},
    {VERSION, "__opencl_c_atomic_scope_all_devices"},
    {VERSION, "__opencl_c_fp64"},
    {VERSION, "__opencl_c_generic_address_space"},
    {VERSION, "__opencl_c_images"},
    {VERSION, "__opencl_c_int64"},
    {VERSION, "__opencl_c_integer_dot_product_input_4x8bit"},
    {VERSION, "__opencl_c_integer_dot_product_input_4x8bit_packed"},
    {VERSION, "__opencl_c_program_scope_global_variables"},
    {VERSION, "__opencl_c_read_write_images"},
    {VERSION, "__opencl_c_subgroups"},
    {VERSION, "__opencl_c_work_group_collective_functions"}};

/* Extensions, each with a version. */
static cl_int list_extensions(const char *names, size_t room, void *value, size_t *size_ret)
{
    cl_name_version list[32];
    size_t count = 0;

    for (const char *at = names; count < 32; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");

        if (length == 0)
            break;
        memset(&list[count], 0, sizeof(list[count]));
        list[count].version = CL_MAKE_VERSION(1, 0, 0);
        memcpy(list[count++].name, at, length);
        at += length;
    }
    return byw_cl_info(list, count * sizeof(list[0]), room, value, size_ret);
}

cl_int clGetPlatformIDs(cl_uint count, cl_platform_id *platforms, cl_uint *found)
{
    if ((count == 0 && platforms != NULL) || (platforms == NULL && found == NULL))
        return CL_INVALID_VALUE;
    if (platforms != NULL)
        platforms[0] = byw_cl_platform();
    if (found != NULL)
        *found = 1;
    return CL_SUCCESS;
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t room, void *value,
                         size_t *size_ret)
{
    const cl_version version = VERSION;
    const cl_ulong resolution = 1;

    if (platform != NULL && platform != byw_cl_platform())
        return CL_INVALID_PLATFORM;
    switch (name) {
    case CL_PLATFORM_PROFILE:
        return byw_cl_info_string("FULL_PROFILE", room, value, size_ret);
    case CL_PLATFORM_VERSION:
        return byw_cl_info_string("OpenCL 3.0 byway", room, value, size_ret);
    case CL_PLATFORM_NAME:
        return byw_cl_info_string("byway tracing OpenCL", room, value, size_ret);
    case CL_PLATFORM_VENDOR:
        return byw_cl_info_string("byway", room, value, size_ret);
    case CL_PLATFORM_EXTENSIONS:
        return byw_cl_info_string("cl_khr_icd " EXTENSIONS, room, value, size_ret);
    case CL_PLATFORM_ICD_SUFFIX_KHR:
        return byw_cl_info_string("BYWAY", room, value, size_ret);
    case CL_PLATFORM_NUMERIC_VERSION:
        return byw_cl_info(&version, sizeof(version), room, value, size_ret);
    case CL_PLATFORM_HOST_TIMER_RESOLUTION:
        return byw_cl_info(&resolution, sizeof(resolution), room, value, size_ret);
    case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
        return list_extensions("cl_khr_icd " EXTENSIONS, room, value, size_ret);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint count,
                      cl_device_id *devices, cl_uint *found)
{
    const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                 CL_DEVICE_TYPE_ACCELERATOR;

    if (platform != NULL && platform != byw_cl_platform())
        return CL_INVALID_PLATFORM;
    if (type != CL_DEVICE_TYPE_ALL && (type & known) == 0)
        return type == CL_DEVICE_TYPE_CUSTOM ? CL_DEVICE_NOT_FOUND : CL_INVALID_DEVICE_TYPE;
    if ((count == 0 && devices != NULL) || (devices == NULL && found == NULL))
        return CL_INVALID_VALUE;
    if (devices != NULL)
        devices[0] = byw_cl_device();
    if (found != NULL)
        *found = 1;
    return CL_SUCCESS;
}

/* A device property that is a number; tables are sorted by `name`. size: that of the property's
 * type in the specification. */
struct number {
    cl_device_info name;
    uint32_t size;
    uint64_t value;
};
#define UINT(name, value)                                                                          \
    {                                                                                              \
        name, sizeof(cl_uint), value                                                               \
    }
#define ULONG(name, value)                                                                         \
    {                                                                                              \
        name, sizeof(cl_ulong), value                                                              \
    }
#define SIZE(name, value)                                                                          \
    {                                                                                              \
        name, sizeof(size_t), value                                                                \
    }
static const struct number numbers[] = {
    ULONG(CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU),
    UINT(CL_DEVICE_VENDOR_ID, 0x6279),
    UINT(CL_DEVICE_MAX_COMPUTE_UNITS, 15),
    UINT(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3),
    SIZE(CL_DEVICE_MAX_WORK_GROUP_SIZE, BYW_CL_GROUP_LIMIT),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 1),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 1),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, 1),
    UINT(CL_DEVICE_MAX_CLOCK_FREQUENCY, 1400),
    UINT(CL_DEVICE_ADDRESS_BITS, 64),
    UINT(CL_DEVICE_IMAGE_SUPPORT, CL_TRUE),
    UINT(CL_DEVICE_MAX_READ_IMAGE_ARGS, 128),
    UINT(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 8),
    SIZE(CL_DEVICE_IMAGE2D_MAX_WIDTH, BYW_CL_IMAGE_SIDE),
    SIZE(CL_DEVICE_IMAGE2D_MAX_HEIGHT, BYW_CL_IMAGE_SIDE),
    SIZE(CL_DEVICE_IMAGE3D_MAX_WIDTH, BYW_CL_IMAGE_SIDE_3D),
    SIZE(CL_DEVICE_IMAGE3D_MAX_HEIGHT, BYW_CL_IMAGE_SIDE_3D),
    SIZE(CL_DEVICE_IMAGE3D_MAX_DEPTH, BYW_CL_IMAGE_SIDE_3D),
    SIZE(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 1u << 27),
    SIZE(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, BYW_CL_IMAGE_LAYERS),
    UINT(CL_DEVICE_MAX_SAMPLERS, 16),
    SIZE(CL_DEVICE_MAX_PARAMETER_SIZE, 4352),
    UINT(CL_DEVICE_MEM_BASE_ADDR_ALIGN, BYW_CL_ADDRESS_ALIGN),
    UINT(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, 128),
    ULONG(CL_DEVICE_SINGLE_FP_CONFIG,
          CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA),
    ULONG(CL_DEVICE_DOUBLE_FP_CONFIG, CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
                                          CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA),
    ULONG(CL_DEVICE_HALF_FP_CONFIG, CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST),
    UINT(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, CL_READ_WRITE_CACHE),
    UINT(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 128),
    ULONG(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 16384),
    ULONG(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 65536),
    UINT(CL_DEVICE_MAX_CONSTANT_ARGS, 9),
    UINT(CL_DEVICE_LOCAL_MEM_TYPE, CL_LOCAL),
    ULONG(CL_DEVICE_LOCAL_MEM_SIZE, BYW_CL_SHARED_OFFERED),
    UINT(CL_DEVICE_ERROR_CORRECTION_SUPPORT, CL_FALSE),
    SIZE(CL_DEVICE_PROFILING_TIMER_RESOLUTION, 1),
    UINT(CL_DEVICE_ENDIAN_LITTLE, CL_TRUE),
    UINT(CL_DEVICE_AVAILABLE, CL_TRUE),
    UINT(CL_DEVICE_COMPILER_AVAILABLE, CL_TRUE),
    UINT(CL_DEVICE_LINKER_AVAILABLE, CL_TRUE),
    ULONG(CL_DEVICE_EXECUTION_CAPABILITIES, CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL),
    ULONG(CL_DEVICE_QUEUE_PROPERTIES,
          CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
    UINT(CL_DEVICE_HOST_UNIFIED_MEMORY, CL_FALSE),
    UINT(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, CL_TRUE),
    SIZE(CL_DEVICE_PRINTF_BUFFER_SIZE, 1 << 20),
    SIZE(CL_DEVICE_PARENT_DEVICE, 0),
    UINT(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 0),
    SIZE(CL_DEVICE_PARTITION_PROPERTIES, 0),
    ULONG(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, 0),
    SIZE(CL_DEVICE_PARTITION_TYPE, 0),
    UINT(CL_DEVICE_REFERENCE_COUNT, 1),
    UINT(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, 0),
    UINT(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, 0),
    UINT(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, 64),
    SIZE(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, BYW_CL_VARIABLE_ROOM / 2),
    ULONG(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, 0),
    UINT(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, 0),
    UINT(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, 0),
    UINT(CL_DEVICE_MAX_ON_DEVICE_QUEUES, 0),
    UINT(CL_DEVICE_MAX_ON_DEVICE_EVENTS, 0),
    ULONG(CL_DEVICE_SVM_CAPABILITIES,
          CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER),
    SIZE(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, BYW_CL_VARIABLE_ROOM / 2),
    UINT(CL_DEVICE_MAX_PIPE_ARGS, 0),
    UINT(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, 0),
    UINT(CL_DEVICE_PIPE_MAX_PACKET_SIZE, 0),
    UINT(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, 0),
    UINT(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, 0),
    UINT(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, 0),
    UINT(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, CL_FALSE),
    UINT(CL_DEVICE_NUMERIC_VERSION, VERSION),
    ULONG(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, ATOMICS),
    ULONG(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, ATOMICS | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM),
    UINT(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, CL_TRUE),
    UINT(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, CL_TRUE),
    UINT(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, CL_TRUE),
    ULONG(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, 0),
    ULONG(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR,
          CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
              CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR),
    UINT(CL_DEVICE_PIPE_SUPPORT, CL_FALSE),
};

static const struct {
    cl_device_info name;
    const char *text;
} texts[] = {{CL_DRIVER_VERSION, "1.0"},
             {CL_DEVICE_PROFILE, "FULL_PROFILE"},
             {CL_DEVICE_VERSION, "OpenCL 3.0 byway"},
             {CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 byway"},
             {CL_DEVICE_BUILT_IN_KERNELS, ""},
             {CL_DEVICE_IL_VERSION, ""},
             {CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, ""},
             {CL_DEVICE_EXTENSIONS, EXTENSIONS}};

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t room, void *value,
                       size_t *size_ret)
{
    static const size_t items[3] = {BYW_CL_GROUP_LIMIT, BYW_CL_GROUP_LIMIT, 64};
    const size_t warp = byw_cl_warp_size();
    const cl_uint sub_groups = BYW_CL_GROUP_LIMIT / byw_cl_warp_size();
    static const cl_device_integer_dot_product_acceleration_properties_khr not_accelerated;
    const struct byw_cl_device *claims = byw_cl_device_claims();
    const cl_ulong memory = claims->memory;
    const cl_ulong largest = memory < BYW_CL_BUFFER_LIMIT ? memory : BYW_CL_BUFFER_LIMIT;

    if (device != byw_cl_device())
        return CL_INVALID_DEVICE;
    if (name == CL_DEVICE_PLATFORM) {
        cl_platform_id platform = byw_cl_platform();
        return byw_cl_info(&platform, sizeof(platform), room, value, size_ret);
    }
    switch (name) {
    case CL_DEVICE_NAME:
        return byw_cl_info_string(claims->name, room, value, size_ret);
    case CL_DEVICE_VENDOR:
        return byw_cl_info_string(claims->vendor, room, value, size_ret);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
        return byw_cl_info(&memory, sizeof(memory), room, value, size_ret);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        return byw_cl_info(&largest, sizeof(largest), room, value, size_ret);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return byw_cl_info(items, sizeof(items), room, value, size_ret);
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return byw_cl_info(&warp, sizeof(warp), room, value, size_ret);
    case CL_DEVICE_MAX_NUM_SUB_GROUPS:
        return byw_cl_info(&sub_groups, sizeof(sub_groups), room, value, size_ret);
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
        return byw_cl_info(languages, sizeof(languages), room, value, size_ret);
    case CL_DEVICE_OPENCL_C_FEATURES:
        return byw_cl_info(features, sizeof(features), room, value, size_ret);
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
        return list_extensions(EXTENSIONS, room, value, size_ret);
    case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR:
    case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR:
        return byw_cl_info(&not_accelerated, sizeof(not_accelerated), room, value, size_ret);
    case CL_DEVICE_ILS_WITH_VERSION:
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
        return byw_cl_info(NULL, 0, room, value, size_ret);
    default:
        break;
    }
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (texts[i].name == name)
            return byw_cl_info_string(texts[i].text, room, value, size_ret);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (numbers[i].name == name) { /* little-endian hosts only: the low bytes come first */
            uint64_t number = numbers[i].value;
            return byw_cl_info(&number, numbers[i].size, room, value, size_ret);
        }
    return CL_INVALID_VALUE;
}

cl_int clRetainDevice(cl_device_id device)
{
    return device == byw_cl_device() ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int clReleaseDevice(cl_device_id device)
{
    return device == byw_cl_device() ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int clUnloadCompiler(void)
{
    return CL_SUCCESS;
}

cl_int clUnloadPlatformCompiler(cl_platform_id platform)
{
    return platform == byw_cl_platform() ? CL_SUCCESS : CL_INVALID_PLATFORM;
}
