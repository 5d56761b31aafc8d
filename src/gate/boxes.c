/* SPDX-License-Identifier: Apache-2.0 */
/* Accounts as mailboxes: their address, and whether they can be used. */
#include "gate/boxes.h"

#include "gate/internal.h"

static bool
is_address(struct str s)
{
	return str_has_char(s, '@');
}

/* The domain of imap.example.org is example.org: drops the service's label. */
static struct str
boxes_domain(struct str host)
{
	static const char *const service[] = { "imap", "imaps", "pop", "smtp",
		"mail", "mx" };
	struct str label, rest;

	if (!str_cut(host, '.', &label, &rest) || !str_has_char(rest, '.'))
		return host;
	for (size_t i = 0; i < sizeof(service) / sizeof(service[0]); i++)
		if (str_eq_case(label, str_of(service[i])))
			return rest;
	return host;
}

static struct str
boxes_address(struct arena *a, const struct store_account *acct)
{
	if (is_address(acct->username))
		return acct->username;
	if (is_address(acct->from_addr))
		return acct->from_addr;
	if (acct->username.n > 0 && acct->imap_host.n > 0)
		return str_fmt(a, "%.*s@%.*s", STR_ARG(acct->username),
		    STR_ARG(boxes_domain(acct->imap_host)));
	return acct->from_addr;
}

/* Backends that log in need a credential. */
static int
boxes_ready(struct gate *g, const struct store_account *acct, bool *out,
    struct err *e)
{
	bool set[STORE_SEALED] = { false };

	*out = true;
	if (acct->username.n == 0 || acct->has_password)
		return 0;
	if (store_account_sealed(g->store, acct->id, set, e) < 0)
		return -1;
	*out = set[STORE_OAUTH_REFRESH_TOKEN];
	return 0;
}

int
boxes_list(struct gate *g, struct arena *a, struct boxes_row **out, size_t *n,
    struct err *e)
{
	struct store_account *acct;
	size_t all;

	*n = 0;
	if (store_account_list(g->store, a, &acct, &all, e) < 0)
		return -1;
	*out = arena_array(a, all, sizeof(**out));
	for (size_t i = 0; i < all; i++) {
		struct boxes_row *r = &(*out)[*n];

		if (!gate_caller_has(g, acct[i].name))
			continue;
		r->name = acct[i].name;
		r->address = boxes_address(a, &acct[i]);
		r->username = acct[i].username;
		r->from = acct[i].from_addr;
		r->sends = acct[i].mode == MODE_RW &&
		    acct[i].outbound >= OUTBOUND_APPROVE;
		if (boxes_ready(g, &acct[i], &r->ready, e) < 0)
			return -1;
		(*n)++;
	}
	return 0;
}
