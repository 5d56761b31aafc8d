/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands about the messages of a change.  A line of at most some 8000
 * characters holds hundreds of messages wherever they are, and more of those
 * that are neighbours; where that is not enough there are several commands in
 * one flight.
 */
#include "backend/imap/change.h"

int
imap_parts_fit(const struct imap_uids *u, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8UL << 20);
	size_t from = 0;

	for (int i = 0; i < IMAP_PARTS && from < u->n; i++)
		(void)imap_set_text(a, u->v, u->n, &from);
	if (from == u->n && u->n <= IMAP_CHANGED)
		return 0;
	return err_set(e, ERR_LIMIT,
	    "that is more messages than are changed at once");
}

static int
imap_parts_put(struct imap_session *s, struct imap_cmd *c,
    const struct imap_ask *ask, struct str set, struct err *e)
{
	if (imap_command_begin(s, c, ask->verb, e) < 0 ||
	    imap_command_say(s, c, set, e) < 0)
		return -1;
	if (ask->words != NULL &&
	    imap_command_say(s, c, str_of(ask->words), e) < 0)
		return -1;
	if (ask->flag.n > 0 && imap_command_say(s, c, ask->flag, e) < 0)
		return -1;
	if (ask->label.n > 0 && imap_command_put(s, c, ask->label, e) < 0)
		return -1;
	if (ask->folder.n > 0 && imap_command_name(s, c, ask->folder, e) < 0)
		return -1;
	if (ask->end != NULL && imap_command_say(s, c, str_of(ask->end), e) < 0)
		return -1;
	return imap_command_end(s, c, e);
}

int
imap_parts_send(struct imap_session *s, struct imap_parts *p,
    const struct imap_ask *ask, const struct imap_uids *u, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8UL << 20);
	size_t from = 0;

	p->n = 0;
	while (from < u->n) {
		struct str set = imap_set_text(a, u->v, u->n, &from);

		if (p->n == IMAP_PARTS)
			err_bug("imap: a set of too many parts");
		if (imap_parts_put(s, &p->cmd[p->n++], ask, set, e) < 0)
			return -1;
	}
	return 0;
}

int
imap_parts_wait(struct imap_session *s, struct imap_parts *p,
    const struct imap_cmd **bad, struct err *e)
{
	*bad = NULL;
	for (size_t i = 0; i < p->n; i++) {
		if (imap_command_wait(s, &p->cmd[i], e) < 0)
			return -1;
		if (*bad == NULL && p->cmd[i].status != IMAP_OK)
			*bad = &p->cmd[i];
	}
	return 0;
}

int
imap_parts_unknown(struct err *e, const char *say)
{
	struct err why = *e;

	*e = (struct err){ 0 };
	(void)err_set(e, ERR_UNKNOWN_OUTCOME, "%s", say);
	if (why.detail[0] != '\0')
		(void)err_because(e, "%s", why.detail);
	else if (why.kind != ERR_NONE)
		(void)err_because(e, "imap: %s", why.say);
	return why.scope == ERR_SCOPE_CONN ? err_conn(e) : -1;
}
