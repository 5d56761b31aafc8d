/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli's entry in a JSON file: replaces a member, or adds one after the last.
 */
#include "base/buf.h"
#include "base/json.h"
#include "base/limits.h"
#include "desk/mcp_merge.h"
#include "gate/turn.h"

#define NAME "emcli"

/* Starts a line, indented for `depth`. */
static void
mcp_merge_json_put_line(struct buf *b, size_t depth)
{
	buf_char(b, '\n');
	for (size_t i = 0; i < depth; i++)
		buf_text(b, "  ");
}

struct str
mcp_merge_json_pretty(struct str json, size_t depth, struct arena *a)
{
	bool quoted = false;
	struct buf b;

	buf_init(&b, a, LIMIT_MESSAGE);
	for (size_t i = 0; i < json.n; i++) {
		char c = json.p[i], next = c;

		if (quoted) {
			buf_char(&b, c);
			if (c == '\\')
				buf_char(&b, json.p[++i]);
			quoted = c != '"';
			continue;
		}
		if (i + 1 < json.n)
			next = json.p[i + 1];
		quoted = c == '"';
		if (c == '}' || c == ']')
			mcp_merge_json_put_line(&b, --depth);
		buf_char(&b, c);
		if (c == ':')
			buf_char(&b, ' ');
		if (((c == '{' || c == '[') && next == c + 2)) {
			buf_char(&b, next);
			i++;
		} else if (c == '{' || c == '[') {
			mcp_merge_json_put_line(&b, ++depth);
		} else if (c == ',') {
			mcp_merge_json_put_line(&b, depth);
		}
	}
	return buf_view(&b);
}

/* Replaces `old`, a part of text, by `with`; if old is empty, inserts there. */
static struct str
mcp_merge_json_replace(struct str text, struct str old, struct str with,
    struct arena *a)
{
	size_t at = (size_t)(old.p - text.p);
	struct buf b;

	buf_init(&b, a, LIMIT_MESSAGE);
	buf_add(&b, text.p, at);
	buf_str(&b, with);
	buf_str(&b, str_from(text, at + old.n));
	return buf_view(&b);
}

/* Adds the last member of `object`, which is `depth` deep in the text. */
static struct str
mcp_merge_json_append(struct str text, struct str object, size_t depth,
    const char *name, struct str value, struct arena *a)
{
	struct str inside = { object.p + 1, object.n - 2 };
	struct str members = str_trim(inside), between;
	struct buf b;

	buf_init(&b, a, LIMIT_MESSAGE);
	if (members.n > 0)
		buf_char(&b, ',');
	mcp_merge_json_put_line(&b, depth + 1);
	buf_fmt(&b, "\"%s\": %.*s", name, STR_ARG(value));
	if (members.n == 0)
		mcp_merge_json_put_line(&b, depth);
	/* The text between the last member and the brace stays there. */
	between =
	    members.n > 0 ? (struct str){ members.p + members.n, 0 } : inside;
	return mcp_merge_json_replace(text, between, buf_view(&b), a);
}

/* Is it readable, and by every reader in the same way? */
static int
mcp_merge_json_check(struct str text, struct err *e)
{
	struct json_doc *doc = NULL;
	int r = json_parse_open(text, LIMIT_MESSAGE, &doc, e);

	json_parse_close(&doc);
	if (r < 0 || span_check(text, e) < 0) {
		(void)err_set(e, ERR_USAGE,
		    "the file is not plain JSON (comments?): put it in by "
		    "hand");
		return -1;
	}
	return 0;
}

/* The entry in the objects around it that the file lacks, by their names. */
static struct str
mcp_merge_json_wrap(struct str names, struct str entry, struct arena *a)
{
	size_t braces = 0;
	struct str name;
	struct buf b;

	buf_init(&b, a, LIMIT_MESSAGE);
	for (; names.n > 0; braces++) {
		(void)str_cut(names, '.', &name, &names);
		buf_fmt(&b, "{\"%.*s\":", STR_ARG(name));
	}
	buf_str(&b, entry);
	while (braces-- > 0)
		buf_char(&b, '}');
	return buf_view(&b);
}

int
mcp_merge_json(struct str text, const char *section, struct str entry,
    struct arena *a, struct str *out, struct err *e)
{
	struct str path = str_fmt(a, "%s." NAME, section), object, member;
	struct str name, inner;
	size_t depth = 0;

	if (str_trim(text).n == 0)
		text = S("{}\n");
	if (mcp_merge_json_check(text, e) < 0)
		return -1;
	object = span_root(text);
	while (str_cut(path, '.', &name, &inner) &&
	    span_member(object, str_c(a, name), &member)) {
		if (!span_is_object(member))
			return err_set(e, ERR_USAGE,
			    "what the file has for \"%.*s\" is no object",
			    STR_ARG(name));
		object = member;
		path = inner;
		depth++;
	}
	entry = mcp_merge_json_wrap(inner, entry, a);
	entry = mcp_merge_json_pretty(entry, depth + 1, a);
	*out = span_member(object, str_c(a, name), &member)
	    ? mcp_merge_json_replace(text, member, entry, a)
	    : mcp_merge_json_append(text, object, depth, str_c(a, name), entry,
		  a);
	return 0;
}
