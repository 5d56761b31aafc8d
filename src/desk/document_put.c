/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a document into a file, or to standard output. */
#include "base/limits.h"
#include "desk/document.h"
#include "desk/own_file.h"

enum {
	VERSION = 1
};

void
document_put_begin(struct call *c, const char *kind, const char *const *note,
    struct document_put *out)
{
	out->c = c;
	buf_init(&out->b, c->arena, LIMIT_DOCUMENT);
	for (; *note != NULL; note++)
		buf_fmt(&out->b, "# %s\n", *note);
	out->y = yaml_put_new(c->arena, &out->b);
	yaml_put_map(out->y, NULL);
	yaml_put_word(out->y, "emcli", str_of(kind));
	yaml_put_int(out->y, "version", VERSION);
}

int
document_put_end(struct document_put *d, struct err *e)
{
	struct str to = args_text(d->c->args, "output");
	const struct own_file f = {
		.path = str_c(d->c->arena, to),
		.text = buf_view(&d->b),
		.force = true,
		.mine = true,
	};

	yaml_put_end(d->y);
	if (d->b.over)
		return err_set(e, ERR_LIMIT,
		    "the text would be longer than %lu bytes", LIMIT_DOCUMENT);
	if (to.n == 0 || str_eq(to, S("-")) || str_eq(to, S("/dev/stdout"))) {
		if (operate_door(d->c)->write(buf_view(&d->b), true) == 0)
			return 0;
		(void)err_set(e, ERR_CONFIG, "standard output");
		return err_errno(e, "write");
	}
	if (own_file_put(&f, d->c->arena, e) < 0)
		return -1;
	operate_note(d->c, "emcli: wrote %.*s", STR_ARG(to));
	return 0;
}
