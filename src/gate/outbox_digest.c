/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The digests that rows of the outbox are bound to.  A list is hashed with its
 * length, so that no two different messages have the same digest.
 */
#include "gate/internal.h"
#include "gate/outbox_post.h"
#include "store/journal.h"

static void
put_int(struct arena *a, struct strs *l, uint64_t n)
{
	str_push(a, l, str_fmt(a, "%llu", (unsigned long long)n));
}

static void
outbox_digest_put_list(struct arena *a, struct strs *l, const struct strs *v)
{
	put_int(a, l, v->n);
	for (size_t i = 0; i < v->n; i++)
		str_push(a, l, v->v[i]);
}

struct str
outbox_digest_request(struct outbox *o)
{
	const struct args *args = o->call->args;
	struct arena *a = o->arena;
	struct strs l = { 0 };

	str_push(a, &l, o->src->acct.name);
	for (size_t i = 0; i < args->n; i++) {
		const struct arg *arg = &args->v[i];
		struct str def = str_of(arg->spec->def);
		struct strs assumed = { &def, 1 };

		if (str_eq(str_of(arg->spec->name), S("idempotency_key")) ||
		    str_eq(str_of(arg->spec->name), S("dry_run")))
			continue;
		str_push(a, &l, str_of(arg->spec->name));
		outbox_digest_put_list(a, &l,
		    arg->text.n == 0 && def.n > 0 ? &assumed : &arg->text);
	}
	/* What a message brings is named by its uid, and may be gone later. */
	put_int(a, &l, o->given);
	for (size_t i = 0; i < o->given; i++)
		str_push(a, &l, o->file[i].bytes);
	return store_digest(a, l.v, l.n);
}

/* Sorted, so that the order in which recipients were given does not matter. */
static void
outbox_digest_put_people(struct arena *a, struct strs *l,
    const struct strs *people)
{
	struct strs v = { arena_array(a, people->n + 1, sizeof(*v.v)), 0 };

	for (size_t i = 0; i < people->n; i++) {
		size_t k = v.n++;

		while (k > 0 && str_cmp(people->v[i], v.v[k - 1]) < 0) {
			v.v[k] = v.v[k - 1];
			k--;
		}
		v.v[k] = people->v[i];
	}
	outbox_digest_put_list(a, l, &v);
}

struct str
outbox_digest_said(struct outbox *o, const struct outgoing *m,
    const struct strs *judged)
{
	struct arena *a = o->arena;
	struct strs l = { 0 };

	outbox_digest_put_people(a, &l, judged);
	str_push(a, &l, str_trim(m->body));
	if (m->below.n > 0)
		str_push(a, &l, m->below);
	put_int(a, &l, o->files);
	for (size_t i = 0; i < o->files; i++)
		str_push(a, &l, o->file[i].bytes);
	return store_digest(a, l.v, l.n);
}

/* What would be done; `message` says to which messages. */
static void
outbox_digest_put_change(struct arena *a, struct strs *l,
    const struct store_journal *c)
{
	str_push(a, l, c->move ? S("move") : S("mark"));
	str_push(a, l, c->folder);
	put_int(a, l, c->uidvalidity);
	str_push(a, l, c->target);
	put_int(a, l, c->set);
	put_int(a, l, c->clear);
	outbox_digest_put_list(a, l, &c->add);
	outbox_digest_put_list(a, l, &c->drop);
	put_int(a, l, c->n);
}

struct str
outbox_digest_row(struct arena *a, struct str account,
    const struct store_outbox *row)
{
	struct strs l = { 0 };

	str_push(a, &l, account);
	put_int(a, &l, (uint64_t)row->account);
	str_push(a, &l, row->sender);
	put_int(a, &l, row->smtputf8);
	put_int(a, &l, row->n);
	for (size_t i = 0; i < row->n; i++) {
		str_push(a, &l, row->rcpt[i].address);
		str_push(a, &l, row->rcpt[i].canonical);
	}
	str_push(a, &l, row->message_id);
	str_push(a, &l, row->message);
	/* Principal, request, and why and how long it waits. */
	str_push(a, &l, row->principal);
	str_push(a, &l, row->key);
	str_push(a, &l, row->request);
	str_push(a, &l, row->policy);
	str_push(a, &l, row->reason);
	put_int(a, &l, (uint64_t)row->expires_s);
	put_int(a, &l, row->bytes);
	if (row->change != NULL)
		outbox_digest_put_change(a, &l, row->change);
	return store_digest(a, l.v, l.n);
}

/*
 * A setting that a later version adds gets a form of its own: a message held
 * before is still compared in the form of that time.
 */
enum {
	FORM_FIRST = 1,
	FORM_UNFINISHED, /* with no_unfinished_check */
	FORM_FORWARD,    /* with forward */
	FORMS
};

static struct str
outbox_digest_policy_in_form(struct arena *a, const struct store_account *acct,
    const struct policy_rules *rules, int form)
{
	struct strs l = { 0 };

	put_int(a, &l, rules->mode);
	put_int(a, &l, rules->outbound);
	put_int(a, &l, rules->in_on);
	put_int(a, &l, rules->out_on);
	outbox_digest_put_list(a, &l, &rules->in);
	outbox_digest_put_list(a, &l, &rules->in_dmarc);
	outbox_digest_put_list(a, &l, &rules->out);
	str_push(a, &l, acct->subject_regex);
	str_push(a, &l, acct->authserv_id);
	str_push(a, &l, acct->attach_dir);
	put_int(a, &l, acct->scope_thread);
	put_int(a, &l, acct->no_secrets_check);
	put_int(a, &l, acct->taint_minutes);
	put_int(a, &l, acct->limit_messages);
	put_int(a, &l, acct->limit_new_recipients);
	put_int(a, &l, acct->limit_recipients);
	put_int(a, &l, acct->limit_bytes);
	if (form >= FORM_UNFINISHED)
		put_int(a, &l, acct->no_unfinished_check);
	if (form >= FORM_FORWARD)
		put_int(a, &l, acct->forward);
	return store_digest(a, l.v, l.n);
}

struct str
outbox_digest_policy(struct arena *a, const struct store_account *acct,
    const struct policy_rules *rules)
{
	return outbox_digest_policy_in_form(a, acct, rules, FORMS - 1);
}

bool
outbox_digest_policy_is(struct arena *a, const struct store_account *acct,
    const struct policy_rules *rules, struct str digest)
{
	for (int form = FORM_FIRST; form < FORMS; form++)
		if (str_eq(outbox_digest_policy_in_form(a, acct, rules, form),
			digest))
			return true;
	return false;
}
