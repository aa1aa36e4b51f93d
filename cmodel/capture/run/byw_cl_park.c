/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/run/byw_cl_park.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct byw_cl_park {
    int fd; /* -1: not open yet */
    uint64_t end; /* bytes of the file */
};

struct byw_cl_parked {
    struct byw_cl_spool_part part;
    uint64_t at; /* in the file: warps, records, addresses */
    uint32_t id[3], warps, insts, addrs;
    struct byw_cl_parked *next;
};

struct byw_cl_park *byw_cl_park_create(void)
{
    struct byw_cl_park *park = calloc(1, sizeof(*park));

    if (park != NULL)
        park->fd = -1;
    return park;
}

void byw_cl_park_free(struct byw_cl_park *park)
{
    if (park != NULL && park->fd >= 0)
        close(park->fd);
    free(park);
}

void byw_cl_parked_free(struct byw_cl_parked *list)
{
    while (list != NULL) {
        struct byw_cl_parked *first = list;

        list = first->next;
        free(first);
    }
}

static int open_unnamed(void)
{
    const char *folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    char path[4096];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd >= 0 || snprintf(path, sizeof(path), "%s/byway-XXXXXX", folder) >= (int)sizeof(path))
        return fd;
    fd = mkstemp(path);
    if (fd >= 0)
        unlink(path);
    return fd;
}

static enum byw_status cannot(struct byw_diag *diag, const char *what)
{
    return byw_diag_set(diag, BYW_EIO,
                        "cannot %s the temporary file for the traces of resident work-groups in "
                        "$TMPDIR or /tmp (%s); make room there, or set TMPDIR",
                        what, strerror(errno));
}

static bool put_bytes(struct byw_cl_park *park, const void *data, size_t bytes)
{
    const unsigned char *from = data;

    while (bytes != 0) {
        ssize_t done = pwrite(park->fd, from, bytes, (off_t)park->end);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        from += done;
        bytes -= (size_t)done;
        park->end += (uint64_t)done;
    }
    return true;
}

enum byw_status byw_cl_park_put(struct byw_cl_park *park, struct byw_cl_parked **list,
                                struct byw_cta *cta, const struct byw_cl_spool_part *part,
                                struct byw_diag *diag)
{
    struct byw_cl_parked *p = calloc(1, sizeof(*p));

    if (p == NULL)
        return byw_no_memory(diag, "a work-group's trace");
    if (park->fd < 0)
        park->fd = open_unnamed();
    *p = (struct byw_cl_parked){.part = *part,
                                .at = park->end,
                                .warps = cta->warp_count,
                                .insts = cta->inst_count,
                                .addrs = cta->addr_count};
    memcpy(p->id, cta->id, sizeof(p->id));
    if (park->fd < 0 || !put_bytes(park, cta->warp, p->warps * sizeof(*cta->warp)) ||
        !put_bytes(park, cta->inst, p->insts * sizeof(*cta->inst)) ||
        !put_bytes(park, cta->addr, p->addrs * sizeof(*cta->addr))) {
        free(p);
        return cannot(diag, park->fd < 0 ? "create" : "write");
    }
    while (*list != NULL)
        list = &(*list)->next;
    *list = p;
    byw_cta_clear(cta);
    return BYW_OK;
}

static bool take_bytes(const struct byw_cl_park *park, uint64_t *at, void *data, size_t bytes)
{
    unsigned char *to = data;

    while (bytes != 0) {
        ssize_t done = pread(park->fd, to, bytes, (off_t)*at);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        to += done;
        bytes -= (size_t)done;
        *at += (uint64_t)done;
    }
    return true;
}

enum byw_status byw_cl_park_take(struct byw_cl_park *park, struct byw_cl_parked **list,
                                 struct byw_cta *cta, struct byw_cl_spool_part *part,
                                 struct byw_diag *diag)
{
    struct byw_cl_parked *p = *list;
    struct byw_cta like;
    uint64_t at;
    bool read;

    if (p == NULL)
        return BYW_END;
    like = (struct byw_cta){.warp_count = p->warps, .inst_count = p->insts, .addr_count = p->addrs};
    byw_cta_clear(cta);
    byw_cta_reserve(cta, &like);
    if (cta->warp_room < p->warps || cta->inst_room < p->insts || cta->addr_room < p->addrs)
        return byw_no_memory(diag, "a work-group's trace");
    at = p->at;
    read = take_bytes(park, &at, cta->warp, p->warps * sizeof(*cta->warp)) &&
           take_bytes(park, &at, cta->inst, p->insts * sizeof(*cta->inst)) &&
           take_bytes(park, &at, cta->addr, p->addrs * sizeof(*cta->addr));
    if (!read)
        return cannot(diag, "read");
    cta->warp_count = p->warps;
    cta->inst_count = p->insts;
    cta->addr_count = p->addrs;
    memcpy(cta->id, p->id, sizeof(p->id));
    *part = p->part;
    *list = p->next;
    free(p);
    return BYW_OK;
}
