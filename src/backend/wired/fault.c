/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An error on its way.  `reason` and `hint` are static texts on the other side
 * and have to outlive the error here, so each different one is kept, as long
 * as the process lives and up to a number of them.
 */
#include <stdlib.h>

#include "backend/wired/internal.h"
#include "base/clean.h"

enum {
	KEPT = 128 /* the backends have some eighty */
};

/* What a backend says; the others are of the gate. */
static const bool of_a_backend[ERR_KINDS] = {
	[ERR_USAGE] = true,
	[ERR_CONFIG] = true,
	[ERR_NOT_FOUND] = true,
	[ERR_POLICY] = true,
	[ERR_UNSUPPORTED] = true,
	[ERR_LIMIT] = true,
	[ERR_AUTH] = true,
	[ERR_REJECTED] = true,
	[ERR_NETWORK] = true,
	[ERR_UNKNOWN_OUTCOME] = true,
	[ERR_DB] = true,
	[ERR_INTERNAL] = true,
};

void
wired_fault_put(struct wired_put *o, const struct err *e)
{
	const struct wired_fault f = {
		.kind = of_a_backend[e->kind] ? e->kind : ERR_INTERNAL,
		.scope = e->scope,
		.reason = str_of(e->reason),
		.hint = str_of(e->hint),
		.say = str_of(e->say),
		.detail = str_of(e->detail),
	};

	wired_put(o, &wired_shape_fault, &f);
}

/* NULL: it is empty, or there are too many. */
static const char *
wired_fault_keep(struct str text)
{
	static char *kept[KEPT];
	size_t i = 0;

	if (text.n == 0 || memchr(text.p, '\0', text.n) != NULL)
		return NULL;
	while (i < KEPT && kept[i] != NULL && !str_eq(str_of(kept[i]), text))
		i++;
	if (i < KEPT && kept[i] == NULL)
		kept[i] = strndup(text.p, text.n);
	return i < KEPT ? kept[i] : NULL;
}

/* "root_stale" */
static bool
wired_fault_is_word(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '_' && (s.p[i] < 'a' || s.p[i] > 'z'))
			return false;
	return true;
}

void
wired_fault_take(struct wired_take *in, struct err *e)
{
	struct wired_fault f = { 0 };
	struct str say, detail;

	wired_take(in, &wired_shape_fault, &f);
	in->bad =
	    in->bad || !of_a_backend[f.kind] || !wired_fault_is_word(f.reason);
	if (in->bad)
		return;
	say = clean_text(in->a, f.say, NULL);
	detail = clean_text(in->a, f.detail, NULL);
	(void)err_set(e, (enum err_kind)f.kind, "%.*s", STR_ARG(say));
	e->scope = (enum err_scope)f.scope;
	e->reason = wired_fault_keep(f.reason);
	e->hint = wired_fault_keep(clean_text(in->a, f.hint, NULL));
	if (detail.n > 0)
		(void)err_because(e, "%.*s", STR_ARG(detail));
}
