/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"

#define LOCK "manifest.lock"
#define NEW ".manifest.json.new"
#define LOCK_EVERY_MS 20

static int
manifest_cannot(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "the session's manifest cannot be %s",
	    what);
	return err_errno(e, what);
}

/*
 * Waits for the lock, which ends with the descriptor, so it never stays held.
 */
static int
manifest_lock(int folder, struct err *e)
{
	const struct timespec pause = { 0, LOCK_EVERY_MS * 1000000L };
	int64_t end = clock_mono_ms() + LIMIT_MANIFEST_LOCK_MS;
	struct stat st;
	int fd;

	fd = openat(folder, LOCK,
	    O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	if (fd < 0)
		return manifest_cannot(e, "locked");
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if ((errno == EWOULDBLOCK || errno == EINTR) &&
		    clock_mono_ms() < end) {
			(void)nanosleep(&pause, NULL);
			continue;
		}
		if (errno == EWOULDBLOCK)
			(void)err_set(e, ERR_LIMIT,
			    "another program is changing the session: try "
			    "again");
		else
			(void)manifest_cannot(e, "locked");
		path_close(&fd);
		return -1;
	}
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		errno = EINVAL;
		(void)manifest_cannot(e, "locked");
		path_close(&fd);
		return -1;
	}
	return fd;
}

static int
manifest_load(int folder, struct arena *a, struct str *out, struct err *e)
{
	CLEANUP(path_close) int fd = -1;
	struct stat st;

	fd = openat(folder, MANIFEST_FILE,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return err_set(e, ERR_NOT_FOUND, "there is no such session");
	if (fd < 0 || fstat(fd, &st) < 0)
		return manifest_cannot(e, "read");
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_CONFIG,
		    "the session's manifest is not a file");
	return path_read(fd, LIMIT_MANIFEST, a, out, e);
}

/* Replaces the file; the caller holds the lock. */
static int
manifest_store(int folder, struct str text, struct err *e)
{
	/* A killed writer may have left it. */
	path_folder_drop(folder, NEW);
	if (path_folder_new(folder, NEW, text, e) != 0)
		return manifest_cannot(e, "written");
	if (fchmodat(folder, NEW, 0600, 0) < 0 ||
	    renameat(folder, NEW, folder, MANIFEST_FILE) < 0) {
		(void)manifest_cannot(e, "written");
		path_folder_drop(folder, NEW);
		return -1;
	}
	return path_folder_sync(folder, e);
}

int
manifest_read(int folder, struct arena *a, struct manifest *out, struct err *e)
{
	struct str text = { 0 };

	if (manifest_load(folder, a, &text, e) < 0)
		return -1;
	return manifest_get(text, a, out, e);
}

int
manifest_create(int folder, const struct manifest *m, struct arena *a,
    struct err *e)
{
	CLEANUP(path_close) int lock = manifest_lock(folder, e);
	struct stat st;

	if (lock < 0)
		return -1;
	if (fstatat(folder, MANIFEST_FILE, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return err_set(e, ERR_CONFIG,
		    "the session has a manifest already");
	return manifest_store(folder, manifest_put_text(m, a), e);
}

/* Copies the members of an object, except the one with that name. */
static void
manifest_copy(struct json *j, const struct json_value *v, const char *but)
{
	const struct json_value *one;
	struct str key = { 0 };

	while ((one = json_parse_next(v, &key)) != NULL)
		if (!str_eq(key, str_of(but)))
			json_copy_put(j, key.p, one);
}

/* The whole file with its mailbox replaced. */
static struct str
manifest_exchange(const struct json_value *root, const struct binding *b,
    struct arena *a)
{
	struct json *j = json_new(a);
	struct json_doc *d = NULL;
	struct err e = { 0 };
	struct str text = { 0 };

	json_open_object(j, NULL);
	manifest_copy(j, root, "launch_plan");
	json_open_object(j, "launch_plan");
	manifest_copy(j, json_parse_member(root, "launch_plan"), "mailbox");
	binding_put(b, j, "mailbox");
	json_close_object(j);
	json_close_object(j);
	if (json_parse_open(json_text(j, a), SIZE_MAX, &d, &e) < 0)
		err_bug("manifest: %s", e.say);
	text = json_copy_text(a, json_parse_root(d));
	json_parse_close(&d);
	return text;
}

static int
manifest_next(struct binding *b, const struct manifest *m, struct str expect,
    struct arena *a, struct err *e)
{
	struct str last = m->mailbox.bindings_version;

	if (expect.n > 0 && !str_eq(expect, last)) {
		(void)err_set(e, ERR_USAGE,
		    "the mailbox of the session was changed meanwhile: look "
		    "at it again");
		e->reason = "stale_binding";
		return -1;
	}
	if (b->transport == TRANSPORT_NONE)
		return 0;
	if (last.n == 0)
		last = b->bindings_version;
	return version_next(a, clock_now_us(), last, &b->bindings_version, e);
}

int
manifest_rebind(int folder, struct binding *b, struct str expect,
    struct arena *a, struct err *e)
{
	CLEANUP(path_close) int lock = manifest_lock(folder, e);
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	struct binding next = *b;
	struct manifest m = { 0 };
	struct str text = { 0 };

	if (lock < 0 || manifest_load(folder, a, &text, e) < 0 ||
	    manifest_get(text, a, &m, e) < 0 ||
	    manifest_next(&next, &m, expect, a, e) < 0 ||
	    json_parse_open(text, LIMIT_MANIFEST, &d, e) < 0)
		return -1;
	if (next.rest == NULL && next.transport == m.mailbox.transport)
		next.rest = m.mailbox.rest;
	text = manifest_exchange(json_parse_root(d), &next, a);
	if (text.n > LIMIT_MANIFEST)
		return err_set(e, ERR_LIMIT,
		    "the session's manifest would be too long");
	if (manifest_store(folder, text, e) < 0)
		return -1;
	*b = next;
	return 0;
}
