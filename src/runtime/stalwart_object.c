/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accounts as objects of Stalwart 0.16 and later: x:Domain and x:Account, by
 * its schema.  Of an account, `name` is the local part; the server makes the
 * address of it and the domain.  A list is an object with the keys "0", "1".
 */
#include "base/limits.h"
#include "runtime/stalwart.h"

/*
 * Query and get in one request: the filter is a search, so what is found is
 * compared by who asks.
 */
static int
stalwart_object_search(struct stalwart *s, const char *type, struct str name,
    struct stalwart_answer *x, const struct json_value **list, struct err *e)
{
	const char *query = str_fmt(s->a, "x:%s/query", type).p;
	const char *get = str_fmt(s->a, "x:%s/get", type).p;
	struct json *j = stalwart_jmap_begin(s);
	const struct json_value *args;

	stalwart_jmap_open(s, j, query);
	json_open_object(j, "filter");
	json_put_str(j, "name", name);
	json_close_object(j);
	stalwart_jmap_close(j, "q");
	stalwart_jmap_open(s, j, get);
	json_open_object(j, "#ids");
	json_put_text(j, "resultOf", "q");
	json_put_text(j, "name", query);
	json_put_text(j, "path", "/ids");
	json_close_object(j);
	stalwart_jmap_close(j, "g");
	if (stalwart_jmap_send(s, j, NULL, x, e) < 0 ||
	    stalwart_jmap_read(x, query, "q", &args, e) < 0 ||
	    stalwart_jmap_read(x, get, "g", &args, e) < 0)
		return -1;
	*list = json_parse_member(args, "list");
	return json_parse_is_array(*list)
	    ? 0
	    : stalwart_http_nonsense(e, "no list of objects");
}

static bool
stalwart_object_id(const struct json_value *v, const char *key, struct str *out)
{
	return json_parse_str(json_parse_member(v, key), out) && out->n > 0 &&
	    out->n <= STALWART_ID;
}

/* 0, or 1: there is none. */
static int
stalwart_object_domain(struct stalwart *s, struct str domain, struct str *id,
    struct err *e)
{
	CLEANUP(stalwart_http_done) struct stalwart_answer x = { 0 };
	const struct json_value *list;
	struct str name, found;

	if (stalwart_object_search(s, "Domain", domain, &x, &list, e) < 0)
		return -1;
	for (size_t i = 0; i < json_parse_count(list); i++) {
		const struct json_value *v = json_parse_item(list, i);

		if (!json_parse_str(json_parse_member(v, "name"), &name) ||
		    !str_eq_case(name, domain) ||
		    !stalwart_object_id(v, "id", &found))
			continue;
		*id = str_dup(s->a, found);
		return 0;
	}
	return 1;
}

int
stalwart_object_find(struct stalwart *s, struct str address,
    struct stalwart_account *out, struct err *e)
{
	CLEANUP(stalwart_http_done) struct stalwart_answer x = { 0 };
	const struct json_value *list;
	struct str local, domain, domain_id;
	int r;

	(void)str_cut(address, '@', &local, &domain);
	r = stalwart_object_domain(s, domain, &domain_id, e);
	if (r != 0)
		return r;
	if (stalwart_object_search(s, "Account", local, &x, &list, e) < 0)
		return -1;
	for (size_t i = 0; i < json_parse_count(list); i++) {
		const struct json_value *v = json_parse_item(list, i);
		struct str mail = { 0 }, name = { 0 }, of = { 0 }, id,
			   type = { 0 };

		(void)json_parse_str(json_parse_member(v, "emailAddress"),
		    &mail);
		(void)json_parse_str(json_parse_member(v, "name"), &name);
		(void)json_parse_str(json_parse_member(v, "domainId"), &of);
		(void)json_parse_str(json_parse_member(v, "@type"), &type);
		if (!str_eq_case(mail, address) &&
		    !(str_eq_case(name, local) && str_eq(of, domain_id)))
			continue;
		if (!stalwart_object_id(v, "id", &id))
			return stalwart_http_nonsense(e, "an account's id");
		*out = (struct stalwart_account){ str_dup(s->a, id),
			str_eq(type, S("User")) };
		return 0;
	}
	return 1;
}

/* -- changes ----------------------------------------------------------------
 */

static int
stalwart_object_set(struct stalwart *s, struct json *j, const char *method,
    const struct secret *password, const char *done, const char *not_done,
    const char *key, struct str *id, struct err *e)
{
	CLEANUP(stalwart_http_done) struct stalwart_answer x = { 0 };
	const struct json_value *args, *v;
	struct str found;

	if (stalwart_jmap_send(s, j, password, &x, e) < 0 ||
	    stalwart_jmap_read(&x, method, "s", &args, e) < 0 ||
	    stalwart_jmap_check(args, done, not_done, key, &v, e) < 0)
		return -1;
	if (id == NULL)
		return 0;
	if (!stalwart_object_id(v, "id", &found))
		return stalwart_http_nonsense(e, "what was made has no id");
	*id = str_dup(s->a, found);
	return 0;
}

static int
stalwart_object_make_domain(struct stalwart *s, struct str domain,
    struct str *id, struct err *e)
{
	struct json *j = stalwart_jmap_begin(s);

	stalwart_jmap_open(s, j, "x:Domain/set");
	json_open_object(j, "create");
	json_open_object(j, "n");
	json_put_str(j, "name", domain);
	json_close_object(j);
	json_close_object(j);
	stalwart_jmap_close(j, "s");
	return stalwart_object_set(s, j, "x:Domain/set", NULL, "created",
	    "notCreated", "n", id, e);
}

static void
stalwart_object_put_type(struct json *j, const char *key, const char *type)
{
	json_open_object(j, key);
	json_put_text(j, "@type", type);
	json_close_object(j);
}

static void
stalwart_object_put_password(struct json *j, const char *key)
{
	json_open_object(j, key);
	json_put_text(j, "@type", "Password");
	json_put_text(j, "secret", CREDENTIAL_PLACE);
	json_close_object(j);
}

int
stalwart_object_create(struct stalwart *s, struct str address,
    const struct secret *password, struct err *e)
{
	struct json *j = stalwart_jmap_begin(s);
	struct str local, domain, domain_id = { 0 }, id;
	int r;

	(void)str_cut(address, '@', &local, &domain);
	r = stalwart_object_domain(s, domain, &domain_id, e);
	if (r > 0)
		r = stalwart_object_make_domain(s, domain, &domain_id, e);
	if (r < 0)
		return -1;
	stalwart_jmap_open(s, j, "x:Account/set");
	json_open_object(j, "create");
	json_open_object(j, "n");
	json_put_text(j, "@type", "User");
	json_put_str(j, "name", local);
	json_put_str(j, "domainId", domain_id);
	json_open_object(j, "credentials");
	stalwart_object_put_password(j, "0");
	json_close_object(j);
	stalwart_object_put_type(j, "roles", "User");
	stalwart_object_put_type(j, "permissions", "Inherit");
	stalwart_object_put_type(j, "encryptionAtRest", "Disabled");
	json_put_text(j, "locale", "en_US");
	json_close_object(j);
	json_close_object(j);
	stalwart_jmap_close(j, "s");
	return stalwart_object_set(s, j, "x:Account/set", password, "created",
	    "notCreated", "n", &id, e);
}

int
stalwart_object_set_password(struct stalwart *s, struct str id,
    const struct secret *password, struct err *e)
{
	struct json *j = stalwart_jmap_begin(s);
	const char *key = str_c(s->a, id);

	stalwart_jmap_open(s, j, "x:Account/set");
	json_open_object(j, "update");
	json_open_object(j, key);
	stalwart_object_put_password(j, "credentials/0");
	json_close_object(j);
	json_close_object(j);
	stalwart_jmap_close(j, "s");
	return stalwart_object_set(s, j, "x:Account/set", password, "updated",
	    "notUpdated", key, NULL, e);
}

int
stalwart_object_delete(struct stalwart *s, struct str id, struct err *e)
{
	CLEANUP(stalwart_http_done) struct stalwart_answer x = { 0 };
	struct json *j = stalwart_jmap_begin(s);
	const struct json_value *args, *unused, *list;
	struct str gone;

	stalwart_jmap_open(s, j, "x:Account/set");
	json_open_array(j, "destroy");
	json_put_str(j, NULL, id);
	json_close_array(j);
	stalwart_jmap_close(j, "s");
	if (stalwart_jmap_send(s, j, NULL, &x, e) < 0 ||
	    stalwart_jmap_read(&x, "x:Account/set", "s", &args, e) < 0)
		return -1;
	list = json_parse_member(args, "destroyed");
	for (size_t i = 0; i < json_parse_count(list); i++)
		if (json_parse_str(json_parse_item(list, i), &gone) &&
		    str_eq(gone, id))
			return 0;
	return stalwart_jmap_check(args, "destroyed", "notDestroyed", "",
	    &unused, e);
}
