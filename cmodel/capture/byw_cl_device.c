/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/byw_cl_device.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes: the smallest memory that OpenCL allows a device, and the largest that byway's address
 * range holds. */
#define MEMORY_LEAST (1ull << 28)
#define MEMORY_MOST (1ull << 40)

static bool read_memory(const char *text, uint64_t *memory)
{
    static const char units[] = "KMGT";
    const char *unit;
    char *end;
    uint64_t value;

    if (*text < '0' || *text > '9')
        return false;
    value = strtoull(text, &end, 10);
    unit = *end != '\0' ? strchr(units, *end) : NULL;
    if (unit != NULL) {
        unsigned shift = 10 * (unsigned)(unit - units + 1);

        value = value > MEMORY_MOST >> shift ? UINT64_MAX : value << shift;
        end++;
    }
    if (*end != '\0' || value < MEMORY_LEAST || value > MEMORY_MOST)
        return false;
    *memory = value;
    return true;
}

static bool is_cuda_device(const char *word)
{
    static const char *const names[] = {BYW_CL_CUDA_DEVICES};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(word, names[i]) == 0)
            return true;
    return false;
}

static bool take(char *word, struct byw_cl_device *device)
{
    char *value = strchr(word, '=');
    size_t length;

    if (is_cuda_device(word))
        return true;
    if (value == NULL || value[1] == '\0')
        return false;
    *value++ = '\0';
    length = strlen(value);
    if (strcmp(word, "memory") == 0)
        return read_memory(value, &device->memory);
    if (length >= BYW_CL_DEVICE_TEXT || (strcmp(word, "name") != 0 && strcmp(word, "vendor") != 0))
        return false;
    memcpy(word[0] == 'n' ? device->name : device->vendor, value, length + 1);
    return true;
}

void byw_cl_device_read(const char *list, struct byw_cl_device *device)
{
    char *copy = strdup(list == NULL ? "" : list), *save = NULL;

    *device = (struct byw_cl_device){.name = "byway", .vendor = "byway", .memory = 1ull << 33};
    for (char *word = copy == NULL ? NULL : strtok_r(copy, ";", &save); word != NULL;
         word = strtok_r(NULL, ";", &save)) {
        char given[64];

        snprintf(given, sizeof(given), "%s", word);
        if (!take(word, device))
            snprintf(device->complaint, sizeof(device->complaint),
                     BYW_CL_ENV_DEVICE
                     " has '%s'; expected name=, vendor= or memory= (256M to 1T), separated by ;, "
                     "or h200, h100, a100 or v100",
                     given);
    }
    free(copy);
}
