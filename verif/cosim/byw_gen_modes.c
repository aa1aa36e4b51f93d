/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gen_modes - prints rtl/include/byw_modes.vh: macros with the values of the settings inputs of
 * byw_l1d and byw_sm_l1 for each policy that has hardware. They come from the policy files through
 * the code that sets a cluster's registers, so that a mode by name equals the simulator's.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_config.h"
#include "top/byw_csr.h"

static const char *const policies[] = {"bl",         "ball",      "decoupled", "pc",      "stall",
                                       "stall_line", "two_level", "threshold", "hybrid_t"};

static void define(const char *policy, const char *input, unsigned width, uint32_t value)
{
    printf("`define BYW_MODE_");
    for (; *policy != '\0'; policy++)
        putchar(toupper((unsigned char)*policy));
    printf("%s %u'h%0*x\n", input, width, (int)(width + 3) / 4, (unsigned)value);
}

/* The description of a policy, as comment lines of at most 100 columns. */
static void about(const char *policy, const char *sentence)
{
    int column = printf("// %s:", policy);

    while (*sentence != '\0') {
        int word = (int)strcspn(sentence, " ");

        if (column + 1 + word > 100)
            column = printf("\n//") - 1;
        column += printf(" %.*s", word, sentence);
        sentence += word;
        sentence += strspn(sentence, " ");
    }
    putchar('\n');
}

static void mode(const char *policy)
{
    struct byw_config config;
    struct byw_csr csr;
    struct byw_diag diag;
    char path[128];

    byw_config_defaults(&config);
    snprintf(path, sizeof(path), "cmodel/configs/policies/%s.cfg", policy);
    if (byw_config_read(&config, path, NULL, BYW_PARAM_POLICY, &diag) != BYW_OK) {
        fprintf(stderr, "%s\n", diag.text);
        exit(1);
    }
    byw_csr_init(&csr, 1);
    byw_csr_from_config(&csr, &config);
    about(policy, config.policy_about);
    define(policy, "", 32, csr.policy);
    define(policy, "_FILTER_ON", 1, config.policy_mode == BYW_MODE_DECOUPLED);
    define(policy, "_PC_CFG", 32, csr.pc_pred);
    define(policy, "_TL_CFG", 32, csr.two_level);
    define(policy, "_TL_WINDOW", 32, csr.two_level_window);
    define(policy, "_TL_PERIOD", 30, csr.two_level_period);
    define(policy, "_TL_BOUND", 31, csr.two_level_bound);
}

int main(void)
{
    puts("// SPDX-License-Identifier: Apache-2.0\n"
         "//\n"
         "// byw_modes.vh - the settings of byw_l1d and byw_sm_l1 by name of the policy: "
         "BYW_MODE_NAME for\n"
         "// cfg_i, _FILTER_ON for filter_on_i, _PC_CFG for pc_cfg_i, and of byw_sm_l1 _TL_* for "
         "tl_*_i.\n"
         "// Generated from the policy files by verif/cosim/byw_gen_modes.c (make rtl-defs); not "
         "edited.\n"
         "`ifndef BYW_MODES_VH\n"
         "`define BYW_MODES_VH\n"
         "// Or it to a mode: a store updates the line it hits, instead of dropping it.");
    define("store_update", "", 32, UINT32_C(1) << BYW_CSR_POLICY_STORE_UPDATE_LSB);
    for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++)
        mode(policies[i]);
    puts("`endif");
    return 0;
}
