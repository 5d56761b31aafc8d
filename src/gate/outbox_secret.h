/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_OUTBOX_SECRET_H
#define GATE_OUTBOX_SECRET_H

/* Secrets in what is about to be sent. */
#include "gate/internal.h"
#include "store/own.h"

/*
 * outbox_secret.c. Does an outgoing message seem to contain a secret?  Searched
 * for directly and in simple disguises (outbox_secret_view.c): this catches
 * accidents and manipulated agents, but proves nothing.
 */
struct outbox_secret {
	struct strs canary;    /* without white space */
	uint8_t *sieve;        /* of the canaries' first bytes */
	struct store_own *own; /* keys and passwords; NULL: none */
};

/*
 * Secrets that an account must not send: its credentials, emcli's keys,
 * canaries.
 */
int outbox_secret_open(struct outbox_secret *w, struct store *s,
    const struct env *env, int64_t account, struct arena *a, struct err *e);
void outbox_secret_close(struct outbox_secret *w);
/* Its kind ("github_token"), or NULL.  `w` may be all zero: only shapes. */
const char *outbox_secret_text(const struct outbox_secret *w, struct str text);
/*
 * outbox_secret_message.c. The same for a composed message and its recipients:
 * every part as its bytes and as its text.  "unread": not all of it can be
 * searched.  Where another process has the secrets, its answer is not sure.
 */
const char *outbox_secret_message(const struct outbox_secret *w,
    struct str message, const struct recipient *to, size_t n);
/*
 * Are the bytes of this attached message searched as a whole?  Not if they were
 * as a part of the message around it: messages within each other are not
 * searched once for each of them.
 */
bool outbox_secret_message_is_whole(const struct mime_message *m, size_t nth);
/* The same, and the answer is sure.  ERR_CONFIG: nobody can say. */
int outbox_secret_message_search(struct outbox_secret *w, struct str message,
    const struct recipient *to, size_t n, const char **kind, struct err *e);
/* outbox_secret_shape.c: keys and tokens recognized by their form. */
const char *outbox_secret_shape(struct str s);
/*
 * outbox_secret_view.c. Text without invisible characters and white space, in
 * one width and in lower case if `fold`; and the texts that it may disguise.
 */
void outbox_secret_view_squeeze(struct str in, bool fold, struct buf *out);
void outbox_secret_view_reverse(struct str in, struct buf *out);
/* The nth reading of `squeezed` (or of `text`); false if there is none. */
bool outbox_secret_view_get(struct str text, struct str squeezed, int nth,
    struct buf *out);

#endif
