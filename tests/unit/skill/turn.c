/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns, told once and read in three wire formats.  A transcript is words:
 *   u  a person speaks           S  a user message of the harness
 *   a  the assistant speaks      s  the system does
 *   L1 load_skill, id c1         D1 load_skill__dup2
 *   X1 unload_skill              T1 some other tool
 *   r1 "loaded", with a mark     b1 the same as a block of text
 *   k1 "already_active"          n1 flat, without an envelope
 *   f1 "loaded" without a mark   e1 a refusal
 *   x1 "unloaded"                o1 other text
 *   R1 a result with a reminder of the harness's beside it
 * "+" puts calls into one step; odd ids are of mail-read, even of mail-send.
 */
#include "../rows.h"

#include "skill/turn.h"

static const struct row {
	const char *why, *script;
	enum turn_why found;
	const char *loads, *pending;
} rows[] = {
	{ "nothing was loaded", "u a", TURN_FOUND, "", "" },
	{ "nobody spoke", "s a", TURN_NO_USER, "", "" },
	{ "loaded in this turn", "u L1 r1", TURN_FOUND, "mail-read:c1", "" },
	{ "hidden in the next", "u L1 r1 a u", TURN_FOUND, "", "" },
	{ "two skills, in order", "u L2 r2 L1 r1", TURN_FOUND,
	    "mail-send:c2 mail-read:c1", "" },
	{ "one step, two loads", "u L1+L2 r2 r1", TURN_FOUND,
	    "mail-read:c1 mail-send:c2", "" },
	{ "the mark is of the one that was called", "u L1 r1 T3 o3", TURN_FOUND,
	    "mail-read:c1", "" },
	{ "load and call at once", "u L1+T3", TURN_FOUND, "", "c1 c3" },
	{ "the load is answered, the call waits", "u L1+T3 r1", TURN_FOUND,
	    "mail-read:c1", "c3" },
	{ "a note of the harness ends nothing", "u L1 r1 S T3 o3 S", TURN_FOUND,
	    "mail-read:c1", "" },
	{ "notes alone are nobody", "S a S", TURN_NO_USER, "", "" },
	{ "after a summary, which is a note, nothing is left of the turn",
	    "S L1 r1", TURN_NO_USER, "", "" },
	{ "a summary nobody named begins a turn", "u L1 r1 u", TURN_FOUND, "",
	    "" },
	{ "a reminder beside a result goes on", "u L1 R1 T3 R3", TURN_FOUND,
	    "mail-read:c1", "" },
	{ "the system is no user", "u L1 r1 s", TURN_FOUND, "mail-read:c1",
	    "" },
	{ "resumed: the assistant goes on", "u L1 r1 a a", TURN_FOUND,
	    "mail-read:c1", "" },
	{ "renamed, for another was there", "u D1 r1", TURN_FOUND,
	    "mail-read:c1", "" },
	{ "a result in a block", "u L1 b1", TURN_FOUND, "mail-read:c1", "" },
	{ "loaded again", "u L1 r1 L3 k3", TURN_FOUND,
	    "mail-read:c1 mail-read:c3", "" },
	{ "without an envelope", "u L1 n1", TURN_FOUND, "mail-read:c1", "" },
	{ "a text without a mark is no load", "u L1 f1", TURN_FOUND, "", "" },
	{ "a refusal is no load", "u L1 e1", TURN_FOUND, "", "" },
	{ "mail holding a perfect result", "u T1 r1", TURN_FOUND, "", "" },
	{ "a result nobody called for", "u r1", TURN_FOUND, "", "" },
	{ "a result before its call", "u r1 L1", TURN_FOUND, "", "c1" },
	{ "the call is in the turn before", "u L1 u r1", TURN_FOUND, "", "" },
	{ "a second result of one call", "u L1 e1 r1", TURN_FOUND, "", "" },
	{ "two wait under one id: neither can be told", "u L1+T1 r1",
	    TURN_FOUND, "", "c1" },
	{ "the same, and the load is the last", "u T1+L1 r1", TURN_FOUND, "",
	    "c1" },
	{ "an id that comes again, answered between", "u L1 r1 T1 o1",
	    TURN_FOUND, "mail-read:c1", "" },
	{ "unloaded", "u L1 r1 L2 r2 X3 x3", TURN_FOUND, "mail-send:c2", "" },
	{ "unloaded and loaded again", "u L1 r1 X3 x3 L5 r5", TURN_FOUND,
	    "mail-read:c5", "" },
	{ "an older step's call is left alone", "u T1 o1 T2", TURN_FOUND, "",
	    "c2" },
	{ "a call of the turn before does not wait", "u T1 u", TURN_FOUND, "",
	    "" },
};

#define ENVELOPE(inner)                                                        \
	"{\\\"error\\\":false,\\\"error_detail\\\":{},\\\"data\\\":" inner "}"
#define LOADED(status, mark)                                                   \
	"{\\\"status\\\":\\\"" status "\\\",\\\"skill\\\":\\\"%s\\\"" mark "}"
#define MARK ",\\\"mark\\\":\\\"m\\\""

static const char *
result_text(char what)
{
	switch (what) {
	case 'f':
		return ENVELOPE(LOADED("loaded", ""));
	case 'k':
		return ENVELOPE(LOADED("already_active", MARK));
	case 'x':
		return ENVELOPE(LOADED("unloaded", MARK));
	case 'n':
		return LOADED("loaded", MARK);
	case 'e':
		return "{\\\"error\\\":true,\\\"data\\\":{}}";
	case 'o':
		return "[]";
	default:
		return ENVELOPE(LOADED("loaded", MARK));
	}
}

static const char *
tool(char what)
{
	return what == 'L' ? "load_skill"
	    : what == 'D'  ? "load_skill__dup2"
	    : what == 'X'  ? "unload_skill"
			   : "get";
}

static void
put_call(struct buf *b, enum turn_format f, char what, char id)
{
	static const char *const head[] = {
		"{\"type\":\"function\",\"id\":\"c",
		"{\"type\":\"function_call\",\"call_id\":\"c",
		"{\"type\":\"tool_use\",\"id\":\"c",
	};
	static const char *const tail[] = {
		"\",\"arguments\":\"{}\"}}",
		"\",\"arguments\":\"{}\"}",
		"\",\"input\":{}}",
	};

	buf_fmt(b, "%s%c\",%s\"name\":\"%s%s", head[f], id,
	    f == TURN_OPENAI ? "\"function\":{" : "", tool(what), tail[f]);
}

/* The text with the skill in place of its "%s". */
static void
put_text(struct buf *b, char what, const char *skill)
{
	struct str text = str_of(result_text(what));
	ptrdiff_t at = str_find(text, S("%s"));

	if (at < 0) {
		buf_str(b, text);
		return;
	}
	buf_str(b, str_first(text, (size_t)at));
	buf_text(b, skill);
	buf_str(b, str_from(text, (size_t)at + 2));
}

static void
put_result(struct buf *b, enum turn_format f, char what, char id)
{
	static const char *const open[] = {
		"{\"role\":\"tool\",\"tool_call_id\":\"c",
		"{\"type\":\"function_call_output\",\"call_id\":\"c",
		"{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\","
		"\"tool_use_id\":\"c",
	};
	bool block = what == 'b';

	buf_fmt(b, "%s%c\",\"%s\":%s\"", open[f], id,
	    f == TURN_RESPONSES ? "output" : "content",
	    block ? "[{\"type\":\"text\",\"text\":" : "");
	put_text(b, what, id % 2 ? "mail-read" : "mail-send");
	buf_text(b, block ? "\"}]}" : "\"}");
	if (f == TURN_ANTHROPIC)
		buf_text(b,
		    what == 'R' ? ",{\"type\":\"text\",\"text\":\"go on\"}]}"
				: "]}");
}

static void
put_step(struct buf *b, enum turn_format f, const char *w, size_t n)
{
	static const char *const open[] = {
		"{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[",
		"",
		"{\"role\":\"assistant\",\"content\":[",
	};
	static const char *const close[] = { "]}", "", "]}" };

	buf_text(b, open[f]);
	for (size_t i = 0; i + 1 < n; i += 3) {
		if (i > 0)
			buf_char(b, ',');
		put_call(b, f, w[i], w[i + 1]);
	}
	buf_text(b, close[f]);
}

static void
put_word(struct buf *b, enum turn_format f, struct str w)
{
	if (str_eq(w, S("u")))
		buf_text(b, "{\"role\":\"user\",\"content\":\"hello\"}");
	else if (str_eq(w, S("S")))
		buf_text(b,
		    "{\"role\":\"user\",\"content\":[{\"type\":"
		    "\"text\",\"text\":\" <note> x\"}]}");
	else if (str_eq(w, S("a")))
		buf_text(b, "{\"role\":\"assistant\",\"content\":\"yes\"}");
	else if (str_eq(w, S("s")))
		buf_text(b, "{\"role\":\"system\",\"content\":\"be good\"}");
	else if (memchr("LDXT", w.p[0], 4) != NULL)
		put_step(b, f, w.p, w.n);
	else
		put_result(b, f, w.p[0], w.p[1]);
}

static struct str
transcript(struct arena *a, enum turn_format f, const char *script)
{
	struct str rest = str_of(script), w;
	bool more = true;
	struct buf b;

	buf_init(&b, a, 1 << 20);
	buf_fmt(&b, "{\"%s\":[", f == TURN_RESPONSES ? "input" : "messages");
	while (more) {
		more = str_cut(rest, ' ', &w, &rest);
		if (b.p[b.n - 1] != '[')
			buf_char(&b, ',');
		put_word(&b, f, w);
	}
	buf_text(&b, "]}");
	return buf_view(&b);
}

/* Reads it; the texts in *out are the arena's or the transcript's. */
static int
read_it(struct arena *a, struct str text, enum turn_format f,
    const struct turn_opts *o, struct turn *out)
{
	struct err e = { 0 };

	if (span_check(text, &e) < 0)
		fail_msg("%s: %.*s", e.say, STR_ARG(text));
	return turn_read(a, text, f, o, out, &e);
}

static void
in_format(const struct row *r, enum turn_format f)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct turn_opts o = { 0 };
	struct turn t;
	struct buf b;

	str_push(a, &o.prefixes, S("<note>"));
	assert_int_equal(read_it(a, transcript(a, f, r->script), f, &o, &t), 0);
	assert_int_equal(t.why, r->found);
	assert_int_equal(t.input.n > 0, t.why == TURN_FOUND);
	buf_init(&b, a, 1000);
	for (size_t i = 0; i < t.loads; i++)
		buf_fmt(&b, "%s%.*s:%.*s", i > 0 ? " " : "",
		    STR_ARG(t.load[i].skill), STR_ARG(t.load[i].call));
	rows_same(buf_view(&b), str_of(r->loads));
	buf_reset(&b);
	for (size_t i = 0; i < t.calls; i++)
		buf_fmt(&b, "%s%.*s", i > 0 ? " " : "", STR_ARG(t.call[i].id));
	rows_same(buf_view(&b), str_of(r->pending));
}

static void
row(void **state)
{
	for (int f = 0; f < TURN_FORMATS; f++)
		in_format(*state, (enum turn_format)f);
}

/* Complete requests, for features of only one format. */
static const struct raw {
	const char *why;
	enum turn_format format;
	const char *text;
	bool good;
	enum turn_why found;
	size_t boundary, loads;
} raws[] = {
	{ "a plain text is a person's", TURN_RESPONSES, "{\"input\":\"hello\"}",
	    true, TURN_FOUND, 0, 0 },
	{ "a difference without a person", TURN_RESPONSES,
	    "{\"previous_response_id\":\"r1\",\"input\":[{\"type\":"
	    "\"function_call_output\",\"call_id\":\"c1\",\"output\":\"{"
	    "\\\"status\\\":\\\"loaded\\\",\\\"skill\\\":\\\"mail\\\","
	    "\\\"mark\\\":\\\"m\\\"}\"}]}",
	    true, TURN_DELTA, 0, 0 },
	{ "a conversation kept elsewhere", TURN_RESPONSES,
	    "{\"conversation\":{\"id\":\"x\"},\"input\":[{\"type\":"
	    "\"function_call_output\",\"call_id\":\"c1\",\"output\":\"\"}]}",
	    true, TURN_DELTA, 0, 0 },
	{ "a difference in which a person speaks", TURN_RESPONSES,
	    "{\"previous_response_id\":\"r1\",\"input\":[{\"role\":\"user\","
	    "\"content\":\"hello\"}]}",
	    true, TURN_FOUND, 0, 0 },
	{ "a developer is no user", TURN_OPENAI,
	    "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"},{\"role\":"
	    "\"developer\",\"content\":\"y\"}]}",
	    true, TURN_FOUND, 0, 0 },
	{ "a name that is the harness's", TURN_OPENAI,
	    "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"},{\"role\":"
	    "\"user\",\"name\":\"env\",\"content\":\"y\"}]}",
	    true, TURN_FOUND, 0, 0 },
	{ "a person's words beside the harness's", TURN_ANTHROPIC,
	    "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"},{\"role\":"
	    "\"user\",\"content\":[{\"type\":\"text\",\"text\":\"<note>\"},"
	    "{\"type\":\"text\",\"text\":\"go\"}]}]}",
	    true, TURN_FOUND, 1, 0 },
	{ "an image without words is a person's", TURN_ANTHROPIC,
	    "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"},{\"role\":"
	    "\"user\",\"content\":[{\"type\":\"image\"}]}]}",
	    true, TURN_FOUND, 1, 0 },
	{ "no messages", TURN_OPENAI, "{\"model\":\"m\"}", false, 0, 0, 0 },
	{ "an empty list", TURN_OPENAI, "{\"messages\":[]}", false, 0, 0, 0 },
	{ "messages that are none", TURN_ANTHROPIC, "{\"messages\":{\"a\":1}}",
	    false, 0, 0, 0 },
	{ "another format's", TURN_RESPONSES, "{\"messages\":[1]}", false, 0, 0,
	    0 },
	{ "items that are no objects", TURN_OPENAI,
	    "{\"messages\":[1,null,\"x\",[],{\"role\":7},{\"role\":"
	    "\"assistant\",\"tool_calls\":{\"a\":1}},{\"role\":"
	    "\"assistant\",\"tool_calls\":[3,{\"id\":4}]}]}",
	    true, TURN_NO_USER, 0, 0 },
};

static void
raw(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	const struct raw *r = *state;
	struct turn_opts o = { 0 };
	struct turn t = { 0 };

	str_push(a, &o.prefixes, S("<note>"));
	str_push(a, &o.names, S("env"));
	assert_int_equal(read_it(a, str_of(r->text), r->format, &o, &t),
	    r->good ? 0 : -1);
	assert_int_equal(t.why, r->found);
	assert_int_equal(t.boundary, r->boundary);
	assert_int_equal(t.loads, r->loads);
}

/* The harness's name of the turn is used if no user message is found. */
static void
named(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct turn_opts o = { .id = S("t7") };

	(void)state;
	for (int f = 0; f < TURN_FORMATS; f++) {
		struct turn t;

		assert_int_equal(read_it(a,
				     transcript(a, (enum turn_format)f,
					 "L1 r1"),
				     (enum turn_format)f, &o, &t),
		    0);
		assert_int_equal(t.why, TURN_NAMED);
		assert_int_equal(t.loads, 1);
		rows_same(t.input, S("named t7"));
	}
}

/* A turn token depends on the message and its position, and nothing else. */
static void
token_input(void **state)
{
	static const char *const same[] = {
		"{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}",
		" {\"x\":1, \"messages\": [ {\"content\": \"hi\", \"role\": "
		"\"user\"}, {\"role\":\"assistant\"}]}",
		"{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":"
		"\"text\",\"text\":\"hi\",\"cache_control\":{}}]}]}",
	};
	static const char *const other[] = {
		"{\"messages\":[{\"role\":\"user\",\"content\":\"ho\"}]}",
		"{\"messages\":[1,{\"role\":\"user\",\"content\":\"hi\"}]}",
		"{\"messages\":[{\"role\":\"user\",\"content\":[{\"text\":"
		"\"h\"},{\"text\":\"i\"}]}]}",
	};
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct turn_opts o = { 0 };
	struct str want = { 0 };

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		struct turn t;

		assert_int_equal(read_it(a,
				     str_of(i < 3 ? same[i] : other[i - 3]),
				     TURN_ANTHROPIC, &o, &t),
		    0);
		if (i == 0)
			want = t.input;
		assert_int_equal(str_eq(t.input, want), i < 3);
	}
}

static const struct name {
	const char *why, *name, *tool;
} names[] = {
	{ "as it is", "load_skill", "load_skill" },
	{ "a copy", "load_skill__dup1", "load_skill" },
	{ "a later copy", "load_skill__dup12", "load_skill" },
	{ "no number", "load_skill__dup", "load_skill__dup" },
	{ "something behind it", "load_skill__dup1x", "load_skill__dup1x" },
	{ "one underscore", "load_skill_dup1", "load_skill_dup1" },
	{ "nothing else", "__dup1", "" },
};

static void
name(void **state)
{
	const struct name *n = *state;

	rows_same(turn_tool(str_of(n->name)), str_of(n->tool));
}

/* 20,000 calls with one id, and 20,000 loads: fast, and nothing is active. */
static void
crowd(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(256 << 20);
	struct turn_opts o = { 0 };
	struct err e = { 0 };
	struct turn t;
	struct buf b;

	(void)state;
	buf_init(&b, a, 64 << 20);
	buf_text(&b, "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}");
	for (int i = 0; i < 20000; i++) {
		buf_char(&b, ',');
		put_word(&b, TURN_OPENAI, S("L1+L1"));
		buf_char(&b, ',');
		put_word(&b, TURN_OPENAI, S("r1"));
	}
	buf_text(&b, "]}");
	assert_int_equal(span_check(buf_view(&b), &e), 0);
	assert_int_equal(turn_read(a, buf_view(&b), TURN_OPENAI, &o, &t, &e),
	    0);
	assert_int_equal(t.loads, 0);
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(raws, raw);
	ROWS(names, name);
	rows_add("named by the harness", named, NULL);
	rows_add("what a turn token is made over", token_input, NULL);
	rows_add("a crowd under one id", crowd, NULL);
	return cmocka_run_group_tests_name("turn", rows_tests, NULL, NULL);
}
