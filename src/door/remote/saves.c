/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that a call saves: this process writes them, with its own rights, into
 * the folder that it opened.  Of the broker it takes bytes and a name, never a
 * path.
 */
#include <sys/mman.h>

#include "base/path.h"
#include "base/utf8.h"
#include "door/remote/internal.h"
#include "gate/attach_save.h"

enum {
	NAME_MAX_BYTES = 240 /* room for "-999" in it */
};

/* What the frame says. */
struct save {
	struct str stem, ext;
	int64_t bytes;
	bool keep;
};

/* It begins with nothing that hides it or makes it an option. */
static bool
remote_saves_is_name(struct str stem, struct str ext)
{
	return stem.n > 0 && stem.n + ext.n <= NAME_MAX_BYTES &&
	    stem.p[0] != '.' && stem.p[0] != '-' && utf8_valid(stem) &&
	    utf8_valid(ext) && !str_has_char(stem, '/') &&
	    !str_has_char(ext, '/') && !str_has_char(stem, '\0') &&
	    !str_has_char(ext, '\0');
}

static int
remote_saves_read(const struct ipc_frame *f, struct arena *a, struct save *out,
    struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	const struct json_value *v;
	struct err why = { 0 };

	if (json_parse_open(f->payload, LIMIT_FRAME, &doc, &why) < 0)
		return remote_odd(e);
	v = json_parse_root(doc);
	if (json_parse_bool(json_parse_member(v, "keep"), &out->keep))
		return 0;
	if (!json_parse_str(json_parse_member(v, "stem"), &out->stem) ||
	    !json_parse_str(json_parse_member(v, "ext"), &out->ext) ||
	    !json_parse_int(json_parse_member(v, "bytes"), &out->bytes) ||
	    out->bytes < 0 || !remote_saves_is_name(out->stem, out->ext))
		return remote_odd(e);
	out->stem = str_dup(a, out->stem);
	out->ext = str_dup(a, out->ext);
	return 0;
}

/* Which name it got; 0: none; -1. */
static int
remote_saves_write(struct remote_saves *s, const struct save *x, int fd,
    struct err *e)
{
	struct str bytes = { 0 }, file = { 0 };
	int k;

	if (remote_sealed(fd, x->bytes, &bytes, e) < 0)
		return -1;
	k = attach_save_new(s->folder, x->stem, x->ext, bytes, s->a, &file, e);
	if (k > 0)
		str_push(s->a, &s->made, file);
	if (bytes.n > 0)
		(void)munmap((void *)(uintptr_t)bytes.p, bytes.n);
	return k;
}

static int
remote_saves_keep(struct remote_saves *s, struct err *e)
{
	if (path_folder_sync(s->folder, e) < 0)
		return -1;
	s->kept = true;
	return 0;
}

int
remote_saves_take(int fd, struct remote_saves *s, const struct ipc_frame *f,
    const struct ipc_passed *with, struct err *e)
{
	struct json *j = json_new(s->a);
	struct save x = { 0 };
	struct err why = { 0 }, unsent = { 0 };
	int n;

	if (remote_saves_read(f, s->a, &x, e) < 0)
		return -1;
	if (with->n != (x.keep ? 0 : 1) ||
	    (!x.keep && s->made.n == LIMIT_ATTACHMENTS))
		return remote_odd(e);
	n = x.keep ? remote_saves_keep(s, &why)
		   : remote_saves_write(s, &x, with->fd[0], &why);
	json_open_object(j, NULL);
	json_put_int(j, "n", n);
	json_close_object(j);
	/* Without an answer the broker ends the call. */
	(void)ipc_frame_send(fd,
	    &(struct ipc_frame){ FAR_SAVED, json_text(j, s->a) }, NULL, 0,
	    &unsent);
	return 0;
}

void
remote_saves_close(struct remote_saves *s)
{
	if (s->folder < 0)
		return;
	for (size_t i = 0; !s->kept && i < s->made.n; i++)
		path_folder_drop(s->folder, str_c(s->a, s->made.v[i]));
	path_close(&s->folder);
}
