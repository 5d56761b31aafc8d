/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/internal.h"
#include "gate/seen.h"

struct store_folder
seen_key(const struct mailbox *m, struct str folder, uint32_t uidvalidity)
{
	return (struct store_folder){
		.account = m->src->acct.id,
		.principal = m->gate->principal,
		.folder = folder,
		.uidvalidity = uidvalidity,
	};
}
