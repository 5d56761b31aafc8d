/* SPDX-License-Identifier: Apache-2.0 */
/* emcli unack: makes messages that an agent handled new for it again. */
#include "base/buf.h"
#include "desk/desk.h"
#include "store/claim.h"
#include "store/store.h"

static const struct arg_spec args[] = {
	{ "account", ARG_ACCOUNT, ARG_SOLE,
	    .help = "account the folder is in; optional if there is only one" },
	{ "folder", ARG_FOLDER, .help = "folder the messages are in",
	    .def = "INBOX" },
	{ "uid", ARG_UIDS, ARG_REQUIRED | ARG_MANY,
	    .help = "messages to make new again: 7, or 1,2,5:9" },
	{ "agent", ARG_TEXT, .help = "whose seen-set", .def = "agent" },
	{ 0 },
};

static const struct field result[] = {
	{ "agent", FIELD_TEXT, .help = "whose seen-set" },
	{ "folder", FIELD_TEXT, .help = "the folder" },
	{ "uids", FIELD_INTS, .help = "the messages that are new again" },
	{ 0 },
};

/* The folder as that agent knows it. */
static int
unack_find(struct call *c, struct store_folder *out, struct err *e)
{
	struct str folder = args_text(c->args, "folder");
	struct str agent = args_text(c->args, "agent");
	struct store_account acct;
	uint32_t floor;
	int r;

	if (store_account_get(operate_store(c), c->arena,
		args_text(c->args, "account"), &acct, e) < 0)
		return -1;
	*out = (struct store_folder){ acct.id, agent, folder, 0 };
	r = store_seen_state(operate_store(c), out, &out->uidvalidity, &floor,
	    e);
	if (r != 0)
		return r < 0 ? -1 : 0;
	return err_set(e, ERR_NOT_FOUND,
	    "agent \"%.*s\" has never listed \"%.*s\"", STR_ARG(agent),
	    STR_ARG(folder));
}

static int
unack_run(struct call *c, struct json *out, struct err *e)
{
	const struct arg *uid = args_find(c->args, S("uid"));
	struct store_folder f;
	struct buf done;

	if (unack_find(c, &f, e) < 0 ||
	    store_seen_unack(operate_store(c), &f, uid->uid, uid->uids, e) < 0)
		return -1;
	json_put_str(out, "agent", f.principal);
	json_put_str(out, "folder", f.folder);
	json_open_array(out, "uids");
	buf_init(&done, c->arena, 128 << 10);
	buf_fmt(&done, "agent: %.*s\nfolder: %.*s\nuids:", STR_ARG(f.principal),
	    STR_ARG(f.folder));
	for (size_t i = 0; i < uid->uids; i++) {
		buf_fmt(&done, " %u", uid->uid[i]);
		json_put_int(out, NULL, uid->uid[i]);
	}
	json_close_array(out);
	c->note = buf_view(&done);
	gate_tell(c, "%zu %s new again for \"%.*s\"", uid->uids,
	    uid->uids == 1 ? "message is" : "messages are",
	    STR_ARG(f.principal));
	return 0;
}

const struct op desk_unack = {
	.name = "unack",
	.summary = "Make messages new again for an agent",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = unack_run,
};
