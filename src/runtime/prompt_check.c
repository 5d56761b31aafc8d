/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/prompt_check.h"

#include <fcntl.h>
#include <unistd.h>

#include "backend/agentbox/register.h"
#include "base/clock.h"
#include "base/limits.h"

static int
prompt_check_refuse(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "the session's mailbox %s", what);
	e->reason = "not_actionable";
	return -1;
}

int
prompt_check_credential(int folder, const struct binding *b, struct arena *a,
    struct err *e)
{
	return faccessat(folder,
		   str_fmt(a, "mailbox-secrets/%.*s.json",
		       STR_ARG(b->credential_ref))
		       .p,
		   R_OK, 0) == 0
	    ? 0
	    : prompt_check_refuse(e,
		  "has no credential here: resume the session");
}

int
prompt_check_mailbox(const struct prompt_ask *q, struct arena *a, struct err *e)
{
	static const char *const files[] = { "protocol-version.txt",
		"index.sqlite", "rules/README.md",
		"rules/protocols/filesystem-mailbox-v1.md" };
	const struct binding *b = &q->of->mailbox;

	if (b->transport == TRANSPORT_NONE)
		return prompt_check_refuse(e, "does not exist");
	if (b->transport == TRANSPORT_STALWART)
		return prompt_check_credential(q->folder, b, a, e);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (access(str_fmt(a, "%.*s/%s", STR_ARG(b->filesystem_root),
			       files[i])
			       .p,
			R_OK) < 0)
			return prompt_check_refuse(e,
			    "has a root that is not whole: see emcli mailbox "
			    "status");
	return 0;
}

bool
prompt_check_skills(const struct manifest *m, const char *below,
    struct arena *a)
{
	static const char *const names[] = { "houmao-agent-email-comms",
		"houmao-process-emails-via-gateway" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (access(str_fmt(a, "%.*s/%s/%s/SKILL.md", STR_ARG(m->home),
			       below, names[i])
			       .p,
			R_OK) < 0)
			return false;
	return true;
}

/* -- who they are ---------------------------------------------------------- */

static void
prompt_check_put_one(struct json *j, const char *key, struct str principal,
    struct str address)
{
	json_open_object(j, key);
	json_put_str(j, "principal_id", principal);
	json_put_str(j, "address", address);
	json_close_object(j);
}

static int
prompt_check_put_list(struct agentbox_root *r, const struct json_value *list,
    const char *key, struct arena *a, struct json *out, struct err *e)
{
	struct agentbox_reg reg;
	struct str address;
	int found;

	json_open_array(out, key);
	for (size_t i = 0; i < json_parse_count(list); i++) {
		if (!json_parse_str(json_parse_item(list, i), &address))
			continue;
		found = agentbox_register_find(r, address, a, &reg, e);
		if (found < 0)
			return -1;
		if (found == 0) {
			(void)err_set(e, ERR_REJECTED,
			    "a recipient is not registered in the mailbox "
			    "root: nothing was typed");
			e->reason = "unknown_recipient";
			return -1;
		}
		prompt_check_put_one(out, NULL, reg.owner, reg.address);
	}
	json_close_array(out);
	return 0;
}

int
prompt_check_people(const struct prompt_ask *q, struct arena *a,
    struct json **out, struct err *e)
{
	CLEANUP(agentbox_root_close) struct agentbox_root *r = NULL;
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct binding *b = &q->of->mailbox;
	const struct agentbox_use use = {
		.deadline_ms = clock_mono_ms() + LIMIT_SESSION_ROOT_MS,
	};
	struct json *j = json_new(a);

	*out = NULL;
	if (b->transport != TRANSPORT_FILESYSTEM ||
	    !str_eq(q->operation, S("send")))
		return 0;
	if (json_parse_open(q->args, LIMIT_MESSAGE, &d, e) < 0 ||
	    agentbox_root_open(str_c(a, b->filesystem_root), &use, &r, e) < 0)
		return -1;
	json_open_object(j, NULL);
	prompt_check_put_one(j, "resolved_sender", b->principal_id, b->address);
	if (prompt_check_put_list(r,
		json_parse_member(json_parse_root(d), "to"), "resolved_to", a,
		j, e) < 0 ||
	    prompt_check_put_list(r,
		json_parse_member(json_parse_root(d), "cc"), "resolved_cc", a,
		j, e) < 0)
		return -1;
	json_close_object(j);
	*out = j;
	return 0;
}
