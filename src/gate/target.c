/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target of a call, for the audit: folder, uids, recipients, as given.
 * Made before any check, so it is cut and cleaned here; the largest call that
 * passes is recorded completely.
 */
#include "base/buf.h"
#include "gate/internal.h"

enum {
	TARGET_MAX = 256 << 10,
	VALUE_MAX = 1024 /* LIMIT_ADDRESS, LIMIT_FOLDER_NAME */
};

static bool
target_tells(enum arg_type t)
{
	return t == ARG_FOLDER || t == ARG_UID || t == ARG_UIDS ||
	    t == ARG_ADDRESS || t == ARG_REF;
}

/* In quotes if it could be read as two: a folder "INBOX 7". */
static void
target_put_clean(struct buf *b, struct str s)
{
	bool quoted = s.n == 0 || str_has_char(s, ' ') ||
	    str_has_char(s, ',') || str_has_char(s, '"');

	if (quoted)
		buf_char(b, '"');
	for (size_t i = 0; i < s.n && i < VALUE_MAX; i++) {
		char c = s.p[i];

		if ((unsigned char)c < 0x20 || c == 0x7f)
			c = ' ';
		if (quoted && (c == '"' || c == '\\'))
			buf_char(b, '\\');
		buf_char(b, c);
	}
	if (s.n > VALUE_MAX)
		buf_text(b, "...");
	if (quoted)
		buf_char(b, '"');
}

/* If no folder is given: its default, if it has one. */
static bool
target_is_assumed(const struct args *args, const struct arg_spec *s)
{
	const struct arg *reply_to = args_find(args, S("reply_to"));

	return s->type == ARG_FOLDER && s->def != NULL &&
	    (reply_to == NULL || reply_to->text.n > 0);
}

struct str
target_text(struct arena *a, const struct args *args)
{
	struct buf b;

	buf_init(&b, a, TARGET_MAX);
	for (size_t i = 0; i < args->n; i++) {
		const struct arg *arg = &args->v[i];

		if (!target_tells(arg->spec->type))
			continue;
		if (arg->text.n == 0 && target_is_assumed(args, arg->spec)) {
			buf_text(&b, b.n > 0 ? " " : "");
			target_put_clean(&b, str_of(arg->spec->def));
		}
		for (size_t k = 0; k < arg->text.n; k++) {
			if (b.n > 0)
				buf_char(&b, k > 0 ? ',' : ' ');
			target_put_clean(&b, arg->text.v[k]);
		}
	}
	if (!b.over)
		return buf_view(&b);
	return str_fmt(a, "%.*s...", STR_ARG(buf_view(&b)));
}
