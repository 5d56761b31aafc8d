/* SPDX-License-Identifier: Apache-2.0 */
/* The warning after a change of keys. */
#include "desk/key_change.h"

#include "gate/operate.h"
#include "store/key.h"

void
key_change_note_log(struct call *c)
{
	if (!store_key_scrub(operate_store(c)))
		operate_note(c,
		    "emcli: note: another process is using the database; "
		    "what the old key opened stays in its log until that "
		    "process ends");
}
