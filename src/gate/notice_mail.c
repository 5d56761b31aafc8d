/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A notice as mail, by the outbox.  The operator's own setting allows it, so no
 * account's policy is asked: text and recipient are nobody else's.  An account
 * that fails is not to be the only way to hear of it, so the next is tried
 * while it is certain that nothing was sent.
 */
#include <sys/random.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "gate/internal.h"
#include "gate/notice.h"
#include "gate/outbox_post.h"
#include "gate/rules.h"
#include "store/keeper.h"

/* A provider may keep a copy that agents read: it names no account. */
static struct str
notice_mail_body(struct arena *a, const struct notice *n)
{
	struct buf b;

	buf_init(&b, a, 1 << 16);
	buf_fmt(&b, "emcli: %.*s.\n\n", STR_ARG(notice_text(a, &n->is)));
	buf_fmt(&b, "Since: %.*s\nNext: %s\n",
	    STR_ARG(clock_rfc3339(a, n->is.since_s)),
	    notice_text_next(n->is.kind));
	return buf_view(&b);
}

static int
notice_mail_compose(struct arena *a, const struct source *src,
    const struct notice *n, struct store_outbox *row, struct err *e)
{
	struct store_outbox_rcpt *to = arena_new(a, struct store_outbox_rcpt);
	struct compose c = {
		.subject =
		    str_fmt(a, "emcli: %.*s", STR_ARG(notice_text(a, &n->is))),
		.body = notice_mail_body(a, n),
		.date_s = clock_now(),
		/* RFC 3834: nothing answers it. */
		.auto_submitted = S("auto-generated"),
	};
	unsigned char rnd[16];

	to->canonical = n->address;
	if (address_wire(a, n->address, &to->address, &row->smtputf8, e) < 0 ||
	    address_wire(a, src->acct.from_addr, &row->sender, &row->smtputf8,
		e) < 0)
		return -1;
	if (getrandom(rnd, sizeof(rnd), 0) != sizeof(rnd))
		err_bug("no random bytes from the kernel");
	str_push(a, &c.to, to->address);
	c.from = row->sender;
	c.message_id = src->submitter->message_id != NULL
	    ? src->submitter->message_id(a, rnd, c.date_s)
	    : compose_message_id(a, rnd, row->sender);
	row->message_id = c.message_id;
	row->rcpt = to;
	row->n = 1;
	return compose_message(a, &c, &row->message, e);
}

static int
notice_mail_row(struct store *s, struct arena *a, const struct source *src,
    const struct notice *n, struct store_outbox *row, struct err *e)
{
	CLEANUP(rules_close) struct policy_rules rules = { 0 };

	*row = (struct store_outbox){
		.account = src->acct.id,
		.principal = S("operator"),
		.state = STORE_OUTBOX_SENDING,
		.unfrozen = true,
	};
	if (notice_mail_compose(a, src, n, row, e) < 0 ||
	    rules_load(s, a, &src->acct, &rules, e) < 0)
		return -1;
	row->bytes = row->message.n;
	row->policy = outbox_digest_policy(a, &src->acct, &rules);
	row->digest = outbox_digest_row(a, src->acct.name, row);
	row->request = row->digest;
	return 0;
}

/* One that can send, with a deadline of its own. */
static int
notice_mail_source(struct store *s, struct arena *a, struct str account,
    struct source *src, struct err *e)
{
	int64_t timeout;

	if (store_setting_timeout(s, &timeout, e) < 0 ||
	    source_resolve(s, a, account, clock_mono_ms() + timeout, src, e) <
		0)
		return -1;
	if (src->submitter != NULL && src->acct.from_addr.n > 0)
		return 0;
	return err_set(e, ERR_UNSUPPORTED, "this account cannot send");
}

bool
notice_mail_can(struct store *s, struct arena *a, struct str account)
{
	CLEANUP(source_done) struct source src = { 0 };
	struct err unused = { 0 };

	return notice_mail_source(s, a, account, &src, &unused) == 0;
}

static int
notice_mail_by(struct store *s, struct arena *a, struct str account,
    const struct notice *n, struct err *e)
{
	const struct store_outbox_limits none = { 0 };
	CLEANUP(source_done) struct source src = { 0 };
	struct outbox_post post = { .store = s, .src = &src, .arena = a };
	struct store_outbox row;
	struct sent sent;
	bool found;

	if (notice_mail_source(s, a, account, &src, e) < 0 ||
	    notice_mail_row(s, a, &src, n, &row, e) < 0)
		return -1;
	/* Agents read that folder. */
	src.acct.no_sent_copy = true;
	if (store_open_is_served(s))
		source_wire(&src, a);
	return store_outbox_add(s, a, &row, &none, &found, e) < 0
	    ? -1
	    : outbox_dispatch(&post, &row, &sent, e);
}

/* Those of which it is known that they fail come last. */
static int
notice_mail_order(struct store *s, const struct env *env, struct arena *a,
    struct strs *out, struct err *e)
{
	struct store_account *v = NULL;
	size_t n = 0;

	if (store_account_list(s, a, &v, &n, e) < 0)
		return -1;
	for (int pass = 0; pass < 3; pass++)
		for (size_t i = 0; i < n; i++) {
			const bool first = env->account != NULL &&
			    str_eq_case(v[i].name, str_of(env->account));
			const bool fails =
			    store_notice_fails(s, v[i].id, e) > 0;
			const int place = fails ? 2 : !first;

			if (place == pass)
				str_push(a, out, v[i].name);
		}
	return 0;
}

int
notice_mail(struct store *s, const struct env *env, struct arena *a,
    const struct notice *n, struct str *detail, struct err *e)
{
	struct strs names = { 0 };

	if (notice_mail_order(s, env, a, &names, e) < 0)
		return -1;
	(void)err_set(e, ERR_CONFIG, "no account can send");
	for (size_t i = 0; i < names.n; i++) {
		struct err one = { 0 };

		if (notice_mail_by(s, a, names.v[i], n, &one) == 0) {
			*detail = str_fmt(a, "by %.*s", STR_ARG(names.v[i]));
			*e = (struct err){ 0 };
			return 0;
		}
		if (one.kind != ERR_UNSUPPORTED)
			*e = one;
		/* It may have been sent. */
		if (one.kind == ERR_UNKNOWN_OUTCOME)
			return -1;
	}
	return -1;
}
