/* SPDX-License-Identifier: Apache-2.0
 *
 * The seal at the end of a stored object (byw_cl_store.h). The loader ignores bytes there.
 */
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "capture/compile/byw_cl_store.h"

#define MAGIC UINT64_C(0x0a314c4145535742) /* "BWSEAL1\n" */

struct seal {
    uint64_t magic, name, size, content;
};

static struct seal seal_of(const void *content, size_t size, const char *name)
{
    return (struct seal){MAGIC, XXH64(name, strlen(name), 0), size, XXH64(content, size, 0)};
}

/* Maps a file; NULL: empty, or it cannot be read. */
static void *map(int fd, size_t *size)
{
    struct stat about;
    void *got;

    if (fstat(fd, &about) != 0 || about.st_size <= 0)
        return NULL;
    *size = (size_t)about.st_size;
    got = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
    return got == MAP_FAILED ? NULL : got;
}

bool byw_cl_seal(const char *path, const char *name)
{
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    size_t size;
    void *content = fd < 0 ? NULL : map(fd, &size);
    bool good = content != NULL;

    if (good) {
        struct seal seal = seal_of(content, size, name);

        good = fchmod(fd, 0600) == 0 &&
               pwrite(fd, &seal, sizeof(seal), (off_t)size) == (ssize_t)sizeof(seal) &&
               fsync(fd) == 0;
        munmap(content, size);
    }
    if (fd >= 0)
        close(fd);
    return good;
}

bool byw_cl_is_sealed(int fd, const char *name)
{
    struct seal seal, want;
    size_t size;
    unsigned char *content = map(fd, &size);
    bool good = content != NULL && size > sizeof(seal);

    if (good) {
        memcpy(&seal, content + size - sizeof(seal), sizeof(seal));
        want = seal_of(content, size - sizeof(seal), name);
        good = memcmp(&seal, &want, sizeof(seal)) == 0;
    }
    if (content != NULL)
        munmap(content, size);
    return good;
}
