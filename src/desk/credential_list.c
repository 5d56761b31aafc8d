/* SPDX-License-Identifier: Apache-2.0 */
/* emcli credential list: passwords of agents' mailboxes, never themselves. */
#include "base/path.h"
#include "desk/credential_args.h"
#include "desk/desk.h"

static const struct arg_spec args[] = {
	HOME_ARGS_ROOT,
	{ 0 },
};

static const struct field credentials[] = {
	{ "credential_ref", FIELD_TEXT, .help = "the credential" },
	{ "state", FIELD_TEXT,
	    .help = "confirmed, pending (no login succeeded yet), replacing "
		    "(a change was interrupted) or damaged" },
	{ "why", FIELD_TEXT, .nullable = true, .help = "why it is damaged" },
	{ "login_identity", FIELD_TEXT, .nullable = true, .help = "the login" },
	{ "address", FIELD_TEXT, .nullable = true, .help = "the mailbox's" },
	{ "sessions", FIELD_INT, .help = "sessions that name it" },
	{ "running", FIELD_INT, .help = "of these, running ones" },
	{ 0 },
};

static const struct field result[] = {
	{ "credentials", FIELD_OBJECTS, .help = "the credentials",
	    .sub = credentials },
	{ 0 },
};

static bool
credential_list_is_next(const struct strs *names, struct str ref,
    struct arena *a)
{
	return str_among(names, credential_next(a, ref));
}

static int
credential_list_put(struct call *c, struct sessions *s, int folder,
    const struct strs *names, struct str ref, struct json *out, struct err *e)
{
	CLEANUP(credential_done) struct credential has = { 0 };
	struct session_credential_used used;
	struct binding b = { 0 };
	struct err why = { 0 };
	int r = credential_read(folder, ref, c->arena, &has, &why);

	if (r > 0)
		return 0;
	if (session_credential_find(s, ref, &b, &used, e) < 0)
		return -1;
	json_open_object(out, NULL);
	json_put_str(out, "credential_ref", ref);
	json_put_text(out, "state",
	    r < 0                                               ? "damaged"
		: credential_list_is_next(names, ref, c->arena) ? "replacing"
		: has.pending                                   ? "pending"
								: "confirmed");
	json_put_text(out, "why", r < 0 ? why.say : NULL);
	json_put_str_or_null(out, "login_identity", has.login);
	json_put_str_or_null(out, "address",
	    has.address.n > 0 ? has.address : b.address);
	json_put_int(out, "sessions", (int64_t)used.sessions);
	json_put_int(out, "running", (int64_t)used.running);
	json_close_object(out);
	return 0;
}

static int
credential_list_put_all(struct call *c, struct sessions *s, struct json *out,
    struct err *e)
{
	CLEANUP(path_close) int folder = -1;
	struct strs names = { 0 };
	int r =
	    s->place.fd < 0 ? 1 : credential_open(&s->place, false, &folder, e);

	if (r == 0)
		r = credential_names(folder, c->arena, &names, e);
	for (size_t i = 0; r >= 0 && i < names.n; i++)
		if (credential_ref_is_safe(names.v[i]) &&
		    credential_list_put(c, s, folder, &names, names.v[i], out,
			e) < 0)
			return -1;
	return r < 0 ? -1 : 0;
}

static int
credential_list_run(struct call *c, struct json *out, struct err *e)
{
	struct sessions s;
	int r = session_args_open(c, false, &s, e);

	json_open_array(out, "credentials");
	if (r >= 0)
		r = credential_list_put_all(c, &s, out, e);
	json_close_array(out);
	session_args_close(c, &s);
	return r;
}

const struct op desk_credential_list = {
	.name = "credential list",
	.summary = "List passwords of mailboxes on servers, and show none",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.columns = "credential_ref+ state address? sessions running",
	.run = credential_list_run,
};
