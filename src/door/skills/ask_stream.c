/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model's answer in pieces.  "Compatible" endpoints differ: some do not
 * number calls, some give every call the same number, some repeat the name in
 * each piece, some do not stream at all.
 */
#include "base/said.h"
#include "door/skills/ask.h"

void
ask_stream_init(struct ask_stream *s, struct ask_answer *out, struct arena *a)
{
	*out = (struct ask_answer){ .a = a };
	buf_init(&out->text, a, LIMIT_ASK_ANSWER);
	*s = (struct ask_stream){ .out = out };
	buf_init(&s->line, a, LIMIT_ASK_ANSWER);
	buf_init(&s->data, a, LIMIT_ASK_ANSWER);
}

static int
no_answer(struct err *e, const char *why)
{
	(void)err_set(e, ERR_NETWORK, "the model's answer is malformed");
	return err_because(e, "%s", why);
}

static int
ask_stream_add_text(struct ask_stream *s, const struct json_value *v,
    struct err *e)
{
	struct str text;

	if (!json_parse_str(v, &text) || text.n == 0)
		return 0;
	buf_str(&s->out->text, text);
	return s->show != NULL ? s->show(text, s->ctx, e) : 0;
}

/* A text, or an array of parts with texts. */
static int
ask_stream_add_content(struct ask_stream *s, const struct json_value *v,
    struct err *e)
{
	const struct json_value *part;

	if (!json_parse_is_array(v))
		return ask_stream_add_text(s, v, e);
	for (size_t i = 0; (part = json_parse_item(v, i)) != NULL; i++)
		if (ask_stream_add_text(s, json_parse_member(part, "text"), e) <
		    0)
			return -1;
	return 0;
}

static struct ask_call *
ask_stream_new_call(struct ask_answer *out)
{
	struct ask_call *c = &out->call[out->calls++];

	buf_init(&c->id, out->a, LIMIT_ASK_EVENT);
	buf_init(&c->name, out->a, LIMIT_ASK_EVENT);
	buf_init(&c->args, out->a, LIMIT_ASK_ANSWER);
	return c;
}

/*
 * The call that a piece belongs to; NULL: a new call begins.  The same number
 * with another id is another call; without a number, an id or a name begins
 * one.
 */
static struct ask_call *
ask_stream_find_call(struct ask_answer *out, const int64_t *index,
    struct str id, struct str name)
{
	struct ask_call *c;

	if (index == NULL && id.n == 0 && name.n > 0)
		return NULL;
	for (size_t i = out->calls; i-- > 0;) {
		c = &out->call[i];
		if (index != NULL && (!c->has_index || c->index != *index))
			continue;
		if (id.n > 0 && !str_eq(buf_view(&c->id), id) &&
		    (index == NULL || c->id.n > 0))
			return NULL;
		return c;
	}
	return NULL;
}

static int
ask_stream_add_call(struct ask_answer *out, const struct json_value *v,
    struct err *e)
{
	const struct json_value *fn = json_parse_member(v, "function");
	struct str id = { 0 }, name = { 0 }, args = { 0 };
	struct ask_call *c;
	int64_t index = 0;
	bool numbered = json_parse_int(json_parse_member(v, "index"), &index);

	(void)json_parse_str(json_parse_member(v, "id"), &id);
	(void)json_parse_str(json_parse_member(fn, "name"), &name);
	(void)json_parse_str(json_parse_member(fn, "arguments"), &args);
	c = ask_stream_find_call(out, numbered ? &index : NULL, id, name);
	if (c == NULL && out->calls == LIMIT_ASK_CALLS)
		return err_set(e, ERR_LIMIT,
		    "the model calls more than %d tools at once",
		    LIMIT_ASK_CALLS);
	if (c == NULL) {
		c = ask_stream_new_call(out);
		c->has_index = numbered;
		c->index = index;
	}
	if (c->id.n == 0)
		buf_str(&c->id, id);
	if (c->name.n == 0)
		buf_str(&c->name, name);
	buf_str(&c->args, args);
	return 0;
}

/* "delta" of a piece, "message" of a whole answer. */
static int
ask_stream_add_message(struct ask_stream *s, const struct json_value *v,
    struct err *e)
{
	const struct json_value *calls = json_parse_member(v, "tool_calls");
	const struct json_value *one;

	if (ask_stream_add_content(s, json_parse_member(v, "content"), e) < 0 ||
	    ask_stream_add_text(s, json_parse_member(v, "refusal"), e) < 0)
		return -1;
	for (size_t i = 0; (one = json_parse_item(calls, i)) != NULL; i++)
		if (ask_stream_add_call(s->out, one, e) < 0)
			return -1;
	return 0;
}

/* Tokens of the answer so far: the last count is valid. */
static void
ask_stream_count(struct ask_answer *out, const struct json_value *usage)
{
	int64_t in = 0, made = 0;

	if (!json_parse_int(json_parse_member(usage, "prompt_tokens"), &in) ||
	    !json_parse_int(json_parse_member(usage, "completion_tokens"),
		&made) ||
	    in < 0 || made < 0 || in > INT32_MAX || made > INT32_MAX)
		return;
	out->counted = true;
	out->tokens_in = in;
	out->tokens_out = made;
}

static int
ask_stream_read_object(struct ask_stream *s, const struct json_value *v,
    struct err *e)
{
	const struct json_value *fault = json_parse_member(v, "error");
	const struct json_value *choice =
	    json_parse_item(json_parse_member(v, "choices"), 0);
	struct str text;

	if (fault != NULL && !json_parse_is_null(fault)) {
		(void)err_set(e, ERR_NETWORK,
		    "the model's server failed during its answer");
		if (json_parse_str(json_parse_member(fault, "message"), &text))
			(void)err_because(e, "%.*s",
			    STR_ARG(said_text(s->out->a, text, SAID_LOOK)));
		return -1;
	}
	ask_stream_count(s->out, json_parse_member(v, "usage"));
	if (ask_stream_add_message(s,
		json_parse_member(choice, s->whole ? "message" : "delta"),
		e) < 0)
		return -1;
	if (json_parse_str(json_parse_member(choice, "finish_reason"), &text))
		s->out->finish = str_dup(s->out->a, text);
	return 0;
}

/* The data of an event, or the whole answer. */
static int
ask_stream_read_data(struct ask_stream *s, struct str data, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	size_t max = s->whole ? LIMIT_ASK_ANSWER : LIMIT_ASK_EVENT;
	struct err why = { 0 };

	if (str_trim(data).n == 0)
		return 0;
	if (str_eq(str_trim(data), S("[DONE]"))) {
		s->done = true;
		return 0;
	}
	if (json_parse_open(data, max, &d, &why) < 0)
		return why.kind == ERR_LIMIT
		    ? err_set(e, ERR_LIMIT, "the model's answer is too long")
		    : no_answer(e, why.say);
	return ask_stream_read_object(s, json_parse_root(d), e);
}

static int
ask_stream_take_line(struct ask_stream *s, struct str line, struct err *e)
{
	int r;

	if (str_ends(line, S("\r")))
		line.n--;
	if (line.n == 0) {
		r = ask_stream_read_data(s, buf_view(&s->data), e);
		buf_reset(&s->data);
		return r;
	}
	/* Comments and the other fields are ignored here. */
	if (!str_starts(line, S("data:")))
		return 0;
	line = str_from(line, 5);
	if (str_starts(line, S(" ")))
		line = str_from(line, 1);
	if (s->data.n > 0)
		buf_char(&s->data, '\n');
	buf_str(&s->data, line);
	return 0;
}

static int
ask_stream_too_long(const struct ask_stream *s, struct err *e)
{
	bool event = s->line.n > LIMIT_ASK_EVENT || s->data.n > LIMIT_ASK_EVENT;

	if (s->line.over || s->data.over || (event && !s->whole))
		return err_set(e, ERR_LIMIT, "the model's answer is too long");
	return 0;
}

/* All complete lines. */
static int
ask_stream_take_lines(struct ask_stream *s, struct str *part, struct err *e)
{
	ptrdiff_t end;

	while (!s->done && (end = str_find(*part, S("\n"))) >= 0) {
		buf_str(&s->line, str_first(*part, (size_t)end));
		*part = str_from(*part, (size_t)end + 1);
		if (ask_stream_too_long(s, e) < 0 ||
		    ask_stream_take_line(s, buf_view(&s->line), e) < 0)
			return -1;
		buf_reset(&s->line);
	}
	return 0;
}

int
ask_stream_take(struct ask_stream *s, struct str part, struct err *e)
{
	if (!s->begun) {
		while (part.n > 0 && str_has_char(S(" \t\r\n"), part.p[0]))
			part = str_from(part, 1);
		s->begun = part.n > 0;
		s->whole = str_starts(part, S("{"));
	}
	if (!s->whole && ask_stream_take_lines(s, &part, e) < 0)
		return -1;
	if (!s->done)
		buf_str(&s->line, part);
	return ask_stream_too_long(s, e);
}

int
ask_stream_end(struct ask_stream *s, struct err *e)
{
	if (s->whole && ask_stream_read_data(s, buf_view(&s->line), e) < 0)
		return -1;
	/*
	 * The line end or the empty line after the last event may be missing.
	 */
	if (!s->whole && !s->done &&
	    (ask_stream_take_line(s, buf_view(&s->line), e) < 0 ||
		ask_stream_take_line(s, S(""), e) < 0))
		return -1;
	if (!s->done && s->out->finish.n == 0) {
		(void)err_set(e, ERR_NETWORK,
		    "the model's answer is incomplete");
		return -1;
	}
	return 0;
}
