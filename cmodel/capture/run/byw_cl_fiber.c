/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/run/byw_cl_fiber.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifndef __x86_64__
#include <ucontext.h>
#endif

#define STACK_BYTES 0x21000u /* printf and the maths library need most of it */
#define FRAME_SLACK 0x4000u /* bytes of a kernel's frame that are already in STACK_BYTES */
#define GUARD_BYTES 0x1000u
/* Colouring spreads the stack tops over the cache sets. */
#define COLOUR 0x240u
#define COLOURS 14u

#ifdef __x86_64__
struct context {
    void *sp;
};

/* byw_cl_fiber_swap(save, load): pushes the callee-saved registers and changes stacks. A new
 * fiber's first return goes to byw_cl_fiber_enter with its arguments in rbx, r12. */
void byw_cl_fiber_swap(void **save, void *load);
void byw_cl_fiber_enter(void);
__asm__(".text\n"
        ".p2align 4\n"
        ".type byw_cl_fiber_swap, @function\n"
        "byw_cl_fiber_swap:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size byw_cl_fiber_swap, .-byw_cl_fiber_swap\n"
        ".p2align 4\n"
        ".type byw_cl_fiber_enter, @function\n"
        "byw_cl_fiber_enter:\n"
        "    movq %rbx, %rdi\n"
        "    call *%r12\n"
        "    ud2\n"
        ".size byw_cl_fiber_enter, .-byw_cl_fiber_enter\n");
#else
struct context {
    ucontext_t state;
};
#endif

struct fiber {
    struct context context;
    void (*body)(void *);
    void *argument;
    bool done;
};

struct byw_cl_fibers {
    unsigned char *stacks;
    size_t stack; /* bytes of one stack */
    uint32_t count, current;
    struct context owner;
    struct fiber *fiber;
};

static void swap(struct context *save, struct context *load)
{
#ifdef __x86_64__
    byw_cl_fiber_swap(&save->sp, load->sp);
#else
    swapcontext(&save->state, &load->state);
#endif
}

/* Bytes of a stack; an odd number of pages, so that stacks do not share cache sets. */
static size_t stack_for(uint64_t frame)
{
    uint64_t more = frame > FRAME_SLACK ? frame - FRAME_SLACK : 0;

    return STACK_BYTES +
           (size_t)((more + 2 * GUARD_BYTES - 1) / (2 * GUARD_BYTES)) * 2 * GUARD_BYTES;
}

bool byw_cl_fibers_fit(const struct byw_cl_fibers *fibers, uint64_t frame)
{
    return fibers->stack >= stack_for(frame);
}

enum byw_status byw_cl_fibers_create(uint32_t count, uint64_t frame, bool guarded,
                                     struct byw_cl_fibers **fibers)
{
    struct byw_cl_fibers *f = calloc(1, sizeof(*f));

    if (f == NULL)
        return BYW_ENOMEM;
    f->count = count;
    f->stack = stack_for(frame);
    f->fiber = calloc(count, sizeof(*f->fiber));
    f->stacks = mmap(NULL, count * f->stack, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (f->fiber == NULL || f->stacks == MAP_FAILED) {
        if (f->stacks != MAP_FAILED)
            munmap(f->stacks, count * f->stack);
        free(f->fiber);
        free(f);
        return BYW_ENOMEM;
    }
    for (uint32_t i = 0; i < count && guarded; i++)
        mprotect(f->stacks + i * f->stack, GUARD_BYTES, PROT_NONE);
    *fibers = f;
    return BYW_OK;
}

void byw_cl_fibers_free(struct byw_cl_fibers *fibers)
{
    if (fibers == NULL)
        return;
    munmap(fibers->stacks, fibers->count * fibers->stack);
    free(fibers->fiber);
    free(fibers);
}

/* First function on a fiber's stack; never returns. */
static void run(void *argument)
{
    struct byw_cl_fibers *f = argument;
    struct fiber *fiber = &f->fiber[f->current];

    fiber->body(fiber->argument);
    fiber->done = true;
    byw_cl_fiber_stop(f);
}

#ifndef __x86_64__
static void run_split(unsigned high, unsigned low)
{
    run((void *)((uintptr_t)high << 32 | low));
}
#endif

void byw_cl_fiber_start(struct byw_cl_fibers *f, uint32_t index, void (*body)(void *),
                        void *argument)
{
    struct fiber *fiber = &f->fiber[index];
    unsigned char *top = f->stacks + ((size_t)index + 1) * f->stack - index % COLOURS * COLOUR;

    fiber->body = body;
    fiber->argument = argument;
    fiber->done = false;
#ifdef __x86_64__
    /* r15 r14 r13 r12 rbx rbp, return address; the stack is 16-byte aligned before the call. */
    void **sp = (void **)(void *)top - 7;
    void (*enter)(void) = byw_cl_fiber_enter;
    void (*first)(void *) = run;

    memset(sp, 0, 7 * sizeof(*sp));
    memcpy(&sp[3], &first, sizeof(first));
    sp[4] = f;
    memcpy(&sp[6], &enter, sizeof(enter));
    fiber->context.sp = sp;
#else
    getcontext(&fiber->context.state);
    fiber->context.state.uc_stack.ss_sp = top - f->stack / 2;
    fiber->context.state.uc_stack.ss_size = f->stack / 2;
    fiber->context.state.uc_link = NULL;
    /* makecontext() passes only ints, so the address of the set is passed in two halves. */
    makecontext(&fiber->context.state, (void (*)(void))run_split, 2, (unsigned)((uintptr_t)f >> 32),
                (unsigned)(uintptr_t)f);
#endif
}

bool byw_cl_fiber_resume(struct byw_cl_fibers *f, uint32_t index)
{
    f->current = index;
    swap(&f->owner, &f->fiber[index].context);
    return f->fiber[index].done;
}

void byw_cl_fiber_stop(struct byw_cl_fibers *f)
{
    swap(&f->fiber[f->current].context, &f->owner);
}
