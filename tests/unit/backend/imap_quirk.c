/* SPDX-License-Identifier: Apache-2.0 */
#include "imap_script.h"

/* An account's switches, and what we must have sent; "|" where we waited. */
#define HI(caps) "* OK [CAPABILITY IMAP4rev1 " caps "] hi\r\n"
#define LOGIN "e1 LOGIN \"me\" \"p\\\"w\"\r\n"
#define ID(n) "e" #n " ID (\"name\" \"emcli\")\r\n"
#define ID_ON                                                                  \
	"e2 ID (\"name\" \"emcli\" \"version\" \"" EMCLI_VERSION               \
	"\" \"vendor\" \"emcli\")\r\n"
#define EXAMINE(n) "e" #n " EXAMINE \"b\"\r\n"
#define EMPTY(n) "* 0 EXISTS\r\n* OK [UIDVALIDITY 9] v\r\ne" #n " OK ex\r\n"

static const struct quirk {
	const char *why;
	enum backend_id id;
	bool no_sasl_ir;
	const char *says, *sent;
} quirks[] = {
	{ "ID is said where it is offered, and not waited for", BACKEND_ID_AUTO,
	    false, HI("ID") "e1 OK in\r\n* ID NIL\r\ne2 OK id\r\n" EMPTY(3),
	    LOGIN ID(2) EXAMINE(3) OUT },
	{ "ID is not said where it is not offered", BACKEND_ID_AUTO, false,
	    HI("") "e1 OK in\r\n" EMPTY(2), LOGIN EXAMINE(2) OUT },
	{ "ID on: said without an offer, and its answer comes first",
	    BACKEND_ID_ON, false,
	    HI("") "e1 OK in\r\n* ID NIL\r\ne2 OK id\r\n" EMPTY(3),
	    LOGIN "|" ID_ON "|" EXAMINE(3) OUT },
	{ "ID on: a refusal is the server's affair", BACKEND_ID_ON, false,
	    HI("") "e1 OK in\r\ne2 BAD what\r\n" EMPTY(3),
	    LOGIN "|" ID_ON "|" EXAMINE(3) OUT },
	{ "ID off: not said though it is offered", BACKEND_ID_OFF, false,
	    HI("ID") "e1 OK in\r\n" EMPTY(2), LOGIN EXAMINE(2) OUT },
	{ "SASL-IR on: the answer goes along", BACKEND_ID_AUTO, false,
	    HI("SASL-IR LOGIN-REFERRALS AUTH=PLAIN") "e1 OK in\r\n" EMPTY(2),
	    "e1 AUTHENTICATE PLAIN AG1lAHAidw==\r\n" EXAMINE(2) OUT },
	{ "SASL-IR off: the answer waits to be asked for", BACKEND_ID_AUTO,
	    true, HI("SASL-IR AUTH=PLAIN") "+ \r\ne1 OK in\r\n" EMPTY(2),
	    "e1 AUTHENTICATE PLAIN\r\n|AG1lAHAidw==\r\n|" EXAMINE(2) OUT },
};

/* One conversation, with the server's text cut in two at a byte. */
static void
play(const struct quirk *k, size_t cut)
{
	struct query q = { .folder = S("b") };
	struct folder_state st = { 0 };
	struct rows rows = { 0 };
	struct err e = { 0 };
	struct script t;

	script_open(&t, k->says, cut);
	t.acct.id = k->id;
	t.acct.no_sasl_ir = k->no_sasl_ir;
	if (imap_backend.find(&t.s->conn, t.a, &q, 1, &st, &rows, &e) < 0)
		fail_msg("%s (%s)", e.say, e.detail);
	script_expect(&t, S(""), "", k->sent, cut);
}

SCRIPT_MAIN("backend/imap_quirk", quirks, play)
