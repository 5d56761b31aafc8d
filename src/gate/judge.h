/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_JUDGE_H
#define GATE_JUDGE_H

/* Policy's judgement of one message, and who sent it. */
#include "gate/internal.h"
#include "mime/authres.h"

/*
 * judge.c. Where headers are read by another process, reads those of a page
 * together: judge_row() and judge_sender() of each find what they say.  It
 * lives in `a`, as the rows must.
 */
void judge_ahead(const struct mailbox *m, struct arena *a,
    const struct rows *rows);
/*
 * Reads a row's header into `a` and asks policy: false means that the
 * message does not exist for the caller.  A row whose visibility depends on an
 * unverified signature is not visible.
 */
bool judge_row(const struct mailbox *m, struct arena *a, const struct row *row,
    struct mail *out);
/* Everything that policy is told about a message, in one place. */
struct policy_mail judge_facts(const struct mail *mail);
/* For a hidden message: could a signature make it visible? */
bool judge_depends(const struct mailbox *m, const struct mail *mail);
/*
 * The same, and verifies signatures if they decide: 1, 0, or -1 if they could
 * not be fetched (ERR_LIMIT, ERR_NETWORK).
 */
int judge_sender(struct mailbox *m, struct arena *a, struct str folder,
    const struct row *row, struct mail *out, struct err *e);
/* For a row whose head is the whole message, including signatures. */
bool judge_whole(struct mailbox *m, struct arena *a, const struct row *row,
    struct mail *out);

/* sender.c: sets auth and auth_by.  Is a pinned server's result used? */
bool sender_pinned(const struct mailbox *m);
/* Does the store itself know who sent a message (CAP_VOUCH)? */
bool sender_known(const struct mailbox *m);
void sender_of_store(const struct row *row, struct mail *out);
/* From a pinned server's result; without one, unchecked. */
void sender_of_head(const struct mailbox *m, enum mime_auth auth,
    struct mail *out);
/* From the message's signatures. */
void sender_of_whole(struct mailbox *m, struct arena *a, struct str raw,
    struct mail *out);
/* From signatures: fetches the message; unchecked if that fails. */
int sender_of_row(struct mailbox *m, struct str folder, const struct row *row,
    struct mail *out, struct err *e);
/* An arena for reading one row and dropping it: the one given, or a new one. */
struct arena *judge_passing(struct arena **a);
/*
 * keep.c. A copy that is independent of the arena it was read in.  Reading a
 * header takes several times its size, and a folder may have a million hidden
 * messages; so rows are read in a passing arena, and only visible ones are
 * kept.
 */
void keep_mail(struct arena *a, const struct mail *from, struct mail *to);

/* The one answer for missing and hidden messages. */
int judge_absent(struct err *e);

#endif
