/*
 * Who vouches for the sender of a message.
 *
 * With a server pinned, its Authentication-Results in the header say so, and
 * nothing else does.  Without one, DKIM signatures are verified here, which
 * takes the whole message and a question to DNS: so it is done for what is read
 * whole, and for a row whose being seen at all depends on it.  The latter cost
 * what they cost whether they turn out to be seen or not, and there is a limit
 * to them; over it the call fails rather than to leave out what may be genuine.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "gate/internal.h"
#include "mime/address.h"
#include "mime/authres.h"
#include "source/dns.h"

enum {
	KEYS = 64 /* of other names, keys are asked for each time */
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

/* What was learned in this call. */
struct sender {
	struct key key[KEYS];
	size_t keys;
	struct settled verdict[LIMIT_DKIM_BODIES];
	size_t verdicts;
	int64_t dns_ms; /* spent on questions */
	bool spent;     /* one was not asked for want of time */
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
sender_of_head(const struct mailbox *m, struct arena *a, struct str head,
    struct mail *out)
{
	struct str domain = address_domain(out->env.from_sole);

	if (!sender_pinned(m))
		return;
	out->auth_by = "authserv";
	/* A body can hold a field in the server's name. */
	if (out->forgeable) {
		out->auth = SENDER_NONE;
		return;
	}
	out->auth =
	    auth_of[authres_judge(a, head, m->src->acct.authserv_id, domain)];
}

/* Asks, and lets no question take the time of all the others. */
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
	if (left <= 0) {
		s->spent = true;
		return;
	}
	end = begin + left;
	if (end > m->src->view.deadline_ms)
		end = m->src->view.deadline_ms;
	k->answered = dns_ask_text(a, k->query, end, &k->texts, &none) == 0;
	s->dns_ms += clock_mono_ms() - begin;
}

/* The key records of a name; a name that was asked for is not asked again. */
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
 * One good signature is enough.  What DNS did not answer is not known to be
 * bad, so it does not count as a failure.
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
	if (sender_pinned(m)) {
		sender_of_head(m, a, raw, out);
		return;
	}
	out->auth_by = "dkim";
	out->auth = sender_verify(m, a, raw, out->env.from_sole);
}

/* Fetches the message and verifies it, if it is the one the row told of. */
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
		/* Gone or too big: nobody can tell, so it is not seen. */
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
		/* A row that tells of another sender now is a lie. */
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
	/* Nobody asked: that is not the sender's fault. */
	if (s->spent && v.auth == SENDER_UNCHECKED)
		return err_set(e, ERR_LIMIT,
		    "DNS is too slow to verify this many senders: ask for "
		    "fewer");
	s->verdict[s->verdicts++] = v;
	out->auth = v.auth;
	return 0;
}
