/* SPDX-License-Identifier: Apache-2.0 */
#ifndef READER_INTERNAL_H
#define READER_INTERNAL_H

/* Between the reader and its caller; both are one program on one machine. */
#include "base/limits.h"
#include "ipc/ipc.h"
#include "reader/reader.h"
#include "reader/shape.h"

enum reader_verb {
	READER_HTML,
	READER_MESSAGE,
	READER_READING,
	READER_CALENDAR,
	READER_DKIM,
	READER_VERIFY,
	READER_CHARSET,
	READER_HEADS,
	READER_DECODE,
	READER_VERBS
};

/* What is asked: each verb uses some of it. */
struct reader_ask {
	enum reader_verb verb;
	struct str bytes; /* what a stranger wrote */
	bool kept;        /* no bytes: the message that was asked for last */
	bool utf8;        /* of a page: its text is then, too */
	bool zones;       /* rules of time zones may be asked for */
	size_t max;       /* of a page: bytes of text */
	int want;         /* enum mime_part_choice; or mime_encoding */
	size_t *head; /* of headers, one after the other: how long each is */
	size_t heads;
	int64_t now_s;
	struct str label;  /* a charset; of headers, an authserv-id */
	struct str domain; /* of a sender */
	struct dkim_signature signature;
	struct strs records;
	/* Each side's own: */
	const struct mime_message *message; /* that is read */
	const struct calendar_zones *load;
};

/* What comes back. */
struct reader_answer {
	struct str text;
	struct strs heads; /* for reader_verb_head() */
	struct html_found found;
	struct mime_message message;
	struct mime_reading reading;
	struct calendar calendar;
	struct dkim_signature *signature;
	size_t n;
	bool yes;
};

/*
 * Before an ask: bytes of the ask, and of what a stranger wrote; and a number,
 * by which what is said of another ask is known.
 */
struct reader_head {
	uint64_t ask, bytes, number;
};

/* Before an answer, or a question meanwhile, and what that gets. */
enum reader_kind {
	READER_ANSWER,
	READER_ZONE /* a name; back come 1 and the zone's rules, or 0 */
};
struct reader_say {
	uint64_t kind, n, number;
};

/* verb.c: what is asked, without the bytes. */
void reader_verb_ask(struct carry *c, struct reader_ask *q);
/* What comes back; taken, *r is zero before. */
void reader_verb_answer(struct carry *c, const struct reader_ask *q,
    struct reader_answer *r);
/* What is said of one of the headers, checked; false: nonsense. */
bool reader_verb_head(struct arena *a, struct str head, struct str said,
    struct mime_head *out);
/* Reads it in this process. */
void reader_verb_run(struct arena *a, const struct reader_ask *q,
    struct reader_answer *r);

/* nursery.c: gives readers to its caller, until that has ended. */
_Noreturn void reader_nursery(int fd);
/* child.c: answers until its caller has ended. */
_Noreturn void reader_child(int fd);
/* Exactly n bytes; false: the end, or an error. */
bool reader_child_read(int fd, void *out, size_t n);

/* ask.c: asks, and checks what comes back; this process ends if it is bad. */
void reader_ask_for(struct arena *a, struct reader_ask *q,
    struct reader_answer *r);
/* heads.c: the functions of mime/elsewhere.h by these names. */
void reader_heads(struct arena *a, const struct str *head, size_t n,
    struct str authserv_id, struct str *said);
void reader_heads_one(struct arena *a, struct str head, struct str said,
    struct str authserv_id, struct mime_head *out);

/* get.c: a socket to this process's reader; it ends if there is none. */
int reader_get(void);
/* Which one it has asked in this call already; 0: none. */
uint64_t reader_get_has(void);
/* Some was read, and waited for. */
void reader_get_spent(size_t bytes, int64_t ms);
/* From now on readers come from there. */
void reader_get_from(int nursery);
/*
 * There is nothing that a reading could say instead: this process ends, and
 * the call in it fails.
 */
_Noreturn void reader_get_lost(void);

#endif
