/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/file/byw_trace_sum.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "trace/file/byw_trace_kept.h"

enum { CHUNK = 1 << 20 };

struct summer {
    XXH3_state_t *state;
    char *chunk;
    struct byw_diag *diag;
};

static void as_text(XXH128_hash_t hash, char sum[BYW_TRACE_SUM_ROOM])
{
    XXH128_canonical_t bytes;

    XXH128_canonicalFromHash(&bytes, hash);
    for (size_t i = 0; i < sizeof(bytes.digest); i++)
        snprintf(sum + 2 * i, 3, "%02x", bytes.digest[i]);
}

void byw_text_sum(const char *text, size_t length, char sum[BYW_TRACE_SUM_ROOM])
{
    as_text(XXH3_128bits(text, length), sum);
}

static enum byw_status unreadable(const struct summer *s, const char *path)
{
    return byw_diag_set(s->diag, BYW_EIO, "%s: cannot be read (%s)", path,
                        strerror(errno != 0 ? errno : EIO));
}

static enum byw_status add_file(struct summer *s, const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t n;
    bool good;

    if (file == NULL)
        return unreadable(s, path);
    while ((n = fread(s->chunk, 1, CHUNK, file)) > 0)
        XXH3_128bits_update(s->state, s->chunk, n);
    good = !ferror(file);
    fclose(file);
    return good ? BYW_OK : unreadable(s, path);
}

/* Whether a file is a decoded copy of a text trace, which is not part of the trace. */
static bool is_kept(const char *name)
{
    static const char *const endings[] = {BYW_KEPT_LINE, BYW_KEPT_DATA};
    size_t length = strlen(name);

    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        size_t end = strlen(endings[i]);

        if (length > end && strcmp(name + length - end, endings[i]) == 0)
            return true;
    }
    return false;
}

static enum byw_status add_folder(struct summer *s, const char *path)
{
    struct dirent **entry = NULL;
    int count = scandir(path, &entry, NULL, alphasort);
    enum byw_status st = count < 0 ? unreadable(s, path) : BYW_OK;

    for (int i = 0; i < count; i++) {
        char name[PATH_MAX];
        struct stat about;

        if (st == BYW_OK && !is_kept(entry[i]->d_name) &&
            snprintf(name, sizeof(name), "%s/%s", path, entry[i]->d_name) < (int)sizeof(name) &&
            stat(name, &about) == 0 && S_ISREG(about.st_mode)) {
            XXH3_128bits_update(s->state, entry[i]->d_name, strlen(entry[i]->d_name) + 1);
            st = add_file(s, name);
        }
        free(entry[i]);
    }
    free(entry);
    return st;
}

enum byw_status byw_trace_sum(const char *path, char sum[BYW_TRACE_SUM_ROOM], struct byw_diag *diag)
{
    struct summer s = {.diag = diag};
    struct stat about;
    enum byw_status st;

    errno = 0;
    if (stat(path, &about) != 0)
        return unreadable(&s, path);
    if (!S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
        return byw_diag_set(diag, BYW_EUNSUPPORTED, "%s: not a file, so it has no checksum", path);
    s.state = XXH3_createState();
    s.chunk = malloc(CHUNK);
    if (s.state == NULL || s.chunk == NULL) {
        st = byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for its checksum", path);
    } else {
        XXH3_128bits_reset(s.state);
        st = S_ISDIR(about.st_mode) ? add_folder(&s, path) : add_file(&s, path);
        as_text(XXH3_128bits_digest(s.state), sum);
    }
    XXH3_freeState(s.state);
    free(s.chunk);
    return st;
}
