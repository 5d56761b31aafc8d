/* SPDX-License-Identifier: Apache-2.0 */
/* A server's management: which interface it has, and what is asked of it. */
#include "runtime/stalwart.h"

static int
stalwart_no_keys(struct err *e)
{
	(void)err_set(e, ERR_CONFIG,
	    "the mail server's management needs credentials");
	return err_hint(e,
	    "set HOUMAO_STALWART_MANAGEMENT_BEARER_TOKEN, or "
	    "HOUMAO_STALWART_MANAGEMENT_API_KEY and "
	    "HOUMAO_STALWART_MANAGEMENT_API_SECRET; for an account that exists "
	    "--mailbox-password-file is sufficient");
}

int
stalwart_open(struct stalwart *s, const struct stalwart_keys *keys,
    const struct binding *b, int64_t deadline_ms, struct arena *a,
    struct err *e)
{
	*s = (struct stalwart){
		.a = a,
		.jmap_url = b->jmap_url,
		.management_url = b->management_url,
		.deadline_ms = deadline_ms,
	};
	if (keys->token != NULL)
		s->keys.token = keys->token;
	else if (keys->key == NULL || keys->secret == NULL)
		return stalwart_no_keys(e);
	else if (credential_password_join(keys->key, keys->secret, &s->basic,
		     e) < 0)
		return -1;
	if (http_need(e) < 0)
		return -1;
	if (!http_url_ok(b->jmap_url) || !http_url_ok(b->management_url))
		return err_set(e, ERR_CONFIG,
		    "an address of the mail server is not https, or not "
		    "usable");
	return 0;
}

void
stalwart_close(struct stalwart *s)
{
	http_close(&s->http);
	secret_close(&s->basic);
}

/*
 * A login that the one interface refuses may be one of the other's: a key of
 * version 0.15 is not for mail.
 */
static int
stalwart_learn(struct stalwart *s, struct err *e)
{
	struct err refused = { 0 };
	int r;

	if (s->dialect == STALWART_UNKNOWN) {
		r = stalwart_jmap_probe(s, e);
		if (r < 0 && e->kind == ERR_AUTH) {
			refused = *e;
			*e = (struct err){ 0 };
			r = 1;
		}
		if (r < 0)
			return -1;
		if (r == 0)
			s->dialect = STALWART_JMAP;
	}
	if (s->dialect == STALWART_UNKNOWN) {
		r = stalwart_rest_probe(s, e);
		if (r < 0)
			return -1;
		s->dialect = r == 0 ? STALWART_REST : STALWART_NONE;
	}
	if (s->dialect != STALWART_NONE)
		return 0;
	if (refused.kind != ERR_NONE) {
		*e = refused;
		return -1;
	}
	(void)err_set(e, ERR_UNSUPPORTED,
	    "the mail server has no management that emcli knows");
	return err_hint(e,
	    "make the account there, and give its password with "
	    "--mailbox-password-file");
}

int
stalwart_find(struct stalwart *s, struct str address,
    struct stalwart_account *out, struct err *e)
{
	if (stalwart_learn(s, e) < 0)
		return -1;
	return s->dialect == STALWART_JMAP
	    ? stalwart_object_find(s, address, out, e)
	    : stalwart_rest_find(s, address, out, e);
}

int
stalwart_create(struct stalwart *s, struct str address,
    const struct secret *password, struct err *e)
{
	if (stalwart_learn(s, e) < 0)
		return -1;
	return s->dialect == STALWART_JMAP
	    ? stalwart_object_create(s, address, password, e)
	    : stalwart_rest_create(s, address, password, e);
}

static int
stalwart_check_user(const struct stalwart_account *account, struct err *e)
{
	if (account->is_user)
		return 0;
	return err_set(e, ERR_CONFIG,
	    "the address is a group's or a list's on the mail server, not an "
	    "account's");
}

int
stalwart_set_password(struct stalwart *s,
    const struct stalwart_account *account, const struct secret *password,
    struct err *e)
{
	if (stalwart_check_user(account, e) < 0 || stalwart_learn(s, e) < 0)
		return -1;
	return s->dialect == STALWART_JMAP
	    ? stalwart_object_set_password(s, account->id, password, e)
	    : stalwart_rest_set_password(s, account->id, password, e);
}

int
stalwart_delete(struct stalwart *s, const struct stalwart_account *account,
    struct err *e)
{
	if (stalwart_check_user(account, e) < 0 || stalwart_learn(s, e) < 0)
		return -1;
	return s->dialect == STALWART_JMAP
	    ? stalwart_object_delete(s, account->id, e)
	    : stalwart_rest_delete(s, account->id, e);
}
