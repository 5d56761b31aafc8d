/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Brings a connection to a folder: greeting, STARTTLS, capabilities, login,
 * EXAMINE or SELECT (RFC 9051 sections 3, 6.1, 6.3.2 and 6.3.3).  Commands that
 * need no previous answer are sent at once; imap_session_settle() reads the
 * answers.
 */
#include "backend/imap/internal.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/said.h"
#include "base/utf8.h"

static const char not_found[] = "no such folder or message";
static const char no_starttls[] =
    "try TLS from the start: emcli account edit --imap-security tls "
    "--imap-port 993";

struct imap_session *
imap_session_new(const struct backend_account *acct, struct arena *a)
{
	struct imap_session *s = arena_new(a, struct imap_session);

	s->conn.acct = acct;
	s->a = a;
	return s;
}

static void
imap_session_begin(struct imap_session *s, struct wire *w)
{
	struct imap_source src = imap_stream_source(w);

	s->wire = w;
	imap_read_init(&s->reader, &src);
}

struct imap_session *
imap_session_over(const struct backend_account *acct, struct arena *a,
    struct wire *w)
{
	struct imap_session *s = imap_session_new(acct, a);

	s->vouched = true;
	imap_session_begin(s, w);
	return s;
}

void
imap_session_drop(struct imap_session *s)
{
	struct imap_session fresh = {
		.conn = s->conn,
		.a = s->a,
		.refused = s->refused,
		.renewed = s->renewed,
		.folder = s->folder,
		.numbering = s->numbering,
	};

	arena_close(&s->across_rows);
	arena_close(&s->across_a);
	wire_close(&s->wire);
	imap_read_done(&s->reader);
	*s = fresh;
}

/* The capabilities that mean something here. */
static const struct {
	struct str name;
	unsigned cap;
} imap_caps[] = {
	{ SI("IMAP4rev1"), IMAP_CAP_REV1 },
	{ SI("IMAP4rev2"), IMAP_CAP_REV2 },
	{ SI("STARTTLS"), IMAP_CAP_STARTTLS },
	{ SI("LOGINDISABLED"), IMAP_CAP_LOGINDISABLED },
	{ SI("SASL-IR"), IMAP_CAP_SASL_IR },
	{ SI("LITERAL+"), IMAP_CAP_LITERAL_PLUS },
	{ SI("LITERAL-"), IMAP_CAP_LITERAL_MINUS },
	{ SI("ID"), IMAP_CAP_ID },
	{ SI("UTF8=ACCEPT"), IMAP_CAP_UTF8 },
	{ SI("UTF8=ONLY"), IMAP_CAP_UTF8 },
	{ SI("ESEARCH"), IMAP_CAP_ESEARCH },
	{ SI("SPECIAL-USE"), IMAP_CAP_SPECIAL_USE },
	{ SI("LIST-EXTENDED"), IMAP_CAP_LIST_EXTENDED },
	{ SI("UIDPLUS"), IMAP_CAP_UIDPLUS },
	{ SI("ACL"), IMAP_CAP_ACL },
	{ SI("IDLE"), IMAP_CAP_IDLE },
	{ SI("MOVE"), IMAP_CAP_MOVE },
	{ SI("UNSELECT"), IMAP_CAP_UNSELECT },
	{ SI("QUOTA"), IMAP_CAP_QUOTA },
	{ SI("LOGIN-REFERRALS"), IMAP_CAP_REFERRALS },
	{ SI("AUTH=PLAIN"), IMAP_CAP_PLAIN },
	{ SI("AUTH=LOGIN"), IMAP_CAP_LOGIN },
	{ SI("AUTH=XOAUTH2"), IMAP_CAP_XOAUTH2 },
	{ SI("AUTH=OAUTHBEARER"), IMAP_CAP_OAUTHBEARER },
};

void
imap_session_set_caps(struct imap_session *s, struct str list)
{
	bool more = true;
	struct str word;

	s->caps = 0;
	while (more) {
		more = str_cut(list, ' ', &word, &list);
		for (size_t i = 0; i < sizeof(imap_caps) / sizeof(imap_caps[0]);
		     i++)
			if (str_eq_case(word, imap_caps[i].name))
				s->caps |= imap_caps[i].cap;
	}
	/* RFC 9051 appendix E: rev2 has these built in. */
	if ((s->caps & (IMAP_CAP_REV1 | IMAP_CAP_REV2)) == IMAP_CAP_REV2) {
		s->caps |= IMAP_CAP_SASL_IR | IMAP_CAP_LITERAL_MINUS |
		    IMAP_CAP_ESEARCH | IMAP_CAP_SPECIAL_USE |
		    IMAP_CAP_LIST_EXTENDED | IMAP_CAP_UIDPLUS | IMAP_CAP_IDLE |
		    IMAP_CAP_MOVE | IMAP_CAP_UNSELECT;
		s->utf8 = true;
	}
	s->caps_known = true;
	s->caps_fresh = true;
}

struct str
imap_session_said_caps(const struct imap_session *s, struct arena *a)
{
	unsigned left = s->caps;
	struct buf b;

	buf_init(&b, a, 4096);
	for (size_t i = 0; i < sizeof(imap_caps) / sizeof(imap_caps[0]); i++)
		if ((left & imap_caps[i].cap) != 0) {
			buf_fmt(&b, "%s%.*s", b.n > 0 ? ", " : "",
			    STR_ARG(imap_caps[i].name));
			left &= ~imap_caps[i].cap;
		}
	return buf_view(&b);
}

static int
imap_session_ask_caps(struct imap_session *s, struct err *e)
{
	struct imap_cmd c;

	s->caps_known = false;
	if (imap_command_begin(s, &c, "CAPABILITY", e) < 0 ||
	    imap_command_end(s, &c, e) < 0 || imap_command_wait(s, &c, e) < 0)
		return -1;
	if (c.status != IMAP_OK || !s->caps_known)
		return imap_read_nonsense(e, "no capabilities");
	return 0;
}

void
imap_session_attach(struct imap_session *s, struct wire *w)
{
	imap_session_begin(s, w);
}

/* RFC 9051 section 7.1: OK, PREAUTH or BYE. */
int
imap_session_greet(struct imap_session *s, struct err *e)
{
	struct imap_resp r;
	char words[160];

	if (s->greeted)
		return 0;
	/* Tests read from another source. */
	if (s->wire != NULL && wire_greet(s->wire, WIRE_GREET_IMAP, e) < 0)
		return -1;
	if (imap_read_next(&s->reader, &r, e) < 0)
		return -1;
	imap_trace_response(s, &r);
	if (r.kind != IMAP_NOTICE)
		return imap_read_nonsense(e, "no greeting");
	if (r.status != IMAP_OK && r.status != IMAP_PREAUTH) {
		said_clean(words, sizeof(words), r.text);
		(void)err_set(e, ERR_NETWORK,
		    "the server refused the connection");
		(void)err_because(e, "imap: greeting %s", words);
		return err_conn(e);
	}
	s->greeted = true;
	s->preauth = r.status == IMAP_PREAUTH;
	s->flows = str_find(r.text, S("Dovecot")) >= 0;
	if (str_starts_case(r.code, S("CAPABILITY ")))
		imap_session_set_caps(s, str_from(r.code, 11));
	return 0;
}

/*
 * RFC 9051 section 6.2.1.  A PREAUTH greeting would let an attacker prevent TLS
 * (CVE-2021-33515 and similar).
 */
int
imap_session_secure(struct imap_session *s, struct err *e)
{
	struct imap_cmd c;

	if (wire_is_tls(s->wire))
		return 0;
	if (s->preauth) {
		(void)err_set(e, ERR_NETWORK, "the server offers no STARTTLS");
		(void)err_hint(e, no_starttls);
		(void)err_because(e, "imap: PREAUTH before TLS");
		return err_conn(e);
	}
	if (!s->caps_known && imap_session_ask_caps(s, e) < 0)
		return -1;
	if ((s->caps & IMAP_CAP_STARTTLS) == 0) {
		(void)err_set(e, ERR_NETWORK, "the server offers no STARTTLS");
		(void)err_hint(e, no_starttls);
		return err_conn(e);
	}
	if (imap_command_begin(s, &c, "STARTTLS", e) < 0 ||
	    imap_command_end(s, &c, e) < 0 || imap_command_wait(s, &c, e) < 0)
		return -1;
	if (c.status != IMAP_OK) {
		(void)imap_command_refused(&c, ERR_NETWORK,
		    "the server refused STARTTLS", e);
		return err_conn(e);
	}
	/* Capabilities sent in the clear do not count. */
	s->caps = 0;
	s->caps_known = false;
	s->utf8 = false;
	s->st = (struct folder_state){ 0 };
	return wire_starttls(s->wire, e);
}

static int
imap_session_open_wire(struct imap_session *s, struct err *e)
{
	const struct backend_account *acct = s->conn.acct;
	struct wire_target t = {
		.host = acct->imap_host,
		.port = acct->imap_port,
		.security = acct->imap_starttls ? WIRE_STARTTLS : WIRE_TLS,
		.ca_file = acct->ca_file,
		.pin = acct->tls_pin,
		.deadline_ms = acct->deadline_ms,
	};
	struct wire *w = NULL;

	if (wire_open(&t, &w, e) < 0)
		return -1;
	imap_session_begin(s, w);
	return 0;
}

int
imap_session_connect(struct imap_session *s, struct err *e)
{
	if (s->connected)
		return 0;
	if (s->wire == NULL && imap_session_open_wire(s, e) < 0)
		return -1;
	if (imap_session_greet(s, e) < 0)
		return -1;
	if (s->conn.acct->imap_starttls && imap_session_secure(s, e) < 0)
		return -1;
	if (!s->caps_known && imap_session_ask_caps(s, e) < 0)
		return -1;
	s->connected = true;
	return 0;
}

static int
imap_session_send_plain(struct imap_session *s, struct imap_cmd *c,
    const char *text, struct err *e)
{
	if (imap_command_begin(s, c, text, e) < 0)
		return -1;
	return imap_command_end(s, c, e);
}

/*
 * RFC 2971.  Some servers deny folders to clients that did not send ID, and
 * process commands in order: there emcli waits for the answer.
 */
static int
imap_session_identify(struct imap_session *s, struct err *e)
{
	/* Servers that require ID want more than a name. */
	static const char *const say[] = {
		[BACKEND_ID_AUTO] = "ID (\"name\" \"emcli\")",
		[BACKEND_ID_ON] = "ID (\"name\" \"emcli\" \"version\" "
				  "\"" EMCLI_VERSION "\" \"vendor\" \"emcli\")",
	};
	enum backend_id id = s->conn.acct->id;

	if (id == BACKEND_ID_OFF ||
	    (id == BACKEND_ID_AUTO && (s->caps & IMAP_CAP_ID) == 0))
		return 0;
	if (id == BACKEND_ID_ON && imap_session_login(s, e) < 0)
		return -1;
	if (imap_session_send_plain(s, &s->id, say[id], e) < 0)
		return -1;
	s->identifying = true;
	return id == BACKEND_ID_ON ? imap_session_login(s, e) : 0;
}

static int
imap_session_start_new(struct imap_session *s, struct err *e)
{
	if (imap_session_connect(s, e) < 0)
		return -1;

	s->started = true;
	if (!s->preauth) {
		s->caps_fresh = false;
		if (imap_auth_send(s, e) < 0)
			return -1;
		s->logging_in = true;
		/* A known refusal must be the error. */
		if (s->login.done && imap_auth_wait(s, e) < 0)
			return -1;
	}
	if (imap_session_identify(s, e) < 0)
		return -1;
	if ((s->caps & IMAP_CAP_UTF8) != 0) {
		if (imap_session_send_plain(s, &s->enable, "ENABLE UTF8=ACCEPT",
			e) < 0)
			return -1;
		s->enabling = true;
	}
	return 0;
}

/* Sends what commands need; avoids waiting where possible. */
static int
imap_session_start(struct imap_session *s, struct err *e)
{
	/* A wait may have had another deadline, and the call has a new one. */
	wire_deadline(s->wire, s->conn.acct->deadline_ms);
	if (s->started)
		return 0;
	if (s->refused.kind != ERR_NONE) {
		*e = s->refused;
		return -1;
	}
	if (backend_token(s->conn.acct, e) < 0)
		return -1;
	if (imap_session_start_new(s, e) == 0)
		return 0;
	/*
	 * The answer to a token is known before anything else is sent (auth.c),
	 * so this connection loses nothing.
	 */
	if (s->refused.kind != ERR_AUTH || s->renewed ||
	    !backend_token_again(s->conn.acct, e))
		return -1;
	s->renewed = true;
	s->refused = (struct err){ 0 };
	imap_session_drop(s);
	return imap_session_start_new(s, e);
}

int
imap_session_login(struct imap_session *s, struct err *e)
{
	if (s->logging_in && imap_auth_wait(s, e) < 0)
		return -1;
	s->logging_in = false;
	if (s->identifying && imap_command_wait(s, &s->id, e) < 0)
		return -1;
	s->identifying = false;
	if (s->enabling && imap_command_wait(s, &s->enable, e) < 0)
		return -1;
	s->enabling = false;
	return 0;
}

int
imap_session_caps(struct imap_session *s, struct err *e)
{
	if (imap_session_start(s, e) < 0 || imap_session_login(s, e) < 0)
		return -1;
	return s->caps_fresh ? 0 : imap_session_ask_caps(s, e);
}

static int
imap_session_open(struct imap_session *s, struct str folder, bool write,
    struct err *e)
{
	struct str name;

	/* RFC 9051 section 5.1: INBOX is INBOX in any case. */
	if (str_eq_case(folder, S("INBOX")))
		folder = S("INBOX");
	if (folder.n > LIMIT_FOLDER_NAME || !utf8_valid(folder) ||
	    str_has_char(folder, '\0') || str_has_char(folder, '\r') ||
	    str_has_char(folder, '\n'))
		return err_set(e, ERR_NOT_FOUND, "%s", not_found);
	if (imap_session_start(s, e) < 0)
		return -1;
	if (s->examined && !write && str_eq(s->folder, folder))
		return 0;

	if (!imap_utf7_encode(s->a, folder, &name))
		return err_set(e, ERR_NOT_FOUND, "%s", not_found);
	/* The form of the name depends on the answer to ENABLE. */
	if (!str_eq(name, folder) && s->enabling &&
	    imap_session_login(s, e) < 0)
		return -1;
	s->examined = s->told = false;
	s->left.any = false;
	s->next = str_eq(s->folder, folder) ? s->st.uidnext : 0;
	if (!str_eq(s->folder, folder)) {
		s->folder = str_dup(s->a, folder);
		s->numbering = 0;
	}
	s->st = (struct folder_state){ 0 };
	s->writing = write;
	if (imap_command_begin(s, &s->examine, write ? "SELECT " : "EXAMINE ",
		e) < 0 ||
	    imap_command_name(s, &s->examine, s->utf8 ? folder : name, e) < 0 ||
	    imap_command_end(s, &s->examine, e) < 0)
		return -1;
	s->examining = true;
	return 0;
}

int
imap_session_select(struct imap_session *s, struct str folder, struct err *e)
{
	return imap_session_open(s, folder, false, e);
}

int
imap_session_write(struct imap_session *s, struct str folder, struct err *e)
{
	return imap_session_open(s, folder, true, e);
}

/*
 * RFC 9051 section 2.3.1.1: nonzero, 32 bits.  Without it, nobody can tell
 * whether a uid still names the same message, and everything stored about a
 * folder (floor, acks, claims) is stored by uid.
 */
static int
no_generation(struct err *e)
{
	(void)err_set(e, ERR_UNSUPPORTED,
	    "the mail server does not keep this folder's message numbers (no "
	    "UIDVALIDITY)");
	return err_because(e, "imap: no usable UIDVALIDITY");
}

/* May the folder be used, as its answer describes it? */
static int
imap_session_opened(const struct imap_session *s, struct err *e)
{
	if (s->examine.status != IMAP_OK)
		return imap_command_refused(&s->examine, ERR_NOT_FOUND,
		    not_found, e);
	if (s->st.uidvalidity == 0)
		return no_generation(e);
	if (s->writing && strcmp(s->examine.code, "READ-ONLY") == 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "the folder is read-only: its messages cannot be changed");
	if (s->writing && s->numbering != 0 &&
	    s->numbering != s->st.uidvalidity) {
		(void)err_set(e, ERR_NOT_FOUND, "%s", not_found);
		return err_because(e, "imap: another UIDVALIDITY");
	}
	return 0;
}

int
imap_session_settle(struct imap_session *s, struct err *e)
{
	struct err later = { 0 };

	if (imap_session_login(s, e) < 0)
		return -1;
	if (!s->examining)
		return 0;
	if (imap_command_wait(s, &s->examine, e) < 0)
		return -1;
	s->examining = false;
	if (imap_session_opened(s, e) == 0) {
		s->numbering = s->st.uidvalidity;
		s->examined = !s->writing;
		return 0;
	}
	/* Later commands are answered too; these answers are ignored. */
	return imap_command_drain(s, &later) < 0 ? err_conn(e) : -1;
}
