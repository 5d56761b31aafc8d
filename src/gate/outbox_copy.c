/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The copy in Sent.  The message has already been sent: failures here are
 * reported separately and change nothing about that.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "gate/internal.h"
#include "gate/outbox_post.h"

/* "Sent", at the top level or below INBOX as on some servers. */
static bool
outbox_copy_is_named_sent(const struct folder *f)
{
	struct str inbox = S("INBOX");
	struct str name = f->name;

	if (f->delimiter != 0 && name.n > inbox.n + 1 &&
	    str_starts_case(name, inbox) && name.p[inbox.n] == f->delimiter)
		name = str_from(name, inbox.n + 1);
	return str_eq_case(name, S("Sent"));
}

int
outbox_copy_folder(struct conn *c, struct arena *a, struct str *out,
    struct err *e)
{
	struct folders l = { 0 };
	const struct folder *named = NULL;

	if (c->be->folders(c, a, &l, e) < 0)
		return -1;
	for (size_t i = 0; i < l.n; i++) {
		if (!l.v[i].selectable)
			continue;
		if (l.v[i].role == FOLDER_SENT) {
			*out = l.v[i].name;
			return 0;
		}
		if (named == NULL && outbox_copy_is_named_sent(&l.v[i]))
			named = &l.v[i];
	}
	if (named == NULL)
		return err_set(e, ERR_NOT_FOUND,
		    "the account has no folder for sent mail");
	*out = named->name;
	return 0;
}

static int
outbox_copy_append(const struct outbox_post *p, struct str message,
    struct err *e)
{
	const struct backend *be = p->src->be;
	struct conn *c = NULL;
	struct str folder = { 0 };
	int64_t since = clock_mono_ms();
	int r = -1;

	if (source_unseal(p->store, p->src, e) < 0 ||
	    be->open(&p->src->view, p->arena, &c, e) < 0)
		return -1;
	if (outbox_copy_folder(c, p->arena, &folder, e) == 0)
		r = be->append(c, p->arena, folder, message, e);
	backend_trace(c, since, r, e, "append to \"%.*s\", %zu bytes",
	    STR_ARG(folder), message.n);
	be->close(c);
	return r;
}

bool
outbox_copy_is_due(const struct outbox_post *p)
{
	return !p->src->acct.no_sent_copy && (p->src->be->caps & CAP_APPEND);
}

enum store_outbox_copy
outbox_copy(const struct outbox_post *p, const struct store_outbox *row,
    struct err *e)
{
	int64_t *deadline = &p->src->view.deadline_ms;
	int64_t was = *deadline;
	int64_t time = 0;
	int r;

	if (!outbox_copy_is_due(p))
		return STORE_COPY_NONE;
	/* A separate time limit: a slow send must not prevent the copy. */
	if (store_setting_timeout(p->store, &time, e) < 0)
		return STORE_COPY_FAILED;
	if (time > LIMIT_COPY_MS)
		time = LIMIT_COPY_MS;
	*deadline = clock_mono_ms() + time;
	r = outbox_copy_append(p, row->message, e);
	*deadline = was;
	return r < 0 ? STORE_COPY_FAILED : STORE_COPY_SAVED;
}
