/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of a policy document. */
#include "desk/policy.h"

/* A default model exists, and an agent's accounts do, before they are named. */
const struct policy_section policy_sections[] = {
	{ "models", policy_models_put, policy_models_take },
	{ "config", policy_config_put, policy_config_take },
	{ "accounts", policy_accounts_put, policy_accounts_take },
	{ "sources", policy_sources_put, policy_sources_take },
	{ "issuer", policy_issuer_put, policy_issuer_take },
	{ "agents", policy_agents_put, policy_agents_take },
	{ "canaries", policy_canaries_put, policy_canaries_take },
	{ 0 },
};
