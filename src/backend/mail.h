/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_MAIL_H
#define BACKEND_MAIL_H

/*
 * Mail as every kind of store gives it to the methods of backend.h and gets it
 * from them: folders, messages, questions about them, and flags.
 */
#include "base/str.h"

/* Roles of folders, RFC 6154, RFC 8457. */
enum folder_role {
	FOLDER_PLAIN,
	FOLDER_INBOX,
	FOLDER_ALL,
	FOLDER_ARCHIVE,
	FOLDER_DRAFTS,
	FOLDER_FLAGGED,
	FOLDER_IMPORTANT,
	FOLDER_JUNK,
	FOLDER_SENT,
	FOLDER_TRASH,
};

struct folder {
	struct str name; /* UTF-8, including the server's delimiter */
	char delimiter;  /* 0 if there is none */
	bool selectable;
	enum folder_role role;
};

struct folders {
	struct folder *v;
	size_t n;
};

/*
 * One message: identified by uid with CAP_UIDS, by id without.  A backend
 * without CAP_UIDS returns in its row the ref that it was given, uid included.
 */
struct ref {
	uint32_t uid;
	struct str id;
};

struct refs {
	struct ref *v;
	size_t n;
};

/* The state of a folder, which every read returns. */
struct folder_state {
	/*
	 * RFC 9051 2.3.1.1; 0 only without CAP_UIDS.  A store with CAP_UIDS
	 * whose folder has none (missing, 0, over 32 bits, not a number)
	 * returns ERR_UNSUPPORTED, so that no state is stored under meaningless
	 * uids.
	 */
	uint32_t uidvalidity;
	uint32_t uidnext; /* the next message's uid; 0 if unknown */
	uint32_t exists;  /* with CAP_CHANGES only `scan` counts */
	/* CAP_LISTING, CAP_CHANGES: a digest of the result of `scan`,
	 * different for different results; empty: unknown. */
	struct str listing;
};

/* A folder that the same is asked of next, with another uid_max. */
struct query_next {
	struct str folder;
	uint32_t uid_max;
};

struct query_nexts {
	struct query_next *v;
	size_t n;
};

/* What to find; an empty string or 0 matches everything.  All criteria must
 * match. */
struct query {
	struct str folder;
	uint32_t uid_min; /* with CAP_UIDS: at least this; 0 or 1: any */
	uint32_t uid_max; /* at most this; 0: any */
	const struct refs *among; /* without CAP_UIDS: search these, in order */
	struct str from;    /* substring of the From field, ignoring case */
	struct str to;      /* substring of the To or Cc field, ignoring case */
	struct str subject; /* substring of the Subject, ignoring case */
	struct str text;    /* substring of header or body */
	/* The Message-ID, with angle brackets.  A store may also find others
	 * that contain it. */
	struct str message_id;
	int64_t since_s;  /* Date's day is this or later; 0: any */
	int64_t before_s; /* Date's day is earlier; 0: any */
	/*
	 * A hint: only messages whose From field contains one of these,
	 * literally but ignoring case, are useful.  A store that can filter
	 * cheaply may omit others; the gate checks each row itself.
	 */
	struct strs senders;
	/*
	 * Results may be hidden from the caller, so the number of round trips
	 * must be the same whether something is found or not.  For stores on a
	 * network; such extra requests are made and their answers dropped.
	 */
	bool even;
	/*
	 * Received later than this; a store may include one more day.  0: any.
	 */
	int64_t received_s;
	/*
	 * With CAP_THREADS: messages of this thread of the store.  The folder
	 * may then be empty, which means all folders; the rows are oldest
	 * first.
	 */
	struct str thread;
	/* With CAP_THREADS: only results that come after this message, which
	 * arrived at behind_s and may be gone.  Empty: from the newest. */
	struct str behind;
	int64_t behind_s;
	/* With CAP_THREADS, a hint: these are requested next, one by one. */
	struct strs threads;
	/*
	 * With CAP_THREADS, a hint: nobody judges the rows.  Of a thread's
	 * rows, all but the first need only Message-ID, In-Reply-To and Date;
	 * without a thread, no row needs more.  For a store that reads messages
	 * one by one.
	 */
	bool outline;
	/* A hint: only mail of this mailing list, an addr-spec, is useful. */
	struct str list;
	/* CAP_MARK: those with all of these flags, without any of these. */
	unsigned with, without;
	/*
	 * A hint: the same is asked of these folders next, one by one, for as
	 * many rows.  With CAP_UIDS.
	 */
	struct query_nexts next;
};

/* A message's header, as far as judging and listing need it. */
struct row {
	struct ref ref;
	/*
	 * Raw RFC 5322 header: every From, Sender, To, Cc, Reply-To, Subject,
	 * Date, Message-ID, In-Reply-To, References, Content-Type,
	 * Authentication-Results, Auto-Submitted, Precedence, Return-Path,
	 * List-Id, List-Post and List-Unsubscribe field, and with `trace` every
	 * Received field, in the message's order, which decides whether
	 * Authentication-Results are trusted.  Other fields are optional.
	 */
	struct str head;
	uint64_t size;      /* of the whole message, in bytes */
	int64_t received_s; /* INTERNALDATE, unix seconds; 0: unknown */
	bool has_attachments;
	bool ambiguous; /* its beginning or end is ambiguous */
	bool forgeable; /* it may be a part of another message, whose sender
			   then wrote all its fields */
	bool draft;     /* not sent yet: \Draft, $draft, flag D; see `drafts` */
	struct str thread;  /* CAP_THREADS: the store's own id of its thread */
	unsigned flags;     /* CAP_MARK: enum backend_flag, or-ed */
	struct strs labels; /* CAP_LABEL: at most LIMIT_LABELS */
	struct str folder; /* where it is, when it was asked for in no folder */
	/*
	 * CAP_PLACES: the store's own ids of all that it is in, at most
	 * LIMIT_PLACES; empty: not known.
	 */
	struct strs places;
	bool vouched;    /* CAP_VOUCH: the sender in From really sent it, and no
			  * sender could fake this */
	bool outline;    /* query.outline: `head` has only those fields */
	struct str said; /* no backend's: what gate/judge.c has of `head` */
	/* A draft's own id, in the folder for drafts; empty: the message's. */
	struct str draft_id;
};

/* What each of some messages was in: row.places. */
struct places {
	struct strs *v;
	size_t n;
};

struct rows {
	struct row *v;
	size_t n;
};

/* What a store with CAP_MARK keeps of a message beside its bytes. */
enum backend_flag {
	FLAG_READ = 1 << 0,     /* \Seen, RFC 9051 section 2.3.2; $seen */
	FLAG_ANSWERED = 1 << 1, /* \Answered; $answered */
	FLAG_ARCHIVED = 1 << 2, /* put away, where that is no folder alone */
	FLAG_FLAGGED = 1 << 3,  /* \Flagged; $flagged; a star */
};

/*
 * What `mark` is to change: enum backend_flag, or-ed, and with CAP_LABEL labels
 * (UTF-8, 1 to LIMIT_LABEL bytes): IMAP's and JMAP's keywords, RFC 9051 section
 * 2.3.2, but those with "$" or "\\" first, and Gmail's own labels.  None is in
 * both.  ERR_USAGE for a label that the store cannot have.
 */
struct flag_change {
	unsigned set, clear;
	struct strs add, drop;
};

#endif
