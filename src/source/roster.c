/* SPDX-License-Identifier: Apache-2.0 */
/* Converts the store's words and doctor's lines for the rule. */
#include "source/roster.h"

#include "store/source.h"

/* The facts for the matrix about an account. */
static struct matrix_facts
roster_facts_of(const struct role_source *src)
{
	return (struct matrix_facts){
		.drafts = src->drafts,
		.sent = src->sent,
		.url = src->url,
	};
}

unsigned
roster_supports(const struct role_source *src)
{
	const struct matrix_facts f = roster_facts_of(src);
	unsigned mask = matrix_supports(src->backend, &f);

	for (enum role_op op = 0; op < ROLE_OPS; op++)
		if (src->bar[op].reason != NULL)
			mask &= ~(1U << op);
	return mask;
}

const char *
roster_why(const struct role_source *src, enum role_op op)
{
	const struct matrix_facts f = roster_facts_of(src);

	if (src->bar[op].reason != NULL)
		return src->bar[op].why;
	return matrix_why(src->backend, op, &f);
}

bool
roster_is_open(const struct role_source *src, enum role_op op)
{
	struct matrix_facts no = roster_facts_of(src), yes = no;

	no.drafts = no.drafts && !src->drafts_open;
	no.sent = no.sent && !src->sent_open;
	yes.drafts = yes.drafts || src->drafts_open;
	yes.sent = yes.sent || src->sent_open;
	return src->bar[op].reason == NULL &&
	    matrix_why(src->backend, op, &no) !=
	    matrix_why(src->backend, op, &yes);
}

/* The facts known from the account's settings. */
static int
roster_read_settings(struct store *s, struct arena *a, struct role_source *src,
    struct err *e)
{
	struct store_account acct = { 0 };
	const struct backend *be;

	if (store_account_get(s, a, src->name, &acct, e) < 0)
		return -1;
	be = backend_find(src->backend);
	src->drafts = be != NULL && be->caps & CAP_DRAFT;
	src->sent = acct.sent_folder.n > 0 || str_eq(src->backend, S("imap"));
	src->url = acct.thread_url.n > 0;
	src->drafts_open = src->drafts;
	/* An archive contains what its owner says. */
	src->sent_open =
	    acct.sent_folder.n == 0 && !str_eq(src->backend, S("mbox"));
	return 0;
}

int
roster_load(struct store *s, struct arena *a, struct role_source **out,
    size_t *n, struct err *e)
{
	struct store_source *from = NULL;
	struct role_source *v;

	if (store_source_list(s, a, &from, n, e) < 0)
		return -1;
	v = arena_array(a, *n, sizeof(*v));
	for (size_t i = 0; i < *n; i++) {
		v[i].name = from[i].name;
		v[i].backend = from[i].backend;
		v[i].mandatory = from[i].mandatory;
		/* An unknown word means no role. */
		(void)role_find(from[i].role, &v[i].role);
		for (size_t k = 0; k < from[i].ops.n; k++) {
			enum role_op op;

			if (role_op_find(from[i].ops.v[k], &op))
				v[i].prefers |= 1U << op;
		}
		if (roster_read_settings(s, a, &v[i], e) < 0)
			return -1;
		v[i].supports = roster_supports(&v[i]);
	}
	*out = v;
	return 0;
}

int
roster_find(const struct role_source *v, size_t n, struct str name,
    const struct role_source **out, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		if (str_eq(v[i].name, name)) {
			*out = &v[i];
			return 0;
		}
	}
	return err_set(e, ERR_NOT_FOUND, "no such account");
}

bool
roster_declared(const struct role_source *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].role != ROLE_NONE)
			return true;
	return false;
}

/* By the end of a line's name; the first match counts. */
static const struct {
	struct str end;
	enum choose_reason reason;
} lines[] = {
	{ SI(".dns"), CHOOSE_UNREACHABLE },
	{ SI(".tcp"), CHOOSE_UNREACHABLE },
	{ SI(".api"), CHOOSE_UNREACHABLE },
	{ SI(".tls"), CHOOSE_UNREACHABLE },
	{ SI(".greeting"), CHOOSE_UNREACHABLE },
	{ SI(".login"), CHOOSE_AUTH_EXPIRED },
	{ SI("ponymail.list"), CHOOSE_LIST_NOT_VISIBLE },
	{ SI("gmail.subscription"), CHOOSE_LIST_NOT_VISIBLE },
	{ SI("oauth.token"), CHOOSE_AUTH_EXPIRED },
	{ SI(".path"), CHOOSE_PATH_MISSING },
	{ SI("account"), CHOOSE_MISCONFIGURED },
	{ SI("credentials"), CHOOSE_MISCONFIGURED },
};

static enum choose_reason
roster_reason_of(const struct probe *line)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (str_ends(line->what, lines[i].end))
			return lines[i].reason;
	return CHOOSE_SERVER_DOWN;
}

enum choose_reason
roster_reason(const struct source_health *h)
{
	const struct probes *p = &h->probes;

	for (size_t i = 0; i < p->n; i++) {
		enum choose_reason r;

		if (p->v[i].ok)
			continue;
		r = roster_reason_of(&p->v[i]);
		if (r == CHOOSE_AUTH_EXPIRED && !h->acct.has_password &&
		    !str_eq(h->acct.auth_type, S("oauth2")))
			r = CHOOSE_AUTH_MISSING;
		return r;
	}
	return CHOOSE_AVAILABLE;
}

enum choose_reason
roster_available(void *ctx, const struct role_source *src)
{
	const struct roster *r = ctx;
	struct str name = src->name;
	const struct source_trial what = { .names = { &name, 1 },
		.timeout_ms = r->timeout_ms };
	struct source_health *h = NULL;
	struct err e = { 0 };
	size_t n = 0;

	if (source_probe(r->store, r->a, &what, &h, &n, &e) < 0 || n != 1)
		return CHOOSE_MISCONFIGURED;
	return roster_reason(&h[0]);
}
