/* SPDX-License-Identifier: Apache-2.0
 *
 * t_file.c - output files that appear whole or not at all.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/byw_file.h"
#include "common/test.h"

static char folder[96];

static int make_folder(void **state)
{
    const char *dir = getenv("TMPDIR");

    (void)state;
    snprintf(folder, sizeof(folder), "%.60s/t_file-%ld", dir != NULL ? dir : "/tmp",
             (long)getpid());
    return mkdir(folder, 0777);
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static unsigned entries(void)
{
    DIR *dir = opendir(folder);
    unsigned count = 0;

    assert_non_null(dir);
    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count - 2; /* . and .. */
}

static void expect_content(const char *path, const char *want)
{
    char got[64] = "";
    FILE *f = fopen(path, "r");

    assert_non_null(f);
    assert_non_null(fgets(got, sizeof(got), f));
    fclose(f);
    assert_string_equal(got, want);
}

static void write_text(const char *path, const char *text, bool commit)
{
    struct byw_file *file;
    struct byw_diag diag;

    assert_int_equal(byw_file_create(path, &file, &diag), BYW_OK);
    fputs(text, byw_file_stream(file));
    if (commit)
        assert_int_equal(byw_file_commit(file, &diag), BYW_OK);
    else
        byw_file_discard(file);
}

static void files_appear_on_commit_only(void **state)
{
    struct byw_file *file;
    struct byw_diag diag;
    struct stat info;
    char path[192];
    mode_t mask = umask(022);

    (void)state;
    snprintf(path, sizeof(path), "%s/a", folder);
    assert_int_equal(byw_file_create(path, &file, &diag), BYW_OK);
    fputs("one", byw_file_stream(file));
    assert_int_not_equal(access(path, F_OK), 0); /* no file exists before the commit */
    assert_int_equal(byw_file_commit(file, &diag), BYW_OK);
    expect_content(path, "one");
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0644);
    write_text(path, "two", false);
    expect_content(path, "one");
    assert_int_equal(entries(), 1);
    write_text(path, "three", true);
    expect_content(path, "three");
    assert_int_equal(entries(), 1);
    unlink(path);
    umask(mask);
}

static void links_and_devices_are_written_through(void **state)
{
    char target[192], link[192];
    struct stat info;

    (void)state;
    snprintf(target, sizeof(target), "%s/target", folder);
    snprintf(link, sizeof(link), "%s/link", folder);
    write_text(target, "old", true);
    assert_int_equal(symlink("target", link), 0);
    write_text(link, "new", true);
    expect_content(target, "new");
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    unlink(link);
    unlink(target);
    write_text("/dev/null", "gone", true);
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

/* A writer that is killed, once without and once with an existing file, leaves the previous
 * state. */
static void a_killed_writer_leaves_nothing(void **state)
{
    int fd = open(folder, O_TMPFILE | O_WRONLY, 0600);
    struct byw_file *file;
    struct byw_diag diag;
    char path[192];

    (void)state;
    if (fd < 0)
        skip(); /* this file system does not support unnamed files */
    close(fd);
    snprintf(path, sizeof(path), "%s/a", folder);
    for (unsigned files = 0; files <= 1; files++) {
        pid_t child = fork();

        if (child == 0) {
            if (byw_file_create(path, &file, &diag) == BYW_OK)
                fprintf(byw_file_stream(file), "%100000d", 1);
            raise(SIGKILL);
        }
        assert_int_equal(waitpid(child, NULL, 0), child);
        assert_int_equal(entries(), files);
        write_text(path, "one", true);
    }
    expect_content(path, "one");
    unlink(path);
}

/* "-" is standard output: a commit does not close it, and it is refused if it is closed. */
static void a_commit_keeps_standard_output_open(void **state)
{
    int saved = dup(STDOUT_FILENO);
    struct byw_file *file;
    struct byw_diag diag;
    char path[192];

    (void)state;
    snprintf(path, sizeof(path), "%s/out", folder);
    fflush(stdout);
    assert_int_equal(dup2(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600), STDOUT_FILENO),
                     STDOUT_FILENO);
    write_text("-", "one", true);
    write_text("-", " two", true);
    close(STDOUT_FILENO);
    assert_int_equal(byw_file_create("-", &file, &diag), BYW_EIO);
    assert_int_equal(open("/dev/null", O_RDONLY), STDOUT_FILENO);
    assert_int_equal(byw_file_create("-", &file, &diag), BYW_EIO);
    assert_int_equal(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
    close(saved);
    assert_non_null(strstr(diag.text, "standard output"));
    expect_content(path, "one two");
    unlink(path);
}

static void unwritable_paths_are_named(void **state)
{
    struct byw_file *file;
    struct byw_diag diag = {.text = ""};
    char path[192];

    (void)state;
    snprintf(path, sizeof(path), "%s/none/a", folder);
    assert_int_equal(byw_file_create(path, &file, &diag), BYW_EIO);
    assert_non_null(strstr(diag.text, path));
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(byw_file_create("/dev/full", &file, &diag), BYW_OK);
        fputs("text", byw_file_stream(file));
        assert_int_equal(byw_file_commit(file, &diag), BYW_EIO);
        assert_non_null(strstr(diag.text, "/dev/full"));
    }
    assert_int_equal(entries(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_appear_on_commit_only),
        cmocka_unit_test(links_and_devices_are_written_through),
        cmocka_unit_test(a_killed_writer_leaves_nothing),
        cmocka_unit_test(a_commit_keeps_standard_output_open),
        cmocka_unit_test(unwritable_paths_are_named),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
