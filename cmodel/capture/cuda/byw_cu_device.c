/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "capture/byw_cl_device.h"
#include "capture/cuda/byw_cu.h"
#include "capture/run/byw_cl_process.h"

#define GIB (1ull << 30)
#define MIB (1ull << 20)

static const char *const keys[] = {BYW_CL_CUDA_DEVICES};
static const struct byw_cu_device devices[] = {
    {"NVIDIA H200", 9, 0, 132, 2048, 32, 1980000, 3201000, 6144, 141 * GIB, 60 * MIB, 233472, 49152,
     232448},
    {"NVIDIA H100", 9, 0, 132, 2048, 32, 1980000, 2619000, 5120, 80 * GIB, 50 * MIB, 233472, 49152,
     232448},
    {"NVIDIA A100", 8, 0, 108, 2048, 32, 1410000, 1215000, 5120, 40 * GIB, 40 * MIB, 167936, 49152,
     166912},
    {"Tesla V100", 7, 0, 80, 2048, 32, 1530000, 877000, 4096, 16 * GIB, 6 * MIB, 98304, 49152,
     98304}};

_Static_assert(sizeof(keys) / sizeof(keys[0]) == sizeof(devices) / sizeof(devices[0]),
               "a device for each key");

const struct byw_cu_device *byw_cu_device(void)
{
    const char *word = getenv(BYW_CL_ENV_DEVICE);

    byw_cl_process_start(); /* a program that only queries the device has reached byway, too */
    while (word != NULL && *word != '\0') { /* a list, separated by ; */
        size_t length = strcspn(word, ";");

        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
            if (strlen(keys[i]) == length && strncmp(word, keys[i], length) == 0)
                return &devices[i];
        word += length + (word[length] == ';');
    }
    return &devices[0];
}

enum byw_cu_error byw_cu_device_attribute(int attribute, int *value)
{
    const struct byw_cu_device *d = byw_cu_device();
    const struct {
        int attribute;
        unsigned value;
    } list[] = {{1, 1024},
                {2, 1024},
                {3, 1024},
                {4, 64}, /* threads of a block; x, y, z */
                {5, INT32_MAX},
                {6, 65535},
                {7, 65535}, /* grid */
                {8, d->shared_per_block},
                {9, 65536}, /* constant memory */
                {10, 32},
                {11, INT32_MAX}, /* lanes; pitch */
                {12, 65536},
                {13, d->clock_khz},
                {14, 512},
                {15, 1},
                {16, d->sms},
                {17, 0},
                {18, 0},
                {19, 1},
                {20, 0},
                {31, 1},
                {32, 1},
                {33, 1},
                {34, 0},
                {35, 0},
                {36, d->memory_clock_khz},
                /* largest textures and surfaces */
                {21, 131072},
                {22, 131072},
                {23, 65536},
                {24, 16384},
                {25, 16384},
                {26, 16384},
                {27, 32768},
                {28, 32768},
                {29, 2048},
                {30, 512},
                {42, 32768},
                {43, 2048},
                {45, 32768},
                {46, 32768},
                {52, 32768},
                {53, 32768},
                {54, 2046},
                {55, 32768},
                {56, 131072},
                {57, 65536},
                {58, 16384},
                {59, 16384},
                {60, 16384},
                {61, 32768},
                {62, 2048},
                {63, 32768},
                {64, 32768},
                {65, 2048},
                {66, 32768},
                {67, 32768},
                {68, 2046},
                {69, 268435456},
                {70, 131072},
                {71, 65000},
                {72, 2097120},
                {37, d->bus_bits},
                {38, (unsigned)d->l2},
                {39, d->threads_per_sm},
                {40, 3},
                {41, 1},
                {50, 0},
                {51, 32},
                {75, d->major},
                {76, d->minor},
                {78, 1},
                {79, 1},
                {80, 1},
                {81, d->shared_per_sm},
                {82, 65536},
                {83, 1},
                {84, 0},
                {85, 0},
                {86, 0},
                {87, 2},
                {88, 0},
                {89, 1},
                {90, 1},
                {91, 0},
                {95, 1},
                {96, 0},
                {97, d->shared_optin},
                {98, 0},
                {99, 1},
                {100, 0},
                {101, 0},
                {102, 1}, /* memory is mapped by cuMemMap */
                {106, d->blocks_per_sm},
                {108, 0},
                {109, 0},
                {110, 0},
                {111, 1024},
                {112, 0},
                {113, 0},
                {115, 1},
                {116, 0},
                {120, d->major >= 9}, /* clusters */
                {121, 0},
                {122, 0}};

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (list[i].attribute == attribute) {
            *value = (int)list[i].value;
            return BYW_CU_OK;
        }
    *value = 0;
    return attribute > 0 && attribute < 160 ? BYW_CU_OK : BYW_CU_INVALID_VALUE;
}

static const struct {
    int code;
    const char *driver, *runtime, *text;
} errors[] = {
    {0, "CUDA_SUCCESS", "cudaSuccess", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "cudaErrorInvalidValue", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "cudaErrorMemoryAllocation", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "cudaErrorInitializationError", "initialization error"},
    {9, NULL, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {13, NULL, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {21, NULL, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {65, NULL, "cudaErrorLaunchMaxDepthExceeded", "launches of kernels nest too deep"},
    {69, NULL, "cudaErrorLaunchPendingCountExceeded", "too many pending launches of kernels"},
    {98, NULL, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {100, "CUDA_ERROR_NO_DEVICE", "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "cudaErrorInvalidDevice", "invalid device ordinal"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "cudaErrorInvalidKernelImage",
     "device kernel image is invalid"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "cudaErrorDeviceUninitialized", "invalid device context"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {218, "CUDA_ERROR_INVALID_PTX", "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
    {301, "CUDA_ERROR_FILE_NOT_FOUND", "cudaErrorFileNotFound", "file not found"},
    {304, "CUDA_ERROR_OPERATING_SYSTEM", "cudaErrorOperatingSystem", "the system refused a call"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "cudaErrorSymbolNotFound", "named symbol not found"},
    {600, "CUDA_ERROR_NOT_READY", "cudaErrorNotReady", "device not ready"},
    {705, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", "cudaErrorPeerAccessNotEnabled",
     "peer access is not enabled"},
    {912, "CUDA_ERROR_INVALID_CLUSTER_SIZE", "cudaErrorInvalidClusterSize",
     "the kernel or the device cannot have clusters of this size"},
    {710, "CUDA_ERROR_ASSERT", "cudaErrorAssert", "device-side assert triggered"},
    {712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "cudaErrorLaunchFailure", "unspecified launch failure"},
    {720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "cudaErrorCooperativeLaunchTooLarge",
     "the device cannot hold all blocks of the cooperative launch"},
    {801, "CUDA_ERROR_NOT_SUPPORTED", "cudaErrorNotSupported", "operation not supported"},
    {910, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE", "cudaErrorGraphExecUpdateFailure",
     "the executable graph has other nodes or dependencies"}};

const char *byw_cu_error_name(int error, bool runtime)
{
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
        if (errors[i].code == error)
            return runtime ? errors[i].runtime : errors[i].driver;
    return NULL;
}

const char *byw_cu_error_text(int error)
{
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
        if (errors[i].code == error)
            return errors[i].text;
    return NULL;
}
