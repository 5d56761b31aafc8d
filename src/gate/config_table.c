/* What can be set for the whole store.  The store keeps more, which is nobody's
 * to change. */
#include "base/limits.h"
#include "gate/config.h"
#include "store/model.h"

#define NUMBER(least, most, without)                                           \
	.type = SETTING_COUNT, .min = (least), .max = (most),                  \
	.assumed = (without)
#define WORDS(kind, words) .type = SETTING_##kind, .choices = (words)

const struct setting config_table[] = {
	{ "approval_hours",
	    NUMBER(1, LIMIT_APPROVAL_HOURS, LIMIT_APPROVAL_S / 3600),
	    .means = "hours for which what is held can be released" },
	{ "audit_retention_days", NUMBER(0, 36500, 90),
	    .means = "days a row of the audit log is kept; 0 keeps all" },
	{ "audit_syslog", WORDS(CHOICE, "on|off"),
	    .means = "copy each row of the audit log to syslog when it is "
		     "done" },
	{ STORE_MODEL_DEFAULT, WORDS(MODEL, "MODEL|none"),
	    .means = "the model that ask asks when it is told none" },
	{ "list_limit_default", NUMBER(1, LIMIT_PAGE, LIMIT_PAGE_DEFAULT),
	    .means = "messages that list and search give when --limit is not "
		     "said" },
	{ "mcp_approve", WORDS(CHOICE, "client|operator"),
	    .means = "who lets go of what is held: the operator alone, or the "
		     "users of MCP clients, too" },
	{ "mcp_max_body", NUMBER(200, LIMIT_WINDOW, LIMIT_WINDOW_DEFAULT),
	    .means = "bytes of text that get gives at once over MCP when "
		     "max_body is not said" },
	{ "skill_idle_seconds", NUMBER(1, 86400, LIMIT_LEASE_IDLE_S),
	    .means = "seconds a loaded skill may lie unused" },
	{ "skill_lease_seconds", NUMBER(1, 86400, LIMIT_LEASE_S),
	    .means = "seconds after which a loaded skill has to be loaded "
		     "again" },
	{ "skill_uses", NUMBER(0, 1000000, 0),
	    .means = "calls a loaded skill is good for; 0 for any number" },
	{ "skills", WORDS(CHOICE, "grant|always"),
	    .means = "whether mail operations are always there, or need "
		     "load-skill" },
	{ "skills_dir", WORDS(SKILLS, "FOLDER|none"),
	    .means = "skills of your own, beside ours; looked at when it is "
		     "set" },
	{ "timeout_seconds", NUMBER(1, 3600, LIMIT_TIMEOUT_MS / 1000),
	    .means = "seconds an operation may take" },
	{ "transcript_dir", WORDS(TRANSCRIPTS, "FOLDER|none"),
	    .means = "where ask keeps the conversations that are to be kept" },
	{ 0 },
};
