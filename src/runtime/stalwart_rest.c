/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The REST interface of Stalwart 0.15, by its OpenAPI description: /principal
 * below the management URL.  Principals are addressed by name.  An error comes
 * with status 200, so it is looked for before the data.
 *
 * The internal directory finds a login by the principal's name alone, so name,
 * login and address are the same.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "runtime/stalwart.h"

int
stalwart_rest_read(const struct stalwart_answer *x,
    const struct json_value **data, struct err *e)
{
	const struct json_value *root =
	    x->doc != NULL ? json_parse_root(x->doc) : NULL;
	const struct json_value *error = json_parse_member(root, "error");
	struct str why = { 0 };

	if (error != NULL) {
		(void)json_parse_str(error, &why);
		if (str_eq(why, S("notFound")))
			return err_set(e, ERR_NOT_FOUND,
			    "the mail server has no such account or domain");
		return stalwart_http_refused(e, "do that", why);
	}
	if (x->status == 404 && x->doc != NULL)
		return err_set(e, ERR_NOT_FOUND,
		    "the mail server has no such account or domain");
	if (x->status != 200 || x->doc == NULL)
		return stalwart_http_nonsense(e, "no answer of REST");
	*data = json_parse_member(root, "data");
	return *data != NULL
	    ? 0
	    : stalwart_http_nonsense(e, "neither data nor error");
}

/* The address of a principal; its name becomes one segment of the path. */
static struct str
stalwart_rest_url(const struct stalwart *s, struct str name)
{
	struct buf b;

	buf_init(&b, s->a, LIMIT_URL);
	buf_str(&b, s->management_url);
	if (!str_ends(s->management_url, S("/")))
		buf_char(&b, '/');
	buf_text(&b, "principal");
	if (name.n > 0) {
		buf_char(&b, '/');
		buf_percent(&b, name, "");
	}
	return buf_view(&b);
}

int
stalwart_rest_probe(struct stalwart *s, struct err *e)
{
	CLEANUP(stalwart_http_done) struct stalwart_answer x = { 0 };
	struct stalwart_request q = {
		.url = str_fmt(s->a, "%.*s?types=domain&limit=1",
		    STR_ARG(stalwart_rest_url(s, S("")))),
	};
	const struct json_value *root;

	if (stalwart_http(s, &q, &x, e) < 0)
		return -1;
	root = x.doc != NULL ? json_parse_root(x.doc) : NULL;
	return x.status == 200 &&
		(json_parse_member(root, "data") != NULL ||
		    json_parse_member(root, "error") != NULL)
	    ? 0
	    : 1;
}

/* A principal by its name: 0, or 1: there is none. */
static int
stalwart_rest_get(struct stalwart *s, struct str name, struct str *type,
    struct err *e)
{
	CLEANUP(stalwart_http_done) struct stalwart_answer x = { 0 };
	struct stalwart_request q = { .url = stalwart_rest_url(s, name) };
	const struct json_value *data = NULL;
	struct str t = { 0 };

	if (stalwart_http(s, &q, &x, e) < 0)
		return -1;
	if (stalwart_rest_read(&x, &data, e) < 0) {
		if (e->kind != ERR_NOT_FOUND)
			return -1;
		*e = (struct err){ 0 };
		return 1;
	}
	if (!json_parse_str(json_parse_member(data, "type"), &t))
		return stalwart_http_nonsense(e, "a principal without a type");
	*type = str_dup(s->a, t);
	return 0;
}

/* A text, or a list of texts. */
static bool
stalwart_rest_has(const struct json_value *v, struct str address)
{
	struct str s = { 0 };

	if (json_parse_str(v, &s))
		return str_eq_case(s, address);
	for (size_t i = 0; i < json_parse_count(v); i++)
		if (json_parse_str(json_parse_item(v, i), &s) &&
		    str_eq_case(s, address))
			return true;
	return false;
}

/* One with another name that owns the address: 0, or 1. */
static int
stalwart_rest_search(struct stalwart *s, struct str address,
    struct stalwart_account *out, struct err *e)
{
	CLEANUP(stalwart_http_done) struct stalwart_answer x = { 0 };
	struct stalwart_request q = { 0 };
	const struct json_value *data = NULL, *list;
	struct buf b;

	buf_init(&b, s->a, LIMIT_URL);
	buf_str(&b, stalwart_rest_url(s, S("")));
	buf_text(&b, "?types=individual&limit=100&filter=");
	buf_percent(&b, address, "");
	q.url = buf_view(&b);
	if (stalwart_http(s, &q, &x, e) < 0 ||
	    stalwart_rest_read(&x, &data, e) < 0)
		return -1;
	list = json_parse_member(data, "items");
	for (size_t i = 0; i < json_parse_count(list); i++) {
		const struct json_value *v = json_parse_item(list, i);
		struct str name;

		if (!json_parse_str(json_parse_member(v, "name"), &name) ||
		    (!str_eq_case(name, address) &&
			!stalwart_rest_has(json_parse_member(v, "emails"),
			    address)))
			continue;
		*out = (struct stalwart_account){ str_dup(s->a, name), true };
		return 0;
	}
	return 1;
}

int
stalwart_rest_find(struct stalwart *s, struct str address,
    struct stalwart_account *out, struct err *e)
{
	struct str type = { 0 };
	int r = stalwart_rest_get(s, address, &type, e);

	if (r != 0)
		return r < 0 ? -1 : stalwart_rest_search(s, address, out, e);
	*out =
	    (struct stalwart_account){ address, str_eq(type, S("individual")) };
	return 0;
}

/* All members that the description names. */
static void
stalwart_rest_put(struct json *j, const char *type, struct str name,
    bool individual)
{
	static const char *const empty[] = { "urls", "memberOf", "lists",
		"members", "enabledPermissions", "disabledPermissions",
		"externalMembers" };

	json_open_object(j, NULL);
	json_put_text(j, "type", type);
	json_put_str(j, "name", name);
	json_put_text(j, "description", "agents' mail, by emcli");
	json_put_int(j, "quota", 0);
	json_open_array(j, "secrets");
	if (individual)
		json_put_text(j, NULL, CREDENTIAL_PLACE);
	json_close_array(j);
	json_open_array(j, "emails");
	if (individual)
		json_put_str(j, NULL, name);
	json_close_array(j);
	json_open_array(j, "roles");
	if (individual)
		json_put_text(j, NULL, "user");
	json_close_array(j);
	for (size_t i = 0; i < sizeof(empty) / sizeof(empty[0]); i++) {
		json_open_array(j, empty[i]);
		json_close_array(j);
	}
	json_close_object(j);
}

static int
stalwart_rest_post(struct stalwart *s, const char *type, struct str name,
    const struct secret *password, struct err *e)
{
	CLEANUP(stalwart_http_done) struct stalwart_answer x = { 0 };
	struct json *j = json_new(s->a);
	struct stalwart_request q = {
		.url = stalwart_rest_url(s, S("")),
		.password = password,
	};
	const struct json_value *data = NULL;
	int64_t id;

	stalwart_rest_put(j, type, name, password != NULL);
	q.body = json_text(j, s->a);
	if (stalwart_http(s, &q, &x, e) < 0 ||
	    stalwart_rest_read(&x, &data, e) < 0)
		return -1;
	return json_parse_int(data, &id)
	    ? 0
	    : stalwart_http_nonsense(e, "a principal without an id");
}

int
stalwart_rest_create(struct stalwart *s, struct str address,
    const struct secret *password, struct err *e)
{
	struct str local, domain, type = { 0 };
	int r;

	(void)str_cut(address, '@', &local, &domain);
	r = stalwart_rest_get(s, domain, &type, e);
	if (r > 0)
		r = stalwart_rest_post(s, "domain", domain, NULL, e);
	else if (r == 0 && !str_eq(type, S("domain")))
		return stalwart_http_refused(e, "have that domain", type);
	if (r < 0)
		return -1;
	return stalwart_rest_post(s, "individual", address, password, e);
}

int
stalwart_rest_set_password(struct stalwart *s, struct str id,
    const struct secret *password, struct err *e)
{
	CLEANUP(stalwart_http_done) struct stalwart_answer x = { 0 };
	struct json *j = json_new(s->a);
	struct stalwart_request q = {
		.method = "PATCH",
		.url = stalwart_rest_url(s, id),
		.password = password,
	};
	const struct json_value *data = NULL;

	json_open_array(j, NULL);
	json_open_object(j, NULL);
	json_put_text(j, "action", "set");
	json_put_text(j, "field", "secrets");
	json_put_text(j, "value", CREDENTIAL_PLACE);
	json_close_object(j);
	json_close_array(j);
	q.body = json_text(j, s->a);
	if (stalwart_http(s, &q, &x, e) < 0)
		return -1;
	return stalwart_rest_read(&x, &data, e);
}

int
stalwart_rest_delete(struct stalwart *s, struct str id, struct err *e)
{
	CLEANUP(stalwart_http_done) struct stalwart_answer x = { 0 };
	struct stalwart_request q = {
		.method = "DELETE",
		.url = stalwart_rest_url(s, id),
	};
	const struct json_value *data = NULL;

	if (stalwart_http(s, &q, &x, e) < 0)
		return -1;
	return stalwart_rest_read(&x, &data, e);
}
