/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of a change, and its reply. */
#include "op/organise.h"

#include <stdlib.h>

enum {
	SHOWN = 50 /* messages of a dry run */
};

const struct field organise_fields[] = {
	{ "change", FIELD_INT, .nullable = true,
	    .help = "its number, as `changes` lists it; null: nothing was "
		    "changed" },
	{ "count", FIELD_INT,
	    .help = "messages changed, or with dry_run that would be" },
	{ "to", FIELD_TEXT, .nullable = true, .help = "folder they went to" },
	{ "uids", FIELD_INTS, .help = "of the messages, in `folder`" },
	{ "new_uids", FIELD_INTS, .optional = true,
	    .help = "in `to`, in the order of uids; 0: not known" },
	{ "not_done", FIELD_INTS, .optional = true,
	    .help = "uids that the server did not change" },
	{ "messages", FIELD_OBJECTS, .optional = true,
	    .help = "with dry_run: the first 50", .sub = fields_row },
	FIELDS_WARNINGS,
	{ 0 },
};

/* -- which messages -------------------------------------------------------- */

static int
organise_by_number(const void *x, const void *y)
{
	uint32_t p = *(const uint32_t *)x, q = *(const uint32_t *)y;

	return p < q ? -1 : p > q;
}

static int
organise_too_many(struct err *e)
{
	(void)err_set(e, ERR_LIMIT, "at most %d messages in one call",
	    LIMIT_ORGANISE);
	return err_hint(e, "name fewer, or search more narrowly");
}

/* Their uids, ascending. */
static int
organise_search(struct call *c, struct mailbox_query *q, uint32_t *uid,
    size_t *n, struct err *e)
{
	struct mails page;

	*n = 0;
	do {
		if (mailbox_find(c->mailbox, q, &page, e) < 0)
			return -1;
		if (*n + page.n > LIMIT_ORGANISE)
			return organise_too_many(e);
		for (size_t i = 0; i < page.n; i++)
			uid[(*n)++] = page.v[i].uid;
		q->before = page.next_before;
	} while (page.next_before != 0);
	if (*n > 1)
		qsort(uid, *n, sizeof(*uid), organise_by_number);
	return 0;
}

/* 0 would be no criterion, and mean every message. */
static int64_t
organise_day(const struct call *c, const char *name)
{
	int64_t s = args_date(c->args, name);

	return s == 0 && args_has(c->args, name) ? 1 : s;
}

int
organise_messages(struct call *c, struct mailbox_set *out, struct err *e)
{
	const struct arg *uid = args_find(c->args, S("uid"));
	struct str folder = args_text(c->args, "folder");
	struct mailbox_query q = {
		.folder = folder,
		.from = args_text(c->args, "from"),
		.subject = args_text(c->args, "subject_contains"),
		.before_s = organise_day(c, "before"),
		.list = args_text(c->args, "list"),
		.limit = LIMIT_PAGE,
		.ids_only = true,
	};
	bool search = q.from.n > 0 || q.subject.n > 0 || q.list.n > 0 ||
	    args_has(c->args, "before");
	uint32_t found[LIMIT_ORGANISE];
	size_t n = 0;

	if (search == (uid->uids > 0))
		return err_set(e, ERR_USAGE,
		    "name the messages by uid, or by from, subject_contains, "
		    "before or list");
	if (uid->uids > LIMIT_ORGANISE)
		return organise_too_many(e);
	if (!search)
		return mailbox_choose(c->mailbox, folder, uid->uid, uid->uids,
		    out, e);
	if (organise_search(c, &q, found, &n, e) < 0)
		return -1;
	*out = (struct mailbox_set){ .folder = folder };
	return n == 0 ? 0
		      : mailbox_choose(c->mailbox, folder, found, n, out, e);
}

/* -- where to -------------------------------------------------------------- */

static int
organise_folder_of(struct call *c, enum folder_role role,
    enum folder_role other, struct str *out, struct err *e)
{
	const char *word = mailbox_role(role);
	struct folders l = { 0 };

	*out = S("");
	if (mailbox_folders(c->mailbox, &l, e) < 0)
		return -1;
	for (size_t i = 0; i < l.n; i++)
		if (l.v[i].role == role ||
		    (l.v[i].role == other && out->n == 0))
			*out = l.v[i].name;
	if (out->n > 0)
		return 0;
	(void)err_set(e, ERR_UNSUPPORTED,
	    "the account has no folder with the role %s", word);
	return err_hint(e,
	    "folders lists the folders: move the messages into one of them");
}

/* -- the reply ------------------------------------------------------------- */

/* The first few, as a list shows them. */
static int
organise_put_dry(struct call *c, const struct mailbox_set *set, struct str to,
    struct json *out, struct err *e)
{
	struct mails some = set->mails;

	some.n = some.n < SHOWN ? some.n : SHOWN;
	if (mailbox_choose_shown(c->mailbox, &some, e) < 0)
		return -1;
	json_put_null(out, "change");
	json_put_int(out, "count", (int64_t)set->mails.n);
	json_put_str_or_null(out, "to", to);
	json_open_array(out, "uids");
	for (size_t i = 0; i < set->mails.n; i++)
		json_put_int(out, NULL, set->mails.v[i].uid);
	json_close_array(out);
	json_open_array(out, "messages");
	for (size_t i = 0; i < some.n; i++) {
		json_open_object(out, NULL);
		fields_put_row(out, c->arena, &some.v[i]);
		json_close_object(out);
	}
	json_close_array(out);
	return 0;
}

void
organise_put(struct call *c, struct json *out, const struct mailbox_change *ch)
{
	json_put_int(out, "change", ch->id);
	json_put_int(out, "count", (int64_t)ch->done);
	json_put_str_or_null(out, "to", ch->target);
	json_open_array(out, "uids");
	for (size_t i = 0; i < ch->n; i++)
		if (ch->result[i].done)
			json_put_int(out, NULL, ch->result[i].uid);
	json_close_array(out);
	if (ch->move) {
		json_open_array(out, "new_uids");
		for (size_t i = 0; i < ch->n; i++)
			if (ch->result[i].done)
				json_put_int(out, NULL, ch->result[i].new_uid);
		json_close_array(out);
	}
	if (ch->done < ch->n) {
		json_open_array(out, "not_done");
		for (size_t i = 0; i < ch->n; i++)
			if (!ch->result[i].done)
				json_put_int(out, NULL, ch->result[i].uid);
		json_close_array(out);
	}
	gate_tell(c, "%s %zu message%s (change %lld)",
	    ch->move ? "moved" : "marked", ch->done, ch->done == 1 ? "" : "s",
	    (long long)ch->id);
}

/* -- what is done ---------------------------------------------------------- */

int
organise_mark(struct call *c, const struct flag_change *change,
    struct json *out, struct err *e)
{
	struct mailbox_change ch;
	struct mailbox_set set = { 0 };

	/* A dry run is refused where the change itself is not allowed. */
	if (mailbox_organise_check(c->mailbox, args_text(c->args, "folder"),
		S(""), change, e) < 0 ||
	    organise_messages(c, &set, e) < 0)
		return -1;
	if (set.mails.n == 0 || args_has(c->args, "dry_run"))
		return organise_put_dry(c, &set, S(""), out, e);
	if (gate_consent_change(c, &set.mails, e) < 0 ||
	    mailbox_organise_mark_set(c->mailbox, &set, change, &ch, e) < 0)
		return -1;
	organise_put(c, out, &ch);
	return 0;
}

int
organise_move(struct call *c, struct str to, struct json *out, struct err *e)
{
	struct mailbox_change ch;
	struct mailbox_set set = { 0 };

	if (str_eq(to, args_text(c->args, "folder")))
		return err_set(e, ERR_USAGE,
		    "the messages are in that folder already");
	if (mailbox_organise_check(c->mailbox, args_text(c->args, "folder"), to,
		NULL, e) < 0 ||
	    organise_messages(c, &set, e) < 0)
		return -1;
	if (set.mails.n == 0 || args_has(c->args, "dry_run"))
		return organise_put_dry(c, &set, to, out, e);
	if (gate_consent_change(c, &set.mails, e) < 0 ||
	    mailbox_organise_move_set(c->mailbox, &set, to, &ch, e) < 0)
		return -1;
	organise_put(c, out, &ch);
	return 0;
}

int
organise_move_role(struct call *c, enum folder_role role,
    enum folder_role other, struct json *out, struct err *e)
{
	struct str to = { 0 };

	if (organise_folder_of(c, role, other, &to, e) < 0)
		return -1;
	return organise_move(c, to, out, e);
}
