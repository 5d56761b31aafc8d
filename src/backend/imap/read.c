/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins lines and literals into responses, RFC 9051 sections 4.3 and 7.  Only
 * responses that can contain a literal are checked for one: the words of a
 * status line may end in "{5}" without meaning it.
 */
#include "backend/imap/internal.h"
#include "base/limits.h"

/* The cost of a line besides its bytes, so that empty ones are not free. */
#define LINE_COST 64
/* Scratch memory is freed after a response that used more than this. */
#define SCRATCH_KEEP (256UL << 10)
#define SCRATCH_MAX (256UL << 20)
/* More than mime/header.c reads, so that it notices a cut header. */
#define LITERAL_KEEP (LIMIT_MIME_HEAD + 1)

void
imap_read_init(struct imap_reader *r, const struct imap_source *src)
{
	*r = (struct imap_reader){ .src = *src };
	r->scratch = arena_open(SCRATCH_MAX);
}

void
imap_read_done(struct imap_reader *r)
{
	arena_close(&r->scratch);
	r->keep = NULL;
}

int
imap_read_nonsense(struct err *e, const char *why)
{
	(void)err_set(e, ERR_NETWORK, "the server's answer is malformed");
	(void)err_because(e, "imap: %s", why);
	return err_conn(e);
}

static int
too_big(struct err *e, const char *why)
{
	(void)err_set(e, ERR_LIMIT, "the server's answer is too big");
	(void)err_because(e, "imap: %s", why);
	return err_conn(e);
}

static int
imap_read_line(struct imap_reader *r, struct imap_resp *resp, size_t *used,
    struct str *out, struct err *e)
{
	size_t max = LIMIT_IMAP_RESPONSE;
	int res;

	/* Skipped data may be as large again, to reach its end. */
	max *= resp->cut ? 2 : 1;
	if (*used + LINE_COST >= max)
		return too_big(e, "response");
	res = r->src.line(r->src.ctx, r->scratch, max - *used - LINE_COST, out,
	    e);
	if (res < 0)
		return -1;
	resp->cut = resp->cut || res > 0;
	*used += out->n + LINE_COST;
	r->lines += out->n + LINE_COST;
	r->total += out->n + LINE_COST;
	if (r->lines > LIMIT_IMAP_LINES || r->total > LIMIT_IMAP_TOTAL)
		return too_big(e, "all responses");
	return 0;
}

/*
 * Does the line end in a literal's mark: {5}, {5+} (RFC 7888) or ~{5} (RFC
 * 3516)?  Removes it.  A quoted string cannot end in a brace, so the rest need
 * not be parsed.
 */
static bool
imap_read_cut_mark(struct str *line, struct str *size)
{
	size_t end = line->n, i;

	if (end == 0 || line->p[--end] != '}')
		return false;
	if (end > 0 && line->p[end - 1] == '+')
		end--;
	for (i = end; i > 0 && isdigit((unsigned char)line->p[i - 1]); i--)
		;
	if (i == end || i == 0 || line->p[i - 1] != '{')
		return false;
	*size = (struct str){ line->p + i, end - i };
	line->n = i - 1;
	if (line->n > 0 && line->p[line->n - 1] == '~')
		line->n--;
	return true;
}

/* Reads n bytes and drops them. */
static int
imap_read_skip_bytes(struct imap_reader *r, uint64_t n, struct err *e)
{
	char away[4096];

	while (n > 0) {
		size_t some = n < sizeof(away) ? n : sizeof(away);

		if (r->src.bytes(r->src.ctx, away, some, e) < 0)
			return -1;
		n -= some;
	}
	return 0;
}

/*
 * A message is read completely or refused, as are two that are too big
 * together: only one was requested.  Of anything else the first LITERAL_KEEP
 * bytes are kept: a stranger's message with endless headers must not break the
 * list that contains it, and mime/header.c sees that it is cut.
 */
static int
read_literal(struct imap_reader *r, struct imap_resp *resp,
    struct imap_piece *p, struct str size, size_t *used, struct err *e)
{
	bool body = r->body_max > 0 &&
	    (str_ends_case(p->text, S(" BODY[] ")) ||
		str_ends_case(p->text, S("(BODY[] ")));
	uint64_t n, kept;
	char *to;

	if (!str_to_u64(size, UINT64_MAX, &n))
		return too_big(e, "literal");
	if (body && (n > r->body_max || r->body_used > r->body_max - n)) {
		(void)err_set(e, ERR_LIMIT, "the message is too big");
		return err_conn(e);
	}
	if (n > LIMIT_IMAP_TOTAL - r->total)
		return too_big(e, "all responses");
	kept = body || n < LITERAL_KEEP ? n : LITERAL_KEEP;
	if (resp->cut || (!body && kept + *used > LIMIT_IMAP_RESPONSE)) {
		resp->cut = true;
		kept = 0;
	}
	r->total += n;
	if (!body)
		*used += kept;
	else
		r->body_used += kept;
	to = arena_alloc(body ? r->keep : r->scratch, kept);
	if (r->src.bytes(r->src.ctx, to, kept, e) < 0 ||
	    imap_read_skip_bytes(r, n - kept, e) < 0)
		return -1;
	p->literal = (struct str){ to, kept };
	p->has_literal = true;
	p->size = n;
	return 0;
}

static int
imap_read_pieces(struct imap_reader *r, struct imap_resp *out, struct str line,
    size_t used, struct err *e)
{
	struct str size;

	out->piece = NULL;
	for (;;) {
		struct imap_piece *p;

		out->piece =
		    arena_more(r->scratch, out->piece, out->n, sizeof(*p));
		p = &out->piece[out->n++];
		p->text = line;
		if (!imap_read_cut_mark(&p->text, &size))
			return 0;
		if (read_literal(r, out, p, size, &used, e) < 0)
			return -1;
		if (imap_read_line(r, out, &used, &line, e) < 0)
			return -1;
	}
}

static bool
imap_read_status(struct str word, enum imap_status *out)
{
	static const struct {
		struct str word;
		enum imap_status status;
	} table[] = {
		{ SI("OK"), IMAP_OK },
		{ SI("NO"), IMAP_NO },
		{ SI("BAD"), IMAP_BAD },
		{ SI("BYE"), IMAP_BYE },
		{ SI("PREAUTH"), IMAP_PREAUTH },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (!str_eq_case(word, table[i].word))
			continue;
		*out = table[i].status;
		return true;
	}
	return false;
}

/* resp-text: "[" code "]" SP text, RFC 9051 section 7.1. */
static void
imap_read_text(struct imap_resp *out, struct str rest)
{
	if (rest.n > 0 && rest.p[0] == '[' &&
	    str_cut(str_from(rest, 1), ']', &out->code, &out->text)) {
		out->text = str_trim(out->text);
		return;
	}
	out->code = (struct str){ 0 };
	out->text = rest;
}

/* Our tags are "e" and a number. */
static uint32_t
imap_read_tag(struct str word)
{
	uint32_t tag;

	if (word.n < 2 || word.p[0] != 'e' ||
	    !str_to_u32(str_from(word, 1), UINT32_MAX, &tag))
		return 0;
	return tag;
}

static int
read_next(struct imap_reader *r, struct imap_resp *out, struct err *e)
{
	struct str line, word, rest;
	uint32_t number = 0;
	size_t used = 0;

	if (arena_used(r->scratch) > SCRATCH_KEEP) {
		arena_close(&r->scratch);
		r->scratch = arena_open(SCRATCH_MAX);
	}
	*out = (struct imap_resp){ 0 };
	if (imap_read_line(r, out, &used, &line, e) < 0)
		return -1;

	(void)str_cut(line, ' ', &word, &rest);
	if (str_eq(word, S("+"))) {
		out->kind = IMAP_MORE;
		out->text = rest;
		return 0;
	}
	if (!str_eq(word, S("*"))) {
		out->kind = IMAP_TAGGED;
		out->tag = imap_read_tag(word);
		(void)str_cut(rest, ' ', &word, &rest);
		if (!imap_read_status(word, &out->status) ||
		    out->status > IMAP_BAD)
			return imap_read_nonsense(e, "neither tag nor data");
		imap_read_text(out, rest);
		return 0;
	}

	(void)str_cut(rest, ' ', &word, &rest);
	if (imap_read_status(word, &out->status)) {
		out->kind = IMAP_NOTICE;
		imap_read_text(out, rest);
		return 0;
	}
	out->kind = IMAP_DATA;
	if (str_to_u32(word, UINT32_MAX, &number)) {
		out->number = number;
		(void)str_cut(rest, ' ', &word, &rest);
	}
	out->name = word;
	return imap_read_pieces(r, out, rest, used, e);
}

/*
 * A stranger's message with an endless structure must not break the list that
 * contains it: a FETCH that is too big is read to its end and skipped.
 */
int
imap_read_next(struct imap_reader *r, struct imap_resp *out, struct err *e)
{
	if (read_next(r, out, e) < 0)
		return -1;
	if (out->cut &&
	    (out->kind != IMAP_DATA || !str_eq_case(out->name, S("FETCH"))))
		return too_big(e, "response");
	return 0;
}
