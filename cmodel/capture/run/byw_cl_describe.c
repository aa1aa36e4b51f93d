/* SPDX-License-Identifier: Apache-2.0
 *
 * The message about a kernel that faults, does not end, or diverges at a barrier.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "capture/run/byw_cl_dwarf.h"
#include "capture/run/byw_cl_runner.h"

#define NEAR_STACK 0x10000u
#define LINE 32
#define TEXT 256
#define ALL_ITEMS UINT32_MAX

/* item: ALL_ITEMS if unknown, because the kernel loops over the work-items. */
static void name_item(const struct byw_cl_runner *r, uint32_t item, char text[TEXT])
{
    const uint64_t *id = r->local_id[item == ALL_ITEMS ? 0 : item];

    if (item == ALL_ITEMS) {
        snprintf(text, TEXT, "kernel %s, work-group (%u,%u,%u)", r->launch->kernel->code->name,
                 r->group[0], r->group[1], r->group[2]);
        return;
    }
    snprintf(text, TEXT, "kernel %s, work-group (%u,%u,%u), work-item (%llu,%llu,%llu)",
             r->launch->kernel->code->name, r->group[0], r->group[1], r->group[2],
             (unsigned long long)id[0], (unsigned long long)id[1], (unsigned long long)id[2]);
}

static uint32_t line_of(const struct byw_cl_runner *r, uint64_t part)
{
    const struct byw_cl_code *code = r->launch->kernel->code;
    const struct byw_cl_part *list = byw_cl_code_at(code, code->part_at);

    return part < code->parts ? list[part].line : 0;
}

/* " (argument 2, b)" if the buffer is an argument of the launch. */
static void name_argument(const struct byw_cl_runner *r, uint64_t base, char text[TEXT])
{
    const struct byw_cl_code *code = r->launch->kernel->code;
    const struct byw_cl_arg *arg = byw_cl_code_at(code, code->arg_at);

    text[0] = '\0';
    for (uint32_t i = 0; i < code->args; i++) {
        uint64_t value;

        if (arg[i].kind != BYW_CL_ARG_GLOBAL && arg[i].kind != BYW_CL_ARG_CONSTANT)
            continue;
        memcpy(&value, r->launch->args[i], sizeof(value));
        if (value != base)
            continue;
        if (arg[i].name[0] == '\0') /* CUDA's have no names in PTX */
            snprintf(text, TEXT, ", argument %u", i);
        else
            snprintf(text, TEXT, ", argument %u (%s)", i, arg[i].name);
        return;
    }
}

static void describe_place(const struct byw_cl_runner *r, uint64_t address, char text[2 * TEXT])
{
    uint64_t base, size;
    char argument[TEXT];

    if (address < 4096) {
        snprintf(text, 2 * TEXT, "a null pointer");
        return;
    }
    if (!r->launch->nearest(address, &base, &size)) {
        snprintf(text, 2 * TEXT, "there are no buffers");
        return;
    }
    name_argument(r, base, argument);
    snprintf(text, 2 * TEXT, "%llu bytes %s the nearest buffer%s, %llu bytes at 0x%llx",
             (unsigned long long)(address < base ? base - address : address - base - size),
             address < base ? "before" : "past", argument, (unsigned long long)size,
             (unsigned long long)base);
}

/* Whether an access failed at the end of the stack: functions probe their frames page by page, so
 * the stack pointer is near. */
static bool is_stack(const struct byw_cl_fault *fault)
{
    return fault->signal == SIGSEGV && fault->sp != 0 && fault->address < fault->sp + NEAR_STACK &&
           fault->address + NEAR_STACK >= fault->sp;
}

enum byw_status byw_cl_describe_fault(struct byw_cl_runner *r, const struct byw_cl_fault *fault)
{
    char item[TEXT], place[2 * TEXT], line[LINE] = "";
    uint32_t number = byw_cl_dwarf_line(fault->pc);

    name_item(r, r->launch->kernel->code->looped ? ALL_ITEMS : r->item, item);
    if (number != 0)
        snprintf(line, sizeof(line), ", line %u", number);
    if (fault->signal == SIGFPE)
        return byw_diag_set(r->diag, BYW_ECHECK, "%s%s: integer division by zero", item, line);
    if (fault->signal == SIGILL)
        return byw_diag_set(r->diag, BYW_ECHECK, "%s%s: reached code that is marked unreachable",
                            item, line);
    if (is_stack(fault))
        return byw_diag_set(r->diag, BYW_ECHECK,
                            "%s%s: the stack is full: the kernel's functions need %llu bytes, or "
                            "they call each other too deeply; start the program with a larger "
                            "stack (ulimit -s)",
                            item, line, (unsigned long long)r->launch->program->item[BYW_CL_FRAME]);
    describe_place(r, fault->address, place);
    return byw_diag_set(r->diag, BYW_ECHECK, "%s%s: access to 0x%llx, outside all buffers: %s",
                        item, line, (unsigned long long)fault->address, place);
}

/* Writes " in line 7", or nothing where the program has no line numbers (CUDA without -lineinfo).
 */
static const char *in_line(const struct byw_cl_runner *r, uint64_t part, char text[LINE])
{
    uint32_t number = line_of(r, part);

    text[0] = '\0';
    if (number != 0)
        snprintf(text, LINE, " in line %u", number);
    return text;
}

enum byw_status byw_cl_describe_steps(struct byw_cl_runner *r, uint64_t part)
{
    char item[TEXT], line[LINE];

    name_item(r, r->item, item);
    return byw_diag_set(r->diag, BYW_ECHECK,
                        "%s: more than %llu loop iterations, now in the loop%s: it loops "
                        "forever, or waits for another work-group in a loop that also does other "
                        "work, and such groups run one after another (%s sets the limit)",
                        item, (unsigned long long)r->step_limit, in_line(r, part, line),
                        BYW_CL_ENV_STEPS);
}

enum byw_status byw_cl_describe_wait(struct byw_cl_runner *r, uint64_t residents, uint64_t groups)
{
    char item[TEXT], line[LINE];

    name_item(r, r->item, item);
    return byw_diag_set(r->diag, BYW_ECHECK,
                        "%s: waits forever in a loop%s, as do all %llu unfinished "
                        "resident work-groups of %llu (%s sets how many may be resident)",
                        item, in_line(r, r->wait_part, line), (unsigned long long)residents,
                        (unsigned long long)groups, BYW_CL_ENV_RESIDENT);
}

enum byw_status byw_cl_describe_group_wait(struct byw_cl_runner *r)
{
    char item[TEXT], line[LINE];

    name_item(r, r->item, item);
    return byw_diag_set(r->diag, BYW_ECHECK,
                        "%s: waits forever%s: no work-item of its %s can continue", item,
                        in_line(r, r->wait_part, line), r->clustered ? "cluster" : "work-group");
}

enum byw_status byw_cl_describe_size(struct byw_cl_runner *r, uint64_t part)
{
    char item[TEXT], line[LINE];

    name_item(r, r->item, item);
    return byw_diag_set(r->diag, BYW_ECHECK,
                        "%s: the trace of its work-group takes more than %llu MB after %llu loop "
                        "iterations%s: it loops forever, or runs too long to be "
                        "traced (%s sets the limit)",
                        item, (unsigned long long)(r->byte_limit >> 20),
                        (unsigned long long)r->steps[r->item], in_line(r, part, line),
                        BYW_CL_ENV_MEMORY);
}

enum byw_status byw_cl_describe_barriers(struct byw_cl_runner *r, uint32_t one, uint32_t other)
{
    char first[TEXT], line[LINE], others[LINE];
    const uint64_t *id = r->local_id[other];

    name_item(r, one, first);
    if (r->done[other])
        return byw_diag_set(r->diag, BYW_ECHECK,
                            "%s waits at the barrier%s, which work-item (%llu,%llu,%llu) "
                            "never reaches: barriers must be reached by all or none",
                            first, in_line(r, r->stop[one], line), (unsigned long long)id[0],
                            (unsigned long long)id[1], (unsigned long long)id[2]);
    return byw_diag_set(r->diag, BYW_ECHECK,
                        "%s waits at the barrier%s, but work-item (%llu,%llu,%llu) at the "
                        "one%s: barriers must be reached by all or none",
                        first, in_line(r, r->stop[one], line), (unsigned long long)id[0],
                        (unsigned long long)id[1], (unsigned long long)id[2],
                        in_line(r, r->stop[other], others));
}
