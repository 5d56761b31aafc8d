/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Authenticates the sender of a message.
 *
 * With a pinned server, only its Authentication-Results in the header count.
 * Without one, DKIM signatures are verified here, which needs the whole message
 * and a DNS query; so this is done for messages that are read completely, and
 * for a row whose visibility depends on it.  The latter cost the same whether
 * they turn out visible or not, and their number is limited; beyond the limit
 * the call fails instead of omitting what may be genuine.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "gate/internal.h"
#include "gate/judge.h"
#include "mime/address.h"
#include "mime/authres.h"
#include "source/dns.h"

enum {
	KEYS = 64 /* keys of more names are requested each time */
};

struct key {
	struct str query;
	struct strs texts;
	bool answered;
};

struct settled {
	struct str folder, from;
	uint32_t uid;
	enum sender_auth auth;
};

/* What this call has learned. */
struct sender {
	struct key key[KEYS];
	size_t keys;
	struct settled verdict[LIMIT_DKIM_BODIES];
	size_t verdicts;
	int64_t dns_ms; /* time spent on queries */
	size_t queries;
	bool spent; /* one was skipped for lack of time, or of another cap */
};

static const enum sender_auth auth_of[] = {
	[MIME_AUTH_NONE] = SENDER_NONE,
	[MIME_AUTH_FAIL] = SENDER_FAIL,
	[MIME_AUTH_PASS] = SENDER_PASS,
};

static struct sender *
sender_memory(struct mailbox *m)
{
	if (m->sender == NULL)
		m->sender = arena_new(m->arena, struct sender);
	return m->sender;
}

bool
sender_pinned(const struct mailbox *m)
{
	return m->src->acct.authserv_id.n > 0;
}

bool
sender_known(const struct mailbox *m)
{
	return m->src->be->caps & CAP_VOUCH;
}

/* The store's own word: nothing that a message says is asked beside it. */
void
sender_of_store(const struct row *row, struct mail *out)
{
	out->auth_by = "mailbox";
	out->auth = row->vouched ? SENDER_PASS : SENDER_UNCHECKED;
}

void
sender_of_head(const struct mailbox *m, enum mime_auth auth, struct mail *out)
{
	if (!sender_pinned(m))
		return;
	out->auth_by = "authserv";
	/* A body can contain a field in the server's name. */
	if (out->forgeable) {
		out->auth = SENDER_NONE;
		return;
	}
	out->auth = auth_of[auth];
}

/* Makes a query, without using up the time of the others. */
static void
sender_ask(struct mailbox *m, struct arena *a, struct key *k)
{
	struct sender *s = sender_memory(m);
	int64_t begin = clock_mono_ms();
	int64_t left = LIMIT_DKIM_DNS_TOTAL_MS - s->dns_ms;
	int64_t end;
	struct err none = { 0 };

	if (left > LIMIT_DKIM_DNS_MS)
		left = LIMIT_DKIM_DNS_MS;
	if (left <= 0 || s->queries++ >= LIMIT_DKIM_KEYS) {
		s->spent = true;
		return;
	}
	end = begin + left;
	if (end > m->src->view.deadline_ms)
		end = m->src->view.deadline_ms;
	k->answered = dns_key_ask(a, k->query, end, &k->texts, &none) == 0;
	s->spent = s->spent || none.kind == ERR_LIMIT;
	s->dns_ms += clock_mono_ms() - begin;
}

/* The key records of a name; each name is queried once. */
static void
sender_look_up(struct mailbox *m, struct arena *a, struct str query,
    struct key *out)
{
	struct sender *s = sender_memory(m);
	struct key *k;

	for (size_t i = 0; i < s->keys; i++) {
		if (str_eq(s->key[i].query, query)) {
			*out = s->key[i];
			return;
		}
	}
	if (s->keys == KEYS) {
		*out = (struct key){ .query = query };
		sender_ask(m, a, out);
		return;
	}
	k = &s->key[s->keys++];
	k->query = str_dup(m->arena, query);
	sender_ask(m, m->arena, k);
	*out = *k;
}

/*
 * One valid signature is sufficient.  A failed DNS query does not count as an
 * invalid signature.
 */
static enum sender_auth
sender_verify(struct mailbox *m, struct arena *a, struct str raw,
    struct str from)
{
	struct str domain = address_domain(from);
	struct dkim_signature *sig;
	bool bad = false, unknown = false;
	size_t n;

	if (domain.n == 0)
		return SENDER_NONE;
	sig = dkim_read(a, raw, domain, clock_now(), &n, &bad);
	for (size_t i = 0; i < n; i++) {
		struct key k;

		sender_look_up(m, a, sig[i].query, &k);
		if (!k.answered)
			unknown = true;
		else if (dkim_verify(a, &sig[i], &k.texts))
			return SENDER_PASS;
		else
			bad = true;
	}
	if (unknown)
		return SENDER_UNCHECKED;
	return bad ? SENDER_FAIL : SENDER_NONE;
}

void
sender_of_whole(struct mailbox *m, struct arena *a, struct str raw,
    struct mail *out)
{
	out->auth_by = "dkim";
	out->auth = sender_verify(m, a, raw, out->env.from_sole);
}

/* Fetches the message and verifies it, if it matches the row. */
static int
sender_fetch(struct mailbox *m, struct str folder, const struct ref *ref,
    struct str from, enum sender_auth *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_envelope env;
	struct str raw;

	*out = SENDER_UNCHECKED;
	if (m->src->be->body(m->conn, a, folder, ref, LIMIT_MESSAGE, &raw, e) <
	    0) {
		/* Gone or too big: unverifiable, so not visible. */
		if ((e->kind != ERR_NOT_FOUND && e->kind != ERR_LIMIT) ||
		    e->scope == ERR_SCOPE_CONN)
			return -1;
		*e = (struct err){ 0 };
		return 0;
	}
	mime_envelope_parse(a, raw, &env);
	*out = str_eq(env.from_sole, from) ? sender_verify(m, a, raw, from)
					   : SENDER_FAIL;
	return 0;
}

int
sender_of_row(struct mailbox *m, struct str folder, const struct row *row,
    struct mail *out, struct err *e)
{
	struct sender *s = sender_memory(m);
	struct settled v = { .folder = folder, .uid = row->ref.uid };

	out->auth_by = "dkim";
	if (row->size > LIMIT_MESSAGE)
		return 0;
	for (size_t i = 0; i < s->verdicts; i++) {
		const struct settled *was = &s->verdict[i];

		if (was->uid != v.uid || !str_eq(was->folder, folder))
			continue;
		/* A row that now has another sender is not accepted. */
		out->auth = str_eq(was->from, out->env.from_sole) ? was->auth
								  : SENDER_FAIL;
		return 0;
	}
	if (s->verdicts == LIMIT_DKIM_BODIES)
		return err_set(e, ERR_LIMIT,
		    "too many messages to verify the sender of: ask for fewer");
	v.from = str_dup(m->arena, out->env.from_sole);
	if (sender_fetch(m, folder, &row->ref, v.from, &v.auth, e) < 0)
		return -1;
	/* No query was made: that is not the sender's fault. */
	if (s->spent && v.auth == SENDER_UNCHECKED)
		return err_set(e, ERR_LIMIT,
		    "DNS is too slow to verify this many senders: ask for "
		    "fewer");
	s->verdict[s->verdicts++] = v;
	out->auth = v.auth;
	return 0;
}
