/* SPDX-License-Identifier: Apache-2.0 */
/* Which claims are valid, whatever the root contains. */
#include "backend/agentbox/internal.h"

int
agentbox_register_check_refuse(struct err *e, enum err_kind kind,
    const char *reason, const char *say)
{
	(void)err_set(e, kind, "%s", say);
	e->reason = reason;
	return -1;
}

static bool
register_is_text(struct str s)
{
	if (s.n > LIMIT_AGENTBOX_TEXT)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f)
			return false;
	return s.n == 0 || str_trim(s).n == s.n;
}

static bool
register_within(struct str x, struct str y)
{
	return str_starts(x, y) && (x.n == y.n || x.p[y.n] == '/');
}

/* An absolute path in its only normal form. */
static bool
register_is_path(struct str s)
{
	return s.n > 1 && s.n < PATH_MAX && s.p[0] == '/' &&
	    s.p[s.n - 1] != '/' && str_find(s, S("//")) < 0 &&
	    str_find(s, S("/./")) < 0 && str_find(s, S("/../")) < 0 &&
	    !str_ends(s, S("/.")) && !str_ends(s, S("/..")) &&
	    !str_has_char(s, '\0');
}

int
agentbox_register_check(const struct agentbox_root *r,
    const struct agentbox_claim *c, struct err *e)
{
	bool is_operator = str_eq(c->address, S(AGENTBOX_OPERATOR));

	if (!agentbox_name_address(c->address))
		return agentbox_register_check_refuse(e, ERR_USAGE, "address",
		    "the address is not one an agent's mailbox can have");
	if (c->owner.n == 0 || !register_is_text(c->owner) ||
	    !register_is_text(c->display_name) ||
	    !register_is_text(c->manifest_hint) || !register_is_text(c->role))
		return agentbox_register_check_refuse(e, ERR_USAGE, "principal",
		    "the principal and what describes it must be plain text");
	if (str_ends(c->address, S("@houmao.localhost")) &&
	    str_starts(c->address, S("HOUMAO-")) &&
	    (!is_operator || !str_eq(c->owner, S(AGENTBOX_OPERATOR_PRINCIPAL))))
		return agentbox_register_check_refuse(e, ERR_POLICY, "reserved",
		    "the address is reserved");
	if (c->private_dir.n == 0)
		return 0;
	if (!register_is_path(c->private_dir) ||
	    register_within(c->private_dir, r->path) ||
	    register_within(r->path, c->private_dir))
		return agentbox_register_check_refuse(e, ERR_USAGE,
		    "private_dir",
		    "the private folder must be an absolute path outside the "
		    "mailbox root");
	return 0;
}
