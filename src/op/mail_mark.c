/* SPDX-License-Identifier: Apache-2.0 */
/* mail_mark: read, answered, put away, and back. */
#include "op/mail.h"

#include "op/internal.h"

#define MARK_ARG(name, help)                                                   \
	{                                                                      \
		name, ARG_CHOICE, 0, help, .choices = "true|false",            \
					   .def = NULL                         \
	}

static const struct arg_spec args[] = {
	MAIL_ARGS,
	MAIL_ARG_REFS,
	MARK_ARG("read", "mark them as read, or as unread"),
	MARK_ARG("answered", "mark them as answered, or as unanswered"),
	MARK_ARG("archived", "put them away, or back into the inbox"),
	{ 0 },
};

static const struct {
	const char *arg;
	unsigned flag;
} flags[] = {
	{ "read", FLAG_READ },
	{ "answered", FLAG_ANSWERED },
	{ "archived", FLAG_ARCHIVED },
};

static int
mail_mark_wanted(const struct call *c, struct flag_change *out, struct err *e)
{
	*out = (struct flag_change){ 0 };
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		struct str said = args_text(c->args, flags[i].arg);

		if (str_eq(said, S("true")))
			out->set |= flags[i].flag;
		else if (said.n > 0)
			out->clear |= flags[i].flag;
	}
	if ((out->set | out->clear) == 0)
		return err_set(e, ERR_USAGE,
		    "say what to mark: read, answered or archived");
	if ((out->set & FLAG_ARCHIVED) && (out->clear & FLAG_READ))
		return err_set(e, ERR_USAGE,
		    "what is put away is read: leave out read or archived");
	/* What is put away counts as read, as it does for the upstream
	 * program. */
	if (out->set & FLAG_ARCHIVED)
		out->set |= FLAG_READ;
	return 0;
}

static int
mail_mark_run(struct call *c, struct json *out, struct err *e)
{
	struct flag_change change;
	struct mailbox_pick p;
	struct mail_box b;
	struct mails l;

	if (mail_begin(c, &b, e) < 0 || mail_mark_wanted(c, &change, e) < 0 ||
	    mail_refs(c, &b, "message_refs", S(""), &p, e) < 0)
		return -1;
	b.states = true;
	if (mailbox_organise_mark(c->mailbox, &p, &change, &l, e) < 0)
		return mail_missing(e);
	return mail_put_changed(c, &b, out, "mark", &l, e);
}

const struct op op_mail_mark = {
	.name = "mail_mark",
	.summary = "Mark messages read, answered or archived, or undo it",
	.effect = EFFECT_ORGANISE,
	.needs = NEED_ACCOUNT | NEED_READ,
	.args = args,
	.result = mail_put_changed_fields,
	.columns = "message_ref+ read answered archived subject<",
	.run = mail_mark_run,
};
