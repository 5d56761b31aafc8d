/*
 * emcli skills filter: a model request in, the same out with the tools of this
 * turn.  The request's own stand first and as they were; not a byte changes
 * but where tools, and for --choice allowed the choice among them, stand.
 */
#include "base/limits.h"
#include "door/skills/internal.h"

const struct arg_spec filter_args[] = {
	SKILLS_ARGS,
	{ "choice", ARG_CHOICE, 0,
	    "show the tools of this turn alone, or all of them always and say "
	    "which are allowed: the list then never changes",
	    .choices = "visible|allowed", .def = "visible" },
	{ 0 },
};

/* A request's tool: its text, and the name it has there. */
struct theirs {
	struct str text, name;
};

static size_t
read_theirs(struct skills_call *c, struct theirs **out)
{
	struct strs texts = { 0 };
	struct str one;
	size_t at = 0;

	while (span_next(c->theirs, &at, &one))
		str_push(c->arena, &texts, one);
	*out = arena_array(c->arena, texts.n, sizeof(**out));
	for (size_t i = 0; i < texts.n; i++)
		(*out)[i] =
		    (struct theirs){ texts.v[i], tools_name(c, texts.v[i]) };
	return texts.n;
}

static bool
is_taken(const struct theirs *v, size_t n, struct str name, struct str text,
    bool *same)
{
	for (size_t i = 0; i < n; i++) {
		if (!str_eq(v[i].name, name))
			continue;
		*same = str_eq(v[i].text, text);
		return true;
	}
	return false;
}

/* Which of theirs is called NAME__dupK: at [K] its place from 1 on, or 0. */
static uint32_t *
find_dups(struct skills_call *c, const struct theirs *v, size_t n,
    struct str name)
{
	uint32_t *at = arena_array(c->arena, n + 1, sizeof(*at)), k;

	for (size_t i = 0; i < n; i++) {
		struct str tool = turn_tool(v[i].name), number;

		if (tool.n == v[i].name.n || !str_eq(tool, name))
			continue;
		number = str_from(v[i].name, name.n + S("__dup").n);
		if (number.p[0] != '0' && str_to_u32(number, (uint32_t)n, &k) &&
		    at[k] == 0)
			at[k] = (uint32_t)i + 1;
	}
	return at;
}

/* Gives it the first of those names that is free; true when that tool is there
 * already, as it would be.  Another name makes its text longer, and no more. */
static bool
rename_ours(struct skills_call *c, struct tool *t, const struct theirs *v,
    size_t n)
{
	const struct str was = t->name, text = t->text;
	const uint32_t *at = find_dups(c, v, n, was);

	for (size_t k = 1;; k++) {
		bool taken = k <= n && at[k] != 0;
		struct str there = taken ? v[at[k] - 1].text : S("");

		t->name = str_fmt(c->arena, "%.*s__dup%zu", STR_ARG(was), k);
		if (taken && there.n != text.n + t->name.n - was.n)
			continue;
		t->text = tools_text(c, t->op, t->name);
		if (!taken || str_eq(there, t->text))
			return taken;
	}
}

/*
 * Our tools that are not there yet.  Where another has the name, ours is
 * NAME__dup1: who calls that means us.
 */
static struct str
missing(struct skills_call *c, struct tools *ours, const struct theirs *v,
    size_t n)
{
	struct buf b;

	buf_init(&b, c->arena, LIMIT_MESSAGE);
	for (size_t i = 0; i < ours->n; i++) {
		struct tool *t = &ours->v[i];
		bool same = false;

		if (is_taken(v, n, t->name, t->text, &same) && !same)
			same = rename_ours(c, t, v, n);
		if (same)
			continue;
		if (b.n > 0)
			buf_char(&b, ',');
		buf_str(&b, t->text);
	}
	return buf_view(&b);
}

static void
put_allowed(struct json *j, enum turn_format f, struct str name)
{
	json_open_object(j, NULL);
	json_put_text(j, "type", "function");
	if (f == TURN_OPENAI) {
		json_open_object(j, "function");
		json_put_str(j, "name", name);
		json_close_object(j);
	} else {
		json_put_str(j, "name", name);
	}
	json_close_object(j);
}

static struct str
text_of(struct skills_call *c, struct str v, const char *key)
{
	struct str raw = { 0 }, s = { 0 };

	if (span_member(v, key, &raw))
		(void)span_text(c->arena, raw, &s);
	return s;
}

/* Theirs are all allowed; what is no function goes by its type. */
static void
put_their_choice(struct skills_call *c, struct json *j, const struct theirs *v,
    size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct str type = text_of(c, v[i].text, "type");
		struct str label = text_of(c, v[i].text, "server_label");

		if (str_eq(type, S("function"))) {
			put_allowed(j, c->format, v[i].name);
			continue;
		}
		json_open_object(j, NULL);
		json_put_str(j, "type", type);
		if (label.n > 0)
			json_put_str(j, "server_label", label);
		json_close_object(j);
	}
}

/* "auto" or "required", as the request says; else its choice is its own. */
static bool
mode_of(struct skills_call *c, struct str *mode)
{
	struct str choice;

	*mode = S("auto");
	if (!span_member(c->request, "tool_choice", &choice) ||
	    span_is_null(choice))
		return true;
	return span_text(c->arena, choice, mode) && !str_eq(*mode, S("none"));
}

static struct str
allowed(struct skills_call *c, const struct tools *ours, const struct theirs *v,
    size_t n, struct str mode)
{
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	json_put_text(j, "type", "allowed_tools");
	if (c->format == TURN_OPENAI)
		json_open_object(j, "allowed_tools");
	json_put_str(j, "mode", mode);
	json_open_array(j, "tools");
	put_their_choice(c, j, v, n);
	for (size_t i = 0; i < ours->n; i++)
		if (ours->v[i].visible)
			put_allowed(j, c->format, ours->v[i].name);
	json_close_array(j);
	if (c->format == TURN_OPENAI)
		json_close_object(j);
	json_close_object(j);
	return json_text(j, c->arena);
}

/* The value in place of the one that is there, or as a new member. */
static struct splice
put_member(struct skills_call *c, const char *key, struct str value)
{
	struct str old;

	if (span_member(c->request, key, &old))
		return (
		    struct splice){ (size_t)(old.p - c->text.p), old.n, value };
	return splice_member(c->text,
	    str_fmt(c->arena, "\"%s\":%.*s", key, STR_ARG(value)), c->arena);
}

static struct splice
put_tools(struct skills_call *c, struct str items)
{
	if (c->theirs.n > 0)
		return splice_append(c->text, c->theirs, items, c->arena);
	return put_member(c, "tools",
	    str_fmt(c->arena, "[%.*s]", STR_ARG(items)));
}

int
filter_run(struct skills_call *c, struct err *e)
{
	return filter_request(c,
	    str_eq(args_text(c->args, "choice"), S("allowed")), e);
}

int
filter_request(struct skills_call *c, bool choose, struct err *e)
{
	struct str items, mode;
	struct theirs *theirs;
	struct splice edit[2];
	struct tools ours;
	size_t n, edits = 0;

	if (choose && c->format == TURN_ANTHROPIC)
		return err_set(e, ERR_USAGE,
		    "--choice allowed: that API cannot say which tools are "
		    "allowed");
	if (tools_make(c, choose, &ours, e) < 0)
		return -1;
	n = read_theirs(c, &theirs);
	items = missing(c, &ours, theirs, n);
	if (items.n > 0)
		edit[edits++] = put_tools(c, items);
	if (choose && ours.n > 0 && mode_of(c, &mode))
		edit[edits++] = put_member(c, "tool_choice",
		    allowed(c, &ours, theirs, n, mode));
	splice_apply(&c->out, c->text, edit, edits);
	return 0;
}
