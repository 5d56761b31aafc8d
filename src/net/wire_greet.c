/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks a server's first words before they are parsed: a mail server sends
 * first, and its words distinguish a wrong port from a broken server.
 */
#include <poll.h>

#include "base/clock.h"
#include "net/internal.h"

enum {
	SILENCE_MS =
	    2500, /* in the clear; after that it may be waiting for TLS */
	KNOCK_MS = 4000, /* for that test */
	PORT_RELAY = 25  /* here a greeting may be delayed on purpose */
};

/* The start of a line, and the protocol it belongs to. */
static const struct {
	const char *begin, *what;
	bool imap, smtp;
} voices[] = {
	{ "* ", "an IMAP server", true, false },
	{ "220", "an SMTP server", false, true },
	{ "4", "an SMTP server that takes no mail now", false, true },
	{ "5", "an SMTP server that takes no mail", false, true },
	{ "+OK", "a POP3 server", false, false },
	{ "-ERR", "a POP3 server", false, false },
	{ "SSH-", "an SSH server", false, false },
	{ "HTTP/", "a web server", false, false },
};

static const char *const look[] = {
	[WIRE_GREET_IMAP] = "check --imap-host and --imap-port: IMAP uses 993 "
			    "(tls) or 143 (starttls)",
	[WIRE_GREET_SMTP] = "check --smtp-host and --smtp-port: submission "
			    "uses 465 (tls) or 587 (starttls)",
};

static const char *const from_the_start[] = {
	[WIRE_GREET_IMAP] = "emcli account edit NAME --imap-security tls",
	[WIRE_GREET_SMTP] = "emcli account edit NAME --smtp-security tls",
};

/* Has nothing come for that long? */
static bool
wire_greet_is_silent(const struct wire *w, int64_t ms)
{
	struct pollfd p = { .fd = w->fd, .events = POLLIN };
	int64_t left = clock_left_ms(w->deadline_ms);

	return left > ms && w->in_at == w->in_n && poll(&p, 1, (int)ms) == 0;
}

/*
 * Does another connection to the same port answer TLS?  Its certificate does
 * not matter: nothing is sent on it.
 */
static bool
wire_greet_answers_tls(const struct wire *w)
{
	int64_t until = clock_mono_ms() + KNOCK_MS;
	struct wire *o =
	    wire_make(-1, until < w->deadline_ms ? until : w->deadline_ms);
	struct wire_target t = { .host = str_of(w->host),
		.port = w->port,
		.ca_file = str_of(w->ca_file) };
	struct err unused = { 0 };
	bool yes = wire_target_take(o, &t, &unused) == 0 &&
	    wire_reach(o, w->port, &unused) == 0 &&
	    (wire_tls_start(o, &unused) == 0 || wire_tls_met(o));

	wire_close(&o);
	return yes;
}

static int
wire_greet_check_silence(struct wire *w, enum wire_greet who, struct err *e)
{
	if (w->ssl != NULL || w->port == 0 || w->port == PORT_RELAY ||
	    !wire_greet_is_silent(w, SILENCE_MS) || !wire_greet_answers_tls(w))
		return 0;
	(void)wire_fail(w, e, "tls",
	    "the server sends no greeting in the clear: this port needs TLS "
	    "from the start");
	return err_hint(e, from_the_start[who]);
}

/* Reads enough of the first line to recognize it. */
static int
wire_greet_peek(struct wire *w, struct str *out, struct err *e)
{
	/* Commands that need no answer can be sent before the greeting. */
	if (wire_flush(w, e) < 0)
		return -1;
	do {
		if (wire_fill(w, e) < 0)
			return -1;
		*out = (struct str){ w->in + w->in_at, w->in_n - w->in_at };
	} while (out->n < 5 && !str_has_char(*out, '\n'));
	return 0;
}

/* "220", or the recognized text: a stranger's bytes are not shown. */
static struct str
wire_greet_said(struct str line, const char *begin)
{
	struct str known = str_trim(str_of(begin));

	for (size_t i = 0; i < 3; i++)
		if (line.n < 3 || line.p[i] < '0' || line.p[i] > '9')
			return known;
	return str_first(line, 3);
}

int
wire_greet(struct wire *w, enum wire_greet who, struct err *e)
{
	struct str line;

	if (wire_greet_check_silence(w, who, e) < 0 ||
	    wire_greet_peek(w, &line, e) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(voices) / sizeof(voices[0]); i++) {
		if (!str_starts(line, str_of(voices[i].begin)))
			continue;
		if (who == WIRE_GREET_IMAP ? voices[i].imap : voices[i].smtp)
			return 0;
		w->broken = true;
		(void)err_set(e, ERR_NETWORK,
		    "the server said %.*s: this is %s",
		    STR_ARG(wire_greet_said(line, voices[i].begin)),
		    voices[i].what);
		(void)err_hint(e, look[who]);
		return err_conn(e);
	}
	return 0;
}
