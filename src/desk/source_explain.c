/* SPDX-License-Identifier: Apache-2.0 */
/* emcli source explain: which source would serve an operation now. */
#include "desk/desk.h"
#include "desk/source_known.h"

static const struct arg_spec args[] = {
	{ "op", ARG_TEXT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help =
		"list_recent_threads, read_thread, list_drafts, "
		"list_sent_since, create_draft, thread_url or search_threads" },
	{ "source", ARG_ACCOUNT, .help = "as if a call had named this source" },
	{ 0 },
};

/* Why a source was skipped, in words. */
static struct str
source_explain_why(struct arena *a, const struct choose *ch,
    const struct choose_skip *k)
{
	switch (k->cause) {
	case CHOOSE_UNSUPPORTED:
		return str_fmt(a, "cannot: %s", roster_why(k->source, ch->op));
	case CHOOSE_UNAVAILABLE:
		return str_fmt(a, "not available: %s",
		    choose_reason_name(k->reason));
	case CHOOSE_DECLINED:
		return S("declined");
	case CHOOSE_ONE_OF_MANY:
		return str_fmt(a,
		    "it could: emcli source set %.*s --role primary",
		    STR_ARG(k->source->name));
	case CHOOSE_OTHER_KIND:
		return S(
		    "its threads have ids or addresses of a different kind");
	case CHOOSE_NOT_IN_CHAIN:
		break;
	}
	return k->source->role == ROLE_OPTIONAL
	    ? S("serves only when it is named")
	    : S("preferred for other operations only");
}

static void
source_explain_say(struct call *c, const struct choose *ch)
{
	gate_say_text(c, choose_record_text(c->arena, ch));
	for (size_t i = 0; i < ch->n; i++)
		gate_tell(c, "  %.*s: %.*s", STR_ARG(ch->skip[i].source->name),
		    STR_ARG(source_explain_why(c->arena, ch, &ch->skip[i])));
	if (!ch->declared)
		gate_tell(c, "  note: no role is declared: emcli source set");
	if (ch->no_primary)
		gate_tell(c, "  note: no source is the primary");
}

static int
source_explain_run(struct call *c, struct json *out, struct err *e)
{
	struct roster ctx = { .store = operate_store(c), .a = c->arena };
	struct choose_ask ask = { .available = roster_available, .ctx = &ctx };
	struct role_source *v;
	struct choose ch;

	if (role_op_read(c->arena, args_text(c->args, "op"), &ask.op, e) < 0 ||
	    store_setting_timeout(ctx.store, &ctx.timeout_ms, e) < 0 ||
	    source_known_load(ctx.store, c->arena, &v, &ask.n, e) < 0)
		return -1;
	ask.v = v;
	if (args_has(c->args, "source")) {
		if (roster_find(v, ask.n, args_text(c->args, "source"),
			&ask.override, e) < 0)
			return -1;
		ask.override_reason = S("asked by the operator");
	}
	choose_source(c->arena, &ask, &ch);
	choose_record_members(out, &ch);
	source_explain_say(c, &ch);
	return 0;
}

const struct op desk_source_explain = {
	.name = "source explain",
	.summary = "Show which source would serve an operation, and why",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = sources_fields_resolution,
	.run = source_explain_run,
};
