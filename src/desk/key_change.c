/* SPDX-License-Identifier: Apache-2.0 */
/* The warnings after a change of keys. */
#include "desk/key_change.h"

#include "gate/operate.h"
#include "store/copy.h"
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

void
key_change_note_kept(struct call *c)
{
	struct strs kept;

	store_copy_before_kept(operate_store(c), c->arena, &kept);
	for (size_t i = 0; i < kept.n; i++)
		operate_note(c,
		    "emcli: note: %.*s, the copy of the database as it was "
		    "before a newer emcli or a restore changed it, still opens "
		    "with its old keys. If you need it no more, remove it",
		    STR_ARG(kept.v[i]));
}
