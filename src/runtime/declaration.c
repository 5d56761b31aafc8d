/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/runtime.h"

#include <stddef.h>

#include "backend/agentbox/name.h"
#include "base/limits.h"
#include "base/utf8.h"

#define FIELD(name) offsetof(struct declaration, name)

/* -- what is wrong with a value ------------------------------------------- */

static const char *
declaration_principal(struct str s)
{
	if (!name_is_principal(s))
		return "is no principal: it has letters, digits and \"._-\"";
	return str_eq(s, S(NAME_OPERATOR)) ? "is the operator's own" : NULL;
}

static const char *
declaration_address(struct str s)
{
	if (!agentbox_name_address(s))
		return "is no address: it is LOCAL@DOMAIN, of letters, digits "
		       "and \"._+-\"";
	return name_is_reserved(s) ? "is reserved: at " NAME_DOMAIN
				     " no address begins with \"" NAME_PREFIX
				     "\""
				   : NULL;
}

static const char *
declaration_path(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f)
			return "has a control character in its path";
	if (!utf8_valid(s))
		return "is a path that is not UTF-8";
	return s.n < LIMIT_PATH ? NULL : "is a path that is too long";
}

/* A URL ends in manifests, and those keep no secret. */
static const char *
declaration_url(struct str s)
{
	if (!name_is_url(s))
		return "is no address of a server: it is https://HOST/PATH, or "
		       "http:// of this machine, without user name and "
		       "password";
	return str_has_char(s, '?') ? "has a query, which may hold a secret"
				    : NULL;
}

static const char *
declaration_login(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] <= ' ' ||
		    (unsigned char)s.p[i] >= 0x7f || s.p[i] == ':')
			return "is no login";
	return s.n <= LIMIT_AGENT_ADDRESS ? NULL : "is no login";
}

/* -- the members ---------------------------------------------------------- */

const struct declaration_field declaration_fields[] = {
	{ "principal_id", "--mailbox-principal-id", TRANSPORT_NONE,
	    FIELD(principal_id), declaration_principal },
	{ "address", "--mailbox-address", TRANSPORT_NONE, FIELD(address),
	    declaration_address },
	{ "filesystem_root", "--mailbox-root", TRANSPORT_FILESYSTEM,
	    FIELD(filesystem_root), declaration_path },
	{ NULL, "mailbox_account_dir", TRANSPORT_FILESYSTEM, FIELD(account_dir),
	    declaration_path },
	{ "base_url", "--mailbox-stalwart-base-url", TRANSPORT_STALWART,
	    FIELD(base_url), declaration_url },
	{ "jmap_url", "--mailbox-stalwart-jmap-url", TRANSPORT_STALWART,
	    FIELD(jmap_url), declaration_url },
	{ "management_url", "--mailbox-stalwart-management-url",
	    TRANSPORT_STALWART, FIELD(management_url), declaration_url },
	{ NULL, "--mailbox-stalwart-login-identity", TRANSPORT_STALWART,
	    FIELD(login_identity), declaration_login },
	{ 0 },
};

struct str
declaration_get(const struct declaration *d, const struct declaration_field *f)
{
	return *(const struct str *)(const void *)((const char *)d + f->at);
}

void
declaration_set(struct declaration *d, const struct declaration_field *f,
    struct str s)
{
	*(struct str *)(void *)((char *)d + f->at) = s;
}

int
declaration_check(const struct declaration *given, enum transport t,
    struct err *e)
{
	for (const struct declaration_field *f = declaration_fields;
	     f->option != NULL; f++) {
		struct str s = declaration_get(given, f);
		const char *wrong;

		if (s.p == NULL)
			continue;
		if (str_trim(s).n == 0)
			return err_set(e, ERR_USAGE, "%s is blank", f->option);
		if (t == TRANSPORT_NONE)
			return err_set(e, ERR_USAGE,
			    "%s is given, but no mailbox: give "
			    "--mailbox-transport filesystem or stalwart",
			    f->option);
		if (f->of != TRANSPORT_NONE && f->of != t)
			return err_set(e, ERR_USAGE,
			    "%s has no effect on transport %s: leave it out",
			    f->option, transport_name(t));
		wrong = f->wrong(s);
		if (wrong != NULL)
			return err_set(e, ERR_USAGE, "%s %s", f->option, wrong);
	}
	return 0;
}

/* -- reading and writing -------------------------------------------------- */

static const struct declaration_field *
declaration_find(struct str key)
{
	for (const struct declaration_field *f = declaration_fields;
	     f->option != NULL; f++)
		if (f->key != NULL && str_eq(key, str_of(f->key)))
			return f;
	return NULL;
}

static int
declaration_read_transport(const struct json_value *mailbox,
    struct declaration *d, struct err *e)
{
	const struct json_value *v = json_parse_member(mailbox, "transport");
	struct str s;

	if (v == NULL || json_parse_is_null(v))
		return err_set(e, ERR_CONFIG,
		    "mailbox.transport is missing: it is filesystem, stalwart "
		    "or none");
	if (!json_parse_str(v, &s) || !transport_find(s, &d->transport))
		return err_set(e, ERR_CONFIG,
		    "mailbox.transport is not filesystem, stalwart or none");
	d->said = true;
	return 0;
}

static int
declaration_read_member(struct str key, const struct json_value *v,
    struct arena *a, struct declaration *d, struct strs *warnings,
    struct err *e)
{
	const struct declaration_field *f = declaration_find(key);
	struct str s;

	if (str_eq(key, S("transport")))
		return 0;
	if (name_is_secret(key))
		return err_set(e, ERR_CONFIG,
		    "mailbox holds a secret, which a manifest may not: remove "
		    "it");
	if (f == NULL) {
		str_push(a, warnings,
		    str_fmt(a, "mailbox.%.*s is not known and has no effect",
			STR_ARG(str_first(key, 60))));
		return 0;
	}
	if (json_parse_is_null(v))
		return 0;
	if (!json_parse_str(v, &s))
		return err_set(e, ERR_CONFIG, "mailbox.%s is not a string",
		    f->key);
	if (str_trim(s).n == 0)
		return err_set(e, ERR_CONFIG, "mailbox.%s is blank", f->key);
	if (f->of != TRANSPORT_NONE && f->of != d->transport)
		str_push(a, warnings,
		    str_fmt(a, "mailbox.%s has no effect on transport %s",
			f->key, transport_name(d->transport)));
	/* Other names are checked at a start, which may be given others. */
	if (f->wrong == declaration_url && f->wrong(s) != NULL)
		return err_set(e, ERR_CONFIG, "mailbox.%s %s", f->key,
		    f->wrong(s));
	declaration_set(d, f, str_dup(a, s));
	return 0;
}

int
declaration_read(const struct json_value *mailbox, struct arena *a,
    struct declaration *out, struct strs *warnings, struct err *e)
{
	struct declaration d = { .said = false };
	const struct json_value *v;
	struct str key = { 0 };

	if (mailbox == NULL || json_parse_is_null(mailbox)) {
		*out = d;
		return 0;
	}
	if (!json_parse_is_object(mailbox))
		return err_set(e, ERR_CONFIG, "mailbox is not a map");
	if (declaration_read_transport(mailbox, &d, e) < 0)
		return -1;
	while ((v = json_parse_next(mailbox, &key)) != NULL)
		if (declaration_read_member(key, v, a, &d, warnings, e) < 0)
			return -1;
	*out = d;
	return 0;
}

void
declaration_put(const struct declaration *d, struct yaml_put *y)
{
	if (!d->said)
		return;
	yaml_put_map(y, "mailbox");
	yaml_put_str(y, "transport", str_of(transport_name(d->transport)));
	for (const struct declaration_field *f = declaration_fields;
	     f->option != NULL; f++) {
		struct str s = declaration_get(d, f);

		if (f->key != NULL && s.p != NULL)
			yaml_put_str(y, f->key, s);
	}
	yaml_put_end(y);
}
