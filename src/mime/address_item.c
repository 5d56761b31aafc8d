/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One item of an address list, between two commas: "name <addr-spec>", an
 * addr-spec with a name in a comment, or anything close to these.
 */
#include <string.h>

#include "base/limits.h"
#include "mime/internal.h"

static void
address_item_put_unescaped(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n)
			i++;
		buf_char(b, s.p[i]);
	}
}

/* Adds a token to a display name. */
static void
address_item_put_name(struct buf *name, const struct address_token *t)
{
	if (t->space && name->n > 0)
		buf_char(name, ' ');
	if (t->kind == ADDRESS_QUOTED)
		address_item_put_unescaped(name, t->text);
	else
		buf_str(name, t->text);
}

/* What the reader finds before and at an "@". */
struct spec {
	struct buf name; /* words before the local part */
	struct buf local;
	bool quoted; /* part of the local part was quoted */
	struct buf domain;
	struct str comment;  /* the last comment */
	struct buf comments; /* all comments */
	bool clean;
};

static void
address_item_spec_init(struct spec *p, struct arena *a, size_t n)
{
	*p = (struct spec){ .clean = true };
	buf_init(&p->name, a, 2 * n + 2);
	buf_init(&p->local, a, n + 2);
	buf_init(&p->domain, a, n + 2);
	buf_init(&p->comments, a, 2 * n + 2);
}

static void
address_item_note(struct spec *p, const struct address_token *t)
{
	if (t->comment.n == 0)
		return;
	p->comment = t->comment;
	buf_str(&p->comments, t->comments);
	buf_char(&p->comments, ' ');
}

/* The domain after an "@", dots and words or a literal. */
static struct address_token
address_item_read_domain(struct address_lex *l, struct spec *p)
{
	bool want_word = true;
	struct address_token t = address_lex_next(l);

	for (;; t = address_lex_next(l)) {
		bool word = t.kind == ADDRESS_WORD || t.kind == ADDRESS_LITERAL;
		bool dot = t.kind == ADDRESS_SIGN && t.text.p[0] == '.';

		if (!dot && !(word && want_word))
			return t;
		if (t.space)
			p->clean = false;
		address_item_note(p, &t);
		buf_str(&p->domain, t.text);
		want_word = dot;
	}
}

/*
 * Reads through the end of the first "local@domain".  Words that do not belong
 * to the local part become the name.
 */
static struct address_token
address_item_read_spec(struct address_lex *l, struct spec *p)
{
	bool joined = false; /* the last token was a dot */
	struct address_token t;

	for (t = address_lex_next(l); t.kind != ADDRESS_END;
	     t = address_lex_next(l)) {
		address_item_note(p, &t);
		if (t.kind == ADDRESS_SIGN && t.text.p[0] == '@' &&
		    p->local.n > 0) {
			p->clean = p->clean && !t.space;
			return address_item_read_domain(l, p);
		}
		if (t.kind == ADDRESS_SIGN && t.text.p[0] != '.') {
			p->clean = false;
			continue;
		}
		if (t.kind == ADDRESS_SIGN) {
			joined = true;
		} else if (p->local.n > 0 && !joined) {
			/* Two words side by side: the first ones are a name. */
			if (p->name.n > 0)
				buf_char(&p->name, ' ');
			buf_str(&p->name, buf_view(&p->local));
			buf_reset(&p->local);
			p->quoted = false;
			p->clean = false;
		} else {
			p->clean = p->clean && !(joined && t.space);
			joined = false;
		}
		p->quoted = p->quoted || t.kind == ADDRESS_QUOTED;
		if (t.kind == ADDRESS_QUOTED)
			address_item_put_unescaped(&p->local, t.text);
		else
			buf_str(&p->local, t.text);
	}
	return t;
}

/* The addr-spec as it would be typed, or empty. */
static struct str
address_item_spec_text(struct arena *a, struct spec *p)
{
	struct str local = buf_view(&p->local);
	struct str domain = buf_view(&p->domain);
	struct address_spec same;
	struct str text;
	size_t i = 0;

	if (local.n == 0 || domain.n == 0 ||
	    local.n + domain.n >= LIMIT_ADDRESS) {
		p->clean = false;
		return S("");
	}
	if (p->quoted)
		local = address_spec_local(a, local);
	text = word_clean(a,
	    charset_guess(a,
		str_fmt(a, "%.*s@%.*s", STR_ARG(local), STR_ARG(domain))));
	if (text.n > LIMIT_ADDRESS || !address_spec_read(a, text, &i, &same) ||
	    i != text.n)
		p->clean = false;
	return text.n <= LIMIT_ADDRESS ? text : S("");
}

/* "words <": any words before it are the name. */
static void
address_item_read_name(struct spec *p, struct str s)
{
	struct address_lex l = { .s = s };
	struct address_token t = address_lex_next(&l);

	for (; t.kind != ADDRESS_END; t = address_lex_next(&l)) {
		address_item_note(p, &t);
		address_item_put_name(&p->name, &t);
		if (t.kind == ADDRESS_LITERAL ||
		    (t.kind == ADDRESS_SIGN && t.text.p[0] != '.'))
			p->clean = false;
	}
	address_item_note(p, &t);
}

/* The text after the "<", including its ">". */
static void
address_item_read_angle(struct arena *a, struct spec *p, struct str s)
{
	struct address_lex l = { .s = s };
	struct address_token t = address_lex_next(&l);
	struct buf name = p->name;

	if (t.kind == ADDRESS_SIGN && t.text.p[0] == '@') {
		/* A route, section 4.4: skipped. */
		while (t.kind != ADDRESS_END && t.text.p[0] != ':')
			t = address_lex_next(&l);
		p->clean = false;
	} else {
		l.i = 0;
	}
	buf_init(&p->name, a, 2 * s.n + 2);
	t = address_item_read_spec(&l, p);
	p->clean = p->clean && p->name.n == 0;
	p->name = name;
	address_item_note(p, &t);
	if (t.kind != ADDRESS_SIGN || t.text.p[0] != '>')
		p->clean = false;
	t = address_lex_next(&l);
	address_item_note(p, &t);
	p->clean = p->clean && t.kind == ADDRESS_END;
}

struct address
address_item_read(struct arena *a, struct str s, size_t angle, bool *clean)
{
	struct address out;
	struct spec p;

	address_item_spec_init(&p, a, s.n);
	if (angle < s.n) {
		address_item_read_name(&p, str_first(s, angle));
		address_item_read_angle(a, &p, str_from(s, angle + 1));
	} else {
		struct address_lex l = { .s = s };
		struct address_token t = address_item_read_spec(&l, &p);

		address_item_note(&p, &t);
		p.clean = p.clean && t.kind == ADDRESS_END && p.name.n == 0;
		if (p.domain.n == 0 && p.local.n > 0) {
			/* No address: these were words. */
			if (p.name.n > 0)
				buf_char(&p.name, ' ');
			buf_str(&p.name, buf_view(&p.local));
		}
	}
	out.addr = address_item_spec_text(a, &p);
	out.name = buf_view(&p.name);
	if (str_trim(out.name).n == 0)
		out.name = p.comment;
	out.name = mime_word_decode(a, out.name);
	out.comments = mime_word_decode(a, buf_view(&p.comments));
	*clean = *clean && p.clean;
	return out;
}
