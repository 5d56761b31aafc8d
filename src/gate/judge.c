/*
 * Where a message is seen or not.  Policy gets what the strict readers made of
 * the header; what they could not read counts as absent, and absent fails.
 */
#include "base/limits.h"
#include "gate/internal.h"

bool
judge_row(struct mailbox *m, const struct row *row, struct mail *out)
{
	struct policy_mail pm;

	*out = (struct mail){ 0 };
	mime_envelope_parse(m->arena, row->head, &out->env);
	out->uid = row->ref.uid;
	out->size = row->size;
	out->has_attachments = row->has_attachments;

	pm = (struct policy_mail){
		.from_fields = out->env.from_fields,
		.from = out->env.from_sole,
		.subject = out->env.subject,
		.subject_cut = out->env.subject_cut,
	};
	return policy_sees(m->rules, &pm);
}

int
judge_absent(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "no such folder or message");
}
