/* SPDX-License-Identifier: Apache-2.0 */
/* Writes attachments into a folder below attach_dir. */
#include "gate/attach_save.h"

#include <string.h>

#include "base/buf.h"
#include "base/clean.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/utf8.h"
#include "gate/internal.h"
#include "gate/outbox_post.h"

#define NAME_MAX_BYTES 200 /* room for "-999" after it */
#define EXT_MAX 20
#define TRIES 999

/* The name relative to attach_dir, in the form for `send`. */
static struct str
attach_save_below(struct str root, struct str dir)
{
	while (root.n > 0 && root.p[root.n - 1] == '/')
		root.n--;
	if (str_starts(dir, S("/")) && str_starts(dir, root))
		dir = str_from(dir, root.n);
	while (str_starts(dir, S("/")) || str_starts(dir, S("./")) ||
	    str_eq(dir, S(".")))
		dir = str_from(dir, 1);
	while (dir.n > 0 && dir.p[dir.n - 1] == '/')
		dir.n--;
	return dir;
}

static int
attach_save_unable(struct err *e)
{
	(void)err_set(e, ERR_UNSUPPORTED,
	    "the broker saves no files in a session: the caller must have the "
	    "folder open");
	return err_hint(e,
	    "take the bytes from the reply (inline), or save with the command: "
	    "emcli get --attachments");
}

int
attach_save_open(struct mailbox *m, struct str dir, struct attach_save *out,
    struct err *e)
{
	struct str all = m->src->acct.attach_dir, root = S("");
	const struct args *args = m->call->args;

	*out = (struct attach_save){ .a = m->arena, .folder = -1 };
	/* These would be our files, and not the caller's. */
	if (args->files != NULL) {
		out->far = m->gate->saves;
		if (args->files->none || out->far == NULL)
			return attach_save_unable(e);
	}
	if (all.n == 0) {
		(void)err_set(e, ERR_POLICY,
		    "refused by policy: this account has no folder for "
		    "attachments");
		e->reason = "attach_dir";
		return -1;
	}
	out->folder = path_among_folder(m->arena, all, dir, &root, e);
	if (out->folder >= 0 &&
	    attach_is_callers(args, dir, out->folder, "folder", e) < 0)
		path_close(&out->folder);
	if (out->folder < 0)
		return -1;
	out->dir = attach_save_below(root, dir);
	/* One of several before it may have a file of that name. */
	if (!str_eq(root, path_among_list(m->arena, all).v[0]))
		out->dir = str_fmt(m->arena, "%.*s/%.*s", STR_ARG(root),
		    STR_ARG(out->dir));
	return 0;
}

/* Characters that have no special meaning for a shell or a person. */
static bool
attach_save_is_fit(uint32_t cp)
{
	if (cp >= 0x80)
		return cp > 0xA0 && cp != 0x1680 && cp != 0x2800 &&
		    !(cp >= 0x2000 && cp <= 0x206F) && cp != 0x3000;
	return (cp >= '0' && cp <= '9') || (cp >= 'A' && cp <= 'Z') ||
	    (cp >= 'a' && cp <= 'z') || strchr("._-+@,=", (int)cp) != NULL;
}

/* The name without unsafe characters, cut to length before its extension. */
static void
attach_save_safe_name(struct arena *a, struct str name, struct str *stem,
    struct str *ext)
{
	struct str s = clean_text(a, name, NULL);
	struct buf b;
	size_t i = 0, dot;

	buf_init(&b, a, 4 * s.n + 4);
	while (i < s.n) {
		bool ok = true;
		uint32_t cp = utf8_next(s, &i, &ok);

		/*
		 * A leading dot or hyphen would hide it or make it an option.
		 */
		if (cp == 0 || !attach_save_is_fit(cp) ||
		    (b.n == 0 && (cp == '.' || cp == '-')))
			cp = '_';
		buf_utf8(&b, cp);
	}
	s = buf_view(&b);
	for (dot = s.n; dot > 0 && s.p[dot - 1] != '.';)
		dot--;
	dot = dot > 1 && s.n - dot < EXT_MAX ? dot - 1 : s.n;
	*ext = str_from(s, dot);
	*stem = utf8_first(str_first(s, dot), NAME_MAX_BYTES);
}

static struct str
attach_save_name(struct arena *a, struct str stem, int k, struct str ext)
{
	if (k == 1)
		return str_fmt(a, "%.*s%.*s", STR_ARG(stem), STR_ARG(ext));
	return str_fmt(a, "%.*s-%d%.*s", STR_ARG(stem), k, STR_ARG(ext));
}

int
attach_save_new(int folder, struct str stem, struct str ext, struct str bytes,
    struct arena *a, struct str *file, struct err *e)
{
	for (int k = 1; k <= TRIES; k++) {
		int r;

		*file = attach_save_name(a, stem, k, ext);
		r = path_folder_new(folder, file->p, bytes, e);
		if (r <= 0)
			return r < 0 ? -1 : k;
	}
	return 0;
}

int
attach_save_file(struct attach_save *s, struct str name, struct str bytes,
    struct str *saved, struct err *e)
{
	struct str stem, ext, file = S("");
	int k;

	if (s->made.n == LIMIT_ATTACHMENTS)
		return err_set(e, ERR_LIMIT,
		    "at most %d attachments are saved at once",
		    LIMIT_ATTACHMENTS);
	attach_save_safe_name(s->a, name, &stem, &ext);
	if (s->far == NULL) {
		k = attach_save_new(s->folder, stem, ext, bytes, s->a, &file,
		    e);
	} else {
		k = s->far->file(s->far->ctx, stem, ext, bytes, e);
		file = attach_save_name(s->a, stem, k, ext);
	}
	if (k < 0)
		return -1;
	if (k == 0)
		return err_set(e, ERR_LIMIT,
		    "that folder has too many files of the same name");
	str_push(s->a, &s->made, file);
	*saved = s->dir.n == 0
	    ? file
	    : str_fmt(s->a, "%.*s/%.*s", STR_ARG(s->dir), STR_ARG(file));
	return 0;
}

int
attach_save_keep(struct attach_save *s, struct err *e)
{
	if (s->far != NULL ? s->far->keep(s->far->ctx, e) < 0
			   : path_folder_sync(s->folder, e) < 0)
		return -1;
	s->kept = true;
	return 0;
}

void
attach_save_close(struct attach_save *s)
{
	if (s->folder < 0)
		return;
	for (size_t i = 0; s->far == NULL && !s->kept && i < s->made.n; i++)
		path_folder_drop(s->folder, str_c(s->a, s->made.v[i]));
	path_close(&s->folder);
}
