/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folders of a Maildir, in the layout of Maildir++: INBOX is the Maildir, and
 * each sub-folder ".Name" that has a cur/ is the folder "Name".
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>

#include "backend/maildir/internal.h"
#include "base/utf8.h"

/* Nothing in a Maildir gives a folder's role; the common names do. */
static const struct {
	struct str name;
	enum folder_role role;
} roles[] = {
	{ SI("Archive"), FOLDER_ARCHIVE },
	{ SI("Archives"), FOLDER_ARCHIVE },
	{ SI("Drafts"), FOLDER_DRAFTS },
	{ SI("Junk"), FOLDER_JUNK },
	{ SI("Spam"), FOLDER_JUNK },
	{ SI("Sent"), FOLDER_SENT },
	{ SI("Sent Items"), FOLDER_SENT },
	{ SI("Sent Messages"), FOLDER_SENT },
	{ SI("Trash"), FOLDER_TRASH },
	{ SI("Deleted Items"), FOLDER_TRASH },
	{ SI("Deleted Messages"), FOLDER_TRASH },
};

static enum folder_role
maildir_folder_role_of(struct str name)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (str_eq_case(roles[i].name, name))
			return roles[i].role;
	return FOLDER_PLAIN;
}

/* Is this allowed as a sub-folder's name?  "." would become "..". */
static bool
maildir_folder_is_name(struct str name)
{
	if (name.n == 0 || name.n > MAILDIR_NAME || name.p[0] == '.' ||
	    !utf8_valid(name))
		return false;
	for (size_t i = 0; i < name.n; i++) {
		unsigned char c = (unsigned char)name.p[i];

		if (c == '/' || c < ' ' || c == 0x7f)
			return false;
	}
	return true;
}

static bool
is_inbox(struct str name)
{
	return str_eq_case(name, S("INBOX"));
}

/* Is the entry of the mailbox, with a dot before its name, a Maildir? */
static bool
is_folder(int box, const char *entry)
{
	CLEANUP(path_close) int fd = path_dir_open(box, entry);
	struct stat st;

	return fd >= 0 && fstatat(fd, "cur", &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISDIR(st.st_mode);
}

static void
maildir_folder_add(struct arena *a, struct folders *out, struct str name,
    enum folder_role role)
{
	out->v = arena_more(a, out->v, out->n, sizeof(*out->v));
	out->v[out->n++] = (struct folder){
		.name = str_dup(a, name),
		.delimiter = '.',
		.selectable = true,
		.role = role,
	};
}

static int
maildir_folder_by_name(const void *x, const void *y)
{
	const struct folder *f = x, *g = y;

	return str_cmp(f->name, g->name);
}

int
maildir_folder_list(struct conn *c, struct arena *a, struct folders *out,
    struct err *e)
{
	struct maildir *m = (struct maildir *)c;
	struct folders list = { 0 };
	const struct dirent *d;
	CLEANUP(path_dir_close) DIR *dir = NULL;
	int fd = path_dir_open(m->box, ".");

	dir = fd >= 0 ? fdopendir(fd) : NULL;
	if (dir == NULL) {
		path_close(&fd);
		(void)err_set(e, ERR_CONFIG, "the Maildir cannot be read");
		return err_errno(e, "opendir");
	}
	maildir_folder_add(a, &list, S("INBOX"), FOLDER_INBOX);
	while (list.n < LIMIT_FOLDERS && (d = readdir(dir)) != NULL) {
		struct str name = str_from(str_of(d->d_name), 1);

		if (d->d_name[0] != '.' || !maildir_folder_is_name(name) ||
		    is_inbox(name))
			continue;
		if (backend_in_time(m->conn.acct, MAILDIR_LATE, e) < 0)
			return -1;
		if (is_folder(m->box, d->d_name))
			maildir_folder_add(a, &list, name,
			    maildir_folder_role_of(name));
	}
	qsort(list.v + 1, list.n - 1, sizeof(*list.v), maildir_folder_by_name);
	*out = list;
	return 0;
}

void
maildir_folder_close(struct maildir *m)
{
	maildir_index_drop(m);
	maildir_facts_drop(m);
	path_close(&m->cur);
	path_close(&m->new);
	m->folder = (struct str){ 0 };
}

int
maildir_folder_dir(const struct maildir *m, struct str name)
{
	char entry[MAILDIR_NAME + 2] = ".";

	if (is_inbox(name))
		return path_dir_open(m->box, ".");
	if (!maildir_folder_is_name(name))
		return -1;
	memcpy(entry + 1, name.p, name.n);
	return path_dir_open(m->box, entry);
}

int
maildir_folder_open(struct maildir *m, struct str name, struct err *e)
{
	CLEANUP(path_close) int fd = -1;

	m->rescanned = false;
	if (is_inbox(name))
		name = S("INBOX");
	if (m->cur >= 0 && str_eq(m->folder, name))
		return 0;
	maildir_folder_close(m);
	fd = maildir_folder_dir(m, name);
	if (fd >= 0)
		m->cur = path_dir_open(fd, "cur");
	if (m->cur < 0)
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	memcpy(m->name, name.p, name.n);
	m->folder = (struct str){ m->name, name.n };
	/* Without new/ a folder still contains the messages in cur/. */
	m->new = path_dir_open(fd, "new");
	return 0;
}
