/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides whether a message is visible.  Policy gets the results of the strict
 * parsers; what they cannot parse counts as absent, and absent fails.
 */
#include "gate/judge.h"
#include "base/limits.h"
#include "gate/internal.h"
#include "mime/heads.h"

/* Above it memory is freed; below it rows are read without a check. */
#define PASSING_MAX (1UL << 20)

/* The server whose results count for what is read: empty if none is. */
static struct str
judge_authserv(const struct mailbox *m)
{
	return sender_known(m) ? S("") : m->src->acct.authserv_id;
}

void
judge_ahead(const struct mailbox *m, struct arena *a, const struct rows *rows)
{
	struct str *head, *said;

	if (!mime_heads_elsewhere() || rows->n == 0)
		return;
	head = arena_array(a, rows->n, sizeof(*head));
	said = arena_array(a, rows->n, sizeof(*said));
	for (size_t i = 0; i < rows->n; i++)
		head[i] = rows->v[i].head;
	mime_heads_ahead(a, head, rows->n, judge_authserv(m), said);
	for (size_t i = 0; i < rows->n; i++)
		rows->v[i].said = said[i];
}

/* *auth: what a pinned server says of its sender. */
static void
judge_read_row(const struct mailbox *m, struct arena *a, const struct row *row,
    struct mail *out, enum mime_auth *auth)
{
	struct mime_head head;

	mime_heads_read(a, row->head, row->said, judge_authserv(m), &head);
	*auth = head.auth;
	*out = (struct mail){ .env = head.env };
	out->uid = row->ref.uid;
	out->size = row->size;
	out->has_attachments = row->has_attachments;
	out->ambiguous = row->ambiguous;
	out->forgeable = row->forgeable;
	out->received_s = row->received_s;
	out->flags = row->flags;
	out->labels = row->labels;
	out->id = row->ref.id;
	out->thread = row->thread;
	out->folder = row->folder;
	out->places = row->places;
}

struct policy_mail
judge_facts(const struct mail *mail)
{
	return (struct policy_mail){
		.from_fields = mail->env.from_fields,
		.from = mail->env.from_sole,
		.auth = mail->auth,
		.subject = mail->env.subject,
		.subject_cut = mail->env.subject_cut,
	};
}

bool
judge_row(const struct mailbox *m, struct arena *a, const struct row *row,
    struct mail *out)
{
	struct policy_mail pm;
	enum mime_auth auth;

	judge_read_row(m, a, row, out, &auth);
	if (sender_known(m))
		sender_of_store(row, out);
	else
		sender_of_head(m, auth, out);
	pm = judge_facts(out);
	return policy_sees(m->rules, &pm);
}

bool
judge_depends(const struct mailbox *m, const struct mail *mail)
{
	struct policy_mail pm = judge_facts(mail);

	return !sender_known(m) && !sender_pinned(m) &&
	    policy_wants_auth(m->rules, &pm);
}

int
judge_sender(struct mailbox *m, struct arena *a, struct str folder,
    const struct row *row, struct mail *out, struct err *e)
{
	struct policy_mail pm;

	if (judge_row(m, a, row, out))
		return 1;
	if (!judge_depends(m, out))
		return 0;
	if (sender_of_row(m, folder, row, out, e) < 0)
		return -1;
	pm = judge_facts(out);
	return policy_sees(m->rules, &pm);
}

bool
judge_whole(struct mailbox *m, struct arena *a, const struct row *row,
    struct mail *out)
{
	struct policy_mail pm;
	enum mime_auth auth;

	judge_read_row(m, a, row, out, &auth);
	if (sender_known(m))
		sender_of_store(row, out);
	else if (sender_pinned(m))
		sender_of_head(m, auth, out);
	else
		sender_of_whole(m, a, row->head, out);
	pm = judge_facts(out);
	return policy_sees(m->rules, &pm);
}

struct arena *
judge_passing(struct arena **a)
{
	if (*a != NULL && arena_used(*a) > PASSING_MAX)
		arena_close(a);
	if (*a == NULL)
		*a = arena_open(LIMIT_ARENA);
	return *a;
}

int
judge_absent(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "no such folder or message");
}
