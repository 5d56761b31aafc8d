/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UID SEARCH, RFC 9051 sections 6.4.4 and 7.3.4, RFC 4731: the query as keys,
 * and the answer, in the old form or the new, as a set.
 */
#include "backend/imap/search.h"
#include "backend/imap/change.h"
#include "backend/imap/internal.h"
#include "backend/imap/token.h"
#include "backend/internal.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mime/date.h"
#include "mime/header.h"

#define DAY 86400
/* A command's line: servers must accept 8192 octets, RFC 9051 section 4. */
#define SENDER_BYTES 4000

bool
imap_search_is_ascii(const struct query *q)
{
	return utf8_ascii(q->from) && utf8_ascii(q->to) &&
	    utf8_ascii(q->subject) && utf8_ascii(q->text) &&
	    utf8_ascii(q->message_id);
}

bool
imap_search_is_open(const struct query *q)
{
	return q->uid_min <= 1 && q->uid_max == 0 && q->from.n == 0 &&
	    q->to.n == 0 && q->subject.n == 0 && q->text.n == 0 &&
	    q->since_s == 0 && q->before_s == 0 && q->senders.n == 0 &&
	    q->message_id.n == 0 && q->received_s == 0 && q->list.n == 0 &&
	    q->with == 0 && q->without == 0;
}

static uint64_t
sum_list(uint64_t sum, const struct strs *l)
{
	for (size_t i = 0; i < l->n; i++)
		sum = str_hash(str_hash(sum, l->v[i]), S("\n"));
	return str_hash(sum, S("\n\n"));
}

uint64_t
imap_search_sum(const struct query *q)
{
	struct str text[] = { q->from, q->to, q->subject, q->text,
		q->message_id, q->list };
	const int64_t number[] = { q->uid_min, q->since_s, q->before_s,
		q->received_s, q->even, q->with, q->without };
	const struct strs texts = { text, sizeof(text) / sizeof(text[0]) };
	uint64_t sum = str_hash(STR_HASH,
	    (struct str){ (const char *)number, sizeof(number) });

	sum = sum_list(sum, &texts);
	return sum_list(sum, &q->senders);
}

static int
imap_search_put_string(struct imap_session *s, struct imap_cmd *c,
    const char *key, struct str text, bool ascii_only, struct err *e)
{
	if (text.n == 0 || (ascii_only && !utf8_ascii(text)))
		return 0;
	if (imap_command_say(s, c, str_of(key), e) < 0)
		return -1;
	return imap_command_string(s, c, text, e);
}

static int
imap_search_put_date(struct imap_session *s, struct imap_cmd *c,
    const char *key, int64_t when_s, struct err *e)
{
	if (when_s == 0)
		return 0;
	if (imap_command_say(s, c, str_of(key), e) < 0)
		return -1;
	return imap_command_say(s, c, date_imap(s->reader.scratch, when_s), e);
}

size_t
imap_search_some(const struct strs *senders, size_t from)
{
	size_t bytes = 0, n = 0;

	while (from + n < senders->n && n < IMAP_SENDERS) {
		bytes += senders->v[from + n].n + 20;
		if (n > 0 && bytes > SENDER_BYTES)
			break;
		n++;
	}
	return n;
}

/*
 * "OR OR w x OR y z", a tree of minimal depth, because servers parse it
 * recursively.  Searches the header's text, because FROM uses the server's
 * parse: Dovecot finds no domain in "a@b.example.".
 */
static int
imap_search_put_senders(struct imap_session *s, struct imap_cmd *c,
    const struct strs *senders, struct err *e)
{
	size_t left[32], depth = 0, at = 0;

	if (senders->n > 0)
		left[depth++] = senders->n;
	while (depth > 0) {
		size_t n = left[--depth];
		int r;

		if (n == 1) {
			r = imap_search_put_string(s, c, " HEADER From ",
			    senders->v[at++], true, e);
		} else {
			left[depth++] = n - n / 2;
			left[depth++] = n / 2;
			r = imap_command_say(s, c, S(" OR"), e);
		}
		if (r < 0)
			return -1;
	}
	return 0;
}

/* Also a hint: by its List-Id, or by its recipients. */
static int
imap_search_put_list(struct imap_session *s, struct imap_cmd *c,
    struct str list, struct err *e)
{
	struct str id = backend_list_id(s->reader.scratch, list);

	if (!utf8_ascii(list) || str_has_char(list, '\0'))
		return 0;
	if (imap_search_put_string(s, c, " OR HEADER List-Id ", id, true, e) <
		0 ||
	    imap_search_put_string(s, c, " OR HEADER To ", list, true, e) < 0 ||
	    imap_search_put_string(s, c, " OR HEADER Cc ", list, true, e) < 0)
		return -1;
	return imap_search_put_string(s, c, " HEADER List-Post ", list, true,
	    e);
}

static int
imap_search_put_to(struct imap_session *s, struct imap_cmd *c, struct str text,
    bool ascii_only, struct err *e)
{
	if (imap_search_put_string(s, c, " OR TO ", text, ascii_only, e) < 0)
		return -1;
	return imap_search_put_string(s, c, " CC ", text, ascii_only, e);
}

/*
 * SINCE uses only the day, in the server's zone (RFC 9051 section 6.4.4): one
 * more day is requested, and find.c checks the time.
 */
static int
imap_search_put_received(struct imap_session *s, struct imap_cmd *c,
    int64_t when_s, struct err *e)
{
	/* IMAP dates begin with the year 1. */
	if (when_s == 0 || when_s < -62135596800 + DAY)
		return 0;
	return imap_search_put_date(s, c, " SINCE ", when_s - DAY, e);
}

static int
imap_search_put_uids(struct imap_session *s, struct imap_cmd *c,
    const struct query *q, struct err *e)
{
	uint32_t lo = q->uid_min > 0 ? q->uid_min : 1;

	if (lo == 1 && q->uid_max == 0)
		return imap_command_say(s, c, S(" ALL"), e);
	/* "n:*" includes the last message even if n is above it. */
	if (q->uid_max == 0)
		return imap_command_say(s, c,
		    str_fmt(s->reader.scratch, " UID %u:*", lo), e);
	return imap_command_say(s, c,
	    str_fmt(s->reader.scratch, " UID %u:%u", lo, q->uid_max), e);
}

/* Keys that every server has. */
static int
imap_search_put_flags(struct imap_session *s, struct imap_cmd *c,
    const struct query *q, struct err *e)
{
	for (unsigned flag = 1; flag <= (q->with | q->without); flag <<= 1) {
		const char *is = imap_keyword_search(flag, true);
		const char *is_not = imap_keyword_search(flag, false);

		if ((q->with & flag) && is != NULL &&
		    imap_command_say(s, c, str_of(is), e) < 0)
			return -1;
		if ((q->without & flag) && is_not != NULL &&
		    imap_command_say(s, c, str_of(is_not), e) < 0)
			return -1;
	}
	return 0;
}

int
imap_search_send(struct imap_session *s, struct imap_cmd *c,
    const struct query *q, bool ascii_only, struct err *e)
{
	bool charset = !ascii_only && !s->utf8 && !imap_search_is_ascii(q);

	if (str_has_char(q->from, '\0') || str_has_char(q->to, '\0') ||
	    str_has_char(q->subject, '\0') || str_has_char(q->text, '\0') ||
	    str_has_char(q->message_id, '\0'))
		return err_set(e, ERR_USAGE, "a search cannot contain NUL");
	if (imap_command_begin(s, c, "UID SEARCH", e) < 0)
		return -1;
	if ((s->caps & IMAP_CAP_ESEARCH) != 0 &&
	    imap_command_say(s, c, S(" RETURN (ALL)"), e) < 0)
		return -1;
	if (charset && imap_command_say(s, c, S(" CHARSET UTF-8"), e) < 0)
		return -1;
	if (imap_search_put_uids(s, c, q, e) < 0 ||
	    imap_search_put_flags(s, c, q, e) < 0 ||
	    imap_search_put_date(s, c, " SENTSINCE ", q->since_s, e) < 0 ||
	    imap_search_put_date(s, c, " SENTBEFORE ", q->before_s, e) < 0 ||
	    imap_search_put_received(s, c, q->received_s, e) < 0 ||
	    imap_search_put_senders(s, c, &q->senders, e) < 0 ||
	    imap_search_put_list(s, c, q->list, e) < 0 ||
	    imap_search_put_string(s, c, " FROM ", q->from, ascii_only, e) <
		0 ||
	    imap_search_put_to(s, c, q->to, ascii_only, e) < 0 ||
	    imap_search_put_string(s, c, " SUBJECT ", q->subject, ascii_only,
		e) < 0 ||
	    imap_search_put_string(s, c, " TEXT ", q->text, ascii_only, e) <
		0 ||
	    imap_search_put_string(s, c, " HEADER Message-ID ", q->message_id,
		ascii_only, e) < 0)
		return -1;
	return imap_command_end(s, c, e);
}

/* "* SEARCH 2 84 882", possibly followed by "(MODSEQ 917162500)". */
static int
read_search(const struct imap_resp *r, struct imap_set *set, struct err *e)
{
	struct str word, rest = r->piece[0].text;
	bool more = true;
	uint32_t uid;

	while (more) {
		more = str_cut(rest, ' ', &word, &rest);
		if (word.n == 0)
			continue;
		if (word.p[0] == '(')
			return 0;
		if (!str_to_u32(word, UINT32_MAX, &uid))
			return imap_read_nonsense(e, "SEARCH");
		if (uid > 0)
			imap_set_add(set, uid, uid);
	}
	return 0;
}

/* "* ESEARCH (TAG "e5") UID ALL 2,10:11", RFC 9051 section 7.3.4. */
static int
imap_search_read_esearch(struct imap_session *s, const struct imap_resp *r,
    struct imap_set *set, struct err *e)
{
	const struct imap_node *n;

	if (imap_token_parse(s->reader.scratch, r, &n, e) < 0)
		return -1;
	if (n != NULL && n->kind == IMAP_LIST)
		n = n->next;
	/* Without UID the numbers are sequence numbers. */
	if (n == NULL)
		return 0;
	if (!imap_token_is(n, "UID"))
		return imap_read_nonsense(e, "ESEARCH");
	for (n = n->next; n != NULL && n->next != NULL; n = n->next->next)
		if (imap_token_is(n, "ALL") &&
		    (n->next->kind != IMAP_ATOM ||
			!imap_set_parse(set, n->next->text)))
			return imap_read_nonsense(e, "ESEARCH set");
	return 0;
}

int
imap_search_data(struct imap_session *s, const struct imap_resp *r, void *ctx,
    struct err *e)
{
	struct imap_set *set = ctx;
	int rc = 0;

	if (str_eq_case(r->name, S("SEARCH")))
		rc = read_search(r, set, e);
	else if (str_eq_case(r->name, S("ESEARCH")))
		rc = imap_search_read_esearch(s, r, set, e);
	if (rc < 0 || !set->over)
		return rc;
	(void)err_set(e, ERR_LIMIT, "the server's answer is too big");
	(void)err_because(e, "imap: uids found");
	return err_conn(e);
}

bool
imap_search_matches(const struct query *q, const struct row *row)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_header h;

	mime_header_parse(a, row->head, &h);
	return (utf8_ascii(q->from) ||
		   backend_match_field(a, &h, "From", q->from)) &&
	    (utf8_ascii(q->to) || backend_match_to(a, &h, q->to)) &&
	    (utf8_ascii(q->subject) ||
		backend_match_field(a, &h, "Subject", q->subject)) &&
	    (utf8_ascii(q->message_id) ||
		backend_match_field(a, &h, "Message-ID", q->message_id));
}
