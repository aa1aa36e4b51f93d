/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/run/byw_cl_guard.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define STACK_BYTES 0x10000u

#define PAGE 4096u
#define PAGES_MOST 4u /* pages that one instruction may read */

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
#define SIGNALS (sizeof(signals) / sizeof(signals[0]))

struct guard {
    sigjmp_buf back;
    struct byw_cl_fault *fault;
    struct byw_cl_reads *reads;
    void *page[PAGES_MOST]; /* pages of zeros, mapped for the instruction that reads them */
    unsigned pages;
};

/* A signal handler has no other way to find its context; set only while a kernel runs. */
static _Thread_local struct guard *active;

static uint64_t pc_of(const void *context)
{
    const ucontext_t *state = context;

#if defined(__x86_64__)
    return (uint64_t)state->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return state->uc_mcontext.pc;
#else
    (void)state;
    return 0;
#endif
}

static uint64_t sp_of(const void *context)
{
    const ucontext_t *state = context;

#if defined(__x86_64__)
    return (uint64_t)state->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return state->uc_mcontext.sp;
#else
    (void)state;
    return 0;
#endif
}

static void drop_pages(struct guard *guard)
{
    while (guard->pages != 0)
        munmap(guard->page[--guard->pages], PAGE);
}

#ifdef __x86_64__
#define TRAP_FLAG 0x100 /* trap flag of eflags: traps after the next instruction */
#define ERROR_WRITE 2 /* write flag in the error code of a page fault */

/* Maps a page of zeros where an instruction reads, for the duration of the instruction. */
static bool forgive(struct guard *guard, int signal, const siginfo_t *info, ucontext_t *state)
{
    void *page = (void *)((uintptr_t)info->si_addr & ~(uintptr_t)(PAGE - 1));

    if (guard->reads == NULL || signal != SIGSEGV || guard->pages == PAGES_MOST ||
        (state->uc_mcontext.gregs[REG_ERR] & ERROR_WRITE) != 0 || (uintptr_t)page == 0)
        return false;
    if (mmap(page, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) !=
        page)
        return false;
    if (guard->pages == 0 && guard->reads->count++ == 0)
        guard->reads->pc = pc_of(state);
    guard->page[guard->pages++] = page;
    state->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    return true;
}

static bool is_done(struct guard *guard, int signal, ucontext_t *state)
{
    if (signal != SIGTRAP || guard->pages == 0)
        return false;
    drop_pages(guard);
    state->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
    return true;
}
#else
static bool forgive(struct guard *guard, int signal, const siginfo_t *info, ucontext_t *state)
{
    (void)guard, (void)signal, (void)info, (void)state;
    return false;
}

static bool is_done(struct guard *guard, int signal, ucontext_t *state)
{
    (void)guard, (void)signal, (void)state;
    return false;
}
#endif

static void handle(int signal, siginfo_t *info, void *context)
{
    struct guard *guard = active;

    if (guard != NULL && (forgive(guard, signal, info, context) || is_done(guard, signal, context)))
        return;
    if (guard == NULL || signal == SIGTRAP) { /* not in a kernel: a fault of another thread of the
                                                 program, which ends the program */
        struct sigaction action = {.sa_handler = SIG_DFL};

        sigaction(signal, &action, NULL);
        return;
    }
    drop_pages(guard);
    guard->fault->signal = signal;
    guard->fault->address = (uint64_t)(uintptr_t)info->si_addr;
    guard->fault->pc = pc_of(context);
    guard->fault->sp = sp_of(context);
    siglongjmp(guard->back, 1);
}

_Noreturn void byw_cl_guard_leave(void)
{
    siglongjmp(active->back, 1);
}

static void call(struct guard *guard, void (*body)(void *), void *argument)
{
    if (sigsetjmp(guard->back, 1) == 0)
        body(argument);
}

void byw_cl_guarded(void (*body)(void *), void *argument, struct byw_cl_fault *fault,
                    struct byw_cl_reads *reads)
{
    struct sigaction action, before[SIGNALS];
    struct guard guard = {.fault = fault, .reads = reads}, *outer = active;
    stack_t stack = {.ss_sp = malloc(STACK_BYTES), .ss_size = STACK_BYTES}, old;

    memset(fault, 0, sizeof(*fault));
    memset(&action, 0, sizeof(action));
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    if (stack.ss_sp != NULL)
        sigaltstack(&stack, &old);
    for (size_t i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &action, &before[i]);
    active = &guard;
    call(&guard, body, argument);
    active = outer;
    for (size_t i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
    if (stack.ss_sp != NULL)
        sigaltstack(&old, NULL);
    free(stack.ss_sp);
}
