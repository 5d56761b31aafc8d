/* Does a message answer a question?  Of a list there is nothing to ask: every
 * message of the archive is of one. */
#include "backend/internal.h"
#include "backend/ponymail/internal.h"

bool
ponymail_match(struct arena *a, struct str raw, const struct query *q)
{
	struct mime_header h;

	mime_header_parse(a, raw, &h);
	if (!backend_match_date(&h, q) || !backend_match_fields(a, &h, q))
		return false;
	return backend_match_head(a, &h, q->text) ||
	    backend_match_body(a, raw, q->text);
}
