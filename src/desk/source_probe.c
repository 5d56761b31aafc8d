/* SPDX-License-Identifier: Apache-2.0 */
/* emcli source probe: which sources are available now. */
#include "desk/desk.h"
#include "source/roster.h"

static const struct arg_spec args[] = {
	{ "name", ARG_ACCOUNT, ARG_POSITIONAL,
	    .help = "only this account; default: every source" },
	{ 0 },
};

static const struct field sources[] = {
	{ "name", FIELD_TEXT, .help = "the account" },
	{ "role", FIELD_TEXT,
	    .help = "primary, preferred, fallback, optional or none" },
	{ "mandatory", FIELD_BOOL,
	    .help = "nothing runs while it is not available" },
	{ "available", FIELD_BOOL, .help = "is it available now?" },
	{ "reason", FIELD_TEXT, .nullable = true,
	    .help = "why it is not available" },
	{ "message", FIELD_TEXT, .nullable = true,
	    .help = "what failed, in a sentence" },
	{ 0 },
};

static const struct field result[] = {
	{ "sources", FIELD_OBJECTS, .help = "the sources tested",
	    .sub = sources },
	{ 0 },
};

struct probed {
	const struct role_source *source;
	enum choose_reason reason;
	struct str say; /* from the line that failed */
};

static struct str
source_probe_say_of(const struct source_health *h)
{
	for (size_t i = 0; i < h->probes.n; i++)
		if (!h->probes.v[i].ok)
			return h->probes.v[i].say;
	return S("");
}

/* Tries all in parallel; *out has the requested ones, in order. */
static int
source_probe_try(struct call *c, const struct role_source *v, size_t n,
    struct probed *out, size_t *count, struct err *e)
{
	struct str name = args_text(c->args, "name");
	bool declared = roster_declared(v, n);
	struct source_trial what = { .names = { &name, name.n > 0 } };
	struct source_health *h;
	size_t tried;

	if (store_setting_timeout(operate_store(c), &what.timeout_ms, e) < 0 ||
	    source_probe(operate_store(c), c->arena, &what, &h, &tried, e) < 0)
		return -1;
	*count = 0;
	for (size_t i = 0; i < n; i++) {
		if (name.n == 0 && declared && v[i].role == ROLE_NONE)
			continue;
		for (size_t k = 0; k < tried; k++)
			if (str_eq(h[k].acct.name, v[i].name))
				out[(*count)++] = (struct probed){ &v[i],
					roster_reason(&h[k]),
					source_probe_say_of(&h[k]) };
	}
	return 0;
}

static void
source_probe_put(struct json *j, const struct probed *p)
{
	bool up = p->reason == CHOOSE_AVAILABLE;

	json_open_object(j, NULL);
	json_put_str(j, "name", p->source->name);
	json_put_text(j, "role", role_name(p->source->role));
	json_put_bool(j, "mandatory", p->source->mandatory);
	json_put_bool(j, "available", up);
	if (up) {
		json_put_null(j, "reason");
		json_put_null(j, "message");
	} else {
		json_put_text(j, "reason", choose_reason_name(p->reason));
		json_put_str(j, "message", p->say);
	}
	json_close_object(j);
}

static void
source_probe_say(struct call *c, const struct probed *p, size_t n)
{
	if (n == 0)
		gate_tell(c,
		    "no account is a source: give one a role with emcli source "
		    "set");
	for (size_t i = 0; i < n; i++)
		if (p[i].source->mandatory && p[i].reason != CHOOSE_AVAILABLE)
			gate_tell(c,
			    "mandatory backend %.*s unavailable: %s; run "
			    "aborted",
			    STR_ARG(p[i].source->name),
			    choose_reason_name(p[i].reason));
}

static int
source_probe_run(struct call *c, struct json *out, struct err *e)
{
	struct role_source *v;
	struct probed *p;
	size_t n, count;

	if (roster_load(operate_store(c), c->arena, &v, &n, e) < 0)
		return -1;
	p = arena_array(c->arena, n, sizeof(*p));
	if (source_probe_try(c, v, n, p, &count, e) < 0)
		return -1;
	json_open_array(out, "sources");
	for (size_t i = 0; i < count; i++)
		source_probe_put(out, &p[i]);
	json_close_array(out);
	source_probe_say(c, p, count);
	return 0;
}

const struct op desk_source_probe = {
	.name = "source probe",
	.summary = "Test which sources are available now",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = result,
	.columns = "name role mandatory reason=AVAILABLE?yes message=WHY",
	.run = source_probe_run,
};
