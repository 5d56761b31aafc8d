/*
 * What an account is made of, as options.  `add` and `edit` take the same
 * ones; what is left out `add` assumes (.def) and `edit` keeps.
 */
#include "door/admin/account.h"

#define BACKEND                                                                \
	.name = "backend", .type = ARG_TEXT,                                   \
	.help =                                                                \
	    "where the mail is: imap, maildir, mbox, jmap, gmail or ponymail"
#define MODE                                                                   \
	.name = "mode", .type = ARG_CHOICE,                                    \
	.help = "RO: read only; RW: may also send", .choices = "RO|RW"
#define FROM                                                                   \
	.name = "from", .type = ARG_ADDRESS,                                   \
	.help = "address mail is sent from; --username when that is one"
#define USERNAME                                                               \
	.name = "username", .type = ARG_TEXT,                                  \
	.help = "who logs in; --from when not given"
#define AUTH                                                                   \
	.name = "auth", .type = ARG_CHOICE,                                    \
	.help = "oauth2: account consent gets access tokens; one that is "     \
		"given as password is not refreshed",                          \
	.choices = "password|oauth2"
#define PASSWORD_FILE                                                          \
	.name = "password_file", .type = ARG_PATH,                             \
	.help = "file the password or token is read from, once"
#define PASSWORD_STDIN                                                         \
	.name = "password_stdin", .type = ARG_FLAG,                            \
	.help = "read it from standard input"
#define IMAP_HOST .name = "imap_host", .type = ARG_TEXT, .help = "IMAP server"
#define IMAP_PORT                                                              \
	.name = "imap_port", .type = ARG_COUNT,                                \
	.help = "its port; 993 with tls, 143 with starttls", .min = 1,         \
	.max = 65535
#define IMAP_SECURITY                                                          \
	.name = "imap_security", .type = ARG_CHOICE,                           \
	.help = "TLS from the start, or by STARTTLS, as port 143 means it",    \
	.choices = "tls|starttls"
#define SMTP_HOST                                                              \
	.name = "smtp_host", .type = ARG_TEXT,                                 \
	.help = "submission server; none: the account cannot send"
#define SMTP_PORT                                                              \
	.name = "smtp_port", .type = ARG_COUNT,                                \
	.help = "its port; 465 with tls, 587 with starttls", .min = 1,         \
	.max = 65535
#define SMTP_SECURITY                                                          \
	.name = "smtp_security", .type = ARG_CHOICE,                           \
	.help = "TLS from the start, or by STARTTLS, as port 587 means it",    \
	.choices = "tls|starttls"
#define CA                                                                     \
	.name = "ca", .type = ARG_PATH,                                        \
	.help = "PEM file of a private CA, in place of the system's"
#define PIN                                                                    \
	.name = "pin", .type = ARG_TEXT,                                       \
	.help = "base64 of the SHA-256 of the server's public key (SPKI); "    \
		"no other key is believed then, whoever signed it; up to 4 "   \
		"with commas between"
#define MAILDIR                                                                \
	.name = "path", .type = ARG_PATH,                                      \
	.help = "the Maildir, or the mbox file or folder of them"
#define WHITELIST_IN                                                           \
	.name = "whitelist_in", .type = ARG_CHOICE,                            \
	.help = "on: only listed senders are visible", .choices = "on|off"
#define WHITELIST_AUTH                                                         \
	.name = "whitelist_auth", .type = ARG_CHOICE,                          \
	.help = "what whitelist in add asks of a sender: dmarc: to be known "  \
		"to be from there; none: the From line alone",                 \
	.choices = "none|dmarc"
#define WHITELIST_OUT                                                          \
	.name = "whitelist_out", .type = ARG_CHOICE,                           \
	.help = "on: only listed recipients may be written to",                \
	.choices = "on|off"
#define SUBJECT_REGEX                                                          \
	.name = "subject_regex", .type = ARG_TEXT,                             \
	.help = "only mail with a subject that matches is visible (PCRE2)"
#define AUTHSERV_ID                                                            \
	.name = "authserv_id", .type = ARG_TEXT,                               \
	.help = "whose Authentication-Results tell who sent a message: the "   \
		"name your mail server writes first in them; none: DKIM "      \
		"signatures are verified here"
#define ATTACH_DIR                                                             \
	.name = "attach_dir", .type = ARG_PATH,                                \
	.help = "the only folder attachments may be sent from"
#define URL                                                                    \
	.name = "url", .type = ARG_TEXT,                                       \
	.help = "address of the service: JMAP's host or session, Pony "        \
		"Mail's archive"
#define LIST                                                                   \
	.name = "list", .type = ARG_ADDRESS,                                   \
	.help = "the mailing list this account is a source of"
#define LIST_FOLDER                                                            \
	.name = "list_folder", .type = ARG_TEXT,                               \
	.help = "the folder with its mail; none: the inbox"
#define DRAFTS_FOLDER                                                          \
	.name = "drafts_folder", .type = ARG_TEXT,                             \
	.help = "the folder drafts go to; none: the server's own"
#define SENT_FOLDER                                                            \
	.name = "sent_folder", .type = ARG_TEXT,                               \
	.help = "the folder with what was sent; none: the server's own"
#define THREAD_URL                                                             \
	.name = "thread_url", .type = ARG_TEXT,                                \
	.help = "a thread's address for a person: <id>, <hash> and <list> "    \
		"are put in"
#define QUIRK_ID                                                               \
	.name = "quirk_id", .type = ARG_CHOICE,                                \
	.help = "say ID after the login: when the server offers it, always "   \
		"and before anything else, or never",                          \
	.choices = "auto|on|off"
#define QUIRK_SASL_IR                                                          \
	.name = "quirk_sasl_ir", .type = ARG_CHOICE,                           \
	.help = "off: a login never carries its first answer along",           \
	.choices = "on|off"
#define SENT_COPY                                                              \
	.name = "sent_copy", .type = ARG_CHOICE,                               \
	.help = "off: the server itself puts what was sent into Sent",         \
	.choices = "on|off"

#define OUTBOUND                                                               \
	.name = "outbound", .type = ARG_CHOICE,                                \
	.help = "send: what policy allows goes out; approve: it waits for "    \
		"emcli approve; draft, none: nothing is sent",                 \
	.choices = "send|approve|draft|none"
#define SCOPE                                                                  \
	.name = "scope", .type = ARG_CHOICE,                                   \
	.help = "thread: only replies, to people of the message answered",     \
	.choices = "any|thread"
#define TAINT                                                                  \
	.name = "taint", .type = ARG_TEXT,                                     \
	.help = "minutes for which an agent that was shown mail of an "        \
		"unauthenticated sender needs approval to send, or off"
#define SECRETS_CHECK                                                          \
	.name = "secrets_check", .type = ARG_CHOICE,                           \
	.help = "on: what seems to carry a key, token or canary is held",      \
	.choices = "on|off"
#define CHECK_UNFINISHED                                                       \
	.name = "check_unfinished", .type = ARG_CHOICE,                        \
	.help = "on: mail with a placeholder in it, that speaks of a file and" \
		" has none, or that was sent a moment ago is refused",         \
	.choices = "on|off"
#define LIMIT(what, text)                                                      \
	.name = "limit_" what, .type = ARG_COUNT, .help = (text), .min = 0,    \
	.max = UINT32_MAX
#define LIMIT_OF_MESSAGES                                                      \
	LIMIT("messages", "messages an agent may send in 24 hours; 0: any")
#define LIMIT_OF_NEW                                                           \
	LIMIT("new_recipients",                                                \
	    "people never written to before, for an agent in 24 hours; 0: "    \
	    "any")
#define LIMIT_OF_BYTES                                                         \
	LIMIT("bytes", "bytes an agent may send in 24 hours; 0: any")
#define LIMIT_OF_RECIPIENTS                                                    \
	LIMIT("recipients", "recipients of one message; 0: any")

const struct arg_spec account_args_add[] = {
	{ .name = "name",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "what agents call the account: letters, digits, . _ -; "
		    "alone: with forms at a terminal" },
	{ .name = "no_tui",
	    .type = ARG_FLAG,
	    .help = "ask line by line, without forms" },
	{ .name = "provider",
	    .type = ARG_TEXT,
	    .help = "take the servers of this one (emcli account providers)" },
	{ .name = "ispdb",
	    .type = ARG_FLAG,
	    .help = "let Thunderbird's database be asked about the domain" },
	{ .name = "yes",
	    .type = ARG_FLAG,
	    .help = "use the servers that are known or found, unasked" },
	{ BACKEND, .def = "imap" },
	{ MODE, .def = "RO" },
	{ FROM },
	{ USERNAME },
	{ AUTH, .def = "password" },
	{ PASSWORD_FILE },
	{ PASSWORD_STDIN },
	{ IMAP_HOST },
	{ IMAP_PORT },
	{ IMAP_SECURITY, .def = "tls" },
	{ SMTP_HOST },
	{ SMTP_PORT },
	{ SMTP_SECURITY, .def = "tls" },
	{ CA },
	{ PIN },
	{ MAILDIR },
	{ URL },
	{ LIST },
	{ LIST_FOLDER },
	{ DRAFTS_FOLDER },
	{ SENT_FOLDER },
	{ THREAD_URL },
	{ WHITELIST_IN, .def = "off" },
	{ WHITELIST_AUTH, .def = "none" },
	{ WHITELIST_OUT, .def = "on" },
	{ SUBJECT_REGEX },
	{ AUTHSERV_ID },
	{ .name = "process_backlog",
	    .type = ARG_FLAG,
	    .help = "mail that is there already counts as new" },
	{ ATTACH_DIR },
	{ QUIRK_ID, .def = "auto" },
	{ QUIRK_SASL_IR, .def = "on" },
	{ SENT_COPY, .def = "on" },
	{ OUTBOUND, .def = "send" },
	{ SCOPE, .def = "any" },
	{ TAINT, .def = "off" },
	{ SECRETS_CHECK, .def = "on" },
	{ CHECK_UNFINISHED, .def = "on" },
	{ LIMIT_OF_MESSAGES, .def = "0" },
	{ LIMIT_OF_NEW, .def = "0" },
	{ LIMIT_OF_BYTES, .def = "0" },
	{ LIMIT_OF_RECIPIENTS, .def = "0" },
	{ 0 },
};

const struct arg_spec account_args_edit[] = {
	{ .name = "name",
	    .type = ARG_ACCOUNT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "account to change; alone: with forms at a terminal" },
	{ .name = "no_tui",
	    .type = ARG_FLAG,
	    .help = "ask line by line, without forms" },
	{ .name = "rename",
	    .type = ARG_TEXT,
	    .help = "another name: letters, digits, . _ -" },
	{ BACKEND },
	{ MODE },
	{ FROM, .flags = ARG_EMPTY },
	{ USERNAME },
	{ AUTH },
	{ PASSWORD_FILE, .flags = ARG_EMPTY },
	{ PASSWORD_STDIN },
	{ .name = "password_ask",
	    .type = ARG_FLAG,
	    .help = "ask for it on the terminal" },
	{ IMAP_HOST },
	{ IMAP_PORT },
	{ IMAP_SECURITY },
	{ SMTP_HOST },
	{ SMTP_PORT },
	{ SMTP_SECURITY },
	{ CA, .flags = ARG_EMPTY },
	{ PIN },
	{ MAILDIR, .flags = ARG_EMPTY },
	{ URL, .flags = ARG_EMPTY },
	{ LIST, .flags = ARG_EMPTY },
	{ LIST_FOLDER, .flags = ARG_EMPTY },
	{ DRAFTS_FOLDER, .flags = ARG_EMPTY },
	{ SENT_FOLDER, .flags = ARG_EMPTY },
	{ THREAD_URL, .flags = ARG_EMPTY },
	{ WHITELIST_IN },
	{ WHITELIST_AUTH },
	{ WHITELIST_OUT },
	{ SUBJECT_REGEX },
	{ AUTHSERV_ID, .flags = ARG_EMPTY },
	{ .name = "process_backlog",
	    .type = ARG_CHOICE,
	    .help = "on: mail that is there when a folder is first seen "
		    "counts as new",
	    .choices = "on|off" },
	{ ATTACH_DIR, .flags = ARG_EMPTY },
	{ QUIRK_ID },
	{ QUIRK_SASL_IR },
	{ SENT_COPY },
	{ OUTBOUND },
	{ SCOPE },
	{ TAINT },
	{ SECRETS_CHECK },
	{ CHECK_UNFINISHED },
	{ LIMIT_OF_MESSAGES },
	{ LIMIT_OF_NEW },
	{ LIMIT_OF_BYTES },
	{ LIMIT_OF_RECIPIENTS },
	{ 0 },
};
