/*
 * Where a message is seen or not.  Policy gets what the strict readers made of
 * the header; what they could not read counts as absent, and absent fails.
 */
#include "base/limits.h"
#include "gate/internal.h"

/* Above it memory is given back, below it rows are read without asking. */
#define PASSING_MAX (1UL << 20)

bool
judge_row(const struct mailbox *m, struct arena *a, const struct row *row,
    struct mail *out)
{
	struct policy_mail pm;

	*out = (struct mail){ 0 };
	mime_envelope_parse(a, row->head, &out->env);
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

struct arena *
judge_passing(struct arena **a)
{
	if (*a != NULL && arena_used(*a) > PASSING_MAX)
		arena_close(a);
	if (*a == NULL)
		*a = arena_open(LIMIT_ARENA);
	return *a;
}

int
judge_absent(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "no such folder or message");
}
