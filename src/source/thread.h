#ifndef SOURCE_THREAD_H
#define SOURCE_THREAD_H

/*
 * Threads out of messages, by RFC 5256's REFERENCES algorithm without its
 * merging by subject: who answers to whom is told by References, or else by
 * the first id of In-Reply-To, and by nothing else.  Pure, iterative, linear
 * in the number of ids (dates are sorted); 100k messages take some 80 ms.
 *
 * What is broken is borne: messages without an id, several with the same (the
 * later ones are copies in the place of the first, and what they refer to is
 * not looked at), parents that are not there, messages that answer
 * themselves or each other (cut at the newest).
 */
#include "base/str.h"

#define THREAD_NONE SIZE_MAX

/* Ids are in their normal form, "<x@y.example>" without white space. */
struct thread_in {
	struct str message_id;  /* empty: it has none */
	struct strs references; /* oldest first, at most LIMIT_REFERENCES */
	struct str in_reply_to; /* the first id of it, or empty */
	int64_t date_s;
	bool has_date;
	struct str sha256; /* hex, of the raw bytes; where there is no id */
};

enum thread_kind {
	THREAD_MESSAGE_ID, /* "rfc5322-message-id" */
	THREAD_SHA256,     /* "sha256-raw": the root has no id */
};

struct thread {
	enum thread_kind kind;
	struct str id;  /* of the root, be it there or not */
	size_t root;    /* the root as an index; THREAD_NONE: not there */
	size_t *member; /* indexes, oldest first */
	size_t n;       /* at least one */
	/* Referred to, and not there.  Not empty: the thread is not complete.
	 */
	struct strs missing;
	/* First and last Date; both 0 when no member has one. */
	int64_t first_s, last_s;
	bool date_unknown; /* a member has none */
};

struct thread_ids;
struct threads {
	struct thread *v; /* newest last_s first */
	size_t n;
	bool over; /* more than LIMIT_THREAD_IDS ids: some were skipped */
	/* For thread_of(). */
	const struct thread_ids *ids;
	const size_t *of;
};

/*
 * Messages in their order of arrival: where two claim one id, or two claims
 * on a parent differ, the earlier one counts.  A message without a date stands
 * behind the one it answers.  Views of the texts are kept.
 */
void thread_make(struct arena *a, const struct thread_in *in, size_t n,
    struct threads *out);
/*
 * The thread in which that Message-ID is, as a member, as missing, or as the
 * root; or the one whose id is that SHA-256.  THREAD_NONE: in none.
 */
size_t thread_of(const struct threads *t, struct str id);
/* "rfc5322-message-id". */
const char *thread_kind_name(enum thread_kind k);

#endif
