/* SPDX-License-Identifier: Apache-2.0 */
/* By which a message is found again. */
#include "gate/journal.h"

void
journal_message_digest(const struct mail *mail,
    unsigned char out[STORE_JOURNAL_DIGEST])
{
	const struct mime_envelope *v = &mail->env;

	store_journal_digest(v->message_id, v->from_sole,
	    v->has_date ? v->date_s : 0, v->subject, out);
}
