/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_HEALTH_REPORT_H
#define GATE_HEALTH_REPORT_H

/* doctor's report in preparation: each file adds its lines. */
#include "gate/internal.h"

/* health.c and health_self.c: doctor's report in preparation. */
struct health {
	struct call *call;
	struct health_line *v;
	size_t n;
};

void health_line_put(struct health *h, const struct health_line *line);
/* The keys: their source, and whether they fit. */
void health_self_keys(struct health *h);
/* Memory and files: what others can access. */
void health_self_memory(struct health *h);
void health_self_files(struct health *h);
/* health_role.c: as whom a store in a server is used. */
void health_role(struct health *h);
/* The files that an account names. */
void health_self_account(struct health *h, const struct store_account *acct);
/*
 * health_policy.c: settings that the operator may not intend; for the operator.
 */
void health_policy_account(struct health *h, const struct store_account *acct);
/* health_late.c: libraries, authorities, SQLite; for the operator. */
void health_late(struct health *h, const struct source_health *v, size_t n);
/* health_issuer.c: the identity provider; for the operator. */
void health_issuer(struct health *h);
/* health_signed.c: changes made without emcli; with the operator's key. */
void health_signed(struct health *h);
/* health_freeze.c: freezes. */
int health_freeze_all(struct health *h, struct err *e);
/* health_notice.c: the setting notify, and what came of it. */
void health_notice(struct health *h);
/* health_skill.c: the skills read from skills_dir, and those left out. */
void health_skill_dir(struct health *h);
/* health_token.c: how old an account's OAuth tokens are. */
void health_token_age(struct health *h, const struct store_account *acct);
/* health_sender.c: how listed senders are authenticated, if they must be. */
void health_sender_account(struct health *h, const struct store_account *acct);

#endif
