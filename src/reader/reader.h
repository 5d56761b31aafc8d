#ifndef READER_READER_H
#define READER_READER_H

/*
 * What strangers wrote is read in a process that can do nothing else: it has a
 * socket to its caller, memory and a clock.  It reads messages
 * (mime/elsewhere.h) and HTML pages (html/html.h).  Each call has a reader of
 * its own, so one that was taken over can lie about nothing but that call's
 * messages.  A process that never starts this, as in `direct`, reads them
 * itself.
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
/* A call is over, and its reader, if it had one. */
void reader_get_end(void);

#endif
