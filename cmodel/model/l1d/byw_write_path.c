/* SPDX-License-Identifier: Apache-2.0 */
#include "l1d/byw_write_path.h"

#include <stdlib.h>

enum byw_status byw_write_path_init(struct byw_write_path *wp, uint32_t beat_bytes, bool with_data)
{
    *wp = (struct byw_write_path){0};
    if (!with_data)
        return BYW_OK;
    wp->wb_data = calloc(1, beat_bytes);
    return wp->wb_data == NULL ? BYW_ENOMEM : BYW_OK;
}

void byw_write_path_release(struct byw_write_path *wp)
{
    free(wp->wb_data);
    wp->wb_data = NULL;
}
