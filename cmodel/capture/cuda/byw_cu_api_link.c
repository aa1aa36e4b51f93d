/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver API: linking.  The linked image is the PTX of all inputs in one text, whose units are
 * linked when it is loaded.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/compile/byw_cl_workshop.h"
#include "capture/cuda/byw_cu_driver.h"
#include "capture/cuda/byw_cu_fatbin.h"

#define ARCHIVE "!<arch>\n"

struct byw_cu_link {
    char *text; /* ended by NUL; NULL: empty */
    size_t length;
};
typedef struct byw_cu_link *CUlinkState;

CU(cuLinkCreate_v2, unsigned count, int *options, void **values, CUlinkState *link)
{
    (void)count, (void)options, (void)values;
    *link = calloc(1, sizeof(**link));
    return *link != NULL ? BYW_CU_OK : BYW_CU_NO_MEMORY;
}
CU_ALIAS(cuLinkCreate, cuLinkCreate_v2);

/* Archives are the toolkit's device libraries, whose functions byway provides. */
static bool is_archive(const void *data, size_t size)
{
    return size >= strlen(ARCHIVE) && memcmp(data, ARCHIVE, strlen(ARCHIVE)) == 0;
}

CU(cuLinkAddData_v2, CUlinkState link, int type, const void *data, size_t size, const char *name,
   unsigned count, int *options, void **values)
{
    const struct byw_cu_device *device = byw_cu_device();
    struct byw_diag diag = {{0}};
    char *text, *all;
    size_t length;

    (void)type, (void)count, (void)options, (void)values;
    if (link == NULL || data == NULL || size == 0)
        return BYW_CU_INVALID_VALUE;
    if (is_archive(data, size))
        return BYW_CU_OK;
    if (byw_cu_find_ptx(data, size, 10 * device->major + device->minor, &text, &length, &diag) !=
        BYW_OK) {
        byw_cu_say("%s: %s", name != NULL ? name : "an input of the linker", diag.text);
        return BYW_CU_NO_BINARY;
    }
    all = realloc(link->text, link->length + length + 2);
    if (all != NULL) {
        memcpy(all + link->length, text, length);
        memcpy(all + link->length + length, "\n", 2);
        link->text = all;
        link->length += length + 1;
    }
    free(text);
    return all != NULL ? BYW_CU_OK : BYW_CU_NO_MEMORY;
}
CU_ALIAS(cuLinkAddData, cuLinkAddData_v2);

CU(cuLinkAddFile_v2, CUlinkState link, int type, const char *path, unsigned count, int *options,
   void **values)
{
    size_t size;
    char *data = byw_cl_read_file(path, &size);
    CUresult result = data == NULL
                          ? BYW_CU_FILE_NOT_FOUND
                          : cuLinkAddData_v2(link, type, data, size, path, count, options, values);

    free(data);
    return result;
}
CU_ALIAS(cuLinkAddFile, cuLinkAddFile_v2);

/* The image remains owned by the link. */
CU(cuLinkComplete, CUlinkState link, void **image, size_t *size)
{
    if (link == NULL || link->text == NULL)
        return BYW_CU_INVALID_VALUE;
    *image = link->text;
    if (size != NULL)
        *size = link->length;
    return BYW_CU_OK;
}

CU(cuLinkDestroy, CUlinkState link)
{
    if (link != NULL)
        free(link->text);
    free(link);
    return BYW_CU_OK;
}
