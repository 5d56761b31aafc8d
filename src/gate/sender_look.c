/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks how the senders of the newest mail are authenticated.  It stores
 * nothing: no uid is assigned, no floor set, and no flag changes.
 */
#include "gate/sender_look.h"

#include "base/clock.h"
#include "base/limits.h"
#include "gate/internal.h"
#include "mime/address.h"
#include "mime/authres.h"
#include "source/dns.h"

struct named {
	struct str id;
	size_t told;
};

struct look {
	struct source *src;
	struct conn *conn;
	struct arena *a;
	struct rows rows;
	struct named name[LIMIT_AUTHRES_NAMES];
	size_t names;
};

/* In a store without uids, finds the last ones. */
static int
sender_look_last_by_id(struct look *l, struct err *e)
{
	struct folder_state st = { 0 };
	struct refs refs = { 0 };
	struct strs ids = { 0 };

	if (l->src->be->scan(l->conn, l->a, S("INBOX"), &st, &ids, e) < 0)
		return -1;
	refs.v = arena_array(l->a, LIMIT_LOOK_HEADS, sizeof(*refs.v));
	while (refs.n < LIMIT_LOOK_HEADS && refs.n < ids.n) {
		refs.v[refs.n] = (struct ref){ .uid = (uint32_t)refs.n + 1,
			.id = ids.v[ids.n - 1 - refs.n] };
		refs.n++;
	}
	if (refs.n == 0)
		return 0;
	return l->src->be->headers(l->conn, l->a, S("INBOX"), &refs, &st,
	    &l->rows, e);
}

static int
sender_look_last_rows(struct look *l, struct err *e)
{
	const struct query q = { .folder = S("INBOX") };
	struct folder_state st = { 0 };

	if (!(l->src->be->caps & CAP_UIDS))
		return sender_look_last_by_id(l, e);
	return l->src->be->find(l->conn, l->a, &q, LIMIT_LOOK_HEADS, &st,
	    &l->rows, e);
}

/* Counts one more message with results of that server. */
static void
sender_look_count_name(struct look *l, struct str id)
{
	size_t i = 0;

	while (i < l->names && !str_eq_case(l->name[i].id, id))
		i++;
	if (i == LIMIT_AUTHRES_NAMES)
		return;
	if (i == l->names)
		l->name[l->names++].id = str_dup(l->a, id);
	l->name[i].told++;
}

static void
sender_look_count_row(struct look *l, const struct row *row)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct strs names;

	authres_names(a, row->head, &names);
	for (size_t i = 0; i < names.n; i++)
		if (authres_tells(a, row->head, names.v[i]))
			sender_look_count_name(l, names.v[i]);
}

static bool
sender_look_is_signed(struct arena *a, struct str raw, int64_t deadline_ms)
{
	struct mime_envelope env;
	struct dkim_signature *sig;
	struct err none = { 0 };
	struct strs keys;
	bool bad = false;
	size_t n;

	mime_envelope_parse(a, raw, &env);
	sig = dkim_read(a, raw, address_domain(env.from_sole), clock_now(), &n,
	    &bad);
	for (size_t i = 0; i < n; i++) {
		int64_t end = clock_mono_ms() + LIMIT_DKIM_DNS_MS;

		if (dns_key_ask(a, sig[i].query,
			end < deadline_ms ? end : deadline_ms, &keys,
			&none) == 0 &&
		    dkim_verify(a, &sig[i], &keys))
			return true;
	}
	return false;
}

/* A message that cannot be fetched proves nothing; others may. */
static void
sender_look_verify_row(struct look *l, const struct row *row,
    struct sender_look *out)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct err none = { 0 };
	struct str raw;

	if (row->size > LIMIT_LOOK_BODY ||
	    l->src->be->body(l->conn, a, S("INBOX"), &row->ref, LIMIT_LOOK_BODY,
		&raw, &none) < 0)
		return;
	out->fetched++;
	out->verified +=
	    sender_look_is_signed(a, raw, l->src->view.deadline_ms);
}

/*
 * If a body could contain a fake message start, a field in a server's name is
 * worthless: an mbox whose writer did not quote "From ".
 */
static bool
has_fields(const struct look *l)
{
	return !str_eq(l->src->acct.backend, S("mbox"));
}

static void
sender_look_sum_up(struct look *l, struct sender_look *out)
{
	for (size_t i = 0; i < l->rows.n && has_fields(l); i++)
		sender_look_count_row(l, &l->rows.v[i]);
	out->messages = l->rows.n;
	for (size_t i = 0; i < l->names; i++) {
		if (l->name[i].told <= out->told)
			continue;
		out->told = l->name[i].told;
		out->authserv_id = l->name[i].id;
	}
	/*
	 * Some mail in a mailbox is internal; a few messages may be anybody's.
	 */
	if (2 * out->told < out->messages)
		out->authserv_id = S("");
	for (size_t i = 0; i < l->rows.n && out->authserv_id.n == 0 &&
	     out->fetched < LIMIT_LOOK_BODIES;
	     i++)
		sender_look_verify_row(l, &l->rows.v[i], out);
}

int
sender_look(struct source *src, struct arena *a, struct sender_look *out,
    struct err *e)
{
	struct look l = { .src = src, .a = a };
	int r;

	*out = (struct sender_look){ 0 };
	/* The Received fields show who wrote the other fields. */
	src->view.trace = true;
	if (src->be->open(&src->view, a, &l.conn, e) < 0)
		return -1;
	r = sender_look_last_rows(&l, e);
	if (r == 0)
		sender_look_sum_up(&l, out);
	src->be->close(l.conn);
	return r;
}

bool
sender_look_enough(const struct sender_look *l)
{
	return l->authserv_id.n > 0 ||
	    (l->verified > 0 && 2 * l->verified >= l->fetched);
}
