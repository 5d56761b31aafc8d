/* What leaves, and what is put into the store. */
#include "verbs.h"

int
fake_submit(struct conn *c, struct arena *a, struct submission *s,
    struct err *e)
{
	(void)a;
	if (fake_begin(c->acct, FAKE_SUBMIT, e) < 0)
		return -1;
	if (fake.meanwhile != NULL)
		fake.meanwhile();
	if (backend_submit_look(s, e) < 0)
		return -1;
	for (size_t i = 0; i < s->n; i++) {
		bool no = fake.refused != NULL &&
		    str_eq(s->to[i].addr, str_of(fake.refused));

		s->to[i].code = no ? 550 : 250;
		s->to[i].status = no ? S("no such user") : S("accepted");
		if (no)
			return err_set(e, ERR_REJECTED, "nobody is called so");
	}
	fake.sent++;
	fake.recipients = s->n;
	fake.message = str_dup(fake_kept, s->message);
	return 0;
}

/* A message as its parts, which the array has. */
static struct fake_mail *
put_message(struct str folder, struct str message)
{
	ptrdiff_t end = str_find(message, S("\r\n\r\n"));
	size_t head = end < 0 ? message.n : (size_t)end + 2;
	size_t body = end < 0 ? message.n : (size_t)end + 4;
	struct fake_mail *m = fake_add(
	    str_fmt(fake_kept, "%.*s", STR_ARG(str_first(message, head))).p);

	m->body =
	    str_fmt(fake_kept, "%.*s", STR_ARG(str_from(message, body))).p;
	m->folder = str_fmt(fake_kept, "%.*s", STR_ARG(folder)).p;
	return m;
}

int
fake_append(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct err *e)
{
	(void)a;
	if (fake_begin_in(c, FAKE_APPEND, folder, e) < 0)
		return -1;
	(void)put_message(folder, message);
	return 0;
}

int
fake_drafts(struct conn *c, struct arena *a, struct str *folder, struct err *e)
{
	(void)a;
	if (fake_begin(c->acct, FAKE_DRAFTS, e) < 0)
		return -1;
	*folder = c->acct->drafts_folder;
	for (size_t i = 0; i < fake.folders && folder->n == 0; i++)
		if (fake.folder[i].role == FOLDER_DRAFTS)
			*folder = fake.folder[i].name;
	if (fake_has_folder(*folder))
		return 0;
	return err_set(e, ERR_UNSUPPORTED, "there is no folder for drafts");
}

int
fake_draft(struct conn *c, struct arena *a, struct str folder,
    struct str message, struct str thread, struct drafted *out, struct err *e)
{
	struct fake_mail *m;

	if (fake_begin_in(c, FAKE_DRAFT, folder, e) < 0)
		return -1;
	m = put_message(folder, message);
	m->draft = true;
	m->thread = str_fmt(fake_kept, "%.*s", STR_ARG(thread)).p;
	*out = (struct drafted){ .ref = fake_ref(c, a, m), .thread = thread };
	out->id = str_fmt(a, "%u", m->uid);
	return 0;
}
