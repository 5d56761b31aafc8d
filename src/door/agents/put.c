/* SPDX-License-Identifier: Apache-2.0 */
/* The answer in upstream's envelope, or as text for a person. */
#include "base/limits.h"
#include "door/agents/internal.h"
#include "door/envelope.h"
#include "door/out.h"

const struct field agents_put_fields[] = {
	{ "schema_version", FIELD_INT, .help = "1" },
	{ "operation", FIELD_TEXT, .help = "the verb" },
	{ "authoritative", FIELD_BOOL,
	    .help = "did the mailbox confirm it? false: only text was typed "
		    "into the agent's terminal" },
	{ "status", FIELD_TEXT,
	    .help = "verified; or submitted, rejected, busy, interrupted, "
		    "tui_error" },
	{ "execution_path", FIELD_TEXT,
	    .help = "gateway_backed, manager_direct or tui_submission" },
	{ 0 },
};

bool
agents_put_is_json(const struct args *given, const char *style, bool tty)
{
	struct str s = str_of(style);

	if (args_has(given, "print_json"))
		return true;
	if (args_has(given, "print_plain"))
		return false;
	if (str_eq(s, S("json")))
		return true;
	return !tty && s.n == 0;
}

/* Members that the envelope has itself, or that upstream does not know. */
static bool
put_is_left_out(const struct agents_call *c, struct str key)
{
	static const struct str own[] = { SI("schema_version"),
		SI("operation") };
	static const struct str ours[] = { SI("warnings"),
		SI("warning_counts") };

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (str_eq(key, own[i]))
			return true;
	if (args_find(&c->given, S("extensions")) != NULL &&
	    args_has(&c->given, "extensions"))
		return false;
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (str_eq(key, ours[i]))
			return true;
	return false;
}

struct str
agents_put_envelope(const struct agents_call *c, const struct agents_answer *x)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct json *j = json_new(c->a);
	const struct json_value *v;
	struct str key = { 0 };
	struct err e = { 0 };

	if (x->typed)
		return x->model;
	if (json_parse_open(x->model, LIMIT_MESSAGE, &d, &e) < 0)
		err_bug("an answer that is no object: %s", e.say);
	json_open_object(j, NULL);
	json_put_int(j, "schema_version", 1);
	json_put_text(j, "operation", c->verb->name);
	json_put_bool(j, "authoritative", true);
	json_put_text(j, "status", "verified");
	json_put_text(j, "execution_path", x->path);
	while ((v = json_parse_next(json_parse_root(d), &key)) != NULL)
		if (!put_is_left_out(c, key))
			json_copy_put(j, str_c(c->a, key), v);
	json_close_object(j);
	return json_text(j, c->a);
}

/* -- for a person ---------------------------------------------------------- */

/* The message in an answer about one, or the whole answer. */
static struct str
put_subject(const struct agents_call *c, const struct json_value *model,
    struct str text)
{
	const struct json_value *m = json_parse_member(model, "message");
	struct json *j = json_new(c->a);

	if (m == NULL || c->op == NULL || c->op->body == NULL)
		return text;
	json_copy_put(j, NULL, m);
	return json_text(j, c->a);
}

static void
put_pair(struct buf *b, const char *above, struct str name,
    const struct json_value *v)
{
	struct str s = { 0 };
	int64_t n;
	bool on;

	if (json_parse_bool(v, &on))
		s = on ? S("yes") : S("no");
	else if (json_parse_int(v, &n))
		s = str_fmt(b->a, "%lld", (long long)n);
	else if (!json_parse_str(v, &s))
		return;
	buf_fmt(b, "%s%s%.*s: %.*s\n", above, above[0] != '\0' ? "." : "",
	    STR_ARG(name), STR_ARG(out_line(b->a, s)));
}

/* Two levels: that is all there is to read in them. */
static void
put_pairs(struct buf *b, const struct json_value *model)
{
	const struct json_value *v, *w;
	struct str key = { 0 };

	while ((v = json_parse_next(model, &key)) != NULL) {
		struct str sub = { 0 };

		put_pair(b, "", key, v);
		while ((w = json_parse_next(v, &sub)) != NULL)
			put_pair(b, str_c(b->a, key), sub, w);
	}
}

static int
put_text(const struct agents_call *c, const struct agents_answer *x,
    agents_show *show, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct buf b;

	buf_init(&b, c->a, LIMIT_MESSAGE);
	if (json_parse_open(x->model, LIMIT_MESSAGE, &d, e) < 0)
		return -1;
	if (x->typed || c->op == NULL ||
	    (c->op->columns == NULL && c->op->body == NULL))
		put_pairs(&b, json_parse_root(d));
	else if (show(&b, c->op, put_subject(c, json_parse_root(d), x->model),
		     false, e) < 0)
		return -1;
	return out_done(&b);
}

int
agents_put_answer(const struct agents_call *c, const struct agents_answer *x,
    agents_show *show)
{
	struct err e = { 0 };
	int r;

	if (c->json)
		return out_write_line(STDOUT_FILENO,
			   c->op == NULL ? x->model
					 : agents_put_envelope(c, x)) == 0
		    ? 0
		    : out_unwritten(0);
	r = put_text(c, x, show, &e);
	if (r >= 0)
		return r;
	return agents_put_error(c, x, &e);
}

int
agents_put_error(const struct agents_call *c, const struct agents_answer *x,
    struct err *e)
{
	struct reply r = { .detail = x->detail, .full = x->full };

	e->reason = agents_code_of(e);
	if (!c->json) {
		e->detail[0] = '\0';
		out_complain(e, false);
		return out_status(e);
	}
	r.err = *e;
	if (json_write(envelope_make(c->a, &r), STDOUT_FILENO) < 0 ||
	    out_write(STDOUT_FILENO, S("\n")) < 0)
		return out_unwritten(out_status(e));
	return out_status(e);
}
