/* SPDX-License-Identifier: Apache-2.0 */
/* Puts a message into a folder, RFC 9051 section 6.3.12. */
#include "backend/imap/internal.h"
#include "base/limits.h"
#include "base/utf8.h"

static const char not_found[] = "no such folder or message";

/* Does the header contain raw UTF-8, RFC 6532? */
static bool
is_international(struct str message)
{
	ptrdiff_t end = str_find(message, S("\r\n\r\n"));

	return end > 0 && !utf8_ascii(str_first(message, (size_t)end));
}

static int
imap_append_refused(const struct imap_cmd *c, struct err *e)
{
	/* RFC 9051 section 7.1: the folder does not exist yet. */
	if (c->status == IMAP_NO &&
	    (strcmp(c->code, "TRYCREATE") == 0 ||
		strcmp(c->code, "NONEXISTENT") == 0))
		return err_set(e, ERR_NOT_FOUND, "%s", not_found);
	return imap_command_refused(c, ERR_LIMIT,
	    "the server did not take the message into the folder", e);
}

static int
imap_append_put_message(struct imap_session *s, struct imap_cmd *c,
    struct str message, struct err *e)
{
	/* RFC 6855 section 4: such a message is sent as UTF8 (~{n}). */
	bool wrapped =
	    (s->caps & IMAP_CAP_UTF8) != 0 && is_international(message);

	if (wrapped && imap_command_say(s, c, S(" UTF8 (~"), e) < 0)
		return -1;
	if (!wrapped && imap_command_say(s, c, S(" "), e) < 0)
		return -1;
	if (imap_command_string(s, c, message, e) < 0)
		return -1;
	return wrapped ? imap_command_say(s, c, S(")"), e) : 0;
}

int
imap_append_name(struct imap_session *s, struct str folder, struct str *out,
    struct err *e)
{
	if (folder.n > LIMIT_FOLDER_NAME || !utf8_valid(folder) ||
	    str_has_char(folder, '\0') || str_has_char(folder, '\r') ||
	    str_has_char(folder, '\n') || !imap_utf7_encode(s->a, folder, out))
		return err_set(e, ERR_NOT_FOUND, "%s", not_found);
	if (s->utf8)
		*out = folder;
	return 0;
}

int
imap_append(struct imap_session *s, struct str folder, struct str message,
    const char *flags, struct imap_appended *out, struct err *e)
{
	struct imap_cmd c;
	struct str name = { 0 };

	/*
	 * A NUL is only allowed in another kind of literal; the message must
	 * end with a line end.
	 */
	if (message.n > LIMIT_OUTGOING || str_has_char(message, '\0') ||
	    !str_has_char(message, '\n'))
		return err_set(e, ERR_USAGE, "that is not a message");
	/* Most servers announce their kinds of literals after the login. */
	if (imap_session_caps(s, e) < 0 ||
	    imap_append_name(s, folder, &name, e) < 0 ||
	    imap_command_begin(s, &c, "APPEND ", e) < 0 ||
	    imap_command_name(s, &c, name, e) < 0 ||
	    imap_command_say(s, &c, S(" "), e) < 0 ||
	    imap_command_say(s, &c, str_of(flags), e) < 0 ||
	    imap_append_put_message(s, &c, message, e) < 0 ||
	    imap_command_end(s, &c, e) < 0)
		return -1;
	if (imap_command_wait(s, &c, e) < 0) {
		if (out != NULL)
			out->unanswered = !c.done;
		return -1;
	}
	if (c.status != IMAP_OK)
		return imap_append_refused(&c, e);
	if (out != NULL)
		*out = c.appended;
	return 0;
}
