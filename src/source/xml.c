/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One pass, no recursion, no allocation: results are views of the text (XML
 * 1.0, fifth edition; sections in brackets).
 */
#include "source/xml.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "base/utf8.h"

static int
xml_broken(struct err *e, const char *why)
{
	(void)err_set(e, ERR_USAGE, "the settings file is not valid XML");
	return err_because(e, "xml: %s", why);
}

/* [5], but only ASCII: all names that matter are. */
static bool
xml_is_name(char c, bool first)
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
		return xml_broken(e, "not UTF-8");
	/* A byte order mark. */
	if (str_starts(text, S("\xef\xbb\xbf")))
		x->at = 3;
	/* [23]; another encoding would not have been UTF-8, or is ASCII. */
	if (str_starts(str_from(text, x->at), S("<?xml "))) {
		ptrdiff_t end = str_find(str_from(text, x->at), S("?>"));

		if (end < 0)
			return xml_broken(e, "declaration");
		x->at += (size_t)end + 2;
	}
	return 0;
}

static char
xml_here(const struct xml *x)
{
	/* There is no NUL in it: xml_init() checked that. */
	if (x->at < x->in.n)
		return x->in.p[x->at];
	return '\0';
}

static void
xml_skip_space(struct xml *x)
{
	while (ascii_is_space(xml_here(x)))
		x->at++;
}

static struct str
xml_take_name(struct xml *x)
{
	size_t from = x->at;

	while (xml_is_name(xml_here(x), x->at == from))
		x->at++;
	return (struct str){ x->in.p + from, x->at - from };
}

/* [15]; the position is after "<". */
static int
xml_skip_comment(struct xml *x, struct err *e)
{
	ptrdiff_t end;

	if (!str_starts(str_from(x->in, x->at), S("!--")))
		return xml_broken(e, "a declaration");
	x->at += 3;
	end = str_find(str_from(x->in, x->at), S("--"));
	if (end < 0)
		return xml_broken(e, "a comment without an end");
	x->at += (size_t)end + 2;
	if (xml_here(x) != '>')
		return xml_broken(e, "-- in a comment");
	x->at++;
	return 0;
}

/* [41]: skips the attributes, and checks that they are well-formed. */
static int
xml_take_attrs(struct xml *x, struct err *e)
{
	size_t from = x->at;

	for (;;) {
		size_t before = x->at;
		const char *close;
		char quote;

		xml_skip_space(x);
		if (xml_here(x) == '>' || xml_here(x) == '/')
			break;
		if (x->at == before || xml_take_name(x).n == 0)
			return xml_broken(e, "attribute");
		xml_skip_space(x);
		if (xml_here(x) != '=')
			return xml_broken(e, "an attribute without a value");
		x->at++;
		xml_skip_space(x);
		quote = xml_here(x);
		if (quote != '"' && quote != '\'')
			return xml_broken(e, "an attribute without quotes");
		x->at++;
		close = memchr(x->in.p + x->at, quote, x->in.n - x->at);
		if (close == NULL ||
		    memchr(x->in.p + x->at, '<',
			(size_t)(close - (x->in.p + x->at))) != NULL)
			return xml_broken(e, "an attribute without an end");
		x->at = (size_t)(close - x->in.p) + 1;
	}
	x->attrs = (struct str){ x->in.p + from, x->at - from };
	return 0;
}

/* [40], [44]; the position is after "<". */
static int
xml_open_tag(struct xml *x, struct err *e)
{
	if (x->depth == 0 && x->rooted)
		return xml_broken(e, "two root elements");
	x->rooted = true;
	x->name = xml_take_name(x);
	if (x->name.n == 0 || x->name.n > XML_NAME)
		return xml_broken(e, "tag");
	if (xml_take_attrs(x, e) < 0)
		return -1;
	if (xml_here(x) == '/') {
		x->pending = true;
		x->at++;
	}
	if (xml_here(x) != '>')
		return xml_broken(e, "a tag without an end");
	x->at++;
	if (x->depth == XML_DEPTH)
		return err_set(e, ERR_LIMIT,
		    "the settings file is nested too deep");
	x->open[x->depth++] = x->name;
	return 0;
}

static void
xml_leave(struct xml *x)
{
	x->name = x->open[--x->depth];
	x->attrs = (struct str){ 0 };
}

/* [42]; the position is after "</". */
static int
xml_close_tag(struct xml *x, struct err *e)
{
	struct str name = xml_take_name(x);

	xml_skip_space(x);
	if (xml_here(x) != '>' || x->depth == 0 ||
	    !str_eq(name, x->open[x->depth - 1]))
		return xml_broken(e, "an end tag that matches no start tag");
	x->at++;
	xml_leave(x);
	return 0;
}

/* Up to the next "<"; outside the root there is only space. */
static int
xml_take_text(struct xml *x, struct err *e)
{
	const char *from = x->in.p + x->at;
	const char *end = memchr(from, '<', x->in.n - x->at);
	size_t n = end != NULL ? (size_t)(end - from) : x->in.n - x->at;

	x->text = (struct str){ from, n };
	x->at += n;
	if (x->depth == 0 && str_trim(x->text).n > 0)
		return xml_broken(e, "text outside the root element");
	return 0;
}

int
xml_next(struct xml *x, enum xml_event *out, struct err *e)
{
	if (x->pending) {
		x->pending = false;
		xml_leave(x);
		*out = XML_CLOSE;
		return 0;
	}
	while (x->at < x->in.n) {
		if (xml_here(x) != '<') {
			if (xml_take_text(x, e) < 0)
				return -1;
			*out = XML_TEXT;
			if (x->depth > 0)
				return 0;
			continue;
		}
		x->at++;
		if (xml_here(x) == '!') {
			if (xml_skip_comment(x, e) < 0)
				return -1;
			continue;
		}
		if (xml_here(x) == '/') {
			x->at++;
			*out = XML_CLOSE;
			return xml_close_tag(x, e);
		}
		*out = XML_OPEN;
		return xml_open_tag(x, e);
	}
	if (x->depth > 0 || !x->rooted)
		return xml_broken(e, "the file ends too early");
	*out = XML_END;
	return 0;
}

struct str
xml_attr(const struct xml *x, struct str name)
{
	/* xml_take_attrs() has checked that it is well-formed. */
	struct xml in = { .in = x->attrs };

	for (;;) {
		struct str found, value;
		const char *close;
		char quote;

		xml_skip_space(&in);
		found = xml_take_name(&in);
		if (found.n == 0)
			return S("");
		xml_skip_space(&in);
		in.at++;
		xml_skip_space(&in);
		quote = xml_here(&in);
		in.at++;
		close = memchr(in.in.p + in.at, quote, in.in.n - in.at);
		value = (struct str){ in.in.p + in.at,
			(size_t)(close - (in.in.p + in.at)) };
		if (str_eq(found, name))
			return value;
		in.at += value.n + 1;
	}
}
