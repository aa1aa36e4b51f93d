/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_status.h - result codes and error messages, shared by all units.
 *
 * A call that can fail returns enum byw_status and writes its results through out parameters.  The
 * list below is the only place to add a code.  Calls that read user input also take a struct
 * byw_diag and write one sentence to it: which file, where in it, and what was expected.
 */
#ifndef BYW_STATUS_H
#define BYW_STATUS_H

#define BYW_STATUS_LIST(X)                                                                         \
    X(BYW_OK, "ok")                                                                                \
    X(BYW_END, "end of data")                                                                      \
    X(BYW_EINVAL, "parameter out of range")                                                        \
    X(BYW_ENOMEM, "out of memory")                                                                 \
    X(BYW_EIO, "read or write failed")                                                             \
    X(BYW_EFORMAT, "malformed input")                                                              \
    X(BYW_ENOENT, "no such name")                                                                  \
    X(BYW_EUNSUPPORTED, "not supported by this build")                                             \
    X(BYW_ECHECK, "a conservation check failed")                                                   \
    X(BYW_ESTUCK, "the simulation makes no progress")

enum byw_status {
#define X(code, text) code,
    BYW_STATUS_LIST(X)
#undef X
};

/* Why a call failed, as a message for the user; empty if nothing failed. */
struct byw_diag {
    char text[1024];
};

/* English text for a code; never NULL. */
const char *byw_status_text(enum byw_status status);

/* Writes the message (printf rules; the middle of a long one is left out; diag may be NULL) and
 * returns status, so that a failing call can end with `return byw_diag_set(diag, BYW_EFORMAT,
 * ...)`. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
enum byw_status
byw_diag_set(struct byw_diag *diag, enum byw_status status, const char *format, ...);

/* Reports that memory for `what` could not be allocated ("out of memory for the list of runs").
 * Returns BYW_ENOMEM. */
enum byw_status byw_no_memory(struct byw_diag *diag, const char *what);

#endif
