/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/byw_cl_command.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* The program's environment without variables that would make clang load our library or the
 * program's preloads. */
static char **environment(void)
{
    extern char **environ;
    size_t count = 0, kept = 0;
    char **copy;

    while (environ[count] != NULL)
        count++;
    copy = calloc(count + 1, sizeof(*copy));
    for (size_t i = 0; i < count && copy != NULL; i++)
        if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0 &&
            strncmp(environ[i], "LD_AUDIT=", 9) != 0 &&
            strncmp(environ[i], "LD_LIBRARY_PATH=", 16) != 0)
            copy[kept++] = environ[i];
    return copy;
}

int byw_cl_command(char *const argv[], const char *input, const char *output, const char *errors)
{
    posix_spawn_file_actions_t files;
    char **env = environment();
    int status = -1, error;
    pid_t child;

    if (env == NULL)
        return -1;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, input != NULL ? input : "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, output != NULL ? output : "/dev/null",
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&files, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0600);
    error = posix_spawnp(&child, argv[0], &files, NULL, argv, env);
    posix_spawn_file_actions_destroy(&files);
    free(env);
    if (error != 0 || waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
