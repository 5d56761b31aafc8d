/* emcli source probe: which sources are there now. */
#include "base/json.h"
#include "door/admin/sources.h"
#include "door/out.h"

const struct arg_spec sources_probe_args[] = {
	{ .name = "name",
	    .type = ARG_ACCOUNT,
	    .flags = ARG_POSITIONAL,
	    .help = "this account alone; else every source" },
	{ .name = "json", .type = ARG_FLAG, .help = "JSON instead of a table" },
	{ 0 },
};

struct probed {
	const struct role_source *source;
	enum choose_reason reason;
	struct str say; /* of the line that failed */
};

static struct str
say_of(const struct source_health *h)
{
	for (size_t i = 0; i < h->probes.n; i++)
		if (!h->probes.v[i].ok)
			return h->probes.v[i].say;
	return S("");
}

/* Tries all side by side; *out has those that were asked about, in order. */
static int
probe(struct admin_call *c, const struct role_source *v, size_t n,
    struct probed *out, size_t *count, struct err *e)
{
	struct str name = args_text(c->args, "name");
	bool declared = roster_declared(v, n);
	struct source_trial what = { .names = { &name, name.n > 0 } };
	struct source_health *h;
	size_t tried;

	if (source_timeout(c->store, c->arena, &what.timeout_ms, e) < 0 ||
	    source_probe(c->store, c->arena, &what, &h, &tried, e) < 0)
		return -1;
	*count = 0;
	for (size_t i = 0; i < n; i++) {
		if (name.n == 0 && declared && v[i].role == ROLE_NONE)
			continue;
		for (size_t k = 0; k < tried; k++)
			if (str_eq(h[k].acct.name, v[i].name))
				out[(*count)++] = (struct probed){ &v[i],
					roster_reason(&h[k]), say_of(&h[k]) };
	}
	return 0;
}

static void
probe_table(struct admin_call *c, const struct probed *p, size_t n)
{
	static const struct str head[] = { SI("NAME"), SI("ROLE"),
		SI("MANDATORY"), SI("AVAILABLE"), SI("WHY") };
	enum {
		COLUMNS = sizeof(head) / sizeof(head[0])
	};
	struct out_row *rows = arena_array(c->arena, n + 1, sizeof(*rows));

	rows[0].cell = head;
	for (size_t i = 0; i < n; i++) {
		struct str *cell =
		    arena_array(c->arena, COLUMNS, sizeof(*cell));
		bool up = p[i].reason == CHOOSE_AVAILABLE;

		cell[0] = p[i].source->name;
		cell[1] = str_of(role_name(p[i].source->role));
		cell[2] = p[i].source->mandatory ? S("yes") : S("no");
		cell[3] =
		    up ? S("yes") : str_of(choose_reason_name(p[i].reason));
		cell[4] = up ? S("-") : out_line(c->arena, p[i].say);
		rows[i + 1].cell = cell;
	}
	out_table(c->out, rows, n + 1, COLUMNS);
	for (size_t i = 0; i < n; i++)
		if (p[i].source->mandatory && p[i].reason != CHOOSE_AVAILABLE)
			buf_fmt(c->out,
			    "mandatory backend %.*s unavailable: %s; run "
			    "aborted\n",
			    STR_ARG(p[i].source->name),
			    choose_reason_name(p[i].reason));
}

static void
probe_json(struct admin_call *c, const struct probed *p, size_t n)
{
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	json_open_array(j, "sources");
	for (size_t i = 0; i < n; i++) {
		bool up = p[i].reason == CHOOSE_AVAILABLE;

		json_open_object(j, NULL);
		json_put_str(j, "name", p[i].source->name);
		json_put_bool(j, "mandatory", p[i].source->mandatory);
		json_put_bool(j, "available", up);
		if (up) {
			json_put_null(j, "reason");
			json_put_null(j, "message");
		} else {
			json_put_text(j, "reason",
			    choose_reason_name(p[i].reason));
			json_put_str(j, "message", p[i].say);
		}
		json_close_object(j);
	}
	json_close_array(j);
	json_close_object(j);
	out_json(c->out, c->arena, j);
}

int
sources_probe(struct admin_call *c, struct err *e)
{
	struct role_source *v;
	struct probed *p;
	size_t n, count;

	if (roster_load(c->store, c->arena, &v, &n, e) < 0)
		return -1;
	p = arena_array(c->arena, n, sizeof(*p));
	if (probe(c, v, n, p, &count, e) < 0)
		return -1;
	if (args_has(c->args, "json"))
		probe_json(c, p, count);
	else if (count == 0)
		buf_text(c->out, "no account is a source: emcli source set\n");
	else
		probe_table(c, p, count);
	return 0;
}
