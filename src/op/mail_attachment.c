/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mail_attachment: the bytes of one file.  A file is found by its message, so
 * the file of a message that may not be seen is not there either.
 */
#include "op/mail.h"

#include "op/internal.h"
#include "op/mail_text.h"

static const struct arg_spec args[] = {
	MAIL_ARGS,
	{ "attachment_id", ARG_REF, ARG_REQUIRED,
	    "which file, as a message "
	    "has it",
	    .def = NULL },
	{ "message_ref", ARG_REF, 0,
	    "the message it is in; where it is left out, the newest messages "
	    "are looked at",
	    .def = NULL },
	{ 0 },
};

static const struct field result[] = {
	MAIL_HEAD,
	{ "message_ref", FIELD_TEXT, false, false, "the message it is in",
	    NULL },
	{ "attachment_id", FIELD_TEXT, false, false, "as it was asked", NULL },
	{ "media_type", FIELD_TEXT, false, false, "as declared", NULL },
	{ "label", FIELD_TEXT, false, true, "what it is called", NULL },
	{ "size_bytes", FIELD_INT, false, false, "bytes", NULL },
	{ "content", FIELD_TEXT, false, false, "the file, in base64", NULL },
	{ 0 },
};

static int
mail_attachment_absent(struct err *e)
{
	(void)err_set(e, ERR_NOT_FOUND, "there is no such attachment");
	e->reason = "attachment_not_found";
	return -1;
}

/* 1: it is in this message, and put; 0; -1. */
static int
mail_attachment_put(struct call *c, const struct mail_box *b,
    const struct mail *m, struct json *out, struct err *e)
{
	struct str want = args_text(c->args, "attachment_id"), raw, bytes;
	const struct mail_text_file *f = NULL;
	struct mail_text t;

	if (mailbox_pick_get(c->mailbox, m, &raw, e) < 0)
		return -1;
	mail_text_read(c->arena, raw, &t);
	for (size_t i = 0; f == NULL && i < t.files; i++)
		if (str_eq(t.file[i].id, want))
			f = &t.file[i];
	if (f == NULL)
		return 0;
	if (str_eq(f->kind, S("path_ref")))
		return err_set(e, ERR_UNSUPPORTED,
		    "the message has no copy of the file: only its sender has "
		    "it");
	bytes = mime_part_decode(c->arena, f->part);
	mail_put_head(b, out);
	json_put_str(out, "message_ref",
	    str_fmt(c->arena, "%.*s:%.*s", STR_ARG(b->binding->transport),
		STR_ARG(m->id)));
	json_put_str(out, "attachment_id", want);
	json_put_str(out, "media_type", f->type);
	json_put_str_or_null(out, "label", f->label);
	json_put_int(out, "size_bytes", (int64_t)bytes.n);
	json_put_base64(out, "content", bytes);
	return 1;
}

/* In the newest messages of a box; *looked counts those of all boxes. */
static int
mail_attachment_look(struct call *c, const struct mail_box *b,
    struct str folder, size_t *looked, struct json *out, struct err *e)
{
	struct mailbox_query q = { .folder = folder, .limit = LIMIT_PAGE };
	struct mails l;
	int r;

	do {
		if (mailbox_find(c->mailbox, &q, &l, e) < 0)
			return -1;
		for (size_t i = 0; i < l.n; i++) {
			if (++*looked > LIMIT_ATTACHMENT_LOOK)
				return err_set(e, ERR_LIMIT,
				    "there are too many messages to look for "
				    "it: say in which message_ref it is");
			l.v[i].folder = folder;
			if (!l.v[i].has_attachments)
				continue;
			r = mail_attachment_put(c, b, &l.v[i], out, e);
			if (r != 0)
				return r;
		}
		q.before = l.next_before;
	} while (q.before != 0);
	return 0;
}

static int
mail_attachment_run(struct call *c, struct json *out, struct err *e)
{
	struct mailbox_pick p;
	struct mail_box b;
	struct mails l;
	size_t looked = 0;
	int r = 0;

	if (mail_begin(c, &b, e) < 0)
		return -1;
	if (args_has(c->args, "message_ref")) {
		if (mail_refs(c, &b, "message_ref", S(""), &p, e) < 0)
			return -1;
		if (mailbox_pick(c->mailbox, &p, &l, e) < 0)
			return mail_missing(e);
		r = mail_attachment_put(c, &b, &l.v[0], out, e);
	} else {
		if (mail_box_learn(c, &b, e) < 0)
			return -1;
		for (size_t i = 0; r == 0 && i < b.folders.n; i++)
			r = mail_attachment_look(c, &b, b.folders.v[i].name,
			    &looked, out, e);
	}
	if (r == 0)
		return mail_attachment_absent(e);
	return r < 0 ? -1 : 0;
}

const struct op op_mail_attachment = {
	.name = "mail_attachment",
	.summary = "Fetch an attached file",
	.effect = EFFECT_READ,
	.needs = NEED_ACCOUNT | NEED_READ,
	.args = args,
	.result = result,
	.run = mail_attachment_run,
};
