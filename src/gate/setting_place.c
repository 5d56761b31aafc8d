/* SPDX-License-Identifier: Apache-2.0 */
/* Does --path name what the backend reads? */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/path.h"
#include "gate/setting.h"

enum {
	BEGIN_MAX = 4096, /* blank lines may precede the first message */
	FILES_MAX = 1000
};

static bool
setting_place_has_parts(struct arena *a, struct str folder)
{
	static const char *const parts[] = { "cur", "new", "tmp" };
	struct stat st;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (stat(str_c(a,
			     str_fmt(a, "%.*s/%s", STR_ARG(folder), parts[i])),
			&st) < 0 ||
		    !S_ISDIR(st.st_mode))
			return false;
	return true;
}

/* Its own, or in a site the one named by its address. */
static int
setting_place_maildir(struct arena *a, const struct store_account *v,
    struct err *e)
{
	struct str own =
	    str_fmt(a, "%.*s/%.*s", STR_ARG(v->path), STR_ARG(v->from_addr));

	if (setting_place_has_parts(a, v->path) ||
	    (v->from_addr.n > 0 && !str_has_char(v->from_addr, '/') &&
		setting_place_has_parts(a, own)))
		return 0;
	(void)err_set(e, ERR_USAGE,
	    "--path has no cur, new and tmp, nor has a folder in it that "
	    "is named by the address");
	return err_hint(e,
	    "name the folder that has them, or make them: mkdir -p "
	    "FOLDER/cur FOLDER/new FOLDER/tmp");
}

enum begin {
	BEGIN_OTHER,
	BEGIN_MBOX, /* or empty so far */
	BEGIN_PACKED,
	BEGIN_BZIP2,
};

/* RFC 4155; RFC 1952 section 2.3.1 for .gz. */
static enum begin
setting_place_begin_of(int at, const char *name)
{
	CLEANUP(path_close)
	int fd = openat(at, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char bytes[BEGIN_MAX];
	struct str s = { bytes, 0 };
	ssize_t n = fd < 0 ? -1 : path_read_at(fd, bytes, sizeof(bytes), 0);

	if (n < 0)
		return BEGIN_OTHER;
	s.n = (size_t)n;
	if (str_starts(s, S("\x1f\x8b\x08")) || str_starts(s, S("\xfd\x37zXZ")))
		return BEGIN_PACKED;
	if (str_starts(s, S("BZh")))
		return BEGIN_BZIP2;
	while (s.n > 0 && (s.p[0] == '\n' || s.p[0] == '\r'))
		s = str_from(s, 1);
	return s.n == 0 || str_starts(s, S("From ")) ? BEGIN_MBOX : BEGIN_OTHER;
}

static int
setting_place_no_mbox(enum begin is, struct err *e)
{
	if (is == BEGIN_BZIP2) {
		(void)err_set(e, ERR_USAGE,
		    "--path is packed with bzip2, which is not supported");
		return err_hint(e, "unpack it, or pack it with gzip or xz");
	}
	(void)err_set(e, ERR_USAGE,
	    "--path is not an mbox: it does not begin with a line \"From \"");
	return err_hint(e,
	    "name an mbox file, a folder of them, or with --backend maildir "
	    "the folder that holds cur, new and tmp");
}

/* One mbox is sufficient; future files may be mbox too. */
static int
setting_place_check_files(DIR *d, struct err *e)
{
	const struct dirent *one;
	size_t seen = 0;

	while (seen < FILES_MAX && (one = readdir(d)) != NULL) {
		enum begin is;
		struct stat st;

		if (one->d_name[0] == '.' ||
		    fstatat(dirfd(d), one->d_name, &st, 0) < 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		seen++;
		is = setting_place_begin_of(dirfd(d), one->d_name);
		if (is == BEGIN_MBOX || is == BEGIN_PACKED)
			return 0;
	}
	if (seen == 0)
		return 0;
	(void)err_set(e, ERR_USAGE, "--path holds files, and none is an mbox");
	return err_hint(e,
	    "name an mbox file, a folder of them, or with --backend maildir "
	    "the folder that holds cur, new and tmp");
}

static int
setting_place_mbox(struct arena *a, const struct store_account *v,
    struct err *e)
{
	const char *path = str_c(a, v->path);
	DIR *d = opendir(path);
	enum begin is;
	int r;

	if (d != NULL) {
		r = setting_place_check_files(d, e);
		(void)closedir(d);
		return r;
	}
	is = setting_place_begin_of(AT_FDCWD, path);
	return is == BEGIN_MBOX || is == BEGIN_PACKED
	    ? 0
	    : setting_place_no_mbox(is, e);
}

static int
setting_place_agentbox(struct arena *a, const struct store_account *v,
    struct err *e)
{
	struct str version =
	    str_fmt(a, "%.*s/protocol-version.txt", STR_ARG(v->path));
	struct stat st;

	if (v->from_addr.n == 0)
		return err_set(e, ERR_USAGE, "--from is missing");
	if (stat(str_c(a, version), &st) == 0 && S_ISREG(st.st_mode))
		return 0;
	(void)err_set(e, ERR_USAGE, "--path is no root of agents' mailboxes");
	return err_hint(e,
	    "name the folder that has protocol-version.txt, mailboxes and "
	    "messages");
}

int
setting_place(struct arena *a, const struct store_account *v, struct err *e)
{
	if (str_eq(v->backend, S("maildir")))
		return setting_place_maildir(a, v, e);
	if (str_eq(v->backend, S("mbox")))
		return setting_place_mbox(a, v, e);
	if (str_eq(v->backend, S("agentbox")))
		return setting_place_agentbox(a, v, e);
	return 0;
}
