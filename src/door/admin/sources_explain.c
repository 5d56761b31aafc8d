/* emcli source explain: who would serve an operation now, by the rule. */
#include "base/json.h"
#include "door/admin/sources.h"
#include "door/out.h"

const struct arg_spec sources_explain_args[] = {
	{ .name = "op",
	    .type = ARG_TEXT,
	    .flags = ARG_REQUIRED | ARG_POSITIONAL,
	    .help =
		"list_recent_threads, read_thread, list_drafts, "
		"list_sent_since, create_draft, thread_url or search_threads" },
	{ .name = "source",
	    .type = ARG_ACCOUNT,
	    .help = "as if a call had named this one" },
	{ .name = "json", .type = ARG_FLAG, .help = "the record as JSON" },
	{ 0 },
};

/* Why one was skipped, in words. */
static struct str
why(struct arena *a, const struct choose *ch, const struct choose_skip *k)
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
		return str_fmt(a, "can: emcli source set %.*s --role primary",
		    STR_ARG(k->source->name));
	case CHOOSE_OTHER_KIND:
		return S("its threads have ids or addresses of another kind");
	case CHOOSE_NOT_IN_CHAIN:
		break;
	}
	return k->source->role == ROLE_OPTIONAL
	    ? S("only when it is named")
	    : S("preferred for other operations alone");
}

static void
explain_text(struct admin_call *c, const struct choose *ch)
{
	buf_fmt(c->out, "%.*s\n", STR_ARG(choose_record_text(c->arena, ch)));
	for (size_t i = 0; i < ch->n; i++)
		buf_fmt(c->out, "  %.*s: %.*s\n",
		    STR_ARG(ch->skip[i].source->name),
		    STR_ARG(why(c->arena, ch, &ch->skip[i])));
	if (!ch->declared)
		buf_text(c->out,
		    "  note: no role is declared: emcli source set\n");
	if (ch->no_primary)
		buf_text(c->out, "  note: no source is the primary\n");
}

int
sources_explain(struct admin_call *c, struct err *e)
{
	struct roster ctx = { .store = c->store, .a = c->arena };
	struct choose_ask ask = { .available = roster_available, .ctx = &ctx };
	struct role_source *v;
	struct json *j;
	struct choose ch;

	if (role_op_read(c->arena, args_text(c->args, "op"), &ask.op, e) < 0 ||
	    source_timeout(c->store, c->arena, &ctx.timeout_ms, e) < 0 ||
	    sources_load(c, &v, &ask.n, e) < 0)
		return -1;
	ask.v = v;
	if (args_has(c->args, "source")) {
		if (roster_find(v, ask.n, args_text(c->args, "source"),
			&ask.override, e) < 0)
			return -1;
		ask.override_reason = S("asked by the operator");
	}
	choose_source(c->arena, &ask, &ch);
	if (!args_has(c->args, "json")) {
		explain_text(c, &ch);
		return 0;
	}
	j = json_new(c->arena);
	choose_record_put(j, NULL, &ch);
	out_json(c->out, c->arena, j);
	return 0;
}
