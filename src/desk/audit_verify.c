/* SPDX-License-Identifier: Apache-2.0 */
/* emcli audit verify: checks that the log is as it was written. */
#include "base/clean.h"
#include "desk/audit_edits.h"
#include "desk/desk.h"
#include "gate/notice.h"
#include "store/audit.h"
#include "store/signed.h"

static const struct field result[] = {
	{ "whole", FIELD_BOOL, .help = "is the log as it was written?" },
	{ "broken_row", FIELD_INT, .nullable = true,
	    .help = "the first wrong row; 0: not a row" },
	{ "why", FIELD_TEXT, .nullable = true, .help = "what is wrong" },
	{ "rows", FIELD_INT, .help = "number of rows checked" },
	{ "links", FIELD_INT, .help = "number of links checked" },
	{ "first_row", FIELD_INT, .help = "the lowest number of a row" },
	{ "last_row", FIELD_INT, .help = "the highest" },
	{ "signatures", FIELD_INT, .help = "the newest signature's number" },
	{ "signed", FIELD_TEXT, .nullable = true, .help = "when it was made" },
	{ "rows_since", FIELD_INT,
	    .help = "number of rows after the newest signature" },
	{ "edits", FIELD_OBJECTS,
	    .help =
		"accounts, policy and settings that were changed without emcli",
	    .sub = audit_edits_fields },
	{ "rows_signed", FIELD_TEXT, .nullable = true,
	    .help = "when accounts, policy and settings were signed" },
	{ "restored", FIELD_TEXTS,
	    .help = "when the database was restored, newest first: from which "
		    "copy, and where the audit log of then went on or ended" },
	{ "more_restored", FIELD_BOOL, .help = "are there older ones?" },
	{ 0 },
};

enum {
	RESTORES_SHOWN = 20,
	RESTORES_READ = 200 /* with those that were refused */
};

/* Whoever holds a link of before sees whether it can still be in the log. */
static int
audit_verify_find_restores(struct call *c, struct strs *out, bool *more,
    struct err *e)
{
	const struct store_audit_query q = {
		.principal = S("operator"),
		.action = S("store.restore"),
		.result = S("allowed"),
		.limit = RESTORES_READ,
	};
	struct store_audit *v = NULL;
	size_t n = 0;

	*out = (struct strs){ 0 };
	if (store_audit_list(operate_store(c), c->arena, &q, &v, &n, e) < 0)
		return -1;
	*more = n == RESTORES_READ;
	for (size_t i = 0; i < n; i++) {
		if (!str_eq(v[i].outcome, S("ok")))
			continue;
		if (out->n == RESTORES_SHOWN)
			*more = true;
		else
			str_push(c->arena, out,
			    str_fmt(c->arena, "%.*s: %.*s", STR_ARG(v[i].ts),
				STR_ARG(
				    clean_text(c->arena, v[i].detail, NULL))));
	}
	return 0;
}

static void
audit_verify_put(struct json *j, const struct store_chain *v,
    const struct store_signed *rows, const struct strs *restores, bool more)
{
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
	audit_edits_put(j, rows);
	json_put_str_or_null(j, "rows_signed", rows->ts);
	json_open_array(j, "restored");
	for (size_t i = 0; i < restores->n; i++)
		json_put_str(j, NULL, restores->v[i]);
	json_close_array(j);
	json_put_bool(j, "more_restored", more);
}

static void
audit_verify_say(struct call *c, const struct store_chain *v,
    const struct store_signed *rows)
{
	struct str span = S("");

	if (v->rows > 0)
		span = str_fmt(c->arena, " (%lld to %lld)", (long long)v->first,
		    (long long)v->last);
	gate_tell(c, "%lld rows%.*s and %lld links checked", (long long)v->rows,
	    STR_ARG(span), (long long)v->links);
	if (v->signatures > 0)
		gate_tell(c, "newest signature: %lld of %.*s; %lld rows since",
		    (long long)v->signatures, STR_ARG(v->signed_ts),
		    (long long)v->unsigned_n);
	else
		gate_tell(c, "nothing has been signed yet");
	if (v->whole)
		gate_tell(c, "the audit log is intact");
	audit_edits_say(c, rows);
	if (rows->n == 0)
		gate_tell(c,
		    "accounts, policy and settings are as emcli wrote them");
}

static int
audit_verify_complain(const struct store_chain *v,
    const struct store_signed *rows, struct err *e)
{
	if (v->whole && rows->n > 0)
		return err_set(e, ERR_DB,
		    "accounts, policy or settings were changed without "
		    "emcli: undo that with emcli's commands, or sign it by "
		    "emcli audit accept");
	if (v->broken_id > 0)
		return err_set(e, ERR_DB,
		    "the audit log was tampered with at row %lld: %.*s",
		    (long long)v->broken_id, STR_ARG(v->why));
	return err_set(e, ERR_DB, "the audit log was tampered with: %.*s",
	    STR_ARG(v->why));
}

static int
audit_verify_run(struct call *c, struct json *out, struct err *e)
{
	struct store *s = operate_store(c);
	struct store_chain v;
	struct store_signed rows;
	struct strs restores;
	bool more = false;

	if (store_chain_verify(s, c->arena, &v, e) < 0 ||
	    store_signed_verify(s, c->arena, &rows, e) < 0 ||
	    audit_verify_find_restores(c, &restores, &more, e) < 0)
		return -1;
	notice_audit(s, v.whole && rows.n == 0, true);
	audit_verify_put(out, &v, &rows, &restores, more);
	audit_verify_say(c, &v, &rows);
	for (size_t i = 0; i < restores.n; i++)
		gate_tell(c, "the database was restored: %.*s",
		    STR_ARG(restores.v[i]));
	if (more)
		gate_tell(c,
		    "there are older restores: see emcli audit list --action "
		    "store.restore");
	if (v.whole && rows.n == 0)
		return 0;
	return audit_verify_complain(&v, &rows, e);
}

const struct op desk_audit_verify = {
	.name = "audit verify",
	.shows = "emcli audit list",
	.summary = "Check whether the audit log was tampered with",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.report = true,
	.args = args_none,
	.result = result,
	.run = audit_verify_run,
};
