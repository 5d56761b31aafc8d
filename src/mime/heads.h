/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_HEADS_H
#define MIME_HEADS_H

/* What a header says to policy: the envelope, and who vouches for its sender.
 */
#include "mime/authres.h"
#include "mime/message.h"

struct mime_head {
	struct mime_envelope env;
	enum mime_auth auth; /* authres_judge() for the domain of from_sole */
};

/*
 * Reads a header, or the one that a message begins with.  `said` is what
 * mime_heads_ahead() has of it, or empty.  authserv_id may be empty.
 */
void mime_heads_read(struct arena *a, struct str head, struct str said,
    struct str authserv_id, struct mime_head *out);
/*
 * If heads are read elsewhere (mime/elsewhere.h), many cost little more there
 * than one.  What they say is for mime_heads_read() with the same head and
 * authserv_id, and lives in a; where heads are read here, it is empty.
 */
void mime_heads_ahead(struct arena *a, const struct str *head, size_t n,
    struct str authserv_id, struct str *said);
/* Are they? */
bool mime_heads_elsewhere(void);

#endif
