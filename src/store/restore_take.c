/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes a copy for a restore.  Its bytes are copied first: the file that the
 * operator keeps is only read, and nobody changes what was checked.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "store/audit.h"
#include "store/check.h"
#include "store/opening.h"
#include "store/restoring.h"
#include "store/seal.h"
#include "store/slot.h"

enum {
	PIECE = 64 << 10 /* bytes that are copied at once */
};

static const char name_a_copy[] = "name a copy that emcli store backup made";

static int
restore_take_fail(struct err *e, const char *path)
{
	(void)err_set(e, ERR_CONFIG, "the copy cannot be read");
	(void)err_errno(e, path);
	return err_hint(e,
	    "emcli reads it as the owner of the database: that user must be "
	    "able to, and the disk needs room for three more copies");
}

/* What is wrong with the copy, and not with the store. */
static int
restore_take_of_copy(struct err *e)
{
	static const char database[] = "the database ";
	const size_t n = sizeof(database) - 1;
	const struct err was = *e;

	if (strncmp(was.say, database, n) == 0)
		(void)snprintf(e->say, sizeof(e->say), "the copy %.180s",
		    was.say + n);
	else
		(void)snprintf(e->say, sizeof(e->say), "the copy: %.180s",
		    was.say);
	return -1;
}

/* Closing it would release the locks that SQLite holds on it here. */
static int
restore_take_is_store(const struct store_restore *r, struct err *e)
{
	struct stat st, is;

	if (stat(r->from, &st) < 0 || stat(r->path, &is) < 0 ||
	    st.st_dev != is.st_dev || st.st_ino != is.st_ino)
		return 0;
	return err_set(e, ERR_USAGE,
	    "that is the database itself: name a copy of it");
}

/* What is newest may not be in the file: then it is no whole copy. */
static int
restore_take_is_whole(const char *from, struct arena *a, struct err *e)
{
	static const char *const beside[] = { "-wal", "-journal" };
	struct stat st;

	for (size_t i = 0; i < 2; i++) {
		const char *name = str_fmt(a, "%s%s", from, beside[i]).p;

		if (lstat(name, &st) < 0 || st.st_size == 0)
			continue;
		(void)err_set(e, ERR_USAGE,
		    "there is a log beside the copy, and what is newest may be "
		    "in it alone");
		(void)err_because(e, "%s", name);
		return err_hint(e,
		    "emcli store check, with EMCLI_DB naming the copy, puts it "
		    "into the file; then restore again");
	}
	return 0;
}

static int
restore_take_there(const struct store_restore *r, struct arena *a,
    struct store_restored *done, struct err *e)
{
	mode_t was;
	int is = store_file_check(r->from, &was, e);

	done->mode = was;
	if (is < 0)
		return restore_take_of_copy(e);
	if (is == 0) {
		(void)err_set(e, ERR_NOT_FOUND, "there is no such file");
		(void)err_because(e, "%s", r->from);
		return err_hint(e, name_a_copy);
	}
	return restore_take_is_store(r, e) < 0
	    ? -1
	    : restore_take_is_whole(r->from, a, e);
}

static int
restore_take_bytes(const char *from, const char *to, struct err *e)
{
	CLEANUP(path_close)
	int in = open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	CLEANUP(path_close)
	int out = open(to, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	char piece[PIECE];
	struct stat st;
	off_t left;
	ssize_t n = 0;

	if (in < 0 || out < 0 || fstat(in, &st) < 0)
		return restore_take_fail(e, out < 0 ? to : from);
	/* A file that grows meanwhile would never end. */
	for (left = st.st_size; left > 0; left -= n) {
		n = read(in, piece,
		    left < PIECE ? (size_t)left : sizeof(piece));
		if (n <= 0)
			break;
		if (path_write(out, (struct str){ piece, (size_t)n }) < 0)
			return restore_take_fail(e, to);
	}
	return n < 0 ? restore_take_fail(e, from) : 0;
}

/* Of the draft, which nobody else changes. */
static int
restore_take_digest(const char *file, struct arena *a, struct str *out,
    struct err *e)
{
	CLEANUP(path_close)
	int fd = open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	unsigned char raw[SEAL_HASH];
	struct stat st;
	void *p;

	if (fd < 0 || fstat(fd, &st) < 0)
		return restore_take_fail(e, file);
	if (st.st_size == 0) {
		(void)err_set(e, ERR_CONFIG, "the copy is empty");
		return err_hint(e, name_a_copy);
	}
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return restore_take_fail(e, file);
	seal_hash((struct str){ p, (size_t)st.st_size }, raw);
	(void)munmap(p, (size_t)st.st_size);
	*out = str_hex_dup(a, raw, sizeof(raw));
	return 0;
}

static int
restore_take_time(struct store *s, struct arena *a, struct str *out,
    struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_prepare(s, "SELECT max(ts) FROM audit_log", &st, e) < 0 ||
	    stmt_step(s, st, e) < 0)
		return -1;
	*out = stmt_column(st, 0, a);
	return 0;
}

/* Before anything in it is evaluated. */
static int
restore_take_is_ours(const char *file, struct err *e)
{
	CLEANUP(store_close) struct store *s = NULL;
	int r = store_look_open(file, &s, e);

	if (r < 0)
		return restore_take_of_copy(e);
	if (r == 1)
		return 0;
	(void)err_set(e, ERR_CONFIG, "that file is not a database of emcli");
	return err_hint(e, name_a_copy);
}

static int
restore_take_not_ours(const struct store_checked *v, struct err *e)
{
	(void)err_set(e, ERR_CONFIG, "the copy is not as emcli wrote it");
	(void)err_because(e, "%.*s", STR_ARG(v->faults.v[0]));
	return err_hint(e,
	    "emcli store check, with EMCLI_DB naming the copy, lists what is "
	    "wrong");
}

/* Before a key is tried: pages, and whether it is a store of this emcli. */
static int
restore_take_check_file(const char *file, struct arena *a,
    struct store_restored *done, struct err *e)
{
	CLEANUP(store_close) struct store *s = NULL;
	struct store_checked v;

	if (restore_take_is_ours(file, e) < 0)
		return -1;
	if (store_check_file(file, a, &v, e) < 0)
		return restore_take_of_copy(e);
	if (v.foreign)
		return restore_take_not_ours(&v, e);
	if (v.faults.n > 0) {
		(void)err_set(e, ERR_DB,
		    "the copy is damaged: use another one");
		return err_because(e, "%.*s", STR_ARG(v.faults.v[0]));
	}
	return store_look_open(file, &s, e) < 0 || migrate_fits(s, e) < 0 ||
		restore_take_time(s, a, &done->taken, e) < 0
	    ? restore_take_of_copy(e)
	    : 0;
}

static int
restore_take_open(const char *file, const struct store_keys *k,
    struct store **out, struct err *e)
{
	CLEANUP(store_key_done) struct key admin = { 0 };

	/* A key that is none is not the copy's fault. */
	if (store_key_admin(k, &admin, e) < 0)
		return -1;
	if (store_open_draft(file, k, out, e) == 0)
		return 0;
	if (e->kind != ERR_CONFIG)
		return restore_take_of_copy(e);
	(void)err_set(e, ERR_CONFIG, "EMCLI_ADMIN_KEY does not open that copy");
	return err_hint(e,
	    "it was made before key rotate --admin, or is of another store: "
	    "see emcli(1), Copies of a store");
}

/* A copy that somebody changed would be signed as the operator's. */
static int
restore_take_check_rows(struct store *s, struct arena *a, struct err *e)
{
	struct store_checked v = { .chain = { .whole = true } };
	struct store_chain signs;

	if (store_check_rows(s, a, &v, e) < 0)
		return restore_take_of_copy(e);
	if (v.faults.n > 0)
		return restore_take_not_ours(&v, e);
	/* Also what migrations have added. */
	return store_chain_sign(s, &signs, e);
}

int
restore_take(const struct store_restore *r, const struct copy_draft *d,
    struct store **out, struct arena *a, struct store_restored *done,
    struct err *e)
{
	if (restore_take_there(r, a, done, e) < 0 ||
	    restore_take_bytes(r->from, d->file, e) < 0 ||
	    restore_take_digest(d->file, a, &done->digest, e) < 0 ||
	    restore_take_check_file(d->file, a, done, e) < 0 ||
	    restore_take_open(d->file, r->keys, out, e) < 0 ||
	    restore_take_check_rows(*out, a, e) < 0)
		return -1;
	if (r->opened != NULL)
		r->opened(r->ctx, *out);
	return 0;
}
