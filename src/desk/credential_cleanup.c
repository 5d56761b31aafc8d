/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli credential cleanup: copies in stopped sessions, and passwords that no
 * session names.  No server is asked: the accounts stay.
 */
#include "base/path.h"
#include "desk/credential_args.h"
#include "desk/desk.h"

static const struct arg_spec args[] = {
	{ .name = "ref",
	    .type = ARG_TEXT,
	    .flags = ARG_POSITIONAL,
	    .help =
		"this credential alone; default: all that no session names" },
	AGREE_ARG_YES,
	HOME_ARGS_ROOT,
	{ 0 },
};

static const struct field result[] = {
	{ "removed", FIELD_TEXTS, .help = "the credentials that were removed" },
	{ "copies", FIELD_INT,
	    .help = "stopped sessions that had a copy, which is removed" },
	{ 0 },
};

/* Those that go: no session names them. */
static int
credential_cleanup_look(struct call *c, struct sessions *s, int folder,
    struct strs *out, struct err *e)
{
	struct str only = args_text(c->args, "ref");
	struct session_credential_used used;
	struct strs names;
	struct binding b;

	if (credential_names(folder, c->arena, &names, e) < 0)
		return -1;
	for (size_t i = 0; i < names.n; i++) {
		struct str ref = names.v[i];
		int r;

		if (!credential_ref_is_safe(ref) ||
		    (only.n > 0 && !str_eq(only, ref)))
			continue;
		r = session_credential_find(s, ref, &b, &used, e);
		if (r < 0)
			return -1;
		if (r == 0 && only.n > 0)
			return err_set(e, ERR_CONFIG,
			    "session %.*s names this credential: remove the "
			    "session first",
			    STR_ARG(str_first(used.id, 60)));
		if (r > 0)
			str_push(c->arena, out, ref);
	}
	if (only.n > 0 && out->n == 0)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no such credential: see emcli credential list");
	return 0;
}

static int
credential_cleanup_remove(struct call *c, int folder, const struct strs *gone,
    struct err *e)
{
	for (size_t i = 0; i < gone->n; i++)
		if (credential_remove(folder,
			credential_next(c->arena, gone->v[i]), c->arena,
			e) < 0 ||
		    credential_remove(folder, gone->v[i], c->arena, e) < 0)
			return -1;
	return 0;
}

static int
credential_cleanup_do(struct call *c, struct sessions *s, struct strs *gone,
    size_t *copies, struct err *e)
{
	CLEANUP(path_close) int folder = -1;
	int r =
	    s->place.fd < 0 ? 1 : credential_open(&s->place, false, &folder, e);

	if (r == 0)
		r = credential_cleanup_look(c, s, folder, gone, e);
	if (r >= 0 && gone->n > 0)
		r = agree(c,
		    str_fmt(c->arena,
			"remove %zu passwords that no session names", gone->n),
		    e);
	if (r >= 0 && gone->n > 0)
		r = credential_cleanup_remove(c, folder, gone, e);
	return r < 0 ? -1 : session_credential_clean(s, copies, e);
}

static int
credential_cleanup_run(struct call *c, struct json *out, struct err *e)
{
	struct strs gone = { 0 };
	struct sessions s;
	size_t copies = 0;
	int r = session_args_open(c, false, &s, e);

	if (r >= 0)
		r = credential_cleanup_do(c, &s, &gone, &copies, e);
	session_args_close(c, &s);
	if (r < 0)
		return -1;
	json_put_strs(out, "removed", &gone);
	json_put_int(out, "copies", (int64_t)copies);
	gate_say(c, GATE_PLAIN,
	    "%zu passwords and the copies of %zu stopped sessions are removed",
	    gone.n, copies);
	c->note = str_fmt(c->arena, "%zu credentials removed", gone.n);
	return 0;
}

const struct op desk_credential_cleanup = {
	.name = "credential cleanup",
	.shows = "emcli credential list",
	.summary = "Remove passwords of mailboxes that no session names",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = credential_cleanup_run,
};
