/*
 * What a call is about, for the audit: folder, uids, recipients, as they were
 * given.  Made before anything was checked, so it is cut and cleaned here.
 */
#include "base/buf.h"
#include "gate/internal.h"

enum {
	TARGET_MAX = 2000
};

static bool
tells(enum arg_type t)
{
	return t == ARG_FOLDER || t == ARG_UID || t == ARG_UIDS ||
	    t == ARG_ADDRESS;
}

static void
put_clean(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n && i < 320; i++) {
		char c = s.p[i];

		if ((unsigned char)c < 0x20 || c == 0x7f)
			c = ' ';
		buf_char(b, c);
	}
}

struct str
target_text(struct arena *a, const struct args *args)
{
	struct buf b;

	buf_init(&b, a, TARGET_MAX);
	for (size_t i = 0; i < args->n; i++) {
		const struct arg *arg = &args->v[i];

		if (!tells(arg->spec->type))
			continue;
		for (size_t k = 0; k < arg->text.n; k++) {
			if (b.n > 0)
				buf_char(&b, k > 0 ? ',' : ' ');
			put_clean(&b, arg->text.v[k]);
		}
	}
	return buf_view(&b);
}
