#include "runtime/runtime.h"

#include <stddef.h>

#define FIELD(name) offsetof(struct declaration, name)

const struct declaration_field declaration_fields[] = {
	{ "principal_id", "--mailbox-principal-id", TRANSPORT_NONE,
	    FIELD(principal_id) },
	{ "address", "--mailbox-address", TRANSPORT_NONE, FIELD(address) },
	{ "filesystem_root", "--mailbox-root", TRANSPORT_FILESYSTEM,
	    FIELD(filesystem_root) },
	{ NULL, "mailbox_account_dir", TRANSPORT_FILESYSTEM,
	    FIELD(account_dir) },
	{ "base_url", "--mailbox-stalwart-base-url", TRANSPORT_STALWART,
	    FIELD(base_url) },
	{ "jmap_url", "--mailbox-stalwart-jmap-url", TRANSPORT_STALWART,
	    FIELD(jmap_url) },
	{ "management_url", "--mailbox-stalwart-management-url",
	    TRANSPORT_STALWART, FIELD(management_url) },
	{ NULL, "--mailbox-stalwart-login-identity", TRANSPORT_STALWART,
	    FIELD(login_identity) },
	{ 0 },
};

struct str
declaration_get(const struct declaration *d, const struct declaration_field *f)
{
	return *(const struct str *)(const void *)((const char *)d + f->at);
}

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
	*(struct str *)(void *)((char *)d + f->at) = str_dup(a, s);
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
