/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The endpoint `stats`: the number of messages per month of a list, their
 * names, and search results.  Its From addresses may be masked, and its texts
 * are cut: only names, dates and Message-IDs are used.
 */
#include "backend/ponymail/internal.h"
#include "base/clock.h"

/* The archive returns at most 15000 at once, without saying so. */
#define MANY 10000
#define ID_MAX 2000
#define DAYS 32 /* parts of a month that may have to be requested */
#define DAY_S 86400

static void
ponymail_stats_put_list(struct buf *b, const struct pony_list *l)
{
	ponymail_call_arg(b, "list", l->name);
	ponymail_call_arg(b, "domain", l->domain);
	ponymail_call_arg(b, "emailsOnly", S("1"));
}

/* The only form that is silently ignored if it is not understood. */
static void
ponymail_stats_put_date(struct buf *b, struct str d)
{
	if (!ponymail_date_ok(d))
		err_bug("ponymail: a date of \"%.*s\"", STR_ARG(d));
	ponymail_call_arg(b, "d", d);
}

static void
ponymail_stats_put_months(struct buf *b, int first, int last)
{
	struct str from = ponymail_date_month(b->a, first);

	if (first == last) {
		ponymail_stats_put_date(b, from);
		return;
	}
	ponymail_call_arg(b, "s", from);
	ponymail_call_arg(b, "e", ponymail_date_month(b->a, last));
}

static int
ponymail_stats_ask(struct pony *p, const struct buf *b, struct json_doc **out,
    struct err *e)
{
	int found;

	if (b->over)
		return err_set(e, ERR_USAGE, "the search is too long");
	found = ponymail_call_json(p, PONY_STATS, buf_view(b), out, e);
	if (found == 0)
		return err_set(e, ERR_CONFIG,
		    "there is no Pony Mail archive at this address");
	return found < 0 ? -1 : 0;
}

static struct str
ponymail_stats_text_of(const struct json_value *v, const char *key)
{
	struct str s = { 0 };

	(void)json_parse_str(json_parse_member(v, key), &s);
	return s;
}

static bool
ponymail_stats_read_mid(const struct json_value *v, struct str *mid)
{
	*mid = ponymail_stats_text_of(v, "mid");
	if (mid->n == 0)
		*mid = ponymail_stats_text_of(v, "id");
	return mid->n > 0 && mid->n <= PONY_MID;
}

static struct pony_month *
ponymail_stats_month_at(struct pony_month *first, struct pony_month *last,
    int at)
{
	for (; first <= last; first++)
		if (first->at == at)
			return first;
	return NULL;
}

/* The range of a request: months, and seconds within them. */
struct about {
	struct pony_month *first, *last;
	int64_t from_s, until_s; /* this or later, and earlier than that */
};

/* The message it answers; by References only if the archive returns them. */
static struct str
ponymail_stats_parent_of(struct arena *a, const struct json_value *v)
{
	struct str says = ponymail_stats_text_of(v, "in-reply-to");
	struct str refs = ponymail_stats_text_of(v, "references"), last = S(""),
		   head;

	if (str_trim(says).n > 0)
		return ponymail_links_parent(a, str_first(says, ID_MAX));
	while (str_cut(refs, '<', &head, &refs))
		last = refs;
	(void)str_cut(last, '>', &last, &refs);
	return last.n == 0 || last.n > ID_MAX
	    ? S("")
	    : ponymail_links_id(a, str_fmt(a, "<%.*s>", STR_ARG(last)));
}

/* Adds one message, if it is in the range. */
static void
ponymail_stats_put_email(struct pony_list *l, const struct about *q,
    const struct json_value *v)
{
	struct pony_month *m;
	struct pony_entry *x;
	struct str mid;
	int64_t epoch;

	if (!ponymail_stats_read_mid(v, &mid) ||
	    !json_parse_int(json_parse_member(v, "epoch"), &epoch))
		return;
	m = ponymail_stats_month_at(q->first, q->last, ponymail_date_of(epoch));
	if (m == NULL || epoch < q->from_s || epoch >= q->until_s)
		return;
	m->v = arena_more(l->a, m->v, m->n, sizeof(*m->v));
	x = &m->v[m->n++];
	*x = (struct pony_entry){
		.mid = str_dup(l->a, mid),
		.message_id = ponymail_links_id(l->a,
		    str_first(ponymail_stats_text_of(v, "message-id"), ID_MAX)),
		.parent = ponymail_stats_parent_of(l->a, v),
		.epoch = epoch,
	};
}

/* The number in the answer, in the range or not. */
static size_t
ponymail_stats_put_emails(struct pony_list *l, const struct about *q,
    const struct json_doc *d)
{
	const struct json_value *v =
	    json_parse_member(json_parse_root(d), "emails");
	size_t n = json_parse_count(v);

	for (size_t i = 0; i < n; i++)
		ponymail_stats_put_email(l, q, json_parse_item(v, i));
	return n;
}

static void
ponymail_stats_empty(struct pony_month *m)
{
	m->n = 0;
	m->v = NULL;
	m->known = false;
}

static int
ponymail_stats_too_many(const struct pony_month *m, struct err *e)
{
	(void)err_set(e, ERR_LIMIT,
	    "a month of this list has more mail than the archive returns at "
	    "once");
	return err_because(e, "ponymail: %u of %u", m->n, m->told);
}

/* A month that the archive does not return at once: halves it until it does. */
static int
ponymail_stats_fill_by_days(struct pony *p, struct pony_list *l,
    struct pony_month *m, struct err *e)
{
	int64_t first = clock_days(m->at / 12, m->at % 12 + 1, 1);
	int64_t next = clock_days((m->at + 1) / 12, (m->at + 1) % 12 + 1, 1);
	int64_t half = (first + next) / 2;
	struct {
		int64_t first, next;
	} todo[DAYS] = { { first, half }, { half, next } };
	size_t n = 2;

	ponymail_stats_empty(m);
	while (n > 0) {
		CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
		CLEANUP(json_parse_close) struct json_doc *d = NULL;
		struct about q = { m, m, 0, 0 };
		struct buf b;

		first = todo[--n].first;
		next = todo[n].next;
		q.from_s = first * DAY_S;
		q.until_s = next * DAY_S;
		buf_init(&b, a, LIMIT_URL);
		ponymail_stats_put_list(&b, l);
		ponymail_stats_put_date(&b,
		    ponymail_date_days(a, first, next - 1));
		if (ponymail_stats_ask(p, &b, &d, e) < 0)
			return -1;
		if (json_parse_count(json_parse_member(json_parse_root(d),
			"emails")) < MANY) {
			(void)ponymail_stats_put_emails(l, &q, d);
			continue;
		}
		if (next - first == 1)
			return ponymail_stats_too_many(m, e);
		half = (first + next) / 2;
		todo[n].first = first;
		todo[n++].next = half;
		todo[n].first = half;
		todo[n++].next = next;
	}
	m->known = m->n >= m->told;
	return 0;
}

/* The months that an answer contains completely; the others are requested. */
static int
ponymail_stats_take_months(struct pony *p, struct pony_list *l,
    struct pony_month *first, struct pony_month *last, const struct json_doc *d,
    struct err *e)
{
	const struct about q = { first, last, INT64_MIN, INT64_MAX };
	size_t n;

	for (struct pony_month *m = first; m <= last; m++)
		ponymail_stats_empty(m);
	n = ponymail_stats_put_emails(l, &q, d);
	for (struct pony_month *m = first; m <= last; m++) {
		/* An incomplete one is requested again. */
		m->known = m->n >= m->told;
		if (m->known)
			continue;
		if (n >= MANY && ponymail_stats_fill_by_days(p, l, m, e) < 0)
			return -1;
		if (m->n == 0)
			return ponymail_stats_too_many(m, e);
	}
	return 0;
}

int
ponymail_stats_fill(struct pony *p, struct pony_list *l,
    struct pony_month *first, struct pony_month *last, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct buf b;

	buf_init(&b, a, LIMIT_URL);
	ponymail_stats_put_list(&b, l);
	ponymail_stats_put_months(&b, first->at, last->at);
	if (ponymail_stats_ask(p, &b, &d, e) < 0)
		return -1;
	l->changed = true;
	return ponymail_stats_take_months(p, l, first, last, d, e);
}

static int
by_month(const void *x, const void *y)
{
	const struct pony_month *m = x, *n = y;

	return m->at < n->at ? -1 : m->at > n->at;
}

/* A month with an unchanged number of messages stays known. */
static void
ponymail_stats_put_month(struct pony_list *l, const struct pony_month *old,
    size_t olds, int at, uint32_t told)
{
	struct pony_month *m = &l->month[l->months++];

	*m = (struct pony_month){ .at = at, .told = told };
	for (size_t i = 0; i < olds; i++)
		if (old[i].at == at && old[i].told == told && old[i].known)
			*m = old[i];
}

static int
ponymail_stats_read_months(struct pony_list *l, const struct json_doc *d,
    struct err *e)
{
	const struct json_value *v,
	    *all = json_parse_member(json_parse_root(d), "active_months");
	const struct pony_month *old = l->month;
	size_t olds = l->months;
	struct str key = { 0 };
	int64_t n, sum = 0;

	l->month = arena_array(l->a, json_parse_count(all), sizeof(*l->month));
	l->months = 0;
	while ((v = json_parse_next(all, &key)) != NULL) {
		int at = ponymail_date_read(key);

		if (at < 0 || !json_parse_int(v, &n) || n <= 0)
			continue;
		sum += n < LIMIT_PONY_MESSAGES ? n : LIMIT_PONY_MESSAGES;
		if (sum > LIMIT_PONY_MESSAGES || l->months == LIMIT_PONY_MONTHS)
			return err_set(e, ERR_LIMIT,
			    "the list has too much mail");
		ponymail_stats_put_month(l, old, olds, at, (uint32_t)n);
	}
	if (l->months > 0)
		qsort(l->month, l->months, sizeof(*l->month), by_month);
	return 0;
}

/* The month that is requested every time is usually unchanged. */
static bool
ponymail_stats_is_same(const struct pony_month *m, const struct pony_month *was)
{
	if (!was->known || m->told != was->told || m->n != was->n)
		return false;
	for (uint32_t i = 0; i < m->n; i++)
		if (!str_eq(m->v[i].mid, was->v[i].mid))
			return false;
	return true;
}

int
ponymail_stats_months(struct pony *p, struct pony_list *l, int now,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct pony_month *m, was;
	size_t had = l->months;
	struct buf b;

	buf_init(&b, a, LIMIT_URL);
	ponymail_stats_put_list(&b, l);
	ponymail_stats_put_months(&b, now, now);
	if (ponymail_stats_ask(p, &b, &d, e) < 0 ||
	    ponymail_stats_read_months(l, d, e) < 0)
		return -1;
	l->changed = l->months != had;
	if (l->months == 0)
		return ponymail_session_list(p, l->name, l->domain, e);
	m = ponymail_stats_month_at(l->month, l->month + l->months - 1, now);
	if (m == NULL)
		return 0;
	was = *m;
	if (ponymail_stats_take_months(p, l, m, m, d, e) < 0)
		return -1;
	l->changed = l->changed || !ponymail_stats_is_same(m, &was);
	return 0;
}

struct str
ponymail_stats_words(struct arena *a, struct str text)
{
	bool any = false;
	struct buf b;

	buf_init(&b, a, text.n);
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];
		bool word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
		    (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;

		any = any || word;
		/*
		 * Quotes, colons and shell characters; a leading "-" means not.
		 */
		if (!any || (!word && !str_has_char(S(".@-_+/"), c)))
			c = ' ';
		buf_char(&b, c);
	}
	return str_trim(buf_view(&b));
}

static bool
ponymail_stats_put_words(struct buf *b, const char *name, struct str text)
{
	struct str words = ponymail_stats_words(b->a, text);

	if (words.n == 0)
		return false;
	if (str_eq(str_of(name), S("q")))
		words = str_fmt(b->a, "\"%.*s\"", STR_ARG(words));
	ponymail_call_arg(b, name, words);
	return true;
}

static int
ponymail_stats_by_bytes(const void *x, const void *y)
{
	const struct str *s = x, *t = y;

	return str_cmp(*s, *t);
}

int
ponymail_stats_search(struct pony *p, const struct pony_list *l,
    const struct query *q, struct arena *a, struct strs *out, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *v;
	struct buf b;
	bool any = false;
	size_t n;

	if (l->months == 0)
		return 0;
	buf_init(&b, a, LIMIT_URL / 2);
	ponymail_stats_put_list(&b, l);
	ponymail_stats_put_months(&b, l->month[0].at,
	    l->month[l->months - 1].at);
	any = ponymail_stats_put_words(&b, "header_from", q->from) || any;
	any = ponymail_stats_put_words(&b, "header_subject", q->subject) || any;
	any = ponymail_stats_put_words(&b, "q", q->text) || any;
	if (!any)
		return 0;
	if (ponymail_stats_ask(p, &b, &d, e) < 0)
		return -1;
	v = json_parse_member(json_parse_root(d), "emails");
	n = json_parse_count(v);
	if (n >= MANY)
		return 0;
	out->v = arena_array(a, n, sizeof(*out->v));
	out->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct str mid;

		if (ponymail_stats_read_mid(json_parse_item(v, i), &mid))
			out->v[out->n++] = str_dup(a, mid);
	}
	if (out->n > 0)
		qsort(out->v, out->n, sizeof(*out->v), ponymail_stats_by_bytes);
	return 1;
}
