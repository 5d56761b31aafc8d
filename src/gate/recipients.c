/* SPDX-License-Identifier: Apache-2.0 */
/* To whom a call writes, in the form that policy compares. */
#include "gate/internal.h"
#include "mime/address.h"

/*
 * A name alone is no address.  Among agents it is most often one without its
 * domain, which is the binding's.  Returns -1.
 */
static int
recipients_bare(const struct gate_binding *b, struct str name, struct arena *a,
    struct err *e)
{
	struct str local, domain, whole, addr;
	struct err none = { 0 };

	name = str_trim(name);
	if (b == NULL || str_has_char(name, '@') ||
	    !str_cut(b->address, '@', &local, &domain))
		return -1;
	whole = str_fmt(a, "%.*s@%.*s", STR_ARG(name), STR_ARG(domain));
	if (address_canonical(a, whole, &addr, &none) < 0)
		return -1;
	(void)err_set(e, ERR_REJECTED,
	    "%.*s is no address: write to %.*s; nothing was sent",
	    STR_ARG(name), STR_ARG(whole));
	e->reason = "unknown_recipient";
	return -1;
}

int
recipients_read(const struct args *args, const struct gate_binding *b,
    struct arena *a, struct strs *out, struct err *e)
{
	for (size_t i = 0; i < args->n; i++) {
		const struct arg *arg = &args->v[i];

		if (arg->spec->type != ARG_ADDRESS)
			continue;
		for (size_t k = 0; k < arg->text.n; k++) {
			struct str addr;

			if (address_canonical(a, arg->text.v[k], &addr, e) < 0)
				return recipients_bare(b, arg->text.v[k], a, e);
			str_push(a, out, addr);
		}
	}
	return 0;
}
