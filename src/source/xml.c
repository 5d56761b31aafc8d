/*
 * One pass, no recursion, nothing allocated: what it hands out are views of
 * the text (XML 1.0, fifth edition; sections in brackets).
 */
#include "source/xml.h"

#include "base/limits.h"
#include "base/utf8.h"

static int
broken(struct err *e, const char *why)
{
	(void)err_set(e, ERR_USAGE, "the settings file is no proper XML");
	return err_because(e, "xml: %s", why);
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* [5], but ASCII only: no name we look for has anything else. */
static bool
is_name(char c, bool first)
{
	if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	    c == ':')
		return true;
	return !first && ((c >= '0' && c <= '9') || c == '-' || c == '.');
}

int
xml_init(struct xml *x, struct str text, struct err *e)
{
	*x = (struct xml){ .in = text };
	if (text.n > LIMIT_AUTOCONFIG)
		return err_set(e, ERR_LIMIT, "the settings file is too long");
	if (!utf8_valid(text) || str_has_char(text, '\0'))
		return broken(e, "not UTF-8");
	/* A byte order mark. */
	if (str_starts(text, S("\xef\xbb\xbf")))
		x->at = 3;
	/* [23]; another encoding would not have been UTF-8, or is ASCII. */
	if (str_starts(str_from(text, x->at), S("<?xml "))) {
		ptrdiff_t end = str_find(str_from(text, x->at), S("?>"));

		if (end < 0)
			return broken(e, "declaration");
		x->at += (size_t)end + 2;
	}
	return 0;
}

static char
here(const struct xml *x)
{
	/* No NUL is in it: xml_init() saw to that. */
	if (x->at < x->in.n)
		return x->in.p[x->at];
	return '\0';
}

static void
skip_space(struct xml *x)
{
	while (is_space(here(x)))
		x->at++;
}

static struct str
take_name(struct xml *x)
{
	size_t from = x->at;

	while (is_name(here(x), x->at == from))
		x->at++;
	return (struct str){ x->in.p + from, x->at - from };
}

/* [15]; we stand behind "<". */
static int
skip_comment(struct xml *x, struct err *e)
{
	ptrdiff_t end;

	if (!str_starts(str_from(x->in, x->at), S("!--")))
		return broken(e, "a declaration");
	x->at += 3;
	end = str_find(str_from(x->in, x->at), S("--"));
	if (end < 0)
		return broken(e, "a comment without an end");
	x->at += (size_t)end + 2;
	if (here(x) != '>')
		return broken(e, "-- in a comment");
	x->at++;
	return 0;
}

/* [41]: passes over the attributes, so that attrs is well formed later. */
static int
take_attrs(struct xml *x, struct err *e)
{
	size_t from = x->at;

	for (;;) {
		size_t before = x->at;
		const char *close;
		char quote;

		skip_space(x);
		if (here(x) == '>' || here(x) == '/')
			break;
		if (x->at == before || take_name(x).n == 0)
			return broken(e, "attribute");
		skip_space(x);
		if (here(x) != '=')
			return broken(e, "attribute without a value");
		x->at++;
		skip_space(x);
		quote = here(x);
		if (quote != '"' && quote != '\'')
			return broken(e, "attribute without quotes");
		x->at++;
		close = memchr(x->in.p + x->at, quote, x->in.n - x->at);
		if (close == NULL ||
		    memchr(x->in.p + x->at, '<',
			(size_t)(close - (x->in.p + x->at))) != NULL)
			return broken(e, "attribute without an end");
		x->at = (size_t)(close - x->in.p) + 1;
	}
	x->attrs = (struct str){ x->in.p + from, x->at - from };
	return 0;
}

/* [40], [44]; we stand behind "<". */
static int
open_tag(struct xml *x, struct err *e)
{
	if (x->depth == 0 && x->rooted)
		return broken(e, "two roots");
	x->rooted = true;
	x->name = take_name(x);
	if (x->name.n == 0 || x->name.n > XML_NAME)
		return broken(e, "tag");
	if (take_attrs(x, e) < 0)
		return -1;
	if (here(x) == '/') {
		x->pending = true;
		x->at++;
	}
	if (here(x) != '>')
		return broken(e, "tag without an end");
	x->at++;
	if (x->depth == XML_DEPTH)
		return err_set(e, ERR_LIMIT, "the settings file is too deep");
	x->open[x->depth++] = x->name;
	return 0;
}

static void
leave(struct xml *x)
{
	x->name = x->open[--x->depth];
	x->attrs = (struct str){ 0 };
}

/* [42]; we stand behind "</". */
static int
close_tag(struct xml *x, struct err *e)
{
	struct str name = take_name(x);

	skip_space(x);
	if (here(x) != '>' || x->depth == 0 ||
	    !str_eq(name, x->open[x->depth - 1]))
		return broken(e, "an end that fits no beginning");
	x->at++;
	leave(x);
	return 0;
}

/* Up to the next "<"; outside the root there is only space. */
static int
take_text(struct xml *x, struct err *e)
{
	const char *from = x->in.p + x->at;
	const char *end = memchr(from, '<', x->in.n - x->at);
	size_t n = end != NULL ? (size_t)(end - from) : x->in.n - x->at;

	x->text = (struct str){ from, n };
	x->at += n;
	if (x->depth == 0 && str_trim(x->text).n > 0)
		return broken(e, "text outside");
	return 0;
}

int
xml_next(struct xml *x, enum xml_event *out, struct err *e)
{
	if (x->pending) {
		x->pending = false;
		leave(x);
		*out = XML_CLOSE;
		return 0;
	}
	while (x->at < x->in.n) {
		if (here(x) != '<') {
			if (take_text(x, e) < 0)
				return -1;
			*out = XML_TEXT;
			if (x->depth > 0)
				return 0;
			continue;
		}
		x->at++;
		if (here(x) == '!') {
			if (skip_comment(x, e) < 0)
				return -1;
			continue;
		}
		if (here(x) == '/') {
			x->at++;
			*out = XML_CLOSE;
			return close_tag(x, e);
		}
		*out = XML_OPEN;
		return open_tag(x, e);
	}
	if (x->depth > 0 || !x->rooted)
		return broken(e, "cut short");
	*out = XML_END;
	return 0;
}

struct str
xml_attr(const struct xml *x, struct str name)
{
	/* take_attrs() has seen that it is well formed. */
	struct xml in = { .in = x->attrs };

	for (;;) {
		struct str found, value;
		const char *close;
		char quote;

		skip_space(&in);
		found = take_name(&in);
		if (found.n == 0)
			return S("");
		skip_space(&in);
		in.at++;
		skip_space(&in);
		quote = here(&in);
		in.at++;
		close = memchr(in.in.p + in.at, quote, in.in.n - in.at);
		value = (struct str){ in.in.p + in.at,
			(size_t)(close - (in.in.p + in.at)) };
		if (str_eq(found, name))
			return value;
		in.at += value.n + 1;
	}
}
