/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/byw_machine_page.h"

#include "cli/byw_source_data.h"
#include "study/job/byw_setup.h"
#include "study/job/byw_stall_json.h"
#include "study/page/byw_page.h"

/* A kernel with no stalls recorded, because it has not been run. */
static json_t *kernel_json(const struct byw_cubin_code *code)
{
    struct byw_stall_kernel kernel = {.grid = {1, 1, 1},
                                      .block = {1, 1, 1},
                                      .warp_size = 32,
                                      .registers = code->machine.registers,
                                      .machine = code->machine};
    json_t *json = NULL;

    snprintf(kernel.name, sizeof(kernel.name), "%s", code->name);
    if (byw_stall_sums_begin(&kernel.sums, code->machine.count) == BYW_OK)
        json = byw_stall_kernel_json(&kernel);
    byw_stall_sums_release(&kernel.sums);
    return json;
}

static enum byw_status add_kernels(const struct byw_machine_text *text,
                                   const struct byw_kernel_pick *pick, json_t *kernels,
                                   struct byw_diag *diag)
{
    struct byw_source_texts *texts = NULL;
    const char *const ptx[] = {text->path};
    enum byw_status st =
        byw_source_texts_read(ptx, text->numbered.count > 0 ? 1 : 0, NULL, 0, &texts, diag);

    for (uint32_t i = 0; st == BYW_OK && i < text->cubin.count; i++) {
        const struct byw_cubin_code *code = &text->cubin.code[i];
        json_t *json;

        if (!byw_kernel_pick_has(pick, code->name))
            continue;
        json = kernel_json(code);
        if (json == NULL || json_array_append_new(kernels, json) != 0)
            st = byw_no_memory(diag, "the page");
        else
            st = byw_source_texts_add(texts, json, diag);
    }
    byw_source_texts_free(texts);
    return st;
}

enum byw_status byw_machine_page(const struct byw_machine_text *text,
                                 const struct byw_kernel_pick *pick, struct byw_file *file,
                                 struct byw_diag *diag)
{
    json_t *kernels = json_array(), *data;
    char name[256], title[sizeof(name) + 32];
    enum byw_status st =
        kernels != NULL ? add_kernels(text, pick, kernels, diag) : byw_no_memory(diag, "the page");

    data = json_pack("{s:{s:o, s:o}}", "stalls", "causes", byw_stall_causes_json(), "kernels",
                     kernels);
    byw_setup_name(text->path, name, sizeof(name));
    snprintf(title, sizeof(title), "Machine code of %s", name);
    if (st == BYW_OK)
        st = byw_page_source(data, title, file, diag);
    else
        byw_file_discard(file);
    json_decref(data);
    return st;
}
