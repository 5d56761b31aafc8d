/* SPDX-License-Identifier: Apache-2.0 */
/* The folders that may contain a thread's messages. */
#include "gate/thread.h"

int
thread_place_list(struct mailbox *m, struct thread_place *out)
{
	const struct store_account *acct = &m->src->acct;

	*out = (struct thread_place){ 0 };
	out->folder = acct->list_folder;
	/* In an archive of lists, a folder is a list. */
	if (out->folder.n == 0 && str_eq(acct->backend, S("ponymail")))
		out->folder = acct->list;
	if (out->folder.n == 0)
		out->folder = S("INBOX");
	return 0;
}

/* The folder for a role: the operator's setting, or else the store's. */
static struct str
thread_place_of_role(struct str named, const struct folders *l,
    enum folder_role role)
{
	if (named.n > 0)
		return named;
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].selectable && l->v[i].role == role)
			return l->v[i].name;
	return S("");
}

/* "Sent" without a role. */
static struct str
thread_place_by_name(const struct folders *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].selectable &&
		    str_eq_case(l->v[i].name, str_of(name)))
			return l->v[i].name;
	return S("");
}

/* Each folder once, in the order of enum thread_place_kind. */
static void
thread_place_put(struct thread_places *out, enum thread_place_kind kind,
    struct str folder)
{
	for (int i = 0; i < (int)kind; i++)
		if (str_eq(out->v[i].folder, folder))
			return;
	out->v[kind].folder = folder;
}

int
thread_place_sent(struct mailbox *m, struct str *out, struct err *e)
{
	struct folders l = { 0 };

	*out = m->src->acct.sent_folder;
	if (out->n > 0)
		return 0;
	if (mailbox_folders(m, &l, e) < 0)
		return -1;
	*out = thread_place_of_role(S(""), &l, FOLDER_SENT);
	if (out->n == 0)
		*out = thread_place_by_name(&l, "Sent");
	return 0;
}

int
thread_place_find(struct mailbox *m, struct thread_places *out, struct err *e)
{
	const struct store_account *acct = &m->src->acct;
	struct folders l = { 0 };
	struct str sent, drafts;

	*out = (struct thread_places){ 0 };
	if (thread_place_list(m, &out->v[THREAD_LIST]) < 0)
		return -1;
	/*
	 * In an archive each folder is a list, and no other folder has its
	 * threads.
	 */
	if (str_eq(acct->backend, S("ponymail")))
		return 0;
	if (mailbox_folders(m, &l, e) < 0)
		return -1;
	sent = thread_place_of_role(acct->sent_folder, &l, FOLDER_SENT);
	if (sent.n == 0)
		sent = thread_place_by_name(&l, "Sent");
	drafts = thread_place_of_role(acct->drafts_folder, &l, FOLDER_DRAFTS);
	thread_place_put(out, THREAD_INBOX, S("INBOX"));
	thread_place_put(out, THREAD_SENT, sent);
	thread_place_put(out, THREAD_DRAFTS, drafts);
	return 0;
}
