/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tools that a model may choose from, in the two formats that have this
 * (allowed_tools).  A choice that names none of our tools is not changed.
 */
#include "door/skills/internal.h"

/* An existing choice: its mode, and its tools. */
struct choice {
	struct str mode, tools;
	bool ours; /* it names one of our tools, so emcli updates it */
};

static struct str
filter_choice_member_text(struct skills_call *c, struct str v, const char *key)
{
	struct str raw = { 0 }, s = { 0 };

	if (span_member(v, key, &raw))
		(void)span_text(c->arena, raw, &s);
	return s;
}

/* The name of an element of the choice. */
static struct str
chosen_name(struct skills_call *c, struct str one)
{
	if (c->format == TURN_OPENAI && !span_member(one, "function", &one))
		return S("");
	return filter_choice_member_text(c, one, "name");
}

/* Is our tool of that name in the request? */
static bool
filter_choice_is_name_ours(const struct filter_tools *there, struct str name)
{
	for (size_t i = 0; name.n > 0 && i < there->n; i++)
		if (there->v[i].op != NULL && str_eq(there->v[i].name, name))
			return true;
	return false;
}

/* False: the request chooses in another way. */
static bool
read_choice(struct skills_call *c, const struct filter_tools *there,
    bool choose, struct choice *out)
{
	struct str v, one;
	size_t at = 0;

	*out = (struct choice){ .mode = S("auto") };
	if (!span_member(c->request, "tool_choice", &v) || span_is_null(v))
		return choose;
	if (span_text(c->arena, v, &out->mode))
		return choose && !str_eq(out->mode, S("none"));
	if (!str_eq(filter_choice_member_text(c, v, "type"),
		S("allowed_tools")) ||
	    (c->format == TURN_OPENAI &&
		!span_member(v, "allowed_tools", &v)) ||
	    !span_member(v, "tools", &out->tools))
		return false;
	out->mode = filter_choice_member_text(c, v, "mode");
	while (span_next(out->tools, &at, &one))
		out->ours = out->ours ||
		    filter_choice_is_name_ours(there, chosen_name(c, one));
	return out->ours;
}

static void
filter_choice_put_allowed(struct json *j, enum turn_format f, struct str name)
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

/* All other tools are allowed; one that is no function goes by its type. */
static void
filter_choice_put_theirs(struct skills_call *c, struct json *j,
    const struct filter_tools *there)
{
	for (size_t i = 0; i < there->n; i++) {
		const struct filter_tool *t = &there->v[i];
		struct str type = filter_choice_member_text(c, t->text, "type");
		struct str label =
		    filter_choice_member_text(c, t->text, "server_label");

		if (t->op != NULL)
			continue;
		if (str_eq(type, S("function"))) {
			filter_choice_put_allowed(j, c->format, t->name);
			continue;
		}
		json_open_object(j, NULL);
		json_put_str(j, "type", type);
		if (label.n > 0)
			json_put_str(j, "server_label", label);
		json_close_object(j);
	}
}

static struct str
filter_choice_allowed(struct skills_call *c, const struct filter_tools *there,
    const struct tools *ours, struct str mode)
{
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	json_put_text(j, "type", "allowed_tools");
	if (c->format == TURN_OPENAI)
		json_open_object(j, "allowed_tools");
	json_put_str(j, "mode", mode);
	json_open_array(j, "tools");
	filter_choice_put_theirs(c, j, there);
	for (size_t i = 0; i < ours->n; i++)
		if (ours->v[i].visible)
			filter_choice_put_allowed(j, c->format,
			    ours->v[i].name);
	json_close_array(j);
	if (c->format == TURN_OPENAI)
		json_close_object(j);
	json_close_object(j);
	return json_text(j, c->arena);
}

/* The same names in the same order: no change is needed. */
static bool
is_same_choice(struct skills_call *c, struct str old, struct str value)
{
	struct str inner = value, one, other;
	size_t at = 0, to = 0;
	bool more;

	if (c->format == TURN_OPENAI)
		(void)span_member(value, "allowed_tools", &inner);
	(void)span_member(inner, "tools", &inner);
	while (
	    (more = span_next(old, &at, &one)) && span_next(inner, &to, &other))
		if (!str_eq(chosen_name(c, one), chosen_name(c, other)))
			return false;
	return !more && !span_next(inner, &to, &other);
}

bool
filter_choice_put(struct skills_call *c, const struct filter_tools *there,
    const struct tools *ours, bool choose, struct splice *out)
{
	struct choice is;
	struct str value, old;

	if (ours->n == 0 || !read_choice(c, there, choose, &is))
		return false;
	value = filter_choice_allowed(c, there, ours, is.mode);
	if (is.ours && is_same_choice(c, is.tools, value))
		return false;
	if (span_member(c->request, "tool_choice", &old))
		*out = (struct splice){ (size_t)(old.p - c->text.p), old.n,
			value };
	else
		*out = splice_member(c->text,
		    str_fmt(c->arena, "\"tool_choice\":%.*s", STR_ARG(value)),
		    c->arena);
	return true;
}
