#ifndef GATE_MAILBOX_H
#define GATE_MAILBOX_H

/*
 * Mail as one agent may see it.  Every message passes the inbound policy
 * before an operation learns that it exists; what is hidden answers exactly as
 * what was never there.  A page is short only when no more remain: hidden mail
 * cannot be counted.
 */
#include "backend/backend.h"
#include "base/err.h"
#include "mime/message.h"
#include "policy/policy.h"

struct mailbox;

/* One visible message. */
struct mail {
	uint32_t uid;
	struct mime_envelope env;
	uint64_t size;
	bool has_attachments;
	bool ambiguous, forgeable; /* struct row */
	enum sender_auth auth;
	const char *auth_by; /* "authserv", "dkim", or NULL: nobody looked */
};

/* What became of the seen-set when the server numbered the folder again. */
struct mailbox_rematch {
	bool any;
	size_t found; /* acked, visible, and known again */
	size_t lost;  /* acked, and not */
};

struct mails {
	struct mail *v;
	size_t n;
	uint32_t next_before;    /* page on with this as `before`; 0: no more */
	int64_t claimed_until_s; /* with claim_s: unix seconds, or later */
	struct mailbox_rematch rematch;
};

/* What list and search ask; zero members ask nothing. */
struct mailbox_query {
	struct str folder;
	bool only_new;          /* above the floor and not acked */
	uint32_t before, since; /* uids: below, above (RFC 9051 UID) */
	struct str from, to, subject, text;
	struct str message_id;     /* that very one, angle brackets and all */
	int64_t since_s, before_s; /* days by the Date field */
	size_t limit;              /* 1 to LIMIT_PAGE */
	/*
	 * With only_new: takes what is given out for so many seconds (1 to
	 * LIMIT_CLAIM_S), and leaves out what others have taken; 0: neither.
	 */
	uint32_t claim_s;
};

/* The newest visible matches, newest first.  No state is changed but a floor
 * at first contact, and with claim_s claims on what is given out. */
int mailbox_find(struct mailbox *m, const struct mailbox_query *q,
    struct mails *out, struct err *e);
/* One message's header.  ERR_NOT_FOUND for the hidden and the missing alike. */
int mailbox_head(struct mailbox *m, struct str folder, uint32_t uid,
    struct mail *out, struct err *e);
/* The same with its raw bytes, at most LIMIT_MESSAGE. */
int mailbox_get(struct mailbox *m, struct str folder, uint32_t uid,
    struct mail *out, struct str *raw, struct err *e);
/* All or nothing: one hidden or missing uid fails the whole with
 * ERR_NOT_FOUND. */
int mailbox_ack(struct mailbox *m, struct str folder, const uint32_t *uids,
    size_t n, struct err *e);
int mailbox_folders(struct mailbox *m, struct folders *out, struct err *e);
/* "sent", "inbox"; "" for a folder of no role. */
const char *mailbox_role(enum folder_role role);

#endif
