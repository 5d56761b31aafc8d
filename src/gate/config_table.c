/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The settings of the whole store.  The store contains more keys, which cannot
 * be set.
 */
#include "base/limits.h"
#include "gate/config.h"
#include "store/model.h"
#include "store/notice.h"

#define NUMBER(least, most, without)                                           \
	.type = SETTING_COUNT, .min = (least), .max = (most),                  \
	.assumed = (without)
#define WORDS(kind, words) .type = SETTING_##kind, .choices = (words)

const struct setting config_table[] = {
	{ "approval_hours",
	    NUMBER(1, LIMIT_APPROVAL_HOURS, LIMIT_APPROVAL_S / 3600),
	    .means = "hours during which a held message can be released" },
	{ "audit_retention_days", NUMBER(0, 36500, 90),
	    .means = "days a row of the audit log is kept; 0 keeps all" },
	{ "audit_syslog", WORDS(CHOICE, "on|off"),
	    .means = "copy each finished row of the audit log to syslog" },
	{ STORE_MODEL_DEFAULT, WORDS(MODEL, "MODEL|none"),
	    .means = "the model that ask uses by default" },
	{ "list_limit_default", NUMBER(1, LIMIT_PAGE, LIMIT_PAGE_DEFAULT),
	    .means = "messages that list and search return without --limit" },
	{ "mcp_approve", WORDS(CHOICE, "client|operator"),
	    .means =
		"who can release held messages: only the operator, or also "
		"the users of MCP clients" },
	{ "mcp_max_body", NUMBER(200, LIMIT_WINDOW, LIMIT_WINDOW_DEFAULT),
	    .means = "bytes of text that get returns at once over MCP without "
		     "max_body" },
	{ STORE_NOTICE_WAY, WORDS(NOTIFY, "COMMAND|" STORE_NOTICE_OFF),
	    .means = "the program, or mailto: and an address, that tells you "
		     "when something waits" },
	{ "skill_idle_seconds", NUMBER(1, 86400, LIMIT_LEASE_IDLE_S),
	    .means = "seconds after which an unused skill is unloaded" },
	{ "skill_lease_seconds", NUMBER(1, 86400, LIMIT_LEASE_S),
	    .means = "seconds after which a loaded skill has to be loaded "
		     "again" },
	{ "skill_uses", NUMBER(0, 1000000, 0),
	    .means = "calls that a loaded skill allows; 0: no limit" },
	{ "skills", WORDS(CHOICE, "grant|always"),
	    .means = "whether mail operations are always available, or need "
		     "load-skill" },
	{ "skills_dir", WORDS(SKILLS, "FOLDER|none"),
	    .means = "folder of your own skills, besides emcli's; checked when "
		     "it is set" },
	{ "timeout_seconds", NUMBER(1, 3600, LIMIT_TIMEOUT_MS / 1000),
	    .means = "seconds an operation may take" },
	{ "transcript_dir", WORDS(TRANSCRIPTS, "FOLDER|none"),
	    .means = "folder for the conversations of ask --transcript" },
	{ 0 },
};
