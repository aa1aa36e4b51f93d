/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/run/byw_cl_windows.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/run/byw_cl_code.h"

#define NONE UINT32_MAX
#define WINDOW (1ull << BYW_CL_WINDOW_SHIFT)

struct byw_cl_windows {
    uint32_t groups;
    uint32_t number, cluster; /* the scratchpad and the cluster that are mapped; NONE: none */
    uint32_t room; /* scratchpads in the file */
    int fd;
};

static void *window(uint32_t n)
{
    return (void *)(uintptr_t)(BYW_CL_SHARED_BASE + n * WINDOW);
}

static bool show(const struct byw_cl_windows *w, uint32_t n, uint32_t number)
{
    return mmap(window(n), BYW_CL_SHARED_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                w->fd, (off_t)number * BYW_CL_SHARED_SIZE) == window(n);
}

struct byw_cl_windows *byw_cl_windows_create(uint32_t groups)
{
    struct byw_cl_windows *w = malloc(sizeof(*w));

    if (w == NULL)
        return NULL;
    *w = (struct byw_cl_windows){groups, NONE, NONE, 0, memfd_create("byway", MFD_CLOEXEC)};
    if (w->fd >= 0 &&
        mmap(window(1), groups * WINDOW, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) == window(1))
        return w;
    if (w->fd >= 0)
        close(w->fd);
    free(w);
    return NULL;
}

void byw_cl_windows_free(struct byw_cl_windows *w)
{
    if (w == NULL)
        return;
    mmap(window(0), BYW_CL_SHARED_SIZE, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    munmap(window(1), w->groups * WINDOW);
    close(w->fd);
    free(w);
}

bool byw_cl_windows_show(struct byw_cl_windows *w, uint32_t number)
{
    uint32_t cluster = number / w->groups, room = (cluster + 1) * w->groups;

    if (number == w->number)
        return true;
    if (room > w->room && ftruncate(w->fd, (off_t)room * BYW_CL_SHARED_SIZE) != 0)
        return false;
    w->room = room > w->room ? room : w->room;
    for (uint32_t rank = 0; rank < w->groups && cluster != w->cluster; rank++)
        if (!show(w, 1 + rank, cluster * w->groups + rank))
            return false;
    w->cluster = cluster;
    w->number = number;
    return show(w, 0, number);
}
