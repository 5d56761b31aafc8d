/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The client that asks for consent: an id on the command line and a file with
 * the secret, or the file that Google offers for download, which has both
 * (client_secret.json: an object `installed`, or `web`).
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "base/path.h"
#include "desk/consent.h"
#include "oauth/oauth.h"

enum {
	ID_MAX_BYTES = 1024
};

void
consent_client_done(struct consent_client *x)
{
	secret_close(&x->id);
	secret_close(&x->secret);
}

/* Every copy of a program has this secret, but it must still be private. */
static bool
consent_client_is_open(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (st.st_mode & 066) != 0;
}

static int
consent_client_read_client(const struct call *c, struct str path,
    struct consent_client *out, struct err *e)
{
	CLEANUP(path_close)
	int fd = open(str_c(c->arena, path), O_RDONLY | O_CLOEXEC | O_NOCTTY);
	CLEANUP(secret_close) struct secret *whole = NULL;
	CLEANUP(oauth_post_file_done) struct oauth_client_file x = { 0 };

	if (fd < 0) {
		(void)err_set(e, ERR_USAGE,
		    "--client-secret-file cannot be read");
		return err_errno(e, "open");
	}
	if (secret_read(fd, &whole, e) < 0 ||
	    oauth_post_file(whole, c->arena, &x, e) < 0)
		return -1;
	out->open = consent_client_is_open(fd);
	if (!x.is_json) {
		out->secret = whole;
		whole = NULL;
		return 0;
	}
	out->id = x.id;
	out->secret = x.secret;
	x.id = x.secret = NULL;
	if (!x.web || out->redirect.n > 0)
		return 0;
	out->redirect = x.redirect;
	if (out->redirect.n > 0)
		return 0;
	return err_set(e, ERR_USAGE,
	    "the file is of a web client, and none of its redirects leads to "
	    "this machine: register a desktop application, or give --redirect");
}

int
consent_client_read(const struct call *c, struct consent_client *out,
    struct err *e)
{
	struct str text = args_text(c->args, "client_id");
	struct str path = args_text(c->args, "client_secret_file");
	CLEANUP(secret_close) struct secret *id = NULL;

	out->redirect = args_text(c->args, "redirect");
	if (text.n > ID_MAX_BYTES)
		return err_set(e, ERR_USAGE, "--client-id is too long");
	if (path.n > 0 && consent_client_read_client(c, path, out, e) < 0)
		return -1;
	if (text.n == 0)
		return 0;
	id = secret_new(text.p, text.n);
	if (out->id != NULL && !secret_eq(id, out->id))
		return err_set(e, ERR_USAGE,
		    "--client-id and --client-secret-file name two clients: "
		    "leave --client-id out");
	secret_close(&out->id);
	out->id = id;
	id = NULL;
	return 0;
}
