/* emcli unack: what an agent dealt with is new for it again. */
#include "door/admin/internal.h"
#include "door/out.h"
#include "store/claim.h"

const struct arg_spec unack_args[] = {
	{ .name = "account",
	    .type = ARG_ACCOUNT,
	    .flags = ARG_SOLE,
	    .help = "account the folder is in; where there is one it may be "
		    "left out" },
	{ .name = "folder",
	    .type = ARG_FOLDER,
	    .help = "folder the messages are in",
	    .def = "INBOX" },
	{ .name = "uid",
	    .type = ARG_UIDS,
	    .flags = ARG_REQUIRED | ARG_MANY,
	    .help = "messages to be new again: 7, or 1,2,5:9" },
	{ .name = "agent",
	    .type = ARG_TEXT,
	    .help = "whose seen-set",
	    .def = "agent" },
	{ 0 },
};

/* The folder as that agent knows it. */
static int
find(struct admin_call *c, struct store_folder *out, struct err *e)
{
	struct str folder = args_text(c->args, "folder");
	struct str agent = args_text(c->args, "agent");
	struct store_account acct;
	uint32_t floor;
	int r;

	if (store_account_get(c->store, c->arena, args_text(c->args, "account"),
		&acct, e) < 0)
		return -1;
	*out = (struct store_folder){ acct.id, agent, folder, 0 };
	r = store_seen_state(c->store, out, &out->uidvalidity, &floor, e);
	if (r != 0)
		return r < 0 ? -1 : 0;
	folder = out_quote(c->arena, folder);
	agent = out_quote(c->arena, agent);
	return err_set(e, ERR_NOT_FOUND,
	    "agent %.*s has never looked into %.*s", STR_ARG(agent),
	    STR_ARG(folder));
}

int
unack_run(struct admin_call *c, struct err *e)
{
	const struct arg *uid = args_find(c->args, S("uid"));
	struct store_folder f;
	struct buf done;

	if (find(c, &f, e) < 0 ||
	    store_seen_unack(c->store, &f, uid->uid, uid->uids, e) < 0)
		return -1;
	buf_init(&done, c->arena, 128 << 10);
	buf_fmt(&done, "agent: %.*s\nfolder: %.*s\nuids:", STR_ARG(f.principal),
	    STR_ARG(f.folder));
	for (size_t i = 0; i < uid->uids; i++)
		buf_fmt(&done, " %u", uid->uid[i]);
	c->done = buf_view(&done);
	buf_fmt(c->out, "%zu %s new again for %.*s\n", uid->uids,
	    uid->uids == 1 ? "message is" : "messages are",
	    STR_ARG(out_quote(c->arena, f.principal)));
	return 0;
}
