/* SPDX-License-Identifier: Apache-2.0 */
/* Which face a person gets: each says itself whether it can be shown. */
#include "door/form/face.h"

int
face_ask(struct flow *f, struct err *e)
{
	static const struct flow_face *const faces[] = { &face_tui,
		&face_plain };

	if (!f->asks)
		return flow_run(f, &face_flags, NULL, e);
	for (int i = f->lines ? 1 : 0; i < 2; i++) {
		void *ctx = NULL;
		int r = faces[i]->open(&ctx, f, e);

		if (r == 0) {
			r = flow_run(f, faces[i], ctx, e);
			faces[i]->close(ctx);
			return r;
		}
		if (e->kind != ERR_UNSUPPORTED)
			return -1;
		*e = (struct err){ 0 };
	}
	return err_set(e, ERR_USAGE, "there is no terminal to ask on");
}
