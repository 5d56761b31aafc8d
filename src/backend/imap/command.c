/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tagged commands, RFC 9051 section 2.2.1.  Several can be in progress; their
 * answers come in any order and are stored in the struct imap_cmd of each.  An
 * answer without a command ends the connection.
 */
#include "backend/imap/internal.h"
#include "base/said.h"
#include "base/utf8.h"

/* RFC 7888 section 5: LITERAL- sends up to this size without waiting. */
#define LITERAL_MINUS 4096
/* Longer strings are sent as literals: servers limit their lines. */
#define QUOTED_MAX 1000

/* A given wire has prepared answers. */
static bool
imap_command_is_remote(const struct imap_session *s)
{
	return s->wire != NULL && !s->vouched;
}

int
imap_command_begin(struct imap_session *s, struct imap_cmd *c, const char *text,
    struct err *e)
{
	if (s->pending_n == IMAP_PENDING)
		err_bug("imap: too many commands at once");
	*c = (struct imap_cmd){ .tag = ++s->tag };
	if (imap_command_is_remote(s)) {
		(void)wire_pending(s->wire); /* reads what has arrived */
		c->since = wire_received(s->wire);
	}
	s->pending[s->pending_n++] = c;
	return wire_say_fmt(s->wire, e, "e%u %s", c->tag, text);
}

int
imap_command_put(struct imap_session *s, struct imap_cmd *c, struct str text,
    struct err *e)
{
	return c->done ? 0 : wire_put(s->wire, text, e);
}

int
imap_command_say(struct imap_session *s, struct imap_cmd *c, struct str text,
    struct err *e)
{
	return c->done ? 0 : wire_say(s->wire, text, e);
}

/* Is it allowed in quotes?  RFC 9051 section 9, QUOTED-CHAR. */
static bool
imap_command_is_quotable(const struct imap_session *s, struct str text)
{
	if (text.n > QUOTED_MAX)
		return false;
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] == '\0' || text.p[i] == '\r' || text.p[i] == '\n')
			return false;
	return s->utf8 ? utf8_valid(text) : utf8_ascii(text);
}

/* With wire_put(), or with wire_say() if a trace may show it. */
static int
imap_command_put_quoted(struct imap_session *s, struct str text,
    int (*put)(struct wire *w, struct str s, struct err *e), struct err *e)
{
	size_t from = 0;

	if (put(s->wire, S("\""), e) < 0)
		return -1;
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] != '"' && text.p[i] != '\\')
			continue;
		if (put(s->wire, (struct str){ text.p + from, i - from }, e) <
			0 ||
		    put(s->wire, S("\\"), e) < 0)
			return -1;
		from = i;
	}
	if (put(s->wire, str_from(text, from), e) < 0)
		return -1;
	return put(s->wire, S("\""), e);
}

int
imap_command_string(struct imap_session *s, struct imap_cmd *c, struct str text,
    struct err *e)
{
	bool unasked = (s->caps & IMAP_CAP_LITERAL_PLUS) != 0 ||
	    ((s->caps & IMAP_CAP_LITERAL_MINUS) != 0 &&
		text.n <= LITERAL_MINUS);
	int more;

	if (c->done)
		return 0;
	if (imap_command_is_quotable(s, text))
		return imap_command_put_quoted(s, text, wire_put, e);
	if (wire_say_fmt(s->wire, e, "{%zu%s}\r\n", text.n,
		unasked ? "+" : "") < 0)
		return -1;
	if (unasked)
		return wire_put(s->wire, text, e);
	/*
	 * A "+" must be for this command, not the login's request for a
	 * password.
	 */
	if (s->logging_in && imap_session_login(s, e) < 0)
		return -1;
	more = imap_command_next(s, c, e);
	if (more < 0)
		return -1;
	return imap_command_put(s, c, text, e);
}

int
imap_command_name(struct imap_session *s, struct imap_cmd *c, struct str name,
    struct err *e)
{
	if (!c->done && imap_command_is_quotable(s, name))
		return imap_command_put_quoted(s, name, wire_say, e);
	return imap_command_string(s, c, name, e);
}

int
imap_command_end(struct imap_session *s, struct imap_cmd *c, struct err *e)
{
	return imap_command_say(s, c, S("\r\n"), e);
}

/* "CAPABILITY IMAP4rev1 ..." or "UIDNEXT 5": the text in []. */
static void
imap_command_take_code(struct imap_session *s, struct str code)
{
	struct str word, rest;
	uint32_t n;

	(void)str_cut(code, ' ', &word, &rest);
	if (s->code != NULL)
		s->code(s, word, rest, s->code_ctx);
	if (str_eq_case(word, S("CAPABILITY"))) {
		imap_session_set_caps(s, rest);
		return;
	}
	if (!str_to_u32(str_trim(rest), UINT32_MAX, &n))
		n = 0;
	/* It applies only to the folder being opened. */
	if (str_eq_case(word, S("UIDVALIDITY")) && s->examining)
		s->st.uidvalidity = n;
	else if (str_eq_case(word, S("UIDNEXT")) && n > 0)
		s->st.uidnext = n;
}

/* "38505 3955"; a set of uids is not for a single message. */
static void
imap_command_take_appended(struct imap_cmd *c, struct str text)
{
	struct str validity, uid;

	if (!str_cut(text, ' ', &validity, &uid) ||
	    !str_to_u32(validity, UINT32_MAX, &c->appended.uidvalidity) ||
	    !str_to_u32(uid, UINT32_MAX, &c->appended.uid))
		c->appended = (struct imap_appended){ 0 };
}

/* The word of a code, for comparing; it is cleaned before it is shown. */
static void
imap_command_take_word(struct imap_cmd *c, struct str word)
{
	size_t n = word.n < sizeof(c->code) ? word.n : sizeof(c->code) - 1;

	for (size_t i = 0; i < n; i++)
		c->code[i] = (char)toupper((unsigned char)word.p[i]);
	c->code[n] = '\0';
}

static int
imap_command_take_tagged(struct imap_session *s, const struct imap_resp *r,
    struct err *e)
{
	struct str word, rest;
	struct imap_cmd *c;
	size_t i = 0;

	while (i < s->pending_n && s->pending[i]->tag != r->tag)
		i++;
	if (i == s->pending_n)
		return imap_read_nonsense(e, "an answer without a command");
	c = s->pending[i];
	if (imap_command_is_remote(s) && wire_taken(s->wire) <= c->since)
		return imap_read_nonsense(e, "an answer before its command");
	s->pending[i] = s->pending[--s->pending_n];
	c->done = true;
	c->status = r->status;
	(void)str_cut(r->code, ' ', &word, &rest);
	imap_command_take_word(c, word);
	said_clean(c->words, sizeof(c->words), r->text);
	/* Only a successful command reports a new state. */
	if (r->status == IMAP_OK)
		imap_command_take_code(s, r->code);
	if (r->status == IMAP_OK && strcmp(c->code, "APPENDUID") == 0)
		imap_command_take_appended(c, rest);
	return 0;
}

static int
imap_command_take_notice(struct imap_session *s, const struct imap_resp *r,
    struct err *e)
{
	char words[160];

	/* The only one of a notice that is told with NO: RFC 4315 section 4. */
	if (r->status == IMAP_OK || str_eq_case(r->code, S("UIDNOTSTICKY")))
		imap_command_take_code(s, r->code);
	if (r->status != IMAP_BYE)
		return 0;
	said_clean(words, sizeof(words), r->text);
	(void)err_set(e, ERR_NETWORK, "the server closed the connection");
	(void)err_because(e, "imap: BYE %s", words);
	return err_conn(e);
}

static bool
imap_command_holds_word(struct str list, struct str want)
{
	struct str word;
	bool more = true;

	while (more) {
		more = str_cut(list, ' ', &word, &list);
		if (str_eq_case(word, want))
			return true;
	}
	return false;
}

/* Some servers repeat the number with each answer. */
static void
imap_command_take_exists(struct imap_session *s, uint32_t n)
{
	s->told = s->told || (!s->examining && n != s->st.exists);
	s->st.exists = n;
}

static void
imap_command_take_expunge(struct imap_session *s)
{
	s->expunged++;
	imap_command_take_exists(s, s->st.exists - (s->st.exists > 0));
}

static int
imap_command_take_data(struct imap_session *s, const struct imap_resp *r,
    struct err *e)
{
	if (str_eq_case(r->name, S("CAPABILITY")))
		imap_session_set_caps(s, r->piece[0].text);
	else if (str_eq_case(r->name, S("ENABLED")))
		s->utf8 = s->utf8 ||
		    imap_command_holds_word(r->piece[0].text, S("UTF8=ACCEPT"));
	else if (str_eq_case(r->name, S("EXISTS")))
		imap_command_take_exists(s, r->number);
	else if (str_eq_case(r->name, S("EXPUNGE")))
		imap_command_take_expunge(s);
	else if (s->data != NULL)
		return s->data(s, r, s->ctx, e);
	return 0;
}

int
imap_command_hear(struct imap_session *s, struct err *e)
{
	struct imap_resp r;

	/* wire_part() flushes before it waits. */
	if (imap_read_next(&s->reader, &r, e) < 0)
		return -1;
	imap_trace_response(s, &r);
	switch (r.kind) {
	case IMAP_TAGGED:
		return imap_command_take_tagged(s, &r, e);
	case IMAP_NOTICE:
		return imap_command_take_notice(s, &r, e);
	case IMAP_DATA:
		return imap_command_take_data(s, &r, e);
	case IMAP_MORE:
		break;
	}
	s->more = r.text;
	return 1;
}

int
imap_command_next(struct imap_session *s, struct imap_cmd *c, struct err *e)
{
	int more = 0;

	while (!c->done && more == 0)
		more = imap_command_hear(s, e);
	return more;
}

int
imap_command_wait(struct imap_session *s, struct imap_cmd *c, struct err *e)
{
	int more = imap_command_next(s, c, e);

	if (more > 0)
		return imap_read_nonsense(e, "asked for more of a whole");
	return more;
}

int
imap_command_drain(struct imap_session *s, struct err *e)
{
	s->data = NULL;
	s->code = NULL;
	while (s->pending_n > 0)
		if (imap_command_wait(s, s->pending[0], e) < 0)
			return -1;
	return 0;
}

int
imap_command_refused(const struct imap_cmd *c, enum err_kind kind,
    const char *say, struct err *e)
{
	/* RFC 9051 section 7.1: try later, or tell the server's operator. */
	static const char *const later[] = { "UNAVAILABLE", "SERVERBUG",
		"INUSE", "CONTACTADMIN", "CORRUPTION", "LIMIT",
		"EXPUNGEISSUED" };
	char code[sizeof(c->code)];

	if (c->status == IMAP_BAD) {
		kind = ERR_NETWORK;
		say = "the server did not understand the request";
	}
	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
		if (strcmp(c->code, later[i]) != 0)
			continue;
		kind = ERR_NETWORK;
		say = "the server cannot answer now";
	}
	said_clean(code, sizeof(code), str_of(c->code));
	(void)err_set(e, kind, "%s", say);
	return err_because(e, "imap: %s [%s] %s",
	    c->status == IMAP_BAD ? "BAD" : "NO", code, c->words);
}
