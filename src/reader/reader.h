/* SPDX-License-Identifier: Apache-2.0 */
#ifndef READER_READER_H
#define READER_READER_H

/*
 * What strangers wrote is read in a process that can do nothing else: it has a
 * socket to its caller, memory and a clock.  It reads messages
 * (mime/elsewhere.h) and HTML pages (html/html.h).  A reader is of one agent
 * and one account, or else of one call, so one that was taken over can lie
 * about nothing else.  A process that never starts this, as in `direct`, reads
 * them itself.
 */
#include "html/html.h"
#include "ipc/sandbox.h"

/*
 * Loads what readers need and cannot open, once for a process and its children:
 * charsets.
 */
void reader_run_load(void);
/*
 * Starts the process that readers come from, for this process, which has no
 * thread, and for those that it forks.  From now on html_text() asks a reader,
 * and if that has ended, answers nonsense or takes longer than LIMIT_READER_MS,
 * this process ends too: one call fails, and nothing is taken for the message.
 * *out: what confines readers.  ERR_INTERNAL.
 */
int reader_run_start(struct sandbox_state *out, struct err *e);
/* The socket that this process and those that it forks keep open. */
int reader_get_socket(void);
/*
 * Of a process that makes one call after the other.  A call of that agent's
 * begins: without this, its reader ends with it.
 */
void reader_get_begin(struct str agent);
/* The call uses mail of that account, by its number in the store. */
void reader_get_account(int64_t account);
/*
 * A call is over, and its reader too, unless all that it has read is of one
 * agent and one account, and little; it is replaced after LIMIT_READER_CALLS.
 * True: the process has one for its next call, a descriptor.
 */
bool reader_get_end(void);
/* Ends the reader that the process has, if there is one. */
void reader_get_drop(void);

#endif
