/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether others can change a file, or put another in its place.  Every folder
 * and link on the way is looked at, as the kernel would walk it.
 */
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"

enum {
	LINKS = 40 /* as the kernel's, which then says ELOOP */
};

/* A walk: `at` is a path without links, `rest` what is still to be walked. */
struct trust {
	struct arena *a;
	uint32_t user;
	const struct stat *apart; /* a folder that it does not enter; or NULL */
	struct str at, rest;
	unsigned links;
};

/* Whoever may change the mode may write, too. */
static bool
path_trust_owner(const struct stat *st, uint32_t user)
{
	return st->st_uid == 0 || st->st_uid == user;
}

static bool
path_trust_shut(const struct stat *st)
{
	return (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool
path_trust_is(const struct stat *st, uint32_t user)
{
	return path_trust_owner(st, user) && path_trust_shut(st);
}

static int
path_trust_unseen(const struct trust *t, struct str at, struct str *why)
{
	*why = str_fmt(t->a, "%.*s cannot be looked at", STR_ARG(at));
	return -1;
}

/* In a sticky folder others cannot replace what is not theirs; a link has no
 * mode of its own. */
static int
path_trust_check(const struct trust *t, struct str at, const struct stat *st,
    struct str *why)
{
	const struct stat *no = t->apart;
	const bool sticky = S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX);
	const bool shut = path_trust_shut(st) || S_ISLNK(st->st_mode) || sticky;

	if (no != NULL && st->st_dev == no->st_dev &&
	    st->st_ino == no->st_ino) {
		*why = str_fmt(t->a, "%.*s is where emcli writes", STR_ARG(at));
		return -1;
	}
	if (path_trust_owner(st, t->user) && shut)
		return 0;
	*why = str_fmt(t->a, "%.*s is of uid %u and has mode %04o", STR_ARG(at),
	    (unsigned)st->st_uid, (unsigned)(st->st_mode & 07777));
	return -1;
}

static int
path_trust_follow(struct trust *t, struct str at, struct str *why)
{
	char to[PATH_MAX];
	ssize_t n = readlink(str_c(t->a, at), to, sizeof(to));

	if (n <= 0 || (size_t)n == sizeof(to) || ++t->links > LINKS)
		return path_trust_unseen(t, at, why);
	if (to[0] == '/')
		t->at = S("");
	t->rest = str_fmt(t->a, "%.*s/%.*s", (int)n, to, STR_ARG(t->rest));
	return 0;
}

static struct str
path_trust_parent(struct str at)
{
	while (at.n > 0 && at.p[at.n - 1] != '/')
		at.n--;
	return at.n > 0 ? str_first(at, at.n - 1) : at;
}

/* The next name on the way; the root is the empty one before the first. */
static int
path_trust_step(struct trust *t, struct str name, struct str *why)
{
	struct str at =
	    str_fmt(t->a, "%.*s/%.*s", STR_ARG(t->at), STR_ARG(name));
	struct stat st;

	if (str_eq(name, S("..")))
		t->at = path_trust_parent(t->at);
	if (str_eq(name, S("..")) || str_eq(name, S(".")))
		return 0;
	if (lstat(str_c(t->a, at), &st) < 0)
		return path_trust_unseen(t, at, why);
	if (path_trust_check(t, at, &st, why) < 0)
		return -1;
	if (S_ISLNK(st.st_mode))
		return path_trust_follow(t, at, why);
	if (name.n > 0)
		t->at = at;
	return 0;
}

static int
path_trust_walk(struct trust *t, struct str *why)
{
	struct str name;

	if (!str_starts(t->rest, S("/")) || t->rest.n >= PATH_MAX)
		return path_trust_unseen(t, t->rest, why);
	do {
		(void)str_cut(t->rest, '/', &name, &t->rest);
		if ((name.n > 0 || t->at.n == 0) &&
		    path_trust_step(t, name, why) < 0)
			return -1;
	} while (t->rest.n > 0);
	return 0;
}

int
path_trust(const char *path, uint32_t user, struct arena *a, struct str *why)
{
	struct trust t = { .a = a, .user = user, .rest = str_of(path) };

	return path_trust_walk(&t, why);
}

int
path_trust_apart(const char *path, const char *folder, uint32_t user,
    struct arena *a, struct str *why)
{
	struct stat apart;
	struct trust t = { .a = a,
		.user = user,
		.apart = &apart,
		.rest = str_of(path) };

	if (folder == NULL)
		return path_trust(path, user, a, why);
	if (stat(folder, &apart) < 0)
		return path_trust_unseen(&t, str_of(folder), why);
	return path_trust_walk(&t, why);
}
