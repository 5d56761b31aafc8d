/* SPDX-License-Identifier: Apache-2.0 */
/* A secret that is got when it is first used. */
#include <stdlib.h>

#include "base/internal.h"
#include "base/secret.h"

struct secret_later {
	secret_later_from *get;
	const void *ctx;
	bool asked;
	struct err failed; /* what came of it */
};

struct secret *
secret_later(secret_later_from *get, const void *ctx)
{
	struct secret_later *l = calloc(1, sizeof(*l));

	if (l == NULL)
		err_bug("out of memory");
	l->get = get;
	l->ctx = ctx;
	return secret_later_new(l);
}

bool
secret_later_due(const struct secret *s)
{
	const struct secret_later *l = s != NULL ? secret_later_of(s) : NULL;

	return l != NULL && !l->asked;
}

int
secret_later_get(const struct secret *s, struct err *e)
{
	CLEANUP(secret_close) struct secret *got = NULL;
	struct secret_later *l = s != NULL ? secret_later_of(s) : NULL;

	if (l == NULL)
		return 0;
	if (!l->asked) {
		l->asked = true;
		if (l->get(l->ctx, &got, &l->failed) == 0)
			secret_later_put(s, got);
	}
	if (l->failed.kind == ERR_NONE)
		return 0;
	*e = l->failed;
	return -1;
}
