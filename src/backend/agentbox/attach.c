/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attachments: copies named by their content,
 * attachments/managed/<sha256>/<name>, so that reading a message never reads a
 * file outside the root.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "backend/agentbox/deliver.h"
#include "backend/agentbox/internal.h"
#include "base/utf8.h"
#include "net/sha256.h"

#define FOLDER "attachments/managed"

struct str
agentbox_attach_digest(struct arena *a, struct str bytes)
{
	unsigned char sum[32];

	sha256_of(bytes, sum);
	return str_hex_dup(a, sum, sizeof(sum));
}

/* The name as one segment: characters that could lead elsewhere become "_". */
static struct str
attach_name(struct arena *a, struct str name)
{
	struct str s = utf8_first(name, LIMIT_AGENTBOX_NAME);
	char *p = str_c(a, s);

	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)p[i] < ' ' || p[i] == 0x7f || p[i] == '/' ||
		    p[i] == '\\' || p[i] == ':')
			p[i] = '_';
	s = str_trim((struct str){ p, s.n });
	if (s.n == 0 || s.p[0] == '.' || !utf8_valid(s))
		return str_fmt(a, "file%.*s", utf8_valid(s) ? (int)s.n : 0,
		    s.p);
	return s;
}

static int
attach_fail(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "an attachment cannot be kept");
	return err_errno(e, what);
}

static int
attach_damaged(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "an attachment is damaged");
	e->reason = "damaged";
	return err_because(e, "%s", what);
}

/* The existing copy, if its content still matches its folder's name. */
static bool
attach_is_there(int folder, const char *name, struct str bytes)
{
	CLEANUP(arena_close)
	struct arena *a = arena_open(LIMIT_AGENTBOX_FILE + (1 << 20));
	struct str got;
	struct err e = { 0 };

	return agentbox_layout_read(folder, name, LIMIT_AGENTBOX_FILE, a, &got,
		   &e) == 1 &&
	    str_eq(got, bytes);
}

static int
attach_write(const struct agentbox_root *r, struct str sha, const char *name,
    struct str bytes, struct arena *a, struct err *e)
{
	CLEANUP(path_close)
	int staging = agentbox_layout_folder(r, "staging", e);
	CLEANUP(path_close) int managed = agentbox_layout_folder(r, FOLDER, e);
	CLEANUP(path_close) int to = -1;
	struct str tmp = agentbox_name_new(a, "emcli-att-", 16);

	if (staging < 0 || managed < 0)
		return -1;
	to = agentbox_layout_open(managed, sha.p, true);
	if (to < 0)
		return attach_fail(e, "the folder");
	if (attach_is_there(to, name, bytes))
		return 0;
	if (path_folder_new(staging, tmp.p, bytes, e) < 0)
		return -1;
	if (renameat(staging, tmp.p, to, name) < 0) {
		(void)attach_fail(e, "rename");
		path_folder_drop(staging, tmp.p);
		return -1;
	}
	return path_folder_sync(to, e);
}

int
agentbox_attach_put(const struct agentbox_root *r,
    const struct agentbox_file *f, struct arena *a,
    struct agentbox_attachment *out, struct err *e)
{
	struct str sha, name;

	if (f->bytes.n > LIMIT_AGENTBOX_FILE)
		return err_set(e, ERR_LIMIT, "an attachment is too big");
	sha = agentbox_attach_digest(a, f->bytes);
	name = attach_name(a, f->name);
	if (attach_write(r, sha, str_c(a, name), f->bytes, a, e) < 0)
		return -1;
	*out = (struct agentbox_attachment){
		.id = agentbox_name_new(a, "att-", 6),
		.managed = true,
		.path = str_fmt(a, FOLDER "/%.*s/%.*s", STR_ARG(sha),
		    STR_ARG(name)),
		.media_type = f->media_type.n > 0
		    ? f->media_type
		    : S("application/octet-stream"),
		.sha256 = sha,
		.size = (int64_t)f->bytes.n,
		.label = name,
	};
	return 0;
}

/* The name at the end of "attachments/managed/<sha256>/<name>". */
static bool
attach_cut(const struct agentbox_attachment *t, struct str *name)
{
	ptrdiff_t at = str_find(t->path, S(FOLDER "/"));
	struct str folder, rest;

	if (!t->managed || at < 0 || t->sha256.n != 64)
		return false;
	rest = str_from(t->path, (size_t)at + sizeof(FOLDER));
	return str_cut(rest, '/', &folder, name) && str_eq(folder, t->sha256) &&
	    name->n > 0 && name->n <= LIMIT_FILE_NAME &&
	    !str_has_char(*name, '/') && !str_has_char(*name, '\0') &&
	    name->p[0] != '.';
}

int
agentbox_attach_read(const struct agentbox_root *r,
    const struct agentbox_attachment *t, struct arena *a, struct str *out,
    struct err *e)
{
	CLEANUP(path_close) int fd = -1;
	struct str name, got;
	int n;

	if (!attach_cut(t, &name))
		return 0;
	fd = agentbox_layout_open(r->dir,
	    str_fmt(a, FOLDER "/%.*s", STR_ARG(t->sha256)).p, false);
	if (fd < 0)
		return errno == ENOENT ? 0 : attach_damaged(e, "its folder");
	n = agentbox_layout_read(fd, str_c(a, name), LIMIT_AGENTBOX_FILE, a,
	    &got, e);
	if (n <= 0)
		return n;
	if (!str_eq(agentbox_attach_digest(a, got), t->sha256))
		return attach_damaged(e, "its digest is another");
	*out = got;
	return 1;
}
