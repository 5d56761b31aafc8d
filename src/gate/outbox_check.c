/*
 * What is looked at before a message may leave.  Each check may refuse it, or
 * have it wait for the operator; the first that holds names the reason.
 */
#include "gate/internal.h"

struct outbox_check {
	const char *hold; /* the row's reason when it holds */
	/* 1: it has to wait; 0: not for this; -1: it is refused. */
	int (*look)(struct outbox *o, const struct outbox_draft *d,
	    struct err *e);
};

/* The account's level: nothing leaves that nobody has seen. */
static int
look_approval(struct outbox *o, const struct outbox_draft *d, struct err *e)
{
	(void)o;
	(void)e;
	return d->ask;
}

static const struct outbox_check checks[] = {
	{ "approval", look_approval },
};

int
outbox_check(struct outbox *o, const struct outbox_draft *d, const char **hold,
    struct err *e)
{
	*hold = NULL;
	/* All of them: what is refused is not held before. */
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		int r = checks[i].look(o, d, e);

		if (r < 0)
			return -1;
		if (r > 0 && *hold == NULL)
			*hold = checks[i].hold;
	}
	return 0;
}
