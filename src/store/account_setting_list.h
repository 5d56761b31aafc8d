/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every setting of an account, in the order of the help.  Before including this
 * file, define
 *
 *   SETTING(ID, "name", TYPE, "choices", "default", "what it means",
 *       ASK(PAGE, place, when, NEED, "title", "what a form says"),
 *       COLUMN("column", member), more members of struct setting)
 *
 * TYPE is an enum setting_type.  ASK is for flow_step.c: the page of the forms,
 * the place there, when it is asked, and whether it needs an answer.  A FLAG is
 * an option without a value for `account add`, with its own help: MEANS("of
 * add", "else").  SETTING_SECRETS marks the place of the options for the
 * credential.
 */
#ifndef MEANS
#define MEANS(add, other) other
#endif
#ifndef SETTING_SECRETS
#define SETTING_SECRETS
#endif

SETTING(BACKEND, "backend", BACKEND,
    "imap|maildir|mbox|jmap|gmail|ponymail|agentbox", "imap",
    "where the mail is stored: imap, maildir, mbox, jmap, gmail, ponymail "
    "or agentbox",
    ASK(WHO, 10, always, MUST, "Mail is kept by",
	"imap, jmap: a mail server.  gmail: Google's service.  maildir, "
	"mbox: files on this machine.  ponymail: a list's archive.  "
	"agentbox: a root of agents' mailboxes."),
    COLUMN("backend", backend), .server = true)
SETTING(MODE, "mode", CHOICE, "RO|RW", "RO", "RO: read-only; RW: may also send",
    ASK(WHO, 40, always, MUST, "Agents may",
	"RO: read only.  RW: read, and send within your rules."),
    COLUMN("mode", mode), .rule = true)
SETTING(FROM, "from", ADDRESS, NULL, NULL,
    "address mail is sent from; default: --username, if it is an address",
    ASK(WHO, 20, always, MUST_FIRST, "Mail address",
	"The address of the mailbox: me@example.org."),
    COLUMN("from_addr", from_addr))
SETTING(USERNAME, "username", LOGIN, NULL, NULL,
    "user name for the login; default: --from",
    ASK(LOGIN, 10, signs_in, MUST_FIRST, "User name",
	"The name to log in with; usually the address."),
    COLUMN("username", username), .server = true, .declared = "imap_account",
    .compared = true)
SETTING(AUTH, "auth", WORD, "password|oauth2", "password",
    "oauth2: account consent gets access tokens; a token given as password "
    "is not refreshed",
    ASK(SERVERS, 90, signs_in, MUST, "Sign in with",
	"password: also an app password.  oauth2: consent in a browser."),
    COLUMN("auth_type", auth_type), .server = true)
SETTING_SECRETS
SETTING(IMAP_HOST, "imap_host", HOST, NULL, NULL, "IMAP server",
    ASK(SERVERS, 30, by_imap, MUST, "IMAP server",
	"A host name, with :port if it is not the usual one."),
    COLUMN("imap_host", imap_host), .server = true, .needed_by = "imap",
    .declared = "imap_host", .compared = true)
SETTING(IMAP_PORT, "imap_port", PORT, NULL, NULL,
    "its port; default: 993 with tls, 143 with starttls",
    ASK(SERVERS, 40, by_imap, MUST, "IMAP port",
	"993 with tls, 143 with starttls."),
    COLUMN("imap_port", imap_port), .server = true, .taken_by = "imap")
SETTING(IMAP_SECURITY, "imap_security", SECURITY, "tls|starttls", "tls",
    "implicit TLS or STARTTLS; port 143 means starttls",
    ASK(SERVERS, 50, by_imap, MUST, "IMAP security",
	"Implicit TLS, or STARTTLS."),
    COLUMN("imap_security", imap_security), .server = true, .taken_by = "imap")
SETTING(SMTP_HOST, "smtp_host", HOST, NULL, NULL,
    "submission server; without one the account cannot send",
    ASK(SERVERS, 60, submits, MAY, "SMTP server",
	"The submission server; empty: the account cannot send."),
    COLUMN("smtp_host", smtp_host), .server = true)
SETTING(SMTP_PORT, "smtp_port", PORT, NULL, NULL,
    "its port; default: 465 with tls, 587 with starttls",
    ASK(SERVERS, 70, submits, MUST, "SMTP port",
	"465 with tls, 587 with starttls."),
    COLUMN("smtp_port", smtp_port), .server = true)
SETTING(SMTP_SECURITY, "smtp_security", SECURITY, "tls|starttls", "tls",
    "implicit TLS or STARTTLS; port 587 means starttls",
    ASK(SERVERS, 80, submits, MUST, "SMTP security",
	"Implicit TLS, or STARTTLS."),
    COLUMN("smtp_security", smtp_security), .server = true)
SETTING(CA, "ca", FILE, NULL, NULL,
    "PEM file of a private CA, instead of the system's CAs",
    ASK(SERVERS, 100, signs_in, MAY, "Private CA file",
	"PEM file of the server's private CA; empty: the system's CAs."),
    COLUMN("ca_file", ca_file), .server = true)
SETTING(PIN, "pin", PIN, NULL, NULL,
    "base64 of the SHA-256 of the server's public key (SPKI); no other key "
    "is accepted then, whoever signed it; up to 4, separated by commas",
    ASK(SERVERS, 110, edits, MAY, "Certificate pin",
	"Only a server with this key is accepted: the base64 of a SHA-256 "
	"that emcli doctor shows."),
    COLUMN("tls_pin", tls_pin), .server = true,
    /* Requests over HTTPS would ignore it. */
    .taken_by = "imap maildir mbox")
SETTING(PATH, "path", MAIL, NULL, NULL,
    "the Maildir, the mbox file or folder, or the agents' mailbox root",
    ASK(SERVERS, 10, by_folder, MUST, "Maildir",
	"The folder with cur, new and tmp; for mbox the file, or a folder "
	"of mbox files; for agentbox the mailbox root."),
    COLUMN("path", path), .server = true, .needed_by = "agentbox maildir mbox",
    .declared = "mbox_archive_path", .compared = true)
SETTING(URL, "url", URL, NULL, NULL,
    "address of the service: the JMAP host or session, or the Pony Mail "
    "archive",
    ASK(SERVERS, 20, by_service, MAY, "Service address",
	"https address of the JMAP host or session, or of the archive; "
	"Gmail needs none."),
    COLUMN("url", url), .server = true, .needed_by = "jmap ponymail",
    .taken_by = "gmail")
SETTING(LIST_ADDRESS, "list", ADDRESS, NULL, NULL,
    "the mailing list this account is a source of",
    ASK(SOURCE, 10, edits, MAY, "Mailing list",
	"The address of the list it is a source of."),
    COLUMN("list", list), .declared = "security_list")
SETTING(LIST_FOLDER, "list_folder", TEXT, NULL, NULL,
    "the folder with the list's mail; default: the inbox",
    ASK(SOURCE, 20, edits, MAY, "Folder of the list", "Empty: the inbox."),
    COLUMN("list_folder", list_folder), .declared = "imap_security_list_folder")
SETTING(DRAFTS_FOLDER, "drafts_folder", TEXT, NULL, NULL,
    "the folder for drafts; default: the server's own",
    ASK(SOURCE, 30, edits, MAY, "Folder for drafts",
	"Empty: the server's own."),
    COLUMN("drafts_folder", drafts_folder), .taken_by = "imap jmap maildir",
    .declared = "imap_drafts_folder")
SETTING(SENT_FOLDER, "sent_folder", TEXT, NULL, NULL,
    "the folder for sent mail; default: the server's own",
    ASK(SOURCE, 40, edits, MAY, "Folder for sent mail",
	"Empty: the server's own."),
    COLUMN("sent_folder", sent_folder))
SETTING(THREAD_URL, "thread_url", URL, NULL, NULL,
    "web address of a thread: a template with <id>, <hash> and <list>",
    ASK(SOURCE, 50, edits, MAY, "Address of threads",
	"A web address with <id>, <hash> and <list> in it."),
    COLUMN("thread_url", thread_url),
    .declared = "ponymail_thread_url_template")
SETTING(WHITELIST_IN, "whitelist_in", SWITCH, "on|off", "off",
    "on: only listed senders are visible",
    ASK(POLICY, 10, always, MUST, "Only listed senders",
	"on: agents see mail from listed senders only."),
    COLUMN("whitelist_in_enabled", in_on), .rule = true, .from_end = true)
SETTING(WHITELIST_AUTH, "whitelist_auth", CHOICE, "none|dmarc", "none",
    "what whitelist in add requires: dmarc: an authenticated sender; none: "
    "only a matching From line",
    ASK(SENDERS, 20, believes, MUST, "Proof of senders",
	"For senders listed from now on.  dmarc: the sender must be "
	"authenticated.  none: the From line alone."),
    COLUMN("whitelist_auth", in_dmarc), .rule = true, .unknown = true)
SETTING(WHITELIST_OUT, "whitelist_out", SWITCH, "on|off", "on",
    "on: only listed recipients may be written to",
    ASK(POLICY, 30, sends, MUST, "Only listed recipients",
	"on: agents write to listed recipients only."),
    COLUMN("whitelist_out_enabled", out_on), .rule = true, .from_end = true)
SETTING(SUBJECT_REGEX, "subject_regex", REGEX, NULL, NULL,
    "only mail with a matching subject is visible (PCRE2)",
    ASK(POLICY, 50, edits, MAY, "Only subjects like",
	"Only mail with a matching subject is visible (PCRE2); empty: all "
	"mail."),
    COLUMN("subject_regex", subject_regex), .rule = true)
SETTING(AUTHSERV_ID, "authserv_id", AUTHSERV, NULL, NULL,
    "trust the Authentication-Results of this server: the name that your "
    "mail server writes first in them; default: emcli verifies DKIM "
    "signatures",
    ASK(SENDERS, 10, believes, MAY, "Senders vouched by",
	"The name your mail server writes first in Authentication-Results; "
	"empty: emcli verifies DKIM signatures."),
    COLUMN("authserv_id", authserv_id), .rule = true)
SETTING(PROCESS_BACKLOG, "process_backlog", FLAG, "on|off", NULL,
    MEANS("existing mail counts as new",
	"on: mail in a folder at first contact counts as new"),
    ASK(POLICY, 60, edits, MUST, "Old mail counts as new",
	"on: mail in a folder at first contact counts as new."),
    COLUMN("process_backlog", process_backlog), .rule = true, .from_end = true)
SETTING(ORGANISE, "organise", CHOICE, "off|on|approve", "off",
    "on: agents may mark messages and move them to other folders; approve: "
    "each change waits for emcli approve",
    ASK(POLICY, 65, edits, MUST, "Agents may organise",
	"on: agents may mark messages and move them to other folders.  "
	"approve: each change waits for emcli approve."),
    COLUMN("organise", organise), .rule = true)
SETTING(ORGANISE_FOLDERS, "organise_folders", NAMES, NULL, NULL,
    "the only folders in which agents may change mail, and into which they "
    "may move it: INBOX,Archive; default: all",
    ASK(POLICY, 66, edits, MAY, "Only in these folders",
	"Where agents may change mail, and where they may move it to: "
	"INBOX,Archive; empty: everywhere."),
    COLUMN("organise_folders", organise_folders), .rule = true)
SETTING(LIMIT_ORGANISE, "limit_organise", COUNT, NULL, "2000",
    "messages an agent may mark or move in 24 hours; 0: no limit",
    ASK(POLICY, 67, edits, MUST, "Changes per day",
	"Messages of one agent in 24 hours; 0: no limit."),
    COLUMN("limit_organise", limit_organise), .rule = true)
SETTING(ATTACH_DIR, "attach_dir", FOLDERS, NULL, NULL,
    "the only folder attachments may be sent from, or several",
    ASK(POLICY, 70, edits, MAY, "Attachments from",
	"The only folder attachments may be sent from; empty: none.  "
	"Several: /srv/a/:/srv/b/"),
    COLUMN("attach_dir", attach_dir), .rule = true)
SETTING(QUIRK_ID, "quirk_id", CHOICE, "auto|on|off", "auto",
    "send ID after the login: auto: if the server offers it; on: always, "
    "first of all; off: never",
    ASK(QUIRKS, 10, edits, MUST, "Send ID after login",
	"After the login.  auto: if the server offers it.  on: always, "
	"first of all.  off: never."),
    COLUMN("quirk_id", quirk_id))
SETTING(QUIRK_SASL_IR, "quirk_sasl_ir", SWITCH, "on|off", "on",
    "off: a login sends no initial response (RFC 4959)",
    ASK(QUIRKS, 20, edits, MUST, "Shorter login",
	"off: a login sends no initial response (RFC 4959)."),
    COLUMN("quirk_sasl_ir", quirk_no_sasl_ir))
SETTING(SENT_COPY, "sent_copy", SWITCH, "on|off", "on",
    "off: the server itself files sent mail",
    ASK(QUIRKS, 30, edits, MUST, "Copy into Sent",
	"off: the server itself files sent mail."),
    COLUMN("sent_copy", no_sent_copy))
SETTING(OUTBOUND, "outbound", CHOICE, "send|approve|draft|none", "send",
    "send: what policy allows is sent; approve: it waits for emcli "
    "approve; draft, none: nothing is sent",
    ASK(SENDING, 10, edits, MUST, "When an agent sends",
	"send: it is sent.  approve: it waits for emcli approve.  draft, "
	"none: nothing is sent."),
    COLUMN("outbound", outbound), .rule = true, .from_end = true)
SETTING(REACH, "scope", CHOICE, "any|thread", "any",
    "thread: only replies, to people in the message answered",
    ASK(SENDING, 20, edits, MUST, "Whom agents write to",
	"thread: only replies, to people in the message answered."),
    COLUMN("scope", scope_thread), .rule = true, .unknown = true)
SETTING(FORWARD, "forward", SWITCH, "on|off", "off",
    "on: agents may pass on mail that they see, with its attachments",
    ASK(SENDING, 25, edits, MUST, "Agents may forward",
	"on: agents may pass on mail that they see, with its attachments."),
    COLUMN("forward", forward), .rule = true, .from_end = true)
SETTING(SIGNATURE, "signature_file", SIGNATURE, NULL, NULL,
    "a file of text to put below what is sent and drafted, after a line "
    "\"-- \"",
    ASK(SENDING, 27, edits, MAY, "File of a signature",
	"A file of text to put below what is sent and drafted; empty: no "
	"change."),
    COLUMN("signature", signature))
SETTING(HTML_COPY, "html_copy", SWITCH, "on|off", "off",
    "on: what is sent and drafted also has its text as HTML, made by emcli",
    ASK(SENDING, 28, edits, MUST, "Text as HTML too",
	"on: what is sent and drafted also has its text as HTML, made by "
	"emcli."),
    COLUMN("html_copy", html_copy), .from_end = true)
SETTING(TAINT, "taint", MINUTES, NULL, "off",
    "minutes for which an agent that was shown mail of an unauthenticated "
    "sender needs approval to send, or off",
    ASK(SENDING, 30, edits, MUST, "Minutes under approval",
	"After an agent was shown mail of an unauthenticated sender, its "
	"messages wait for approval for this time; 0: never."),
    COLUMN("taint_minutes", taint_minutes), .rule = true)
SETTING(SECRETS_CHECK, "secrets_check", SWITCH, "on|off", "on",
    "on: a message that seems to contain a key, token or canary is held",
    ASK(SENDING, 40, edits, MUST, "Hold mail with secrets",
	"on: a message that seems to contain a key, token or canary waits "
	"for approval."),
    COLUMN("secrets_check", no_secrets_check), .rule = true)
SETTING(UNFINISHED, "check_unfinished", SWITCH, "on|off", "on",
    "on: refuse mail with a placeholder, with a missing attachment, or "
    "just like one sent a moment ago",
    ASK(SENDING, 90, edits, MUST, "Refuse unfinished mail",
	"on: mail with a placeholder, with a missing attachment, or just "
	"like one sent a moment ago is refused."),
    COLUMN("check_unfinished", no_unfinished_check), .rule = true)
SETTING(LIMIT_MESSAGES, "limit_messages", COUNT, NULL, "0",
    "messages an agent may send in 24 hours; 0: no limit",
    ASK(SENDING, 50, edits, MUST, "Messages per day",
	"Of one agent in 24 hours; 0: no limit."),
    COLUMN("limit_messages", limit_messages), .rule = true)
SETTING(LIMIT_NEW_RECIPIENTS, "limit_new_recipients", COUNT, NULL, "0",
    "new recipients of an agent in 24 hours; 0: no limit",
    ASK(SENDING, 60, edits, MUST, "New people per day",
	"Never written to before, for one agent in 24 hours; 0: no limit."),
    COLUMN("limit_new_recipients", limit_new_recipients), .rule = true)
SETTING(LIMIT_BYTES, "limit_bytes", COUNT, NULL, "0",
    "bytes an agent may send in 24 hours; 0: no limit",
    ASK(SENDING, 70, edits, MUST, "Bytes per day",
	"Of one agent in 24 hours; 0: no limit."),
    COLUMN("limit_bytes", limit_bytes), .rule = true)
SETTING(LIMIT_RECIPIENTS, "limit_recipients", COUNT, NULL, "0",
    "recipients of one message; 0: no limit",
    ASK(SENDING, 80, edits, MUST, "Recipients per message",
	"Of one message; 0: no limit."),
    COLUMN("limit_recipients", limit_recipients), .rule = true)

#undef SETTING
#undef SETTING_SECRETS
#undef COLUMN
#undef ASK
#undef MEANS
