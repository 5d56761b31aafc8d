/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a message: the caller's, the signature, and what is below; and
 * its page. */
#include "gate/internal.h"
#include "gate/outbox_post.h"
#include "mime/html_copy.h"
#include "mime/quote.h"
#include "mime/signature.h"

bool
outbox_text_signs(const struct outbox *o)
{
	return o->src->acct.signature.n > 0;
}

struct str
outbox_text_signed(struct arena *a, struct str body, struct str signature,
    struct str below)
{
	if (below.n == 0)
		return signature_below(a, body, signature);
	return quote_above(a, signature_between(a, body, signature), below);
}

struct str
outbox_text(const struct outbox *o, const struct outgoing *m)
{
	return outbox_text_signed(o->arena, m->body,
	    m->exact ? S("") : o->src->acct.signature, m->below);
}

int
outbox_text_copy(struct arena *a, const struct store_account *acct,
    struct compose *c, struct err *e)
{
	if (!acct->html_copy || c->exact)
		return 0;
	c->html = html_copy(a, c->body, c->flowed);
	return c->html.p != NULL
	    ? 0
	    : err_set(e, ERR_LIMIT, "the message is too big");
}
