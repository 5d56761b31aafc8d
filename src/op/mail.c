/* SPDX-License-Identifier: Apache-2.0 */
/* Who asks, in which box, and which messages. */
#include "op/mail.h"

#include "base/limits.h"

int
mail_begin(struct call *c, struct mail_box *b, struct err *e)
{
	struct str want = args_text(c->args, "if_bindings_version");

	*b = (struct mail_box){
		.binding = gate_caller_binding(c->gate),
		.extensions = args_has(c->args, "extensions"),
	};
	if (b->binding == NULL ||
	    (c->mailbox != NULL && !mailbox_bound(c->mailbox, b->binding))) {
		(void)err_set(e, ERR_CONFIG,
		    "this call is bound to no mailbox of an agent's own");
		e->reason = "no_mailbox";
		return -1;
	}
	if (want.n == 0 || str_eq(want, b->binding->version))
		return 0;
	(void)err_set(e, ERR_USAGE,
	    "the mailbox binding has changed: resolve it again");
	e->reason = "stale_binding";
	return -1;
}

void
mail_put_head(const struct mail_box *b, struct json *j)
{
	json_put_int(j, "schema_version", 1);
	json_put_str(j, "transport", b->binding->transport);
	json_put_str(j, "principal_id", b->binding->principal);
	json_put_str(j, "address", b->binding->address);
}

/* -- boxes ----------------------------------------------------------------- */

int
mail_box_learn(struct call *c, struct mail_box *b, struct err *e)
{
	return b->folders.n > 0 ? 0
				: mailbox_folders(c->mailbox, &b->folders, e);
}

int
mail_box_folder(struct call *c, struct mail_box *b, struct str box,
    struct str *folder, struct err *e)
{
	if (mail_box_learn(c, b, e) < 0)
		return -1;
	*folder = box;
	for (size_t i = 0; i < b->folders.n; i++) {
		const struct folder *f = &b->folders.v[i];

		if (f->role != FOLDER_PLAIN &&
		    str_eq(str_of(mailbox_role(f->role)), box))
			*folder = f->name;
	}
	return 0;
}

struct str
mail_box_name(const struct mail_box *b, struct str folder)
{
	for (size_t i = 0; i < b->folders.n; i++) {
		const struct folder *f = &b->folders.v[i];

		if (f->role != FOLDER_PLAIN && str_eq(f->name, folder))
			return str_of(mailbox_role(f->role));
	}
	return folder;
}

/* -- refs ------------------------------------------------------------------ */

int
mail_missing(struct err *e)
{
	if (e->kind == ERR_NOT_FOUND && e->reason == NULL)
		e->reason = "message_not_found";
	return -1;
}

/* "filesystem:msg-1" or "msg-1". */
static int
mail_ref_id(const struct mail_box *b, struct str ref, struct str *id,
    struct err *e)
{
	struct str kind, rest;

	*id = ref;
	if (str_cut(ref, ':', &kind, &rest)) {
		if (!str_eq(kind, b->binding->transport) || rest.n == 0)
			return err_set(e, ERR_USAGE,
			    "message_ref is not one of this mailbox");
		*id = rest;
	}
	return 0;
}

int
mail_refs(struct call *c, struct mail_box *b, const char *arg, struct str box,
    struct mailbox_pick *out, struct err *e)
{
	const struct strs *given = args_list(c->args, arg);
	struct strs ids = { 0 };

	*out = (struct mailbox_pick){ 0 };
	if (given->n > LIMIT_PAGE)
		return err_set(e, ERR_LIMIT, "at most %d refs in one call",
		    LIMIT_PAGE);
	for (size_t i = 0; i < given->n; i++) {
		struct str id;

		if (mail_ref_id(b, given->v[i], &id, e) < 0)
			return -1;
		if (str_among(&ids, id))
			return err_set(e, ERR_USAGE, "%s names a message twice",
			    arg);
		str_push(c->arena, &ids, id);
	}
	out->id = ids.v;
	out->n = ids.n;
	return box.n > 0 ? mail_box_folder(c, b, box, &out->folder, e) : 0;
}
