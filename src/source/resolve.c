/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves an account's name to backends for reading and sending. */
#include "source/source.h"

#include "backend/agentbox/root.h"
#include "store/mark.h"

static enum backend_id
source_resolve_id_of(enum store_quirk_id id)
{
	switch (id) {
	case STORE_ID_ON:
		return BACKEND_ID_ON;
	case STORE_ID_OFF:
		return BACKEND_ID_OFF;
	case STORE_ID_AUTO:
		break;
	}
	return BACKEND_ID_AUTO;
}

static void
source_resolve_make_view(struct source *src, int64_t deadline_ms)
{
	const struct store_account *c = &src->acct;
	struct backend_account *v = &src->view;

	v->name = c->name;
	v->from = c->from_addr;
	v->username = c->username;
	v->oauth = str_eq(c->auth_type, S("oauth2"));
	v->imap_host = c->imap_host;
	v->imap_port = c->imap_port;
	v->imap_starttls = str_eq(c->imap_security, S("starttls"));
	v->smtp_host = c->smtp_host;
	v->smtp_port = c->smtp_port;
	v->smtp_starttls = str_eq(c->smtp_security, S("starttls"));
	v->ca_file = c->ca_file;
	v->tls_pin = c->tls_pin;
	v->path = c->path;
	v->url = c->url;
	v->list = c->list;
	v->drafts_folder = c->drafts_folder;
	v->id = source_resolve_id_of(c->quirk_id);
	v->no_sasl_ir = c->quirk_no_sasl_ir;
	v->trace = c->authserv_id.n > 0;
	v->deadline_ms = deadline_ms;
}

int
source_resolve_given(const struct store_account *acct, int64_t deadline_ms,
    struct source *out, struct err *e)
{
	*out = (struct source){ 0 };
	out->acct = *acct;
	out->be = backend_trace_wrap(backend_find(acct->backend));
	if (out->be == NULL || !(out->be->caps & CAP_READ)) {
		(void)err_set(e, ERR_CONFIG,
		    "the account's settings are not valid");
		return err_because(e, "unknown backend %.*s",
		    STR_ARG(acct->backend));
	}
	source_resolve_make_view(out, deadline_ms);
	out->submitter = backend_submitter(out->be, &out->view);
	return 0;
}

/* What signs for an account, in a mailbox root: root.h. */
struct source_resolve_key {
	struct store *store;
	struct str from; /* the account's address */
};

/* No message of another: whatever reads these files may be taken over. */
static int
source_resolve_mac(void *ctx, struct str bytes, unsigned char out[32],
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	const struct source_resolve_key *k = ctx;

	if (!agentbox_load_is_of(a, bytes, k->from))
		return err_set(e, ERR_POLICY,
		    "an account has only messages from itself signed");
	return store_mark_root(k->store, bytes, out, e);
}

static int
source_resolve_fits(void *ctx, struct str bytes, const unsigned char mac[32],
    struct err *e)
{
	const struct source_resolve_key *k = ctx;

	return store_mark_root_fits(k->store, bytes, mac, e);
}

int
source_resolve(struct store *s, struct arena *a, struct str name,
    int64_t deadline_ms, struct source *out, struct err *e)
{
	struct source_resolve_key *k = arena_new(a, struct source_resolve_key);
	struct store_account acct = { 0 };

	*out = (struct source){ 0 };
	if (store_account_get(s, a, name, &acct, e) < 0)
		return -1;
	if (source_resolve_given(&acct, deadline_ms, out, e) < 0)
		return -1;
	out->view.cache_dir = store_file_cache(s, a);
	*k = (struct source_resolve_key){ s, out->view.from };
	out->view.mac = source_resolve_mac;
	out->view.fits = source_resolve_fits;
	out->view.mac_ctx = k;
	return 0;
}
