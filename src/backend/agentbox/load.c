/* Reads one message from disk, and checks whether we delivered it. */
#include "backend/agentbox/db.h"
#include "backend/agentbox/deliver.h"
#include "backend/agentbox/internal.h"

/* The signed text for a delivered file. */
int
agentbox_load_mac(const struct agentbox_root *r, struct str id,
    struct str digest, unsigned char out[32], struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str text = str_fmt(a, "emcli agentbox 1\n%.*s\n%.*s\n",
	    STR_ARG(id), STR_ARG(digest));

	return r->use.mac(r->use.mac_ctx, text, out, e);
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

static int
load_auth(struct agentbox_root *r, struct str id, struct arena *a,
    struct agentbox_loaded *out, struct err *e)
{
	struct str digest = agentbox_attach_digest(a, out->file);
	unsigned char want[32];
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
	if (agentbox_load_mac(r, id, digest, want, e) < 0)
		return -1;
	out->authentic = load_is_equal(got, want);
	return 0;
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
