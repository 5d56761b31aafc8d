/* SPDX-License-Identifier: Apache-2.0 */
/* One line and its reply, in step. */
#include "backend/smtp/internal.h"

int
smtp_ask_odd(struct smtp *s, struct err *e)
{
	(void)err_set(e, ERR_NETWORK,
	    s->reply.code == 421 ? "the mail server is closing down"
				 : "the mail server answered out of order");
	(void)smtp_reply_because(e, &s->reply);
	return err_conn(e);
}

int
smtp_ask_in_step(struct smtp *s, struct err *e)
{
	if (!wire_pending(s->w))
		return 0;
	/* Or it is the end of the connection, which this reports. */
	if (smtp_reply_read(s->w, &s->reply, NULL, NULL, e) < 0)
		return -1;
	return smtp_ask_odd(s, e);
}

int
smtp_ask(struct smtp *s, struct str line, struct err *e)
{
	if (smtp_ask_in_step(s, e) < 0 || wire_say(s->w, line, e) < 0 ||
	    wire_say(s->w, S("\r\n"), e) < 0)
		return -1;
	return smtp_reply_read(s->w, &s->reply, NULL, NULL, e);
}
