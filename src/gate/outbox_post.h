/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_OUTBOX_POST_H
#define GATE_OUTBOX_POST_H

/* A message on its way: composed, checked, digested, held, sent, copied. */
#include "gate/internal.h"

/* All recipients, in the forms that the steps below need. */
struct outbox_parties {
	struct strs to, cc; /* for the header, in wire format */
	struct strs judged; /* canonical, for policy; rcpt[i] is judged[i] */
	struct recipient *rcpt; /* each address once */
	size_t n;
	bool utf8;
};

/* A message in the outbox. */
struct outbox_draft {
	const struct outgoing *m;
	struct outbox_parties p;
	bool ask; /* policy wants the operator asked */
	const char
	    *carries;      /* the kind of secret it seems to contain, or NULL */
	int64_t expires_s; /* if held: until when it may be released */
	struct submission s; /* what is sent: envelope and bytes */
	struct str message_id;
};

/* Context of a send: an agent's call, or the operator's release. */
struct outbox_post {
	struct store *store;
	struct source *src;
	struct arena *arena;
	/*
	 * The calling agent, whose freeze is checked again before the first
	 * octet.  Empty: the operator's release.
	 */
	struct str agent;
	/*
	 * The mailbox of the same call: a store that sends itself does so by
	 * its connection.  NULL: by one of its own.
	 */
	struct mailbox *mailbox;
};

/* outbox_compose.c */
int outbox_compose_gather(struct outbox *o, const struct outgoing *m,
    struct outbox_parties *p, struct err *e);
/* The files the caller named, once. */
int outbox_compose_files(struct outbox *o, const struct outgoing *m,
    struct err *e);
int outbox_compose(struct outbox *o, struct outbox_draft *d, struct err *e);

/* outbox_text.c */
/* The body, the signature or "", and words of others, or "". */
struct str outbox_text_signed(struct arena *a, struct str body,
    struct str signature, struct str below);
/* The text as a page too, if the account has that. */
int outbox_text_copy(struct arena *a, const struct store_account *acct,
    struct compose *c, struct err *e);

/* outbox_digest.c: the hexadecimal digests of outbox rows. */
/* The caller's request.  After outbox_compose_files(). */
struct str outbox_digest_request(struct outbox *o);
/* Text, files and recipients: for detecting the same message sent twice. */
struct str outbox_digest_said(struct outbox *o, const struct outgoing *m,
    const struct strs *judged);
/* Account, envelope and bytes: what the operator approves. */
struct str outbox_digest_row(struct arena *a, struct str account,
    const struct store_outbox *row);
/* The account's policy. */
struct str outbox_digest_policy(struct arena *a,
    const struct store_account *acct, const struct policy_rules *rules);
/* Is that its digest, in this version's or an earlier version's form? */
bool outbox_digest_policy_is(struct arena *a, const struct store_account *acct,
    const struct policy_rules *rules, struct str digest);

/*
 * outbox_check.c. Checks the complete message.  0, or -1 if it is refused;
 * *hold becomes the reason why it must wait for the operator (static), or NULL.
 * all: NULL, or where every finding goes; then none refuses it.
 */
int outbox_check(struct outbox *o, struct outbox_draft *d,
    struct outbox_findings *all, const char **hold, struct err *e);
/* Until when what is held now may be released. */
int outbox_check_until(struct store *s, struct arena *a, int64_t *out,
    struct err *e);
/*
 * Adds what a rule or a limit of the account said, and clears it; -1 for every
 * other error.
 */
int outbox_check_found(struct arena *a, struct outbox_findings *all,
    struct err *e);

/* outbox_state.c */
/* The state of a row, in *out. */
void outbox_state_tell(struct arena *a, const struct store_outbox *row,
    struct sent *out);
/* 0 for a row that was sent, otherwise -1 with its state as an error. */
int outbox_state_error(const struct store_outbox *row, struct err *e);

/* outbox_again.c */
/* Waits, until the call's deadline, for a row that another process sends. */
int outbox_again_wait(struct outbox *o, struct str key,
    struct store_outbox *row, struct err *e);
/* Answers this call with the row of an earlier call. */
int outbox_again_answer(struct outbox *o, const struct store_outbox *row,
    struct sent *out, struct err *e);

/*
 * outbox_release.c. The row's account, and the digest of its present content.
 * ERR_POLICY, "changed", if it was held under another digest.
 */
int outbox_release_digest(struct store *s, struct arena *a,
    const struct store_outbox *row, struct store_account *acct,
    struct str *digest, struct err *e);
/* That error; `what` is for the audit log. */
int outbox_release_changed(struct err *e, const char *what);

/*
 * outbox_ask_state.c. The state that a client returns: a mark binds it to the
 * principal, to its call (`request`), and to the message.
 */
struct outbox_ask_state {
	int64_t id; /* the outbox row's */
	uint32_t round;
	int64_t until_s;
	struct str digest; /* of what was shown: the row's */
};

int outbox_ask_state_put(struct gate *g, struct arena *a, struct str request,
    const struct outbox_ask_state *st, struct str *text, struct err *e);
/* ERR_USAGE: not made here, for another call, or too old. */
int outbox_ask_state_read(struct gate *g, struct arena *a, struct str request,
    struct str text, int64_t now_s, struct outbox_ask_state *st, struct err *e);

/* outbox.c: the steps that a send and a dry run share. */
/* The gate asked policy before the call; this asks about the actual message. */
int outbox_judge(struct outbox *o, struct outbox_draft *d, struct err *e);
void outbox_make_row(struct outbox *o, const struct outbox_draft *d,
    const char *hold, struct store_outbox *row);
void outbox_make_limits(const struct outbox *o, bool as_is,
    struct store_outbox_limits *l);
/*
 * outbox.c. Sends a row in state `sending` whose lock this process holds,
 * settles it, and makes the copy.  0 only if it was sent; *out always has the
 * state.
 */
int outbox_dispatch(const struct outbox_post *post, struct store_outbox *row,
    struct sent *out, struct err *e);
/*
 * outbox_copy.c. The folder for sent mail: by its role (RFC 6154), otherwise by
 * its name.  ERR_NOT_FOUND.
 */
int outbox_copy_folder(struct conn *c, struct arena *a, struct str *out,
    struct err *e);
/* Will there be a copy of what is sent? */
bool outbox_copy_is_due(const struct outbox_post *post);
/* Saves the bytes of a sent row in Sent: the copy's state. */
enum store_outbox_copy outbox_copy(const struct outbox_post *post,
    const struct store_outbox *row, struct err *e);

/*
 * attach.c.  Is what was found by that path below attach_dir the very file, or
 * folder, that the caller has open?  It always is for a caller that is this
 * process.  ERR_NOT_FOUND, ERR_POLICY.
 */
int attach_is_callers(const struct args *args, struct str path, int fd,
    const char *what, struct err *e);
/* attach.c.  Loads files below the account's attach_dir.  ERR_POLICY. */
int attach_load(struct outbox *o, const struct strs *paths,
    struct compose_file **out, size_t *n, struct err *e);

/*
 * If the argument names a file, replaces it by the file's content.  With an
 * attach_dir, such files must be below it.  ERR_POLICY, ERR_NOT_FOUND.
 */
int attach_text(struct arena *a, const struct args *args, struct str dirs,
    struct arg *arg, struct err *e);

#endif
