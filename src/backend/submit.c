/* SPDX-License-Identifier: Apache-2.0 */
/* The last moment at which sending a message can be prevented. */
#include "backend/backend.h"

int
backend_submit_look(const struct submission *s, struct err *e)
{
	return s->look != NULL ? s->look(s->ctx, e) : 0;
}
