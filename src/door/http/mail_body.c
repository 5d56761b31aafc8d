/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request's body against the table of its operation.  Types are strict, as
 * upstream's models have them: a number is no text and a text no number.  null
 * is an optional member that was left out.
 */
#include "door/http/gateway.h"

#include "base/limits.h"

#define FILES "attachments"
#define LABELS "attachment_labels"

/* What is not the caller's to say, or has another form in a body. */
static bool
http_mail_body_is_member(const struct arg *arg, struct str key)
{
	return arg != NULL && !str_eq(key, S("account")) &&
	    !str_eq(key, S(LABELS)) && !str_has_char(key, '-');
}

static int
http_mail_body_wrong(struct err *e, struct str key, const char *what)
{
	return err_set(e, ERR_USAGE, "%.*s is not %s", STR_ARG(key), what);
}

static int
http_mail_body_text(const struct json_value *v, struct str key,
    struct args *args, struct arg *arg, struct arena *a, struct err *e)
{
	size_t max = args_max(arg->spec);
	struct str s;

	if (!json_parse_str(v, &s))
		return http_mail_body_wrong(e, key, "a string");
	if (arg->spec->type == ARG_LONG_TEXT && s.n > max)
		return err_set(e, ERR_LIMIT,
		    "%.*s is too long: at most %zu bytes", STR_ARG(key), max);
	if (str_trim(s).n == 0 && !(arg->spec->flags & ARG_EMPTY))
		return err_set(e, ERR_USAGE, "%.*s is blank", STR_ARG(key));
	return args_add(args, a, arg, str_dup(a, s), e);
}

static int
http_mail_body_bool(const struct json_value *v, struct str key,
    struct args *args, struct arg *arg, struct arena *a, struct err *e)
{
	bool yes;

	if (!json_parse_bool(v, &yes))
		return http_mail_body_wrong(e, key, "true or false");
	/* A flag that is not set is not there. */
	if (arg->spec->type == ARG_FLAG && !yes)
		return 0;
	return args_add(args, a, arg, yes ? S("true") : S("false"), e);
}

static int
http_mail_body_number(const struct json_value *v, struct str key,
    struct args *args, struct arg *arg, struct arena *a, struct err *e)
{
	int64_t n;

	if (!json_parse_int(v, &n))
		return http_mail_body_wrong(e, key, "a whole number");
	return args_add(args, a, arg, str_fmt(a, "%lld", (long long)n), e);
}

static bool
http_mail_body_is_bool(const struct arg_spec *s)
{
	return s->type == ARG_FLAG ||
	    (s->type == ARG_CHOICE &&
		str_starts(str_of(s->choices), S("true")));
}

static int
http_mail_body_one(const struct json_value *v, struct str key,
    struct args *args, struct arg *arg, struct arena *a, struct err *e)
{
	if (http_mail_body_is_bool(arg->spec))
		return http_mail_body_bool(v, key, args, arg, a, e);
	if (args_is_number(arg->spec))
		return http_mail_body_number(v, key, args, arg, a, e);
	return http_mail_body_text(v, key, args, arg, a, e);
}

/* {"path":"...","label":"..."} */
static int
http_mail_body_file(const struct json_value *v, struct args *args,
    struct arg *paths, struct arg *labels, struct arena *a, struct err *e)
{
	const struct json_value *one;
	struct str key = { 0 }, path = { 0 }, label = { 0 };

	if (!json_parse_is_object(v))
		return http_mail_body_wrong(e, S(FILES), "a list of objects");
	while ((one = json_parse_next(v, &key)) != NULL) {
		if (str_eq(key, S("path"))) {
			if (!json_parse_str(one, &path))
				return http_mail_body_wrong(e, S(FILES ".path"),
				    "a string");
		} else if (str_eq(key, S("label"))) {
			if (!json_parse_is_null(one) &&
			    !json_parse_str(one, &label))
				return http_mail_body_wrong(e,
				    S(FILES ".label"), "a string");
		} else {
			return err_set(e, ERR_USAGE, FILES ".%.*s is not known",
			    STR_ARG(key));
		}
	}
	if (str_trim(path).n == 0)
		return err_set(e, ERR_USAGE, FILES ".path is missing");
	if (args_add(args, a, paths, str_dup(a, path), e) < 0)
		return -1;
	return args_add(args, a, labels, str_dup(a, label), e);
}

static int
http_mail_body_list(const struct json_value *v, struct str key,
    struct args *args, struct arg *arg, struct arena *a, struct err *e)
{
	struct arg *labels = args_find(args, S(LABELS));
	bool files = str_eq(key, S(FILES)) && labels != NULL;
	size_t n = json_parse_count(v);

	if (!json_parse_is_array(v))
		return http_mail_body_wrong(e, key, "a list");
	if (n > (files ? LIMIT_AGENTBOX_FILES : LIMIT_RECIPIENTS))
		return err_set(e, ERR_LIMIT, "%.*s has too many members",
		    STR_ARG(key));
	for (size_t i = 0; i < n; i++) {
		const struct json_value *one = json_parse_item(v, i);

		if ((files ? http_mail_body_file(one, args, arg, labels, a, e)
			   : http_mail_body_one(one, key, args, arg, a, e)) < 0)
			return -1;
	}
	return 0;
}

static int
http_mail_body_member(const struct json_value *v, struct str key,
    struct args *args, struct arena *a, struct err *e)
{
	struct arg *arg = args_find(args, key);

	if (!http_mail_body_is_member(arg, key))
		return err_set(e, ERR_USAGE, "%.*s is not known here",
		    STR_ARG(str_first(key, 60)));
	if (json_parse_is_null(v) && !(arg->spec->flags & ARG_REQUIRED))
		return 0;
	if (arg->spec->flags & ARG_MANY)
		return http_mail_body_list(v, key, args, arg, a, e);
	return http_mail_body_one(v, key, args, arg, a, e);
}

int
http_mail_body(struct str text, struct args *args, struct arena *a,
    struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *root, *one;
	struct str key = { 0 };

	if (json_parse_open(text, LIMIT_GATEWAY_BODY, &d, e) < 0)
		return -1;
	root = json_parse_root(d);
	if (!json_parse_is_object(root))
		return err_set(e, ERR_USAGE, "the body is no JSON object");
	while ((one = json_parse_next(root, &key)) != NULL)
		if (http_mail_body_member(one, key, args, a, e) < 0)
			return -1;
	return 0;
}
