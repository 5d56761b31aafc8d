/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_THREAD_H
#define SOURCE_THREAD_H

/*
 * Makes threads from messages, by RFC 5256's REFERENCES algorithm without its
 * merging by subject: only References, or else the first id of In-Reply-To,
 * determine which message answers which.  Pure, iterative, linear in the number
 * of ids (dates are sorted); 100k messages take some 80 ms.
 *
 * It accepts broken input: messages without an id, several with the same id
 * (the later ones are copies in the place of the first, and their references
 * are ignored), missing parents, and messages that answer themselves or each
 * other (cut at the newest).
 */
#include "base/str.h"

#define THREAD_NONE SIZE_MAX

/* Ids are in normal form, "<x@y.example>" without white space. */
struct thread_in {
	struct str message_id;  /* empty: it has none */
	struct strs references; /* oldest first, at most LIMIT_REFERENCES */
	struct str in_reply_to; /* its first id, or empty */
	int64_t date_s;
	bool has_date;
	struct str sha256; /* hex, of the raw bytes; if there is no id */
};

enum thread_kind {
	THREAD_MESSAGE_ID, /* "rfc5322-message-id" */
	THREAD_SHA256,     /* "sha256-raw": the root has no id */
};

struct thread {
	enum thread_kind kind;
	struct str id;  /* of the root, even if that is missing */
	size_t root;    /* the root as an index; THREAD_NONE: missing */
	size_t *member; /* indexes, oldest first */
	size_t n;       /* at least one */
	/* Referred to, but missing.  Not empty: the thread is incomplete. */
	struct strs missing;
	/* First and last Date; both 0 if no member has one. */
	int64_t first_s, last_s;
	bool date_unknown; /* a member has none */
};

struct thread_ids;
struct threads {
	struct thread *v; /* newest last_s first */
	size_t n;
	bool over; /* over LIMIT_THREAD_IDS ids: some were skipped */
	/* For thread_of(). */
	const struct thread_ids *ids;
	const size_t *of;
};

/*
 * Messages in order of arrival: if two have the same id, or name different
 * parents, the earlier one counts.  A message without a date comes after the
 * one it answers.  Views of the texts are kept.
 */
void thread_make(struct arena *a, const struct thread_in *in, size_t n,
    struct threads *out);
/*
 * The thread that contains that Message-ID as a member, as missing, or as the
 * root; or whose id is that SHA-256.  THREAD_NONE: none.
 */
size_t thread_of(const struct threads *t, struct str id);
/* "rfc5322-message-id". */
const char *thread_kind_name(enum thread_kind k);

#endif
