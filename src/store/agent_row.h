/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_AGENT_ROW_H
#define STORE_AGENT_ROW_H

/* What agent.c shares, within an open transaction. */
#include "store/agent.h"

/* ERR_USAGE: the subject is another agent's. */
int agent_row_check_subject(struct store *s, const struct store_agent *x,
    struct err *e);
/* Adds the users to those that it has. */
int agent_row_put_uids(struct store *s, const struct store_agent *x, int64_t id,
    struct err *e);

#endif
