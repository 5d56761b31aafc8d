/* SPDX-License-Identifier: Apache-2.0 */
/* Every question of the guided first run. */
#include "desk/flow.h"

#include "gate/rules.h"
#include "gate/setting.h"
#include "source/provider.h"

enum {
	NAME_MAX_BYTES = 64
};

/* -- when ------------------------------------------------------------------ */

static bool
has_accounts(const struct flow *f)
{
	return f->there && f->accounts > 0;
}

static bool
lacks_keys(const struct flow *f)
{
	return !f->has_admin || !f->has_agent;
}

static bool
made_keys(const struct flow *f)
{
	return f->admin != NULL || f->agent != NULL;
}

static bool
flow_step_always(const struct flow *f)
{
	(void)f;
	return true;
}

static bool
flow_step_by_imap(const struct flow *f)
{
	return flow_remote(f);
}

static bool
flow_step_adds(const struct flow *f)
{
	return !f->edit;
}

static bool
flow_step_edits(const struct flow *f)
{
	return f->edit;
}

static bool
flow_step_by_folder(const struct flow *f)
{
	struct str backend = flow_get(f, FLOW_BACKEND);

	return str_eq(backend, S("maildir")) || str_eq(backend, S("mbox")) ||
	    str_eq(backend, S("agentbox"));
}

static bool
flow_step_by_service(const struct flow *f)
{
	return !flow_remote(f) && !flow_step_by_folder(f);
}

/* A folder may be beside a server that sends: who edits is asked. */
static bool
flow_step_signs_in(const struct flow *f)
{
	return f->edit || !flow_step_by_folder(f);
}

/* What was said of sending holds for an account that only reads, too: it may
 * be let send later. */
static bool
flow_step_sends(const struct flow *f)
{
	static const enum flow_key said[] = { FLOW_WHITELIST_OUT,
		FLOW_ALLOW_OUT, FLOW_SMTP_HOST, FLOW_SMTP_PORT,
		FLOW_SMTP_SECURITY };

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		if (f->set[said[i]])
			return true;
	return f->edit || str_eq(flow_get(f, FLOW_MODE), S("RW"));
}

/* Whom to believe: where it was looked for, and matters or is known. */
static bool
flow_step_believes(const struct flow *f)
{
	if (f->edit || f->set[FLOW_AUTHSERV_ID] || f->set[FLOW_WHITELIST_AUTH])
		return true;
	return f->looked &&
	    (f->hint[FLOW_WHITELIST_AUTH].n > 0 ||
		str_eq(flow_get(f, FLOW_WHITELIST_IN), S("on")));
}

static bool
lists_out(const struct flow *f)
{
	return flow_step_adds(f) && flow_step_sends(f);
}

static bool
flow_step_submits(const struct flow *f)
{
	return flow_step_sends(f) && flow_step_signs_in(f);
}

static bool
by_password(const struct flow *f)
{
	return f->edit || (!flow_step_by_folder(f) && !flow_consents(f));
}

/* Without a person there is nobody to consent either. */
static bool
by_consent(const struct flow *f)
{
	return f->person && flow_consents(f);
}

/* Does the server not tell who gives its tokens, or somebody say otherwise? */
static bool
flow_step_by_stranger(const struct flow *f)
{
	struct str host = flow_get(f, FLOW_IMAP_HOST);

	if (f->given[FLOW_ISSUER] || f->given[FLOW_SCOPE])
		return by_consent(f);
	for (const struct provider *p = provider_table; p->name != NULL; p++)
		if (p->consent != NULL && p->imap_host != NULL &&
		    str_eq_case(host, str_of(p->imap_host)))
			return false;
	return by_consent(f);
}

/* -- what is assumed ------------------------------------------------------- */

static struct str
flow_step_domain(const struct flow *f)
{
	struct str from = flow_get(f, FLOW_FROM), local, rest;

	return str_cut(from, '@', &local, &rest) ? rest : S("");
}

/* "me@mail.example.org" -> "mail". */
static struct str
flow_step_first_label(const struct flow *f, enum flow_key k)
{
	struct str label, rest;

	(void)k;
	(void)str_cut(flow_step_domain(f), '.', &label, &rest);
	if (label.n > NAME_MAX_BYTES)
		label.n = NAME_MAX_BYTES;
	for (size_t i = 0; i < label.n; i++)
		if (!isalnum((unsigned char)label.p[i]) &&
		    (i == 0 || label.p[i] != '-'))
			return S("mail");
	return label.n > 0 ? label : S("mail");
}

static struct str
flow_step_address(const struct flow *f, enum flow_key k)
{
	(void)k;
	return f->edit ? S("") : flow_get(f, FLOW_FROM);
}

static struct str
flow_step_security(const struct flow *f, enum flow_key k)
{
	struct str kind = flow_port_kind(f, (enum flow_key)(k - 1));

	return kind.n > 0 ? kind : S("tls");
}

/* RFC 8314 section 3.2 and 3.3, RFC 9051 section 2.1, RFC 6409. */
static struct str
flow_step_port(const struct flow *f, enum flow_key k)
{
	bool tls = str_eq(flow_get(f, (enum flow_key)(k + 1)), S("tls"));

	if (k == FLOW_IMAP_PORT)
		return tls ? S("993") : S("143");
	return tls ? S("465") : S("587");
}

/* -- what is right --------------------------------------------------------- */

static int
check_address(const struct flow *f, struct str v, struct err *e)
{
	struct str unused;

	return rules_address(f->a, v, &unused, e);
}

static int
check_name(const struct flow *f, struct str v, struct err *e)
{
	(void)f;
	return setting_check_name(v, e);
}

static int
check_host(const struct flow *f, struct str v, struct err *e)
{
	(void)f;
	return setting_check_host(v, S("that"), e);
}

static int
flow_step_check_port(const struct flow *f, struct str v, struct err *e)
{
	uint32_t port;

	(void)f;
	if (!str_to_u32(v, 65535, &port) || port == 0)
		return err_set(e, ERR_USAGE,
		    "a port is a number from 1 to 65535");
	return 0;
}

static int
flow_step_check_count(const struct flow *f, struct str v, struct err *e)
{
	uint32_t n;

	(void)f;
	if (!str_to_u32(v, UINT32_MAX, &n))
		return err_set(e, ERR_USAGE,
		    "that is a number, 0 for no limit");
	return 0;
}

static int
flow_step_check_entries(const struct flow *f, struct str v, struct err *e)
{
	struct flow one = { .a = f->a, .step = f->step };
	struct strs list;

	one.value[FLOW_ALLOW_IN] = v;
	one.set[FLOW_ALLOW_IN] = true;
	list = flow_list(&one, FLOW_ALLOW_IN);
	for (size_t i = 0; i < list.n; i++) {
		struct str unused;

		if (rules_entry(f->a, list.v[i], &unused, e) < 0)
			return -1;
	}
	return 0;
}

#define CHECK(t)                                                               \
	(t) == SETTING_ADDRESS    ? check_address                              \
	    : (t) == SETTING_HOST ? check_host                                 \
	    : (t) == SETTING_PORT ? flow_step_check_port                       \
	    : (t) == SETTING_COUNT || (t) == SETTING_MINUTES                   \
	    ? flow_step_check_count                                            \
	    : NULL
#define ASSUMED(t)                                                             \
	(t) == SETTING_PORT           ? flow_step_port                         \
	    : (t) == SETTING_SECURITY ? flow_step_security                     \
	    : (t) == SETTING_LOGIN    ? flow_step_address                      \
				      : NULL
#define KIND(t)                                                                \
	(t) == SETTING_BACKEND || ((t) >= SETTING_WORD && (t) <= SETTING_FLAG) \
	    ? FLOW_CHOICE                                                      \
	    : FLOW_TEXT
#define WORD(t, given)                                                         \
	(t) == SETTING_MINUTES ? "0" : (t) == SETTING_SECURITY ? NULL : (given)
#define SETTING(id, name, type, words, given, means, ask, ...)                 \
	[FLOW_##id] = { .key = (name),                                         \
		.kind = KIND(SETTING_##type),                                  \
		.choices = (words),                                            \
		.check = CHECK(SETTING_##type),                                \
		.def = ASSUMED(SETTING_##type),                                \
		.word = WORD(SETTING_##type, given),                           \
		ask },
#define ASK(at, nth, when, must, name, say)                                    \
	.page = FLOW_PAGE_##at, .place = (nth), .asked = flow_step_##when,     \
	.need = FLOW_##must, .title = (name), .help = (say)

const struct flow_step flow_step[FLOW_STEPS] = {
#include "store/account_setting_list.h"
	[FLOW_AGAIN] = { "again", FLOW_PAGE_BEGIN, 10, FLOW_YES_NO, FLOW_MUST,
	    "Add another account", "No: nothing is changed.",
	    .choices = "yes|no", .asked = has_accounts, .word = "yes" },
	[FLOW_MAKE_KEYS] = { "make_keys", FLOW_PAGE_BEGIN, 20, FLOW_YES_NO,
	    FLOW_MUST, "Make the keys now",
	    "No: stop here; set EMCLI_ADMIN_KEY and EMCLI_KEY yourself "
	    "(emcli key generate).",
	    .choices = "yes|no", .asked = lacks_keys, .word = "yes" },
	[FLOW_KEPT] = { "kept", FLOW_PAGE_SHOW, 10, FLOW_YES_NO, FLOW_MUST,
	    "They are put away", "They are not shown again.",
	    .choices = "yes|no", .asked = made_keys, .word = "yes" },
	[FLOW_ACCOUNT] = { "account", FLOW_PAGE_WHO, 30, FLOW_TEXT, FLOW_MUST,
	    "Account name", "What agents call it: letters, digits, . _ -",
	    .def = flow_step_first_label, .check = check_name },
	[FLOW_ALLOW_IN] = { "allow_in", FLOW_PAGE_POLICY, 20, FLOW_LIST,
	    FLOW_MAY, "Listed senders", "boss@example.org @team.example.org",
	    .asked = flow_step_adds, .check = flow_step_check_entries },
	[FLOW_ALLOW_OUT] = { "allow_out", FLOW_PAGE_POLICY, 40, FLOW_LIST,
	    FLOW_MAY, "Listed recipients", "boss@example.org @team.example.org",
	    .asked = lists_out, .check = flow_step_check_entries },
	[FLOW_PASSWORD] = { "password", FLOW_PAGE_LOGIN, 20, FLOW_PASSWORD_KIND,
	    FLOW_MUST_FIRST, "Password",
	    "It is not shown, and sealed in the database.",
	    .asked = by_password },
	[FLOW_ISSUER] = { "issuer", FLOW_PAGE_LOGIN, 30, FLOW_TEXT, FLOW_MUST,
	    "Token issuer",
	    "https address of who gives the tokens (OpenID Connect Discovery).",
	    .asked = flow_step_by_stranger },
	[FLOW_SCOPE] = { "oauth_scope", FLOW_PAGE_LOGIN, 40, FLOW_TEXT,
	    FLOW_MUST, "Token scope", "What the issuer calls access to mail.",
	    .asked = flow_step_by_stranger },
	[FLOW_CLIENT_ID] = { "client_id", FLOW_PAGE_LOGIN, 50, FLOW_TEXT,
	    FLOW_MUST, "Client id",
	    "Of the desktop application you registered with the provider; see "
	    "emcli(1).",
	    .asked = by_consent },
	[FLOW_CLIENT_SECRET] = { "client_secret", FLOW_PAGE_LOGIN, 60,
	    FLOW_PASSWORD_KIND, FLOW_MAY, "Client secret",
	    "Its secret, when it has one; sealed in the database.",
	    .asked = by_consent },
	[FLOW_AFTER] = { "after", FLOW_PAGE_FAILED, 10, FLOW_CHOICE, FLOW_MUST,
	    "Now",
	    "mend: change the settings.  again: try again.  keep: go on with "
	    "them as they are.",
	    .choices = "mend|again|keep", .word = "mend" },
	[FLOW_WRITE] = { "write", FLOW_PAGE_CONFIRM, 10, FLOW_YES_NO, FLOW_MUST,
	    "Write it down", "Until now nothing has been written.",
	    .choices = "yes|no", .word = "yes" },
};
