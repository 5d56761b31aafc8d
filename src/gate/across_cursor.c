/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "PLACES.MARK": the places as bytes, in base64, and a mark over them and over
 * the caller and the query.  It is untrusted when it returns: what was parsed
 * is formatted again, and must be identical.
 *
 * Every uid in it was shown to the caller, so the text needs no disguise.
 */
#include "gate/across_cursor.h"
#include "base/base64.h"
#include "base/limits.h"
#include "skill/mark.h"
#include "store/mark.h"

enum {
	NUMBER = 4,
	PLACE = ACROSS_KEY + 2 * NUMBER /* bytes */
};

void
across_cursor_key(int64_t account, struct str folder,
    unsigned char out[ACROSS_KEY])
{
	uint64_t sum = str_hash(STR_HASH,
	    (struct str){ (const char *)&account, sizeof(account) });

	/* RFC 9051 section 5.1: INBOX is INBOX in any case. */
	if (str_eq_case(folder, S("INBOX")))
		folder = S("INBOX");
	sum = str_hash(sum, folder);
	for (size_t i = 0; i < ACROSS_KEY; i++)
		out[i] = (unsigned char)(sum >> (8 * i));
}

const struct across_place *
across_cursor_find(const struct across_places *l,
    const unsigned char key[ACROSS_KEY])
{
	for (size_t i = 0; i < l->n; i++)
		if (memcmp(l->v[i].key, key, ACROSS_KEY) == 0)
			return &l->v[i];
	return NULL;
}

/* The call's arguments but those that may change from page to page. */
static struct str
across_cursor_asked(struct call *c)
{
	static const char *const free_to_change[] = { "cursor", "limit",
		"lease" };
	struct strs l = { 0 };

	for (size_t i = 0; i < c->args->n; i++) {
		const struct arg *arg = &c->args->v[i];
		bool counts = true;

		for (size_t k = 0; k < 3; k++)
			counts = counts &&
			    !str_eq(str_of(arg->spec->name),
				str_of(free_to_change[k]));
		if (!counts)
			continue;
		str_push(c->arena, &l, str_of(arg->spec->name));
		str_push(c->arena, &l, str_fmt(c->arena, "%zu", arg->text.n));
		for (size_t k = 0; k < arg->text.n; k++)
			str_push(c->arena, &l, arg->text.v[k]);
	}
	return store_digest(c->arena, l.v, l.n);
}

static void
across_cursor_put_number(char *out, uint32_t n)
{
	for (size_t i = 0; i < NUMBER; i++)
		out[i] = (char)(n >> (8 * i));
}

static uint32_t
across_cursor_number(const char *p)
{
	uint32_t n = 0;

	for (size_t i = 0; i < NUMBER; i++)
		n |= (uint32_t)(unsigned char)p[i] << (8 * i);
	return n;
}

/* Over the places, and over what they are of. */
static int
across_cursor_mark(struct call *c, struct str places, struct str *mark,
    struct err *e)
{
	const struct str part[] = { S("search"), c->gate->principal,
		c->mailbox != NULL ? c->mailbox->src->acct.name : S(""),
		across_cursor_asked(c), places };

	return store_mark(c->gate->store, c->arena, STORE_LABEL_CURSOR,
	    store_digest(c->arena, part, sizeof(part) / sizeof(part[0])), mark,
	    e);
}

int
across_cursor_put(struct call *c, const struct across_places *l,
    struct str *text, struct err *e)
{
	struct arena *a = c->arena;
	char *raw = arena_array(a, l->n + 1, PLACE);
	struct str mark = { 0 };
	struct buf b;

	for (size_t i = 0; i < l->n; i++) {
		char *p = raw + i * PLACE;

		memcpy(p, l->v[i].key, ACROSS_KEY);
		across_cursor_put_number(p + ACROSS_KEY, l->v[i].uidvalidity);
		across_cursor_put_number(p + ACROSS_KEY + NUMBER, l->v[i].uid);
	}
	buf_init(&b, a, LIMIT_CURSOR);
	base64_put(&b, (struct str){ raw, l->n * PLACE });
	if (across_cursor_mark(c, buf_view(&b), &mark, e) < 0)
		return -1;
	*text = str_fmt(a, "%.*s.%.*s", STR_ARG(buf_view(&b)), STR_ARG(mark));
	return 0;
}

static bool
across_cursor_parse(struct arena *a, struct str text, struct across_places *out)
{
	struct str places, mark;
	ptrdiff_t n;
	char *raw;

	if (text.n > LIMIT_CURSOR || !str_cut(text, '.', &places, &mark))
		return false;
	raw = arena_array(a, 3 * places.n / 4 + 3, 1);
	n = base64_decode(raw, places);
	if (n <= 0 || n % PLACE != 0 || n / PLACE > LIMIT_SEARCH_FOLDERS)
		return false;
	out->n = (size_t)n / PLACE;
	out->v = arena_array(a, out->n, sizeof(*out->v));
	for (size_t i = 0; i < out->n; i++) {
		const char *p = raw + i * PLACE;

		memcpy(out->v[i].key, p, ACROSS_KEY);
		out->v[i].uidvalidity = across_cursor_number(p + ACROSS_KEY);
		out->v[i].uid = across_cursor_number(p + ACROSS_KEY + NUMBER);
	}
	return true;
}

int
across_cursor_read(struct call *c, struct str text, struct across_places *out,
    struct err *e)
{
	struct str ours = { 0 };
	bool good;

	*out = (struct across_places){ 0 };
	if (text.n == 0)
		return 0;
	good = across_cursor_parse(c->arena, text, out);
	if (good && across_cursor_put(c, out, &ours, e) < 0)
		return -1;
	if (good && mark_same(ours, text))
		return 0;
	return err_set(e, ERR_USAGE,
	    "this cursor is not one of this search that this agent was given: "
	    "begin without a cursor");
}
