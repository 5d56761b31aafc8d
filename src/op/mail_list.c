/* SPDX-License-Identifier: Apache-2.0 */
/* mail_list: any box, by how its messages are marked. */
#include "op/mail.h"

#include "op/internal.h"

static const struct arg_spec args[] = {
	MAIL_ARGS,
	{ "box", ARG_FOLDER, ARG_BOX, "which box", .def = "inbox" },
	{ "read_state", ARG_CHOICE, 0, "only read ones, or unread ones",
	    .choices = "any|read|unread", .def = "any" },
	{ "answered_state", ARG_CHOICE, 0,
	    "only answered ones, or unanswered ones",
	    .choices = "any|answered|unanswered", .def = "any" },
	{ "archived", ARG_CHOICE, 0, "only those put away, or the others",
	    .choices = "true|false", .def = NULL },
	{ "include_body", ARG_FLAG, 0, "with the whole body", .def = NULL },
	MAIL_ARG_PAGE,
	{ 0 },
};

static const struct field result[] = {
	MAIL_HEAD,
	{ "box", FIELD_TEXT, false, false, "as it was asked", NULL },
	{ "message_count", FIELD_INT, false, false, "messages here", NULL },
	{ "open_count", FIELD_INT, false, false, "of these, those not put away",
	    NULL },
	{ "unread_count", FIELD_INT, false, false, "of these, unread ones",
	    NULL },
	{ "messages", FIELD_OBJECTS, false, false, "newest first",
	    mail_put_message_fields },
	MAIL_EXTENSIONS,
	{ 0 },
};

/* A choice as a question for a flag: yes, no, or nothing. */
static void
mail_list_want(const struct call *c, const char *arg, const char *yes,
    unsigned flag, struct mail_page *p)
{
	struct str said = args_text(c->args, arg);

	if (said.n == 0 || str_eq(said, S("any")))
		return;
	if (str_eq(said, str_of(yes)))
		p->with |= flag;
	else
		p->without |= flag;
}

static void
mail_list_put_counts(const struct mails *l, bool away, struct json *out)
{
	int64_t open = 0, unread = 0;

	for (size_t i = 0; i < l->n; i++) {
		open += !away && !(l->v[i].flags & FLAG_ARCHIVED);
		unread += !(l->v[i].flags & FLAG_READ);
	}
	json_put_int(out, "message_count", (int64_t)l->n);
	json_put_int(out, "open_count", open);
	json_put_int(out, "unread_count", unread);
}

static int
mail_list_run(struct call *c, struct json *out, struct err *e)
{
	struct str box = args_text(c->args, "box");
	struct mail_page p = { .body = args_has(c->args, "include_body") };
	struct mail_box b;
	struct mails l;

	if (mail_begin(c, &b, e) < 0 ||
	    mail_box_folder(c, &b, box, &p.folder, e) < 0)
		return -1;
	b.states = true;
	mail_list_want(c, "read_state", "read", FLAG_READ, &p);
	mail_list_want(c, "answered_state", "answered", FLAG_ANSWERED, &p);
	mail_list_want(c, "archived", "true", FLAG_ARCHIVED, &p);
	if (mail_page_read(c, &b, &p, &l, e) < 0)
		return -1;
	mail_put_head(&b, out);
	json_put_str(out, "box", box);
	mail_list_put_counts(&l, str_eq(box, S("archive")), out);
	return mail_page_put(c, &b, &p, &l, out, e);
}

const struct op op_mail_list = {
	.name = "mail_list",
	.summary = "List the messages of a box",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_READ,
	.args = args,
	.result = result,
	.columns = MAIL_COLUMNS,
	.run = mail_list_run,
};
