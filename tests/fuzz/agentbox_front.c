/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: message files of mailbox roots, read, written again, as mail. */
#include "check.h"

#include "backend/agentbox/internal.h"
#include "base/utf8.h"

static void
party(const struct agentbox_party *p)
{
	check(agentbox_name_address(p->address), "an address is one segment");
	check(str_trim(p->principal).n > 0, "a principal is not blank");
	check(utf8_valid(p->display_name), "names are UTF-8");
}

static void
as_mail(struct arena *a, const struct agentbox_message *m)
{
	struct err e = { 0 };
	struct str mail;

	if (agentbox_front_mail(a, m, NULL, &mail, &e) < 0)
		return;
	for (size_t i = 0; i < mail.n; i++) {
		check(mail.p[i] != '\0' && (unsigned char)mail.p[i] < 0x80,
		    "mail is ASCII");
		check(mail.p[i] != '\n' || (i > 0 && mail.p[i - 1] == '\r'),
		    "lines end in CRLF");
	}
	check(str_starts(mail, S("Date: ")), "our field is the first");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str raw = { (const char *)data, size };
	struct agentbox_message m, back;
	struct err e = { 0 };
	struct str out;

	if (agentbox_front_read(a, raw, 3, &m, &e) < 0 &&
	    agentbox_front_read(a, raw, 1, &m, &e) < 0)
		return 0;
	check(agentbox_name_message(m.id) && agentbox_name_message(m.thread),
	    "ids are names");
	check(agentbox_name_time(m.created), "a time is one");
	check(m.to.n > 0 && str_trim(m.subject).n > 0, "to and subject");
	check(!str_has_char(m.body, '\0'), "no NUL in the body");
	party(&m.from);
	for (size_t i = 0; i < m.to.n; i++)
		party(&m.to.v[i]);
	as_mail(a, &m);
	if (agentbox_front_write(a, &m, &out, &e) < 0)
		return 0;
	check(agentbox_front_read(a, out, 1, &back, &e) == 0,
	    "what is written is read");
	check(str_eq(back.subject, m.subject) && str_eq(back.id, m.id) &&
		back.to.n == m.to.n && back.headers == m.headers,
	    "what is read is what was written");
	return 0;
}
