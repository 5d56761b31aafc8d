/* SPDX-License-Identifier: Apache-2.0 */
/* A declared mailbox, from options.  The rules are the runtime's. */
#include "desk/home_mailbox.h"

/* The argument of an option: "mailbox_root" of "--mailbox-root". */
static const char *
home_mailbox_arg(struct arena *a, const char *option)
{
	struct str s = str_from(str_of(option), 2);
	char *name = arena_alloc(a, s.n + 1);

	for (size_t i = 0; i < s.n; i++)
		name[i] = s.p[i];
	name[s.n] = '\0';
	for (size_t i = 0; i < s.n; i++)
		if (name[i] == '-')
			name[i] = '_';
	return name;
}

int
home_mailbox_read(struct call *c, struct declaration *out, struct err *e)
{
	struct declaration d = { .said =
				     args_has(c->args, "mailbox_transport") };

	if (d.said &&
	    !transport_find(args_text(c->args, "mailbox_transport"),
		&d.transport))
		err_bug("a transport that is not in the table");
	for (const struct declaration_field *f = declaration_fields;
	     f->option != NULL; f++) {
		const char *name;

		if (f->key == NULL)
			continue;
		name = home_mailbox_arg(c->arena, f->option);
		if (args_has(c->args, name))
			declaration_set(&d, f, args_text(c->args, name));
	}
	if (declaration_check(&d, d.transport, e) < 0)
		return -1;
	*out = d;
	return 0;
}
