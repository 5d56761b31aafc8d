/* SPDX-License-Identifier: Apache-2.0 */
/* resolve-live: the binding as the upstream program prints it. */
#include <fcntl.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "door/agents/internal.h"

static const struct field filesystem_fields[] = {
	{ "root", FIELD_TEXT, .help = "the mailbox root" },
	{ "mailbox_kind", FIELD_TEXT,
	    .help = "in_root, or symlink: a folder outside the root" },
	{ "mailbox_path", FIELD_TEXT, .help = "the mailbox's folder" },
	{ "inbox_path", FIELD_TEXT, .help = "its inbox" },
	{ "sqlite_path", FIELD_TEXT, .help = "the root's catalogue" },
	{ "local_sqlite_path", FIELD_TEXT, .help = "the mailbox's states" },
	{ 0 },
};

static const struct field stalwart_fields[] = {
	{ "jmap_url", FIELD_TEXT, .help = "the JMAP session" },
	{ "management_url", FIELD_TEXT, .help = "the server's management" },
	{ "login_identity", FIELD_TEXT, .help = "the user to log in as" },
	{ "credential_ref", FIELD_TEXT, .help = "names the password" },
	{ "credential_file", FIELD_TEXT, .help = "the file that has it" },
	{ 0 },
};

static const struct field mailbox_fields[] = {
	{ "transport", FIELD_TEXT, .help = "filesystem or stalwart" },
	{ "principal_id", FIELD_TEXT, .help = "whose mailbox it is" },
	{ "address", FIELD_TEXT, .help = "its address" },
	{ "bindings_version", FIELD_TEXT, .help = "compare it for equality" },
	{ "filesystem", FIELD_OBJECT, .optional = true,
	    .help = "of that transport", .sub = filesystem_fields },
	{ "stalwart", FIELD_OBJECT, .optional = true,
	    .help = "of that transport", .sub = stalwart_fields },
	{ 0 },
};

static const struct field auth_fields[] = {
	{ "scheme", FIELD_TEXT, .help = "bearer" },
	{ "token_file", FIELD_TEXT, .help = "the file with the token" },
	{ 0 },
};

static const struct field gateway_fields[] = {
	{ "source", FIELD_TEXT, .help = "current_instance_record" },
	{ "host", FIELD_TEXT, .help = "where it listens" },
	{ "port", FIELD_INT, .help = "likewise" },
	{ "base_url", FIELD_TEXT, .help = "what its routes are below" },
	{ "protocol_version", FIELD_TEXT, .help = "v1" },
	{ "state_path", FIELD_TEXT, .help = "a file in its folder" },
	{ "auth", FIELD_OBJECT, .optional = true,
	    .help = "with extensions: how a call over TCP is authenticated",
	    .sub = auth_fields },
	{ "unix_socket", FIELD_TEXT, .optional = true,
	    .help = "with extensions: its socket, which needs no token" },
	{ 0 },
};

static const struct field agent_fields[] = {
	{ "mode", FIELD_TEXT, .help = "local" },
	{ "agent_ref", FIELD_TEXT, .nullable = true, .help = "the agent's id" },
	{ "tracked_agent_id", FIELD_TEXT, .nullable = true,
	    .help = "the same" },
	{ "agent_name", FIELD_TEXT, .nullable = true,
	    .help = "the agent's name" },
	{ "agent_id", FIELD_TEXT, .nullable = true, .help = "the same id" },
	{ "tmux_session_name", FIELD_TEXT, .nullable = true,
	    .help = "where it runs; null: without tmux" },
	{ 0 },
};

const struct field agents_resolve_fields[] = {
	{ "schema_version", FIELD_INT, .help = "1" },
	{ "source", FIELD_TEXT, .help = "manifest_binding" },
	{ "transport", FIELD_TEXT, .help = "filesystem or stalwart" },
	{ "principal_id", FIELD_TEXT,
	    .help = "who you are among the agents; not an address" },
	{ "address", FIELD_TEXT, .help = "your address" },
	{ "bindings_version", FIELD_TEXT,
	    .help = "another one: the mailbox has changed" },
	{ "mailbox", FIELD_OBJECT, .help = "details of the transport",
	    .sub = mailbox_fields },
	{ "gateway", FIELD_OBJECT, .nullable = true,
	    .help = "null: none is live", .sub = gateway_fields },
	{ "gateway_available", FIELD_BOOL, .help = "is one live?" },
	{ "managed_agent", FIELD_OBJECT, .help = "whose session it is",
	    .sub = agent_fields },
	{ 0 },
};

/* -- can it be used? ------------------------------------------------------- */

static int
resolve_refuse(struct err *e, const struct err *why)
{
	(void)err_set(e, ERR_CONFIG,
	    "the session's mailbox cannot be used now: %s", why->say);
	e->reason = "not_actionable";
	return err_because(e, "%s", why->detail);
}

static int
resolve_check_filesystem(const struct agents_call *c, struct err *e)
{
	struct sessions s = { .a = c->a, .place = { .fd = -1 }, .fd = -1 };
	struct err why = { 0 };

	s.use.deadline_ms = clock_mono_ms() + LIMIT_SESSION_ROOT_MS;
	if (session_mailbox_check(&s, &c->session.manifest.mailbox, &why) == 0)
		return 0;
	/* It is in use, or says so itself. */
	if (why.kind == ERR_DB || why.reason != NULL) {
		*e = why;
		if (why.kind == ERR_CONFIG)
			e->reason = "not_actionable";
		return -1;
	}
	return resolve_refuse(e, &why);
}

static struct str
resolve_credential(const struct agents_call *c)
{
	return str_fmt(c->a, "mailbox-secrets/%.*s.json",
	    STR_ARG(c->session.manifest.mailbox.credential_ref));
}

static int
resolve_check_stalwart(const struct agents_call *c, struct err *e)
{
	struct err why = { 0 };
	CLEANUP(path_close)
	int folder =
	    place_folder(c->session.folder, "mailbox-secrets", false, &why);
	struct str ref = c->session.manifest.mailbox.credential_ref;
	struct stat st;

	if (folder >= 0 && credential_ref_is_safe(ref) &&
	    fstatat(folder, str_fmt(c->a, "%.*s.json", STR_ARG(ref)).p, &st,
		AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(st.st_mode))
		return 0;
	(void)err_set(&why, ERR_CONFIG,
	    "the session has no credential for it; emcli session resume "
	    "makes one");
	return resolve_refuse(e, &why);
}

/* -- what it is ------------------------------------------------------------ */

static void
resolve_put_head(const struct binding *b, struct json *j)
{
	json_put_text(j, "transport", transport_name(b->transport));
	json_put_str(j, "principal_id", b->principal_id);
	json_put_str(j, "address", b->address);
	json_put_str(j, "bindings_version", b->bindings_version);
}

static void
resolve_put_filesystem(const struct agents_call *c, struct json *j)
{
	const struct binding *b = &c->session.manifest.mailbox;
	struct str root = b->filesystem_root, path = b->mailbox_path;

	if (path.n == 0)
		path = str_fmt(c->a, "%.*s/mailboxes/%.*s", STR_ARG(root),
		    STR_ARG(b->address));
	json_open_object(j, "filesystem");
	json_put_str(j, "root", root);
	json_put_text(j, "mailbox_kind",
	    b->kind == BINDING_SYMLINK ? "symlink" : "in_root");
	json_put_str(j, "mailbox_path", path);
	json_put_str(j, "inbox_path",
	    str_fmt(c->a, "%.*s/inbox", STR_ARG(path)));
	json_put_str(j, "sqlite_path",
	    str_fmt(c->a, "%.*s/index.sqlite", STR_ARG(root)));
	json_put_str(j, "local_sqlite_path",
	    str_fmt(c->a, "%.*s/mailbox.sqlite", STR_ARG(path)));
	json_close_object(j);
}

/* The path of the password, never the password. */
static void
resolve_put_stalwart(const struct agents_call *c, struct json *j)
{
	const struct binding *b = &c->session.manifest.mailbox;

	json_open_object(j, "stalwart");
	json_put_str(j, "jmap_url", b->jmap_url);
	json_put_str(j, "management_url", b->management_url);
	json_put_str(j, "login_identity", b->login_identity);
	json_put_str(j, "credential_ref", b->credential_ref);
	json_put_str(j, "credential_file",
	    str_fmt(c->a, "%.*s/%.*s", STR_ARG(c->session.path),
		STR_ARG(resolve_credential(c))));
	json_close_object(j);
}

static void
resolve_put_mailbox(const struct agents_call *c, struct json *j)
{
	const struct binding *b = &c->session.manifest.mailbox;

	json_open_object(j, "mailbox");
	resolve_put_head(b, j);
	if (b->transport == TRANSPORT_FILESYSTEM)
		resolve_put_filesystem(c, j);
	else
		resolve_put_stalwart(c, j);
	json_close_object(j);
}

static void
resolve_put_agent(const struct manifest *m, struct json *j)
{
	json_open_object(j, "managed_agent");
	json_put_text(j, "mode", "local");
	json_put_str_or_null(j, "agent_ref", m->agent_id);
	json_put_str_or_null(j, "tracked_agent_id", m->agent_id);
	json_put_str_or_null(j, "agent_name", m->agent);
	json_put_str_or_null(j, "agent_id", m->agent_id);
	json_put_str_or_null(j, "tmux_session_name", m->tmux);
	json_close_object(j);
}

int
agents_resolve(struct agents_call *c, struct agents_answer *out, struct err *e)
{
	const struct binding *b = &c->session.manifest.mailbox;
	CLEANUP(agents_gateway_close)
	struct agents_gateway g = { .folder = -1 };
	struct json *j = json_new(c->a);
	bool live;

	if ((b->transport == TRANSPORT_FILESYSTEM
		    ? resolve_check_filesystem(c, e)
		    : resolve_check_stalwart(c, e)) < 0)
		return -1;
	json_open_object(j, NULL);
	json_put_int(j, "schema_version", 1);
	json_put_text(j, "source", "manifest_binding");
	resolve_put_head(b, j);
	resolve_put_mailbox(c, j);
	live = agents_gateway_find(c, &g);
	if (live)
		agents_gateway_put(&g, args_has(&c->given, "extensions"), j);
	else
		json_put_null(j, "gateway");
	json_put_bool(j, "gateway_available", live);
	resolve_put_agent(&c->session.manifest, j);
	json_close_object(j);
	out->model = json_text(j, c->a);
	return 0;
}
