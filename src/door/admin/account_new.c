/* What follows from the settings of a new account, and what is said of it. */
#include "door/admin/account.h"
#include "gate/rules.h"

/* Does somebody log in?  To a folder nobody does, and an archive's cookie is
 * whoever's it is. */
static bool
account_new_has_login(const struct store_account *v)
{
	static const struct str in[] = { SI("imap"), SI("jmap"), SI("gmail") };

	for (size_t i = 0; i < sizeof(in) / sizeof(in[0]); i++)
		if (str_eq(v->backend, in[i]))
			return true;
	return false;
}

void
account_new_derive(struct arena *a, struct store_account *v)
{
	struct err none = { 0 };

	/* The login is an address more often than not. */
	if (v->from_addr.n == 0 && v->username.n > 0)
		(void)rules_address(a, v->username, &v->from_addr, &none);
	else if (v->username.n == 0 && account_new_has_login(v))
		v->username = v->from_addr;
}

static void
account_new_note_in(struct buf *b, const struct store_account *v,
    size_t entries)
{
	if (v->in_on && entries == 0)
		buf_fmt(b,
		    "note: agents see no mail until emcli whitelist in add "
		    "--account %.*s\n",
		    STR_ARG(v->name));
	else if (!v->in_on && entries > 0)
		buf_fmt(b,
		    "note: whitelist in is off: agents see mail from anybody, "
		    "listed or not, until emcli whitelist in on --account "
		    "%.*s\n",
		    STR_ARG(v->name));
	else if (!v->in_on)
		buf_text(b,
		    "note: whitelist in is off: agents see mail from "
		    "anybody\n");
}

/* What a list is worth is what its From lines are worth. */
static void
account_new_note_from_line(struct buf *b, const struct store_account *v)
{
	if (v->in_on && !v->in_dmarc)
		buf_fmt(b,
		    "note: listed senders are believed by the From line alone, "
		    "which anybody can write: emcli account edit %.*s looks "
		    "whether more can be asked\n",
		    STR_ARG(v->name));
}

void
account_new_note_out(struct buf *b, const struct store_account *v,
    size_t entries)
{
	if (v->imap_host.n > 0 && v->smtp_host.n == 0)
		buf_text(b, "note: no --smtp-host: it cannot send\n");
	else if (!v->out_on)
		buf_text(b,
		    "note: whitelist out is off: agents may write to "
		    "anybody\n");
	else if (entries == 0)
		buf_fmt(b,
		    "note: agents may write to nobody until emcli whitelist "
		    "out add --account %.*s\n",
		    STR_ARG(v->name));
}

void
account_new_notes(struct buf *b, const struct store_account *v, size_t in,
    size_t out)
{
	account_new_note_in(b, v, in);
	account_new_note_from_line(b, v);
	if (v->mode == MODE_RW)
		account_new_note_out(b, v, out);
}
