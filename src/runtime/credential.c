/* SPDX-License-Identifier: Apache-2.0 */
/* Files with a password. */
#include "runtime/credential.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"

#define END ".json"
#define NEXT ".next"
#define NEW ".new"

void
credential_done(struct credential *c)
{
	secret_close(&c->password);
}

static int
credential_fail(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "the file of a mailbox's password %s",
	    what);
	return -1;
}

int
credential_missing(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "%s", what);
	e->reason = "credential_missing";
	return err_hint(e,
	    "give the account's password with --mailbox-password-file, or "
	    "--reset-password to give it a new one");
}

/* -- folders and names ------------------------------------------------------
 */

int
credential_open(const struct place *p, bool make, int *folder, struct err *e)
{
	CLEANUP(path_close)
	int top = place_folder(p->fd, "mailbox-credentials", make, e);

	*folder = top < 0 ? -1 : place_folder(top, "stalwart", make, e);
	if (*folder < 0) {
		if (make || e->kind != ERR_NOT_FOUND)
			return -1;
		*e = (struct err){ 0 };
		return 1;
	}
	/* Another program may have made them for all to read. */
	if (fchmod(top, 0700) < 0 || fchmod(*folder, 0700) < 0)
		return credential_fail(e, "is in a folder of another user's");
	return place_lock(*folder, e);
}

struct str
credential_next(struct arena *a, struct str ref)
{
	return str_fmt(a, "%.*s" NEXT, STR_ARG(ref));
}

/* "ref.json", if it may be a part of a path. */
static const char *
credential_file(struct arena *a, struct str name)
{
	struct str ref = name;

	if (str_ends(ref, S(NEXT)))
		ref.n -= strlen(NEXT);
	if (!credential_ref_is_safe(ref) ||
	    name.n > LIMIT_FILE_NAME - strlen(NEW END))
		return NULL;
	return str_fmt(a, "%.*s" END, STR_ARG(name)).p;
}

static int
credential_by_name(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

int
credential_names(int folder, struct arena *a, struct strs *out, struct err *e)
{
	CLEANUP(path_dir_close)
	DIR *d = fdopendir(openat(folder, ".", O_RDONLY | O_CLOEXEC));
	struct dirent *at;

	*out = (struct strs){ 0 };
	if (d == NULL)
		return credential_fail(e, "cannot be looked for");
	while ((at = readdir(d)) != NULL) {
		struct str name = str_of(at->d_name);

		if (!str_ends(name, S(END)))
			continue;
		name.n -= strlen(END);
		if (credential_file(a, name) == NULL)
			continue;
		if (out->n == LIMIT_CREDENTIALS)
			return err_set(e, ERR_LIMIT,
			    "there are too many files of mailboxes' passwords");
		str_push(a, out, str_dup(a, name));
	}
	if (out->n > 1)
		qsort(out->v, out->n, sizeof(*out->v), credential_by_name);
	return 0;
}

/* -- reading ----------------------------------------------------------------
 */

struct reading {
	struct arena *a;
	struct credential *out;
};

static struct str
credential_get_text(struct arena *a, const struct json_value *v,
    const char *key)
{
	struct str s;

	if (!json_parse_str(json_parse_member(v, key), &s) || s.n > LIMIT_URL)
		return S("");
	return str_dup(a, s);
}

/* Called with the whole file; json_parse.c wipes what it copies. */
static int
credential_get(struct str plain, void *ctx)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct reading *r = ctx;
	struct credential *c = r->out;
	const struct json_value *v;
	struct err unused = { 0 };
	struct str s;

	if (json_parse_open(plain, LIMIT_CREDENTIAL, &doc, &unused) < 0)
		return -1;
	v = json_parse_root(doc);
	if (!json_parse_str(json_parse_member(v, "password"), &s) ||
	    !credential_password_ok(s))
		return -1;
	c->password = secret_new(s.p, s.n);
	c->login = credential_get_text(r->a, v, "login_identity");
	c->address = credential_get_text(r->a, v, "address");
	c->jmap_url = credential_get_text(r->a, v, "jmap_url");
	c->management_url = credential_get_text(r->a, v, "management_url");
	c->pending =
	    str_eq(credential_get_text(r->a, v, "state"), S("pending"));
	return 0;
}

static int
credential_check(int fd, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_nlink != 1)
		return credential_fail(e, "is no file of its own");
	if (st.st_uid != geteuid())
		return credential_fail(e, "is another user's");
	if ((st.st_mode & 077) != 0) {
		(void)credential_fail(e,
		    "is open to others: chmod 600 it, and then replace the "
		    "password: emcli credential rotate");
		return -1;
	}
	return 0;
}

int
credential_read(int folder, struct str name, struct arena *a,
    struct credential *out, struct err *e)
{
	CLEANUP(secret_close) struct secret *text = NULL;
	CLEANUP(path_close) int fd = -1;
	const char *file = credential_file(a, name);
	struct err unused = { 0 };
	struct reading r = { a, out };

	*out = (struct credential){ .ref = name };
	if (file == NULL)
		return credential_fail(e, "has no usable name");
	fd = openat(folder, file,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return 1;
	if (fd < 0)
		return credential_fail(e, "cannot be opened");
	if (credential_check(fd, e) < 0)
		return -1;
	if (secret_read(fd, &text, &unused) < 0 ||
	    secret_lend(text, credential_get, &r) < 0) {
		credential_done(out);
		return credential_fail(e, "is damaged");
	}
	return 0;
}

/* -- writing ----------------------------------------------------------------
 */

/* What goes before and after the password; the names are Houmao's. */
static void
credential_put(const struct credential *c, struct json *j)
{
	json_open_object(j, NULL);
	json_put_str(j, "credential_ref", c->ref);
	json_put_str(j, "login_identity", c->login);
	json_put_text(j, "password", CREDENTIAL_PLACE);
	if (c->jmap_url.n > 0) {
		json_put_str(j, "address", c->address);
		json_put_str(j, "jmap_url", c->jmap_url);
		json_put_str(j, "management_url", c->management_url);
		json_put_text(j, "state", c->pending ? "pending" : "confirmed");
	}
	json_close_object(j);
}

struct writing {
	int folder;
	const char *file;
	struct err *e;
};

/* All of it or nothing, on disk, and never readable for others. */
static int
credential_put_file(struct str plain, void *ctx)
{
	const struct writing *w = ctx;
	int r = path_folder_new(w->folder, NEW, plain, w->e);

	if (r > 0) { /* of a command that was killed: we hold the lock */
		path_folder_drop(w->folder, NEW);
		r = path_folder_new(w->folder, NEW, plain, w->e);
	}
	if (r != 0)
		return credential_fail(w->e, "cannot be written");
	if (fchmodat(w->folder, NEW, 0600, 0) < 0 ||
	    renameat(w->folder, NEW, w->folder, w->file) < 0) {
		path_folder_drop(w->folder, NEW);
		return credential_fail(w->e, "cannot be put into place");
	}
	return path_folder_sync(w->folder, w->e);
}

int
credential_write(int folder, struct str name, const struct credential *c,
    const struct secret *password, struct arena *a, struct err *e)
{
	CLEANUP(secret_close) struct secret *text = NULL;
	struct writing w = { folder, credential_file(a, name), e };
	struct json *j = json_new(a);

	if (w.file == NULL)
		return credential_fail(e, "has no usable name");
	credential_put(c, j);
	if (credential_password_fill(json_text(j, a), password, &text, e) < 0)
		return -1;
	return secret_lend(text, credential_put_file, &w);
}

int
credential_remove(int folder, struct str name, struct arena *a, struct err *e)
{
	const char *file = credential_file(a, name);

	if (file == NULL ||
	    (unlinkat(folder, file, 0) < 0 && errno != ENOENT)) {
		(void)credential_fail(e, "cannot be removed");
		return err_errno(e, "unlink");
	}
	return path_folder_sync(folder, e);
}
