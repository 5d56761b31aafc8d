/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The folder of one mailbox.  One in the root is opened segment by segment; a
 * private one is outside it, and its entry in the root is a link.  A private
 * one is checked every time: the link matches the registration, no link is on
 * the path, and only this user owns and can write the folder.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "backend/agentbox/internal.h"

static const char *const box_names[] = { "inbox", "sent", "archive", "drafts" };
#define BOX_NAMES (sizeof(box_names) / sizeof(*box_names))

static int
box_missing(struct err *e, const char *cause)
{
	(void)err_set(e, ERR_CONFIG,
	    "the folder of a registered mailbox is missing or not usable; "
	    "register the address again");
	e->reason = "mailbox_missing";
	return err_because(e, "%s", cause);
}

struct str
agentbox_box_name(const struct agentbox_reg *reg)
{
	struct str s = reg->entry;

	if (reg->status != AGENTBOX_STASHED)
		return reg->address;
	for (size_t n = s.n; n > 0; n--)
		if (s.p[n - 1] == '/')
			return str_from(s, n);
	return s;
}

/* Is the path x equal to y, or below it? */
static bool
box_within(struct str x, struct str y)
{
	return str_starts(x, y) && (x.n == y.n || x.p[y.n] == '/');
}

static int
box_check_private(int fd, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return box_missing(e, "fstat");
	if (st.st_uid != geteuid() || (st.st_mode & S_IWOTH) != 0)
		return box_missing(e, "not this user's alone");
	return 0;
}

/* The private folder itself, opened from the root of the file system on. */
static int
box_open_private(const struct agentbox_root *r, const struct agentbox_reg *reg,
    bool make, struct err *e)
{
	CLEANUP(path_close) int top = -1;
	char path[PATH_MAX];
	int fd;

	if (reg->path.n < 2 || reg->path.n >= sizeof(path) ||
	    reg->path.p[0] != '/' || str_has_char(reg->path, '\0') ||
	    box_within(reg->path, r->path) || box_within(r->path, reg->path))
		return box_missing(e, "not a folder outside the root");
	memcpy(path, reg->path.p + 1, reg->path.n - 1);
	path[reg->path.n - 1] = '\0';
	top = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	fd = top < 0 ? -1 : agentbox_layout_open(top, path, make);
	/* Of this user's all the same: the process is confined. */
	if (fd < 0 && errno == EACCES)
		return err_set(e, ERR_UNSUPPORTED,
		    "a private mailbox's folder cannot be used here: the "
		    "broker uses no folder outside the mailbox root");
	if (fd < 0) {
		(void)box_missing(e, "open");
		return err_errno(e, "the private folder");
	}
	if (box_check_private(fd, e) < 0)
		path_close(&fd);
	return fd;
}

/* The entry in the root: a link to that folder, made if it is missing. */
static int
box_check_entry(const struct agentbox_root *r, const struct agentbox_reg *reg,
    bool make, struct err *e)
{
	CLEANUP(path_close)
	int folder = agentbox_layout_folder(r, "mailboxes", e);
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	const char *name = str_c(a, reg->address);
	char text[PATH_MAX];
	ssize_t n;

	if (folder < 0)
		return -1;
	n = readlinkat(folder, name, text, sizeof(text));
	if (n < 0 && errno == ENOENT && make) {
		if (symlinkat(str_c(a, reg->path), folder, name) < 0 ||
		    fsync(folder) < 0)
			return box_missing(e, "the entry cannot be made");
		return 0;
	}
	if (n < 0 || !str_eq((struct str){ text, (size_t)n }, reg->path))
		return box_missing(e, "the entry is no link to the folder");
	return 0;
}

static int
box_open_in_root(const struct agentbox_root *r, const struct agentbox_reg *reg,
    bool make, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str name = agentbox_box_name(reg);
	struct str rel = str_fmt(a, "mailboxes/%.*s", STR_ARG(name));
	int fd = agentbox_layout_open(r->dir, rel.p, make);

	if (fd < 0) {
		(void)box_missing(e, "open");
		(void)err_errno(e, "the mailbox's folder");
	}
	return fd;
}

static int
box_open(const struct agentbox_root *r, const struct agentbox_reg *reg,
    bool make, struct err *e)
{
	CLEANUP(path_close) int fd = -1;

	if (!agentbox_name_address(reg->address) ||
	    (reg->status == AGENTBOX_STASHED &&
		!agentbox_name_stashed(agentbox_box_name(reg))))
		return box_missing(e, "the address is none");
	fd = reg->is_private ? box_open_private(r, reg, make, e)
			     : box_open_in_root(r, reg, make, e);
	if (fd < 0 || (reg->is_private && box_check_entry(r, reg, make, e) < 0))
		return -1;
	for (size_t i = 0; i < BOX_NAMES; i++) {
		CLEANUP(path_close)
		int one = agentbox_layout_open(fd, box_names[i], make);

		if (one < 0)
			return box_missing(e, box_names[i]);
	}
	return agentbox_take(&fd);
}

int
agentbox_box_open(const struct agentbox_root *r, const struct agentbox_reg *reg,
    struct err *e)
{
	return box_open(r, reg, false, e);
}

int
agentbox_box_make(const struct agentbox_root *r, const struct agentbox_reg *reg,
    struct err *e)
{
	return box_open(r, reg, true, e);
}

struct str
agentbox_box_where(const struct agentbox_root *r,
    const struct agentbox_reg *reg, struct arena *a)
{
	if (reg->is_private)
		return str_dup(a, reg->path);
	return str_fmt(a, "%.*s/mailboxes/%.*s", STR_ARG(r->shown),
	    STR_ARG(reg->address));
}

int
agentbox_box_path(int box, char out[PATH_MAX], struct err *e)
{
	char link[64];
	ssize_t n;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", box);
	n = readlink(link, out, PATH_MAX - 1);
	if (n <= 0) {
		(void)err_set(e, ERR_CONFIG, "a mailbox cannot be opened");
		return err_errno(e, "readlink");
	}
	out[n] = '\0';
	return 0;
}
