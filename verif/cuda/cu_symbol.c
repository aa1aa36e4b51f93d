/* SPDX-License-Identifier: Apache-2.0
 *
 * cu_symbol LIBRARY NAME... - calls each function of the library twice, without arguments; prints
 * what it returned.
 */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *library = argc < 3 ? NULL : dlopen(argv[1], RTLD_NOW);

    if (library == NULL)
        return 1;
    for (int i = 2; i < argc; i++) {
        void *symbol = dlsym(library, argv[i]);
        int (*call)(void) = NULL;

        *(void **)&call = symbol;
        if (call == NULL)
            printf("%s is missing\n", argv[i]);
        else
            printf("%s %d %d\n", argv[i], call(), call());
    }
    return 0;
}
