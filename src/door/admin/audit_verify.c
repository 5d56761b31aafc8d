/* emcli audit verify: whether the log is what was written. */
#include "base/json.h"
#include "door/admin/internal.h"
#include "door/out.h"
#include "store/audit.h"
#include "store/signed.h"

const struct arg_spec audit_verify_args[] = {
	{ .name = "json", .type = ARG_FLAG, .help = "JSON instead of text" },
	{ 0 },
};

void
audit_verify_edits(struct admin_call *c, const struct store_signed *v)
{
	for (size_t i = 0; i < v->n; i++)
		buf_fmt(c->out, "%.*s: %.*s\n",
		    STR_ARG(out_line(c->arena, v->v[i].where)),
		    STR_ARG(out_line(c->arena, v->v[i].what)));
	if (v->more)
		buf_text(c->out, "and others\n");
}

static void
put_edits(struct json *j, const struct store_signed *v)
{
	json_open_array(j, "edits");
	for (size_t i = 0; i < v->n; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "where", v->v[i].where);
		json_put_str(j, "what", v->v[i].what);
		json_close_object(j);
	}
	json_close_array(j);
	if (v->ts.n > 0)
		json_put_str(j, "rows_signed", v->ts);
	else
		json_put_null(j, "rows_signed");
}

static void
put_json(struct admin_call *c, const struct store_chain *v,
    const struct store_signed *rows)
{
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	json_put_bool(j, "whole", v->whole);
	if (v->whole) {
		json_put_null(j, "broken_row");
		json_put_null(j, "why");
	} else {
		json_put_int(j, "broken_row", v->broken_id);
		json_put_str(j, "why", v->why);
	}
	json_put_int(j, "rows", v->rows);
	json_put_int(j, "links", v->links);
	json_put_int(j, "first_row", v->first);
	json_put_int(j, "last_row", v->last);
	json_put_int(j, "signatures", v->signatures);
	if (v->signatures > 0)
		json_put_str(j, "signed", v->signed_ts);
	else
		json_put_null(j, "signed");
	json_put_int(j, "rows_since", v->unsigned_n);
	put_edits(j, rows);
	json_close_object(j);
	out_json(c->out, c->arena, j);
}

static void
put_text(struct admin_call *c, const struct store_chain *v,
    const struct store_signed *rows)
{
	buf_fmt(c->out, "%lld rows", (long long)v->rows);
	if (v->rows > 0)
		buf_fmt(c->out, " (%lld to %lld)", (long long)v->first,
		    (long long)v->last);
	buf_fmt(c->out, " and %lld links looked at\n", (long long)v->links);
	if (v->signatures > 0)
		buf_fmt(c->out,
		    "signature %lld of %.*s is the newest; %lld rows since\n",
		    (long long)v->signatures,
		    STR_ARG(out_line(c->arena, v->signed_ts)),
		    (long long)v->unsigned_n);
	else
		buf_text(c->out, "nothing was signed yet\n");
	if (v->whole)
		buf_text(c->out, "the audit log is whole\n");
	audit_verify_edits(c, rows);
	if (rows->n == 0)
		buf_text(c->out,
		    "accounts, policy and settings are as emcli left them\n");
}

static int
complain(const struct store_chain *v, const struct store_signed *rows,
    struct err *e)
{
	if (v->whole && rows->n > 0)
		return err_set(e, ERR_DB,
		    "accounts, policy or settings were changed by somebody "
		    "else: mend them with emcli's commands, or sign them as "
		    "they are by emcli audit accept");
	if (v->broken_id > 0)
		return err_set(e, ERR_DB,
		    "the audit log was tampered with at row %lld: %.*s",
		    (long long)v->broken_id, STR_ARG(v->why));
	return err_set(e, ERR_DB, "the audit log was tampered with: %.*s",
	    STR_ARG(v->why));
}

int
audit_verify(struct admin_call *c, struct err *e)
{
	struct store_chain v;
	struct store_signed rows;

	if (store_chain_verify(c->store, c->arena, &v, e) < 0 ||
	    store_signed_verify(c->store, c->arena, &rows, e) < 0)
		return -1;
	if (args_has(c->args, "json"))
		put_json(c, &v, &rows);
	else
		put_text(c, &v, &rows);
	if (v.whole && rows.n == 0)
		return 0;
	c->report = true;
	return complain(&v, &rows, e);
}
