/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/byw_kernel_pick.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "trace/byw_kernel_name.h"

struct byw_kernel_pick {
    char *text;
    regex_t compiled;
};

enum byw_status byw_kernel_pick_create(const char *expression, struct byw_kernel_pick **pick,
                                       struct byw_diag *diag)
{
    struct byw_kernel_pick *p = calloc(1, sizeof(*p));
    char why[256];
    int code;

    if (p == NULL || (p->text = strdup(expression)) == NULL) {
        free(p);
        return byw_no_memory(diag, "--kernels");
    }
    code = regcomp(&p->compiled, expression, REG_EXTENDED | REG_NOSUB);
    if (code == 0) {
        *pick = p;
        return BYW_OK;
    }
    regerror(code, &p->compiled, why, sizeof(why));
    free(p->text);
    free(p);
    return byw_diag_set(diag, BYW_EINVAL,
                        "--kernels is '%s': %s; expected an extended regular expression",
                        expression, why);
}

void byw_kernel_pick_free(struct byw_kernel_pick *pick)
{
    if (pick == NULL)
        return;
    regfree(&pick->compiled);
    free(pick->text);
    free(pick);
}

bool byw_kernel_pick_has(const struct byw_kernel_pick *pick, const char *symbol)
{
    char name[BYW_KERNEL_NAME_ROOM];

    if (pick == NULL || regexec(&pick->compiled, symbol, 0, NULL, 0) == 0)
        return true;
    byw_kernel_name(symbol, name);
    return regexec(&pick->compiled, name, 0, NULL, 0) == 0;
}

const char *byw_kernel_pick_text(const struct byw_kernel_pick *pick)
{
    return pick != NULL ? pick->text : NULL;
}
