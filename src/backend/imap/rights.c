/* SPDX-License-Identifier: Apache-2.0 */
/* What an account may do in a folder: MYRIGHTS, RFC 4314 section 3.8. */
#include "backend/imap/internal.h"
#include "backend/imap/token.h"

/*
 * "e"; an older server has only "d" for all that removes (RFC 2086), which a
 * newer one tells beside "e", "t" or "x" (RFC 4314 section 2.1.1).
 */
static bool
imap_rights_expunge(struct str may)
{
	return str_has_char(may, 'e') ||
	    (str_has_char(may, 'd') && !str_has_char(may, 't') &&
		!str_has_char(may, 'x'));
}

/* "* MYRIGHTS Drafts lrswi" */
int
imap_rights_take(struct imap_session *s, const struct imap_resp *r, void *ctx,
    struct err *e)
{
	struct imap_rights *x = ctx;
	const struct imap_node *n, *may;

	if (!str_eq_case(r->name, S("MYRIGHTS")))
		return 0;
	if (imap_token_parse(s->reader.scratch, r, &n, e) < 0)
		return -1;
	may = imap_token_at(n, 1);
	if (!imap_token_has_text(n) || !imap_token_has_text(may))
		return imap_read_nonsense(e, "MYRIGHTS");
	if (!str_eq(n->text, x->name))
		return 0;
	/* If it is sent twice, both must allow it. */
	x->insert = (!x->told || x->insert) && str_has_char(may->text, 'i');
	x->expunge = (!x->told || x->expunge) && imap_rights_expunge(may->text);
	x->told = true;
	return 0;
}

int
imap_rights_send(struct imap_session *s, const struct imap_rights *x,
    struct imap_cmd *c, struct err *e)
{
	if (imap_command_begin(s, c, "MYRIGHTS ", e) < 0 ||
	    imap_command_name(s, c, x->name, e) < 0)
		return -1;
	return imap_command_end(s, c, e);
}
