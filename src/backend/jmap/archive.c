/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The folder for archived mail, which some servers do not make by themselves
 * (Stalwart 0.15).  RFC 8621 section 2.5.
 */
#include "backend/jmap/change.h"
#include "backend/jmap/internal.h"

#define NAME "Archive"

static int
jmap_archive_refused(struct str type, struct err *e)
{
	struct err why = { 0 };

	(void)jmap_call_refused(type, &why);
	(void)err_set(e, ERR_UNSUPPORTED,
	    "the mailbox has no folder for archived mail, and the mail server "
	    "does not make one: make one with the role archive there");
	return err_because(e, "%s", why.say);
}

static int
jmap_archive_make(struct jmap *j, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(JMAP_ANSWER);
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	const struct json_value *args;
	struct str type = { 0 };
	size_t i;
	int r;

	jmap_call_begin(j, a, &c);
	i = jmap_call_open(&c, "Mailbox/set", j->session.account);
	json_open_object(c.out, "create");
	json_open_object(c.out, "m");
	json_put_text(c.out, "name", NAME);
	json_put_null(c.out, "parentId");
	json_put_text(c.out, "role", "archive");
	json_close_object(c.out);
	json_close_object(c.out);
	jmap_call_close(&c);
	if ((r = jmap_call_send(&c, e)) < 0)
		return r;
	if (jmap_call_error(&c, i, &type))
		return jmap_archive_refused(type, e);
	if ((r = jmap_call_take(&c, i, &args, e)) < 0)
		return r;
	if (json_parse_member(json_parse_member(args, "created"), "m") != NULL)
		return 0;
	args = json_parse_member(json_parse_member(args, "notCreated"), "m");
	(void)json_parse_str(json_parse_member(args, "type"), &type);
	return jmap_archive_refused(type, e);
}

/* By its role; else one of that name, whose server may know no roles. */
static const struct jmap_box *
jmap_archive_look(const struct jmap *j)
{
	const struct jmap_box *box = jmap_folder_role(j, FOLDER_ARCHIVE);

	for (size_t i = 0; box == NULL && i < j->boxes.n; i++)
		if (str_eq_case(j->boxes.v[i].path, S(NAME)))
			box = &j->boxes.v[i];
	return box;
}

int
jmap_archive_need(struct jmap *j, const struct jmap_box **out, struct err *e)
{
	int r = jmap_folder_need_fresh(j, e);

	*out = r == 0 ? jmap_archive_look(j) : NULL;
	if (r < 0 || *out != NULL)
		return r;
	r = jmap_archive_make(j, e);
	j->boxes_known = false;
	if (r == 0)
		r = jmap_folder_need(j, e);
	if (r < 0)
		return r;
	*out = jmap_archive_look(j);
	return *out != NULL ? 0 : jmap_archive_refused(S("notFound"), e);
}
