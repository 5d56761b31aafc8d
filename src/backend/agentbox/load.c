/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one message from disk, and checks whether we delivered it. */
#include "backend/agentbox/db.h"
#include "backend/agentbox/deliver.h"
#include "backend/agentbox/internal.h"
#include "backend/agentbox/register.h"

/* Does the file say that it is from the operator? */
static bool
load_is_operators(const struct agentbox_party *from)
{
	return str_eq_case(from->address, S(AGENTBOX_OPERATOR)) ||
	    str_eq_case(from->principal, S(AGENTBOX_OPERATOR_PRINCIPAL));
}

/*
 * How the signed text for a delivered file begins.  It says for whom it is
 * signed, so that whoever has the key can refuse to sign for the operator, or
 * for another agent, what an agent's process asks for.
 */
static struct str
load_whose(struct arena *a, const struct agentbox_party *from)
{
	if (load_is_operators(from))
		return S("emcli agentbox 3 operator\n");
	return str_fmt(a, "emcli agentbox 3 agent\n%.*s\n",
	    STR_ARG(str_lower(a, from->address)));
}

bool
agentbox_load_is_of(struct arena *a, struct str bytes, struct str address)
{
	const struct agentbox_party from = { .address = address };

	return str_starts(bytes, load_whose(a, &from));
}

/* What earlier versions signed, for any agent or for whomever; now none is. */
static struct str
load_whose_earlier(const struct agentbox_party *from, bool first)
{
	if (first)
		return S("emcli agentbox 1\n");
	return load_is_operators(from) ? S("emcli agentbox 2 operator\n")
				       : S("emcli agentbox 2 agent\n");
}

static struct str
load_text(struct arena *a, struct str whose, struct str id, struct str digest)
{
	return str_fmt(a, "%.*s%.*s\n%.*s\n", STR_ARG(whose), STR_ARG(id),
	    STR_ARG(digest));
}

int
agentbox_load_mac(const struct agentbox_root *r,
    const struct agentbox_party *from, struct str id, struct str digest,
    unsigned char out[32], struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);

	return r->use.mac(r->use.mac_ctx,
	    load_text(a, load_whose(a, from), id, digest), out, e);
}

/* Compares all bytes, in constant time. */
static bool
load_is_equal(struct str x, const unsigned char y[32])
{
	unsigned char diff = 0;

	if (x.n != 32)
		return false;
	for (size_t i = 0; i < 32; i++)
		diff |= (unsigned char)x.p[i] ^ y[i];
	return diff == 0;
}

/* Is it the MAC of the text?  1, 0, -1. */
static int
load_fits(const struct agentbox_root *r, struct str text, struct str mac,
    struct err *e)
{
	unsigned char want[32];

	if (mac.n != sizeof(want))
		return 0;
	if (r->use.fits != NULL)
		return r->use.fits(r->use.mac_ctx, text,
		    (const unsigned char *)mac.p, e);
	if (r->use.mac(r->use.mac_ctx, text, want, e) < 0)
		return -1;
	return load_is_equal(mac, want);
}

static int
load_auth(struct agentbox_root *r, struct str id, struct arena *a,
    struct agentbox_loaded *out, struct err *e)
{
	const struct agentbox_party *from = &out->message.from;
	const struct str whose[] = { load_whose(a, from),
		load_whose_earlier(from, false),
		load_whose_earlier(from, true) };
	struct str digest = agentbox_attach_digest(a, out->file);
	struct str got;
	struct db *own;
	int n;

	out->authentic = false;
	if (r->use.mac == NULL)
		return 0;
	own = db_own(r, e);
	n = own == NULL ? -1 : db_keep_mac(own, id, a, &got, e);
	if (n <= 0)
		return n;
	n = 0;
	for (size_t i = 0; i < sizeof(whose) / sizeof(whose[0]) && n == 0; i++)
		n = load_fits(r, load_text(a, whose[i], id, digest), got, e);
	out->authentic = n == 1;
	return n < 0 ? -1 : 0;
}

static int
load_damaged(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG,
	    "a message of the mailbox root has no readable file");
	e->scope = ERR_SCOPE_MESSAGE;
	e->reason = "damaged";
	return err_because(e, "%s", what);
}

static int
load_file(const struct agentbox_root *r, struct str id, struct str created,
    struct arena *a, struct str *out, struct err *e)
{
	struct str day = str_first(created, 10);
	CLEANUP(path_close) int fd = -1;
	int n;

	if (!agentbox_name_day(day))
		return load_damaged(e, "a time that is none");
	fd = agentbox_layout_open(r->dir,
	    str_fmt(a, "messages/%.*s", STR_ARG(day)).p, false);
	if (fd < 0)
		return load_damaged(e, "the day's folder");
	n = agentbox_layout_read(fd, str_fmt(a, "%.*s.md", STR_ARG(id)).p,
	    LIMIT_AGENTBOX_FRONT + LIMIT_AGENTBOX_BODY + 16, a, out, e);
	return n == 0 ? load_damaged(e, "no file") : n < 0 ? -1 : 0;
}

static int
load_created(const struct agentbox_root *r, struct str id, struct arena *a,
    struct str *out, struct err *e)
{
	CLEANUP(db_stmt_close) struct db d = { 0 };

	if (db_index_open(&d, r, false, e) < 0)
		return -1;
	return db_mail_created(&d, id, a, out, e);
}

int
agentbox_load(struct agentbox_root *r, struct str id, struct arena *a,
    struct agentbox_loaded *out, struct err *e)
{
	struct str created;
	int n;

	if (!agentbox_name_message(id))
		return 0;
	n = load_created(r, id, a, &created, e);
	return n <= 0 ? n : agentbox_load_of(r, id, created, a, out, e);
}

int
agentbox_load_of(struct agentbox_root *r, struct str id, struct str created,
    struct arena *a, struct agentbox_loaded *out, struct err *e)
{
	if (load_file(r, id, created, a, &out->file, e) < 0 ||
	    agentbox_front_read(a, out->file, 1, &out->message, e) < 0)
		return -1;
	if (!str_eq(out->message.id, id))
		return load_damaged(e, "a file of another message");
	return load_auth(r, id, a, out, e) < 0 ? -1 : 1;
}
