/* Every question of the guided first run. */
#include "door/admin/account.h"
#include "door/admin/flow.h"

#include "gate/rules.h"
#include "source/provider.h"

enum {
	NAME_MAX_BYTES = 64
};

/* -- when ------------------------------------------------------------------ */

static bool
has_accounts(const struct flow *f)
{
	return f->there && f->accounts > 0;
}

static bool
lacks_keys(const struct flow *f)
{
	return !f->has_admin || !f->has_agent;
}

static bool
made_keys(const struct flow *f)
{
	return f->admin != NULL || f->agent != NULL;
}

static bool
adds(const struct flow *f)
{
	return !f->edit;
}

static bool
edits(const struct flow *f)
{
	return f->edit;
}

static bool
by_folder(const struct flow *f)
{
	struct str backend = flow_get(f, FLOW_BACKEND);

	return str_eq(backend, S("maildir")) || str_eq(backend, S("mbox"));
}

static bool
by_service(const struct flow *f)
{
	return !flow_remote(f) && !by_folder(f);
}

/* A folder may stand beside a server that sends: who edits is asked. */
static bool
signs_in(const struct flow *f)
{
	return f->edit || !by_folder(f);
}

/* What was said of sending holds for an account that only reads, too: it may
 * be let send later. */
static bool
sends(const struct flow *f)
{
	static const enum flow_key said[] = { FLOW_WHITELIST_OUT,
		FLOW_ALLOW_OUT, FLOW_SMTP_HOST, FLOW_SMTP_PORT,
		FLOW_SMTP_SECURITY };

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		if (f->set[said[i]])
			return true;
	return f->edit || str_eq(flow_get(f, FLOW_MODE), S("RW"));
}

/* Whom to believe: where it was looked for, and matters or is known. */
static bool
believes(const struct flow *f)
{
	if (f->edit || f->set[FLOW_AUTHSERV_ID] || f->set[FLOW_WHITELIST_AUTH])
		return true;
	return f->looked &&
	    (f->hint[FLOW_WHITELIST_AUTH].n > 0 ||
		str_eq(flow_get(f, FLOW_WHITELIST_IN), S("on")));
}

static bool
lists_out(const struct flow *f)
{
	return adds(f) && sends(f);
}

static bool
submits(const struct flow *f)
{
	return sends(f) && signs_in(f);
}

static bool
by_password(const struct flow *f)
{
	return f->edit || (!by_folder(f) && !flow_consents(f));
}

/* Without a person there is nobody to consent either. */
static bool
by_consent(const struct flow *f)
{
	return f->person && flow_consents(f);
}

/* Does the server not tell who gives its tokens, or somebody say otherwise? */
static bool
by_stranger(const struct flow *f)
{
	struct str host = flow_get(f, FLOW_IMAP_HOST);

	if (f->given[FLOW_ISSUER] || f->given[FLOW_SCOPE])
		return by_consent(f);
	for (const struct provider *p = provider_table; p->name != NULL; p++)
		if (p->consent != NULL && p->imap_host != NULL &&
		    str_eq_case(host, str_of(p->imap_host)))
			return false;
	return by_consent(f);
}

/* -- what is assumed ------------------------------------------------------- */

static struct str
domain(const struct flow *f)
{
	struct str from = flow_get(f, FLOW_FROM), local, rest;

	return str_cut(from, '@', &local, &rest) ? rest : S("");
}

/* "me@mail.example.org" -> "mail". */
static struct str
first_label(const struct flow *f)
{
	struct str label, rest;

	(void)str_cut(domain(f), '.', &label, &rest);
	if (label.n > NAME_MAX_BYTES)
		label.n = NAME_MAX_BYTES;
	for (size_t i = 0; i < label.n; i++)
		if (!isalnum((unsigned char)label.p[i]) &&
		    (i == 0 || label.p[i] != '-'))
			return S("mail");
	return label.n > 0 ? label : S("mail");
}

static struct str
address(const struct flow *f)
{
	return f->edit ? S("") : flow_get(f, FLOW_FROM);
}

static struct str
security(const struct flow *f, enum flow_key port)
{
	struct str kind = flow_port_kind(f, port);

	return kind.n > 0 ? kind : S("tls");
}

static struct str
imap_security(const struct flow *f)
{
	return security(f, FLOW_IMAP_PORT);
}

static struct str
smtp_security(const struct flow *f)
{
	return security(f, FLOW_SMTP_PORT);
}

/* RFC 8314 section 3.2 and 3.3, RFC 9051 section 2.1, RFC 6409. */
static struct str
imap_port(const struct flow *f)
{
	bool tls = str_eq(flow_get(f, FLOW_IMAP_SECURITY), S("tls"));

	return tls ? S("993") : S("143");
}

static struct str
smtp_port(const struct flow *f)
{
	bool tls = str_eq(flow_get(f, FLOW_SMTP_SECURITY), S("tls"));

	return tls ? S("465") : S("587");
}

/* -- what is right --------------------------------------------------------- */

static int
check_address(const struct flow *f, struct str v, struct err *e)
{
	struct str unused;

	return rules_address(f->a, v, &unused, e);
}

static int
check_name(const struct flow *f, struct str v, struct err *e)
{
	(void)f;
	return account_check_name(v, e);
}

static int
check_host(const struct flow *f, struct str v, struct err *e)
{
	(void)f;
	return account_check_host(v, "that", e);
}

static int
check_port(const struct flow *f, struct str v, struct err *e)
{
	uint32_t port;

	(void)f;
	if (!str_to_u32(v, 65535, &port) || port == 0)
		return err_set(e, ERR_USAGE,
		    "a port is a number from 1 to 65535");
	return 0;
}

static int
check_count(const struct flow *f, struct str v, struct err *e)
{
	uint32_t n;

	(void)f;
	if (!str_to_u32(v, UINT32_MAX, &n))
		return err_set(e, ERR_USAGE,
		    "that is a number, 0 for no limit");
	return 0;
}

static int
check_entries(const struct flow *f, struct str v, struct err *e)
{
	struct flow one = { .a = f->a };
	struct strs list;

	one.value[FLOW_ALLOW_IN] = v;
	one.set[FLOW_ALLOW_IN] = true;
	list = flow_list(&one, FLOW_ALLOW_IN);
	for (size_t i = 0; i < list.n; i++) {
		struct str unused;

		if (rules_entry(f->a, list.v[i], &unused, e) < 0)
			return -1;
	}
	return 0;
}

const struct flow_step flow_step[FLOW_STEPS] = {
	[FLOW_AGAIN] = { "again", FLOW_PAGE_BEGIN, FLOW_YES_NO, FLOW_MUST,
	    "Add another account", "No: nothing is changed.",
	    .choices = "yes|no", .asked = has_accounts, .word = "yes" },
	[FLOW_MAKE_KEYS] = { "make_keys", FLOW_PAGE_BEGIN, FLOW_YES_NO,
	    FLOW_MUST, "Make the keys now",
	    "No: stop here; set EMCLI_ADMIN_KEY and EMCLI_KEY yourself "
	    "(emcli key generate).",
	    .choices = "yes|no", .asked = lacks_keys, .word = "yes" },
	[FLOW_KEPT] = { "kept", FLOW_PAGE_SHOW, FLOW_YES_NO, FLOW_MUST,
	    "They are put away", "They are not shown again.",
	    .choices = "yes|no", .asked = made_keys, .word = "yes" },
	[FLOW_BACKEND] = { "backend", FLOW_PAGE_WHO, FLOW_CHOICE, FLOW_MUST,
	    "Mail is kept by",
	    "imap, jmap: a mail server.  gmail: Google's service.  maildir, "
	    "mbox: files of this machine.  ponymail: a list's archive.",
	    .choices = "imap|maildir|mbox|jmap|gmail|ponymail",
	    .word = "imap" },
	[FLOW_FROM] = { "from", FLOW_PAGE_WHO, FLOW_TEXT, FLOW_MUST_FIRST,
	    "Mail address", "The address of the mailbox: me@example.org.",
	    .check = check_address },
	[FLOW_ACCOUNT] = { "account", FLOW_PAGE_WHO, FLOW_TEXT, FLOW_MUST,
	    "Account name", "What agents call it: letters, digits, . _ -",
	    .def = first_label, .check = check_name },
	[FLOW_MODE] = { "mode", FLOW_PAGE_WHO, FLOW_CHOICE, FLOW_MUST,
	    "Agents may", "RO: read only.  RW: also send, within your rules.",
	    .choices = "RO|RW", .word = "RO" },
	[FLOW_PATH] = { "path", FLOW_PAGE_SERVERS, FLOW_TEXT, FLOW_MUST,
	    "Maildir",
	    "The folder that holds cur, new and tmp; with mbox the file, or "
	    "the folder of them.",
	    .asked = by_folder },
	[FLOW_URL] = { "url", FLOW_PAGE_SERVERS, FLOW_TEXT, FLOW_MAY,
	    "Service address",
	    "https address of JMAP's host or session, or of the archive; "
	    "Gmail needs none.",
	    .asked = by_service },
	[FLOW_IMAP_HOST] = { "imap_host", FLOW_PAGE_SERVERS, FLOW_TEXT,
	    FLOW_MUST, "IMAP server",
	    "A host name, with :port when it is an unusual one.",
	    .asked = flow_remote, .check = check_host },
	[FLOW_IMAP_PORT] = { "imap_port", FLOW_PAGE_SERVERS, FLOW_TEXT,
	    FLOW_MUST, "IMAP port", "993 with tls, 143 with starttls.",
	    .asked = flow_remote, .def = imap_port, .check = check_port },
	[FLOW_IMAP_SECURITY] = { "imap_security", FLOW_PAGE_SERVERS,
	    FLOW_CHOICE, FLOW_MUST, "IMAP security",
	    "TLS from the start, or by STARTTLS.", .choices = "tls|starttls",
	    .asked = flow_remote, .def = imap_security },
	[FLOW_SMTP_HOST] = { "smtp_host", FLOW_PAGE_SERVERS, FLOW_TEXT,
	    FLOW_MAY, "SMTP server",
	    "The submission server; empty: it cannot send.", .asked = submits,
	    .check = check_host },
	[FLOW_SMTP_PORT] = { "smtp_port", FLOW_PAGE_SERVERS, FLOW_TEXT,
	    FLOW_MUST, "SMTP port", "465 with tls, 587 with starttls.",
	    .asked = submits, .def = smtp_port, .check = check_port },
	[FLOW_SMTP_SECURITY] = { "smtp_security", FLOW_PAGE_SERVERS,
	    FLOW_CHOICE, FLOW_MUST, "SMTP security",
	    "TLS from the start, or by STARTTLS.", .choices = "tls|starttls",
	    .asked = submits, .def = smtp_security },
	[FLOW_AUTH] = { "auth", FLOW_PAGE_SERVERS, FLOW_CHOICE, FLOW_MUST,
	    "Sign in with",
	    "password: also an app password.  oauth2: consent in a browser.",
	    .choices = "password|oauth2", .asked = signs_in,
	    .word = "password" },
	[FLOW_CA] = { "ca", FLOW_PAGE_SERVERS, FLOW_TEXT, FLOW_MAY,
	    "Private CA file",
	    "PEM file of the server's own authority; empty: the system's.",
	    .asked = signs_in },
	[FLOW_PIN] = { "pin", FLOW_PAGE_SERVERS, FLOW_TEXT, FLOW_MAY,
	    "Certificate pin",
	    "Only the server with this key is believed: the base64 of a "
	    "SHA-256 that emcli doctor shows.",
	    .asked = edits },
	[FLOW_WHITELIST_IN] = { "whitelist_in", FLOW_PAGE_POLICY, FLOW_CHOICE,
	    FLOW_MUST, "Only listed senders",
	    "on: agents see mail from listed senders only.",
	    .choices = "on|off", .word = "off" },
	[FLOW_ALLOW_IN] = { "allow_in", FLOW_PAGE_POLICY, FLOW_LIST, FLOW_MAY,
	    "Listed senders", "boss@example.org @team.example.org",
	    .asked = adds, .check = check_entries },
	[FLOW_WHITELIST_OUT] = { "whitelist_out", FLOW_PAGE_POLICY, FLOW_CHOICE,
	    FLOW_MUST, "Only listed recipients",
	    "on: agents write to listed recipients only.", .choices = "on|off",
	    .asked = sends, .word = "on" },
	[FLOW_ALLOW_OUT] = { "allow_out", FLOW_PAGE_POLICY, FLOW_LIST, FLOW_MAY,
	    "Listed recipients", "boss@example.org @team.example.org",
	    .asked = lists_out, .check = check_entries },
	[FLOW_SUBJECT_REGEX] = { "subject_regex", FLOW_PAGE_POLICY, FLOW_TEXT,
	    FLOW_MAY, "Only subjects like",
	    "Only mail with a subject that matches is visible (PCRE2); empty: "
	    "all of it.",
	    .asked = edits },
	[FLOW_PROCESS_BACKLOG] = { "process_backlog", FLOW_PAGE_POLICY,
	    FLOW_CHOICE, FLOW_MUST, "Old mail counts as new",
	    "on: what is in a folder when it is first seen counts as new.",
	    .choices = "on|off", .asked = edits },
	[FLOW_ATTACH_DIR] = { "attach_dir", FLOW_PAGE_POLICY, FLOW_TEXT,
	    FLOW_MAY, "Attachments from",
	    "The only folder attachments may be sent from; empty: none.",
	    .asked = edits },
	[FLOW_OUTBOUND] = { "outbound", FLOW_PAGE_SENDING, FLOW_CHOICE,
	    FLOW_MUST, "When an agent sends",
	    "send: out.  approve: it waits for emcli approve.  draft, none: "
	    "nowhere.",
	    .choices = "send|approve|draft|none", .asked = edits,
	    .word = "send" },
	[FLOW_REACH] = { "scope", FLOW_PAGE_SENDING, FLOW_CHOICE, FLOW_MUST,
	    "Whom agents write to",
	    "thread: only replies, to people of the message "
	    "answered.",
	    .choices = "any|thread", .asked = edits, .word = "any" },
	[FLOW_TAINT] = { "taint", FLOW_PAGE_SENDING, FLOW_TEXT, FLOW_MUST,
	    "Minutes under approval",
	    "After an agent was shown mail of an unauthenticated sender, what "
	    "it sends waits for approval for so long; 0: never.",
	    .asked = edits, .check = check_count, .word = "0" },
	[FLOW_SECRETS_CHECK] = { "secrets_check", FLOW_PAGE_SENDING,
	    FLOW_CHOICE, FLOW_MUST, "Hold what has secrets",
	    "on: what seems to carry a key, token or canary waits for "
	    "approval.",
	    .choices = "on|off", .asked = edits, .word = "on" },
	[FLOW_LIMIT_MESSAGES] = { "limit_messages", FLOW_PAGE_SENDING,
	    FLOW_TEXT, FLOW_MUST, "Messages a day",
	    "Of one agent in 24 hours; 0: any.", .asked = edits,
	    .check = check_count, .word = "0" },
	[FLOW_LIMIT_NEW_RECIPIENTS] = { "limit_new_recipients",
	    FLOW_PAGE_SENDING, FLOW_TEXT, FLOW_MUST, "New people a day",
	    "Never written to before, for one agent in 24 hours; 0: any.",
	    .asked = edits, .check = check_count, .word = "0" },
	[FLOW_LIMIT_BYTES] = { "limit_bytes", FLOW_PAGE_SENDING, FLOW_TEXT,
	    FLOW_MUST, "Bytes a day", "Of one agent in 24 hours; 0: any.",
	    .asked = edits, .check = check_count, .word = "0" },
	[FLOW_LIMIT_RECIPIENTS] = { "limit_recipients", FLOW_PAGE_SENDING,
	    FLOW_TEXT, FLOW_MUST, "Recipients a message",
	    "Of one message; 0: any.", .asked = edits, .check = check_count,
	    .word = "0" },
	[FLOW_UNFINISHED] = { "check_unfinished", FLOW_PAGE_SENDING,
	    FLOW_CHOICE, FLOW_MUST, "Refuse unfinished mail",
	    "on: placeholders, a file that was forgotten and a message that "
	    "was just sent are refused.",
	    .choices = "on|off", .asked = edits, .word = "on" },
	[FLOW_USERNAME] = { "username", FLOW_PAGE_LOGIN, FLOW_TEXT,
	    FLOW_MUST_FIRST, "User name", "Who logs in; mostly the address.",
	    .asked = signs_in, .def = address },
	[FLOW_PASSWORD] = { "password", FLOW_PAGE_LOGIN, FLOW_PASSWORD_KIND,
	    FLOW_MUST_FIRST, "Password",
	    "It is not shown, and sealed in the database.",
	    .asked = by_password },
	[FLOW_ISSUER] = { "issuer", FLOW_PAGE_LOGIN, FLOW_TEXT, FLOW_MUST,
	    "Token issuer",
	    "https address of who gives the tokens (OpenID Connect Discovery).",
	    .asked = by_stranger },
	[FLOW_SCOPE] = { "oauth_scope", FLOW_PAGE_LOGIN, FLOW_TEXT, FLOW_MUST,
	    "Token scope", "What the issuer calls access to mail.",
	    .asked = by_stranger },
	[FLOW_CLIENT_ID] = { "client_id", FLOW_PAGE_LOGIN, FLOW_TEXT, FLOW_MUST,
	    "Client id",
	    "Of the desktop application you registered with the provider; see "
	    "emcli(1).",
	    .asked = by_consent },
	[FLOW_CLIENT_SECRET] = { "client_secret", FLOW_PAGE_LOGIN,
	    FLOW_PASSWORD_KIND, FLOW_MAY, "Client secret",
	    "Its secret, when it has one; sealed in the database.",
	    .asked = by_consent },
	[FLOW_QUIRK_ID] = { "quirk_id", FLOW_PAGE_QUIRKS, FLOW_CHOICE,
	    FLOW_MUST, "Tell who we are by ID",
	    "After the login: when the server offers it, always and before "
	    "anything else, or never.",
	    .choices = "auto|on|off", .asked = edits },
	[FLOW_QUIRK_SASL_IR] = { "quirk_sasl_ir", FLOW_PAGE_QUIRKS, FLOW_CHOICE,
	    FLOW_MUST, "Shorter login",
	    "off: a login never carries its first answer along.",
	    .choices = "on|off", .asked = edits },
	[FLOW_SENT_COPY] = { "sent_copy", FLOW_PAGE_QUIRKS, FLOW_CHOICE,
	    FLOW_MUST, "Copy into Sent",
	    "off: the server itself puts what was sent there.",
	    .choices = "on|off", .asked = edits },
	[FLOW_LIST_ADDRESS] = { "list", FLOW_PAGE_SOURCE, FLOW_TEXT, FLOW_MAY,
	    "Mailing list", "The address of the list it is a source of.",
	    .asked = edits, .check = check_address },
	[FLOW_LIST_FOLDER] = { "list_folder", FLOW_PAGE_SOURCE, FLOW_TEXT,
	    FLOW_MAY, "Folder of the list", "Empty: the inbox.",
	    .asked = edits },
	[FLOW_DRAFTS_FOLDER] = { "drafts_folder", FLOW_PAGE_SOURCE, FLOW_TEXT,
	    FLOW_MAY, "Folder for drafts", "Empty: the server's own.",
	    .asked = edits },
	[FLOW_SENT_FOLDER] = { "sent_folder", FLOW_PAGE_SOURCE, FLOW_TEXT,
	    FLOW_MAY, "Folder of what was sent", "Empty: the server's own.",
	    .asked = edits },
	[FLOW_THREAD_URL] = { "thread_url", FLOW_PAGE_SOURCE, FLOW_TEXT,
	    FLOW_MAY, "Address of threads",
	    "For a person: <id>, <hash> and <list> are put in.",
	    .asked = edits },
	[FLOW_AFTER] = { "after", FLOW_PAGE_FAILED, FLOW_CHOICE, FLOW_MUST,
	    "Now",
	    "mend: change the settings.  again: try again.  keep: go on with "
	    "them as they are.",
	    .choices = "mend|again|keep", .word = "mend" },
	[FLOW_AUTHSERV_ID] = { "authserv_id", FLOW_PAGE_SENDERS, FLOW_TEXT,
	    FLOW_MAY, "Senders vouched by",
	    "The name your mail server writes first in Authentication-Results; "
	    "empty: DKIM signatures are verified here.",
	    .asked = believes },
	[FLOW_WHITELIST_AUTH] = { "whitelist_auth", FLOW_PAGE_SENDERS,
	    FLOW_CHOICE, FLOW_MUST, "Proof of senders",
	    "Of those that are listed from now on.  dmarc: it must be known to "
	    "be from there.  none: the From line alone.",
	    .choices = "none|dmarc", .asked = believes, .word = "none" },
	[FLOW_WRITE] = { "write", FLOW_PAGE_CONFIRM, FLOW_YES_NO, FLOW_MUST,
	    "Write it down", "Until now nothing has been written.",
	    .choices = "yes|no", .word = "yes" },
};
