/* The text of a message: the caller's, the signature, and what is below. */
#include "gate/internal.h"
#include "gate/outbox.h"
#include "mime/quote.h"
#include "mime/signature.h"

bool
outbox_text_signs(const struct outbox *o)
{
	return o->src->acct.signature.n > 0;
}

struct str
outbox_text(const struct outbox *o, const struct outgoing *m)
{
	struct str own = m->body;

	if (!m->exact)
		own = signature_below(o->arena, own, o->src->acct.signature);
	return m->below.n > 0 ? quote_above(o->arena, own, m->below) : own;
}
