/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replies, and their words.  A reply has at most LIMIT_SMTP_REPLY_LINES lines
 * and only the first kilobyte of its text is kept, so a server cannot make us
 * use memory.
 */
#include "backend/smtp/internal.h"
#include "base/said.h"

/* Shows nothing of the line: it may be our own AUTH, echoed. */
static int
no_reply(struct err *e, const char *why)
{
	(void)err_set(e, ERR_NETWORK, "the server's answer is not SMTP");
	(void)err_because(e, "smtp: %s", why);
	return err_conn(e);
}

/* "250-text", "250 text" or "250"; *last says which. */
static bool
smtp_reply_parse(struct str line, int *code, bool *last, struct str *text)
{
	if (line.n < 3 || line.p[0] < '2' || line.p[0] > '5')
		return false;
	for (size_t i = 1; i < 3; i++)
		if (line.p[i] < '0' || line.p[i] > '9')
			return false;
	if (line.n > 3 && line.p[3] != ' ' && line.p[3] != '-')
		return false;
	*code = (line.p[0] - '0') * 100 + (line.p[1] - '0') * 10 +
	    (line.p[2] - '0');
	*last = line.n == 3 || line.p[3] == ' ';
	*text = str_from(line, 4);
	return true;
}

static void
smtp_reply_keep(struct smtp_reply *r, struct str text)
{
	size_t room = sizeof(r->text) - r->n;

	if (r->n > 0 && room > 0) {
		r->text[r->n++] = ' ';
		room--;
	}
	if (text.n > room)
		text.n = room;
	if (text.n > 0)
		memcpy(r->text + r->n, text.p, text.n);
	r->n += text.n;
}

int
smtp_reply_read(struct wire *w, struct smtp_reply *out,
    void (*line)(struct str text, void *ctx), void *ctx, struct err *e)
{
	struct str raw, text;
	bool last;
	int code;

	out->code = 0;
	out->n = 0;
	for (int i = 0; i < LIMIT_SMTP_REPLY_LINES; i++) {
		/* An agent cannot do anything about a line that is too long. */
		if (wire_line(w, LIMIT_SMTP_LINE, &raw, e) < 0)
			return e->kind == ERR_LIMIT
			    ? no_reply(e, "a line without end")
			    : -1;
		if (!smtp_reply_parse(raw, &code, &last, &text))
			return no_reply(e, "a line without a code");
		wire_trace_read(w, str_first(raw, 4), text, out->hide);
		/* RFC 5321 section 4.2.1: every line has the same code. */
		if (i > 0 && code != out->code)
			return no_reply(e, "lines with different codes");
		out->code = code;
		smtp_reply_keep(out, text);
		if (line != NULL)
			line(text, ctx);
		if (last)
			return 0;
	}
	return no_reply(e, "lines without end");
}

struct str
smtp_reply_words(struct arena *a, const struct smtp_reply *r)
{
	return said_text(a, (struct str){ r->text, r->n }, SMTP_WORDS);
}

int
smtp_reply_because(struct err *e, const struct smtp_reply *r)
{
	char words[SMTP_WORDS + 1];

	said_clean(words, sizeof(words), (struct str){ r->text, r->n });
	return err_because(e, "smtp: %d %s", r->code, words);
}
