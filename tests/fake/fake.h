/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_FAKE_FAKE_H
#define TESTS_FAKE_FAKE_H

/*
 * Stores of mail made of an array: the gate above them is the real one.  They
 * ignore hints, and can be told to fail, to be slow and to lie.
 *
 * A program that calls anything here has these backends and no others, since
 * fake.c brings a backend_table of its own.  They have the names of real ones,
 * which the matrix of sources knows:
 *
 *   imap     uids, takes copies and drafts, keeps flags and labels, moves,
 *            tells of changes; smtp sends for it
 *   mbox     uids, nothing else
 *   maildir  ids, a listing, sends, takes copies and drafts
 *   gmail    ids, threads of its own, drafts
 *   jmap     the mailbox of an agent's own: ids, threads, sends, keeps flags,
 *            moves, knows who sent a message, and tells of changes
 *   smtp     sends
 *
 * All of them are the one store below.
 */
#include "backend/backend.h"

#define FAKE_MAILS 2000
#define FAKE_FOLDERS 420

struct fake_mail {
	uint32_t uid;
	const char *head; /* without the empty line */
	const char *body;
	const char *other_head; /* what body() says instead, or NULL */
	const char *folder;     /* NULL: INBOX */
	const char *thread;     /* of a store that has its own, or NULL */
	int64_t received_s;
	bool draft, attachment, ambiguous;
	unsigned flags; /* enum backend_flag */
	struct strs labels;
	bool vouched;
};

enum fake_verb {
	FAKE_OPEN,
	FAKE_FOLDERS_LIST,
	FAKE_FIND,
	FAKE_HEADERS,
	FAKE_BODY,
	FAKE_LINKS,
	FAKE_SCAN,
	FAKE_LISTING,
	FAKE_SUBMIT,
	FAKE_APPEND,
	FAKE_DRAFTS,
	FAKE_DRAFT,
	FAKE_MARK,
	FAKE_MOVE,
	FAKE_WATCH,
	FAKE_PROBE,
	FAKE_VERBS
};

/* What is wrong with one of its verbs. */
struct fake_fault {
	enum err_kind kind; /* ERR_NONE: nothing */
	unsigned after;     /* so many calls go well first */
	unsigned times;     /* and so many do not; 0: none does any more */
	int64_t slow_ms; /* each takes so long, but never past the deadline */
};

/* How a change ends that was asked for. */
enum fake_end {
	FAKE_END_WELL,
	FAKE_END_FALLS,  /* all is done, and no answer comes */
	FAKE_END_HALF,   /* the first half is, and no answer comes */
	FAKE_END_LIES,   /* nothing is, and the answer is that all is */
	FAKE_END_WRONG,  /* all is, and the new names are wrong, */
	FAKE_END_SILENT, /* or are not told */
	FAKE_END_COPIED, /* copies are made of what is to be moved, and no
			  * answer comes; of those, with `copies` */
};

struct fake {
	struct fake_mail mail[FAKE_MAILS]; /* ascending uids */
	size_t n;
	struct folder folder[FAKE_FOLDERS];
	size_t folders;
	uint32_t uidvalidity, uidnext;
	struct str raw; /* what every message is, in place of head and body */

	/* -- what is wrong with it ------------------------------------- */
	struct fake_fault fault[FAKE_VERBS];
	bool lie_same_row;   /* find() gives the newest row again and again */
	bool lie_twice;      /* each row comes two times */
	unsigned moved;      /* from this call of find() or headers() on the
			      * folder is numbered differently; 0: never */
	const char *probe;   /* the line of a trial that fails, "imap.login" */
	const char *down;    /* all that is of this account alone; NULL: of
			      * each */
	const char *refused; /* nothing is sent to this address */
	void (*meanwhile)(void); /* what others do before the first octet */
	bool changes;            /* a wait ends with a change */
	void (*arrives)(void);   /* what others do while one waits */
	enum fake_end end;       /* of marking and moving */
	bool copies;      /* moving makes copies first, and tells of them */
	unsigned gave_up; /* how often a move was given up */

	/* -- what became of it ----------------------------------------- */
	unsigned calls[FAKE_VERBS];
	unsigned sent;      /* submissions that went well */
	size_t recipients;  /* of the last one */
	struct str message; /* its bytes */
	int64_t wait_ms;    /* that was asked for last */
	struct str server;  /* of the last connection: its host, or its URL */
};

extern struct fake fake;

/* Empties it: INBOX, Sent and Drafts, with nothing wrong. */
void fake_reset(void);
/* Puts a message into INBOX, under the next uid. */
struct fake_mail *fake_add(const char *head);

#endif
