/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/bwt/byw_trace_windows.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "common/byw_array.h"
#include "trace/bwt/byw_window_code.h"

/* windows of fewer bytes are not packed */
enum { SMALL = 512 };

struct byw_window_file {
    int fd;
    /* used by the adding thread */
    uint64_t end;
    struct byw_window_code *writer;
    ZSTD_CCtx *packer;
    struct byw_bytes raw, stored;
    /* used by the taking threads, one at a time */
    pthread_mutex_t lock;
    struct byw_window_code *reader;
    ZSTD_DCtx *unpacker;
    struct byw_bytes taken, content;
};

struct window {
    uint64_t offset;
    uint32_t stored, raw; /* bytes in the file, and unpacked */
};

/* A record's use that became known after the record was added. */
struct late_use {
    uint32_t record, use;
};

struct warp_windows {
    struct window *window;
    uint32_t count, next;
    size_t room;
    uint32_t taken; /* records taken so far */
    struct late_use *late;
    uint32_t late_count;
    size_t late_room;
};

struct byw_windows {
    struct byw_window_file *file;
    struct byw_kernel kernel;
    uint64_t begin, end; /* position in the file */
    uint32_t warps;
    struct warp_windows warp[];
};

/* Opens an unnamed file; -1 on failure. */
static int open_unnamed(void)
{
    const char *folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    char path[4096];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    int n;

    if (fd >= 0)
        return fd;
    n = snprintf(path, sizeof(path), "%s/byway-XXXXXX", folder);
    if (n < 0 || (size_t)n >= sizeof(path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkstemp(path);
    if (fd >= 0)
        unlink(path);
    return fd;
}

static enum byw_status window_file_open(struct byw_window_file **file, struct byw_diag *diag)
{
    struct byw_window_file *f = calloc(1, sizeof(*f));
    int error;

    if (f == NULL)
        return byw_no_memory(diag, "a long CTA");
    pthread_mutex_init(&f->lock, NULL);
    f->fd = open_unnamed();
    error = errno;
    f->writer = malloc(sizeof(*f->writer));
    f->reader = malloc(sizeof(*f->reader));
    f->packer = ZSTD_createCCtx();
    f->unpacker = ZSTD_createDCtx();
    if (f->fd < 0) {
        byw_window_file_close(f);
        return byw_diag_set(diag, BYW_EIO,
                            "cannot create a temporary file for a long CTA in $TMPDIR or /tmp (%s)",
                            strerror(error));
    }
    if (f->writer == NULL || f->reader == NULL || f->packer == NULL || f->unpacker == NULL) {
        byw_window_file_close(f);
        return byw_no_memory(diag, "a long CTA");
    }
    ZSTD_CCtx_setParameter(f->packer, ZSTD_c_compressionLevel, 1);
    *file = f;
    return BYW_OK;
}

void byw_window_file_close(struct byw_window_file *file)
{
    if (file == NULL)
        return;
    if (file->fd >= 0)
        close(file->fd);
    free(file->writer);
    free(file->reader);
    ZSTD_freeCCtx(file->packer);
    ZSTD_freeDCtx(file->unpacker);
    byw_bytes_release(&file->raw);
    byw_bytes_release(&file->stored);
    byw_bytes_release(&file->taken);
    byw_bytes_release(&file->content);
    pthread_mutex_destroy(&file->lock);
    free(file);
}

static struct byw_windows *windows_create(struct byw_window_file *file,
                                          const struct byw_kernel *kernel, uint32_t warps)
{
    struct byw_windows *w = calloc(1, sizeof(*w) + warps * sizeof(w->warp[0]));

    if (w == NULL)
        return NULL;
    w->file = file;
    w->kernel = *kernel;
    w->kernel.site = NULL;
    w->begin = w->end = file->end;
    w->warps = warps;
    return w;
}

void byw_windows_free(struct byw_windows *windows)
{
    if (windows == NULL)
        return;
    /* The file should not grow with the trace.  On file systems without hole punching it does. */
    if (windows->end != windows->begin)
        (void)fallocate(windows->file->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                        (off_t)windows->begin, (off_t)(windows->end - windows->begin));
    for (uint32_t w = 0; w < windows->warps; w++) {
        free(windows->warp[w].window);
        free(windows->warp[w].late);
    }
    free(windows);
}

enum byw_status byw_windows_begin(struct byw_window_file **file, const struct byw_kernel *kernel,
                                  uint32_t warps, struct byw_cta *cta, struct byw_diag *diag)
{
    if (*file == NULL) {
        enum byw_status st = window_file_open(file, diag);

        if (st != BYW_OK)
            return st;
    }
    for (uint32_t w = 0; w < warps; w++) {
        if (byw_cta_add_warp(cta) == NULL)
            return BYW_ENOMEM;
    }
    cta->windows = windows_create(*file, kernel, warps);
    return cta->windows == NULL ? BYW_ENOMEM : BYW_OK;
}

void byw_cta_release(struct byw_cta *cta)
{
    byw_windows_free(cta->windows);
    byw_cta_release_records(cta);
}

void byw_cta_clear(struct byw_cta *cta)
{
    byw_windows_free(cta->windows);
    cta->windows = NULL;
    cta->warp_count = 0;
    cta->inst_count = 0;
    cta->addr_count = 0;
    cta->lanes_count = cta->path_count = cta->bit_count = 0;
    cta->machine = false;
    cta->id[0] = cta->id[1] = cta->id[2] = 0;
}

/* --- adding ------------------------------------------------------------------------------- */

/* Writes or reads `size` bytes of the file, in as many calls as needed. */
static bool move_at(int fd, bool out, uint8_t *at, size_t size, uint64_t offset)
{
    while (size != 0) {
        ssize_t n = out ? pwrite(fd, at, size, (off_t)offset) : pread(fd, at, size, (off_t)offset);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        offset += (uint64_t)n;
        size -= (size_t)n;
    }
    return true;
}

_Static_assert(BYW_WINDOW_RECORDS * sizeof(struct byw_inst) <= BYW_WINDOW_BYTES,
               "only addresses make a window shorter");

/* Number of records from `first` on, up to `count`, that form a window. lists: some may list
 * addresses. */
static uint32_t window_length(const struct byw_inst *first, uint32_t count, bool lists)
{
    uint64_t bytes = 0;
    uint32_t n = 0;

    if (!lists)
        return count < BYW_WINDOW_RECORDS ? count : BYW_WINDOW_RECORDS;
    while (n < count && n < BYW_WINDOW_RECORDS) {
        bytes += byw_inst_bytes(&first[n]);
        if (n != 0 && bytes > BYW_WINDOW_BYTES)
            break;
        n++;
    }
    return n;
}

static struct window *new_window(struct warp_windows *warp)
{
    if (!BYW_ARRAY_ROOM(warp->window, warp->room, warp->count + 1u))
        return NULL;
    return &warp->window[warp->count++];
}

static enum byw_status add_window(struct byw_windows *w, uint32_t warp, struct byw_diag *diag)
{
    struct byw_window_file *f = w->file;
    struct window *window = new_window(&w->warp[warp]);
    size_t size = f->raw.size;
    bool small = size <= SMALL;

    if (window == NULL || f->raw.failed ||
        (!small && !byw_bytes_reserve(&f->stored, ZSTD_compressBound(size))))
        return byw_no_memory(diag, "a long CTA");
    if (!small)
        size = ZSTD_compress2(f->packer, f->stored.data, f->stored.room, f->raw.data, f->raw.size);
    if (ZSTD_isError(size))
        return byw_no_memory(diag, "a long CTA");
    if (!move_at(f->fd, true, small ? f->raw.data : f->stored.data, size, f->end))
        return byw_diag_set(diag, BYW_EIO, "cannot write a long CTA's temporary file (%s)",
                            strerror(errno));
    *window =
        (struct window){.offset = f->end, .stored = (uint32_t)size, .raw = (uint32_t)f->raw.size};
    w->end = f->end += size;
    return BYW_OK;
}

enum byw_status byw_windows_add(struct byw_windows *windows, const struct byw_cta *part,
                                uint32_t first_warp, struct byw_diag *diag)
{
    for (uint32_t i = 0; i < part->warp_count; i++) {
        uint32_t done = 0;

        while (done < part->warp[i].count) {
            uint32_t at = part->warp[i].first + done;
            uint32_t n =
                window_length(part->inst + at, part->warp[i].count - done, part->addr_count != 0);
            struct byw_bytes *raw = &windows->file->raw;
            enum byw_status st;

            raw->size = 0;
            byw_window_write(windows->file->writer, part->inst + at, n, part->addr, raw);
            st = add_window(windows, first_warp + i, diag);
            if (st != BYW_OK)
                return st;
            done += n;
        }
    }
    return BYW_OK;
}

enum byw_status byw_windows_use(struct byw_windows *windows, uint32_t warp, uint32_t record,
                                uint32_t use, struct byw_diag *diag)
{
    struct warp_windows *w = &windows->warp[warp];

    if (!BYW_ARRAY_ROOM(w->late, w->late_room, w->late_count + 1u))
        return byw_no_memory(diag, "a long CTA");
    w->late[w->late_count++] = (struct late_use){.record = record, .use = use};
    return BYW_OK;
}

/* --- taking ------------------------------------------------------------------------------- */

/* Adds a window's records to `cta`. */
static enum byw_status take(struct byw_windows *w, const struct window *window, struct byw_cta *cta,
                            struct byw_diag *diag)
{
    struct byw_window_file *f = w->file;
    bool small = window->raw <= SMALL;
    enum byw_status st;
    size_t size = window->raw;

    if (!byw_bytes_reserve(&f->taken, window->stored) ||
        !byw_bytes_reserve(&f->content, window->raw))
        return byw_no_memory(diag, "a long CTA");
    if (!move_at(f->fd, false, f->taken.data, window->stored, window->offset))
        return byw_diag_set(diag, BYW_EIO, "cannot read a long CTA's temporary file (%s)",
                            strerror(errno));
    if (!small)
        size = ZSTD_decompressDCtx(f->unpacker, f->content.data, window->raw, f->taken.data,
                                   window->stored);
    st = ZSTD_isError(size) || size != window->raw
             ? BYW_EFORMAT
             : byw_window_read(f->reader, small ? f->taken.data : f->content.data, size, cta);
    if (st == BYW_EFORMAT)
        return byw_diag_set(diag, BYW_EIO, "a long CTA's temporary file is damaged");
    return st == BYW_ENOMEM ? byw_no_memory(diag, "a long CTA") : st;
}

/* Sets the uses that became known later in the `count` records at `inst`, the next ones to be
 * taken. */
static void set_uses(struct warp_windows *w, struct byw_inst *inst, uint32_t count)
{
    for (uint32_t i = 0; i < w->late_count; i++) {
        uint32_t at = w->late[i].record - w->taken;

        if (at < count && inst[at].use == 0)
            inst[at].use = w->late[i].use;
    }
    w->taken += count;
}

enum byw_status byw_windows_next(struct byw_windows *windows, uint32_t warp, uint32_t left,
                                 struct byw_cta *window, bool *more, struct byw_diag *diag)
{
    struct warp_windows *w = &windows->warp[warp];
    struct byw_cta old = *window;
    enum byw_status st = BYW_OK;
    bool ok;

    *more = false;
    byw_cta_init(window);
    ok = byw_cta_add_warp(window) != NULL &&
         (left == 0 || byw_cta_append(window, old.inst + (old.inst_count - left), left, old.addr));
    if (ok && w->next < w->count) {
        pthread_mutex_lock(&windows->file->lock);
        st = take(windows, &w->window[w->next++], window, diag);
        pthread_mutex_unlock(&windows->file->lock);
        if (st == BYW_OK && ok)
            set_uses(w, window->inst + left, window->inst_count - left);
        *more = st == BYW_OK && w->next < w->count;
    }
    byw_cta_release_records(&old);
    return ok ? st : byw_no_memory(diag, "a long CTA");
}
