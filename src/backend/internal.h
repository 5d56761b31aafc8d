#ifndef BACKEND_INTERNAL_H
#define BACKEND_INTERNAL_H

/* The backends there are, each defined in backend/<name>/<name>.c, and what
 * their probes share. */
#include "backend/backend.h"
#include "net/wire.h"

extern const struct backend imap_backend;
extern const struct backend maildir_backend;
extern const struct backend mbox_backend;
extern const struct backend smtp_backend; /* CAP_SUBMIT only: never read */

/* probe.c: what a name gave, as a sentence. */
struct str probe_found(struct arena *a, unsigned addresses);
/* A line on the TLS of a stream: a note when its certificate ends soon. */
void probe_peer(struct arena *a, struct probes *p, const char *what,
    int64_t since_ms, const struct wire *w);

#endif
