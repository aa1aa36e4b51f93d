/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/byw_cl_guard.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define STACK_BYTES 0x10000u

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#define SIGNALS (sizeof(signals) / sizeof(signals[0]))

struct guard {
    sigjmp_buf back;
    struct byw_cl_fault *fault;
};

/* A signal handler has no other way to its context; set only while a kernel runs. */
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

static void handle(int signal, siginfo_t *info, void *context)
{
    struct guard *guard = active;

    if (guard == NULL) { /* no kernel of ours: another thread of the program, which ends by it */
        struct sigaction action = {.sa_handler = SIG_DFL};

        sigaction(signal, &action, NULL);
        return;
    }
    guard->fault->signal = signal;
    guard->fault->address = (uint64_t)(uintptr_t)info->si_addr;
    guard->fault->pc = pc_of(context);
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

void byw_cl_guarded(void (*body)(void *), void *argument, struct byw_cl_fault *fault)
{
    struct sigaction action, before[SIGNALS];
    struct guard guard = {.fault = fault}, *outer = active;
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
