/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two payloads of launch_plan.mailbox, distinguished by `transport`.  Only
 * members in the table are read and written as ours.
 */
#include <stddef.h>

#include "backend/agentbox/name.h"
#include "base/limits.h"
#include "runtime/runtime.h"

enum binding_check {
	CHECK_TEXT,
	CHECK_ADDRESS,
	CHECK_PATH,
	CHECK_URL,
	CHECK_REF,
};

static const struct binding_member {
	const char *key;
	enum transport of; /* TRANSPORT_NONE: both */
	enum binding_check check;
	bool optional;
	size_t at;
} binding_members[] = {
#define MEMBER(name, of, check, optional)                                      \
	{                                                                      \
#name, of, check, optional, offsetof(struct binding, name)     \
	}
	MEMBER(principal_id, TRANSPORT_NONE, CHECK_TEXT, false),
	MEMBER(address, TRANSPORT_NONE, CHECK_ADDRESS, false),
	MEMBER(bindings_version, TRANSPORT_NONE, CHECK_TEXT, false),
	MEMBER(filesystem_root, TRANSPORT_FILESYSTEM, CHECK_PATH, false),
	MEMBER(mailbox_path, TRANSPORT_FILESYSTEM, CHECK_PATH, true),
	MEMBER(jmap_url, TRANSPORT_STALWART, CHECK_URL, false),
	MEMBER(management_url, TRANSPORT_STALWART, CHECK_URL, false),
	MEMBER(login_identity, TRANSPORT_STALWART, CHECK_TEXT, false),
	MEMBER(credential_ref, TRANSPORT_STALWART, CHECK_REF, false),
#undef MEMBER
};
#define MEMBERS (sizeof(binding_members) / sizeof(binding_members[0]))

static bool
binding_has(const struct binding *b, const struct binding_member *m)
{
	return m->of == TRANSPORT_NONE || m->of == b->transport;
}

/* Is the value valid for the member?  None may contain controls. */
static bool
binding_is_good(enum binding_check check, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f)
			return false;
	switch (check) {
	case CHECK_TEXT:
		return s.n <= LIMIT_AGENT_ADDRESS && str_trim(s).n > 0;
	case CHECK_ADDRESS:
		return agentbox_name_address(s);
	case CHECK_PATH:
		return s.n < LIMIT_PATH && str_starts(s, S("/"));
	case CHECK_URL:
		return name_is_url(s);
	case CHECK_REF:
		return credential_ref_is_safe(s);
	}
	return false;
}

static int
binding_refuse(const char *key, const char *what, struct err *e)
{
	return err_set(e, ERR_CONFIG,
	    "launch_plan.mailbox.%s %s: the session's manifest is damaged", key,
	    what);
}

static int
binding_read_member(const struct json_value *v, const struct binding_member *m,
    struct arena *a, struct binding *b, struct err *e)
{
	const struct json_value *one = json_parse_member(v, m->key);
	struct str *to = (struct str *)(void *)((char *)b + m->at), s;

	if (m->optional && (one == NULL || json_parse_is_null(one)))
		return 0;
	if (one == NULL)
		return binding_refuse(m->key, "is missing", e);
	if (!json_parse_str(one, &s))
		return binding_refuse(m->key, "is not a string", e);
	if (!binding_is_good(m->check, s))
		return binding_refuse(m->key, "is not valid", e);
	*to = str_dup(a, s);
	return 0;
}

static int
binding_read_kind(const struct json_value *v, struct binding *b, struct err *e)
{
	const struct json_value *one = json_parse_member(v, "mailbox_kind");
	struct str s = S("in_root");

	if (b->transport != TRANSPORT_FILESYSTEM)
		return 0;
	if (one != NULL && !json_parse_str(one, &s))
		return binding_refuse("mailbox_kind", "is not a string", e);
	if (str_eq(s, S("symlink")))
		b->kind = BINDING_SYMLINK;
	else if (!str_eq(s, S("in_root")))
		return binding_refuse("mailbox_kind", "is not known", e);
	if (b->kind == BINDING_SYMLINK && b->mailbox_path.n == 0)
		return binding_refuse("mailbox_path", "is missing", e);
	return 0;
}

static bool
binding_knows(const struct binding *b, struct str key)
{
	for (size_t i = 0; i < MEMBERS; i++)
		if (binding_has(b, &binding_members[i]) &&
		    str_eq(key, str_of(binding_members[i].key)))
			return true;
	return str_eq(key, S("transport")) ||
	    (b->transport == TRANSPORT_FILESYSTEM &&
		str_eq(key, S("mailbox_kind")));
}

/* Members of other programs; secrets among them are dropped. */
static int
binding_keep_rest(const struct json_value *v, struct arena *a,
    struct binding *b, struct err *e)
{
	struct json *rest = json_new(a);
	const struct json_value *one;
	struct str key = { 0 };
	size_t n = 0;

	json_open_object(rest, NULL);
	while ((one = json_parse_next(v, &key)) != NULL) {
		if (binding_knows(b, key) || str_eq(key, S("credential_file")))
			continue;
		if (name_is_secret(key))
			return err_set(e, ERR_CONFIG,
			    "launch_plan.mailbox holds a secret, which no "
			    "manifest may: remove it");
		json_copy_put(rest, key.p, one);
		n++;
	}
	json_close_object(rest);
	b->rest = n > 0 ? rest : NULL;
	return 0;
}

int
binding_read(const struct json_value *v, struct arena *a, struct binding *out,
    struct err *e)
{
	struct binding b = { .transport = TRANSPORT_NONE };
	struct str s;

	if (v == NULL || json_parse_is_null(v)) {
		*out = b;
		return 0;
	}
	if (!json_parse_is_object(v))
		return err_set(e, ERR_CONFIG,
		    "launch_plan.mailbox is not an object: the session's "
		    "manifest is damaged");
	if (!json_parse_str(json_parse_member(v, "transport"), &s) ||
	    !transport_find(s, &b.transport) || b.transport == TRANSPORT_NONE)
		return binding_refuse("transport", "is not known", e);
	for (size_t i = 0; i < MEMBERS; i++)
		if (binding_has(&b, &binding_members[i]) &&
		    binding_read_member(v, &binding_members[i], a, &b, e) < 0)
			return -1;
	if (binding_read_kind(v, &b, e) < 0 ||
	    binding_keep_rest(v, a, &b, e) < 0)
		return -1;
	*out = b;
	return 0;
}

void
binding_put(const struct binding *b, struct json *j, const char *key)
{
	if (b->transport == TRANSPORT_NONE) {
		json_put_null(j, key);
		return;
	}
	json_open_object(j, key);
	json_put_text(j, "transport", transport_name(b->transport));
	for (size_t i = 0; i < MEMBERS; i++) {
		const struct binding_member *m = &binding_members[i];
		const struct str *s = (const void *)((const char *)b + m->at);

		if (!binding_has(b, m))
			continue;
		if (m->optional && s->n == 0)
			json_put_null(j, m->key);
		else
			json_put_str(j, m->key, *s);
	}
	if (b->transport == TRANSPORT_FILESYSTEM)
		json_put_text(j, "mailbox_kind",
		    b->kind == BINDING_SYMLINK ? "symlink" : "in_root");
	if (b->rest != NULL)
		json_put_members(j, b->rest);
	json_close_object(j);
}
