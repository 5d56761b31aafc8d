/* SPDX-License-Identifier: Apache-2.0 */
/* Frees a job, which is in its own arena. */
#include "door/mcp/stdio.h"

void
mcp_job_drop(struct mcp_job **job)
{
	struct arena *a;

	if (*job == NULL)
		return;
	json_parse_close(&(*job)->doc);
	a = (*job)->a;
	*job = NULL;
	arena_close(&a);
}
